/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TEST_MOCK_LAYOUT_H
#define TEST_MOCK_LAYOUT_H

#include "test/mock-vmcore.h"

/*
 * Kernels that differ in what they keep and where: as Linux 6.1 has it
 * (64-bit, sub-buffers of one page, is_signed an int of its own, saved names
 * behind a pointer), and as 6.12 has it (sub-buffer order, boot-mapped range,
 * is_signed a bit-field, saved names inline), and, but for what its boot-mapped
 * region has, 7.3 much like that one.
 */
enum mock_kernel {
	LIKE_6_1,
	LIKE_6_12,
	LIKE_7_3,
	LIKE_7_3_INJECT, /* CONFIG_RING_BUFFER_PERSISTENT_INJECT */
};

void mock_layout(struct mock *m, enum mock_kernel kernel);

#endif
