/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RIG_ETM_DEVICE_H
#define RIG_ETM_DEVICE_H

#include "device.h"
#include "etm/etm.h"

/* The registers of one CPU's trace unit. */
struct etm_device {
	struct device dev;
	/* TRCPRGCTLR.EN has changed. */
	void (*switched)(void *ctx, bool on);
	void *ctx;
	bool on;
};

void etm_device_init(struct etm_device *e, unsigned int cpu, uint64_t base,
		     const struct ram *ram);

/* How it is programmed. */
void etm_device_config(const struct etm_device *e, struct etm_config *cfg);

/* It was switched off: what its state is, is to be read. */
void etm_device_stopped(struct etm_device *e, const struct etm *etm);

unsigned int etm_device_trace_id(const struct etm_device *e);

#endif
