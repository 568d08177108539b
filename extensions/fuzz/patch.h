/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FUZZ_PATCH_H
#define FUZZ_PATCH_H

#include <stddef.h>
#include <stdint.h>

#include "test/mock-vmcore.h"

/*
 * A fuzzer that starts from bytes would take ages to find out what a list is.
 * So it starts from a sound kernel in a mock, and its input says what to change
 * there. Any input means something.
 */
struct patched {
	struct mock *m;
	struct vmcore vm; /* what the code under test gets */
	struct vmcore_ops ops;
	uint64_t base;	 /* of the mock's memory */
	size_t size;	 /* of what is used of it, bytes */
	uint8_t *sound;	 /* its contents without patches; owned */
	uint64_t hidden; /* pages that cannot be read, a bit each */
	unsigned long reads;
	unsigned long max_reads; /* more than that is a bug: abort */
};

/* @m has all that the kernel has, and stays the caller's. */
void patched_init(struct patched *p, struct mock *m, unsigned long max_reads);

/* Make everything sound again, then apply the patches of @data. */
void patched_apply(struct patched *p, const uint8_t *data, size_t size);

/* Stop the fuzzer where something does not hold, whatever NDEBUG says. */
#define MUST(condition)                                              \
	do {                                                         \
		if (!(condition))                                    \
			fuzz_failed(#condition, __FILE__, __LINE__); \
	} while (0)

void fuzz_failed(const char *what, const char *file, int line)
	__attribute__((noreturn));

#endif
