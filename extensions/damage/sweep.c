// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "damage/filecheck.h"
#include "damage/sweep.h"

/* Reads of a damaged dump, as a multiple of those of the whole one. */
#define MAX_STEPS 4
/* Memory over what the process had before, bytes. */
#define MAX_MEMORY (32ul << 20)
/*
 * What may stay allocated after a run, and after all of them. malloc() counts
 * the freed chunks that it caches.
 */
#define MAX_LEFT     (16ul << 10)
#define MAX_LEFT_ALL (64ul << 10)
/* CPU time of a case; then SIGPROF ends the process. */
#define MAX_SECONDS 10

struct sweep {
	const struct dmg_sweep_options *opt;
	struct dmg_run run;
	struct dmg_result base;
	struct dmg_file base_file;
	char *path; /* of the file that the cases write */
	char *seed_path;
	/* Sums. */
	uint64_t failed, told, refused, unharmed;
	uint64_t torn, missing, broken, formats;
	uint64_t most_steps;
	size_t allocated; /* bytes, before the first case */
	size_t most_memory;
};

static size_t status_bytes(const char *key)
{
	FILE *f = fopen("/proc/self/status", "r");
	size_t len = strlen(key), kb = 0;
	char line[256];

	while (f && fgets(line, sizeof(line), f))
		if (!strncmp(line, key, len))
			kb = strtoul(line + len, NULL, 10);
	if (f)
		fclose(f);
	return kb << 10;
}

/* From now on VmHWM is the peak of what follows. */
static void forget_peak(void)
{
	FILE *f = fopen("/proc/self/clear_refs", "w");

	if (f) {
		fputs("5", f);
		fclose(f);
	}
}

static size_t allocated(void)
{
	struct mallinfo2 mi = mallinfo2();

	return mi.uordblks + mi.hblkhd;
}

static void limit_cpu_time(int seconds)
{
	struct itimerval t = { .it_value.tv_sec = seconds };

	setitimer(ITIMER_PROF, &t, NULL);
}

static bool write_seed(const struct sweep *s, uint64_t seed)
{
	FILE *f = fopen(s->seed_path, "w");

	if (!f)
		return false;
	fprintf(f, "%" PRIu64 "\n", seed);
	return fclose(f) == 0;
}

static bool lost(const struct ft_totals *t, const struct ft_totals *base)
{
	return t->torn > base->torn || t->missing > base->missing ||
	       t->broken > base->broken || t->formats > base->formats;
}

/*
 * Less than there is, and nobody was told? Damage that leaves everything sound
 * is no loss: another time in an event, another letter in a name. Nor can be
 * seen that a task's name is missing, or a symbol: the tables of both have
 * slots that are stale, or of the same value as others, without any damage.
 */
static const char *silent_loss(const struct sweep *s, const struct dmg_result *r,
			       const struct dmg_file *f)
{
	const unsigned int leads_to_pages = 1u << DMG_DATA | 1u << DMG_RING |
					    1u << DMG_ARRAY | 1u << DMG_LINK;
	const struct dmg_file *b = &s->base_file;

	if (r->lines > s->base.lines || lost(&r->totals, &s->base.totals))
		return NULL;
	if (f->buffers < b->buffers)
		return "a buffer less, and nothing told";
	if (f->pages < b->pages)
		return "fewer pages, and nothing told";
	if (f->lines[DMG_FORMATS] < b->lines[DMG_FORMATS])
		return "fewer formats, and nothing told";
	if (f->lines[DMG_PRINTK] < b->lines[DMG_PRINTK])
		return "fewer printk formats, and nothing told";
	if (f->hash != b->hash &&
	    !(dmg_sites_touched(&s->run.sites, &s->run.memory) & leads_to_pages))
		return "other events, and nothing told";
	return NULL;
}

/* What is wrong with how a case went; NULL: nothing. */
static const char *judge(struct sweep *s, const struct dmg_result *saved,
			 const struct dmg_result *listed, struct dmg_file *f)
{
	const struct ft_totals *t = &saved->totals, *l = &listed->totals;

	if (saved->err == ERR_NOMEM || listed->err == ERR_NOMEM)
		return "out of memory";
	if (saved->err == ERR_INTERRUPTED || listed->err == ERR_INTERRUPTED)
		return "no end of reading";
	if (saved->err != ERR_NONE)
		return access(s->path, F_OK) == 0 ? "a file of a failed run" :
						    NULL;
	if (!dmg_file_init(f, s->path, &s->base_file))
		return f->fault;
	if (f->events != t->events || f->pages != t->pages)
		return "the file has not the events that were told";
	if (f->backwards > t->torn)
		return "time runs backwards, and nothing told";
	if (listed->err != ERR_NONE)
		return "saved, but cannot be listed";
	if (t->events != l->events || t->pages != l->pages ||
	    t->torn != l->torn || t->missing != l->missing)
		return "-l tells of other pages than the file has";
	return silent_loss(s, saved, f);
}

static void count(struct sweep *s, const struct dmg_result *r,
		  const struct dmg_file *f)
{
	const struct ft_totals *t = &r->totals;

	if (r->err != ERR_NONE)
		s->refused++;
	else if (r->lines > s->base.lines || lost(t, &s->base.totals))
		s->told++;
	else if (f->hash == s->base_file.hash)
		s->unharmed++;
	s->torn += t->torn > 0;
	s->missing += t->missing > 0;
	s->broken += t->broken > 0;
	s->formats += t->formats > 0;
}

