// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>

#include <traceevent/kbuffer.h>

#include "damage/pagekinds.h"

/* struct buffer_data_page of a 64-bit kernel */
#define STAMP  0u
#define COMMIT 8u
#define HEADER 16u
/* 2^42 ns are more than an hour, longer than any sample ran. */
#define FIRST_HIGH_BIT 42
#define MAX_EVENTS     512

const struct dmg_page_kind_info dmg_page_kinds[PAGE_KINDS] = {
	[PAGE_MISSING] = { "missing", 1, true },
	[PAGE_COMMIT_LONG] = { "commit-long", 2, true },
	[PAGE_COMMIT_EMPTY] = { "commit-empty", 1, false },
	[PAGE_COMMIT_ODD] = { "commit-odd", 2, false },
	[PAGE_COMMIT_FLIP] = { "commit-flip", 30, false },
	[PAGE_STAMP_HIGH] = { "stamp-high", 64 - FIRST_HIGH_BIT, true },
	[PAGE_STAMP_LOW] = { "stamp-low", FIRST_HIGH_BIT, false },
	[PAGE_HEADER_FLIP] = { "header-flip", 48, false },
	[PAGE_DATA_FLIP] = { "data-flip", 16, false },
	[PAGE_ZERO] = { "zero", 1, false },
	[PAGE_ONES] = { "ones", 1, true },
	[PAGE_NOISE] = { "noise", 2, false },
	[PAGE_STALE] = { "stale", 2, false },
	[PAGE_ALIEN] = { "alien", 2, false },
};

static void flip_bit(struct dmg_memory *m, uint64_t addr, unsigned int bit)
{
	uint8_t byte;

	addr += bit / 8;
	if (dmg_peek(m, addr, &byte, 1) != ERR_NONE)
		return;
	byte ^= 1u << bit % 8;
	dmg_put(m, addr, &byte, 1);
}

static void put_commit(struct dmg_memory *m, const struct dmg_read *page,
		       uint64_t commit)
{
	dmg_put(m, page->addr + COMMIT, &commit, sizeof(commit));
}

static void copy_page(struct dmg_memory *m, const struct dmg_read *page,
		      uint64_t from)
{
	void *buf = malloc(page->len);

	if (buf && dmg_peek(m, from, buf, page->len) == ERR_NONE)
		dmg_put(m, page->addr, buf, page->len);
	free(buf);
}

static void fill_page(struct dmg_memory *m, const struct dmg_read *page,
		      enum dmg_page_kind kind, struct dmg_rng *rng)
{
	for (uint64_t at = 0; at < page->len; at += 8) {
		uint64_t word = kind == PAGE_ZERO ? 0 :
				kind == PAGE_ONES ? ~0ull :
						    dmg_random(rng);

		/* Noise is to be found in the events, not in the header. */
		if (kind != PAGE_NOISE || at >= HEADER)
			dmg_put(m, page->addr + at, &word, sizeof(word));
	}
}

/* A bit of the word or two before an event's data. */
static void flip_header(struct dmg_memory *m, const struct dmg_read *page,
			struct dmg_rng *rng)
{
	struct kbuffer *kbuf =
		kbuffer_alloc(KBUFFER_LSIZE_8, KBUFFER_ENDIAN_SAME_AS_HOST);
	uint8_t *buf = malloc(page->len);
	uint64_t at[MAX_EVENTS];
	unsigned long long ts;
	size_t n = 0;

	if (!kbuf || !buf)
		abort();
	if (dmg_peek(m, page->addr, buf, page->len) == ERR_NONE &&
	    kbuffer_load_subbuffer(kbuf, buf) == 0)
		for (uint8_t *e = kbuffer_read_event(kbuf, &ts);
		     e && n < MAX_EVENTS; e = kbuffer_next_event(kbuf, &ts))
			at[n++] = e - buf;
	if (n)
		flip_bit(m, page->addr + at[dmg_below(rng, n)] - 8,
			 32 * dmg_below(rng, 4) / 3 + dmg_below(rng, 32));
	free(buf);
	kbuffer_free(kbuf);
}

void dmg_damage_page(struct dmg_memory *m, const struct dmg_read *page,
		     enum dmg_page_kind kind, unsigned int n, uint64_t stale,
		     uint64_t alien, struct dmg_rng *rng)
{
	uint64_t room = page->len - HEADER;

	switch (kind) {
	case PAGE_MISSING:
		for (uint64_t at = 0; at < page->len; at += m->vm.page_size)
			dmg_cut(m, page->addr + at, ERR_MISSING);
		break;
	case PAGE_COMMIT_LONG:
		put_commit(m, page, n ? room + 4 : dmg_random(rng) | 1ull << 40);
		break;
	case PAGE_COMMIT_EMPTY:
		put_commit(m, page, 0);
		break;
	case PAGE_COMMIT_ODD:
		put_commit(m, page, dmg_below(rng, room / 4) * 4 + 1 + n);
		break;
	case PAGE_COMMIT_FLIP:
		flip_bit(m, page->addr + COMMIT, n);
		break;
	case PAGE_STAMP_HIGH:
		flip_bit(m, page->addr + STAMP, FIRST_HIGH_BIT + n);
		break;
	case PAGE_STAMP_LOW:
		flip_bit(m, page->addr + STAMP, n);
		break;
	case PAGE_HEADER_FLIP:
		flip_header(m, page, rng);
		break;
	case PAGE_DATA_FLIP:
		flip_bit(m, page->addr + HEADER + dmg_below(rng, room),
			 dmg_below(rng, 8));
		break;
	case PAGE_ZERO:
	case PAGE_ONES:
	case PAGE_NOISE:
		fill_page(m, page, kind, rng);
		break;
	case PAGE_STALE:
		copy_page(m, page, stale);
		break;
	case PAGE_ALIEN:
		copy_page(m, page, alien);
		break;
	case PAGE_KINDS:
		break;
	}
}
