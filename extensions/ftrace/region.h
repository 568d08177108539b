/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FTRACE_REGION_H
#define FTRACE_REGION_H

#include "ftrace/layout.h"

/*
 * The memory of a boot-mapped ring buffer, which keeps its contents over a
 * reset, by its own headers (kernel/trace/ring_buffer.c, rb_range_meta()):
 *
 *	[region header, tracer's scratch]	since 6.15
 *	for each CPU, one behind the other:
 *		header, int buffers[nr_subbufs]
 *		up to the next border of a sub-buffer
 *		nr_subbufs sub-buffers, of which one is the reader's
 *
 * Before 6.15 the CPU's header is struct ring_buffer_meta; then that is the
 * region's, and the CPU's is struct ring_buffer_cpu_meta.
 */
struct ft_region {
	uint64_t start; /* kernel virtual */
	uint64_t end;
	uint64_t first; /* header of CPU 0 */
	uint32_t nr_cpus;
	uint32_t nr_subbufs; /* of each CPU, the reader's included */
	size_t subbuf_size;
	size_t meta_size; /* of a CPU's header, without buffers[] */
};

/*
 * Make out the region at @start. Headers may be damaged: the number of
 * sub-buffers is the one that most of them agree with, of those that they
 * give, @live_pages + 1 (0: not known), and what the kernel would compute.
 * ERR_UNSUPPORTED: this kernel has no such regions, or this one is of another
 * layout. ERR_BAD_DATA: it is none. What reading gave.
 */
enum err ft_region_open(struct ft_region *region, const struct vmcore *vm,
			const struct ft_layout *layout, uint64_t start,
			uint64_t size, uint32_t nr_cpus, uint64_t live_pages);

/* Address of sub-buffer @i of @cpu, in the order of memory. */
uint64_t ft_region_subbuf(const struct ft_region *region, uint32_t cpu,
			  uint32_t i);
/* Which sub-buffer of @cpu begins at @addr? False: none. */
bool ft_region_index(const struct ft_region *region, uint32_t cpu,
		     uint64_t addr, uint32_t *i);

/*
 * How far this kernel's image lies above that of the kernel that wrote the
 * region, where headers before 6.15 tell. ERR_UNSUPPORTED: they do not.
 */
enum err ft_region_deltas(const struct vmcore *vm,
			  const struct ft_layout *layout, uint64_t start,
			  int64_t *text, int64_t *data);

#endif
