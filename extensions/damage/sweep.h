/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DAMAGE_SWEEP_H
#define DAMAGE_SWEEP_H

#include "damage/run.h"

struct dmg_sweep_options {
	uint64_t first, count; /* seeds */
	unsigned int classes;  /* to damage, a bit each */
	/*
	 * A folder of our own. The seed that is tried stands in its file
	 * "seed": where the process dies, it is known of what.
	 */
	const char *dir;
	uint64_t keep; /* leave each so many'th case's file there; 0: none */
	bool verbose;
};

/*
 * Try the seeds, tell of those that fail, and sum up. The last line begins
 * with "ftdamage: ". Returns how many failed.
 */
uint64_t dmg_sweep(const struct vmcore *real,
		   const struct dmg_sweep_options *opt, FILE *out);

#endif
