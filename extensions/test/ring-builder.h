/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TEST_RING_BUILDER_H
#define TEST_RING_BUILDER_H

#include "test/mock-vmcore.h"
#include "test/page-builder.h"

/*
 * Builds the kernel's ring buffers in a mock, by the layout that the mock
 * declares: trace_array -> trace_buffer -> ring_buffer_per_cpu -> a ring of
 * buffer_page with the reader page beside it -> data pages.
 */
#define RB_MAX_PAGES 16
#define RB_READER    (-1) /* in place of an index: the reader page */

struct rb_page {
	uint64_t bpage; /* its struct buffer_page */
	uint64_t data;	/* its struct buffer_data_page */
};

struct rb_cpu {
	struct mock *m;
	uint64_t addr; /* struct ring_buffer_per_cpu */
	size_t subbuf_size;
	int nr_pages;
	struct rb_page page[RB_MAX_PAGES];
	struct rb_page reader;
};

struct rb_buffer {
	struct mock *m;
	uint64_t addr;	  /* struct trace_buffer */
	uint64_t cpumask; /* those that rb_cpu_init() has made a ring for */
	uint64_t cpus;	  /* the array of pointers */
	unsigned int nr_cpus;
	size_t subbuf_size;
};

/* A trace_buffer for @nr_cpus CPUs, none of which has come up yet. */
void rb_buffer_init(struct rb_buffer *b, struct mock *m, unsigned int nr_cpus,
		    unsigned int order);
/*
 * Give @cpu an empty ring of @nr_pages and a reader page. Head, tail and
 * commit are at page 0.
 */
void rb_cpu_init(struct rb_cpu *c, struct rb_buffer *b, unsigned int cpu,
		 int nr_pages);

struct rb_page *rb_page(struct rb_cpu *c, int i);
/* Begin to write page @i. pb_commit() ends it. */
void rb_write(struct rb_cpu *c, struct page_builder *pb, int i, uint64_t ts);
/* Fill page @i: @n events, ids from @id, @step apart, the first at @ts. */
void rb_fill(struct rb_cpu *c, int i, uint64_t ts, uint32_t step, uint32_t id,
	     int n);

/* Move the head: flag in the predecessor's link, and head_page. */
void rb_set_head(struct rb_cpu *c, int i);
/* Only the flag in the link; head_page stays behind. */
void rb_set_head_flag(struct rb_cpu *c, int i);
void rb_set_commit(struct rb_cpu *c, int i);
/* How much of page @i a reader has consumed. */
void rb_set_read(struct rb_cpu *c, int i, uint32_t bytes);
void rb_set(struct rb_cpu *c, const char *member, uint64_t value);
/* Where page @i keeps its link to the next one. */
uint64_t rb_link(struct rb_cpu *c, int i);

/* An empty ftrace_trace_arrays. */
uint64_t rb_trace_arrays_init(struct mock *m);
/* Put a trace_array on it, as the kernel does: in front. NULL: the top one. */
uint64_t rb_trace_array(struct mock *m, uint64_t list, const char *name,
			uint64_t buffer);
/* Give a trace_array a snapshot buffer. */
void rb_snapshot(struct mock *m, uint64_t tr, uint64_t buffer, bool allocated);
/* trace_clocks[] with the names local, global, x86-tsc (which is no time). */
void rb_trace_clocks(struct mock *m);

#endif
