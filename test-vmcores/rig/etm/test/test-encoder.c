// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Made-up programs, encoded, and decoded by OpenCSD: instructions, contexts and
 * exceptions must be those that were executed. SEEDS says how many programs for
 * each scenario.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "configr.h"
#include "deframe.h"
#include "frame.h"
#include "walk.h"

#define MAX_SYNCS 4096

struct scenario {
	const char *name;
	struct etm_config config;
	struct walk_options options;
	unsigned int sources;	/* 0: one, and no frames */
	unsigned int overflows; /* in 1000 instructions */
	unsigned int flushes;
	unsigned int restarts;
	unsigned int steps;
};

struct buffer {
	uint8_t *bytes;
	size_t n, max;
};

struct source {
	struct walker walker;
	struct etm *etm;
	struct buffer raw;
	struct frame *frame;
	uint8_t id;
	uint64_t clock, clock_seed;
	uint64_t timestamps[DECODE_MAX_TIMESTAMPS]; /* that were asked for */
	unsigned int n_timestamps;
	struct {
		uint64_t offset;
		size_t step;
	} syncs[MAX_SYNCS];
	unsigned int n_syncs;
	unsigned int events;
};

static uint64_t headers[DECODE_HEADERS];
static uint64_t total_steps, total_bytes;

static void buffer_add(struct buffer *b, const uint8_t *bytes, size_t n)
{
	while (b->n + n > b->max) {
		b->max = b->max ? 2 * b->max : 4096;
		b->bytes = realloc(b->bytes, b->max);
		assert_non_null(b->bytes);
	}
	memcpy(b->bytes + b->n, bytes, n);
	b->n += n;
}

static void on_bytes(void *ctx, const uint8_t *bytes, size_t n)
{
	struct source *s = ctx;

	buffer_add(&s->raw, bytes, n);
	frame_write(s->frame, s->id, bytes, n);
}

static void on_frame(void *ctx, const uint8_t bytes[FRAME_SIZE])
{
	buffer_add(ctx, bytes, FRAME_SIZE);
}

static uint64_t on_now(void *ctx)
{
	struct source *s = ctx;
	unsigned int shift = walk_random(&s->clock_seed, 40);

	/* at times nothing passes, at times much */
	s->clock += walk_random(&s->clock_seed, 8) ? shift : 1ull << shift;
	assert_true(s->n_timestamps < DECODE_MAX_TIMESTAMPS);
	s->timestamps[s->n_timestamps++] = s->clock;
	return s->clock;
}

static void on_event(void *ctx, unsigned int out)
{
	struct source *s = ctx;

	assert_true(out < 4);
	s->events++;
}

static void on_synced(void *ctx, uint64_t offset)
{
	struct source *s = ctx;

	assert_int_equal(offset, s->raw.n);
	assert_true(s->n_syncs < MAX_SYNCS);
	s->syncs[s->n_syncs].offset = offset;
	s->syncs[s->n_syncs++].step = s->walker.steps.n;
}

static bool same_context(const struct etm_config *config,
			 const struct etm_context *a,
			 const struct etm_context *b)
{
	if (a->el != b->el || a->ns != b->ns || a->aarch64 != b->aarch64)
		return false;
	if (config->configr & CONFIGR_CID && a->contextid != b->contextid)
		return false;
	return !(config->configr & CONFIGR_VMID) || a->vmid == b->vmid;
}

