// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A boot-mapped region whose headers, list and sub-buffers are damaged: what is
 * made out of its form lies within it, and walks over it end soon, and give
 * sound pages in the order of time.
 *
 * Input: what kernel (1 byte), what is known of the region (1), then patches;
 * see patch.h.
 */
#include <string.h>

#include "ftrace/region.h"
#include "ftrace/ring.h"
#include "fuzz/patch.h"
#include "fuzz/seen.h"
#include "test/region-builder.h"

enum {
	CPUS = 2,
	SUBBUFS = 5,
	KERNELS = 3
};

#define MAX_READS 4000

struct kernel {
	struct patched patched;
	struct region_builder region;
	struct rb_buffer buffer;
	struct ft_layout layout;
};

static const enum mock_kernel like[KERNELS] = { LIKE_6_12, LIKE_7_3,
						LIKE_7_3_INJECT };

static void ignore(void *ctx, const char *text)
{
	(void)ctx;
	(void)text;
}

static const struct diag diag = { .line = ignore };

static void build(struct kernel *k, enum mock_kernel kind)
{
	struct mock *m = mock_create();

	mock_layout(m, kind);
	rb_buffer_init(&k->buffer, m, CPUS, 0);
	rg_init(&k->region, m, kind, CPUS, SUBBUFS, 0);
	rg_use(&k->region, &k->buffer);
	for (unsigned int cpu = 0; cpu < CPUS; cpu++) {
		struct rb_cpu c;

		rb_cpu_init(&c, &k->buffer, cpu, SUBBUFS - 1);
		rg_use_cpu(&k->region, &c, cpu);
		rb_fill(&c, RB_READER, 1000, 10, 1, 20);
		for (int i = 0; i < SUBBUFS - 1; i++)
			rb_fill(&c, i, 2000 + 1000 * i, 10, 100 * i, 30);
		rb_set_head(&c, 0);
		rb_set_commit(&c, SUBBUFS - 2);
		rb_set(&c, "entries", 20 + 30 * (SUBBUFS - 1));
	}
	MUST(ft_layout_probe(&k->layout, &m->vm, &diag) == ERR_NONE);
	patched_init(&k->patched, m, MAX_READS);
}

/* Whatever the headers say: inside, aligned, and each its own. */
static void hold_form(struct kernel *k, uint64_t live_pages)
{
	const struct region_builder *b = &k->region;
	struct ft_region r;
	uint32_t index;

	k->patched.reads = 0;
	if (ft_region_open(&r, &k->patched.vm, &k->layout, b->start, b->size,
			   CPUS, live_pages) != ERR_NONE)
		return;
	MUST(r.nr_cpus == CPUS && r.nr_subbufs && r.subbuf_size);
	for (uint32_t cpu = 0; cpu < CPUS; cpu++) {
		for (uint32_t i = 0; i < r.nr_subbufs; i++) {
			uint64_t at = ft_region_subbuf(&r, cpu, i);

			MUST(at >= b->start && at - b->start <= b->size &&
			     r.subbuf_size <= b->size - (at - b->start));
			MUST(ft_region_index(&r, cpu, at, &index) && index == i);
		}
	}
}

static void hold_walk(struct kernel *k, bool last_boot)
{
	const struct region_builder *b = &k->region;
	struct ft_ring ring;

	k->patched.reads = 0;
	if (ft_ring_open(&ring, &k->patched.vm, &k->layout, &diag,
			 k->buffer.addr, "fuzz") != ERR_NONE)
		return;
	ft_ring_find_region(&ring, b->start, b->size, last_boot);
	for (uint32_t cpu = 0; cpu < ring.nr_cpus && cpu < 2 * CPUS; cpu++) {
		k->patched.reads = 0;
		fuzz_walk(&ring, cpu);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	static struct kernel kernels[KERNELS];
	struct kernel *k;

	if (len < 2)
		return 0;
	k = &kernels[data[0] % KERNELS];
	if (!k->patched.m)
		build(k, like[data[0] % KERNELS]);
	patched_apply(&k->patched, data + 2, len - 2);
	hold_form(k, data[1] >> 1);
	hold_walk(k, data[1] & 1);
	return 0;
}
