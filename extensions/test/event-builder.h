/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TEST_EVENT_BUILDER_H
#define TEST_EVENT_BUILDER_H

#include "test/mock-vmcore.h"

/*
 * Builds the kernel's trace events in a mock: ftrace_events, a list of
 * trace_event_call, each with its class, fields and print fmt.
 */
struct eb_field {
	const char *type;
	const char *name;
	uint32_t offset;
	uint32_t size;
	bool is_signed;
	uint32_t len; /* of an array, where the kernel stores it */
};

/* Empty list of events; the common fields of every event. */
void eb_init(struct mock *m);

/*
 * A new event, put at the end of the list; the address of its
 * trace_event_call. @fields end with one that has no type.
 */
uint64_t eb_event(struct mock *m, const char *system, const char *name,
		  uint16_t id, const struct eb_field *fields,
		  const char *print_fmt);
/* Of a call: its class. */
uint64_t eb_class(struct mock *m, uint64_t call);
/* Fill a list of fields as the kernel does, each at the head. */
void eb_fields(struct mock *m, uint64_t head, const struct eb_field *fields);

/* What every format begins with, behind "format:". */
#define EB_COMMON_FORMAT                                                       \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n" \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n" \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;"      \
	"\tsigned:0;\n"                                                        \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n"             \
	"\n"

#endif
