// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdatomic.h>
#include <time.h>

#include "clock.h"

/* QEMU's counter has 62.5 MHz. */
#define NS_PER_TICK 16

static _Atomic int64_t ahead = INT64_MIN; /* of the host's clock, in ticks */

static int64_t host_ticks(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (ts.tv_sec * 1000000000ll + ts.tv_nsec) / NS_PER_TICK;
}

/* The guest read it some time before now: the shortest time is the best. */
void clock_seen(uint64_t cntvct)
{
	int64_t now = (int64_t)cntvct - host_ticks();

	if (now > atomic_load(&ahead))
		atomic_store(&ahead, now);
}

uint64_t clock_now(void)
{
	int64_t by = atomic_load(&ahead);

	return host_ticks() + (by == INT64_MIN ? 0 : by);
}
