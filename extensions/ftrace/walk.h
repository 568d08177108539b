/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FTRACE_WALK_H
#define FTRACE_WALK_H

#include "ftrace/order.h"
#include "ftrace/ring.h"

/*
 * What ways through one CPU's ring have in common: they find sub-buffers in time
 * order and hand each to ft_walk_take(); the rest is the same.
 */
struct ft_walk {
	const struct ft_ring *ring;
	uint32_t cpu;
	struct ft_order order;
	struct ft_cpu_stats *stats;
	ft_page_fn fn;
	void *arg;
	uint64_t told;
};

/* @w has ring, cpu, stats, fn and arg. ERR_NOMEM. */
enum err ft_walk_begin(struct ft_walk *w);
void ft_walk_end(struct ft_walk *w);

/* Tell of a fault at @addr; of many, only the first ones and their number. */
void ft_walk_tell(struct ft_walk *w, const char *what, uint64_t addr,
		  const char *why);

/*
 * Read the sub-buffer at @page and hand it on if it is sound and has events.
 * @read: bytes of it that were consumed. @full: the writer went on from it, so
 * that it cannot be empty. Damage is told and counted. What the receiver
 * returned if that was an error.
 */
enum err ft_walk_take(struct ft_walk *w, uint64_t page, uint32_t read,
		      bool full);

/*
 * The header of the sub-buffer at @page: its time stamp, and bytes of events,
 * flags included, or 0 if it has not been written to since it was cleared.
 */
enum err ft_walk_header(const struct ft_walk *w, uint64_t page, uint64_t *ts,
			uint64_t *commit);

/*
 * By the region's headers, or rather by the sub-buffers themselves, for a ring
 * whose list is damaged: each that is committed, in the order of time.
 * @reader: address of the reader's, of which @read bytes were consumed; 0: not
 * known. @consumed: so many that are older than it were consumed whole.
 * @overwritten: so many events were behind it, and were overwritten. ERR_NOMEM,
 * ERR_INTERRUPTED, or as ft_walk_take().
 */
enum err ft_walk_region(struct ft_walk *w, uint64_t reader, uint32_t read,
			uint64_t consumed, uint64_t overwritten);

#endif
