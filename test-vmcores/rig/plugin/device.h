/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RIG_DEVICE_H
#define RIG_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "board.h"

/*
 * A device's registers are a page of RAM. QEMU tells of an access after it was
 * made: what was written is found there, and what the next read is to see must
 * be there in time.
 */
struct device;

enum reg_kind {
	REG_END, /* of a table */
	REG_RO,	 /* a write is logged, and undone */
	REG_RW,
	REG_WO, /* reads as 0 */
};

struct reg_range {
	uint16_t first, last; /* offsets, both included */
	uint8_t kind;
};

struct device_ops {
	const struct reg_range *known; /* ends with REG_END */
	/* A register that may be written has the new value, in dev->value. */
	void (*written)(struct device *dev, uint32_t off, uint32_t value);
	void (*was_read)(struct device *dev, uint32_t off);
};

struct device {
	char name[16];
	uint64_t base; /* physical */
	const struct device_ops *ops;
	volatile uint32_t *guest;	/* the page */
	uint32_t value[BOARD_PAGE / 4]; /* what it should be */
};

/* What all CoreSight components have: identification, claim tags, lock. */
struct device_id {
	uint16_t part;
	uint32_t devarch, devid;
	uint8_t devtype;
	uint32_t authstatus;
};

void device_init(struct device *dev, const char *name, uint64_t base,
		 const struct ram *ram, const struct device_ops *ops,
		 const struct device_id *id);

/* Set what the guest reads at @off. */
void device_set(struct device *dev, uint32_t off, uint32_t value);

static inline uint32_t device_get(const struct device *dev, uint32_t off)
{
	return dev->value[off / 4];
}

/* The guest has made an access of 4 bytes. Unknown ones go to the log. */
void device_access(struct device *dev, uint32_t off, bool store, uint32_t value);

#endif
