// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The list of events, and their formats byte for byte as tracefs shows them.
 * The formats expected here are those of real kernels.
 */
#include "ftrace/format.h"
#include "test/event-builder.h"
#include "test/mock-layout.h"
#include "test/said.h"
#include "test/unit.h"

#define WILD 0xdead000000000100ull

static struct mock *m;
static struct said said;
static struct ft_layout layout;
static struct ft_events events;

static void begin(enum mock_kernel kernel)
{
	m = mock_create();
	mock_layout(m, kernel);
	eb_init(m);
	said_init(&said);
}

static enum err init(void)
{
	assert_int_equal(ft_layout_probe(&layout, &m->vm, &said.diag), ERR_NONE);
	return ft_events_init(&events, &m->vm, &layout, &said.diag);
}

static void end(void)
{
	ft_events_deinit(&events);
	mock_destroy(m);
}

static const struct eb_field no_fields[] = { { 0 } };

static const struct eb_field switch_fields[] = {
	{ "char[16]", "prev_comm", 8, 16, false, 16 },
	{ "pid_t", "prev_pid", 24, 4, true, 0 },
	{ "int", "prev_prio", 28, 4, true, 0 },
	{ "long", "prev_state", 32, 8, true, 0 },
	{ 0 },
};

static const char switch_format[] =
	"name: sched_switch\nID: 314\nformat:\n" EB_COMMON_FORMAT
	"\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
	"\tfield:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;\n"
	"\tfield:int prev_prio;\toffset:28;\tsize:4;\tsigned:1;\n"
	"\tfield:long prev_state;\toffset:32;\tsize:8;\tsigned:1;\n"
	"\nprint fmt: \"prev_comm=%s\", REC->prev_comm\n";

static void add_switch(void)
{
	eb_event(m, "sched", "sched_switch", 314, switch_fields,
		 "\"prev_comm=%s\", REC->prev_comm");
}

/* The format of event @i must be @want, or end with @err. */
static void assert_format(size_t i, enum err err, const char *want)
{
	char *text = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&text, &len);

	assert_in_range(i, 0, events.count - 1);
	assert_int_equal(ft_event_format(&events.event[i], events.common,
					 &m->vm, &layout, f),
			 err);
	fclose(f);
	if (want)
		assert_string_equal(text, want);
	free(text);
}

TEST(format_has_common_fields_then_own_in_order_then_print_fmt)
{
	static const enum mock_kernel kernels[] = { LIKE_6_1, LIKE_6_12 };

	for (size_t i = 0; i < ARRAY_SIZE(kernels); i++) {
		begin(kernels[i]);
		add_switch();
		assert_int_equal(init(), ERR_NONE);
		assert_int_equal(events.count, 1);
		assert_int_equal(events.event[0].id, 314);
		assert_string_equal(events.event[0].system, "sched");
		assert_format(0, ERR_NONE, switch_format);
		end();
	}
}

/* Before 5.17 the length is only in the type. */
TEST(without_a_length_member_the_array_is_copied_from_the_type)
{
	static const struct eb_field fields[] = {
		{ "char[16]", "comm", 8, 16, false, 0 },
		{ "u8[]", "rest", 24, 0, false, 0 },
		{ 0 },
	};

	begin(LIKE_6_1);
	mock_forget_member(m, "ftrace_event_field", "len");
	eb_event(m, "task", "old", 7, fields, "\"\"");
	assert_int_equal(init(), ERR_NONE);
	assert_format(0, ERR_NONE,
		      "name: old\nID: 7\nformat:\n" EB_COMMON_FORMAT
		      "\tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
		      "\tfield:u8 rest[];\toffset:24;\tsize:0;\tsigned:0;\n"
		      "\nprint fmt: \"\"\n");
	end();
}

TEST(length_of_an_array_is_the_members_not_the_types)
{
	static const struct eb_field fields[] = {
		{ "char[TASK_COMM_LEN]", "comm", 8, 16, false, 16 },
		{ 0 },
	};

	begin(LIKE_6_12);
	eb_event(m, "task", "named", 8, fields, "\"\"");
	assert_int_equal(init(), ERR_NONE);
	assert_format(0, ERR_NONE,
		      "name: named\nID: 8\nformat:\n" EB_COMMON_FORMAT
		      "\tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
		      "\nprint fmt: \"\"\n");
	end();
}

