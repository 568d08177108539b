// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <stdio.h>

#include "ftrace/walk.h"

/* So many faults of one CPU are told one by one, the rest by number. */
#define MAX_TOLD 4

void ft_walk_tell(struct ft_walk *w, const char *what, uint64_t addr,
		  const char *why)
{
	if (w->told++ < MAX_TOLD)
		diag_say(w->ring->diag, "%s: CPU %u: %s %" PRIx64 ": %s",
			 w->ring->name, w->cpu, what, addr, why);
}

enum err ft_walk_header(const struct ft_walk *w, uint64_t page, uint64_t *ts,
			uint64_t *commit)
{
	const struct ft_layout *l = w->ring->layout;
	uint8_t header[64];
	size_t size = l->dp_data.off;
	enum err err = size <= sizeof(header) ?
			       vm_read(w->ring->vm, page, header, size) :
			       ERR_BAD_DATA;

	if (err != ERR_NONE)
		return err;
	*ts = vm_get(header, size, &l->dp_time_stamp);
	*commit = vm_get(header, size, &l->dp_commit);
	return ERR_NONE;
}

static enum err refuse(struct ft_walk *w, uint64_t page, const char *why)
{
	ft_walk_tell(w, "page", page, why);
	w->stats->torn++;
	ft_order_lost(&w->order, 0);
	return ERR_NONE;
}

enum err ft_walk_take(struct ft_walk *w, uint64_t at, uint32_t read, bool full)
{
	const struct ft_layout *l = w->ring->layout;
	struct ft_page *page = ft_order_next(&w->order);
	enum err err;

	err = vm_read(w->ring->vm, at, page->buf, page->size);
	if (err != ERR_NONE) {
		ft_walk_tell(w, "page", at, err_str(err));
		w->stats->missing++;
		ft_order_lost(&w->order, 0);
		return ERR_NONE;
	}
	if (ft_page_check(page, l) != ERR_NONE)
		return refuse(w, at, page->fault);
	if (full && !page->commit && !page->missed)
		return refuse(w, at, "empty, where it must be full");
	if (ft_page_consume(page, l, read) != ERR_NONE)
		return refuse(w, at, "the reader's position is not on an event");
	if (!page->events) {
		if (page->missed) {
			/* So the kernel marks what it found torn after a reset. */
			w->stats->discarded += w->ring->boot_mapped;
			ft_order_lost(&w->order, 0);
		}
		return ERR_NONE;
	}
	return ft_order_push(&w->order);
}

static enum err order_emit(void *ctx, struct ft_page *page, bool lost,
			   uint64_t lost_count)
{
	struct ft_walk *w = ctx;
	struct ft_cpu_stats *s = w->stats;

	ft_page_finish(page, w->ring->layout, lost, lost_count);
	if (!s->pages)
		s->first_ts = page->first_ts;
	s->last_ts = page->last_ts;
	s->pages++;
	s->events += page->events;
	diag_step(w->ring->diag);
	return w->fn(w->arg, page);
}

static void order_drop(void *ctx, const struct ft_page *page)
{
	struct ft_walk *w = ctx;

	ft_walk_tell(w, "page stamped", page->first_ts,
		     "time contradicts the pages around it");
	w->stats->torn++;
}

static void order_doubt(void *ctx, const struct ft_page *a,
			const struct ft_page *b)
{
	struct ft_walk *w = ctx;
	char why[96];

	snprintf(why, sizeof(why),
		 "time contradicts the next page's, %" PRIx64
		 "; one is wrong, both are kept",
		 b->first_ts);
	ft_walk_tell(w, "page stamped", a->first_ts, why);
	w->stats->torn++;
}

enum err ft_walk_begin(struct ft_walk *w)
{
	enum err err = ft_order_init(&w->order, w->ring->subbuf_size);

	w->order.emit = order_emit;
	w->order.drop = order_drop;
	w->order.doubt = order_doubt;
	w->order.ctx = w;
	return err;
}

void ft_walk_end(struct ft_walk *w)
{
	ft_order_deinit(&w->order);
	if (w->told > MAX_TOLD)
		diag_say(w->ring->diag, "%s: CPU %u: %" PRIu64 " more faults",
			 w->ring->name, w->cpu, w->told - MAX_TOLD);
}
