// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * QEMU tells of an instruction before it executes it. Whether it was executed,
 * and where that led, shows with the next one.
 */
#include <inttypes.h>

#include <glib.h>

#include "etm/a64.h"
#include "log.h"
#include "regs.h"
#include "rig.h"
#include "text.h"

/* Sixteen vectors of 0x80 bytes. */
#define VECTORS	    0x800
#define VECTOR_SIZE 0x80

/* MSR to a register that decides what follows: VBAR or CONTEXTIDR. */
static bool writes_context(uint32_t opcode)
{
	uint32_t reg = opcode & 0xffffffe0;

	return reg == 0xd518c000 || /* VBAR_EL1 */
	       reg == 0xd51cc000 || /* VBAR_EL2 */
	       reg == 0xd518d020 || /* CONTEXTIDR_EL1 */
	       reg == 0xd51cd020;   /* CONTEXTIDR_EL2 */
}

static void read_context(struct cpu *cpu)
{
	bool vhe = cpu->level == 2;

	cpu->vbar = regs_read(vhe ? CPU_VBAR_EL2 : CPU_VBAR_EL1);
	cpu->context.ns = true;
	cpu->context.aarch64 = true;
	cpu->context.contextid = regs_read(CPU_CONTEXTIDR_EL1);
	cpu->context.vmid = vhe ? regs_read(CPU_CONTEXTIDR_EL2) : 0;
	cpu->reread = false;
}

static unsigned int current_level(void)
{
	return regs_read(CPU_CPSR) >> 2 & 3;
}

/* It was enabled a moment ago, by the kernel itself. */
static void start(struct cpu *cpu)
{
	struct etm_config cfg;

	cpu->context.el = current_level();
	cpu->level = cpu->context.el == 2 ? 2 : 1;
	read_context(cpu);
	etm_device_config(&cpu->dev, &cfg);
	truth_begin(&cpu->truth, etm_device_trace_id(&cpu->dev), cfg.configr,
		    cpu->sent);
	etm_enable(cpu->etm, &cfg, &cpu->context);
	cpu->pending = NULL;
	cpu->fifo_level = 0;
	cpu->running = true;
}

static bool is_indirect(const struct a64_insn *insn)
{
	return insn->kind == A64_INDIRECT || insn->kind == A64_ERET;
}

static void lost(const struct cpu *cpu, uint64_t next)
{
	log_say("lost: cpu %u: %08x at 0x%" PRIx64 ", then 0x%" PRIx64,
		cpu->index, cpu->pending->opcode, cpu->pending_addr, next);
}

/* What is begun was executed, and led to @next. */
static void finish(struct cpu *cpu, uint64_t next)
{
	const struct insn *p = cpu->pending;
	struct etm_context context;
	struct a64_insn branch = { .kind = A64_OTHER };

	a64_p0(cpu->pending_addr, p->opcode, &branch);
	if (next != cpu->pending_addr + 4 &&
	    !(branch.kind == A64_DIRECT && next == branch.target) &&
	    !is_indirect(&branch))
		lost(cpu, next);
	/* An ISB, say, is the last one in the old context. */
	context = *etm_traced_context(cpu->etm);
	if (etm_executed(cpu->etm, cpu->pending_addr, p->opcode, next))
		truth_executed(&cpu->truth, cpu->pending_addr, &context);
	if (writes_context(p->opcode))
		cpu->reread = true;
}

/* Registers can be read at the first instruction of a block. */
static void update_context(struct cpu *cpu, unsigned int el)
{
	if (cpu->reread)
		read_context(cpu);
	cpu->context.el = el;
	etm_context(cpu->etm, &cpu->context);
}

