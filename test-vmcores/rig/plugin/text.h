/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RIG_TEXT_H
#define RIG_TEXT_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The instructions that were traced, as QEMU executed them: what a decoder must
 * be given as the contents of memory.
 */
void text_add(uint64_t addr, uint32_t opcode);

/*
 * Written as text.bin, pages of 4096 bytes one after another, and text.map, an
 * address for each. False: it cannot be written.
 */
bool text_save(const char *dir);

#endif
