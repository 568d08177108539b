// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The walk over a ring buffer whose structures are damaged: it ends soon,
 * and what it gives is sound, in the order of time, and as much as it says.
 *
 * Input: what kernel (1 byte), then patches; see patch.h.
 */
#include <string.h>

#include "ftrace/ring.h"
#include "fuzz/patch.h"
#include "fuzz/seen.h"
#include "test/mock-layout.h"
#include "test/ring-builder.h"

enum {
	CPUS = 2,
	PAGES = 6,
	KERNELS = 3
};

/* A sound ring takes some 30; every mended link may cost a turn. */
#define MAX_READS 4000

struct kernel {
	struct patched patched;
	struct rb_buffer buffer;
	struct ft_layout layout;
};

static const enum mock_kernel like[KERNELS] = { LIKE_6_1, LIKE_6_12, LIKE_7_3 };

static void ignore(void *ctx, const char *text)
{
	(void)ctx;
	(void)text;
}

static const struct diag diag = { .line = ignore };

/* One CPU that has wrapped, and one that is read while it fills its ring. */
static void build(struct kernel *k, enum mock_kernel kind)
{
	struct mock *m = mock_create();
	struct rb_cpu c;

	mock_layout(m, kind);
	rb_buffer_init(&k->buffer, m, CPUS, 0);
	rb_cpu_init(&c, &k->buffer, 0, PAGES);
	rb_fill(&c, RB_READER, 1000, 10, 1, 20);
	for (int i = 0; i < PAGES; i++)
		rb_fill(&c, (i + 3) % PAGES, 2000 + 1000 * i, 10, 100 * i, 30);
	rb_set_head(&c, 3);
	rb_set_commit(&c, 2);
	rb_set_read(&c, RB_READER, 32);
	rb_set(&c, "entries", 220);
	rb_set(&c, "overrun", 20);
	rb_cpu_init(&c, &k->buffer, 1, PAGES);
	for (int i = 0; i < 3; i++)
		rb_fill(&c, i, 5000 + 1000 * i, 7, 1000 * i, 12);
	rb_set_head(&c, 0);
	rb_set_commit(&c, 2);
	rb_set(&c, "entries", 36);
	MUST(ft_layout_probe(&k->layout, &m->vm, &diag) == ERR_NONE);
	patched_init(&k->patched, m, MAX_READS);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	static struct kernel kernels[KERNELS];
	struct kernel *k;
	struct ft_ring ring;

	if (!len)
		return 0;
	k = &kernels[data[0] % KERNELS];
	if (!k->patched.m)
		build(k, like[data[0] % KERNELS]);
	patched_apply(&k->patched, data + 1, len - 1);
	if (ft_ring_open(&ring, &k->patched.vm, &k->layout, &diag,
			 k->buffer.addr, "fuzz") != ERR_NONE)
		return 0;
	for (uint32_t cpu = 0; cpu < ring.nr_cpus && cpu < 2 * CPUS; cpu++) {
		k->patched.reads = 0;
		fuzz_walk(&ring, cpu);
	}
	return 0;
}
