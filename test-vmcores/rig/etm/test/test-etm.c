// SPDX-License-Identifier: GPL-2.0-or-later
/* Short sequences, written by hand: what is traced, and with which bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "configr.h"
#include "etm.h"

#define NOP	0xd503201fu
#define ISB	0xd5033fdfu
#define RET	0xd65f03c0u
#define BR	0xd61f0000u
#define ERET	0xd69f03e0u
#define B_16	0x14000004u /* b .+16 */
#define BL_16	0x94000004u
#define BNE_16	0x54000081u /* b.ne .+16 */
#define ON	(VICTLR_SSSTATUS | 1)
#define CODE	0x1000ull
#define VECTORS 0xffff000000080800ull

struct sink {
	struct etm *etm;
	uint8_t bytes[512];
	size_t n;
	unsigned int syncs;
	uint64_t synced_at;
	unsigned int fired[4];
};

static struct sink sink;
static const struct etm_context el1 = { .el = 1, .ns = true, .aarch64 = true };
static const struct etm_context el0 = { .el = 0, .ns = true, .aarch64 = true };

static void on_bytes(void *ctx, const uint8_t *bytes, size_t n)
{
	struct sink *s = ctx;

	assert_true(s->n + n <= sizeof(s->bytes));
	memcpy(s->bytes + s->n, bytes, n);
	s->n += n;
}

static uint64_t on_now(void *ctx)
{
	(void)ctx;
	return 0x123456789abcdef0;
}

static void on_event(void *ctx, unsigned int out)
{
	struct sink *s = ctx;

	s->fired[out]++;
	etm_flush(s->etm);
}

static void on_synced(void *ctx, uint64_t offset)
{
	struct sink *s = ctx;

	s->syncs++;
	s->synced_at = offset;
}

static struct etm *start(const struct etm_config *config)
{
	static const struct etm_ops ops = { on_bytes, on_now, on_event,
					    on_synced };

	memset(&sink, 0, sizeof(sink));
	sink.etm = etm_create(&ops, &sink);
	assert_non_null(sink.etm);
	etm_enable(sink.etm, config, &el1);
	return sink.etm;
}

/* Ends it; nothing may have been left out by the test itself. */
static void end(struct etm *e)
{
	etm_disable(e);
	assert_int_equal(etm_get_stats(e)->gaps, 0);
	assert_int_equal(etm_get_stats(e)->bytes, sink.n);
	etm_destroy(e);
}

#define ASYNC 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80
#define EXPECT(...)                                                  \
	do {                                                         \
		static const uint8_t want[] = { __VA_ARGS__ };       \
		assert_int_equal(sink.n, sizeof(want));              \
		assert_memory_equal(sink.bytes, want, sizeof(want)); \
	} while (0)

static void nops(struct etm *e, uint64_t addr, unsigned int n, bool traced)
{
	for (; n; n--, addr += 4)
		assert_int_equal(etm_executed(e, addr, NOP, addr + 4), traced);
}

static void test_bytes(void **state)
{
	static const struct etm_config config = { .victlr = ON };
	struct etm *e = start(&config);

	(void)state;
	nops(e, CODE, 3, true);
	assert_int_equal(etm_uncovered(e), 3);
	assert_true(etm_executed(e, CODE + 12, BNE_16, CODE + 16)); /* N */
	assert_int_equal(etm_uncovered(e), 0);
	assert_true(etm_executed(e, CODE + 16, B_16, CODE + 32));  /* E */
	assert_true(etm_executed(e, CODE + 32, BR, CODE + 0x200)); /* E */
	nops(e, CODE + 0x200, 2, true);
	etm_exception(e, ETM_EXC_IRQ, CODE + 0x208, VECTORS, &el1);
	assert_true(etm_executed(e, VECTORS, ISB, VECTORS + 4)); /* E */
	etm_context(e, &el1);
	assert_true(etm_executed(e, VECTORS + 4, ERET, CODE + 0x208));
	etm_context(e, &el0);
	nops(e, CODE + 0x208, 2, true);
	end(e);
	EXPECT(ASYNC, 0x01, 0x01, 0x00, 0x04,	      /* Trace Info, Trace On */
	       0x85, 0, 0x08, 0, 0, 0, 0, 0, 0, 0x31, /* 1000, EL1 NS */
	       0xfe,				      /* NEE */
	       0x95, 0x80, 0x09,		      /* 1200 */
	       0x06, 0x1d, 0x95, 0x02,		      /* IRQ at 1208 */
	       0x9d, 0x00, 0x04, 0x08, 0, 0, 0, 0xff, 0xff, /* the vector */
	       0xdb,					    /* EE */
	       0x85, 0x02, 0x09, 0, 0, 0, 0, 0, 0, 0x30, 0x07);
	assert_int_equal(sink.syncs, 1);
	assert_int_equal(sink.synced_at, 0);
}

