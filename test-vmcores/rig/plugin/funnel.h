/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RIG_FUNNEL_H
#define RIG_FUNNEL_H

#include "device.h"

/* A funnel with a port for each CPU's trace unit. */
struct funnel {
	struct device dev;
};

void funnel_init(struct funnel *f, const char *name, uint64_t base,
		 const struct ram *ram);

bool funnel_is_open(const struct funnel *f, unsigned int port);

#endif
