// SPDX-License-Identifier: GPL-2.0-or-later
#include "test/mock-layout.h"

struct row {
	const char *type;
	const char *name; /* NULL: the size of the type itself */
	uint32_t off;
	uint32_t size;
};

/* The same in both. */
static const struct row common[] = {
	{ "array_buffer", "buffer", 8, 8 },
	{ "tracer", "name", 0, 8 },

	{ "buffer_page", "list", 0, 16 },
	{ "buffer_page", "write", 16, 8 },
	{ "buffer_page", "read", 24, 4 },
	{ "buffer_page", "entries", 32, 8 },
	{ "buffer_page", "real_end", 40, 8 },
	{ "buffer_data_page", "time_stamp", 0, 8 },
	{ "buffer_data_page", "commit", 8, 8 },
	{ "buffer_data_page", "data", 16, 0 },

	{ "trace_event_call", NULL, 0, 144 },
	{ "trace_event_call", "list", 0, 16 },
	{ "trace_event_call", "class", 16, 8 },
	{ "trace_event_call", "name", 24, 8 },
	{ "trace_event_call", "event", 32, 48 },
	{ "trace_event_call", "print_fmt", 80, 8 },
	{ "trace_event_call", "filter", 88, 8 },
	{ "trace_event_call", "data", 104, 8 },
	{ "trace_event_call", "flags", 112, 4 },
	{ "trace_event", "type", 32, 4 },
	{ "trace_event_class", NULL, 0, 72 },
	{ "trace_event_class", "system", 0, 8 },
	{ "trace_event_class", "get_fields", 40, 8 },
	{ "trace_event_class", "fields", 48, 16 },
	{ "tracepoint", "name", 0, 8 },
	{ "trace_entry", "type", 0, 2 },
	{ "trace_entry", "flags", 2, 1 },
	{ "trace_entry", "preempt_count", 3, 1 },
	{ "trace_entry", "pid", 4, 4 },
	{ "syscall_metadata", "enter_fields", 32, 16 },
	{ "user_event", "fields", 200, 16 },

	{ "trace_bprintk_fmt", "list", 0, 16 },
	{ "trace_bprintk_fmt", "fmt", 16, 8 },

	{ "uts_namespace", "name", 0, 390 },
	{ "new_utsname", "sysname", 0, 65 },
	{ "new_utsname", "nodename", 65, 65 },
	{ "new_utsname", "release", 130, 65 },
	{ "new_utsname", "version", 195, 65 },
	{ "new_utsname", "machine", 260, 65 },
};

static const struct row like_6_1[] = {
	{ "trace_array", NULL, 0, 2600 },
	{ "trace_array", "list", 0, 16 },
	{ "trace_array", "name", 16, 8 },
	{ "trace_array", "array_buffer", 24, 40 },
	{ "trace_array", "max_buffer", 64, 40 },
	{ "trace_array", "allocated_snapshot", 104, 1 },
	{ "trace_array", "clock_id", 220, 4 },
	{ "trace_array", "current_trace", 232, 8 },

	{ "trace_buffer", NULL, 0, 312 },
	{ "trace_buffer", "cpus", 4, 4 },
	{ "trace_buffer", "cpumask", 16, 8 },
	{ "trace_buffer", "buffers", 56, 8 },

	{ "ring_buffer_per_cpu", NULL, 0, 480 },
	{ "ring_buffer_per_cpu", "cpu", 0, 4 },
	{ "ring_buffer_per_cpu", "nr_pages", 40, 8 },
	{ "ring_buffer_per_cpu", "pages", 56, 8 },
	{ "ring_buffer_per_cpu", "head_page", 64, 8 },
	{ "ring_buffer_per_cpu", "tail_page", 72, 8 },
	{ "ring_buffer_per_cpu", "commit_page", 80, 8 },
	{ "ring_buffer_per_cpu", "reader_page", 88, 8 },
	{ "ring_buffer_per_cpu", "lost_events", 96, 8 },
	{ "ring_buffer_per_cpu", "last_overrun", 104, 8 },
	{ "ring_buffer_per_cpu", "entries_bytes", 120, 8 },
	{ "ring_buffer_per_cpu", "entries", 128, 8 },
	{ "ring_buffer_per_cpu", "overrun", 136, 8 },
	{ "ring_buffer_per_cpu", "commit_overrun", 144, 8 },
	{ "ring_buffer_per_cpu", "dropped_events", 152, 8 },
	{ "ring_buffer_per_cpu", "read", 224, 8 },
	{ "ring_buffer_per_cpu", "read_bytes", 232, 8 },
	{ "ring_buffer_per_cpu", "write_stamp", 240, 8 },

	{ "buffer_page", NULL, 0, 56 },
	{ "buffer_page", "page", 48, 8 },

	{ "ftrace_event_field", NULL, 0, 56 },
	{ "ftrace_event_field", "link", 0, 16 },
	{ "ftrace_event_field", "name", 16, 8 },
	{ "ftrace_event_field", "type", 24, 8 },
	{ "ftrace_event_field", "offset", 36, 4 },
	{ "ftrace_event_field", "size", 40, 4 },
	{ "ftrace_event_field", "is_signed", 44, 4 },
	{ "ftrace_event_field", "len", 48, 4 },

	{ "saved_cmdlines_buffer", NULL, 0, 0x8001 * 4 + 28 },
	{ "saved_cmdlines_buffer", "map_pid_to_cmdline", 0, 0x8001 * 4 },
	{ "saved_cmdlines_buffer", "map_cmdline_to_pid", 0x8001 * 4 + 4, 8 },
	{ "saved_cmdlines_buffer", "cmdline_num", 0x8001 * 4 + 12, 4 },
	{ "saved_cmdlines_buffer", "saved_cmdlines", 0x8001 * 4 + 20, 8 },
};

