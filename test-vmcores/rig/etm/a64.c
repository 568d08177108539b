// SPDX-License-Identifier: GPL-2.0-or-later
#include "a64.h"

static uint32_t bits(uint32_t opcode, unsigned int low, unsigned int n)
{
	return opcode >> low & ((1u << n) - 1);
}

/* A word offset of n bits, in bytes. */
static uint64_t offset(uint32_t opcode, unsigned int low, unsigned int n)
{
	uint64_t sign = 1ull << (n - 1);

	return ((bits(opcode, low, n) ^ sign) - sign) * 4;
}

/* The class "unconditional branch (register)": 1101011 opc op2 op3 Rn op4 */
static enum a64_kind branch_register(uint32_t opcode)
{
	unsigned int opc = bits(opcode, 21, 4);
	unsigned int op3 = bits(opcode, 10, 6);
	unsigned int rn = bits(opcode, 5, 5);
	unsigned int op4 = bits(opcode, 0, 5);
	bool plain = op3 == 0 && op4 == 0;
	bool auth = op3 >> 1 == 1;

	if (bits(opcode, 16, 5) != 31)
		return A64_OTHER;
	switch (opc) {
	case 0: /* BR, BRAAZ, BRABZ */
	case 1: /* BLR, BLRAAZ, BLRABZ */
		return plain || (auth && op4 == 31) ? A64_INDIRECT : A64_OTHER;
	case 2: /* RET, RETAA, RETAB */
		if (plain || (auth && rn == 31 && op4 == 31))
			return A64_INDIRECT;
		return A64_OTHER;
	case 4: /* ERET, ERETAA, ERETAB */
		if (rn == 31 && (plain || (auth && op4 == 31)))
			return A64_ERET;
		return A64_OTHER;
	case 8: /* BRAA, BRAB */
	case 9: /* BLRAA, BLRAB */
		return auth ? A64_INDIRECT : A64_OTHER;
	default:
		return A64_OTHER;
	}
}

bool a64_p0(uint64_t addr, uint32_t opcode, struct a64_insn *insn)
{
	uint64_t to;

	/* Branches, exceptions and system: x101 in bits 28 to 25. */
	if (bits(opcode, 26, 3) != 5)
		return false;

	insn->kind = A64_DIRECT;
	insn->link = false;
	switch (bits(opcode, 24, 8)) {
	case 0x14 ... 0x17: /* B */
		to = offset(opcode, 0, 26);
		break;
	case 0x94 ... 0x97: /* BL */
		to = offset(opcode, 0, 26);
		insn->link = true;
		break;
	case 0x34: /* CBZ, CBNZ */
	case 0x35:
	case 0xb4:
	case 0xb5:
		to = offset(opcode, 5, 19);
		break;
	case 0x36: /* TBZ, TBNZ */
	case 0x37:
	case 0xb6:
	case 0xb7:
		to = offset(opcode, 5, 14);
		break;
	case 0x54: /* B.cond, BC.cond */
		to = offset(opcode, 5, 19);
		break;
	case 0xd6:
	case 0xd7:
		insn->kind = branch_register(opcode);
		insn->link = bits(opcode, 21, 3) == 1;
		return insn->kind != A64_OTHER;
	case 0xd5: /* ISB, with any option */
		insn->kind = A64_ISB;
		return (opcode & 0xfffff0ff) == 0xd50330df;
	default:
		return false;
	}
	insn->target = addr + to;
	return true;
}
