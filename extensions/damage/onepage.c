// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <traceevent/kbuffer.h>

#include "damage/onepage.h"
#include "damage/pagekinds.h"

#define COMMIT	    8u
#define HEADER	    16u
#define COMMIT_MASK 0x3fffffffull
#define MISSED	    (1ull << 31)
/*
 * The kernel counts an event before it is committed; so many may be missing
 * from what it counted, and no damage shows by that.
 */
#define MAX_NEST 5

/* What a walk over one CPU's ring gave. */
struct pages {
	uint8_t *bytes; /* of all pages, one after another; owned */
	size_t nr, room;
	size_t size; /* of each, bytes */
	struct ft_cpu_stats stats;
};

struct onepage {
	const struct dmg_onepage_options *opt;
	struct dmg_run run;
	struct kbuffer *kbuf;
	/* The ring in hand. */
	struct ft_ring ring;
	const char *label;
	uint32_t cpu;
	struct pages base, now;
	/* Sums. */
	uint64_t pages, cases, dropped, kept, undecided, failed;
	uint64_t kind_cases[PAGE_KINDS], kind_kept[PAGE_KINDS];
	uint64_t kind_undecided[PAGE_KINDS], kind_failed[PAGE_KINDS];
};

static enum err take(void *arg, const struct ft_page *page)
{
	struct pages *p = arg;

	if (p->nr == p->room) {
		p->room = p->room ? 2 * p->room : 64;
		p->bytes = realloc(p->bytes, p->room * p->size);
		if (!p->bytes)
			abort();
	}
	memcpy(p->bytes + p->nr++ * p->size, page->buf, p->size);
	return ERR_NONE;
}

static enum err walk(const struct onepage *o, struct pages *p)
{
	p->nr = 0;
	if (p->size != o->ring.subbuf_size) {
		p->size = o->ring.subbuf_size;
		p->room = 0;
	}
	return ft_ring_walk(&o->ring, o->cpu, take, p, &p->stats);
}

static uint8_t *page_at(const struct pages *p, size_t i)
{
	return p->bytes + i * p->size;
}

static uint64_t commit_of(const uint8_t *page)
{
	uint64_t commit;

	memcpy(&commit, page + COMMIT, sizeof(commit));
	return commit;
}

/* The same events, whatever was lost before them. */
static bool same_page(const struct pages *a, size_t i, const struct pages *b,
		      size_t k)
{
	const uint8_t *x = page_at(a, i), *y = page_at(b, k);
	uint64_t len = commit_of(x) & COMMIT_MASK;

	return len == (commit_of(y) & COMMIT_MASK) && !memcmp(x, y, COMMIT) &&
	       !memcmp(x + HEADER, y + HEADER, len);
}

/* Events of a page, and their times, as libtraceevent reads it. */
struct span {
	uint64_t events, first, last;
};

static struct span span_of(struct onepage *o, uint8_t *page)
{
	struct span s = { 0 };
	unsigned long long ts;

	if (kbuffer_load_subbuffer(o->kbuf, page) < 0)
		return s;
	memcpy(&s.first, page, sizeof(s.first));
	s.last = s.first;
	for (void *e = kbuffer_read_event(o->kbuf, &ts); e;
	     e = kbuffer_next_event(o->kbuf, &ts)) {
		s.events++;
		s.last = ts;
	}
	return s;
}

/* How many pages are as without damage, from the first one on. */
static size_t same_from_start(const struct onepage *o)
{
	size_t n = 0;

	while (n < o->base.nr && n < o->now.nr &&
	       same_page(&o->base, n, &o->now, n))
		n++;
	return n;
}

static bool same_behind(const struct onepage *o, size_t base, size_t now)
{
	if (o->base.nr - base != o->now.nr - now)
		return false;
	for (; base < o->base.nr; base++, now++)
		if (!same_page(&o->base, base, &o->now, now))
			return false;
	return true;
}

/* Does page @at, if there is one, say that events were lost before it? */
static bool is_marked(const struct onepage *o, size_t at)
{
	return at >= o->now.nr || commit_of(page_at(&o->now, at)) & MISSED;
}

/* Page @at is gone, and only that one. Is that told, and rightly? */
static const char *judge_dropped(const struct onepage *o, size_t at,
				 enum dmg_page_kind kind)
{
	const struct ft_cpu_stats *s = &o->now.stats;
	uint64_t missing = kind == PAGE_MISSING;

