// SPDX-License-Identifier: GPL-2.0-or-later
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "log.h"
#include "tmc.h"

/* CoreSight TMC technical reference manual, "programmers model". */
enum {
	RSZ = 0x004, /* words */
	STS = 0x00c,
	RRD = 0x010,
	RRP = 0x014,
	RWP = 0x018,
	TRG = 0x01c,
	CTL = 0x020,
	RWD = 0x024,
	MODE = 0x028,
	LBUFLEVEL = 0x02c,
	CBUFLEVEL = 0x030,
	BUFWM = 0x034,
	RRPHI = 0x038,
	RWPHI = 0x03c,
	AXICTL = 0x110,
	DBALO = 0x118,
	DBAHI = 0x11c,
	FFSR = 0x300,
	FFCR = 0x304,
	PSCR = 0x308,
};

enum {
	STS_FULL = 1 << 0,
	STS_TRIGGERED = 1 << 1,
	STS_READY = 1 << 2,
	STS_FT_EMPTY = 1 << 3,
	STS_EMPTY = 1 << 4,
	CTL_CAPTURE = 1 << 0,
	MODE_CIRCULAR = 0,
	MODE_HARDWARE_FIFO = 2,
	AXICTL_SCATTER = 1 << 7,
	FFSR_STOPPED = 1 << 1,
	FFCR_FORMAT = 1 << 0,
	FFCR_FLUSH_ON_FLUSHIN = 1 << 4,
	FFCR_FLUSH_ON_TRIGGER = 1 << 5,
	FFCR_FLUSH_MANUALLY = 1 << 6,
	FFCR_STOP_ON_FLUSH = 1 << 12,
	FFCR_STOP_ON_TRIGGER = 1 << 13,
};

/* DEVID: configuration type, memory width (64 bits), of an ETR: AXI. */
enum {
	DEVID_ETR = 1 << 6,
	DEVID_ETF = 2 << 6,
	DEVID_WIDTH_64 = 3 << 8,
	DEVID_AXIAW_VALID = 1 << 16,
	DEVID_AXIAW_40 = 0x28 << 17,
	DEVID_NO_SCATTER = 1 << 24,
};

#define NOTHING_LEFT 0xffffffff

/* A table of a scattered ETR: entries of 4 bytes, 4 KiB pages. */
enum {
	TABLE_LAST = 1,
	TABLE_PAGE = 2,
	TABLE_LINK = 3,
	TABLE_ENTRIES = 1024,
};

static const struct reg_range etf_regs[] = {
	{ RSZ, RSZ, REG_RO },
	{ STS, STS, REG_RO },
	{ RRD, RRD, REG_RO },
	{ RRP, CTL, REG_RW },
	{ RWD, RWD, REG_WO },
	{ MODE, MODE, REG_RW },
	{ LBUFLEVEL, CBUFLEVEL, REG_RO },
	{ BUFWM, RWPHI, REG_RW },
	{ FFSR, FFSR, REG_RO },
	{ FFCR, PSCR, REG_RW },
	{ 0, 0, REG_END },
};

static const struct reg_range etr_regs[] = {
	{ RSZ, RSZ, REG_RW },
	{ STS, STS, REG_RW },
	{ RRD, RRD, REG_RO },
	{ RRP, CTL, REG_RW },
	{ RWD, RWD, REG_WO },
	{ MODE, MODE, REG_RW },
	{ LBUFLEVEL, CBUFLEVEL, REG_RO },
	{ BUFWM, RWPHI, REG_RW },
	{ AXICTL, AXICTL, REG_RW },
	{ DBALO, DBAHI, REG_RW },
	{ FFSR, FFSR, REG_RO },
	{ FFCR, PSCR, REG_RW },
	{ 0, 0, REG_END },
};

/* Trace arrives from all CPUs at once. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct tmc *tmc_of(struct device *dev)
{
	return (struct tmc *)((char *)dev - offsetof(struct tmc, dev));
}

static uint64_t data_base(const struct tmc *t)
{
	return (uint64_t)device_get(&t->dev, DBAHI) << 32 |
	       device_get(&t->dev, DBALO);
}

/* Where the byte at @offset of the buffer is for the bus. */
static uint64_t bus_addr(const struct tmc *t, uint64_t offset)
{
	if (!t->etr)
		return offset;
	if (!t->pages)
		return t->base + offset;
	return t->pages[offset / BOARD_PAGE] + offset % BOARD_PAGE;
}

static uint8_t *storage(const struct tmc *t, uint64_t offset, size_t len)
{
	if (!t->etr)
		return t->memory + offset;
	return ram_at(t->ram, bus_addr(t, offset), len);
}

static void show_write_pointer(struct tmc *t)
{
	uint64_t addr = bus_addr(t, t->write_at);

	device_set(&t->dev, RWP, addr);
	if (t->etr)
		device_set(&t->dev, RWPHI, addr >> 32);
}

