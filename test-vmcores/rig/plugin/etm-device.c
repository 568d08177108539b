// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <string.h>

#include "etm-device.h"
#include "etm/idregs.h"
#include "log.h"

/* Arm IHI 0064, "register map of the trace unit". */
enum {
	PRGCTLR = 0x004,
	STATR = 0x00c,
	CONFIGR = 0x010,
	EVENTCTL0R = 0x020,
	EVENTCTL1R = 0x024,
	STALLCTLR = 0x02c,
	TSCTLR = 0x030,
	SYNCPR = 0x034,
	CCCTLR = 0x038,
	BBCTLR = 0x03c,
	TRACEIDR = 0x040,
	VICTLR = 0x080,
	VIIECTLR = 0x084,
	VISSCTLR = 0x088,
	SEQEVR0 = 0x100,
	SEQRSTEVR = 0x118,
	SEQSTR = 0x11c,
	CNTRLDVR0 = 0x140,
	CNTCTLR0 = 0x150,
	CNTVR0 = 0x160,
	IDR8 = 0x180,
	IDR0 = 0x1e0,
	RSCTLR0 = 0x200,
	SSCCR0 = 0x280,
	OSLAR = 0x300,
	OSLSR = 0x304,
	PDSR = 0x314,
	ACVR0 = 0x400,
	ACATR0 = 0x480,
	CIDCVR0 = 0x600,
	VMIDCVR0 = 0x640,
	CIDCCTLR0 = 0x680,
	VMIDCCTLR0 = 0x688,
	DEVAFF0 = 0xfa8,
};

enum {
	STATR_IDLE = 1 << 0,
	STATR_PMSTABLE = 1 << 1,
	/* The OS lock is implemented, and locked after reset. */
	OSLSR_MODEL = 1 << 3,
	OSLSR_LOCKED = 1 << 1,
	PDSR_POWER = 1 << 0,
	VICTLR_SSSTATUS = 1 << 9,
};

static const struct reg_range regs[] = {
	{ PRGCTLR, 0x008, REG_RW },
	{ STATR, STATR, REG_RO },
	{ CONFIGR, CONFIGR, REG_RW },
	{ 0x018, 0x018, REG_RW }, /* TRCAUXCTLR */
	{ EVENTCTL0R, EVENTCTL1R, REG_RW },
	{ STALLCTLR, TRACEIDR, REG_RW },
	{ VICTLR, VISSCTLR, REG_RW },
	{ SEQEVR0, 0x108, REG_RW },
	{ SEQRSTEVR, 0x120, REG_RW }, /* TRCEXTINSELR is the last */
	{ CNTRLDVR0, 0x144, REG_RW },
	{ CNTCTLR0, 0x154, REG_RW },
	{ CNTVR0, 0x164, REG_RW },
	{ IDR8, 0x194, REG_RO },
	{ 0x1c0, 0x1c0, REG_RW }, /* TRCIMSPEC0 */
	{ IDR0, 0x1fc, REG_RO },
	{ RSCTLR0, 0x23c, REG_RW },
	{ SSCCR0, SSCCR0, REG_RW },
	{ 0x2a0, 0x2a0, REG_RW }, /* TRCSSCSR0 */
	{ OSLAR, OSLAR, REG_WO },
	{ OSLSR, OSLSR, REG_RO },
	{ 0x310, 0x310, REG_RW }, /* TRCPDCR */
	{ PDSR, PDSR, REG_RO },
	{ ACVR0, 0x43c, REG_RW },
	{ ACATR0, 0x4bc, REG_RW },
	{ CIDCVR0, 0x604, REG_RW },
	{ VMIDCVR0, 0x644, REG_RW },
	{ CIDCCTLR0, CIDCCTLR0, REG_RW },
	{ VMIDCCTLR0, VMIDCCTLR0, REG_RW },
	{ DEVAFF0, 0xfac, REG_RO },
	{ 0, 0, REG_END },
};

static void written(struct device *dev, uint32_t off, uint32_t value)
{
	struct etm_device *e = (struct etm_device *)dev;

	switch (off) {
	case PRGCTLR:
		if (e->on == (value & 1))
			break;
		e->on = value & 1;
		device_set(dev, STATR, e->on ? 0 : STATR_IDLE | STATR_PMSTABLE);
		e->switched(e->ctx, e->on);
		break;
	case OSLAR:
		device_set(dev, OSLSR,
			   OSLSR_MODEL | (value & 1 ? OSLSR_LOCKED : 0));
		break;
	}
}

