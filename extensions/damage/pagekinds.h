/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DAMAGE_PAGEKINDS_H
#define DAMAGE_PAGEKINDS_H

#include "damage/inject.h"

/* Ways to damage one sub-buffer. Some are tried more than once. */
enum dmg_page_kind {
	PAGE_MISSING,
	PAGE_COMMIT_LONG,  /* longer than the sub-buffer */
	PAGE_COMMIT_EMPTY, /* 0 */
	PAGE_COMMIT_ODD,   /* no multiple of 4 */
	PAGE_COMMIT_FLIP,  /* a bit, one after another */
	PAGE_STAMP_HIGH,   /* a bit of the time stamp that counts hours */
	PAGE_STAMP_LOW,
	PAGE_HEADER_FLIP, /* a bit of an event's header */
	PAGE_DATA_FLIP,	  /* anywhere */
	PAGE_ZERO,
	PAGE_ONES,
	PAGE_NOISE,
	PAGE_STALE, /* as another page of the same CPU */
	PAGE_ALIEN, /* as a page of any other */
	PAGE_KINDS,
};

struct dmg_page_kind_info {
	const char *name;
	unsigned int times;
	/* Whatever is on the page, it cannot be taken for whole. */
	bool certain;
};

extern const struct dmg_page_kind_info dmg_page_kinds[PAGE_KINDS];

/*
 * Damage the sub-buffer @page for the @n-th time in this way. @stale and
 * @alien are addresses of others.
 */
void dmg_damage_page(struct dmg_memory *m, const struct dmg_read *page,
		     enum dmg_page_kind kind, unsigned int n, uint64_t stale,
		     uint64_t alien, struct dmg_rng *rng);

#endif
