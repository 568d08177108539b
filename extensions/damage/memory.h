/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DAMAGE_MEMORY_H
#define DAMAGE_MEMORY_H

#include "vmcore/vmcore.h"

/*
 * A dump that can be damaged: a vmcore in front of another one. What is read
 * while it learns is kept, page by page, so that the same can be read again
 * quickly, and differently. Names that are looked up are kept as well.
 *
 * This is for tests: where there is no memory left, the process ends.
 */
struct dmg_read {
	uint64_t addr;
	uint64_t len;
};

struct dmg_page {
	uint64_t addr;
	uint8_t *bytes; /* as in the dump; NULL: it is not there (err) */
	uint8_t *copy;	/* with damage; NULL: none */
	enum err err;	/* what reading it gave */
	enum err cut;	/* damage: what reading it gives instead */
};

/* What a name means to the real vmcore. */
struct dmg_name {
	uint32_t hash;
	const void *op;
	char *type, *name;
	bool known;
	uint64_t value;
	struct vm_member member;
};

struct dmg_memory {
	struct vmcore vm; /* what the code under test gets */
	const struct vmcore *real;
	struct dmg_page *page; /* open addressing, 2^bits slots */
	unsigned int bits;
	size_t nr_pages;
	struct dmg_name *names;
	size_t nr_names, room_names;
	bool learning;
	struct dmg_read *reads; /* while learning, in order */
	size_t nr_reads, room_reads;
	/* Steps of the code under test: reads, up to a limit. 0: none. */
	uint64_t steps, limit;
};

void dmg_memory_init(struct dmg_memory *m, const struct vmcore *real);
void dmg_memory_deinit(struct dmg_memory *m);

/* Begin a run without damage and with all steps ahead. */
void dmg_heal(struct dmg_memory *m);

/*
 * Damage: other bytes, or pages that cannot be read. Only of pages that were
 * learnt; elsewhere nothing happens.
 */
void dmg_put(struct dmg_memory *m, uint64_t addr, const void *bytes, size_t len);
void dmg_cut(struct dmg_memory *m, uint64_t addr, enum err err);

/* Is any of these bytes damaged? */
bool dmg_touched(const struct dmg_memory *m, uint64_t addr, size_t len);

/* As vm_read(), but no step. */
enum err dmg_peek(struct dmg_memory *m, uint64_t addr, void *buf, size_t len);

/* Has the code under test taken more steps than it may? */
bool dmg_exhausted(const struct dmg_memory *m);

#endif
