/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FTRACE_INSTANCE_H
#define FTRACE_INSTANCE_H

#include "base/diag.h"
#include "ftrace/layout.h"

/* The name by which users select the buffer that has none. */
#define FT_TOP_NAME "top"

/* What is behind an instance's name for its snapshot; see snapshot.h. */
#define FT_SNAPSHOT_SUFFIX "@snapshot"

/* What a trace array knows of its boot-mapped region. */
struct ft_boot {
	uint64_t range_start; /* kernel virtual; 0: it is not boot-mapped */
	uint64_t range_size;  /* bytes */
	uint64_t scratch;     /* struct trace_scratch in it; 0: none */
	uint64_t scratch_size;
	bool memmap;	    /* of memmap=, where the kernel tells */
	bool last_boot;	    /* its events are the previous boot's */
	int64_t text_delta; /* from where it had its text to this boot's */
	int64_t data_delta;
};

/*
 * A trace array: the top one, or one of tracefs' instances/. A snapshot is an
 * instance of its own.
 */
struct ft_instance {
	char name[256 + sizeof(FT_SNAPSHOT_SUFFIX)]; /* "" for the top one */
	uint64_t addr;		 /* of its struct trace_array */
	uint64_t buffer;	 /* of its struct trace_buffer */
	uint64_t snapshot;	 /* the same of its snapshot; 0: it has none */
	bool snapshot_allocated; /* it was asked for, and has its full size */
	char clock[32];		 /* as in its trace_clock; "local" if unknown */
	bool clock_in_ns;	 /* the clock counts nanoseconds */
	char tracer[64]; /* as in its current_tracer; "?" when unknown */
	bool selected;	 /* the user wants it */
	struct ft_boot boot;
};

struct ft_instances {
	struct ft_instance *instance; /* the top one first, if it was found */
	size_t count;
	size_t damaged; /* trace arrays that could not be read */
};

/*
 * Collect what is on the kernel's list ftrace_trace_arrays. Damage is told,
 * counted and skipped. ERR_UNSUPPORTED when the kernel has no such list.
 */
enum err ft_instances_init(struct ft_instances *instances,
			   const struct vmcore *vm,
			   const struct ft_layout *layout,
			   const struct diag *diag);
void ft_instances_deinit(struct ft_instances *instances);

/*
 * Show a time of this instance's clock as the kernel does: seconds and
 * microseconds, rounded, or plain ticks of a clock that does not count time.
 */
void ft_instance_time(const struct ft_instance *instance, uint64_t ts,
		      char *buf, size_t size);

/* Put @in at @place, and those from there on behind it. ERR_NOMEM. */
enum err ft_instances_insert(struct ft_instances *instances, size_t place,
			     const struct ft_instance *in);

/* What to call @instance in messages and options. */
const char *ft_instance_label(const struct ft_instance *instance);

#endif
