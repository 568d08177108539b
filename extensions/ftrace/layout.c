// SPDX-License-Identifier: GPL-2.0-or-later
#include <stddef.h>
#include <string.h>

#include "ftrace/layout.h"

enum need {
	NEEDED,	  /* without it no ring buffer can be read */
	OPTIONAL, /* not in every kernel that is supported */
};

struct member_row {
	const char *type;
	const char *name;
	size_t where; /* in struct ft_layout */
	enum need need;
};

#define MEMBER(type, name, where, need)                             \
	{                                                           \
		type, name, offsetof(struct ft_layout, where), need \
	}

static const struct member_row members[] = {
	MEMBER("trace_array", "list", ta_list, NEEDED),
	MEMBER("trace_array", "name", ta_name, NEEDED),
	MEMBER("trace_array", "array_buffer", ta_array_buffer, NEEDED),
	/* With CONFIG_TRACER_SNAPSHOT; of two names a kernel has one. */
	MEMBER("trace_array", "max_buffer", ta_snapshot_buffer, OPTIONAL),
	MEMBER("trace_array", "snapshot_buffer", ta_snapshot_buffer, OPTIONAL),
	MEMBER("trace_array", "allocated_snapshot", ta_allocated_snapshot,
	       OPTIONAL),
	MEMBER("trace_array", "current_trace", ta_current_trace, OPTIONAL),
	MEMBER("trace_array", "clock_id", ta_clock_id, OPTIONAL),
	MEMBER("trace_array", "range_addr_start", ta_range_addr_start, OPTIONAL),
	MEMBER("trace_array", "range_addr_size", ta_range_addr_size, OPTIONAL),
	MEMBER("trace_array", "text_delta", ta_text_delta, OPTIONAL),
	MEMBER("trace_array", "data_delta", ta_data_delta, OPTIONAL),
	MEMBER("trace_array", "flags", ta_flags, OPTIONAL),
	MEMBER("trace_array", "scratch", ta_scratch, OPTIONAL),
	MEMBER("trace_array", "scratch_size", ta_scratch_size, OPTIONAL),
	MEMBER("array_buffer", "buffer", ab_buffer, NEEDED),
	MEMBER("tracer", "name", tracer_name, OPTIONAL),

	MEMBER("trace_buffer", "remote", tb_remote, OPTIONAL),
	MEMBER("trace_buffer", "cpus", tb_cpus, OPTIONAL),
	MEMBER("trace_buffer", "buffers", tb_buffers, NEEDED),
	MEMBER("trace_buffer", "cpumask", tb_cpumask, OPTIONAL),
	MEMBER("trace_buffer", "subbuf_order", tb_subbuf_order, OPTIONAL),
	MEMBER("trace_buffer", "range_addr_start", tb_range_addr_start, OPTIONAL),
	MEMBER("trace_buffer", "range_addr_end", tb_range_addr_end, OPTIONAL),

	MEMBER("ring_buffer_per_cpu", "cpu", pc_cpu, NEEDED),
	MEMBER("ring_buffer_per_cpu", "nr_pages", pc_nr_pages, NEEDED),
	MEMBER("ring_buffer_per_cpu", "pages", pc_pages, NEEDED),
	MEMBER("ring_buffer_per_cpu", "head_page", pc_head_page, NEEDED),
	MEMBER("ring_buffer_per_cpu", "commit_page", pc_commit_page, NEEDED),
	MEMBER("ring_buffer_per_cpu", "reader_page", pc_reader_page, NEEDED),
	MEMBER("ring_buffer_per_cpu", "lost_events", pc_lost_events, OPTIONAL),
	MEMBER("ring_buffer_per_cpu", "last_overrun", pc_last_overrun, OPTIONAL),
	MEMBER("ring_buffer_per_cpu", "entries_bytes", pc_entries_bytes,
	       OPTIONAL),
	MEMBER("ring_buffer_per_cpu", "entries", pc_entries, OPTIONAL),
	MEMBER("ring_buffer_per_cpu", "overrun", pc_overrun, OPTIONAL),
	MEMBER("ring_buffer_per_cpu", "commit_overrun", pc_commit_overrun,
	       OPTIONAL),
	MEMBER("ring_buffer_per_cpu", "dropped_events", pc_dropped_events,
	       OPTIONAL),
	MEMBER("ring_buffer_per_cpu", "read", pc_read, OPTIONAL),
	MEMBER("ring_buffer_per_cpu", "read_bytes", pc_read_bytes, OPTIONAL),
	MEMBER("ring_buffer_per_cpu", "write_stamp", pc_write_stamp, OPTIONAL),
	MEMBER("ring_buffer_per_cpu", "pages_read", pc_pages_read, OPTIONAL),

	MEMBER("buffer_page", "list", bp_list, NEEDED),
	MEMBER("buffer_page", "read", bp_read, NEEDED),
	MEMBER("buffer_page", "page", bp_page, NEEDED),
	MEMBER("buffer_data_page", "time_stamp", dp_time_stamp, NEEDED),
	MEMBER("buffer_data_page", "commit", dp_commit, NEEDED),
	MEMBER("buffer_data_page", "data", dp_data, NEEDED),

	MEMBER("ring_buffer_meta", "magic", rm_magic, OPTIONAL),
	MEMBER("ring_buffer_meta", "struct_size", rm_struct_size, OPTIONAL),
	MEMBER("ring_buffer_meta", "struct_sizes", rm_struct_sizes, OPTIONAL),
	MEMBER("ring_buffer_meta", "text_addr", rm_text_addr, OPTIONAL),
	MEMBER("ring_buffer_meta", "data_addr", rm_data_addr, OPTIONAL),
	MEMBER("ring_buffer_meta", "total_size", rm_total_size, OPTIONAL),
	MEMBER("ring_buffer_meta", "buffers_offset", rm_buffers_offset, OPTIONAL),
	/* Of two names a kernel has one. */
	MEMBER("ring_buffer_meta", "first_buffer", cm_first_buffer, OPTIONAL),
	MEMBER("ring_buffer_cpu_meta", "first_buffer", cm_first_buffer, OPTIONAL),
	MEMBER("ring_buffer_meta", "head_buffer", cm_head_buffer, OPTIONAL),
	MEMBER("ring_buffer_cpu_meta", "head_buffer", cm_head_buffer, OPTIONAL),
	MEMBER("ring_buffer_meta", "commit_buffer", cm_commit_buffer, OPTIONAL),
	MEMBER("ring_buffer_cpu_meta", "commit_buffer", cm_commit_buffer,
	       OPTIONAL),
	MEMBER("ring_buffer_meta", "subbuf_size", cm_subbuf_size, OPTIONAL),
	MEMBER("ring_buffer_cpu_meta", "subbuf_size", cm_subbuf_size, OPTIONAL),
	MEMBER("ring_buffer_meta", "nr_subbufs", cm_nr_subbufs, OPTIONAL),
	MEMBER("ring_buffer_cpu_meta", "nr_subbufs", cm_nr_subbufs, OPTIONAL),
	MEMBER("trace_scratch", "text_addr", ts_text_addr, OPTIONAL),
	MEMBER("trace_scratch", "nr_entries", ts_nr_entries, OPTIONAL),
	MEMBER("trace_scratch", "entries", ts_entries, OPTIONAL),
	MEMBER("trace_mod_entry", "mod_addr", me_addr, OPTIONAL),
	MEMBER("trace_mod_entry", "mod_name", me_name, OPTIONAL),

	MEMBER("module", "list", mod_list, OPTIONAL),
	MEMBER("module", "name", mod_name, OPTIONAL),
	MEMBER("module", "mem", mod_mem, OPTIONAL),
	MEMBER("module_memory", "base", mm_base, OPTIONAL),
	MEMBER("module_memory", "size", mm_size, OPTIONAL),

	MEMBER("trace_event_call", "list", call_list, OPTIONAL),
	MEMBER("trace_event_call", "class", call_class, OPTIONAL),
	MEMBER("trace_event_call", "name", call_name, OPTIONAL),
	MEMBER("trace_event_call", "event", call_event, OPTIONAL),
	MEMBER("trace_event_call", "print_fmt", call_print_fmt, OPTIONAL),
	MEMBER("trace_event_call", "data", call_data, OPTIONAL),
	MEMBER("trace_event_call", "flags", call_flags, OPTIONAL),
	MEMBER("trace_event", "type", event_type, OPTIONAL),
	MEMBER("trace_event_class", "system", class_system, OPTIONAL),
	MEMBER("trace_event_class", "get_fields", class_get_fields, OPTIONAL),
	MEMBER("trace_event_class", "fields", class_fields, OPTIONAL),
	MEMBER("tracepoint", "name", tp_name, OPTIONAL),
	MEMBER("trace_entry", "type", te_type, OPTIONAL),
	MEMBER("trace_entry", "flags", te_flags, OPTIONAL),
	MEMBER("trace_entry", "preempt_count", te_preempt_count, OPTIONAL),
	MEMBER("trace_entry", "pid", te_pid, OPTIONAL),
	MEMBER("ftrace_event_field", "link", field_link, OPTIONAL),
	MEMBER("ftrace_event_field", "name", field_name, OPTIONAL),
	MEMBER("ftrace_event_field", "type", field_type, OPTIONAL),
	MEMBER("ftrace_event_field", "offset", field_offset, OPTIONAL),
	MEMBER("ftrace_event_field", "size", field_len_bytes, OPTIONAL),
	MEMBER("ftrace_event_field", "is_signed", field_is_signed, OPTIONAL),
	MEMBER("ftrace_event_field", "needs_test", field_needs_test, OPTIONAL),
	MEMBER("ftrace_event_field", "len", field_array_len, OPTIONAL),
	MEMBER("syscall_metadata", "enter_fields", syscall_enter_fields,
	       OPTIONAL),
	MEMBER("user_event", "fields", user_event_fields, OPTIONAL),

	MEMBER("trace_bprintk_fmt", "list", bprintk_list, OPTIONAL),
	MEMBER("trace_bprintk_fmt", "fmt", bprintk_fmt, OPTIONAL),

	MEMBER("saved_cmdlines_buffer", "map_pid_to_cmdline",
	       savedcmd_pid_to_map, OPTIONAL),
	MEMBER("saved_cmdlines_buffer", "map_cmdline_to_pid",
	       savedcmd_map_to_pid, OPTIONAL),
	MEMBER("saved_cmdlines_buffer", "cmdline_num", savedcmd_num, OPTIONAL),
	MEMBER("saved_cmdlines_buffer", "saved_cmdlines", savedcmd_comms,
	       OPTIONAL),
};

