/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The ETM's comparators, counters and sequencer, and the resource selectors
 * that name them. A step is one instruction.
 */
#ifndef RESOURCES_H
#define RESOURCES_H

#include "etm.h"

struct resources {
	const struct etm_config *config;
	/* what matches the instruction of this step, a bit each */
	uint16_t single;
	uint8_t range;
	uint8_t contextids;
	uint8_t vmids;
	uint8_t shots;

	uint8_t shots_fired;
	uint16_t counter[ETM_MAX_COUNTERS];
	unsigned int state; /* of the sequencer */
};

void resources_init(struct resources *r, const struct etm_config *config);
void resources_step(struct resources *r, uint64_t addr,
		    const struct etm_context *context);
/* Whether the event with this 8-bit selector is active. */
bool resources_event(const struct resources *r, unsigned int selector);
/*
 * Whether the event is the same at every instruction: always or never active.
 */
bool resources_event_fixed(unsigned int selector);

#endif
