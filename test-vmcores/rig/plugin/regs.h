/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RIG_REGS_H
#define RIG_REGS_H

#include <stdint.h>

/* Registers of the vCPU that is running. */
enum cpu_reg {
	CPU_PC,
	CPU_CPSR,
	CPU_ELR_EL1,
	CPU_ELR_EL2,
	CPU_SPSR_EL1,
	CPU_SPSR_EL2,
	CPU_ESR_EL1,
	CPU_ESR_EL2,
	CPU_VBAR_EL1,
	CPU_VBAR_EL2,
	CPU_CONTEXTIDR_EL1,
	CPU_CONTEXTIDR_EL2,
	CPU_X0,
	CPU_REGS = CPU_X0 + 31,
};

/* Once, when a vCPU comes up. */
void regs_init(void);

/* 0 where this CPU has no such register. */
uint64_t regs_read(enum cpu_reg reg);

#endif
