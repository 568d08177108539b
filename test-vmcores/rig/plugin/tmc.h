/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RIG_TMC_H
#define RIG_TMC_H

#include "device.h"
#include "etm/frame.h"

/*
 * A Trace Memory Controller: an ETF, which has a memory of its own, or passes
 * trace on; or an ETR, which writes to the guest's RAM.
 */
struct tmc {
	struct device dev;
	bool etr;
	struct tmc *next; /* where an ETF passes trace on to */
	const struct ram *ram;
	bool enabled;	/* CTL.TraceCaptEn */
	bool capturing; /* ... and not stopped since */
	bool passes_on;
	struct frame formatter;
	uint8_t *memory; /* of an ETF; owned */
	uint64_t *pages; /* of an ETR that is scattered; owned */
	size_t nr_pages;
	uint64_t base; /* of an ETR's buffer, or table, when it was enabled */
	uint64_t size; /* of the buffer, bytes */
	uint64_t read_at, write_at; /* offsets into it */
	bool full;
	/* Of each source: offsets in its trace of what was captured. */
	struct {
		uint64_t first, end;
	} source[128];
	/* Have all sources put out what they hold: a flush. */
	void (*flush)(void *ctx);
	/* Capturing began, or ended. */
	void (*changed)(void *ctx, const struct tmc *tmc, bool capturing);
	void *ctx;
};

void tmc_init_etf(struct tmc *tmc, const char *name, uint64_t base,
		  const struct ram *ram, uint32_t size);
void tmc_init_etr(struct tmc *tmc, const char *name, uint64_t base,
		  const struct ram *ram, bool scatter);

/* Trace of the source @id arrives; @end: its offset there, after these bytes. */
void tmc_input(struct tmc *tmc, uint8_t id, const uint8_t *bytes, size_t n,
	       uint64_t end);

/* The triggers that a CTI has. */
void tmc_flush_in(struct tmc *tmc);
void tmc_trigger_in(struct tmc *tmc);

#endif
