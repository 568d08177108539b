// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>

#include "a64.h"
#include "configr.h"
#include "etm.h"
#include "idregs.h"
#include "packets.h"
#include "resources.h"
#include "retstack.h"
#include "viewinst.h"

#define CC_MAX ((1u << ETM_CC_BITS) - 1)

/* Why a decoder cannot know by itself where execution goes on. */
enum need {
	NEED_NOTHING,
	NEED_BROADCAST, /* it could, but branch broadcast asks for it */
	NEED_INDIRECT,	/* and the return stack may tell it */
	NEED_LINK,	/* an indirect branch that went onto the return stack */
	NEED_ERET,
	NEED_EXCEPTION,
};

/*
 * Trace is made of blocks: instructions up to a P0 element, which is a branch,
 * an ISB or an exception. Addresses, contexts and synchronisation come at the
 * start of a block, when its first instruction turns out to be traced; a
 * decoder that synchronises elsewhere would lose instructions.
 */
struct etm {
	struct etm_ops ops;
	void *ctx;
	struct etm_config config;
	struct etm_stats stats;
	struct packets packets;
	struct resources resources;
	struct viewinst viewinst;
	struct retstack retstack;

	bool enabled;
	bool simple; /* resources need not be looked at */
	bool simple_active;
	bool synced;	 /* a decoder has what it needs, but for the address */
	bool on;	 /* the last instruction was traced */
	bool open;	 /* a block is, with instructions in it */
	uint64_t expect; /* where execution goes on */
	enum need need;
	uint64_t sync_at; /* bytes */
	uint64_t uncovered;

	struct etm_context context;  /* of the block */
	struct etm_context deferred; /* comes with the next block */
	bool is_deferred;
	bool context_due;

	unsigned int cycles;
	bool cycles_unknown;
	bool ts_due;
	unsigned int active_events;

	bool overflow;
	unsigned int lost;
};

struct etm *etm_create(const struct etm_ops *ops, void *ctx)
{
	struct etm *e = calloc(1, sizeof(*e));

	if (!e)
		return NULL;
	e->ops = *ops;
	e->ctx = ctx;
	e->packets.ops = &e->ops;
	e->packets.ctx = ctx;
	e->packets.config = &e->config;
	e->packets.stats = &e->stats;
	return e;
}

void etm_destroy(struct etm *e)
{
	free(e);
}

static bool event_used(const struct etm *e, unsigned int selector)
{
	struct resources none = { .config = &e->config };

	return !resources_event_fixed(selector) ||
	       resources_event(&none, selector);
}

static bool needs_resources(const struct etm *e)
{
	const struct etm_config *c = &e->config;
	unsigned int i;

	for (i = 0; i < ETM_EVENTS; i++)
		if (event_used(e, c->eventctl0r >> (8 * i) & 0xff))
			return true;
	if (c->configr & CONFIGR_TS && event_used(e, c->tsctlr & 0xff))
		return true;
	return c->configr & CONFIGR_BB && c->bbctlr & BBCTLR_RANGES;
}

/* What a Trace On does to both sides. */
static void off(struct etm *e)
{
	e->on = false;
	e->open = false;
	e->uncovered = 0;
	e->need = NEED_NOTHING;
}

void etm_enable(struct etm *e, const struct etm_config *config,
		const struct etm_context *context)
{
	etm_disable(e);
	e->config = *config;
	resources_init(&e->resources, &e->config);
	viewinst_init(&e->viewinst, &e->config);
	viewinst_context(&e->viewinst, context);
	e->simple = viewinst_simple(&e->viewinst, &e->simple_active) &&
		    !needs_resources(e);
	e->synced = false;
	off(e);
	e->context = *context;
	e->is_deferred = false;
	e->cycles = 0;
	e->cycles_unknown = true;
	e->ts_due = false;
	e->active_events = 0;
	e->overflow = false;
	e->lost = 0;
	e->enabled = true;
}

static void set_context(struct etm *e, const struct etm_context *c)
{
	uint32_t configr = e->config.configr;

	if (c->el != e->context.el || c->ns != e->context.ns ||
	    c->aarch64 != e->context.aarch64 ||
	    (configr & CONFIGR_CID && c->contextid != e->context.contextid) ||
	    (configr & CONFIGR_VMID && c->vmid != e->context.vmid))
		e->context_due = true;
	e->context = *c;
	viewinst_context(&e->viewinst, c);
}

static void close_block(struct etm *e)
{
	e->open = false;
	e->uncovered = 0;
	if (e->is_deferred)
		set_context(e, &e->deferred);
	e->is_deferred = false;
}

