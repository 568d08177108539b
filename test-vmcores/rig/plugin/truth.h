/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RIG_TRUTH_H
#define RIG_TRUTH_H

#include <stdint.h>
#include <stdio.h>

#include "etm/etm.h"

/*
 * What one CPU executed while it was traced, as a file of records: a byte that
 * says what it is, then numbers of 7 bits in a byte, the lowest first:
 *
 *   1 range:   where it starts, counted from the end of the last one
 *              (instructions, sign in the lowest bit), how many instructions
 *   2 context: EL (2 bits) and NS (bit 2), context ID, VMID
 *   3 sync:    a decoder may start here; the offset in this CPU's trace
 *   4 begin:   a session: trace ID, TRCCONFIGR, the offset
 *   5 end:     of it; the offset; how many of the last instructions trace does
 *              not show, since no branch has followed them
 *   6 flush:   a sink asked for everything until here; the same
 */
struct truth {
	FILE *file;
	uint64_t end;	  /* of the last range */
	uint64_t addr, n; /* a range that may go on */
	struct etm_context context;
	uint64_t instructions;
};

/* False: the file cannot be written. */
bool truth_open(struct truth *t, const char *dir, unsigned int cpu);
void truth_close(struct truth *t);
/* One instruction. */
void truth_executed(struct truth *t, uint64_t addr, const struct etm_context *c);
void truth_sync(struct truth *t, uint64_t offset);
void truth_begin(struct truth *t, unsigned int trace_id, uint32_t configr,
		 uint64_t offset);
void truth_end(struct truth *t, uint64_t offset, uint64_t uncovered);
void truth_flush(struct truth *t, uint64_t offset, uint64_t uncovered);

#endif