static void take_exception(struct cpu *cpu, uint64_t vector)
{
	bool vhe = cpu->level == 2;
	uint64_t ret = regs_read(vhe ? CPU_ELR_EL2 : CPU_ELR_EL1);
	uint64_t esr = regs_read(vhe ? CPU_ESR_EL2 : CPU_ESR_EL1);
	uint64_t spsr = regs_read(vhe ? CPU_SPSR_EL2 : CPU_SPSR_EL1);
	struct a64_insn branch = { .kind = A64_OTHER };

	a64_p0(cpu->pending_addr, cpu->pending->opcode, &branch);
	/* Branches cannot fault; what can, has not been executed if it did. */
	if (branch.kind == A64_DIRECT || is_indirect(&branch) ||
	    ret != cpu->pending_addr) {
		finish(cpu, ret);
		update_context(cpu, spsr >> 2 & 3);
	}
	cpu->context.el = cpu->level;
	etm_exception(cpu->etm, etm_exception_of(vector - cpu->vbar, esr), ret,
		      vector, &cpu->context);
}

static bool is_vector(const struct cpu *cpu, uint64_t addr)
{
	return addr - cpu->vbar < VECTORS && !(addr % VECTOR_SIZE);
}

static void resolve(struct cpu *cpu, const struct insn *insn, uint64_t addr)
{
	struct a64_insn p0 = { .kind = A64_OTHER };

	if (insn->first && is_vector(cpu, addr)) {
		take_exception(cpu, addr);
		return;
	}
	/* QEMU begins an atomic access again, with all others stopped. */
	a64_p0(cpu->pending_addr, cpu->pending->opcode, &p0);
	if (addr == cpu->pending_addr && p0.kind == A64_OTHER)
		return;
	finish(cpu, addr);
	if (insn->first && (cpu->reread || p0.kind == A64_ERET))
		update_context(cpu, p0.kind == A64_ERET ? current_level() :
							  cpu->context.el);
}

/* A small FIFO that is emptied at a steady rate; for tests of overflows. */
static void drain(struct cpu *cpu)
{
	cpu->fifo_level -= MIN(cpu->fifo_level, rig.drain);
	if (cpu->fifo_level <= rig.fifo * 16)
		return;
	etm_overflow(cpu->etm, cpu->fifo_level / rig.drain);
	cpu->fifo_level = 0;
}

void exec_instruction(struct cpu *cpu, struct insn *insn)
{
	unsigned int outputs = 0;
	uint64_t addr;

	pthread_mutex_lock(&cpu->lock);
	if (!cpu->on)
		goto out;
	/* Pages of the vDSO are shared, and each process has them elsewhere. */
	if (insn->first)
		cpu->delta =
			insn->vaddr >> 63 ? 0 : regs_read(CPU_PC) - insn->vaddr;
	addr = insn->vaddr + cpu->delta;
	if (!cpu->running) {
		/* The truth is closed when QEMU ends. */
		if (!insn->first || !cpu->truth.file)
			goto out;
		start(cpu);
	} else if (cpu->pending) {
		resolve(cpu, insn, addr);
	}
	if (rig.fifo)
		drain(cpu);
	if (!insn->in_text || cpu->delta) {
		text_add(addr, insn->opcode);
		insn->in_text |= !cpu->delta;
	}
	cpu->pending = insn;
	cpu->pending_addr = addr;
	outputs = cpu->outputs;
	cpu->outputs = 0;
out:
	pthread_mutex_unlock(&cpu->lock);
	/* A trigger may flush all trace units, which takes their locks. */
	for (unsigned int i = 0; outputs; i++, outputs >>= 1)
		if (outputs & 1)
			cti_input(&cpu->cti, CTI_IN_ETM_EXTOUT + i);
}

void exec_idle(struct cpu *cpu)
{
	pthread_mutex_lock(&cpu->lock);
	if (cpu->running)
		etm_flush(cpu->etm);
	pthread_mutex_unlock(&cpu->lock);
}

void exec_flush(struct cpu *cpu)
{
	pthread_mutex_lock(&cpu->lock);
	if (cpu->running) {
		etm_flush(cpu->etm);
		truth_flush(&cpu->truth, cpu->sent, etm_uncovered(cpu->etm));
	}
	pthread_mutex_unlock(&cpu->lock);
}

void exec_stop(struct cpu *cpu)
{
	if (!cpu->running)
		return;
	etm_disable(cpu->etm);
	truth_end(&cpu->truth, cpu->sent, etm_uncovered(cpu->etm));
	etm_device_stopped(&cpu->dev, cpu->etm);
	cpu->running = false;
	cpu->pending = NULL;
}
