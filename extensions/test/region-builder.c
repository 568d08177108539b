// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>

#include "test/region-builder.h"

#define SCRATCH (24 + 128 * 64) /* bytes: room for 128 modules */

static uint64_t header_size(const struct region_builder *r)
{
	switch (r->kernel) {
	case LIKE_7_3:
		return 32;
	case LIKE_7_3_INJECT:
		return 40;
	default:
		return 56;
	}
}

static bool has_region_header(const struct region_builder *r)
{
	return r->kernel != LIKE_6_12;
}

static void fill_header(struct region_builder *r, unsigned int cpu)
{
	uint64_t buffers = r->header[cpu] + header_size(r);

	if (!has_region_header(r)) {
		mock_put(r->m, r->header[cpu], RG_MAGIC, 4);
		mock_put(r->m, r->header[cpu] + 4, 56, 4);
	}
	rg_set_cpu(r, cpu, "first_buffer", r->subbuf[cpu]);
	rg_set_cpu(r, cpu, "head_buffer", r->subbuf[cpu] + MOCK_PAGE);
	rg_set_cpu(r, cpu, "commit_buffer", r->subbuf[cpu] + MOCK_PAGE);
	rg_set_cpu(r, cpu, "subbuf_size", MOCK_PAGE);
	rg_set_cpu(r, cpu, "nr_subbufs", r->nr_subbufs);
	for (uint32_t i = 0; i < r->nr_subbufs; i++)
		mock_put(r->m, buffers + i * 4ull, i, 4);
}

void rg_init(struct region_builder *r, struct mock *m, enum mock_kernel kernel,
	     unsigned int nr_cpus, uint32_t nr_subbufs, uint64_t off)
{
	uint64_t each = (nr_subbufs + 2ull) * MOCK_PAGE, at;

	if (nr_cpus > RG_MAX_CPUS)
		abort();
	*r = (struct region_builder){
		.m = m,
		.kernel = kernel,
		.nr_cpus = nr_cpus,
		.nr_subbufs = nr_subbufs,
		.meta = kernel == LIKE_6_12 ? "ring_buffer_meta" :
					      "ring_buffer_cpu_meta",
	};
	r->start =
		off + mock_alloc(m, nr_cpus * each + 4 * MOCK_PAGE, MOCK_PAGE);
	at = r->start;
	if (has_region_header(r))
		at += 24 + SCRATCH;
	for (unsigned int cpu = 0; cpu < nr_cpus; cpu++) {
		r->header[cpu] = at;
		at += header_size(r) + 4ull * nr_subbufs;
		r->subbuf[cpu] = (at + MOCK_PAGE - 1) / MOCK_PAGE * MOCK_PAGE;
		at = r->subbuf[cpu] + nr_subbufs * MOCK_PAGE;
	}
	r->size = at - r->start;
	for (unsigned int cpu = 0; cpu < nr_cpus; cpu++)
		fill_header(r, cpu);
	if (!has_region_header(r))
		return;
	rg_set(r, "magic", RG_MAGIC);
	rg_set(r, "struct_sizes", 24 << 16 | header_size(r));
	rg_set(r, "total_size", r->size);
	rg_set(r, "buffers_offset", 24 + SCRATCH);
}

void rg_use(struct region_builder *r, struct rb_buffer *b)
{
	mock_set(r->m, b->addr, "trace_buffer", "range_addr_start", r->start);
	mock_set(r->m, b->addr, "trace_buffer", "range_addr_end",
		 r->start + r->size);
}

void rg_use_cpu(struct region_builder *r, struct rb_cpu *c, unsigned int cpu)
{
	if (c->nr_pages + 1u != r->nr_subbufs)
		abort();
	for (int i = RB_READER; i < c->nr_pages; i++) {
		struct rb_page *page = rb_page(c, i);

		page->data = r->subbuf[cpu] + (uint64_t)(i + 1) * MOCK_PAGE;
		mock_set(c->m, page->bpage, "buffer_page", "page", page->data);
	}
}

void rg_set(struct region_builder *r, const char *member, uint64_t value)
{
	mock_set(r->m, r->start, "ring_buffer_meta", member, value);
}

void rg_set_cpu(struct region_builder *r, unsigned int cpu, const char *member,
		uint64_t value)
{
	mock_set(r->m, r->header[cpu], r->meta, member, value);
}