static void show_pointers(struct tmc *t)
{
	uint64_t addr = bus_addr(t, t->full ? t->write_at : t->read_at);

	device_set(&t->dev, RRP, addr);
	if (t->etr)
		device_set(&t->dev, RRPHI, addr >> 32);
	show_write_pointer(t);
}

/* What the next read of RRD gives. */
static void show_data(struct tmc *t, uint64_t left)
{
	const uint8_t *from = left ? storage(t, t->read_at, sizeof(uint32_t)) :
				     NULL;
	uint32_t word = NOTHING_LEFT;

	/* An ETR may have been told to use what is no RAM. */
	if (from)
		memcpy(&word, from, sizeof(word));
	device_set(&t->dev, RRD, word);
}

static uint64_t bytes_left(const struct tmc *t)
{
	if (t->full)
		return t->size;
	return (t->write_at + t->size - t->read_at) % t->size;
}

static void store_frame(void *ctx, const uint8_t bytes[FRAME_SIZE])
{
	struct tmc *t = ctx;
	uint8_t *to = storage(t, t->write_at, FRAME_SIZE);

	if (to)
		memcpy(to, bytes, FRAME_SIZE);
	t->write_at += FRAME_SIZE;
	if (t->write_at >= t->size) {
		t->write_at = 0;
		t->full = true;
	}
	show_write_pointer(t);
	device_set(&t->dev, STS, t->full ? STS_FULL : 0);
}

/* Follow the table at DBA; what leads astray ends it. */
static void read_table(struct tmc *t)
{
	uint64_t table = t->base;
	size_t wanted = t->size / BOARD_PAGE;

	t->pages = calloc(wanted + 1, sizeof(*t->pages));
	t->nr_pages = 0;
	for (size_t i = 0; i < 2 * wanted + TABLE_ENTRIES; i++) {
		const uint32_t *entry = ram_at(t->ram, table, sizeof(*entry));
		uint64_t addr;

		if (!entry || !t->pages)
			break;
		addr = (uint64_t)(*entry >> 4) << 12;
		switch (*entry & 3) {
		case TABLE_LINK:
			table = addr;
			continue;
		case TABLE_LAST:
		case TABLE_PAGE:
			if (t->nr_pages < wanted)
				t->pages[t->nr_pages++] = addr;
			break;
		}
		if ((*entry & 3) != TABLE_PAGE)
			break;
		table += sizeof(*entry);
	}
	if (t->nr_pages < wanted) {
		log_unknown("%s: scatter-gather table of %zu pages, not %zu",
			    t->dev.name, t->nr_pages, wanted);
		t->size = t->nr_pages * BOARD_PAGE;
	}
}

static void begin(struct tmc *t)
{
	uint32_t mode = device_get(&t->dev, MODE);

	if (mode != MODE_CIRCULAR && (t->etr || mode != MODE_HARDWARE_FIFO))
		log_unknown("%s: mode %u", t->dev.name, mode);
	if (!(device_get(&t->dev, FFCR) & FFCR_FORMAT))
		log_unknown("%s: formatter off", t->dev.name);
	t->passes_on = mode == MODE_HARDWARE_FIFO;
	t->base = data_base(t);
	/* Whole frames. */
	t->size = 4ull * device_get(&t->dev, RSZ) / FRAME_SIZE * FRAME_SIZE;
	free(t->pages);
	t->pages = NULL;
	if (t->etr && device_get(&t->dev, AXICTL) & AXICTL_SCATTER)
		read_table(t);
	if (t->size < FRAME_SIZE || !storage(t, 0, FRAME_SIZE)) {
		log_unknown("%s: buffer of %llu bytes at 0x%llx", t->dev.name,
			    (unsigned long long)t->size,
			    (unsigned long long)t->base);
		return;
	}
	t->read_at = t->write_at = 0;
	t->full = false;
	memset(t->source, 0, sizeof(t->source));
	frame_init(&t->formatter, false, store_frame, t);
	device_set(&t->dev, STS, STS_EMPTY);
	device_set(&t->dev, FFSR, 0);
	show_pointers(t);
	t->capturing = true;
	t->changed(t->ctx, t, true);
}

/* The formatter is stopped: the last frame is filled, and all can be read. */
static void stop(struct tmc *t)
{
	if (!t->capturing)
		return;
	if (!t->passes_on)
		frame_flush(&t->formatter);
	t->capturing = false;
	if (t->full)
		t->read_at = t->write_at;
	show_pointers(t);
	show_data(t, bytes_left(t));
	device_set(&t->dev, FFSR, FFSR_STOPPED);
	device_set(&t->dev, STS,
		   STS_READY | STS_FT_EMPTY | (t->full ? STS_FULL : 0) |
			   (bytes_left(t) ? 0 : STS_EMPTY));
	t->changed(t->ctx, t, false);
}