TEST(flexible_array_has_empty_brackets)
{
	static const struct eb_field fields[] = {
		{ "unsigned long", "ip", 8, 8, false, 0 },
		{ "char[]", "buf", 16, 0, false, 0 },
		{ 0 },
	};

	begin(LIKE_6_12);
	eb_event(m, "ftrace", "print", 5, fields, "\"%ps: %s\"");
	assert_int_equal(init(), ERR_NONE);
	assert_format(0, ERR_NONE,
		      "name: print\nID: 5\nformat:\n" EB_COMMON_FORMAT
		      "\tfield:unsigned long ip;\toffset:8;\tsize:8;\tsigned:0;\n"
		      "\tfield:char buf[];\toffset:16;\tsize:0;\tsigned:0;\n"
		      "\nprint fmt: \"%ps: %s\"\n");
	end();
}

TEST(data_loc_keeps_its_brackets_in_the_type)
{
	static const struct eb_field fields[] = {
		{ "__data_loc char[]", "name", 8, 4, false, 0 },
		{ "__rel_loc char[]", "relative", 12, 4, false, 0 },
		{ 0 },
	};

	begin(LIKE_6_12);
	eb_event(m, "net", "net_dev_queue", 99, fields, "\"\"");
	assert_int_equal(init(), ERR_NONE);
	assert_format(0, ERR_NONE,
		      "name: net_dev_queue\nID: 99\nformat:\n" EB_COMMON_FORMAT
		      "\tfield:__data_loc char[] name;\toffset:8;\tsize:4;\tsigned:0;\n"
		      "\tfield:__rel_loc char relative[];\toffset:12;\tsize:4;\tsigned:0;\n"
		      "\nprint fmt: \"\"\n");
	end();
}

TEST(event_without_fields_has_a_format)
{
	begin(LIKE_6_12);
	eb_event(m, "x", "none", 9, no_fields, "\"\"");
	assert_int_equal(init(), ERR_NONE);
	assert_format(0, ERR_NONE,
		      "name: none\nID: 9\nformat:\n" EB_COMMON_FORMAT
		      "\nprint fmt: \"\"\n");
	end();
}

TEST(long_print_fmt_is_whole)
{
	char *want, fmt[12001];

	memset(fmt, 'p', 12000);
	fmt[12000] = 0;
	begin(LIKE_6_12);
	eb_event(m, "x", "long", 9, no_fields, fmt);
	assert_int_equal(init(), ERR_NONE);
	assert_true(asprintf(&want,
			     "name: long\nID: 9\nformat:\n" EB_COMMON_FORMAT
			     "\nprint fmt: %s\n",
			     fmt) > 0);
	assert_format(0, ERR_NONE, want);
	free(want);
	end();
}

static void assert_name(const char *name)
{
	char want[64], *text = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&text, &len);

	snprintf(want, sizeof(want), "name: %s\n", name);
	assert_int_equal(ft_event_format(&events.event[0], events.common,
					 &m->vm, &layout, f),
			 ERR_NONE);
	fclose(f);
	assert_int_equal(strncmp(text, want, strlen(want)), 0);
	free(text);
}

TEST(name_of_a_tracepoint_lies_behind_its_pointer)
{
	uint64_t call, tp;

	begin(LIKE_6_12);
	call = eb_event(m, "sched", "unused", 1, no_fields, "\"\"");
	tp = mock_alloc(m, 64, 8);
	mock_put_ulong(m, tp, mock_str(m, "sched_wakeup"));
	mock_set(m, call, "trace_event_call", "name", tp);
	mock_set(m, call, "trace_event_call", "flags", 1 << 4);
	assert_int_equal(init(), ERR_NONE);
	assert_name("sched_wakeup");
	end();
}

TEST(names_with_digits_first_and_systems_with_dashes_are_sound)
{
	begin(LIKE_6_12);
	eb_event(m, "xhci-hcd", "9p_client_req", 1, no_fields, "\"\"");
	assert_int_equal(init(), ERR_NONE);
	assert_int_equal(events.count, 1);
	assert_string_equal(events.event[0].system, "xhci-hcd");
	assert_name("9p_client_req");
	end();
}