static const struct {
	const char *type;
	size_t where;
	enum need need;
} types[] = {
	{ "trace_array", offsetof(struct ft_layout, trace_array_size), NEEDED },
	{ "trace_buffer", offsetof(struct ft_layout, trace_buffer_size), NEEDED },
	{ "ring_buffer_per_cpu", offsetof(struct ft_layout, per_cpu_size),
	  NEEDED },
	{ "buffer_page", offsetof(struct ft_layout, buffer_page_size), NEEDED },
	{ "ring_buffer_meta", offsetof(struct ft_layout, rm_size), OPTIONAL },
	{ "ring_buffer_cpu_meta", offsetof(struct ft_layout, cm_size), OPTIONAL },
	{ "trace_mod_entry", offsetof(struct ft_layout, me_size), OPTIONAL },
	{ "trace_event_call", offsetof(struct ft_layout, call_size), OPTIONAL },
	{ "trace_event_class", offsetof(struct ft_layout, class_size), OPTIONAL },
	{ "ftrace_event_field", offsetof(struct ft_layout, field_size),
	  OPTIONAL },
	{ "saved_cmdlines_buffer", offsetof(struct ft_layout, savedcmd_size),
	  OPTIONAL },
};

/*
 * gdb takes milliseconds to find that a kernel lacks a type. A symbol that came
 * with it tells sooner.
 */