/* Decoded are exactly the steps from first on. */
static void compare(const struct source *s, const struct etm_config *config,
		    const struct decoded *d, size_t first)
{
	const struct step *want = s->walker.steps.v + first;
	size_t n = s->walker.steps.n - first, i, x = 0;

	for (i = 0; i < n && i < d->steps.n; i++) {
		const struct step *have = &d->steps.v[i];

		if (want[i].addr != have->addr)
			fail_msg("instruction %zu of %zu: %llx, decoded %llx",
				 i, n, (unsigned long long)want[i].addr,
				 (unsigned long long)have->addr);
		if (!same_context(config, &want[i].context, &have->context))
			fail_msg("instruction %zu of %zu: el %d cid %x vmid "
				 "%x, decoded %d %x %x",
				 i, n, want[i].context.el,
				 want[i].context.contextid,
				 want[i].context.vmid, have->context.el,
				 have->context.contextid, have->context.vmid);
	}
	assert_int_equal(d->steps.n, n);

	/* Exceptions outside of the filters are left out. */
	for (i = 0; i < d->n_exceptions; i++) {
		const struct exception *e = s->walker.exceptions;

		while (x < s->walker.n_exceptions &&
		       (e[x].type != d->exceptions[i].type ||
			e[x].preferred_return !=
				d->exceptions[i].preferred_return))
			x++;
		if (x++ == s->walker.n_exceptions)
			fail_msg("exception %zu of %zu did not happen", i,
				 d->n_exceptions);
	}
	assert_true(d->cycles <= s->walker.executed);

	/* One that is the same as the last is not sent again. */
	for (i = 0, x = 0; i < d->n_timestamps; i++, x++) {
		while (x < s->n_timestamps &&
		       s->timestamps[x] != d->timestamps[i])
			x++;
		if (x == s->n_timestamps)
			fail_msg("timestamp %zu, %llx, was never given", i,
				 (unsigned long long)d->timestamps[i]);
	}
}

/* Where a decoder starts that gets a source's bytes from this offset on. */
static size_t first_step(const struct source *s, size_t offset)
{
	unsigned int i;

	for (i = 0; i < s->n_syncs; i++)
		if (s->syncs[i].offset >= offset)
			return s->syncs[i].step;
	return s->walker.steps.n;
}

static void late(const struct source *s, const struct scenario *sc,
		 const struct etm_config *config, const struct program *program,
		 size_t cut)
{
	static struct decoded d;

	decode(&d, config, 1, false, sc->options.v8_3, s->raw.bytes + cut,
	       s->raw.n - cut, program->memory, WALK_REGIONS, NULL);
	compare(s, config, &d, first_step(s, cut));
	decoded_free(&d);
}

static void count(void *ctx, unsigned int id, uint8_t byte)
{
	size_t *counts = ctx;

	(void)byte;
	counts[id]++;
}

/* As when a sink's buffer wrapped: the frames before the cut are lost. */
static void late_frames(const struct source *sources, const struct scenario *sc,
			const struct etm_config *configs,
			const struct program *program,
			const struct buffer *frames, size_t cut)
{
	static struct decoded d[DECODE_SOURCES];
	size_t counts[DEFRAME_IDS] = { 0 };
	unsigned int i;

	deframe(frames->bytes + cut, frames->n - cut, count, counts);
	decode(d, configs, sc->sources, true, sc->options.v8_3,
	       frames->bytes + cut, frames->n - cut, program->memory,
	       WALK_REGIONS, NULL);
	for (i = 0; i < sc->sources; i++) {
		const struct source *s = &sources[i];
		size_t offset = s->raw.n - counts[s->id];

		compare(s, &configs[i], &d[i], first_step(s, offset));
		decoded_free(&d[i]);
	}
}

/* The trace ends here: what no branch followed is not in it. */
static void drop_uncovered(struct source *s)
{
	assert_true(etm_uncovered(s->etm) <= s->walker.steps.n);
	s->walker.steps.n -= etm_uncovered(s->etm);
}

static void source_init(struct source *s, const struct scenario *sc,
			const struct etm_config *config,
			const struct program *program, struct frame *frame,
			uint64_t seed)
{
	static const struct etm_ops ops = {
		.bytes = on_bytes,
		.now = on_now,
		.event = on_event,
		.synced = on_synced,
	};

	memset(s, 0, sizeof(*s));
	s->etm = etm_create(&ops, s);
	assert_non_null(s->etm);
	s->frame = frame;
	s->id = config->traceidr;
	s->clock_seed = seed;
	walker_init(&s->walker, program, &sc->options, s->etm, seed);
	etm_enable(s->etm, config, &s->walker.context);
}

