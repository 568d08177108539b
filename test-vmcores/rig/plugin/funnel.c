// SPDX-License-Identifier: GPL-2.0-or-later
#include "funnel.h"

/* CoreSight trace funnel, "programmers model". */
enum {
	FUNCTL = 0x000, /* a bit for each port */
	PRICTL = 0x004,
};

static const struct reg_range regs[] = {
	{ FUNCTL, PRICTL, REG_RW },
	{ 0, 0, REG_END },
};

void funnel_init(struct funnel *f, const char *name, uint64_t base,
		 const struct ram *ram)
{
	static const struct device_ops ops = { regs, NULL, NULL };
	static const struct device_id id = {
		.part = 0x908,
		.devid = BOARD_MAX_CPUS,
		.devtype = 0x12,
		.authstatus = 0,
	};

	device_init(&f->dev, name, base, ram, &ops, &id);
}

bool funnel_is_open(const struct funnel *f, unsigned int port)
{
	return device_get(&f->dev, FUNCTL) >> port & 1;
}
