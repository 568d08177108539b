// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "test/event-builder.h"
#include "test/mock-ftrace.h"

#define TS MOCK_FTRACE_TS

static void add_tables(struct mock *m)
{
	static const struct eb_field fields[] = {
		{ "u32", "value", 8, 4, false, 0 },
		{ 0 },
	};
	static const struct eb_field print[] = {
		{ "unsigned long", "ip", 8, 8, false, 0 },
		{ "char[]", "buf", 16, 0, false, 0 },
		{ 0 },
	};
	static const struct {
		uint32_t off;
		const char *text;
	} uts[] = {
		{ 0, "Linux" },
		{ 65, "mock" },
		{ 130, "6.0-unit" },
		{ 260, "none" },
	};
	uint64_t at = mock_alloc(m, MOCK_PAGE, MOCK_PAGE);

	eb_init(m);
	eb_event(m, "unit", "hello", 1, fields, "\"value=%u\", REC->value");
	eb_event(m, "ftrace", "print", 5, print,
		 "\"%ps: %s\", (void *)REC->ip, REC->buf");
	mock_symbol(m, "init_uts_ns", at);
	for (int i = 0; i < 4; i++)
		memcpy(mock_ptr(m, at + uts[i].off), uts[i].text,
		       strlen(uts[i].text));
	mock_ksym(m, 0xffffffff81000000ull, 'T', "_stext", NULL);
	mock_task(m, 1, "init");
}

static void add_rings(struct mock_ftrace *f)
{
	struct page_builder pb;

	rb_cpu_init(&f->top0, &f->top, 0, 4);
	rb_fill(&f->top0, RB_READER, TS, 1000, 1, 2);
	rb_fill(&f->top0, 0, TS + 10000, 1000, 3, 2);
	rb_fill(&f->top0, 1, TS + 20000, 1000, 5, 1);
	rb_set_commit(&f->top0, 1);
	rb_set(&f->top0, "entries", 5);
	rb_set(&f->top0, "entries_bytes", 80);

	rb_cpu_init(&f->top2, &f->top, 2, 4);
	rb_fill(&f->top2, 0, TS + 5000, 1000, 20, 2);
	rb_set(&f->top2, "overrun", 9);
	rb_set(&f->top2, "entries", 11);

	rb_cpu_init(&f->inst1, &f->inst, 1, 4);
	rb_fill(&f->inst1, 0, TS + 30000, 1000, 100, 2);
	rb_write(&f->inst1, &pb, 1, TS + 40000);
	pb_commit_raw(&pb, ~0ull);
	rb_fill(&f->inst1, 2, TS + 50000, 1000, 102, 1);
	rb_set_commit(&f->inst1, 2);
}

void mock_ftrace_init(struct mock_ftrace *f, enum mock_kernel kernel)
{
	f->m = mock_create();
	mock_layout(f->m, kernel);
	add_tables(f->m);
	rb_trace_clocks(f->m);
	f->list = rb_trace_arrays_init(f->m);
	rb_buffer_init(&f->top, f->m, 4, 0);
	rb_buffer_init(&f->inst, f->m, 4, 0);
	rb_buffer_init(&f->empty, f->m, 4, 0);
	add_rings(f);
	f->top_array = rb_trace_array(f->m, f->list, NULL, f->top.addr);
	f->inst_array = rb_trace_array(f->m, f->list, "inst", f->inst.addr);
	rb_trace_array(f->m, f->list, "empty", f->empty.addr);
}

void mock_ftrace_deinit(struct mock_ftrace *f)
{
	mock_destroy(f->m);
}
