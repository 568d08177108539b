/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What OpenCSD makes of trace: the tests' ground truth. */
#ifndef TEST_DECODE_H
#define TEST_DECODE_H

#include "etm.h"

/* One instruction, as decoded or as executed. */
struct step {
	uint64_t addr;
	struct etm_context context;
};

struct steps {
	struct step *v;
	size_t n, max;
};

void steps_add(struct steps *s, uint64_t addr, const struct etm_context *c);
void steps_free(struct steps *s);

struct exception {
	unsigned int type;
	uint64_t preferred_return;
};

#define DECODE_SOURCES	      3
#define DECODE_MAX_TIMESTAMPS 4096

struct decoded {
	struct steps steps;
	struct exception *exceptions;
	size_t n_exceptions;
	uint64_t cycles;     /* the sum of the cycle counts */
	unsigned int events; /* Event packets */
	uint64_t timestamps[DECODE_MAX_TIMESTAMPS];
	unsigned int n_timestamps;
	unsigned int trace_ons, overflows;
	int last_type; /* of the last range's last instruction */
	/* private */
	struct etm_context context;
	bool synced;
	unsigned int counts;
	size_t counted; /* instructions up to the last cycle count */
	const char *complaint;
	uint64_t complaint_value;
	uint64_t *headers;
	const struct etm_config *config;
};

struct decode_memory {
	uint64_t addr;
	const uint8_t *bytes;
	uint32_t n;
};

/* Packets seen, by header byte, and 256 + the second byte if the first is 0. */
#define DECODE_HEADERS 512
/* Exception packets with E1:E0 = 10; no packet has this header. */
#define DECODE_AFTER_BRANCH 0x08

/*
 * Decodes all of it, and fails the test at anything that is not as it should
 * be. framed: 16-byte frames of all n sources, else bytes of the only one.
 * v8_3: the CPU has pointer authentication.
 */
void decode(struct decoded *out, const struct etm_config *configs, size_t n,
	    bool framed, bool v8_3, const uint8_t *bytes, size_t size,
	    const struct decode_memory *memory, size_t n_memory,
	    uint64_t headers[DECODE_HEADERS]);
void decoded_free(struct decoded *d);

#endif
