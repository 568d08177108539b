/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FUZZ_SEEN_H
#define FUZZ_SEEN_H

#include "ftrace/ring.h"

/*
 * Walk @cpu of a ring that may be damaged, and abort unless that keeps its
 * promises: each page is sound and has as many events as it says, time runs
 * backwards no more often than pages are told as torn, and the sums are right.
 */
void fuzz_walk(const struct ft_ring *ring, uint32_t cpu);

#endif
