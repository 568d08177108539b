// SPDX-License-Identifier: GPL-2.0-or-later
#include "etm.h"

/* ESR_ELx.EC, the exception class */
static enum etm_exception_type synchronous(unsigned int class)
{
	switch (class) {
	case 0x15: /* SVC, HVC, SMC */
	case 0x16:
	case 0x17:
		return ETM_EXC_CALL;
	case 0x20: /* instruction abort, of a lower and of the same EL */
	case 0x21:
		return ETM_EXC_INST_FAULT;
	case 0x24: /* data abort */
	case 0x25:
		return ETM_EXC_DATA_FAULT;
	case 0x22: /* PC, SP alignment */
	case 0x26:
		return ETM_EXC_ALIGNMENT;
	case 0x30: /* breakpoint, step */
	case 0x31:
	case 0x32:
	case 0x33:
	case 0x38: /* BKPT, vector catch, BRK */
	case 0x3a:
	case 0x3c:
		return ETM_EXC_INST_DEBUG;
	case 0x34: /* watchpoint */
	case 0x35:
		return ETM_EXC_DATA_DEBUG;
	default:
		return ETM_EXC_TRAP;
	}
}

enum etm_exception_type etm_exception_of(unsigned int vector_offset,
					 uint64_t esr)
{
	switch (vector_offset >> 7 & 3) {
	case 1:
		return ETM_EXC_IRQ;
	case 2:
		return ETM_EXC_FIQ;
	case 3:
		return ETM_EXC_SERROR;
	default:
		return synchronous(esr >> 26 & 0x3f);
	}
}
