/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TEST_REGION_BUILDER_H
#define TEST_REGION_BUILDER_H

#include "test/mock-layout.h"
#include "test/ring-builder.h"

/*
 * A boot-mapped region in a mock, in the form of 6.12 (a header for each CPU)
 * or of 7.3 (one for the region, scratch, and one for each CPU), as
 * Documentation/trace/debugging.rst and rb_range_meta() have it.
 */
#define RG_MAX_CPUS 4
#define RG_MAGIC    0x0badfeedu

struct region_builder {
	struct mock *m;
	enum mock_kernel kernel;
	uint64_t start;
	uint64_t size;
	unsigned int nr_cpus;
	uint32_t nr_subbufs;
	const char *meta; /* name of the CPUs' header's type */
	uint64_t header[RG_MAX_CPUS];
	uint64_t subbuf[RG_MAX_CPUS]; /* the first of each CPU */
};

/* Off the border of a page by @off bytes, as reserved memory never is. */
void rg_init(struct region_builder *r, struct mock *m, enum mock_kernel kernel,
	     unsigned int nr_cpus, uint32_t nr_subbufs, uint64_t off);
/*
 * Give @b this region, and @cpu, which rb_cpu_init() has made with one page
 * less than there are sub-buffers, its sub-buffers: the reader's comes first.
 */
void rg_use(struct region_builder *r, struct rb_buffer *b);
void rg_use_cpu(struct region_builder *r, struct rb_cpu *c, unsigned int cpu);

/* Change a member of the region's, or a CPU's, header. */
void rg_set(struct region_builder *r, const char *member, uint64_t value);
void rg_set_cpu(struct region_builder *r, unsigned int cpu, const char *member,
		uint64_t value);

#endif
