// SPDX-License-Identifier: GPL-2.0-or-later
/* Opcodes are classified as OpenCSD does. */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>
#include <opencsd/c_api/opencsd_c_api.h>

#include "a64.h"
#include "configr.h"
#include "packets.h"
#include "walk.h"

#define BASE	0x400000ull
#define SAMPLES 4096

struct trace {
	uint8_t bytes[32 * SAMPLES];
	size_t n;
};

static void on_bytes(void *ctx, const uint8_t *bytes, size_t n)
{
	struct trace *t = ctx;

	memcpy(t->bytes + t->n, bytes, n);
	t->n += n;
}

/* What follows each sample: a branch to itself, where a decoder must stop. */
#define STOP 0x14000000u

static uint32_t sample(uint64_t *seed)
{
	uint32_t op = walk_random(seed, 0xffffffffu);

	switch (walk_random(seed, 6)) {
	case 0:
		return op;
	case 1: /* branches, exceptions, system */
		return (op & 0xe3ffffff) | 0x14000000;
	case 2: /* branches by register, near the known ones */
		op = 0xd61f0000 | (op & 0x01e0ffff);
		return walk_random(seed, 2) ? op & ~0xf000u : op | 0x1f;
	case 3:
		return 0xd61f0000 | (op & 0x01e00c1f) | 0x3e0;
	case 4: /* barriers and hints */
		return 0xd5030000 | (op & 0xffff);
	default:
		return 0xd503301f | (op & 0xfe0);
	}
}

static int opencsd_type(const struct etm_config *config, bool v8_3,
			uint64_t addr, const struct decode_memory *memory)
{
	static const struct etm_context el1 = { .el = 1, .aarch64 = true };
	static struct trace t;
	static struct decoded d;
	struct etm_ops ops = { .bytes = on_bytes };
	struct etm_stats stats = { .bytes = 0 };
	struct packets p = {
		.ops = &ops, .ctx = &t, .config = config, .stats = &stats
	};
	int type;

	t.n = 0;
	packets_sync(&p);
	packets_trace_on(&p);
	packets_address(&p, addr, &el1);
	packets_atom(&p, true);
	packets_flush(&p);
	decode(&d, config, 1, false, v8_3, t.bytes, t.n, memory, 1, NULL);
	assert_in_range(d.steps.n, 1, 2);
	type = d.steps.n == 1 ? d.last_type : OCSD_INSTR_OTHER;
	decoded_free(&d);
	return type;
}

static void check(uint64_t seed, bool v8_3)
{
	static const struct etm_config config = { .traceidr = 0x10 };
	uint32_t words[2];
	struct decode_memory memory = { BASE, (const uint8_t *)words,
					sizeof(words) };
	struct a64_insn insn;
	int want, have;
	unsigned int i;

	for (i = 0; i < SAMPLES; i++) {
		words[0] = sample(&seed);
		words[1] = STOP;
		want = opencsd_type(&config, v8_3, BASE, &memory);
		have = OCSD_INSTR_OTHER;
		if (a64_p0(BASE, words[0], &insn)) {
			switch (insn.kind) {
			case A64_DIRECT:
				have = OCSD_INSTR_BR;
				break;
			case A64_INDIRECT:
			case A64_ERET:
				have = OCSD_INSTR_BR_INDIRECT;
				break;
			case A64_ISB:
				have = OCSD_INSTR_ISB;
				break;
			case A64_OTHER:
				break;
			}
		}
		if (want != have)
			fail_msg("%08x: OpenCSD says %d, we %d", words[0], want,
				 have);
	}
}

static void test_against_opencsd(void **state)
{
	(void)state;
	check(0x1234567, true);
}

static void test_known(void **state)
{
	static const struct {
		uint32_t opcode;
		enum a64_kind kind;
		bool link;
		uint64_t target;
	} known[] = {
		{ 0x17ffffff, A64_DIRECT, false, BASE - 4 },	    /* b .-4 */
		{ 0x95ffffff, A64_DIRECT, true, BASE + 0x7fffffc }, /* bl */
		{ 0x54ffffe1, A64_DIRECT, false, BASE - 4 }, /* b.ne .-4 */
		{ 0x547fffe1, A64_DIRECT, false, BASE + 0xffffc },
		{ 0xb4800000, A64_DIRECT, false, BASE - 0x100000 }, /* cbz */
		{ 0x37040000, A64_DIRECT, false, BASE - 0x8000 },   /* tbnz */
		{ 0xd61f0200, A64_INDIRECT, false, 0 },		    /* br x16 */
		{ 0xd63f0100, A64_INDIRECT, true, 0 },		    /* blr x8 */
		{ 0xd65f03c0, A64_INDIRECT, false, 0 },		    /* ret */
		{ 0xd65f0bff, A64_INDIRECT, false, 0 },		    /* retaa */
		{ 0xd73f0912, A64_INDIRECT, true, 0 }, /* blraa x8, x18 */
		{ 0xd69f03e0, A64_ERET, false, 0 },    /* eret */
		{ 0xd69f0fff, A64_ERET, false, 0 },    /* eretab */
		{ 0xd5033fdf, A64_ISB, false, 0 },     /* isb */
		{ 0xd503207f, A64_OTHER, false, 0 },   /* wfi */
		{ 0xd503205f, A64_OTHER, false, 0 },   /* wfe */
		{ 0xd4000001, A64_OTHER, false, 0 },   /* svc */
		{ 0xd6bf03e0, A64_OTHER, false, 0 },   /* drps */
	};
	struct a64_insn insn;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		bool p0 = a64_p0(BASE, known[i].opcode, &insn);

		assert_int_equal(p0, known[i].kind != A64_OTHER);
		if (!p0)
			continue;
		assert_int_equal(insn.kind, known[i].kind);
		assert_int_equal(insn.link, known[i].link);
		if (insn.kind == A64_DIRECT)
			assert_int_equal(insn.target, known[i].target);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_known),
		cmocka_unit_test(test_against_opencsd),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