TEST(names_of_more_than_a_word_are_damage)
{
	begin(LIKE_6_12);
	eb_event(m, "sys tem", "x", 1, no_fields, "\"\"");
	eb_event(m, "", "x", 2, no_fields, "\"\"");
	eb_event(m, "sched", "dash-ed", 3, no_fields, "\"\"");
	assert_int_equal(init(), ERR_NONE);
	assert_int_equal(events.count, 1);
	assert_int_equal(events.damaged, 2);
	assert_format(0, ERR_BAD_DATA, NULL);
	end();
}

TEST(custom_event_on_a_tracepoint_has_its_own_name)
{
	uint64_t call;

	begin(LIKE_6_12);
	call = eb_event(m, "custom", "my_wakeup", 1, no_fields, "\"\"");
	mock_set(m, call, "trace_event_call", "flags", 1 << 4 | 1 << 7);
	assert_int_equal(init(), ERR_NONE);
	assert_name("my_wakeup");
	end();
}

/* An event whose class asks a function, at @fn, for its fields. */
static uint64_t add_with_get_fields(uint64_t fn)
{
	uint64_t call = eb_event(m, "syscalls", "sys_enter_close", 700,
				 no_fields, "\"fd: %d\"");

	mock_set(m, eb_class(m, call), "trace_event_class", "get_fields", fn);
	return call;
}

TEST(fields_of_a_syscall_are_in_its_metadata)
{
	static const struct eb_field fields[] = {
		{ "int", "__syscall_nr", 8, 4, true, 0 },
		{ "unsigned int", "fd", 16, 8, false, 0 },
		{ 0 },
	};
	uint64_t meta;

	begin(LIKE_6_12);
	meta = mock_alloc(m, 64, 8);
	mock_symbol(m, "syscall_get_enter_fields", 0xffffffff81230000ull);
	mock_set(m, add_with_get_fields(0xffffffff81230000ull),
		 "trace_event_call", "data", meta);
	eb_fields(m, mock_field(m, meta, "syscall_metadata", "enter_fields"),
		  fields);
	assert_int_equal(init(), ERR_NONE);
	assert_format(0, ERR_NONE,
		      "name: sys_enter_close\nID: 700\nformat:\n" EB_COMMON_FORMAT
		      "\tfield:int __syscall_nr;\toffset:8;\tsize:4;\tsigned:1;\n"
		      "\tfield:unsigned int fd;\toffset:16;\tsize:8;\tsigned:0;\n"
		      "\nprint fmt: \"fd: %d\"\n");
	end();
}

TEST(fields_of_a_user_event_are_in_it)
{
	static const struct eb_field fields[] = {
		{ "u32", "count", 8, 4, false, 0 },
		{ 0 },
	};
	uint64_t user;

	begin(LIKE_6_12);
	user = mock_alloc(m, 256, 8);
	mock_symbol(m, "user_event_get_fields", 0xffffffff81240000ull);
	mock_set(m, add_with_get_fields(0xffffffff81240000ull),
		 "trace_event_call", "data", user);
	eb_fields(m, mock_field(m, user, "user_event", "fields"), fields);
	assert_int_equal(init(), ERR_NONE);
	assert_format(0, ERR_NONE,
		      "name: sys_enter_close\nID: 700\nformat:\n" EB_COMMON_FORMAT
		      "\tfield:u32 count;\toffset:8;\tsize:4;\tsigned:0;\n"
		      "\nprint fmt: \"fd: %d\"\n");
	end();
}

TEST(unknown_function_for_fields_is_not_supported)
{
	begin(LIKE_6_12);
	add_with_get_fields(0xffffffff81250000ull);
	assert_int_equal(init(), ERR_NONE);
	assert_format(0, ERR_UNSUPPORTED, NULL);
	end();
}

TEST(events_are_sorted_by_system_then_id)
{
	static const char *const want[] = { "a", "a", "a", "b", "c" };
	static const uint32_t ids[] = { 3, 20, 100, 1, 50 };

	begin(LIKE_6_12);
	eb_event(m, "c", "x", 50, no_fields, "");
	eb_event(m, "a", "x", 100, no_fields, "");
	eb_event(m, "b", "x", 1, no_fields, "");
	eb_event(m, "a", "x", 3, no_fields, "");
	eb_event(m, "a", "x", 20, no_fields, "");
	assert_int_equal(init(), ERR_NONE);
	assert_int_equal(events.count, 5);
	for (int i = 0; i < 5; i++) {
		assert_string_equal(events.event[i].system, want[i]);
		assert_int_equal(events.event[i].id, ids[i]);
	}
	end();
}

