// SPDX-License-Identifier: GPL-2.0-or-later
#include "configr.h"
#include "viewinst.h"

void viewinst_init(struct viewinst *v, const struct etm_config *config)
{
	v->config = config;
	v->started = config->victlr & VICTLR_SSSTATUS;
	v->level = false;
}

void viewinst_context(struct viewinst *v, const struct etm_context *context)
{
	uint32_t victlr = v->config->victlr;
	unsigned int excluded = context->ns ? VICTLR_EXLEVEL_NS(victlr) :
					      VICTLR_EXLEVEL_S(victlr);

	v->level = !(excluded >> context->el & 1);
}

static bool in_ranges(const struct viewinst *v, const struct resources *r)
{
	unsigned int include = VIIECTLR_INCLUDE(v->config->viiectlr);

	if (include && !(include & r->range))
		return false;
	return !(VIIECTLR_EXCLUDE(v->config->viiectlr) & r->range);
}

bool viewinst_step(struct viewinst *v, const struct resources *r)
{
	uint32_t vissctlr = v->config->vissctlr;
	bool active;

	if (VISSCTLR_START(vissctlr) & r->single)
		v->started = true;
	active = v->started && v->level && in_ranges(v, r) &&
		 resources_event(r, v->config->victlr & VICTLR_EVENT);
	if (VISSCTLR_STOP(vissctlr) & r->single)
		v->started = false;
	return active;
}

bool viewinst_simple(const struct viewinst *v, bool *active)
{
	const struct etm_config *config = v->config;
	unsigned int event = config->victlr & VICTLR_EVENT;
	struct resources none = { .config = config };

	if (config->viiectlr || config->vissctlr ||
	    !resources_event_fixed(event))
		return false;
	*active = v->started && resources_event(&none, event);
	return true;
}