void etm_device_init(struct etm_device *e, unsigned int cpu, uint64_t base,
		     const struct ram *ram)
{
	static const uint32_t idr[] = { ETM_IDR0, ETM_IDR1, ETM_IDR2,
					ETM_IDR3, ETM_IDR4, ETM_IDR5 };
	static const struct device_ops ops = { regs, written, NULL };
	static const struct device_id id = {
		.part = 0x95e, /* of a Cortex-A57 */
		.devarch = ETM_DEVARCH,
		.devtype = 0x13,
		.authstatus = 0xcc,
	};
	char name[16];

	memset(e, 0, sizeof(*e));
	snprintf(name, sizeof(name), "etm%u", cpu);
	device_init(&e->dev, name, base, ram, &ops, &id);
	for (int i = 0; i < 6; i++) {
		device_set(&e->dev, IDR0 + 4 * i, idr[i]);
		if (!cpu)
			log_say("TRCIDR%d 0x%08x", i, idr[i]);
	}
	device_set(&e->dev, IDR8, ETM_IDR8);
	device_set(&e->dev, STATR, STATR_IDLE | STATR_PMSTABLE);
	device_set(&e->dev, OSLSR, OSLSR_MODEL | OSLSR_LOCKED);
	device_set(&e->dev, PDSR, PDSR_POWER);
	device_set(&e->dev, DEVAFF0, 0x80000000 | cpu);
}

static uint32_t get(const struct etm_device *e, uint32_t off)
{
	return device_get(&e->dev, off);
}

static uint64_t get64(const struct etm_device *e, uint32_t off)
{
	return get(e, off) | (uint64_t)get(e, off + 4) << 32;
}

void etm_device_config(const struct etm_device *e, struct etm_config *cfg)
{
	*cfg = (struct etm_config){
		.configr = get(e, CONFIGR),
		.eventctl0r = get(e, EVENTCTL0R),
		.eventctl1r = get(e, EVENTCTL1R),
		.tsctlr = get(e, TSCTLR),
		.syncpr = get(e, SYNCPR),
		.ccctlr = get(e, CCCTLR),
		.bbctlr = get(e, BBCTLR),
		.traceidr = get(e, TRACEIDR),
		.victlr = get(e, VICTLR),
		.viiectlr = get(e, VIIECTLR),
		.vissctlr = get(e, VISSCTLR),
		.cidcvr = { get64(e, CIDCVR0) },
		.vmidcvr = { get64(e, VMIDCVR0) },
		.cidcctlr0 = get(e, CIDCCTLR0),
		.vmidcctlr0 = get(e, VMIDCCTLR0),
		.seqrstevr = get(e, SEQRSTEVR),
		.seqstr = get(e, SEQSTR),
		.ssccr = { get(e, SSCCR0) },
	};
	for (int i = 0; i < 2 * ETM_ADDRESS_PAIRS; i++) {
		cfg->acvr[i] = get64(e, ACVR0 + 8 * i);
		cfg->acatr[i] = get64(e, ACATR0 + 8 * i);
	}
	for (int i = 0; i < ETM_SELECTORS; i++)
		cfg->rsctlr[i] = get(e, RSCTLR0 + 4 * i);
	for (int i = 0; i < ETM_COUNTERS; i++) {
		cfg->cntrldvr[i] = get(e, CNTRLDVR0 + 4 * i);
		cfg->cntctlr[i] = get(e, CNTCTLR0 + 4 * i);
		cfg->cntvr[i] = get(e, CNTVR0 + 4 * i);
	}
	for (int i = 0; i < ETM_MAX_SEQ_EVENTS; i++)
		cfg->seqevr[i] = get(e, SEQEVR0 + 4 * i);
}

void etm_device_stopped(struct etm_device *e, const struct etm *etm)
{
	uint32_t victlr = get(e, VICTLR) & ~VICTLR_SSSTATUS;

	device_set(&e->dev, VICTLR,
		   victlr | (etm_started(etm) ? VICTLR_SSSTATUS : 0));
	device_set(&e->dev, SEQSTR, etm_sequencer(etm));
	for (int i = 0; i < ETM_COUNTERS; i++)
		device_set(&e->dev, CNTVR0 + 4 * i, etm_counter(etm, i));
}

unsigned int etm_device_trace_id(const struct etm_device *e)
{
	return get(e, TRACEIDR) & 0x7f;
}
