// SPDX-License-Identifier: GPL-2.0-or-later
/* The devices, where they lie, and how they are connected. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "clock.h"
#include "log.h"
#include "qemu-api.h"
#include "rig.h"

struct rig rig;

static void trace_bytes(void *ctx, const uint8_t *bytes, size_t n)
{
	struct cpu *cpu = ctx;

	cpu->fifo_level += 16 * n;
	cpu->sent += n;
	if (funnel_is_open(&rig.funnel, cpu->index))
		tmc_input(&rig.etf, etm_device_trace_id(&cpu->dev), bytes, n,
			  cpu->sent);
}

static uint64_t trace_now(void *ctx)
{
	(void)ctx;
	return clock_now();
}

static void trace_event(void *ctx, unsigned int out)
{
	((struct cpu *)ctx)->outputs |= 1u << out;
}

static void trace_synced(void *ctx, uint64_t offset)
{
	truth_sync(&((struct cpu *)ctx)->truth, offset);
}

static const struct etm_ops etm_ops = {
	.bytes = trace_bytes,
	.now = trace_now,
	.event = trace_event,
	.synced = trace_synced,
};

static void switched(void *ctx, bool on)
{
	rig_switched(ctx, on);
}

static void flush_sources(void *ctx)
{
	(void)ctx;
	for (unsigned int i = 0; i < rig.nr_cpus; i++)
		exec_flush(&rig.cpu[i]);
}

static void tell_sources(const struct tmc *t)
{
	for (int id = 1; id < 0x70; id++)
		if (t->source[id].end)
			log_say("%s: id 0x%02x from %" PRIu64 " to %" PRIu64,
				t->dev.name, id, t->source[id].first,
				t->source[id].end);
}

static void sink_changed(void *ctx, const struct tmc *t, bool capturing)
{
	(void)ctx;
	log_say("%s: %s", t->dev.name,
		!capturing ? "stopped" :
		t->pages   ? "capture, scattered" :
			     "capture");
	if (!capturing)
		tell_sources(t);
}

/* What a dump has that nobody stopped the ETR for. */
static void tell_memory(const struct tmc *t)
{
	log_say("%s: holds %" PRIu64 " bytes at 0x%" PRIx64 ", next is %" PRIu64
		"%s",
		t->dev.name, t->size, t->base, t->write_at,
		t->full ? ", full" : "");
	for (int id = 0; id < 128; id++)
		if (t->source[id].end)
			log_say("%s: id 0x%02x has come to %" PRIu64,
				t->dev.name, id, t->source[id].end);
}

/* The guest may have died while it was tracing: what do the sinks hold? */
void rig_exit(void)
{
	struct tmc *const sinks[] = { &rig.etf, &rig.etr };

	if (rig.etr.capturing)
		tell_memory(&rig.etr);
	flush_sources(NULL);
	for (int i = 0; i < 2; i++) {
		if (!sinks[i]->capturing)
			continue;
		log_say("%s: capture at exit", sinks[i]->dev.name);
		tell_sources(sinks[i]);
	}
}

static void sink_trigger(void *ctx, unsigned int trigger)
{
	(void)ctx;
	log_say("trigger %u", trigger);
	switch (trigger) {
	case CTI_OUT_ETF_FLUSHIN:
		tmc_flush_in(&rig.etf);
		break;
	case CTI_OUT_ETF_TRIGIN:
		tmc_trigger_in(&rig.etf);
		break;
	case CTI_OUT_ETR_FLUSHIN:
		tmc_flush_in(&rig.etr);
		break;
	case CTI_OUT_ETR_TRIGIN:
		tmc_trigger_in(&rig.etr);
		break;
	}
}

static void map_ram(void)
{
	int fd = open(rig.ram_path, O_RDWR);

	rig.ram.size = rig.ram_size;
	if (fd >= 0)
		rig.ram.bytes = mmap(NULL, rig.ram_size, PROT_READ | PROT_WRITE,
				     MAP_SHARED, fd, 0);
	if (fd < 0 || rig.ram.bytes == MAP_FAILED) {
		fprintf(stderr, "rig: %s: %s\n", rig.ram_path, strerror(errno));
		_exit(1);
	}
	close(fd);
}

static void init_sink(struct tmc *t)
{
	t->flush = flush_sources;
	t->changed = sink_changed;
}

static void init_cpu(struct cpu *cpu, unsigned int i, struct cti **matrix)
{
	char name[16];

	cpu->index = i;
	pthread_mutex_init(&cpu->lock, NULL);
	etm_device_init(&cpu->dev, i, rig.base + board_etm(i), &rig.ram);
	cpu->dev.switched = switched;
	cpu->dev.ctx = cpu;
	cpu->etm = etm_create(&etm_ops, cpu);
	snprintf(name, sizeof(name), "cti%u", i);
	cti_init(&cpu->cti, name, rig.base + board_cti(i), &rig.ram, matrix);
	if (!truth_open(&cpu->truth, rig.out, i)) {
		fprintf(stderr, "rig: %s: %s\n", rig.out, strerror(errno));
		_exit(1);
	}
}

void rig_init(void)
{
	static struct cti *matrix;

	map_ram();
	rig.base = board_base(rig.ram_size);
	funnel_init(&rig.funnel, "funnel0", rig.base + BOARD_FUNNEL, &rig.ram);
	tmc_init_etf(&rig.etf, "etf0", rig.base + BOARD_ETF, &rig.ram,
		     rig.etf_size);
	tmc_init_etr(&rig.etr, "etr0", rig.base + BOARD_ETR, &rig.ram,
		     rig.scatter);
	init_sink(&rig.etf);
	init_sink(&rig.etr);
	rig.etf.next = &rig.etr;
	cti_init(&rig.sink_cti, "cti_sink", rig.base + BOARD_CTI, &rig.ram,
		 &matrix);
	rig.sink_cti.output = sink_trigger;
	for (unsigned int i = 0; i < rig.nr_cpus; i++)
		init_cpu(&rig.cpu[i], i, &matrix);
	log_say("%u CPUs, devices at 0x%" PRIx64, rig.nr_cpus, rig.base);
}

static struct device *device_at(uint64_t phys)
{
	struct device *const fixed[] = { &rig.funnel.dev, &rig.etf.dev,
					 &rig.etr.dev, &rig.sink_cti.dev };

	for (unsigned int i = 0; i < 4; i++)
		if (phys - fixed[i]->base < BOARD_PAGE)
			return fixed[i];
	for (unsigned int i = 0; i < rig.nr_cpus; i++) {
		if (phys - rig.cpu[i].dev.dev.base < BOARD_PAGE)
			return &rig.cpu[i].dev.dev;
		if (phys - rig.cpu[i].cti.dev.base < BOARD_PAGE)
			return &rig.cpu[i].cti.dev;
	}
	return NULL;
}

void rig_access(uint64_t phys, bool store, uint32_t value)
{
	struct device *dev = device_at(phys);

	if (dev)
		device_access(dev, phys - dev->base, store, value);
	else
		log_unknown("no device at 0x%" PRIx64, phys);
}
