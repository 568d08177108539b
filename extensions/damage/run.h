/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DAMAGE_RUN_H
#define DAMAGE_RUN_H

#include <stdio.h>

#include "damage/inject.h"
#include "ftrace/dump.h"

/* What the runs of ftdump have in common, with and without damage. */
struct dmg_run {
	struct dmg_memory memory;
	struct dmg_sites sites;
	FILE *out;  /* for reports */
	FILE *null; /* for what ftdump would print */
	/* What ftdump told the user. */
	struct diag diag;
	uint64_t lines;
	bool verbose; /* show it */
};

/* How one run of ftdump ended. */
struct dmg_result {
	enum err err;
	struct ft_totals totals;
	uint64_t lines; /* told */
	uint64_t steps; /* reads */
};

/*
 * Learn what ftdump reads, from a run that lists and one that writes a file to
 * @path. Returns how they ended. Needs dmg_run_deinit() in any case.
 */
enum err dmg_run_init(struct dmg_run *run, const struct vmcore *real,
		      const char *path, FILE *out, struct dmg_result *result);
void dmg_run_deinit(struct dmg_run *run);

/* As "ftdump -f PATH" does it. */
void dmg_save(struct dmg_run *run, const char *path, struct dmg_result *result);
/* As "ftdump -l" does it, and "ftdump -r", which only must survive. */
void dmg_list(struct dmg_run *run, struct dmg_result *result);

#endif
