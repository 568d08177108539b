/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which A64 instructions a trace macrocell sees as P0 elements. */
#ifndef A64_H
#define A64_H

#include <stdbool.h>
#include <stdint.h>

enum a64_kind {
	A64_OTHER,
	A64_DIRECT,   /* B, BL, B.cond, BC.cond, CBZ, CBNZ, TBZ, TBNZ */
	A64_INDIRECT, /* BR, BLR, RET, also with pointer authentication */
	A64_ERET,     /* also with pointer authentication */
	A64_ISB,
};

struct a64_insn {
	enum a64_kind kind;
	bool link;
	uint64_t target; /* of a direct branch */
};

/* False if it is no P0 element; then insn is not filled in. */
bool a64_p0(uint64_t addr, uint32_t opcode, struct a64_insn *insn);

#endif