	/* Emptied, it shows by the number of events only, if at all. */
	if (!s->torn && !s->missing && s->broken &&
	    !(commit_of(page_at(&o->base, at)) >> 32))
		return NULL;
	if (s->missing != missing || s->torn != 1 - missing)
		return "not counted as one page lost";
	if (s->broken)
		return "the list is told to be damaged";
	if (is_marked(o, at))
		return NULL;
	/* Of two pages that are the same, either one may be the lost one. */
	if ((kind == PAGE_STALE || kind == PAGE_ALIEN) &&
	    (is_marked(o, at + 1) || (at && is_marked(o, at - 1))))
		return NULL;
	return "the next page is not marked";
}

/* Page @at is there, with damage or without; the others are whole. */
static const char *judge_kept(struct onepage *o, size_t at,
			      enum dmg_page_kind kind)
{
	const struct ft_cpu_stats *s = &o->now.stats;
	struct span was = span_of(o, page_at(&o->base, at));
	struct span is = span_of(o, page_at(&o->now, at));

	bool overlaps = at &&
			is.first < span_of(o, page_at(&o->now, at - 1)).last;

	overlaps |= at + 1 < o->now.nr &&
		    is.last > span_of(o, page_at(&o->now, at + 1)).first;
	if (dmg_page_kinds[kind].certain)
		return "taken for whole";
	if (s->missing || s->torn > 1)
		return "counted as lost, but it is there";
	if (overlaps && !s->torn)
		return "its time is wrong, and that is not told";
	if (s->torn) {
		o->undecided++;
		o->kind_undecided[kind]++;
		return NULL;
	}
	if (is.events + MAX_NEST < was.events && !s->broken)
		return "events are gone, and nothing told";
	return NULL;
}

/* Without events it is in no file; the others must be there. */
static const char *judge_empty(const struct onepage *o)
{
	size_t same = same_from_start(o);

	if (same == o->base.nr || same_behind(o, same, same + 1))
		return NULL;
	return "other pages' events differ";
}

/* @at: the page's place in the ring; base.nr: it holds no events. */
static const char *judge(struct onepage *o, size_t at, enum dmg_page_kind kind)
{
	size_t same = same_from_start(o);

	if (at == o->base.nr)
		return judge_empty(o);
	if (same >= at && same_behind(o, at + 1, at)) {
		o->dropped++;
		return judge_dropped(o, at, kind);
	}
	if (same >= at && at < o->now.nr && same_behind(o, at + 1, at + 1)) {
		o->kept++;
		o->kind_kept[kind]++;
		return judge_kept(o, at, kind);
	}
	return "other pages' events differ";
}

static void fail(struct onepage *o, const struct dmg_read *page, size_t at,
		 enum dmg_page_kind kind, unsigned int n, const char *why)
{
	const struct ft_cpu_stats *s = &o->now.stats;

	o->failed++;
	o->kind_failed[kind]++;
	fprintf(o->run.out,
		"FAIL %s CPU %u page %zu of %zu, at %" PRIx64
		": %s %u: %s; %zu pages, %" PRIu64 " torn, %" PRIu64
		" missing%s\n",
		o->label, o->cpu, at, o->base.nr, page->addr,
		dmg_page_kinds[kind].name, n, why, o->now.nr, s->torn,
		s->missing, s->broken ? ", list damaged" : "");
}

static void try_page(struct onepage *o, const struct dmg_read *page, size_t at,
		     const struct dmg_read *all, size_t nr)
{
	const struct dmg_sites *s = &o->run.sites;
	struct dmg_rng rng = { o->opt->seed ^ page->addr };

	for (int kind = 0; kind < PAGE_KINDS; kind++) {
		for (unsigned int n = 0; n < dmg_page_kinds[kind].times; n++) {
			const struct dmg_read *stale = &all[dmg_below(&rng, nr)];
			const struct dmg_read *alien =
				&s->site[DMG_DATA]
					[dmg_below(&rng, s->count[DMG_DATA])];
			const char *why = "the walk failed";

			dmg_heal(&o->run.memory);
			dmg_damage_page(&o->run.memory, page, kind, n,
					stale->addr, alien->addr, &rng);
			o->cases++;
			o->kind_cases[kind]++;
			if (walk(o, &o->now) == ERR_NONE)
				why = judge(o, at, kind);
			if (why)
				fail(o, page, at, kind, n, why);
		}
	}
}

