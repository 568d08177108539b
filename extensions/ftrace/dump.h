/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FTRACE_DUMP_H
#define FTRACE_DUMP_H

#include "ftrace/filter.h"
#include "ftrace/instance.h"
#include "ftrace/lastboot.h"
#include "ftrace/ring.h"

/* The ftrace side of a dump, and what of it the user wants. */
struct ft_dump {
	const struct vmcore *vm;
	const struct diag *diag;
	struct ft_layout layout;
	struct ft_instances instances;
	/* Of what is selected, if that is of the previous boot; else NULL. */
	struct ft_lastboot *boot;
	/* CPUs that the user chose, a bit each; NULL: all. Not owned. */
	const unsigned long *cpu_bits;
	size_t nr_cpu_bits;
	struct ft_filter *filter; /* of events; NULL: all. Not owned. */
	bool v6; /* the file is for readers that know version 6 only */
};

/* Sums over the buffers and CPUs that were visited. */
struct ft_totals {
	uint64_t buffers;
	uint64_t cpus; /* in the buffer that has most of them */
	uint64_t events;
	uint64_t pages;
	uint64_t torn;
	uint64_t missing;
	uint64_t discarded; /* pages that the kernel itself had found torn */
	uint64_t formats;   /* event formats that were lost */
	uint64_t broken; /* CPUs and buffers that could not be walked whole */
};

/*
 * Find the trace arrays. ERR_UNSUPPORTED: this kernel has none, or vmlinux
 * does not describe them; diag has said so. ERR_NOMEM.
 */
enum err ft_dump_init(struct ft_dump *dump, const struct vmcore *vm,
		      const struct diag *diag);
void ft_dump_deinit(struct ft_dump *dump);

/*
 * Choose instances by @list: names separated by commas, "top" for the one
 * without a name. NULL chooses all. On ERR_BAD_DATA *@unknown is the first
 * name that does not exist, in @list, which is cut up, or "" if none is named.
 */
enum err ft_dump_select(struct ft_dump *dump, char *list, const char **unknown);

/*
 * One set of tables serves events of one boot. For what shows events, so @named
 * or not, settle which boot that is, after ft_dump_select(): where the user
 * @named no instances, those of the previous boot are dropped, and it is told
 * how to get them. ERR_BAD_DATA: those that he named are of different boots,
 * and diag has said so. ERR_NOMEM.
 */
enum err ft_dump_one_boot(struct ft_dump *dump, bool named);

bool ft_dump_wants_cpu(const struct ft_dump *dump, uint32_t cpu);

/* Open the ring of an instance. Tells what is wrong. */
enum err ft_dump_open_ring(const struct ft_dump *dump,
			   const struct ft_instance *instance,
			   struct ft_ring *ring);

void ft_totals_add(struct ft_totals *totals, const struct ft_cpu_stats *stats);

#endif
