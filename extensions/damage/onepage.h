/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DAMAGE_ONEPAGE_H
#define DAMAGE_ONEPAGE_H

#include "damage/run.h"

struct dmg_onepage_options {
	uint64_t seed;
	/*
	 * A folder of our own. whole.dat is the file without damage. Of each
	 * so many'th page, a file of the dump without that page is left there
	 * as N.dat, and "lost N.dat BUFFER CPU EVENTS FIRST LAST" told: how
	 * many events were on it, and their times.
	 */
	const char *dir;
	uint64_t keep; /* 0: none */
	bool verbose;
};

/*
 * Damage one sub-buffer at a time, each in many ways, and hold the walk over
 * its ring to this: every other page's events come as without damage, and
 * either this page is counted as lost, or it is whole, in the time order of
 * its neighbours, as far as anything on it can tell. Where its time contradicts
 * a neighbour's and nothing tells which of them is wrong, either one may be the
 * one that is lost; such cases are counted.
 *
 * Tells what fails; the last line begins with "ftdamage: ". Returns how many
 * failed.
 */
uint64_t dmg_onepage(const struct vmcore *real,
		     const struct dmg_onepage_options *opt, FILE *out);

#endif