/* Leave a file for others to compare with the truth. */
static void keep_file(struct onepage *o, const struct dmg_read *page, size_t at)
{
	struct span span = span_of(o, page_at(&o->base, at));
	struct dmg_result result;
	char *path;

	if (asprintf(&path, "%s/%" PRIu64 ".dat", o->opt->dir, o->pages) < 0)
		abort();
	dmg_heal(&o->run.memory);
	dmg_cut(&o->run.memory, page->addr, ERR_MISSING);
	dmg_save(&o->run, path, &result);
	fprintf(o->run.out,
		"lost %" PRIu64 ".dat %s %u %" PRIu64 " %" PRIu64 " %" PRIu64
		"\n",
		o->pages, o->label, o->cpu, span.events, span.first, span.last);
	free(path);
}

/* The place of @page among those with events: where one is gone without it. */
static size_t place_of(struct onepage *o, const struct dmg_read *page)
{
	dmg_heal(&o->run.memory);
	dmg_cut(&o->run.memory, page->addr, ERR_MISSING);
	if (walk(o, &o->now) != ERR_NONE)
		return o->base.nr;
	return same_from_start(o);
}

static void try_ring(struct onepage *o)
{
	struct dmg_memory *m = &o->run.memory;
	struct dmg_read *all;
	size_t nr = 0;

	/* What it reads of the length of a sub-buffer is one. */
	dmg_heal(m);
	m->nr_reads = 0;
	m->learning = true;
	if (walk(o, &o->base) != ERR_NONE || o->base.stats.torn ||
	    o->base.stats.missing || o->base.stats.broken) {
		fprintf(o->run.out, "FAIL %s CPU %u: damaged without damage\n",
			o->label, o->cpu);
		o->failed++;
	}
	m->learning = false;
	all = calloc(m->nr_reads + 1, sizeof(*all));
	if (!all)
		abort();
	for (size_t i = 0; i < m->nr_reads; i++)
		if (m->reads[i].len == o->ring.subbuf_size)
			all[nr++] = m->reads[i];
	for (size_t i = 0; i < nr && !vm_interrupted(m->real); i++) {
		size_t at = place_of(o, &all[i]);

		try_page(o, &all[i], at, all, nr);
		if (at < o->base.nr && o->opt->keep &&
		    o->pages % o->opt->keep == o->opt->keep / 2)
			keep_file(o, &all[i], at);
		o->pages++;
	}
	free(all);
}

static void try_dump(struct onepage *o, const struct ft_dump *dump)
{
	for (size_t i = 0; i < dump->instances.count; i++) {
		const struct ft_instance *in = &dump->instances.instance[i];

		if (ft_dump_open_ring(dump, in, &o->ring) != ERR_NONE)
			continue;
		o->label = ft_instance_label(in);
		for (o->cpu = 0; o->cpu < o->ring.nr_cpus; o->cpu++)
			try_ring(o);
	}
}

static void sum_up(const struct onepage *o)
{
	for (int k = 0; k < PAGE_KINDS; k++)
		if (o->opt->verbose || o->kind_failed[k])
			fprintf(o->run.out,
				"%s: %" PRIu64 " cases, %" PRIu64
				" kept, %" PRIu64 " undecided, %" PRIu64
				" failed\n",
				dmg_page_kinds[k].name, o->kind_cases[k],
				o->kind_kept[k], o->kind_undecided[k],
				o->kind_failed[k]);
	fprintf(o->run.out,
		"ftdamage: %" PRIu64 " pages, %" PRIu64 " cases, %" PRIu64
		" failed; %" PRIu64 " undecided, %" PRIu64 " dropped, %" PRIu64
		" kept\n",
		o->pages, o->cases, o->failed, o->undecided, o->dropped,
		o->kept);
}

uint64_t dmg_onepage(const struct vmcore *real,
		     const struct dmg_onepage_options *opt, FILE *out)
{
	struct onepage o = { .opt = opt };
	struct dmg_result result;
	struct ft_dump dump;
	char *path;
	enum err err;

	if (asprintf(&path, "%s/whole.dat", opt->dir) < 0)
		abort();
	err = dmg_run_init(&o.run, real, path, out, &result);
	o.kbuf = kbuffer_alloc(KBUFFER_LSIZE_8, KBUFFER_ENDIAN_SAME_AS_HOST);
	if (!o.kbuf)
		abort();
	if (err == ERR_NONE)
		err = ft_dump_init(&dump, &o.run.memory.vm, &o.run.diag);
	if (err == ERR_NONE) {
		try_dump(&o, &dump);
		ft_dump_deinit(&dump);
		sum_up(&o);
	} else {
		o.failed++;
		fprintf(out, "ftdamage: without damage: %s\n", err_str(err));
	}
	kbuffer_free(o.kbuf);
	free(o.base.bytes);
	free(o.now.bytes);
	dmg_run_deinit(&o.run);
	free(path);
	return o.failed;
}
