// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "configr.h"
#include "idregs.h"
#include "resources.h"

enum group {
	GROUP_EXTERNAL = 0,
	GROUP_PE = 1,
	GROUP_COUNTER_SEQUENCER = 2,
	GROUP_SINGLE_SHOT = 3,
	GROUP_ADDRESS = 4,
	GROUP_RANGE = 5,
	GROUP_CONTEXTID = 6,
	GROUP_VMID = 7,
};

/* Resources that are there without a selector. */
#define ALWAYS_FALSE 0
#define ALWAYS_TRUE  1

void resources_init(struct resources *r, const struct etm_config *config)
{
	unsigned int i;

	memset(r, 0, sizeof(*r));
	r->config = config;
	for (i = 0; i < ETM_COUNTERS; i++)
		r->counter[i] = config->cntvr[i];
	r->state = config->seqstr & 3;
}

/* One bit of mask for each byte that does not matter. */
static bool id_matches(uint64_t want, uint32_t have, unsigned int mask)
{
	unsigned int i;

	for (i = 0; i < 4; i++)
		if (!(mask >> i & 1) && (want ^ have) >> (8 * i) & 0xff)
			return false;
	return true;
}

static void match_ids(struct resources *r, const struct etm_context *c)
{
	const struct etm_config *cfg = r->config;

	/* One comparator each, as the ID registers say. */
	r->contextids =
		id_matches(cfg->cidcvr[0], c->contextid, cfg->cidcctlr0 & 0xff);
	r->vmids = id_matches(cfg->vmidcvr[0], c->vmid, cfg->vmidcctlr0 & 0xff);
}

/* The conditions of TRCACATRn, all but the address. */
static bool attributes_match(const struct resources *r, uint64_t acatr,
			     const struct etm_context *c)
{
	unsigned int excluded = c->ns ? ACATR_EXLEVEL_NS(acatr) :
					ACATR_EXLEVEL_S(acatr);
	unsigned int n = ACATR_CONTEXT(acatr);

	if (ACATR_TYPE(acatr) != 0 || excluded >> c->el & 1)
		return false;
	if (ACATR_CONTEXTTYPE(acatr) & 1 && !(r->contextids >> n & 1))
		return false;
	if (ACATR_CONTEXTTYPE(acatr) & 2 && !(r->vmids >> n & 1))
		return false;
	return true;
}

static void match_addresses(struct resources *r, uint64_t addr,
			    const struct etm_context *c)
{
	const struct etm_config *cfg = r->config;
	unsigned int i;

	r->single = 0;
	r->range = 0;
	for (i = 0; i < ETM_ADDRESS_PAIRS; i++) {
		uint64_t low = cfg->acvr[2ul * i], high = cfg->acvr[2ul * i + 1];
		bool inside = low <= addr && addr <= high;

		if (!inside && addr != low && addr != high)
			continue;
		if (!attributes_match(r, cfg->acatr[2ul * i], c)) {
			inside = false;
			low = addr + 1;
		}
		if (!attributes_match(r, cfg->acatr[2 * i + 1], c)) {
			inside = false;
			high = addr + 1;
		}
		if (addr == low)
			r->single |= 1u << (2 * i);
		if (addr == high)
			r->single |= 2u << (2 * i);
		if (inside)
			r->range |= 1u << i;
	}
}

static void match_single_shots(struct resources *r)
{
	uint32_t ssccr = r->config->ssccr[0];
	bool again = ssccr & SSCCR_RST;

	r->shots = 0;
	if (r->shots_fired && !again)
		return;
	if (r->single & SSCCR_SAC(ssccr) || r->range & SSCCR_ARC(ssccr)) {
		r->shots = 1;
		r->shots_fired = 1;
	}
}

static bool selected(const struct resources *r, uint32_t rsctlr)
{
	unsigned int i, active;

	switch (RSCTLR_GROUP(rsctlr)) {
	case GROUP_COUNTER_SEQUENCER:
		active = 0;
		for (i = 0; i < ETM_COUNTERS; i++)
			active |= (r->counter[i] == 0) << i;
		active |= 0x10u << r->state;
		break;
	case GROUP_SINGLE_SHOT:
		active = r->shots;
		break;
	case GROUP_ADDRESS:
		active = r->single;
		break;
	case GROUP_RANGE:
		active = r->range;
		break;
	case GROUP_CONTEXTID:
		active = r->contextids;
		break;
	case GROUP_VMID:
		active = r->vmids;
		break;
	default: /* no external or PE input is ever active */
		active = 0;
		break;
	}
	return active & RSCTLR_SELECT(rsctlr);
}

static bool resource(const struct resources *r, unsigned int n)
{
	uint32_t rsctlr;

	if (n == ALWAYS_FALSE || n == ALWAYS_TRUE || n >= ETM_SELECTORS)
		return n == ALWAYS_TRUE;
	rsctlr = r->config->rsctlr[n];
	return selected(r, rsctlr) ^ !!(rsctlr & RSCTLR_INV);
}

bool resources_event(const struct resources *r, unsigned int selector)
{
	unsigned int n = EVENT_SEL(selector);
	bool either;

	if (!(selector & EVENT_PAIR))
		return resource(r, n);
	n = (n & 0xf) * 2;
	either = resource(r, n) || resource(r, n + 1);
	if (n >= ETM_SELECTORS || n == 0)
		return either;
	return either ^ !!(r->config->rsctlr[n] & RSCTLR_PAIRINV);
}

bool resources_event_fixed(unsigned int selector)
{
	unsigned int n = EVENT_SEL(selector);

	return selector & EVENT_PAIR ? (n & 0xf) == 0 : n <= ALWAYS_TRUE;
}

static void step_counters(struct resources *r)
{
	const struct etm_config *cfg = r->config;
	bool chain = false;
	unsigned int i;

	for (i = 0; i < ETM_COUNTERS; i++) {
		uint32_t ctl = cfg->cntctlr[i];
		bool counts = resources_event(r, CNTCTLR_CNTEVENT(ctl));
		bool reloads = resources_event(r, CNTCTLR_RLDEVENT(ctl));

		if (ctl & CNTCTLR_CNTCHAIN)
			counts = counts && chain;
		if (counts && r->counter[i] == 0 && ctl & CNTCTLR_RLDSELF)
			reloads = true;
		if (reloads)
			r->counter[i] = cfg->cntrldvr[i];
		else if (counts && r->counter[i])
			r->counter[i]--;
		chain = reloads;
	}
}

static void step_sequencer(struct resources *r)
{
	const struct etm_config *cfg = r->config;
	unsigned int s = r->state;

	if (resources_event(r, cfg->seqrstevr & 0xff))
		r->state = 0;
	else if (s < 3 && resources_event(r, cfg->seqevr[s] & 0xff))
		r->state++;
	else if (s > 0 && resources_event(r, cfg->seqevr[s - 1] >> 8 & 0xff))
		r->state--;
}

void resources_step(struct resources *r, uint64_t addr,
		    const struct etm_context *context)
{
	match_ids(r, context);
	match_addresses(r, addr, context);
	match_single_shots(r);
	step_counters(r);
	step_sequencer(r);
}