static const struct row like_6_12[] = {
	{ "trace_array", NULL, 0, 2800 },
	{ "trace_array", "list", 8, 16 },
	{ "trace_array", "name", 24, 8 },
	{ "trace_array", "array_buffer", 32, 40 },
	{ "trace_array", "max_buffer", 72, 40 },
	{ "trace_array", "allocated_snapshot", 112, 1 },
	{ "trace_array", "clock_id", 340, 4 },
	{ "trace_array", "current_trace", 360, 8 },
	{ "trace_array", "range_addr_start", 400, 8 },
	{ "trace_array", "range_addr_size", 408, 8 },
	{ "trace_array", "text_delta", 416, 8 },
	{ "trace_array", "data_delta", 424, 8 },
	{ "trace_array", "flags", 432, 4 },

	{ "trace_buffer", NULL, 0, 376 },
	{ "trace_buffer", "cpus", 4, 4 },
	{ "trace_buffer", "cpumask", 16, 8 },
	{ "trace_buffer", "buffers", 64, 8 },
	{ "trace_buffer", "range_addr_start", 320, 8 },
	{ "trace_buffer", "range_addr_end", 328, 8 },
	{ "trace_buffer", "subbuf_size", 352, 4 },
	{ "trace_buffer", "subbuf_order", 356, 4 },

	{ "ring_buffer_per_cpu", NULL, 0, 560 },
	{ "ring_buffer_per_cpu", "cpu", 0, 4 },
	{ "ring_buffer_per_cpu", "nr_pages", 72, 8 },
	{ "ring_buffer_per_cpu", "pages", 88, 8 },
	{ "ring_buffer_per_cpu", "head_page", 104, 8 },
	{ "ring_buffer_per_cpu", "tail_page", 112, 8 },
	{ "ring_buffer_per_cpu", "commit_page", 120, 8 },
	{ "ring_buffer_per_cpu", "reader_page", 128, 8 },
	{ "ring_buffer_per_cpu", "lost_events", 136, 8 },
	{ "ring_buffer_per_cpu", "last_overrun", 144, 8 },
	{ "ring_buffer_per_cpu", "entries_bytes", 160, 8 },
	{ "ring_buffer_per_cpu", "entries", 168, 8 },
	{ "ring_buffer_per_cpu", "overrun", 176, 8 },
	{ "ring_buffer_per_cpu", "commit_overrun", 184, 8 },
	{ "ring_buffer_per_cpu", "dropped_events", 192, 8 },
	{ "ring_buffer_per_cpu", "read", 272, 8 },
	{ "ring_buffer_per_cpu", "read_bytes", 280, 8 },
	{ "ring_buffer_per_cpu", "write_stamp", 288, 8 },
	{ "ring_buffer_per_cpu", "pages_read", 216, 8 },

	{ "ring_buffer_meta", NULL, 0, 56 },
	{ "ring_buffer_meta", "magic", 0, 4 },
	{ "ring_buffer_meta", "struct_size", 4, 4 },
	{ "ring_buffer_meta", "text_addr", 8, 8 },
	{ "ring_buffer_meta", "data_addr", 16, 8 },
	{ "ring_buffer_meta", "first_buffer", 24, 8 },
	{ "ring_buffer_meta", "head_buffer", 32, 8 },
	{ "ring_buffer_meta", "commit_buffer", 40, 8 },
	{ "ring_buffer_meta", "subbuf_size", 48, 4 },
	{ "ring_buffer_meta", "nr_subbufs", 52, 4 },

	{ "buffer_page", NULL, 0, 64 },
	{ "buffer_page", "order", 48, 4 },
	{ "buffer_page", "page", 56, 8 },

	{ "ftrace_event_field", NULL, 0, 56 },
	{ "ftrace_event_field", "link", 0, 16 },
	{ "ftrace_event_field", "name", 16, 8 },
	{ "ftrace_event_field", "type", 24, 8 },
	{ "ftrace_event_field", "offset", 36, 4 },
	{ "ftrace_event_field", "size", 40, 4 },
	{ "ftrace_event_field", "is_signed", 44, 4 },
	{ "ftrace_event_field", "needs_test", 44, 4 },
	{ "ftrace_event_field", "len", 48, 4 },

	{ "saved_cmdlines_buffer", NULL, 0, 0x8001 * 4 + 20 },
	{ "saved_cmdlines_buffer", "map_pid_to_cmdline", 0, 0x8001 * 4 },
	{ "saved_cmdlines_buffer", "map_cmdline_to_pid", 0x8001 * 4 + 4, 8 },
	{ "saved_cmdlines_buffer", "cmdline_num", 0x8001 * 4 + 12, 4 },
	{ "saved_cmdlines_buffer", "saved_cmdlines", 0x8001 * 4 + 20, 0 },
};