TEST(list_bent_into_a_cycle_gives_each_event_once)
{
	uint64_t first, last;

	begin(LIKE_6_12);
	first = eb_event(m, "a", "x", 1, no_fields, "");
	eb_event(m, "a", "x", 2, no_fields, "");
	last = eb_event(m, "a", "x", 3, no_fields, "");
	mock_put_ulong(m, mock_field(m, last, "trace_event_call", "list"),
		       mock_field(m, first, "trace_event_call", "list"));
	assert_int_equal(init(), ERR_NONE);
	assert_int_equal(events.count, 3);
	assert_int_equal(events.damaged, 1);
	assert_true(said_has(&said, "ends early"));
	assert_in_range(m->reads, 1, 60);
	end();
}

TEST(unreadable_event_is_skipped_and_counted)
{
	uint64_t bad;

	begin(LIKE_6_12);
	eb_event(m, "a", "x", 1, no_fields, "");
	bad = eb_event(m, "a", "x", 2, no_fields, "");
	eb_event(m, "a", "x", 3, no_fields, "");
	mock_set(m, bad, "trace_event_call", "class", WILD);
	assert_int_equal(init(), ERR_NONE);
	assert_int_equal(events.count, 2);
	assert_int_equal(events.event[1].id, 3);
	assert_int_equal(events.damaged, 1);
	assert_int_equal(said.lines, 1);
	end();
}

TEST(id_of_another_event_is_damage)
{
	begin(LIKE_6_12);
	eb_event(m, "a", "x", 1, no_fields, "");
	eb_event(m, "a", "y", 1, no_fields, "");
	eb_event(m, "b", "z", 1, no_fields, "");
	assert_int_equal(init(), ERR_NONE);
	assert_int_equal(events.count, 2);
	assert_int_equal(events.damaged, 1);
	assert_int_equal(said.lines, 1);
	end();
}

TEST(wild_id_is_damage)
{
	uint64_t bad;

	begin(LIKE_6_12);
	bad = eb_event(m, "a", "x", 2, no_fields, "");
	mock_set(m, mock_field(m, bad, "trace_event_call", "event"),
		 "trace_event", "type", 65536);
	assert_int_equal(init(), ERR_NONE);
	assert_int_equal(events.count, 0);
	assert_int_equal(events.damaged, 1);
	end();
}

TEST(format_of_damaged_fields_is_an_error)
{
	uint64_t call, head;

	begin(LIKE_6_12);
	call = eb_event(m, "sched", "sched_switch", 314, switch_fields, "");
	head = mock_field(m, eb_class(m, call), "trace_event_class", "fields");
	/* Fields are read backwards: bend the prev of the first. */
	mock_put_ulong(m, mock_get_ulong(m, head + MOCK_LONG) + MOCK_LONG, WILD);
	assert_int_equal(init(), ERR_NONE);
	assert_format(0, ERR_UNMAPPED, NULL);
	end();
}

TEST(cycle_of_fields_is_an_error)
{
	uint64_t call, head, first;

	begin(LIKE_6_12);
	call = eb_event(m, "sched", "sched_switch", 314, switch_fields, "");
	head = mock_field(m, eb_class(m, call), "trace_event_class", "fields");
	first = mock_get_ulong(m, head + MOCK_LONG);
	mock_put_ulong(m, first + MOCK_LONG, first);
	assert_int_equal(init(), ERR_NONE);
	assert_format(0, ERR_BAD_DATA, NULL);
	assert_in_range(m->reads, 1, 100);
	end();
}

static uint64_t common_list(void)
{
	uint64_t list;

	assert_true(vm_symbol(&m->vm, "ftrace_common_fields", &list));
	return list;
}

static void lose_common_page(void)
{
	uint64_t page = mock_alloc_page(m);

	mock_put_ulong(m, common_list() + MOCK_LONG, page);
	mock_hide(m, page, ERR_MISSING);
}

static void bend_common_list(void)
{
	mock_put_ulong(m, common_list() + MOCK_LONG, WILD);
}

/* The list is whole, but for the one field that says what an event is. */
static void shorten_common_list(void)
{
	uint64_t last = mock_get_ulong(m, common_list() + MOCK_LONG);

	mock_put_ulong(m, common_list() + MOCK_LONG,
		       mock_get_ulong(m, last + MOCK_LONG));
}

