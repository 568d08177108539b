/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RIG_CLOCK_H
#define RIG_CLOCK_H

#include <stdint.h>

/*
 * The guest's counter, CNTVCT. A plugin cannot read it, so it is told each time
 * that the guest has read it; in between the host's clock goes on.
 */
void clock_seen(uint64_t cntvct);
uint64_t clock_now(void);

#endif
