/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Atoms, E for a branch that was taken, N for one that was not, into packets. */
#ifndef ATOMS_H
#define ATOMS_H

#include <stdbool.h>
#include <stdint.h>

/* What waits; it fits one packet at any time. Bit 0 is the oldest atom, 1 is E. */
struct atoms {
	uint32_t bits;
	unsigned int n;
};

/*
 * One more atom. Returns a packet, or 0 if none is ready: one comes out when
 * the new atom does not fit it, or when no further one would.
 */
uint8_t atoms_add(struct atoms *a, bool e);
/* The packet of what waits, or 0. */
uint8_t atoms_flush(struct atoms *a);

#endif