static void forget_common_list(void)
{
	mock_forget_symbol(m, "ftrace_common_fields");
}

TEST(damaged_common_fields_are_taken_from_debug_info)
{
	static void (*const damage[])(void) = {
		lose_common_page,
		bend_common_list,
		shorten_common_list,
		forget_common_list,
	};

	for (size_t i = 0; i < ARRAY_SIZE(damage); i++) {
		begin(LIKE_6_12);
		add_switch();
		damage[i]();
		assert_int_equal(init(), ERR_NONE);
		assert_format(0, ERR_NONE, switch_format);
		assert_int_equal(said.lines, 1);
		assert_true(said_has(&said, "trace_entry"));
		end();
	}
}

TEST(without_debug_info_of_the_common_fields_no_format_is_known)
{
	begin(LIKE_6_12);
	add_switch();
	bend_common_list();
	mock_forget_member(m, "trace_entry", "pid");
	assert_int_equal(init(), ERR_NONE);
	assert_int_equal(events.count, 1);
	assert_format(0, ERR_UNSUPPORTED, "");
	assert_int_equal(said.lines, 1);
	assert_true(said_has(&said, "no event's format"));
	end();
}

TEST(kernel_without_events_is_not_supported)
{
	begin(LIKE_6_12);
	mock_forget_symbol(m, "ftrace_events");
	assert_int_equal(init(), ERR_UNSUPPORTED);
	assert_int_equal(events.count, 0);
	assert_true(said_has(&said, "ftrace_events"));
	end();
}

static bool char_signed(const struct eb_field *fields)
{
	bool result;

	begin(LIKE_6_12);
	eb_event(m, "sched", "x", 1, fields, "\"\"");
	assert_int_equal(init(), ERR_NONE);
	result = ft_events_char_signed(&events, &m->vm, &layout);
	end();
	return result;
}

TEST(sign_of_char_is_that_of_a_char_field)
{
	static const struct eb_field plus[] = {
		{ "int", "prio", 8, 4, true, 0 },
		{ "char[16]", "comm", 12, 16, false, 16 },
		{ 0 },
	};
	static const struct eb_field minus[] = {
		{ "int", "prio", 8, 4, true, 0 },
		{ "char[16]", "comm", 12, 16, true, 16 },
		{ "u32", "last", 28, 4, false, 0 },
		{ 0 },
	};

	assert_false(char_signed(plus));
	assert_true(char_signed(minus));
	assert_false(char_signed(no_fields));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			format_has_common_fields_then_own_in_order_then_print_fmt),
		cmocka_unit_test(
			without_a_length_member_the_array_is_copied_from_the_type),
		cmocka_unit_test(length_of_an_array_is_the_members_not_the_types),
		cmocka_unit_test(flexible_array_has_empty_brackets),
		cmocka_unit_test(data_loc_keeps_its_brackets_in_the_type),
		cmocka_unit_test(event_without_fields_has_a_format),
		cmocka_unit_test(long_print_fmt_is_whole),
		cmocka_unit_test(name_of_a_tracepoint_lies_behind_its_pointer),
		cmocka_unit_test(
			names_with_digits_first_and_systems_with_dashes_are_sound),
		cmocka_unit_test(names_of_more_than_a_word_are_damage),
		cmocka_unit_test(custom_event_on_a_tracepoint_has_its_own_name),
		cmocka_unit_test(fields_of_a_syscall_are_in_its_metadata),
		cmocka_unit_test(fields_of_a_user_event_are_in_it),
		cmocka_unit_test(unknown_function_for_fields_is_not_supported),
		cmocka_unit_test(events_are_sorted_by_system_then_id),
		cmocka_unit_test(list_bent_into_a_cycle_gives_each_event_once),
		cmocka_unit_test(unreadable_event_is_skipped_and_counted),
		cmocka_unit_test(id_of_another_event_is_damage),
		cmocka_unit_test(wild_id_is_damage),
		cmocka_unit_test(format_of_damaged_fields_is_an_error),
		cmocka_unit_test(cycle_of_fields_is_an_error),
		cmocka_unit_test(damaged_common_fields_are_taken_from_debug_info),
		cmocka_unit_test(
			without_debug_info_of_the_common_fields_no_format_is_known),
		cmocka_unit_test(kernel_without_events_is_not_supported),
		cmocka_unit_test(sign_of_char_is_that_of_a_char_field),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