static void source_run(struct source *s, const struct scenario *sc,
		       const struct etm_config *config, unsigned int steps)
{
	uint64_t *seed = &s->clock_seed;
	unsigned int i;

	for (i = 0; i < steps; i++) {
		walker_step(&s->walker);
		if (walk_random(seed, 1000) < sc->overflows)
			etm_overflow(s->etm, walk_random(seed, 3) *
						     walk_random(seed, 50));
		if (walk_random(seed, 1000) < sc->flushes)
			etm_flush(s->etm);
		if (walk_random(seed, 1000) < sc->restarts) {
			etm_disable(s->etm);
			drop_uncovered(s);
			etm_enable(s->etm, config, &s->walker.context);
			s->walker.shown = s->walker.context;
		}
	}
}

static void source_end(struct source *s)
{
	etm_disable(s->etm);
	drop_uncovered(s);
	assert_int_equal(etm_get_stats(s->etm)->gaps, 0);
	assert_int_equal(etm_get_stats(s->etm)->syncs, s->n_syncs);
	etm_destroy(s->etm);
	total_steps += s->walker.steps.n;
	total_bytes += s->raw.n;
}

static void run(const struct scenario *sc, uint64_t seed)
{
	static struct program program;
	static struct source sources[DECODE_SOURCES];
	static struct decoded d[DECODE_SOURCES];
	struct etm_config configs[DECODE_SOURCES];
	struct buffer frames = { .n = 0 };
	struct frame frame;
	bool framed = sc->sources;
	unsigned int n = framed ? sc->sources : 1, i, left;

	program_make(&program, seed, sc->options.v8_3);
	frame_init(&frame, !framed, on_frame, &frames);
	for (i = 0; i < n; i++) {
		configs[i] = sc->config;
		configs[i].traceidr = 0x10 + 2 * i + walk_random(&seed, 2);
		source_init(&sources[i], sc, &configs[i], &program, &frame,
			    seed + i + 1);
	}
	for (left = sc->steps; left; left--) {
		i = walk_random(&seed, n);
		source_run(&sources[i], sc, &configs[i], walk_random(&seed, 20));
	}
	for (i = 0; i < n; i++)
		source_end(&sources[i]);
	frame_flush(&frame);
	if (!framed) {
		/* filled up with zeros, which are no packets */
		assert_true(frames.n >= sources[0].raw.n);
		frames.n = sources[0].raw.n;
		assert_memory_equal(frames.bytes, sources[0].raw.bytes,
				    frames.n);
	}

	decode(d, configs, n, framed, sc->options.v8_3, frames.bytes, frames.n,
	       program.memory, WALK_REGIONS, headers);
	for (i = 0; i < n; i++) {
		struct source *s = &sources[i];

		compare(s, &configs[i], &d[i], 0);
		decoded_free(&d[i]);
		if (s->raw.n)
			late(s, sc, &configs[i], &program,
			     walk_random(&seed, s->raw.n));
	}
	if (framed && frames.n)
		late_frames(sources, sc, configs, &program, &frames,
			    (size_t)FRAME_SIZE *
				    walk_random(&seed, frames.n / FRAME_SIZE));
	for (i = 0; i < n; i++) {
		struct source *s = &sources[i];

		walker_free(&s->walker);
		free(s->raw.bytes);
	}
	free(frames.bytes);
}

#define ON	   (VICTLR_SSSTATUS | 0x01u)
#define ALL_LEVELS 0xf
#define SMALL_SYNC 7

