// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>

#include "ftrace/newest.h"

/* So many pages of each CPU are looked at first, then ever more. */
#define FIRST_PAGES 8
#define MORE_PAGES  8

/* The times of the newest events, the oldest of them at the top of a heap. */
struct newest {
	uint64_t *ts;
	size_t count, room, max;
	/* The newest time that was thrown out, and how often it was. */
	uint64_t out;
	uint64_t times_out;
	const struct ft_layout *layout;
};

static void throw_out(struct newest *n, uint64_t ts)
{
	if (!n->times_out || ts > n->out) {
		n->out = ts;
		n->times_out = 0;
	}
	n->times_out += ts == n->out;
}

static void sift_up(struct newest *n, size_t i)
{
	uint64_t ts = n->ts[i];

	for (; i && n->ts[(i - 1) / 2] > ts; i = (i - 1) / 2)
		n->ts[i] = n->ts[(i - 1) / 2];
	n->ts[i] = ts;
}

/* @ts takes the place of the top. */
static void replace_top(struct newest *n, uint64_t ts)
{
	size_t i = 0, child;

	for (; (child = 2 * i + 1) < n->count; i = child) {
		if (child + 1 < n->count && n->ts[child + 1] < n->ts[child])
			child++;
		if (n->ts[child] >= ts)
			break;
		n->ts[i] = n->ts[child];
	}
	n->ts[i] = ts;
}

static enum err add(struct newest *n, uint64_t ts)
{
	if (n->count == n->max) {
		if (ts <= n->ts[0]) {
			throw_out(n, ts);
		} else {
			throw_out(n, n->ts[0]);
			replace_top(n, ts);
		}
		return ERR_NONE;
	}
	if (n->count == n->room) {
		size_t room = n->room ? 2 * n->room : 64;
		void *p = realloc(n->ts, room * sizeof(*n->ts));

		if (!p)
			return ERR_NOMEM;
		n->ts = p;
		n->room = room;
	}
	n->ts[n->count] = ts;
	sift_up(n, n->count++);
	return ERR_NONE;
}

static enum err add_page(void *arg, const struct ft_page *page)
{
	struct newest *n = arg;
	struct ft_page_pos pos = { 0, page->first_ts };
	struct ft_page_event ev;

	/* Older than all that stay: those just as old are counted, no others. */
	if (n->count == n->max && page->last_ts < n->ts[0])
		return ERR_NONE;
	while (ft_page_next_event(page, n->layout, &pos, &ev)) {
		enum err err = add(n, ev.ts);

		if (err != ERR_NONE)
			return err;
	}
	return ERR_NONE;
}

static void say_nothing(void *ctx, const char *text)
{
	(void)ctx;
	(void)text;
}

static enum err copy_of(const struct newest *n, struct newest *copy)
{
	*copy = *n;
	copy->room = n->count;
	copy->ts = NULL;
	if (!n->count)
		return ERR_NONE;
	copy->ts = malloc(n->count * sizeof(*n->ts));
	if (!copy->ts)
		return ERR_NOMEM;
	memcpy(copy->ts, n->ts, n->count * sizeof(*n->ts));
	return ERR_NONE;
}

/*
 * A CPU's ring, from its end as far back as it matters: what is older than all
 * that is known to stay does not.
 */
static enum err visit_cpu(struct newest *n, struct ft_filter *filter,
			  const struct ft_instance *in, struct ft_ring *ring,
			  uint32_t cpu)
{
	struct ft_cpu_stats stats;
	struct newest before;
	enum err err;

	for (ring->tail_pages = FIRST_PAGES;; ring->tail_pages *= MORE_PAGES) {
		err = copy_of(n, &before);
		if (err != ERR_NONE)
			return err;
		err = ft_filter_walk(filter, in, ring, cpu, add_page, n, &stats);
		if (err != ERR_NONE || !stats.by_count ||
		    (n->count == n->max && stats.last_ts &&
		     stats.first_ts < n->ts[0])) {
			free(before.ts);
			return err;
		}
		/* Not far enough: again, with more. */
		free(n->ts);
		*n = before;
	}
}

static enum err visit(struct newest *n, struct ft_filter *filter,
		      const struct ft_dump *dump, const struct ft_instance *in)
{
	const struct diag quiet = { .line = say_nothing };
	struct ft_ring ring;
	enum err err;

	if (!in->selected || ft_ring_open(&ring, dump->vm, &dump->layout,
					  &quiet, in->buffer, "") != ERR_NONE)
		return ERR_NONE;
	for (uint32_t cpu = 0; cpu < ring.nr_cpus; cpu++) {
		if (!ft_dump_wants_cpu(dump, cpu))
			continue;
		err = visit_cpu(n, filter, in, &ring, cpu);
		if (err != ERR_NONE)
			return err;
	}
	return ERR_NONE;
}

enum err ft_filter_find_newest(struct ft_filter *filter,
			       const struct ft_dump *dump)
{
	struct newest n = { .max = filter->newest, .layout = &dump->layout };
	enum err err = ERR_NONE;

	filter->since = 0;
	filter->skip = 0;
	if (!filter->newest)
		return ERR_NONE;
	for (size_t i = 0; err == ERR_NONE && i < dump->instances.count; i++)
		err = visit(&n, filter, dump, &dump->instances.instance[i]);
	if (err == ERR_NONE && n.times_out) {
		filter->since = n.ts[0];
		filter->skip = n.out == n.ts[0] ? n.times_out : 0;
	}
	free(n.ts);
	return err;
}