static void test_return_stack(void **state)
{
	static const struct etm_config config = { .victlr = ON,
						  .configr = CONFIGR_RS };
	struct etm *e = start(&config);
	uint64_t addr = CODE;
	size_t before;
	int i;

	(void)state;
	for (i = 0; i < 4; i++, addr += 16)
		etm_executed(e, addr, BL_16, addr + 16);
	etm_flush(e);
	before = sink.n;
	/* Three of four calls are remembered. */
	for (i = 3; i > 0; i--) {
		uint64_t back = CODE + 16ull * i + 4;

		etm_executed(e, addr, RET, back);
		addr = back;
	}
	etm_flush(e);
	assert_int_equal(sink.n, before + 1); /* EEE */
	etm_executed(e, addr, RET, CODE + 4);
	etm_executed(e, CODE + 4, NOP, CODE + 8);
	assert_int_equal(sink.n, before + 4);
	assert_int_equal(sink.bytes[before], 0xff);
	assert_int_equal(sink.bytes[before + 1], 0xf7);
	assert_int_equal(sink.bytes[before + 2], 0x95);
	assert_int_equal(sink.bytes[before + 3], 0x01);
	end(e);
}

static void test_timestamp(void **state)
{
	static const struct etm_config config = {
		.victlr = ON, .configr = CONFIGR_TS | CONFIGR_CCI, .ccctlr = 4
	};
	struct etm *e = start(&config);

	(void)state;
	nops(e, CODE, 1, true);
	end(e);
	EXPECT(ASYNC, 0x01, 0x09, 0x01, 0x04, 0x04, 0x85, 0, 0x08, 0, 0, 0, 0,
	       0, 0, 0x31, 0x02, 0xf0, 0xbd, 0xf3, 0xd5, 0x89, 0xcf, 0x95, 0x9a,
	       0x12);
}

static void test_off_until_enabled(void **state)
{
	static const struct etm_config config = { .victlr = ON };
	static const struct etm_config never = { .victlr = VICTLR_SSSTATUS };
	struct etm *e = start(&never);

	(void)state;
	nops(e, CODE, 4, false);
	etm_disable(e);
	assert_false(etm_enabled(e));
	nops(e, CODE, 4, false);
	etm_enable(e, &config, &el1);
	assert_int_equal(sink.n, 0);
	nops(e, CODE, 4, true);
	etm_disable(e);
	assert_int_equal(etm_uncovered(e), 4);
	end(e);
}

static void test_levels(void **state)
{
	static const struct etm_config config = { .victlr = ON | 0x100000 };
	struct etm *e = start(&config);

	(void)state;
	nops(e, CODE, 2, true);
	assert_true(etm_executed(e, CODE + 8, ERET, 0x8000));
	etm_context(e, &el0);
	nops(e, 0x8000, 2, false);
	etm_exception(e, ETM_EXC_CALL, 0x8008, VECTORS, &el1);
	nops(e, VECTORS, 2, true);
	end(e);
	/* no exception: what it interrupted was not traced */
	EXPECT(ASYNC, 0x01, 0x01, 0x00, 0x04, 0x85, 0, 0x08, 0, 0, 0, 0, 0, 0,
	       0x31, 0xf7, 0x07, 0x04, 0x85, 0x00, 0x04, 0x08, 0, 0, 0, 0xff,
	       0xff, 0x31);
}

static void test_range(void **state)
{
	static const struct etm_config config = {
		.victlr = ON,
		.viiectlr = 0x20001,
		.acvr = { CODE + 4, CODE + 0x103, CODE + 0x80, CODE + 0x84 }
	};
	struct etm *e = start(&config);

	(void)state;
	nops(e, CODE, 1, false);
	nops(e, CODE + 4, 2, true);
	/* the end of the block is traced as well */
	assert_true(etm_executed(e, CODE + 12, BR, CODE + 0x80));
	nops(e, CODE + 0x80, 2, false);
	nops(e, CODE + 0x88, 1, true);
	assert_true(etm_executed(e, CODE + 0x8c, BR, CODE + 0x100));
	nops(e, CODE + 0x100, 2, true);
	assert_true(etm_executed(e, CODE + 0x108, ISB, CODE + 0x10c));
	nops(e, CODE + 0x10c, 1, false);
	end(e);
}

