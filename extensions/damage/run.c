// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>

#include "damage/run.h"
#include "ftrace/newest.h"
#include "tracedat/save.h"
#include "views/ftlist.h"
#include "views/ftreport.h"

static void heard(void *ctx, const char *text)
{
	struct dmg_run *run = ctx;

	run->lines++;
	if (run->verbose)
		fprintf(run->out, "  ftdump: %s\n", text);
}

static void unheard(void *ctx, const char *text)
{
	(void)ctx;
	(void)text;
}

static void begin(struct dmg_run *run, struct dmg_result *result)
{
	memset(result, 0, sizeof(*result));
	run->lines = 0;
	run->memory.steps = 0;
}

static void end(struct dmg_run *run, struct dmg_result *result)
{
	result->lines = run->lines;
	result->steps = run->memory.steps;
}

static enum err save(const struct ft_dump *dump, const char *path,
		     struct ft_totals *totals)
{
	struct outfile out;
	enum err err = out_create(&out, path, true);

	if (err == ERR_NONE)
		err = td_save(dump, &out, totals);
	if (err == ERR_NONE)
		err = out_commit(&out);
	out_abort(&out);
	return err;
}

void dmg_save(struct dmg_run *run, const char *path, struct dmg_result *result)
{
	struct ft_dump dump;

	begin(run, result);
	result->err = ft_dump_init(&dump, &run->memory.vm, &run->diag);
	if (result->err == ERR_NONE) {
		result->err = save(&dump, path, &result->totals);
		ft_dump_deinit(&dump);
	}
	end(run, result);
}

/* Printing all of a sample's events would take longer than all the rest. */
#define REPORTED 2000

/* What is printed of it, or why nothing is: it only must not do harm. */
static void report(const struct ft_dump *dump, FILE *out)
{
	struct ft_filter filter = { .newest = REPORTED };
	const struct diag quiet = { .line = unheard };
	struct ft_report_result result;
	struct ft_dump copy = *dump;

	copy.diag = &quiet;
	copy.filter = &filter;
	if (ft_filter_find_newest(&filter, &copy) == ERR_NONE)
		ft_report(&copy, out, &result);
}

void dmg_list(struct dmg_run *run, struct dmg_result *result)
{
	struct ft_dump dump;

	begin(run, result);
	result->err = ft_dump_init(&dump, &run->memory.vm, &run->diag);
	if (result->err == ERR_NONE) {
		result->err = ft_list(&dump, run->null, &result->totals);
		if (result->err == ERR_NONE)
			report(&dump, run->null);
		ft_dump_deinit(&dump);
	}
	end(run, result);
}

enum err dmg_run_init(struct dmg_run *run, const struct vmcore *real,
		      const char *path, FILE *out, struct dmg_result *result)
{
	struct ft_layout layout;

	memset(run, 0, sizeof(*run));
	run->out = out;
	run->diag = (struct diag){ .line = heard, .ctx = run };
	dmg_memory_init(&run->memory, real);
	run->null = fopen("/dev/null", "w");
	if (!run->null)
		return ERR_IO;
	run->memory.learning = true;
	dmg_list(run, result);
	if (result->err == ERR_NONE)
		dmg_save(run, path, result);
	run->memory.learning = false;
	if (result->err == ERR_NONE)
		result->err =
			ft_layout_probe(&layout, &run->memory.vm, &run->diag);
	if (result->err == ERR_NONE)
		dmg_sites_init(&run->sites, &run->memory, &layout);
	return result->err;
}

void dmg_run_deinit(struct dmg_run *run)
{
	dmg_sites_deinit(&run->sites);
	dmg_memory_deinit(&run->memory);
	if (run->null)
		fclose(run->null);
}
