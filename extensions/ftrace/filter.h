/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FTRACE_FILTER_H
#define FTRACE_FILTER_H

#include "ftrace/events.h"
#include "ftrace/instance.h"
#include "ftrace/ring.h"

/* As struct trace_entry has it: 16 bits. */
#define FT_EVENT_IDS 65536u
/* What -n may ask for; times of so many events are kept in memory. */
#define FT_MAX_NEWEST 1000000u

/* A border in time, as clocks that count nanoseconds show it, and as others do. */
struct ft_border {
	bool set;
	uint64_t ns;
	uint64_t ticks;
};

/*
 * Which events are wanted. It is applied to sound pages on their way from
 * ft_ring_walk(), and changes nothing but which events there are: times stay
 * exact, and marks of lost events stay with the next event that is left.
 */
struct ft_filter {
	uint8_t *wanted;	   /* a bit for each id; NULL: all */
	struct ft_border from, to; /* both included */
	uint64_t newest;	   /* so many events; 0: all */
	/* Set by ft_filter_find_newest(): nothing older than this ... */
	uint64_t since;
	/* ... and of those just as old not the first so many. */
	uint64_t skip;
};

/*
 * -e: names of events, "system:name", or systems, separated by commas, each
 * with wildcards as fnmatch(3) has them. ERR_BAD_DATA: *@unknown, in @list which is
 * cut up, is none; ERR_NOMEM.
 */
enum err ft_filter_events(struct ft_filter *filter,
			  const struct ft_events *events,
			  const struct vmcore *vm,
			  const struct ft_layout *layout, char *list,
			  const char **unknown);

/*
 * -t FROM,TO: seconds as reports show them, or ticks; either may be empty. Up
 * to six decimals mean what is shown rounded so. False: it is no such text.
 */
bool ft_filter_times(struct ft_filter *filter, const char *text);

void ft_filter_deinit(struct ft_filter *filter);

/*
 * ft_ring_walk() through @filter; NULL: all is wanted. @fn gets pages with
 * events only, and @stats->events and ->pages count what it got. Pages that are
 * too old as a whole are not even read, so that damage there is not told. Walks
 * of one file or report go through instances and CPUs in ascending order.
 */
enum err ft_filter_walk(struct ft_filter *filter, const struct ft_instance *in,
			const struct ft_ring *ring, uint32_t cpu, ft_page_fn fn,
			void *arg, struct ft_cpu_stats *stats);

#endif
