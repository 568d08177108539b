// SPDX-License-Identifier: GPL-2.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "a64.h"
#include "walk.h"

/*
 * Near and far ones, so that addresses need packets of all lengths; the first
 * two differ in the lowest bit that a short address does not have.
 */
const uint64_t walk_base[WALK_REGIONS] = {
	0xffff8000080b0000,
	0xffff800008090000,
	0xffff80007b400000,
	0x0000aaaac0de1000,
};

#define VECTORS	    walk_base[0]
#define NOP	    0xd503201fu
#define SVC	    0xd4000001u
#define ISB	    0xd5033fdfu
#define WFI	    0xd503207fu
#define REGION_SIZE (4ul * WALK_WORDS)
#define PERCENT	    100

uint32_t walk_random(uint64_t *seed, uint32_t below)
{
	/* xorshift64* */
	*seed ^= *seed >> 12;
	*seed ^= *seed << 25;
	*seed ^= *seed >> 27;
	return (*seed * 0x2545f4914f6cdd1dull >> 32) % below;
}

/* A word offset that stays inside, to mostly near places. */
static int32_t jump(uint64_t *seed, unsigned int at)
{
	unsigned int to;

	if (walk_random(seed, 4)) {
		to = at + walk_random(seed, 32) - 16;
		if (to < WALK_WORDS)
			return to - at;
	}
	return (int32_t)walk_random(seed, WALK_WORDS) - (int32_t)at;
}

static uint32_t plain(uint64_t *seed)
{
	static const uint32_t ops[] = {
		NOP,	    WFI, 0x91000421, /* add x1, x1, #1 */
		0xf9400020,		     /* ldr x0, [x1] */
		0xd503305f,		     /* clrex */
		0xd5033bbf,		     /* dmb ish */
		0xd5033f9f,		     /* dsb sy */
		0xd5184000,		     /* msr spsr_el1, x0 */
	};

	return ops[walk_random(seed, sizeof(ops) / sizeof(ops[0]))];
}

static uint32_t indirect(uint64_t *seed, bool v8_3)
{
	static const uint32_t ops[] = {
		0xd61f0000, /* br x0 */
		0xd63f0040, /* blr x2 */
		0xd65f03c0, /* ret */
		0xd65f03c0, /* ret */
		0xd65f0020, /* ret x1 */
		/* v8.3 from here */
		0xd65f0bff, /* retaa */
		0xd65f0fff, /* retab */
		0xd61f081f, /* braaz x0 */
		0xd61f0c3f, /* brabz x1 */
		0xd63f085f, /* blraaz x2 */
		0xd71f0801, /* braa x0, x1 */
		0xd73f0c62, /* blrab x3, x2 */
	};

	return ops[walk_random(seed, v8_3 ? sizeof(ops) / sizeof(ops[0]) : 5)];
}

static uint32_t conditional(uint64_t *seed, unsigned int at)
{
	static const uint32_t compare[] = { 0x34000000, 0x35000000, 0xb4000000,
					    0xb5000000 };
	static const uint32_t test[] = { 0x36000000, 0x37000000, 0xb6000000,
					 0xb7000000 };
	uint32_t to = jump(seed, at);

	switch (walk_random(seed, 3)) {
	case 0:
		return compare[walk_random(seed, 4)] | (to & 0x7ffff) << 5 | 3;
	case 1:
		return test[walk_random(seed, 4)] | (to & 0x3fff) << 5 | 4;
	default:
		return 0x54000000 | (to & 0x7ffff) << 5 | walk_random(seed, 14);
	}
}

static uint32_t opcode(uint64_t *seed, unsigned int at, bool v8_3)
{
	unsigned int kind = walk_random(seed, PERCENT);

	if (kind < 14)
		return conditional(seed, at);
	if (kind < 18)
		return 0x14000000 | (jump(seed, at) & 0x3ffffff);
	if (kind < 22)
		return 0x94000000 | (jump(seed, at) & 0x3ffffff);
	if (kind < 28)
		return indirect(seed, v8_3);
	if (kind < 29)
		return ISB;
	if (kind < 30)
		return SVC;
	if (kind < 31)
		return v8_3 && walk_random(seed, 2) ? 0xd69f0fff : 0xd69f03e0;
	return plain(seed);
}

void program_make(struct program *p, uint64_t seed, bool v8_3)
{
	unsigned int r, i;

	for (r = 0; r < WALK_REGIONS; r++) {
		for (i = 0; i < WALK_WORDS; i++)
			p->words[r][i] = opcode(&seed, i, v8_3);
		/* nothing runs off the end */
		p->words[r][WALK_WORDS - 1] = 0xd61f0000;
		p->memory[r].addr = walk_base[r];
		p->memory[r].bytes = (const uint8_t *)p->words[r];
		p->memory[r].n = REGION_SIZE;
	}
}

static uint32_t fetch(const struct walker *w, uint64_t addr)
{
	unsigned int r;

	for (r = 0; r < WALK_REGIONS; r++)
		if (addr - walk_base[r] < REGION_SIZE)
			return w->program->words[r][(addr - walk_base[r]) / 4];
	fail_msg("the walker is lost at %#llx", (unsigned long long)addr);
	return 0;
}

static uint64_t anywhere(struct walker *w)
{
	/* now and then a place where it often is: exact matches */
	unsigned int words = walk_random(&w->seed, 2) ? WALK_WORDS : 3;

	return walk_base[walk_random(&w->seed, WALK_REGIONS)] +
	       4ull * walk_random(&w->seed, words);
}

