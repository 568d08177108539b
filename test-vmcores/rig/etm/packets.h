/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes single ETMv4 instruction trace packets. */
#ifndef PACKETS_H
#define PACKETS_H

#include "atoms.h"
#include "etm.h"

#define PACKETS_HISTORY 3

struct packets {
	const struct etm_ops *ops;
	void *ctx;
	const struct etm_config *config;
	struct etm_stats *stats; /* bytes is kept here */
	struct atoms atoms;

	/* What a decoder remembers, as far as it has it since the last sync. */
	uint64_t history[PACKETS_HISTORY]; /* addresses, the newest first */
	unsigned int known;		   /* how many of them */
	uint64_t ts;
	bool ts_known;
};

/* Every other packet comes after the atoms that wait. */
void packets_atom(struct packets *p, bool e);
void packets_flush(struct packets *p);

/* A-Sync and Trace Info; the decoder's memory is empty then. */
void packets_sync(struct packets *p);
void packets_trace_on(struct packets *p);
void packets_overflow(struct packets *p);
/* context: NULL if it did not change */
void packets_address(struct packets *p, uint64_t addr,
		     const struct etm_context *context);
void packets_context(struct packets *p, const struct etm_context *context);
/*
 * after_branch: addr, the preferred return address, is where an indirect branch
 * or exception led to, and no address packet has said so.
 */
void packets_exception(struct packets *p, enum etm_exception_type type,
		       bool after_branch, uint64_t addr,
		       const struct etm_context *context);
void packets_exception_return(struct packets *p);
void packets_event(struct packets *p, unsigned int events);
/* Cycles since the last cycle count; at least the threshold, or unknown. */
void packets_cycles(struct packets *p, bool unknown, unsigned int count);
void packets_timestamp(struct packets *p, uint64_t ts, bool has_count,
		       unsigned int count);

#endif
