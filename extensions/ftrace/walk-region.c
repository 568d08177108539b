// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>

#include "ftrace/walk.h"

/* A sub-buffer that has something. */
struct found {
	uint64_t addr;
	uint64_t ts;
};

static int by_time(const void *a, const void *b)
{
	const struct found *x = a, *y = b;

	if (x->ts != y->ts)
		return x->ts < y->ts ? -1 : 1;
	return x->addr < y->addr ? -1 : x->addr > y->addr;
}

static enum err collect(struct ft_walk *w, struct found *all, size_t *count)
{
	const struct ft_region *r = &w->ring->region;

	for (uint32_t i = 0; i < r->nr_subbufs; i++) {
		struct found *found = &all[*count];
		uint64_t used;
		enum err err;

		if (vm_interrupted(w->ring->vm))
			return ERR_INTERRUPTED;
		found->addr = ft_region_subbuf(r, w->cpu, i);
		err = ft_walk_header(w, found->addr, &found->ts, &used);
		if (err != ERR_NONE) {
			ft_walk_tell(w, "page", found->addr, err_str(err));
			w->stats->missing++;
		} else if (used) {
			++*count;
		}
	}
	qsort(all, *count, sizeof(*all), by_time);
	return ERR_NONE;
}

enum err ft_walk_region(struct ft_walk *w, uint64_t reader, uint32_t read,
			uint64_t consumed, uint64_t overwritten)
{
	size_t count = 0, at = 0, until = 0;
	struct found *all = calloc(w->ring->region.nr_subbufs, sizeof(*all));
	enum err err;

	if (!all)
		return ERR_NOMEM;
	err = collect(w, all, &count);
	while (at < count && all[at].addr != reader)
		at++;
	if (at == count && overwritten)
		ft_order_lost(&w->order, overwritten);
	/* Of what is older than the reader's, the newest were consumed last. */
	if (at < count)
		until = at > consumed ? at - consumed : 0;
	for (size_t i = 0; i < count && err == ERR_NONE; i++) {
		bool is_reader = i == at;

		if (at < count && i >= until && i < at)
			continue;
		err = ft_walk_take(w, all[i].addr, is_reader ? read : 0, false);
		if (is_reader && overwritten)
			ft_order_lost(&w->order, overwritten);
	}
	free(all);
	return err == ERR_NONE ? ft_order_flush(&w->order) : err;
}