static bool chance(struct walker *w, unsigned int percent)
{
	return walk_random(&w->seed, PERCENT) < percent;
}

void walker_init(struct walker *w, const struct program *program,
		 const struct walk_options *options, struct etm *etm,
		 uint64_t seed)
{
	memset(w, 0, sizeof(*w));
	w->program = program;
	w->options = *options;
	w->etm = etm;
	w->seed = seed;
	w->context.aarch64 = true;
	w->context.ns = !options->secure;
	w->context.el = 1;
	w->context.contextid = 0x1000;
	w->shown = w->context;
	w->exceptions = calloc(WALK_MAX_EXCEPTED, sizeof(*w->exceptions));
	assert_non_null(w->exceptions);
	w->pc = anywhere(w);
}

void walker_free(struct walker *w)
{
	steps_free(&w->steps);
	free(w->exceptions);
}

static void except(struct walker *w, unsigned int type, uint64_t back)
{
	uint64_t vector = VECTORS + 0x80ull * walk_random(&w->seed, 16);
	struct etm_context after = w->context;

	if (w->n_saved == WALK_EXCEPTIONS) {
		memmove(&w->saved[0], &w->saved[1],
			sizeof(w->saved) - sizeof(w->saved[0]));
		w->n_saved--;
	}
	w->saved[w->n_saved].pc = back;
	w->saved[w->n_saved++].context = w->context;
	if (after.el == 0)
		after.el = 1;
	if (w->options.el2 && chance(w, 20))
		after.el = 2;
	if (w->n_exceptions < WALK_MAX_EXCEPTED) {
		w->exceptions[w->n_exceptions].type = type;
		w->exceptions[w->n_exceptions++].preferred_return = back;
	}
	etm_exception(w->etm, type, back, vector, &after);
	w->context = after;
	w->shown = after;
	w->pc = vector;
	w->branched = true;
}

static uint64_t exception_return(struct walker *w, struct etm_context *c)
{
	*c = w->context;
	if (w->n_saved) {
		w->n_saved--;
		*c = w->saved[w->n_saved].context;
		/* a task switch came in between, or an exception was fixed */
		if (chance(w, 10))
			c->contextid++;
		return chance(w, 80) ? w->saved[w->n_saved].pc : anywhere(w);
	}
	c->el = walk_random(&w->seed, c->el + 1);
	if (chance(w, 10))
		c->vmid++;
	return anywhere(w);
}

static uint64_t branch_target(struct walker *w, bool link)
{
	if (!link && w->n_returns && chance(w, 70))
		return w->returns[--w->n_returns];
	return anywhere(w);
}

static void push_return(struct walker *w, uint64_t addr)
{
	if (w->n_returns == WALK_RETURNS) {
		memmove(&w->returns[0], &w->returns[1],
			sizeof(w->returns) - sizeof(w->returns[0]));
		w->n_returns--;
	}
	w->returns[w->n_returns++] = addr;
}

static void execute(struct walker *w)
{
	uint64_t addr = w->pc, next = addr + 4;
	uint32_t op = fetch(w, addr);
	struct etm_context context = w->context;
	struct a64_insn insn = { .kind = A64_OTHER };
	bool traced, early = false;

	if (!a64_p0(addr, op, &insn))
		insn.kind = A64_OTHER;
	switch (insn.kind) {
	case A64_DIRECT:
		if ((op & 0x7c000000) == 0x14000000 ||
		    chance(w, w->options.loops))
			next = insn.target;
		break;
	case A64_INDIRECT:
		next = branch_target(w, insn.link);
		break;
	case A64_ERET:
		next = exception_return(w, &context);
		break;
	case A64_ISB:
		if (chance(w, 30))
			context.contextid += 0x10;
		break;
	case A64_OTHER:
		/* CONTEXTIDR is written, the ISB comes later */
		if (chance(w, 1)) {
			context.contextid ^= 0x8000;
			early = true;
		}
		break;
	}
	if (insn.link)
		push_return(w, addr + 4);

	traced = etm_executed(w->etm, addr, op, next);
	w->executed++;
	if (w->options.levels)
		assert_int_equal(traced, w->options.levels >> w->context.el & 1);
	if (traced)
		steps_add(&w->steps, addr, &w->shown);
	if (early || insn.kind == A64_ERET || insn.kind == A64_ISB)
		etm_context(w->etm, &context);
	/* Within a block trace cannot show another context. */
	if (insn.kind != A64_OTHER || !traced)
		w->shown = context;
	w->context = context;
	w->pc = next;
	w->branched = insn.kind == A64_INDIRECT || insn.kind == A64_ERET;
	if (op == SVC)
		except(w, ETM_EXC_CALL, next);
}

void walker_step(struct walker *w)
{
	static const uint8_t types[] = { ETM_EXC_IRQ,	     ETM_EXC_FIQ,
					 ETM_EXC_SERROR,     ETM_EXC_DATA_FAULT,
					 ETM_EXC_INST_FAULT, ETM_EXC_TRAP };
	unsigned int irqs = w->options.irqs;

	/* Straight after a branch is where it is hard. */
	if (w->branched && irqs)
		irqs += 20;
	if (walk_random(&w->seed, 1000) < irqs)
		except(w, types[walk_random(&w->seed, sizeof(types))], w->pc);
	else
		execute(w);
}
