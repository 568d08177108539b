// SPDX-License-Identifier: GPL-2.0-or-later
#include "atoms.h"

/* Format 6: 3 to 23 E, then one E or N. */
#define F6_MIN 4
#define F6_MAX 24

/* Formats 4 and 5 have four patterns each. */
static const struct {
	uint8_t n, bits, packet;
} patterns[] = {
	{ 4, 0x0e, 0xdc }, /* NEEE */
	{ 4, 0x00, 0xdd }, /* NNNN */
	{ 4, 0x0a, 0xde }, /* NENE */
	{ 4, 0x05, 0xdf }, /* ENEN */
	{ 5, 0x1e, 0xf5 }, /* NEEEE */
	{ 5, 0x00, 0xd5 }, /* NNNNN */
	{ 5, 0x0a, 0xd6 }, /* NENEN */
	{ 5, 0x15, 0xd7 }, /* ENENE */
};

/* The packet for exactly these atoms, or 0. */
static uint8_t packet(const struct atoms *a)
{
	uint32_t all;
	unsigned int i;

	switch (a->n) {
	case 0:
		return 0;
	case 1:
		return 0xf6 | a->bits;
	case 2:
		return 0xd8 | a->bits;
	case 3:
		return 0xf8 | a->bits;
	}
	for (i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++)
		if (patterns[i].n == a->n && patterns[i].bits == a->bits)
			return patterns[i].packet;
	if (a->n > F6_MAX)
		return 0;
	all = (1u << a->n) - 1;
	if (a->bits == all)
		return 0xc0 | (a->n - F6_MIN);
	if (a->bits == all >> 1)
		return 0xe0 | (a->n - F6_MIN);
	return 0;
}

/* No packet has these atoms and a further one. */
static bool complete(const struct atoms *a)
{
	struct atoms more = { a->bits, a->n + 1 };

	if (packet(&more))
		return false;
	more.bits |= 1u << a->n;
	return !packet(&more);
}

uint8_t atoms_flush(struct atoms *a)
{
	uint8_t p = packet(a);

	a->bits = 0;
	a->n = 0;
	return p;
}

uint8_t atoms_add(struct atoms *a, bool e)
{
	struct atoms with = { a->bits | (uint32_t)e << a->n, a->n + 1 };
	uint8_t p;

	if (packet(&with)) {
		*a = with;
		return complete(a) ? atoms_flush(a) : 0;
	}
	/* One atom alone never completes a packet. */
	p = atoms_flush(a);
	a->bits = e;
	a->n = 1;
	return p;
}