static void sync(struct etm *e)
{
	unsigned int period = e->config.syncpr & SYNCPR_PERIOD;

	packets_sync(&e->packets);
	e->stats.syncs++;
	e->sync_at = period ? e->stats.bytes + (1ull << period) : UINT64_MAX;
	e->synced = true;
	retstack_clear(&e->retstack);
	e->context_due = true;
	e->ts_due = e->config.configr & CONFIGR_TS;
}

static void timestamp(struct etm *e)
{
	e->ts_due = false;
	packets_timestamp(&e->packets, e->ops.now(e->ctx),
			  e->config.configr & CONFIGR_CCI && !e->cycles_unknown,
			  e->cycles);
}

static void say_address(struct etm *e, uint64_t addr)
{
	packets_address(&e->packets, addr, e->context_due ? &e->context : NULL);
	e->context_due = false;
	if (e->need == NEED_ERET)
		packets_exception_return(&e->packets);
	e->need = NEED_NOTHING;
}

/* A block starts at addr, and its first instruction is traced. */
static void open_block(struct etm *e, uint64_t addr)
{
	/*
	 * An ERET's packets belong together; the sync is then at the next
	 * block.
	 */
	bool can_sync = !e->on || e->need != NEED_ERET;
	bool address = false;

	if (!e->synced || (can_sync && e->stats.bytes >= e->sync_at)) {
		sync(e);
		address = true;
	}
	if (!e->on) {
		packets_trace_on(&e->packets);
		retstack_clear(&e->retstack);
		e->cycles_unknown = true;
		e->context_due = true;
		e->ts_due = e->config.configr & CONFIGR_TS;
		e->on = true;
		address = true;
	}

	if (!address && e->need == NEED_INDIRECT &&
	    retstack_match(&e->retstack, addr))
		e->need = NEED_NOTHING;
	if (address || e->need)
		say_address(e, addr);
	if (e->context_due)
		packets_context(&e->packets, &e->context);
	e->context_due = false;
	if (e->ts_due)
		timestamp(e);
	e->open = true;
}

static void turn_off(struct etm *e)
{
	if (!e->on)
		return;
	packets_flush(&e->packets);
	if (e->need == NEED_ERET)
		packets_exception_return(&e->packets);
	off(e);
}

void etm_disable(struct etm *e)
{
	uint64_t uncovered = e->uncovered;

	if (!e->enabled)
		return;
	turn_off(e);
	e->enabled = false;
	e->uncovered = uncovered;
}

bool etm_enabled(const struct etm *e)
{
	return e->enabled;
}

void etm_flush(struct etm *e)
{
	packets_flush(&e->packets);
}

void etm_overflow(struct etm *e, unsigned int lost)
{
	e->overflow = e->enabled;
	e->lost = lost;
}

/* Between two blocks. */
static void overflow(struct etm *e)
{
	e->overflow = false;
	if (!e->synced)
		return;
	packets_overflow(&e->packets);
	e->stats.overflows++;
	e->synced = false;
	off(e);
}

static void events(struct etm *e)
{
	unsigned int active = 0, fire, i;

	for (i = 0; i < ETM_EVENTS; i++)
		if (resources_event(&e->resources,
				    e->config.eventctl0r >> (8 * i) & 0xff))
			active |= 1u << i;
	fire = active & ~e->active_events;
	e->active_events = active;

	for (i = 0; i < ETM_EVENTS; i++)
		if (fire >> i & 1 && e->ops.event)
			e->ops.event(e->ctx, i);
	fire &= EVENTCTL1R_INSTEN(e->config.eventctl1r);
	if (!fire || e->lost)
		return;
	if (!e->synced)
		sync(e);
	packets_event(&e->packets, fire);
}

/* Whether the filters let this instruction through. */
static bool filters(struct etm *e, uint64_t addr)
{
	bool active;

	if (e->simple)
		return e->simple_active && e->viewinst.level;
	resources_step(&e->resources, addr, &e->context);
	active = viewinst_step(&e->viewinst, &e->resources);
	events(e);
	if (e->config.configr & CONFIGR_TS &&
	    resources_event(&e->resources, e->config.tsctlr & 0xff))
		e->ts_due = true;
	return active;
}

static bool broadcast(const struct etm *e)
{
	uint32_t bbctlr = e->config.bbctlr;
	bool in_range = bbctlr & BBCTLR_RANGES & e->resources.range;

	return e->config.configr & CONFIGR_BB &&
	       in_range == !!(bbctlr & BBCTLR_INCLUDE);
}

static void taken(struct etm *e, const struct a64_insn *insn, uint64_t addr)
{
	bool rs = e->config.configr & CONFIGR_RS;

	if (insn->link && rs)
		retstack_push(&e->retstack, addr + 4);
	if (insn->kind == A64_ERET)
		e->need = NEED_ERET;
	else if (insn->kind == A64_INDIRECT)
		e->need = insn->link || !rs || broadcast(e) ? NEED_LINK :
							      NEED_INDIRECT;
	else if (insn->kind == A64_DIRECT && broadcast(e))
		e->need = NEED_BROADCAST;
}

