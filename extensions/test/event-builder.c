// SPDX-License-Identifier: GPL-2.0-or-later
#include "test/event-builder.h"

static const struct eb_field common[] = {
	{ "unsigned short", "common_type", 0, 2, false, 0 },
	{ "unsigned char", "common_flags", 2, 1, false, 0 },
	{ "unsigned char", "common_preempt_count", 3, 1, false, 0 },
	{ "int", "common_pid", 4, 4, true, 0 },
	{ 0 },
};

/* is_signed:1, then needs_test:1, which is set to see that nobody takes it. */
static uint32_t sign_word(struct mock *m, bool is_signed)
{
	if (!mock_has(m, "ftrace_event_field", "needs_test"))
		return is_signed;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	return is_signed | 1u << 1;
#else
	return (uint32_t)is_signed << 31 | 1u << 30;
#endif
}

static void add_field(struct mock *m, uint64_t head, const struct eb_field *f)
{
	static const char t[] = "ftrace_event_field";
	uint64_t addr = mock_new(m, t);

	mock_set(m, addr, t, "name", mock_str(m, f->name));
	mock_set(m, addr, t, "type", mock_str(m, f->type));
	mock_set(m, addr, t, "offset", f->offset);
	mock_set(m, addr, t, "size", f->size);
	mock_set(m, addr, t, "is_signed", sign_word(m, f->is_signed));
	if (mock_has(m, t, "len"))
		mock_set(m, addr, t, "len", f->len);
	mock_list_add(m, head, mock_field(m, addr, t, "link"));
}

void eb_fields(struct mock *m, uint64_t head, const struct eb_field *fields)
{
	mock_list_init(m, head);
	for (; fields->type; fields++)
		add_field(m, head, fields);
}

void eb_init(struct mock *m)
{
	uint64_t events = mock_alloc(m, 2 * MOCK_LONG, MOCK_LONG);
	uint64_t fields = mock_alloc(m, 2 * MOCK_LONG, MOCK_LONG);

	mock_list_init(m, events);
	mock_symbol(m, "ftrace_events", events);
	eb_fields(m, fields, common);
	mock_symbol(m, "ftrace_common_fields", fields);
}

uint64_t eb_class(struct mock *m, uint64_t call)
{
	return mock_get_ulong(m,
			      mock_field(m, call, "trace_event_call", "class"));
}

uint64_t eb_event(struct mock *m, const char *system, const char *name,
		  uint16_t id, const struct eb_field *fields,
		  const char *print_fmt)
{
	static const char t[] = "trace_event_call";
	uint64_t call = mock_new(m, t);
	uint64_t class = mock_new(m, "trace_event_class");
	uint64_t event = mock_field(m, call, t, "event");
	uint64_t list;

	mock_set(m, class, "trace_event_class", "system", mock_str(m, system));
	eb_fields(m, mock_field(m, class, "trace_event_class", "fields"),
		  fields);
	mock_set(m, call, t, "class", class);
	mock_set(m, call, t, "name", mock_str(m, name));
	mock_set(m, call, t, "print_fmt", mock_str(m, print_fmt));
	mock_set(m, event, "trace_event", "type", id);

	m->vm.ops->symbol(m, "ftrace_events", &list);
	mock_list_add_tail(m, list, mock_field(m, call, t, "list"));
	return call;
}
