/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FTRACE_RING_H
#define FTRACE_RING_H

#include "base/diag.h"
#include "ftrace/layout.h"
#include "ftrace/page.h"
#include "ftrace/region.h"

/* A ring buffer: struct trace_buffer, one ring of sub-buffers for each CPU. */
struct ft_ring {
	const struct vmcore *vm;
	const struct ft_layout *layout;
	const struct diag *diag;
	char name[64];	    /* of its instance, for messages */
	uint64_t buffers;   /* address of the array of per-CPU pointers */
	uint32_t nr_cpus;   /* its length */
	uint64_t cpumask;   /* where a bit says which CPU has a ring; or 0 */
	size_t subbuf_size; /* bytes, header included */
	bool boot_mapped;
	bool last_boot;	 /* its events are the previous boot's */
	bool has_region; /* it is boot-mapped, and how it lies there is known */
	struct ft_region region;
	uint64_t range_start, range_end; /* as the buffer has them */
	/* Set these to have only the end of each CPU's ring walked. */
	uint32_t tail_pages; /* so many, or more; 0: all */
	uint64_t tail_since; /* those with events from then on; 0: all */
};

/* What one CPU's ring holds. Counters as in per_cpu/cpuN/stats. */
struct ft_cpu_stats {
	bool present; /* the CPU has a ring */
	uint64_t entries;
	uint64_t overrun;
	uint64_t commit_overrun;
	uint64_t bytes;
	uint64_t dropped;
	uint64_t read;

	/* What the walk over the pages found. */
	uint64_t pages;	    /* sound ones with events */
	uint64_t events;    /* in them */
	uint64_t first_ts;  /* of the first page */
	uint64_t last_ts;   /* of the last event */
	uint64_t torn;	    /* pages refused */
	uint64_t missing;   /* pages that are not in the dump */
	uint64_t discarded; /* pages that the kernel found torn after a reset */
	bool broken;	    /* the list of pages itself is damaged */
	bool partial;	    /* older pages were not looked at ... */
	bool by_count;	    /* ... as there were tail_pages without them */
};

/* A sound page, ready to be written. False stops the walk (see err). */
typedef enum err (*ft_page_fn)(void *arg, const struct ft_page *page);

/*
 * Open the ring buffer at @addr (a struct trace_buffer). ERR_BAD_DATA when it
 * cannot be one; what reading gives otherwise. Owns nothing.
 */
enum err ft_ring_open(struct ft_ring *ring, const struct vmcore *vm,
		      const struct ft_layout *layout, const struct diag *diag,
		      uint64_t addr, const char *name);

/*
 * Does it hold nothing, by the kernel's own count? What cannot be read counts
 * as not empty.
 */
bool ft_ring_is_empty(const struct ft_ring *ring);

/*
 * For boot-mapped rings: make out the region, by what the buffer and its trace
 * array (@start, @size) say of it. @last_boot: of the previous boot. A ring that
 * could not be opened is one by its region alone. False: there is none.
 */
bool ft_ring_find_region(struct ft_ring *ring, uint64_t start, uint64_t size,
			 bool last_boot);

/*
 * Visit the sound pages of @cpu in time order: the reader page, then from the
 * head page to the commit page. What was consumed is left out, lost events
 * are marked. Damage is told through diag, counted in @stats and skipped.
 *
 * A boot-mapped ring whose list of pages is damaged is walked by its region. In
 * one of the previous boot, what was read before the reset comes first, as far
 * as the kernel left it.
 *
 * Returns what @fn returned if that was an error, ERR_INTERRUPTED, ERR_NOMEM,
 * or ERR_NONE, however damaged the ring is.
 */
enum err ft_ring_walk(const struct ft_ring *ring, uint32_t cpu, ft_page_fn fn,
		      void *arg, struct ft_cpu_stats *stats);

#endif
