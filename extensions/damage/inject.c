// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <string.h>

#include "damage/inject.h"

/* What is done to a place. */
enum kind {
	FLIP, /* some bits */
	ZERO, /* a pointer or another word */
	ONES,
	WILD,	   /* a word of random bits */
	BENT,	   /* a pointer to another place of its class */
	ASTRAY,	   /* a pointer to anything else, perhaps beside it */
	ITSELF,	   /* a cycle of one */
	COUNT,	   /* a number that is too large, or just another one */
	CHARACTER, /* one that means something to a reader of text */
	RUN,	   /* of one character, longer than it was */
	SWAP,	   /* the bytes of another place */
	FILL,	   /* the whole page: zeroes, ones, or anything */
	MISSING,   /* the page is not in the dump */
	UNMAPPED,  /* nor in the page table */
	KINDS,
};

static const char *const kind_names[KINDS] = {
	[FLIP] = "flip",	   [ZERO] = "zero",
	[ONES] = "ones",	   [WILD] = "wild",
	[BENT] = "bent",	   [ASTRAY] = "astray",
	[ITSELF] = "itself",	   [COUNT] = "count",
	[CHARACTER] = "character", [RUN] = "run",
	[SWAP] = "swap",	   [FILL] = "fill",
	[MISSING] = "missing",	   [UNMAPPED] = "unmapped",
};

/* Larger than any sub-buffer or structure that is moved about. */
#define MAX_SWAP 4096

uint64_t dmg_random(struct dmg_rng *rng)
{
	uint64_t z = rng->state += 0x9e3779b97f4a7c15ull;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ z >> 27) * 0x94d049bb133111ebull;
	return z ^ z >> 31;
}

uint64_t dmg_below(struct dmg_rng *rng, uint64_t n)
{
	return dmg_random(rng) % n;
}

static enum dmg_class pick_class(const struct dmg_sites *s,
				 unsigned int classes, struct dmg_rng *rng)
{
	for (;;) {
		enum dmg_class class = dmg_below(rng, DMG_CLASSES);

		if (classes >> class & 1 && s->count[class])
			return class;
	}
}

static const struct dmg_read *pick(const struct dmg_sites *s,
				   enum dmg_class class, struct dmg_rng *rng)
{
	return &s->site[class][dmg_below(rng, s->count[class])];
}

static void flip(struct dmg_memory *m, const struct dmg_read *r,
		 struct dmg_rng *rng)
{
	for (uint64_t n = 1 + dmg_below(rng, 4); n; n--) {
		uint64_t at = r->addr + dmg_below(rng, r->len);
		uint8_t byte;

		if (dmg_peek(m, at, &byte, 1) != ERR_NONE)
			return;
		byte ^= 1u << dmg_below(rng, 8);
		dmg_put(m, at, &byte, 1);
	}
}

/* A pointer-sized word somewhere in the place. */
static void put_word(struct dmg_memory *m, const struct dmg_read *r,
		     struct dmg_rng *rng, uint64_t value)
{
	uint64_t at = r->addr + dmg_below(rng, r->len);

	dmg_put(m, at & ~7ull, &value, sizeof(value));
}

static void put_count(struct dmg_memory *m, const struct dmg_read *r,
		      struct dmg_rng *rng)
{
	uint64_t at = r->addr + dmg_below(rng, r->len);
	uint32_t value = dmg_random(rng);

	if (dmg_below(rng, 2))
		value = dmg_below(rng, 2) ? INT32_MAX : value % 70000;
	dmg_put(m, at & ~3ull, &value, sizeof(value));
}

static void put_character(struct dmg_memory *m, const struct dmg_read *r,
			  struct dmg_rng *rng)
{
	static const char sharp[] = "\0\n\t %\"'\\,:;[](){}<>->@$#\x80\xff";
	uint64_t at = r->addr + dmg_below(rng, r->len);

	dmg_put(m, at, &sharp[dmg_below(rng, sizeof(sharp) - 1)], 1);
}

static void put_run(struct dmg_memory *m, const struct dmg_read *r,
		    struct dmg_rng *rng)
{
	static const char of[] = "A\n 0\xff%(";
	char run[1024];

	memset(run, of[dmg_below(rng, sizeof(of) - 1)], sizeof(run));
	dmg_put(m, r->addr + dmg_below(rng, r->len), run,
		1 + dmg_below(rng, sizeof(run)));
}

static void swap(struct dmg_memory *m, const struct dmg_read *r,
		 const struct dmg_read *other)
{
	uint8_t bytes[MAX_SWAP];
	size_t len = r->len < other->len ? r->len : other->len;

	if (len > sizeof(bytes))
		len = sizeof(bytes);
	if (dmg_peek(m, other->addr, bytes, len) == ERR_NONE)
		dmg_put(m, r->addr, bytes, len);
}

static void fill(struct dmg_memory *m, const struct dmg_read *r,
		 struct dmg_rng *rng)
{
	uint64_t how = dmg_below(rng, 3);
	uint64_t page = r->addr + dmg_below(rng, r->len);

	page -= page % m->vm.page_size;
	for (size_t at = 0; at < m->vm.page_size; at += 8) {
		uint64_t word = how == 0 ? 0 :
				how == 1 ? ~0ull :
					   dmg_random(rng);

		dmg_put(m, page + at, &word, sizeof(word));
	}
}

static void damage(struct dmg_memory *m, const struct dmg_sites *s,
		   enum dmg_class class, struct dmg_rng *rng, FILE *log)
{
	const struct dmg_read *r = pick(s, class, rng);
	enum kind kind = dmg_below(rng, KINDS);
	const struct dmg_read *other = pick(s, class, rng);

	if (kind == ASTRAY)
		other = pick(s, pick_class(s, ~0u, rng), rng);
	fprintf(log, "  %s at %" PRIx64 "+%" PRIx64 ": %s (%" PRIx64 ")\n",
		dmg_class_names[class], r->addr, r->len, kind_names[kind],
		other->addr);
	switch (kind) {
	case FLIP:
		flip(m, r, rng);
		break;
	case ZERO:
		put_word(m, r, rng, 0);
		break;
	case ONES:
		put_word(m, r, rng, ~0ull);
		break;
	case WILD:
		put_word(m, r, rng, dmg_random(rng));
		break;
	case BENT:
		put_word(m, r, rng, other->addr);
		break;
	case ASTRAY:
		put_word(m, r, rng, other->addr + dmg_below(rng, 2) * 4);
		break;
	case ITSELF:
		put_word(m, r, rng, r->addr);
		break;
	case COUNT:
		put_count(m, r, rng);
		break;
	case CHARACTER:
		put_character(m, r, rng);
		break;
	case RUN:
		put_run(m, r, rng);
		break;
	case SWAP:
		swap(m, r, other);
		break;
	case FILL:
		fill(m, r, rng);
		break;
	case MISSING:
	case UNMAPPED:
		dmg_cut(m, r->addr + dmg_below(rng, r->len),
			kind == MISSING ? ERR_MISSING : ERR_UNMAPPED);
		break;
	case KINDS:
		break;
	}
}

void dmg_inject(struct dmg_memory *m, const struct dmg_sites *sites,
		unsigned int classes, struct dmg_rng *rng, FILE *log)
{
	uint64_t n = dmg_below(rng, 3) ? 1 + dmg_below(rng, 3) :
					 1 + dmg_below(rng, 30);

	for (; n; n--)
		damage(m, sites, pick_class(sites, classes, rng), rng, log);
}