static const struct scenario scenarios[] = {
	{
		.name = "plain",
		.config = { .victlr = ON },
		.options = { .levels = ALL_LEVELS, .loops = 50, .irqs = 10 },
		.steps = 200,
	},
	{
		.name = "return stack, IDs, timestamps",
		.config = { .victlr = ON,
			    .configr = CONFIGR_RS | CONFIGR_CID | CONFIGR_VMID |
				       CONFIGR_TS,
			    .syncpr = SMALL_SYNC },
		.options = { .levels = ALL_LEVELS,
			     .loops = 80,
			     .irqs = 10,
			     .el2 = true },
		.sources = 2,
		.flushes = 10,
		.steps = 200,
	},
	{
		.name = "return stack, pointer authentication",
		.config = { .victlr = ON, .configr = CONFIGR_RS, .syncpr = 8 },
		.options = { .levels = ALL_LEVELS,
			     .loops = 50,
			     .irqs = 10,
			     .v8_3 = true },
		.sources = 1,
		.restarts = 5,
		.steps = 200,
	},
	{
		.name = "loops",
		.config = { .victlr = ON, .configr = CONFIGR_CID },
		.options = { .levels = ALL_LEVELS,
			     .loops = 97,
			     .irqs = 1,
			     .secure = true },
		.sources = 3,
		.steps = 300,
	},
	{
		.name = "no branch taken",
		.config = { .victlr = ON, .configr = CONFIGR_VMID },
		.options = { .levels = ALL_LEVELS, .loops = 3, .irqs = 1 },
		.sources = 1,
		.steps = 100,
	},
	{
		.name = "cycle counts",
		.config = { .victlr = ON,
			    .configr = CONFIGR_CCI | CONFIGR_RS | CONFIGR_TS,
			    .ccctlr = 4,
			    .tsctlr = 0x01,
			    .syncpr = SMALL_SYNC },
		.options = { .loops = 50, .irqs = 10 },
		.sources = 2,
		.overflows = 5,
		.steps = 200,
	},
	{
		.name = "cycle counts with a great threshold",
		.config = { .victlr = ON, .configr = CONFIGR_CCI, .ccctlr = 60 },
		.options = { .levels = ALL_LEVELS, .loops = 50, .irqs = 10 },
		.sources = 1,
		.steps = 200,
	},
	{
		.name = "overflows",
		.config = { .victlr = ON,
			    .configr = CONFIGR_RS | CONFIGR_CID,
			    .syncpr = SMALL_SYNC },
		.options = { .loops = 50, .irqs = 10 },
		.sources = 2,
		.overflows = 10,
		.restarts = 1,
		.steps = 200,
	},
	{
		.name = "branch broadcast",
		.config = { .victlr = ON,
			    .configr = CONFIGR_RS | CONFIGR_BB,
			    .syncpr = 8 },
		.options = { .levels = ALL_LEVELS, .loops = 50, .irqs = 10 },
		.sources = 1,
		.steps = 200,
	},
	{
		.name = "branch broadcast in a range",
		.config = { .victlr = ON,
			    .configr = CONFIGR_RS | CONFIGR_BB,
			    .bbctlr = BBCTLR_INCLUDE | 1,
			    .acvr = { 0xffff800008090000, 0xffff800008090fff } },
		.options = { .levels = ALL_LEVELS, .loops = 50, .irqs = 10 },
		.sources = 1,
		.steps = 200,
	},
	{
		.name = "EL1 only",
		.config = { .victlr = ON | 0x500000,
			    .configr = CONFIGR_RS | CONFIGR_CID,
			    .syncpr = SMALL_SYNC },
		.options = { .levels = 1 << 1,
			     .loops = 50,
			     .irqs = 20,
			     .el2 = true },
		.sources = 2,
		.steps = 300,
	},
	{
		.name = "EL0 only",
		.config = { .victlr = ON | 0x600000, .configr = CONFIGR_CID },
		.options = { .levels = 1 << 0, .loops = 50, .irqs = 20 },
		.sources = 1,
		.steps = 300,
	},
	{
		.name = "ranges",
		.config = { .victlr = ON,
			    .configr = CONFIGR_RS | CONFIGR_TS | CONFIGR_CCI,
			    .ccctlr = 4,
			    .syncpr = SMALL_SYNC,
			    .viiectlr = 0x20003,
			    .acvr = { 0xffff800008090000, 0xffff800008091007,
				      0xffff80007b400000, 0xffff80007b400ffc } },
		.options = { .loops = 50, .irqs = 10 },
		.sources = 2,
		.steps = 300,
	},
	{
		.name = "start and stop",
		.config = { .victlr = 0x01,
			    .configr = CONFIGR_RS | CONFIGR_CID,
			    .syncpr = 8,
			    .vissctlr = 0x000c0003,
			    .acvr = { 0xffff800008090000, 0xffff80007b400004,
				      0x0000aaaac0de1000, 0xffff8000080b0008 } },
		.options = { .loops = 50, .irqs = 10 },
		.sources = 1,
		.steps = 300,
	},
	{
		.name = "events, counters, the sequencer",
		.config = { .victlr = ON,
			    .configr = CONFIGR_RS | CONFIGR_TS,
			    .syncpr = 8,
			    .eventctl0r = 0x05040302,
			    .eventctl1r = 0xf,
			    .tsctlr = 0x03,
			    .acvr = { 0xffff800008090000, 0xffff80007b400004 },
			    .rsctlr = { [2] = 0x40001,
					[3] = 0x20001,
					[4] = 0x20020,
					[5] = 0x40002 },
			    .cntrldvr = { 100 },
			    .cntctlr = { 0x10001 },
			    .seqevr = { 0x0502 } },
		.options = { .loops = 50, .irqs = 10 },
		.sources = 2,
		.overflows = 2,
		.steps = 200,
	},
	{
		.name = "only while an event is active, with a context ID",
		.config = { .victlr = VICTLR_SSSTATUS | 0x02,
			    .configr = CONFIGR_CID,
			    .eventctl0r = 0x82,
			    .eventctl1r = 1,
			    .acvr = { 0xffff800008000000, 0xffff80007b500000 },
			    .acatr = { 0x4, 0x4 },
			    .cidcvr = { 0x1000 },
			    .cidcctlr0 = 0xd,
			    .rsctlr = { [2] = 0x50001, [4] = 0x60001, [5] = 0x120020 } },
		.options = { .loops = 50, .irqs = 10 },
		.sources = 1,
		.steps = 300,
	},
	{
		.name = "everything",
		.config = { .victlr = ON,
			    .configr = CONFIGR_RS | CONFIGR_TS | CONFIGR_CCI |
				       CONFIGR_CID | CONFIGR_VMID | CONFIGR_BB,
			    .bbctlr = 1,
			    .ccctlr = 8,
			    .syncpr = 8,
			    .tsctlr = 0x02,
			    .eventctl0r = 0x02,
			    .eventctl1r = 1,
			    .acvr = { 0xffff800008090000, 0xffff800008090fff },
			    .rsctlr = { [2] = 0x50001 } },
		.options = { .loops = 60, .irqs = 10, .v8_3 = true, .el2 = true },
		.sources = 3,
		.overflows = 2,
		.flushes = 2,
		.restarts = 2,
		.steps = 300,
	},
};

