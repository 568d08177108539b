/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Takes CoreSight frames apart, knowing the format only. */
#ifndef TEST_DEFRAME_H
#define TEST_DEFRAME_H

#include <stddef.h>
#include <stdint.h>

#define DEFRAME_IDS 128

/*
 * Gives each byte of a source; those before the first ID are left out, as
 * nobody knows whose they are. Returns how many frames in a row, at most, had
 * no ID.
 */
unsigned int deframe(const uint8_t *frames, size_t n,
		     void (*byte)(void *ctx, unsigned int id, uint8_t byte),
		     void *ctx);

#endif