static const struct {
	const char *type;
	const char *symbol;
} came_with[] = {
	/* Since 6.15. */
	{ "ring_buffer_cpu_meta", "ring_buffer_meta_scratch" },
	{ "trace_scratch", "ring_buffer_meta_scratch" },
	{ "trace_mod_entry", "ring_buffer_meta_scratch" },
	{ "user_event", "user_event_get_fields" },
};

static bool may_have(const struct vmcore *vm, const char *type)
{
	uint64_t addr;

	for (size_t i = 0; i < sizeof(came_with) / sizeof(came_with[0]); i++)
		if (!strcmp(came_with[i].type, type))
			return vm_symbol(vm, came_with[i].symbol, &addr);
	return true;
}

/*
 * No structure read here is larger than a few pages; a size beyond that is
 * debug info that does not belong to this kernel.
 */
#define MAX_TYPE_SIZE (1 << 20)

enum err ft_layout_probe(struct ft_layout *layout, const struct vmcore *vm,
			 const struct diag *diag)
{
	memset(layout, 0, sizeof(*layout));

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		size_t size = 0;

		if (may_have(vm, types[i].type))
			size = vm->ops->type_size(vm->ctx, types[i].type);
		if (size > MAX_TYPE_SIZE || (!size && types[i].need == NEEDED)) {
			diag_say(diag,
				 "vmlinux does not describe struct %s: is it built with debug info and CONFIG_TRACING?",
				 types[i].type);
			return ERR_UNSUPPORTED;
		}
		memcpy((char *)layout + types[i].where, &size, sizeof(size));
	}

	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
		const struct member_row *row = &members[i];
		struct vm_member m = { 0 };

		if (may_have(vm, row->type) &&
		    vm->ops->member(vm->ctx, row->type, row->name, &m)) {
			memcpy((char *)layout + row->where, &m, sizeof(m));
		} else if (row->need == NEEDED) {
			diag_say(diag,
				 "vmlinux does not describe %s.%s: this kernel's ring buffer is not known to ftdump",
				 row->type, row->name);
			return ERR_UNSUPPORTED;
		}
	}

	if (layout->buffer_page_size > FT_BUFFER_PAGE_MAX) {
		diag_say(diag,
			 "vmlinux says that struct buffer_page has %zu bytes: that cannot be",
			 layout->buffer_page_size);
		return ERR_UNSUPPORTED;
	}

	vm->ops->enumerator(vm->ctx, "TRACE_EVENT_FL_CUSTOM",
			    &layout->fl_custom);
	vm->ops->enumerator(vm->ctx, "TRACE_EVENT_FL_TRACEPOINT",
			    &layout->fl_tracepoint);
	if (!may_have(vm, "trace_scratch"))
		return ERR_NONE;
	vm->ops->enumerator(vm->ctx, "TRACE_ARRAY_FL_LAST_BOOT",
			    &layout->fl_last_boot);
	vm->ops->enumerator(vm->ctx, "TRACE_ARRAY_FL_MEMMAP",
			    &layout->fl_memmap);
	return ERR_NONE;
}
