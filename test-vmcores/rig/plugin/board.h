/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RIG_BOARD_H
#define RIG_BOARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Where the devices lie: in the last 32 MiB of the guest's RAM, which Linux is
 * told (mem=) that it does not have. dts.c makes the device tree of the same
 * figures.
 */
#define BOARD_MAX_CPUS 4
#define BOARD_RAM_BASE 0x40000000ull /* of QEMU's machine virt */
#define BOARD_WINDOW   (32ull << 20)
#define BOARD_PAGE     0x1000

enum board_offset {
	BOARD_FUNNEL = 0x00000,
	BOARD_ETF = 0x10000,
	BOARD_ETR = 0x20000,
	BOARD_CTI = 0x30000, /* the one at the sinks */
	BOARD_ETM0 = 0x100000,
	BOARD_CTI0 = 0x110000,
	BOARD_CPU_STRIDE = 0x20000,
	BOARD_END = BOARD_ETM0 + BOARD_MAX_CPUS * BOARD_CPU_STRIDE,
};

static inline uint64_t board_base(uint64_t ram_size)
{
	return BOARD_RAM_BASE + ram_size - BOARD_WINDOW;
}

static inline uint32_t board_etm(unsigned int cpu)
{
	return BOARD_ETM0 + cpu * BOARD_CPU_STRIDE;
}

static inline uint32_t board_cti(unsigned int cpu)
{
	return BOARD_CTI0 + cpu * BOARD_CPU_STRIDE;
}

/*
 * Triggers. Of the CPU's CTI as Armv8 has them: inputs 4 to 7 are the ETM's
 * external outputs. Of the one at the sinks: outputs.
 */
enum board_trigger {
	CTI_IN_ETM_EXTOUT = 4,
	CTI_OUT_ETF_FLUSHIN = 0,
	CTI_OUT_ETF_TRIGIN = 1,
	CTI_OUT_ETR_FLUSHIN = 2,
	CTI_OUT_ETR_TRIGIN = 3,
	CTI_TRIGGERS = 8,
	CTI_CHANNELS = 4,
};

/* The guest's RAM, mapped: what a bus master sees. */
struct ram {
	uint8_t *bytes;
	size_t size;
};

/* @len bytes at a physical address; NULL where that is not all RAM. */
static inline void *ram_at(const struct ram *ram, uint64_t addr, size_t len)
{
	if (addr < BOARD_RAM_BASE || addr - BOARD_RAM_BASE > ram->size ||
	    len > ram->size - (addr - BOARD_RAM_BASE))
		return NULL;
	return ram->bytes + (addr - BOARD_RAM_BASE);
}

#endif
