// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "cti.h"

/* CoreSight cross trigger interface, "programmers model". */
enum {
	CTICONTROL = 0x000,
	INTACK = 0x010,
	APPSET = 0x014,
	APPCLEAR = 0x018,
	APPPULSE = 0x01c,
	INEN0 = 0x020,
	OUTEN0 = 0x0a0,
	TRIGINSTATUS = 0x130,
	CHOUTSTATUS = 0x13c,
	GATE = 0x140,
	ASICCTL = 0x144,
};

#define ALL_CHANNELS ((1u << CTI_CHANNELS) - 1)

static const struct reg_range regs[] = {
	{ CTICONTROL, CTICONTROL, REG_RW },
	{ INTACK, INTACK, REG_WO },
	{ APPSET, APPSET, REG_RW },
	{ APPCLEAR, APPPULSE, REG_WO },
	{ INEN0, INEN0 + 4 * (CTI_TRIGGERS - 1), REG_RW },
	{ OUTEN0, OUTEN0 + 4 * (CTI_TRIGGERS - 1), REG_RW },
	{ TRIGINSTATUS, CHOUTSTATUS, REG_RO },
	{ GATE, ASICCTL, REG_RW },
	{ 0, 0, REG_END },
};

static bool is_on(const struct cti *c)
{
	return device_get(&c->dev, CTICONTROL) & 1;
}

static void outputs(struct cti *c, uint32_t channels)
{
	for (unsigned int i = 0; i < CTI_TRIGGERS; i++)
		if (is_on(c) && c->output &&
		    device_get(&c->dev, OUTEN0 + 4 * i) & channels)
			c->output(c->ctx, i);
}

static void pulse(struct cti *c, uint32_t channels)
{
	uint32_t shared = channels & device_get(&c->dev, GATE);

	outputs(c, channels);
	for (struct cti *other = *c->all; shared && other; other = other->next)
		if (other != c)
			outputs(other, shared & device_get(&other->dev, GATE));
}

static void written(struct device *dev, uint32_t off, uint32_t value)
{
	struct cti *c = (struct cti *)dev;

	switch (off) {
	case APPSET:
		c->application |= value & ALL_CHANNELS;
		pulse(c, value & ALL_CHANNELS);
		break;
	case APPCLEAR:
		c->application &= ~value;
		break;
	case APPPULSE:
		pulse(c, value & ALL_CHANNELS);
		return;
	default:
		return;
	}
	device_set(dev, APPSET, c->application);
}

void cti_input(struct cti *c, unsigned int trigger)
{
	if (is_on(c))
		pulse(c, device_get(&c->dev, INEN0 + 4 * trigger));
}

void cti_init(struct cti *c, const char *name, uint64_t base,
	      const struct ram *ram, struct cti **all)
{
	static const struct device_ops ops = { regs, written, NULL };
	static const struct device_id id = {
		.part = 0x906,
		.devid = CTI_CHANNELS << 16 | CTI_TRIGGERS << 8,
		.devtype = 0x14,
		.authstatus = 0x0f,
	};

	memset(c, 0, sizeof(*c));
	device_init(&c->dev, name, base, ram, &ops, &id);
	device_set(&c->dev, GATE, ALL_CHANNELS);
	c->all = all;
	c->next = *all;
	*all = c;
}
