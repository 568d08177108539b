/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A made-up program of real A64 opcodes, and a made-up CPU that executes it. */
#ifndef TEST_WALK_H
#define TEST_WALK_H

#include "decode.h"

#define WALK_REGIONS	  4
#define WALK_WORDS	  2048
#define WALK_RETURNS	  12
#define WALK_EXCEPTIONS	  8
#define WALK_MAX_EXCEPTED 4096

struct program {
	uint32_t words[WALK_REGIONS][WALK_WORDS];
	struct decode_memory memory[WALK_REGIONS];
};

/* Where the code lies, the first one being the vectors. */
extern const uint64_t walk_base[WALK_REGIONS];

struct walk_options {
	bool v8_3; /* with pointer authentication */
	bool secure;
	bool el2;
	/*
	 * If not 0, exactly the instructions at these exception levels must be
	 * traced; a bit each.
	 */
	unsigned int levels;
	unsigned int loops; /* percent of conditional branches that repeat */
	unsigned int irqs;  /* in 1000 instructions */
};

struct walker {
	const struct program *program;
	struct walk_options options;
	struct etm *etm;
	uint64_t seed;
	uint64_t pc;
	struct etm_context context;
	struct etm_context shown; /* by the trace */
	/* where calls and exceptions return to */
	uint64_t returns[WALK_RETURNS];
	unsigned int n_returns;
	struct {
		uint64_t pc;
		struct etm_context context;
	} saved[WALK_EXCEPTIONS];
	unsigned int n_saved;
	bool branched; /* the last instruction was an indirect branch */

	/* the truth */
	struct steps steps; /* the traced ones */
	uint64_t executed;
	struct exception *exceptions;
	size_t n_exceptions;
};

uint32_t walk_random(uint64_t *seed, uint32_t below);
void program_make(struct program *p, uint64_t seed, bool v8_3);
void walker_init(struct walker *w, const struct program *program,
		 const struct walk_options *options, struct etm *etm,
		 uint64_t seed);
/* Executes one instruction, or takes an exception. */
void walker_step(struct walker *w);
void walker_free(struct walker *w);

#endif
