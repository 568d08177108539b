/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The return stack: a branch to its top address needs no address packet. A
 * decoder keeps the same stack; what it has below the encoder's entries does no
 * harm, as only a match takes an entry off.
 */
#ifndef RETSTACK_H
#define RETSTACK_H

#include <stdbool.h>
#include <stdint.h>

#include "idregs.h"

struct retstack {
	uint64_t addr[ETM_RETURN_STACK];
	unsigned int n;
};

static inline void retstack_clear(struct retstack *rs)
{
	rs->n = 0;
}

static inline void retstack_push(struct retstack *rs, uint64_t addr)
{
	unsigned int i;

	if (rs->n == ETM_RETURN_STACK) {
		for (i = 1; i < rs->n; i++)
			rs->addr[i - 1] = rs->addr[i];
		rs->n--;
	}
	rs->addr[rs->n++] = addr;
}

static inline bool retstack_match(struct retstack *rs, uint64_t addr)
{
	if (!rs->n || rs->addr[rs->n - 1] != addr)
		return false;
	rs->n--;
	return true;
}

#endif
