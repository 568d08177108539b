/* SPDX-License-Identifier: GPL-2.0-only */
/* The events of a module that no stock tool knows: one field of each sort. */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM sample_trace

#if !defined(SAMPLE_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define SAMPLE_TRACE_H

#include <linux/tracepoint.h>
#include <linux/version.h>

/* 6.10 took the source argument away: __string() remembers it. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 10, 0)
#define sample_assign_str(dst, src) __assign_str(dst)
#else
#define sample_assign_str(dst, src) __assign_str(dst, src)
#endif

#define SAMPLE_WORDS 3

#define show_sample_flags(flags) __print_flags(flags, "|",	\
	{ 1, "FIRST" },						\
	{ 2, "SECOND" },					\
	{ 4, "URGENT" })

#define show_sample_state(state) __print_symbolic(state,	\
	{ 0, "idle" },						\
	{ 1, "busy" },						\
	{ 2, "broken" })

TRACE_EVENT(sample_beat,

	TP_PROTO(int seq, const char *name, unsigned long flags, int state,
		 const u32 *words),

	TP_ARGS(seq, name, flags, state, words),

	TP_STRUCT__entry(
		__field(	s8,		tiny			)
		__field(	u16,		small			)
		__field(	int,		seq			)
		__field(	u64,		huge			)
		__field(	unsigned long,	flags			)
		__field(	int,		state			)
		__array(	char,		tag,	12		)
		__array(	u32,		words,	SAMPLE_WORDS	)
		__string(	name,		name			)
		__dynamic_array(u16,		steps,	seq & 3		)
	),

	TP_fast_assign(
		unsigned int i;

		__entry->tiny = -seq;
		__entry->small = seq * 7;
		__entry->seq = seq;
		__entry->huge = 0xfedcba9876543210ULL ^ seq;
		__entry->flags = flags;
		__entry->state = state;
		snprintf(__entry->tag, sizeof(__entry->tag), "tag-%d", seq);
		memcpy(__entry->words, words, sizeof(__entry->words));
		sample_assign_str(name, name);
		for (i = 0; i < (seq & 3); i++)
			((u16 *)__get_dynamic_array(steps))[i] = seq + i;
	),

	TP_printk("seq=%d tiny=%d small=%u huge=0x%llx flags=%s state=%s tag=%s words=%s name=%s steps=%s",
		  __entry->seq, __entry->tiny, __entry->small, __entry->huge,
		  show_sample_flags(__entry->flags),
		  show_sample_state(__entry->state), __entry->tag,
		  __print_array(__entry->words, SAMPLE_WORDS, 4),
		  __get_str(name),
		  __print_array(__get_dynamic_array(steps),
				__get_dynamic_array_len(steps) / 2, 2))
);

TRACE_EVENT(sample_irq,

	TP_PROTO(int seq, const void *where),

	TP_ARGS(seq, where),

	TP_STRUCT__entry(
		__field(	int,		seq	)
		__field(	const void *,	where	)
	),

	TP_fast_assign(
		__entry->seq = seq;
		__entry->where = where;
	),

	TP_printk("seq=%d where=%pS", __entry->seq, __entry->where)
);

#endif /* SAMPLE_TRACE_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE sample_trace
#include <trace/define_trace.h>