static void cycle_count(struct etm *e)
{
	if (!(e->config.configr & CONFIGR_CCI) ||
	    e->cycles < (e->config.ccctlr & CCCTLR_THRESHOLD))
		return;
	packets_cycles(&e->packets, e->cycles_unknown, e->cycles);
	e->cycles = 0;
	e->cycles_unknown = false;
}

/* A P0 element ends the block. */
static void atom(struct etm *e, const struct a64_insn *insn, uint64_t addr,
		 uint64_t next)
{
	bool direct = insn->kind == A64_DIRECT;
	bool is_e = !direct || next == insn->target;

	packets_atom(&e->packets, is_e);
	if (direct)
		e->expect = is_e ? insn->target : addr + 4;
	else if (insn->kind != A64_ISB)
		e->expect = next;
	if (is_e)
		taken(e, insn, addr);
	cycle_count(e);
	close_block(e);
}

/* The counter stays at its greatest value. */
static void tick(struct etm *e)
{
	if (e->cycles == CC_MAX)
		e->cycles_unknown = true;
	else
		e->cycles++;
}

bool etm_executed(struct etm *e, uint64_t addr, uint32_t opcode, uint64_t next)
{
	struct a64_insn insn;
	bool traced, p0;

	if (!e->enabled)
		return false;
	if (e->on && addr != e->expect) {
		e->stats.gaps++;
		turn_off(e);
	}
	if (e->overflow && !e->open)
		overflow(e);

	traced = filters(e, addr) || e->open;
	if (e->lost && !e->overflow) {
		e->lost--;
		traced = false;
	}
	p0 = a64_p0(addr, opcode, &insn);
	if (!traced) {
		turn_off(e);
		tick(e);
		return false;
	}

	if (!e->open)
		open_block(e, addr);
	tick(e);
	e->uncovered++;
	e->stats.traced++;
	e->expect = addr + 4;
	if (p0)
		atom(e, &insn, addr, next);
	return true;
}

/*
 * An exception straight after a branch that has no address packet yet. That
 * its own address says both is only for where no return stack is in use, as a
 * decoder may take an entry off it here.
 */
static bool after_branch(struct etm *e, uint64_t addr)
{
	switch (e->need) {
	case NEED_NOTHING:
		return false;
	case NEED_BROADCAST: /* the exception's address will do */
		e->need = NEED_NOTHING;
		return false;
	case NEED_INDIRECT:
		if (retstack_match(&e->retstack, addr))
			e->need = NEED_NOTHING;
		else
			say_address(e, addr);
		return false;
	case NEED_LINK:
		if (!(e->config.configr & CONFIGR_RS))
			return true;
		say_address(e, addr);
		return false;
	case NEED_ERET:
		say_address(e, addr);
		return false;
	case NEED_EXCEPTION:
		break;
	}
	return true;
}

void etm_exception(struct etm *e, enum etm_exception_type type,
		   uint64_t preferred_return, uint64_t vector,
		   const struct etm_context *after)
{
	bool branched;

	if (!e->enabled)
		return;
	if (e->on && preferred_return != e->expect) {
		e->stats.gaps++;
		turn_off(e);
	}
	if (e->overflow && !e->open)
		overflow(e);
	/* Where the branch led to is not traced, so this is not either. */
	if (e->on && !e->open && !e->viewinst.level)
		turn_off(e);
	if (e->on) {
		branched = after_branch(e, preferred_return);
		packets_exception(&e->packets, type, branched, preferred_return,
				  e->context_due ? &e->context : NULL);
		e->context_due = false;
		e->need = NEED_EXCEPTION;
		e->expect = vector;
	}
	close_block(e);
	set_context(e, after);
}

void etm_context(struct etm *e, const struct etm_context *context)
{
	if (!e->enabled)
		return;
	if (e->open) {
		e->deferred = *context;
		e->is_deferred = true;
	} else {
		set_context(e, context);
	}
}

const struct etm_context *etm_traced_context(const struct etm *e)
{
	return &e->context;
}

uint64_t etm_uncovered(const struct etm *e)
{
	return e->uncovered;
}

const struct etm_stats *etm_get_stats(const struct etm *e)
{
	return &e->stats;
}

uint32_t etm_sequencer(const struct etm *e)
{
	return e->resources.state;
}

uint32_t etm_counter(const struct etm *e, unsigned int n)
{
	return e->resources.counter[n];
}

bool etm_started(const struct etm *e)
{
	return e->viewinst.started;
}