static void keep_file(const struct sweep *s, uint64_t seed)
{
	char *name;

	if (!s->opt->keep || seed % s->opt->keep)
		return;
	if (asprintf(&name, "%s/%" PRIu64 ".dat", s->opt->dir, seed) < 0)
		abort();
	rename(s->path, name);
	free(name);
}

static void try_seed(struct sweep *s, uint64_t seed)
{
	struct dmg_rng rng = { seed };
	struct dmg_result saved, listed;
	struct dmg_file f = { 0 };
	size_t before, left, rss, peak;
	const char *why;

	dmg_heal(&s->run.memory);
	if (s->opt->verbose)
		fprintf(s->run.out, "seed %" PRIu64 ":\n", seed);
	dmg_inject(&s->run.memory, &s->run.sites, s->opt->classes, &rng,
		   s->opt->verbose ? s->run.out : s->run.null);
	unlink(s->path);

	malloc_trim(0);
	rss = status_bytes("VmRSS:");
	forget_peak();
	before = allocated();
	limit_cpu_time(MAX_SECONDS);
	dmg_save(&s->run, s->path, &saved);
	dmg_list(&s->run, &listed);
	left = allocated();
	peak = status_bytes("VmHWM:");
	peak = peak > rss ? peak - rss : 0;
	why = judge(s, &saved, &listed, &f);
	limit_cpu_time(0);

	if (!why && peak > MAX_MEMORY)
		why = "too much memory";
	if (!why && left > before + MAX_LEFT)
		why = "memory leaked";
	if (saved.steps > s->most_steps)
		s->most_steps = saved.steps;
	if (peak > s->most_memory)
		s->most_memory = peak;
	count(s, &saved, &f);
	if (why || s->opt->verbose) {
		const struct ft_totals *t = &saved.totals;

		fprintf(s->run.out,
			"%s seed %" PRIu64 ": %s; %s, %" PRIu64
			" pages, %" PRIu64 " torn, %" PRIu64 " missing, %" PRIu64
			" formats lost, %" PRIu64 " damaged lists, %" PRIu64
			" lines, %" PRIu64 " reads, %zu KiB, %zd bytes left\n",
			why ? "FAIL" : "PASS", seed, why ? why : "as it must",
			saved.err == ERR_NONE ? "saved" : err_str(saved.err),
			t->pages, t->torn, t->missing, t->formats, t->broken,
			saved.lines, saved.steps, peak >> 10,
			(ssize_t)(left - before));
		fflush(s->run.out);
	}
	s->failed += why != NULL;
	dmg_file_deinit(&f);
	keep_file(s, seed);
}

static bool begin(struct sweep *s, const struct vmcore *real, FILE *out)
{
	enum err err;

	if (asprintf(&s->path, "%s/trace.dat", s->opt->dir) < 0 ||
	    asprintf(&s->seed_path, "%s/seed", s->opt->dir) < 0)
		abort();
	err = dmg_run_init(&s->run, real, s->path, out, &s->base);
	if (err != ERR_NONE) {
		fprintf(out, "ftdamage: without damage: %s\n", err_str(err));
		return false;
	}
	if (!dmg_file_init(&s->base_file, s->path, NULL)) {
		fprintf(out, "ftdamage: without damage: %s\n",
			s->base_file.fault);
		return false;
	}
	s->run.verbose = s->opt->verbose;
	s->run.memory.limit = MAX_STEPS * s->base.steps;
	s->allocated = allocated();
	if (s->opt->verbose)
		for (int c = 0; c < DMG_CLASSES; c++)
			fprintf(out, "%zu places of %s\n",
				s->run.sites.count[c], dmg_class_names[c]);
	return true;
}

uint64_t dmg_sweep(const struct vmcore *real,
		   const struct dmg_sweep_options *opt, FILE *out)
{
	struct sweep s = { .opt = opt };
	uint64_t seed = opt->first, end = opt->first + opt->count;

	if (begin(&s, real, out)) {
		for (; seed < end && !vm_interrupted(real); seed++) {
			if (!write_seed(&s, seed)) {
				fprintf(out, "ftdamage: cannot write %s\n",
					s.seed_path);
				break;
			}
			try_seed(&s, seed);
		}
		unlink(s.path);
		unlink(s.seed_path);
		dmg_heal(&s.run.memory);
		if (allocated() > s.allocated + MAX_LEFT_ALL) {
			fprintf(out, "FAIL all seeds: %zu bytes leaked\n",
				allocated() - s.allocated);
			s.failed++;
		}
		fprintf(out,
			"ftdamage: %" PRIu64 " cases, %" PRIu64
			" failed; %" PRIu64 " told, %" PRIu64
			" refused, %" PRIu64 " unharmed; torn in %" PRIu64
			", missing in %" PRIu64 ", lists in %" PRIu64
			", formats in %" PRIu64 "; %" PRIu64 " reads of %" PRIu64
			" without damage, %zu KiB at most\n",
			seed - opt->first, s.failed, s.told, s.refused,
			s.unharmed, s.torn, s.missing, s.broken, s.formats,
			s.most_steps, s.base.steps, s.most_memory >> 10);
	}
	s.failed += seed < end;
	dmg_file_deinit(&s.base_file);
	dmg_run_deinit(&s.run);
	free(s.path);
	free(s.seed_path);
	return s.failed;
}