/* Beyond like_6_12: what a boot-mapped region has, with and without INJECT. */
static const struct row like_7_3[] = {
	{ "trace_array", "scratch", 440, 8 },
	{ "trace_array", "scratch_size", 448, 4 },

	{ "ring_buffer_meta", NULL, 0, 24 },
	{ "ring_buffer_meta", "magic", 0, 4 },
	{ "ring_buffer_meta", "struct_sizes", 4, 4 },
	{ "ring_buffer_meta", "total_size", 8, 8 },
	{ "ring_buffer_meta", "buffers_offset", 16, 8 },

	{ "ring_buffer_cpu_meta", "first_buffer", 0, 8 },
	{ "ring_buffer_cpu_meta", "head_buffer", 8, 8 },
	{ "ring_buffer_cpu_meta", "commit_buffer", 16, 8 },
	{ "ring_buffer_cpu_meta", "subbuf_size", 24, 4 },
	{ "ring_buffer_cpu_meta", "nr_subbufs", 28, 4 },

	{ "trace_scratch", "clock_id", 0, 4 },
	{ "trace_scratch", "text_addr", 8, 8 },
	{ "trace_scratch", "nr_entries", 16, 8 },
	{ "trace_scratch", "entries", 24, 0 },
	{ "trace_mod_entry", NULL, 0, 64 },
	{ "trace_mod_entry", "mod_addr", 0, 8 },
	{ "trace_mod_entry", "mod_name", 8, 56 },

	{ "module", NULL, 0, 512 },
	{ "module", "list", 8, 16 },
	{ "module", "name", 24, 56 },
	{ "module", "mem", 128, 3 * 32 },
	{ "module_memory", NULL, 0, 32 },
	{ "module_memory", "base", 0, 8 },
	{ "module_memory", "size", 24, 4 },
};

/* Its own, and not 7.3's. */
static const struct row only_6_12[] = {
	{ "trace_buffer", "cpus", 0, 0 },
	{ "trace_buffer", "subbuf_size", 0, 0 },
	{ "trace_array", "max_buffer", 0, 0 },
	{ "trace_array", "data_delta", 0, 0 },
	{ "ring_buffer_meta", "magic", 0, 0 },
	{ "ring_buffer_meta", "struct_size", 0, 0 },
	{ "ring_buffer_meta", "text_addr", 0, 0 },
	{ "ring_buffer_meta", "data_addr", 0, 0 },
	{ "ring_buffer_meta", "first_buffer", 0, 0 },
	{ "ring_buffer_meta", "head_buffer", 0, 0 },
	{ "ring_buffer_meta", "commit_buffer", 0, 0 },
	{ "ring_buffer_meta", "subbuf_size", 0, 0 },
	{ "ring_buffer_meta", "nr_subbufs", 0, 0 },
};

static void declare(struct mock *m, const struct row *row, size_t n)
{
	for (size_t i = 0; i < n; i++, row++) {
		if (row->name)
			mock_member(m, row->type, row->name, row->off,
				    row->size);
		else
			mock_size(m, row->type, row->size);
	}
}

#define DECLARE(m, rows) declare(m, rows, sizeof(rows) / sizeof((rows)[0]))

static void declare_7_3(struct mock *m, bool inject)
{
	size_t meta = inject ? 40 : 32;

	DECLARE(m, like_6_12);
	for (size_t i = 0; i < sizeof(only_6_12) / sizeof(only_6_12[0]); i++)
		mock_forget_member(m, only_6_12[i].type, only_6_12[i].name);
	mock_forget_type(m, "ring_buffer_meta");
	mock_member(m, "trace_array", "snapshot_buffer", 72, 40);
	DECLARE(m, like_7_3);
	mock_size(m, "ring_buffer_cpu_meta", meta);
	mock_member(m, "ring_buffer_cpu_meta", "buffers", meta, 0);
	mock_symbol(m, "ring_buffer_meta_scratch", 0xffffffff81900000ull);
	mock_enum(m, "TRACE_ARRAY_FL_LAST_BOOT", 1 << 2);
	mock_enum(m, "TRACE_ARRAY_FL_MEMMAP", 1 << 4);
}

void mock_layout(struct mock *m, enum mock_kernel kernel)
{
	DECLARE(m, common);
	if (kernel == LIKE_6_1)
		DECLARE(m, like_6_1);
	else if (kernel == LIKE_6_12)
		DECLARE(m, like_6_12);
	else
		declare_7_3(m, kernel == LIKE_7_3_INJECT);
	mock_enum(m, "TRACE_EVENT_FL_CUSTOM", 1 << 7);
	mock_enum(m, "TRACE_EVENT_FL_TRACEPOINT", 1 << 4);
}