#define N_SCENARIOS (sizeof(scenarios) / sizeof(scenarios[0]))

static void test_scenario(void **state)
{
	const struct scenario *sc = *state;
	const char *seeds = getenv("SEEDS");
	unsigned long n = seeds ? strtoul(seeds, NULL, 0) : 100, i;

	for (i = 0; i < n; i++)
		run(sc, 0x9e3779b97f4a7c15ull * (i + 1));
}

struct packet_name {
	unsigned int first, last;
	const char *name;
};

/* Everything that the encoder can emit. */
static const struct packet_name packet_names[] = {
	{ 256, 256, "A-Sync" },
	{ 256 + 5, 256 + 5, "Overflow" },
	{ 0x01, 0x01, "Trace Info" },
	{ 0x02, 0x02, "Timestamp" },
	{ 0x03, 0x03, "Timestamp with a cycle count" },
	{ 0x04, 0x04, "Trace On" },
	{ 0x06, 0x06, "Exception" },
	{ DECODE_AFTER_BRANCH, DECODE_AFTER_BRANCH,
	  "  of these, straight after a branch" },
	{ 0x07, 0x07, "Exception Return" },
	{ 0x0d, 0x0d, "Cycle Count format 2" },
	{ 0x0e, 0x0e, "Cycle Count format 1" },
	{ 0x0f, 0x0f, "Cycle Count format 1, unknown" },
	{ 0x10, 0x13, "Cycle Count format 3" },
	{ 0x71, 0x7f, "Event" },
	{ 0x81, 0x81, "Context" },
	{ 0x82, 0x82, "Address with Context, 32 bits" },
	{ 0x85, 0x85, "Address with Context, 64 bits" },
	{ 0x90, 0x90, "Exact Match 0" },
	{ 0x91, 0x91, "Exact Match 1" },
	{ 0x92, 0x92, "Exact Match 2" },
	{ 0x95, 0x95, "Short Address" },
	{ 0x9a, 0x9a, "Long Address, 32 bits" },
	{ 0x9d, 0x9d, "Long Address, 64 bits" },
	{ 0xf6, 0xf6, "Atom format 1, N" },
	{ 0xf7, 0xf7, "Atom format 1, E" },
	{ 0xd8, 0xdb, "Atom format 2" },
	{ 0xf8, 0xff, "Atom format 3" },
	{ 0xdc, 0xdc, "Atom format 4, NEEE" },
	{ 0xdd, 0xdd, "Atom format 4, NNNN" },
	{ 0xde, 0xde, "Atom format 4, NENE" },
	{ 0xdf, 0xdf, "Atom format 4, ENEN" },
	{ 0xf5, 0xf5, "Atom format 5, NEEEE" },
	{ 0xd5, 0xd5, "Atom format 5, NNNNN" },
	{ 0xd6, 0xd6, "Atom format 5, NENEN" },
	{ 0xd7, 0xd7, "Atom format 5, ENENE" },
	{ 0xc0, 0xd3, "Atom format 6, ending with E" },
	{ 0xd4, 0xd4, "Atom format 6, 24 E" },
	{ 0xe0, 0xf4, "Atom format 6, ending with N" },
};

/* Runs last. */
static void test_all_packets(void **state)
{
	uint64_t left = 0, count;
	unsigned int i, h;

	(void)state;
	printf("%llu instructions, %llu bytes\n",
	       (unsigned long long)total_steps, (unsigned long long)total_bytes);
	for (i = 0; i < sizeof(packet_names) / sizeof(packet_names[0]); i++) {
		const struct packet_name *p = &packet_names[i];

		count = 0;
		for (h = p->first; h <= p->last; h++) {
			count += headers[h];
			headers[h] = 0;
		}
		printf("%10llu %s\n", (unsigned long long)count, p->name);
		if (!count)
			fail_msg("no such packet: %s", p->name);
	}
	for (h = 0; h < DECODE_HEADERS; h++)
		left += headers[h];
	assert_int_equal(left, 0);
}

int main(void)
{
	struct CMUnitTest tests[N_SCENARIOS + 1];
	size_t i;

	for (i = 0; i < N_SCENARIOS; i++)
		tests[i] = (struct CMUnitTest){
			.name = scenarios[i].name,
			.test_func = test_scenario,
			.initial_state = (void *)&scenarios[i],
		};
	tests[i] = (struct CMUnitTest)cmocka_unit_test(test_all_packets);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
