/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RIG_RIG_H
#define RIG_RIG_H

#include <pthread.h>

#include "cti.h"
#include "etm-device.h"
#include "funnel.h"
#include "tmc.h"
#include "truth.h"

/* A translated instruction; it lives as long as QEMU. */
struct insn {
	uint64_t vaddr;
	uint32_t opcode;
	bool first; /* of its translation block: registers can be read there */
	bool in_text;
	struct insn *next; /* of the same hash */
};

/* One CPU with its trace unit. */
struct cpu {
	unsigned int index;
	pthread_mutex_t lock; /* of all that follows, but for dev and cti */
	bool on;	      /* the trace unit is enabled */
	bool running;	      /* ... and where the CPU is, is known */
	struct etm *etm;
	struct truth truth;
	uint64_t sent;	      /* bytes of trace */
	struct insn *pending; /* begun; NULL: none */
	uint64_t pending_addr;
	uint64_t delta; /* of user code: where it runs, from where it was translated */
	uint64_t vbar;
	unsigned int level; /* that takes exceptions: 1, or 2 with VHE */
	struct etm_context context;
	bool reread;	      /* a register that matters was written */
	unsigned int outputs; /* of the trace unit, that are to be acted upon */
	uint64_t fifo_level;  /* in 1/16 bytes */
	struct etm_device dev;
	struct cti cti;
};

struct rig {
	unsigned int nr_cpus;
	struct cpu cpu[BOARD_MAX_CPUS];
	struct ram ram;
	uint64_t base; /* of the devices */
	struct funnel funnel;
	struct tmc etf, etr;
	struct cti sink_cti;
	/* Options. */
	const char *ram_path, *out;
	uint64_t ram_size, etf_size, fifo, drain;
	bool scatter;
};

extern struct rig rig;

/* board.c: map the guest's RAM and put the devices there. */
void rig_init(void);
/* QEMU ends. */
void rig_exit(void);
void rig_access(uint64_t phys, bool store, uint32_t value);
/* A CPU's trace unit was switched on or off by a write to its registers. */
void rig_switched(struct cpu *cpu, bool on);

/* exec.c: an instruction is about to be executed. */
void exec_instruction(struct cpu *cpu, struct insn *insn);
void exec_idle(struct cpu *cpu);
/* The trace unit is switched off; with its lock held. */
void exec_stop(struct cpu *cpu);
/* A sink wants all that there is. */
void exec_flush(struct cpu *cpu);

#endif
