/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DAMAGE_INJECT_H
#define DAMAGE_INJECT_H

#include <stdio.h>

#include "damage/sites.h"

/* Numbers that depend on nothing but the seed. */
struct dmg_rng {
	uint64_t state;
};

uint64_t dmg_random(struct dmg_rng *rng);
/* Below @n, which is not 0. */
uint64_t dmg_below(struct dmg_rng *rng, uint64_t n);

/*
 * Damage some places of the classes in @classes, a bit each: mostly one to
 * three, at times dozens. What was done is told to @log.
 */
void dmg_inject(struct dmg_memory *m, const struct dmg_sites *sites,
		unsigned int classes, struct dmg_rng *rng, FILE *log);

#endif