static void test_start_stop(void **state)
{
	static const struct etm_config config = { .victlr = 1,
						  .vissctlr = 0x00020001,
						  .acvr = { CODE + 8,
							    CODE + 20 } };
	struct etm *e = start(&config);

	(void)state;
	nops(e, CODE, 2, false);
	nops(e, CODE + 8, 3, true);
	assert_true(etm_started(e));
	nops(e, CODE + 20, 1, true);
	assert_false(etm_started(e));
	assert_true(etm_executed(e, CODE + 24, B_16, CODE + 40));
	nops(e, CODE + 40, 2, false);
	end(e);
}

static void test_context_id(void **state)
{
	/* one comparator with an address, if the context ID is 0x..34 */
	static const struct etm_config config = {
		.victlr = 1,
		.vissctlr = 0x1,
		.acvr = { CODE + 8 },
		.acatr = { 0x4 },
		.cidcvr = { 0x1234 },
		.cidcctlr0 = 0xe,
	};
	struct etm_context other = el1;
	struct etm *e = start(&config);

	(void)state;
	nops(e, CODE, 4, false);
	other.contextid = 0x7734;
	etm_context(e, &other);
	nops(e, CODE, 2, false);
	nops(e, CODE + 8, 2, true);
	end(e);
}

/* As a panic handler's address is to stop the sink. */
static void test_event(void **state)
{
	static const struct etm_config config = {
		.victlr = ON,
		.eventctl0r = 0x00020003,
		.eventctl1r = 0x4,
		.acvr = { CODE + 16, CODE + 4 },
		.rsctlr = { [2] = 0x40001, [3] = 0x40002 }
	};
	struct etm *e = start(&config);

	(void)state;
	assert_true(etm_executed(e, CODE, B_16, CODE + 16));
	assert_int_equal(sink.fired[2], 0);
	nops(e, CODE + 16, 1, true);
	assert_int_equal(sink.fired[0], 0);
	assert_int_equal(sink.fired[2], 1);
	end(e);
	/* the atom first: it was executed before */
	EXPECT(ASYNC, 0x01, 0x01, 0x00, 0x04, 0x85, 0, 0x08, 0, 0, 0, 0, 0, 0,
	       0x31, 0xf7, 0x74);
}

static void test_counter(void **state)
{
	/* An event in each fourth instruction. */
	static const struct etm_config config = { .victlr = ON,
						  .eventctl0r = 0x02,
						  .rsctlr = { [2] = 0x20001 },
						  .cntrldvr = { 3 },
						  .cntvr = { 3 },
						  .cntctlr = { 0x10001 } };
	struct etm *e = start(&config);

	(void)state;
	nops(e, CODE, 40, true);
	assert_int_equal(sink.fired[0], 10);
	assert_in_range(etm_counter(e, 0), 0, 3);
	end(e);
}

static void test_sequencer(void **state)
{
	/* Forward at one address, back at another. */
	static const struct etm_config config = {
		.victlr = ON,
		.acvr = { CODE + 4, CODE + 12 },
		.eventctl0r = 0x04,
		.rsctlr = { [2] = 0x40001, [3] = 0x40002, [4] = 0x20020 },
		.seqevr = { 0x0302 }
	};
	struct etm *e = start(&config);

	(void)state;
	nops(e, CODE, 1, true);
	assert_int_equal(etm_sequencer(e), 0);
	nops(e, CODE + 4, 2, true);
	assert_int_equal(etm_sequencer(e), 1);
	nops(e, CODE + 12, 2, true);
	assert_int_equal(etm_sequencer(e), 0);
	assert_int_equal(sink.fired[0], 1);
	end(e);
}

static void test_single_shot(void **state)
{
	static const struct etm_config once = { .victlr = ON,
						.acvr = { CODE + 4 },
						.eventctl0r = 0x02,
						.rsctlr = { [2] = 0x30001 },
						.ssccr = { 0x1 } };
	struct etm_config again = once;
	struct etm *e = start(&once);
	int i;

	(void)state;
	for (i = 0; i < 3; i++) {
		nops(e, CODE, 2, true);
		assert_true(etm_executed(e, CODE + 8, BR, CODE));
	}
	assert_int_equal(sink.fired[0], 1);
	end(e);

	again.ssccr[0] |= SSCCR_RST;
	e = start(&again);
	for (i = 0; i < 3; i++) {
		nops(e, CODE, 2, true);
		assert_true(etm_executed(e, CODE + 8, BR, CODE));
	}
	assert_int_equal(sink.fired[0], 3);
	end(e);
}

