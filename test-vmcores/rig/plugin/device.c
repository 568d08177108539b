// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <string.h>

#include "device.h"
#include "log.h"

/* CoreSight architecture specification, "management registers". */
enum {
	ITCTRL = 0xf00,
	CLAIMSET = 0xfa0,
	CLAIMCLR = 0xfa4,
	LAR = 0xfb0,
	LSR = 0xfb4,
	AUTHSTATUS = 0xfb8,
	DEVARCH = 0xfbc,
	DEVID = 0xfc8,
	DEVTYPE = 0xfcc,
	PIDR4 = 0xfd0,
	PIDR0 = 0xfe0,
	CIDR0 = 0xff0,
	CIDR3 = 0xffc,
};

static const struct reg_range common[] = {
	{ ITCTRL, ITCTRL, REG_RW },
	{ CLAIMSET, CLAIMSET, REG_RW },
	{ CLAIMCLR, CLAIMCLR, REG_RW },
	{ LAR, LAR, REG_WO },
	{ LSR, DEVARCH, REG_RO },
	{ DEVID, CIDR3, REG_RO },
	{ 0, 0, REG_END },
};

/* Four tags; each is set and cleared by writing 1. */
#define CLAIM_TAGS 0xf

static const struct reg_range *find(const struct reg_range *r, uint32_t off)
{
	for (; r->kind != REG_END; r++)
		if (off >= r->first && off <= r->last)
			return r;
	return NULL;
}

void device_set(struct device *dev, uint32_t off, uint32_t value)
{
	dev->value[off / 4] = value;
	dev->guest[off / 4] = value;
}

void device_init(struct device *dev, const char *name, uint64_t base,
		 const struct ram *ram, const struct device_ops *ops,
		 const struct device_id *id)
{
	/* Arm Limited's JEP106 code, 0x3b in bank 4, and component class 9. */
	static const uint8_t cidr[] = { 0x0d, 0x90, 0x05, 0xb1 };
	const uint8_t pidr[] = { id->part, 0xb0 | id->part >> 8, 0x0b, 0x00 };

	memset(dev, 0, sizeof(*dev));
	snprintf(dev->name, sizeof(dev->name), "%s", name);
	dev->base = base;
	dev->ops = ops;
	dev->guest = ram_at(ram, base, BOARD_PAGE);
	for (uint32_t off = 0; off < BOARD_PAGE; off += 4)
		device_set(dev, off, 0);
	for (int i = 0; i < 4; i++) {
		device_set(dev, PIDR0 + 4 * i, pidr[i]);
		device_set(dev, CIDR0 + 4 * i, cidr[i]);
	}
	device_set(dev, PIDR4, 4);
	device_set(dev, DEVARCH, id->devarch);
	device_set(dev, DEVID, id->devid);
	device_set(dev, DEVTYPE, id->devtype);
	device_set(dev, AUTHSTATUS, id->authstatus);
	device_set(dev, CLAIMSET, CLAIM_TAGS);
}

static void claim(struct device *dev, uint32_t off, uint32_t value)
{
	uint32_t tags = dev->value[CLAIMCLR / 4];

	if (off == CLAIMSET)
		tags |= value & CLAIM_TAGS;
	else
		tags &= ~value;
	device_set(dev, CLAIMSET, CLAIM_TAGS);
	device_set(dev, CLAIMCLR, tags);
}

static void write_to(struct device *dev, const struct reg_range *r,
		     uint32_t off, uint32_t value)
{
	if (off == CLAIMSET || off == CLAIMCLR) {
		claim(dev, off, value);
		return;
	}
	if (r->kind == REG_RO) {
		log_unknown("%s+0x%03x: write of 0x%x, it is read-only",
			    dev->name, off, value);
		device_set(dev, off, dev->value[off / 4]);
		return;
	}
	device_set(dev, off, r->kind == REG_RW ? value : 0);
	if (dev->ops->written)
		dev->ops->written(dev, off, value);
}

void device_access(struct device *dev, uint32_t off, bool store, uint32_t value)
{
	const struct reg_range *r = find(dev->ops->known, off);

	if (!r)
		r = find(common, off);
	if (!r) {
		log_unknown(store ? "%s+0x%03x: write of 0x%x" :
				    "%s+0x%03x: read",
			    dev->name, off, value);
		if (store)
			device_set(dev, off, dev->value[off / 4]);
	} else if (store) {
		write_to(dev, r, off, value);
	} else if (dev->ops->was_read) {
		dev->ops->was_read(dev, off);
	}
}
