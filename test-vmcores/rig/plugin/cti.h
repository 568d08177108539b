/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RIG_CTI_H
#define RIG_CTI_H

#include "device.h"

/*
 * A cross-trigger interface: inputs to channels, channels to outputs, and, as
 * far as its gate is open, to the channels of all others.
 */
struct cti {
	struct device dev;
	struct cti *next; /* on the matrix; a ring is not needed: it is a list */
	struct cti **all;     /* the list's head */
	uint32_t application; /* channels that software has set */
	void (*output)(void *ctx, unsigned int trigger);
	void *ctx;
};

/* @all: the list of those on the same matrix, to which it is added. */
void cti_init(struct cti *cti, const char *name, uint64_t base,
	      const struct ram *ram, struct cti **all);

void cti_input(struct cti *cti, unsigned int trigger);

#endif
