/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FTRACE_LAYOUT_H
#define FTRACE_LAYOUT_H

#include "base/diag.h"
#include "vmcore/vmcore.h"

/*
 * Where the dead kernel keeps what ftdump reads, asked of its debug info once.
 * Members are probed, versions never: what a kernel lacks has size 0.
 */
#define FT_BUFFER_PAGE_MAX 256

struct ft_layout {
	/* kernel/trace/trace.h */
	size_t trace_array_size;
	struct vm_member ta_list;
	struct vm_member ta_name;
	struct vm_member ta_array_buffer; /* struct array_buffer, since 5.8 */
	struct vm_member ta_snapshot_buffer; /* max_buffer before 694b3f6fe0b6 */
	struct vm_member ta_allocated_snapshot;
	struct vm_member ta_current_trace;
	struct vm_member ta_clock_id;
	/* Of boot-mapped instances, since 6.12 (e645535a954a). */
	struct vm_member ta_range_addr_start;
	struct vm_member ta_range_addr_size;
	struct vm_member ta_text_delta;
	struct vm_member ta_data_delta; /* gone in 6.15 */
	struct vm_member ta_flags;
	struct vm_member ta_scratch; /* since 6.15 */
	struct vm_member ta_scratch_size;
	/* TRACE_ARRAY_FL_*: bits of ta_flags; 0 where there is none */
	long fl_last_boot; /* since 6.15 */
	long fl_memmap;
	struct vm_member ab_buffer;
	struct vm_member tracer_name;

	/* kernel/trace/ring_buffer.c */
	size_t trace_buffer_size;
	struct vm_member tb_remote; /* in 7.3, 34e5b958bdad */
	struct vm_member tb_cpus;   /* not in 6.12.95, nor in 7.3 */
	struct vm_member tb_buffers;
	struct vm_member tb_cpumask;
	struct vm_member tb_subbuf_order;     /* since 6.8, 2808e31ec12e */
	struct vm_member tb_range_addr_start; /* since 6.12, be68d63a139b */
	struct vm_member tb_range_addr_end;

	size_t per_cpu_size;
	struct vm_member pc_cpu;
	struct vm_member pc_nr_pages;
	struct vm_member pc_pages;
	struct vm_member pc_head_page;
	struct vm_member pc_commit_page;
	struct vm_member pc_reader_page;
	struct vm_member pc_lost_events;
	struct vm_member pc_last_overrun;
	struct vm_member pc_entries_bytes;
	struct vm_member pc_entries;
	struct vm_member pc_overrun;
	struct vm_member pc_commit_overrun;
	struct vm_member pc_dropped_events;
	struct vm_member pc_read;
	struct vm_member pc_read_bytes;
	struct vm_member pc_write_stamp;
	struct vm_member pc_pages_read; /* page swaps of readers */

	size_t buffer_page_size; /* at most FT_BUFFER_PAGE_MAX */
	struct vm_member bp_list;
	struct vm_member bp_read;
	struct vm_member bp_page;

	struct vm_member dp_time_stamp;
	struct vm_member dp_commit;
	struct vm_member dp_data; /* a flexible array: size 0 */

	/*
	 * Headers inside a boot-mapped region; see region.h. Before 6.15 there is
	 * but one struct, ring_buffer_meta, for each CPU; then it is the region's,
	 * and the CPUs have ring_buffer_cpu_meta.
	 */
	size_t rm_size;
	struct vm_member rm_magic;
	struct vm_member rm_struct_size;  /* before 6.15 */
	struct vm_member rm_struct_sizes; /* since 6.15 */
	struct vm_member rm_text_addr;	  /* before 6.15 */
	struct vm_member rm_data_addr;
	struct vm_member rm_total_size; /* since 6.15 */
	struct vm_member rm_buffers_offset;
	size_t cm_size; /* 0: rm_ and cm_ are one struct */
	struct vm_member cm_first_buffer;
	struct vm_member cm_head_buffer;
	struct vm_member cm_commit_buffer;
	struct vm_member cm_subbuf_size;
	struct vm_member cm_nr_subbufs;
	/* trace.c: what the tracer keeps there, since 6.15 (4af0a9c5185b) */
	struct vm_member ts_text_addr;
	struct vm_member ts_nr_entries;
	struct vm_member ts_entries; /* a flexible array: size 0 */
	size_t me_size;
	struct vm_member me_addr;
	struct vm_member me_name;

	/* include/linux/module.h: where a module's text lies, since 6.4 */
	struct vm_member mod_list;
	struct vm_member mod_name;
	struct vm_member mod_mem; /* an array, MOD_TEXT first */
	struct vm_member mm_base;
	struct vm_member mm_size;

	/* include/linux/trace_events.h, kernel/trace/trace.h */
	size_t call_size;
	struct vm_member call_list;
	struct vm_member call_class;
	struct vm_member call_name;
	struct vm_member call_event;
	struct vm_member call_print_fmt;
	struct vm_member call_data;
	struct vm_member call_flags;
	/* TRACE_EVENT_FL_*: bits of call_flags; 0 where there is none */
	long fl_custom; /* since 5.17 */
	long fl_tracepoint;
	struct vm_member event_type;
	size_t class_size;
	struct vm_member class_system;
	struct vm_member class_get_fields;
	struct vm_member class_fields;
	struct vm_member tp_name;
	struct vm_member te_type; /* struct trace_entry */
	struct vm_member te_flags;
	struct vm_member te_preempt_count;
	struct vm_member te_pid;
	size_t field_size;
	struct vm_member field_link;
	struct vm_member field_name;
	struct vm_member field_type;
	struct vm_member field_offset;
	struct vm_member field_len_bytes; /* member "size" */
	struct vm_member field_is_signed;
	struct vm_member field_needs_test; /* makes is_signed a bit-field */
	struct vm_member field_array_len;  /* member "len", since 5.17 */
	struct vm_member syscall_enter_fields;
	struct vm_member user_event_fields;

	/* kernel/trace/trace_printk.c */
	struct vm_member bprintk_list;
	struct vm_member bprintk_fmt;

	/* kernel/trace/trace_sched_switch.c; trace.c before 6.10 */
	size_t savedcmd_size;
	struct vm_member savedcmd_pid_to_map;
	struct vm_member savedcmd_map_to_pid;
	struct vm_member savedcmd_num;
	struct vm_member savedcmd_comms;
};

/*
 * Fill @layout. ERR_UNSUPPORTED when the ring buffers cannot be found by it;
 * @diag then names the first member that is missing.
 */
enum err ft_layout_probe(struct ft_layout *layout, const struct vmcore *vm,
			 const struct diag *diag);

#endif
