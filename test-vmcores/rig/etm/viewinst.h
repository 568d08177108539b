/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The ViewInst function: which instructions the filters let through. */
#ifndef VIEWINST_H
#define VIEWINST_H

#include "resources.h"

struct viewinst {
	const struct etm_config *config;
	bool started; /* the start/stop control */
	bool level;   /* exception level and security state pass */
};

void viewinst_init(struct viewinst *v, const struct etm_config *config);
/* To be told of each change. */
void viewinst_context(struct viewinst *v, const struct etm_context *context);
/*
 * Once for each instruction, after its resources_step(). A start and a stop
 * address are both inside.
 */
bool viewinst_step(struct viewinst *v, const struct resources *r);
/*
 * Whether the step can be left out, as nothing but the exception level can
 * change what is traced. Then *active is what goes with every permitted level.
 */
bool viewinst_simple(const struct viewinst *v, bool *active);

#endif