/* Capture is switched off: nothing of the formatter's is saved any more. */
static void end(struct tmc *t)
{
	if (t->capturing) {
		t->capturing = false;
		show_pointers(t);
		t->changed(t->ctx, t, false);
	}
	device_set(&t->dev, STS,
		   STS_READY | STS_FT_EMPTY | (t->full ? STS_FULL : 0));
}

static void flush(struct tmc *t, bool and_stop)
{
	/* Sources send what they have; they take the lock. */
	if (t->capturing)
		t->flush(t->ctx);
	pthread_mutex_lock(&lock);
	if (and_stop)
		stop(t);
	pthread_mutex_unlock(&lock);
}

static void written(struct device *dev, uint32_t off, uint32_t value)
{
	struct tmc *t = tmc_of(dev);

	switch (off) {
	case CTL:
		pthread_mutex_lock(&lock);
		/* After a stop it must be disabled before it can begin again. */
		if (value & CTL_CAPTURE && !t->enabled)
			begin(t);
		else if (!(value & CTL_CAPTURE))
			end(t);
		t->enabled = value & CTL_CAPTURE;
		pthread_mutex_unlock(&lock);
		break;
	case FFCR:
		if (value & FFCR_FLUSH_MANUALLY) {
			flush(t, value & FFCR_STOP_ON_FLUSH);
			device_set(dev, FFCR, value & ~FFCR_FLUSH_MANUALLY);
		}
		break;
	case RRP:
		/* For an ETR, where the driver reads the RAM, of no use. */
		if (!t->etr && !t->capturing && value < t->size) {
			t->read_at = value & ~3u;
			show_data(t, bytes_left(t));
		}
		break;
	case STS:
		/* An ETR's driver clears it before it starts. */
		if (!t->capturing)
			device_set(dev, STS, value | STS_READY);
		break;
	}
}

static void was_read(struct device *dev, uint32_t off)
{
	struct tmc *t = tmc_of(dev);
	uint64_t left;

	if (off != RRD || t->capturing || t->etr)
		return;
	left = bytes_left(t);
	if (!left)
		return;
	t->read_at = (t->read_at + 4) % t->size;
	t->full = false;
	device_set(dev, RRP, t->read_at);
	show_data(t, left - 4);
}

void tmc_input(struct tmc *t, uint8_t id, const uint8_t *bytes, size_t n,
	       uint64_t end)
{
	pthread_mutex_lock(&lock);
	if (t->capturing && t->passes_on && t->next)
		t = t->next;
	if (t->capturing && !t->passes_on && id && id < 0x70) {
		frame_write(&t->formatter, id, bytes, n);
		if (!t->source[id].end)
			t->source[id].first = end - n;
		t->source[id].end = end;
	}
	pthread_mutex_unlock(&lock);
}

void tmc_flush_in(struct tmc *t)
{
	uint32_t ffcr = device_get(&t->dev, FFCR);

	if (ffcr & FFCR_FLUSH_ON_FLUSHIN)
		flush(t, ffcr & FFCR_STOP_ON_FLUSH);
}

void tmc_trigger_in(struct tmc *t)
{
	uint32_t ffcr = device_get(&t->dev, FFCR);

	device_set(&t->dev, STS, device_get(&t->dev, STS) | STS_TRIGGERED);
	if (ffcr & FFCR_FLUSH_ON_TRIGGER)
		flush(t, ffcr & FFCR_STOP_ON_FLUSH);
	if (ffcr & FFCR_STOP_ON_TRIGGER)
		flush(t, true);
}

static void init(struct tmc *t, const char *name, uint64_t base,
		 const struct ram *ram, const struct device_ops *ops,
		 uint32_t devid)
{
	const struct device_id id = {
		.part = 0x961,
		.devid = devid,
		.devtype = 0x32,
		.authstatus = 0x0f,
	};

	memset(t, 0, sizeof(*t));
	t->ram = ram;
	device_init(&t->dev, name, base, ram, ops, &id);
	device_set(&t->dev, STS, STS_READY | STS_EMPTY | STS_FT_EMPTY);
	device_set(&t->dev, RRD, NOTHING_LEFT);
}

void tmc_init_etf(struct tmc *t, const char *name, uint64_t base,
		  const struct ram *ram, uint32_t size)
{
	static const struct device_ops ops = { etf_regs, written, was_read };

	init(t, name, base, ram, &ops, DEVID_ETF | DEVID_WIDTH_64);
	device_set(&t->dev, RSZ, size / 4);
	t->size = size;
	t->memory = calloc(1, size);
}

void tmc_init_etr(struct tmc *t, const char *name, uint64_t base,
		  const struct ram *ram, bool scatter)
{
	static const struct device_ops ops = { etr_regs, written, was_read };

	init(t, name, base, ram, &ops,
	     DEVID_ETR | DEVID_WIDTH_64 | DEVID_AXIAW_VALID | DEVID_AXIAW_40 |
		     (scatter ? 0 : DEVID_NO_SCATTER));
	t->etr = true;
	device_set(&t->dev, RSZ, 0x400);
}