static void test_pairs(void **state)
{
	/* Inside the range but not at EL0: not (not A or B). */
	static const struct etm_config config = {
		.victlr = ON,
		.acvr = { CODE + 4, CODE + 8, CODE + 8, 0 },
		.eventctl0r = 0x81,
		.rsctlr = { [2] = 0x350001, [3] = 0x40004 },
	};
	struct etm *e = start(&config);

	(void)state;
	nops(e, CODE, 2, true);
	assert_int_equal(sink.fired[0], 1);
	nops(e, CODE + 8, 2, true);
	assert_int_equal(sink.fired[0], 1);
	end(e);
}

static void test_overflow(void **state)
{
	static const struct etm_config config = { .victlr = ON };
	struct etm *e = start(&config);
	size_t before;

	(void)state;
	nops(e, CODE, 1, true);
	etm_overflow(e, 2);
	/* the block comes to its end first */
	assert_true(etm_executed(e, CODE + 4, B_16, CODE + 20));
	nops(e, CODE + 20, 2, false);
	before = sink.n;
	assert_int_equal(sink.bytes[before - 3], 0xf7);
	assert_int_equal(sink.bytes[before - 2], 0x00);
	assert_int_equal(sink.bytes[before - 1], 0x05);
	nops(e, CODE + 28, 1, true);
	assert_int_equal(sink.synced_at, before);
	assert_int_equal(etm_get_stats(e)->overflows, 1);
	end(e);
}

static void test_sync_period(void **state)
{
	static const struct etm_config config = { .victlr = ON, .syncpr = 8 };
	struct etm *e = start(&config);
	uint64_t at = 0;
	unsigned int i;

	(void)state;
	/* 2 bytes each: an atom and an exact match, or a short address */
	for (i = 0; i < 100; i++) {
		assert_true(etm_executed(e, CODE, BR, CODE + 0x80));
		assert_true(etm_executed(e, CODE + 0x80, BR, CODE));
		if (sink.synced_at == at)
			continue;
		assert_in_range(sink.synced_at - at, 256 + 12, 256 + 20);
		at = sink.synced_at;
	}
	assert_int_equal(sink.syncs, 2);
	end(e);
}

static void test_gap(void **state)
{
	static const struct etm_config config = { .victlr = ON };
	struct etm *e = start(&config);

	(void)state;
	nops(e, CODE, 1, true);
	nops(e, CODE + 0x80, 1, true);
	assert_int_equal(etm_get_stats(e)->gaps, 1);
	/* an address that was not reached */
	etm_exception(e, ETM_EXC_IRQ, CODE, VECTORS, &el1);
	assert_int_equal(etm_get_stats(e)->gaps, 2);
	etm_destroy(e);
}

static void test_exception_types(void **state)
{
	(void)state;
	assert_int_equal(etm_exception_of(0x280, 0), ETM_EXC_IRQ);
	assert_int_equal(etm_exception_of(0x500, 0), ETM_EXC_FIQ);
	assert_int_equal(etm_exception_of(0x380, 0), ETM_EXC_SERROR);
	assert_int_equal(etm_exception_of(0x400, 0x56000000), ETM_EXC_CALL);
	assert_int_equal(etm_exception_of(0x200, 0x96000005),
			 ETM_EXC_DATA_FAULT);
	assert_int_equal(etm_exception_of(0x400, 0x82000007),
			 ETM_EXC_INST_FAULT);
	assert_int_equal(etm_exception_of(0x200, 0xf2000800),
			 ETM_EXC_INST_DEBUG);
	assert_int_equal(etm_exception_of(0x400, 0x8a000000), ETM_EXC_ALIGNMENT);
	assert_int_equal(etm_exception_of(0x400, 0xd2000000),
			 ETM_EXC_DATA_DEBUG);
	assert_int_equal(etm_exception_of(0x200, 0x02000000), ETM_EXC_TRAP);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bytes),
		cmocka_unit_test(test_return_stack),
		cmocka_unit_test(test_timestamp),
		cmocka_unit_test(test_off_until_enabled),
		cmocka_unit_test(test_levels),
		cmocka_unit_test(test_range),
		cmocka_unit_test(test_start_stop),
		cmocka_unit_test(test_context_id),
		cmocka_unit_test(test_event),
		cmocka_unit_test(test_counter),
		cmocka_unit_test(test_sequencer),
		cmocka_unit_test(test_single_shot),
		cmocka_unit_test(test_pairs),
		cmocka_unit_test(test_overflow),
		cmocka_unit_test(test_sync_period),
		cmocka_unit_test(test_gap),
		cmocka_unit_test(test_exception_types),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
