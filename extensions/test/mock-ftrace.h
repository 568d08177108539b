/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TEST_MOCK_FTRACE_H
#define TEST_MOCK_FTRACE_H

#include "test/mock-layout.h"
#include "test/ring-builder.h"

/*
 * A whole kernel with ftrace, in a mock: one event (unit:hello, id 1, field
 * "value"), tables, and these buffers of 4 possible CPUs:
 *
 *	top	CPU 0: values 1..5 on the reader page and two pages
 *		CPU 2: values 20..21; 9 events were overwritten before
 *	inst	CPU 1: values 100..102, the second page torn
 *	empty	nothing
 */
struct mock_ftrace {
	struct mock *m;
	struct rb_buffer top, inst, empty;
	struct rb_cpu top0, top2, inst1;
	uint64_t list;
	uint64_t top_array, inst_array; /* their struct trace_array */
};

#define MOCK_FTRACE_TS 5000000000ull

void mock_ftrace_init(struct mock_ftrace *f, enum mock_kernel kernel);
void mock_ftrace_deinit(struct mock_ftrace *f);

#endif
