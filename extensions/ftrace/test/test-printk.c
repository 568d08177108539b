// SPDX-License-Identifier: GPL-2.0-or-later
/* ft_write_printk_formats(): as tracefs' printk_formats. */
#include <inttypes.h>

#include "ftrace/tables.h"
#include "test/mock-layout.h"
#include "test/said.h"
#include "test/unit.h"

#define WILD 0xdead000000000100ull

static struct mock *m;
static struct said said;

static int setup(void **state)
{
	(void)state;
	m = mock_create();
	mock_layout(m, LIKE_6_12);
	said_init(&said);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	mock_destroy(m);
	return 0;
}

/* An array of @n pointers between two symbols. */
static uint64_t section(const char *start, const char *stop, size_t n)
{
	uint64_t at = mock_alloc(m, n * MOCK_LONG, MOCK_LONG);

	mock_symbol(m, start, at);
	mock_symbol(m, stop, at + n * MOCK_LONG);
	return at;
}

static uint64_t formats(size_t n)
{
	return section("__start___trace_bprintk_fmt",
		       "__stop___trace_bprintk_fmt", n);
}

/* A module's format; it is put on the list. */
static uint64_t module_format(uint64_t head, const char *text)
{
	uint64_t node = mock_alloc(m, 24, 8), addr = mock_str(m, text);

	mock_set(m, node, "trace_bprintk_fmt", "fmt", addr);
	mock_list_add_tail(m, head, node);
	return addr;
}

static uint64_t module_list(void)
{
	uint64_t head = mock_alloc(m, 16, 8);

	mock_list_init(m, head);
	mock_symbol(m, "trace_bprintk_fmt_list", head);
	return head;
}

static char *table(void)
{
	struct ft_layout layout;
	char *text = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&text, &len);

	assert_int_equal(ft_layout_probe(&layout, &m->vm, &said.diag), ERR_NONE);
	ft_write_printk_formats(&m->vm, &layout, &said.diag, NULL, f);
	fclose(f);
	return text;
}

/* The table must be these lines, each of an address and a text. */
static void assert_lines(const uint64_t *addrs, const char *const *texts)
{
	char want[1024] = "", *got = table();
	size_t at = 0;

	for (int i = 0; texts[i]; i++)
		at += snprintf(want + at, sizeof(want) - at,
			       "0x%" PRIx64 " : \"%s\"\n", addrs[i], texts[i]);
	assert_string_equal(got, want);
	free(got);
}

#define TEXTS(...) ((const char *const[]){ __VA_ARGS__, NULL })

TEST(formats_and_tracepoint_strings_are_listed)
{
	uint64_t at = formats(2), str;
	uint64_t addr[3];

	str = section("__start___tracepoint_str", "__stop___tracepoint_str", 1);
	addr[0] = mock_str(m, "first %d");
	addr[1] = mock_str(m, "second %s");
	addr[2] = mock_str(m, "rcu_sched");
	mock_put_ulong(m, at, addr[0]);
	mock_put_ulong(m, at + 8, addr[1]);
	mock_put_ulong(m, str, addr[2]);
	assert_lines(addr, TEXTS("first %d", "second %s", "rcu_sched"));
	assert_int_equal(said.lines, 0);
}

/* The kernel escapes these three, and nothing else. */
TEST(newline_tab_and_quote_are_escaped)
{
	uint64_t at = formats(1), addr;

	addr = mock_str(m, "a\nb\tc\"d\\e%%");
	mock_put_ulong(m, at, addr);
	assert_lines(&addr, TEXTS("a\\nb\\tc\\\"d\\e%%"));
}

TEST(empty_slot_is_skipped)
{
	uint64_t at = formats(3), addr;

	addr = mock_str(m, "only");
	mock_put_ulong(m, at + 8, addr);
	assert_lines(&addr, TEXTS("only"));
	assert_int_equal(said.lines, 0);
}

/* Only trace_printk() leaves slots empty. */
TEST(lost_tracepoint_string_is_told)
{
	uint64_t str = section("__start___tracepoint_str",
			       "__stop___tracepoint_str", 2);
	uint64_t addr = mock_str(m, "rcu_sched");

	mock_put_ulong(m, str + MOCK_LONG, addr);
	assert_lines(&addr, TEXTS("rcu_sched"));
	assert_int_equal(said.lines, 1);
}

TEST(lost_format_of_a_module_is_told)
{
	uint64_t head = module_list(), addr;

	module_format(head, "module one");
	mock_set(m, mock_get_ulong(m, head), "trace_bprintk_fmt", "fmt", 0);
	addr = module_format(head, "module two");
	assert_lines(&addr, TEXTS("module two"));
	assert_int_equal(said.lines, 1);
}

TEST(string_that_cannot_be_read_costs_only_itself)
{
	uint64_t at = formats(4), addr[2];

	addr[0] = mock_str(m, "one");
	addr[1] = mock_str(m, "four");
	mock_put_ulong(m, at, addr[0]);
	mock_put_ulong(m, at + 8, WILD);
	mock_put_ulong(m, at + 16, WILD);
	mock_put_ulong(m, at + 24, addr[1]);
	assert_lines(addr, TEXTS("one", "four"));
	/* Many of the same kind are told once. */
	assert_int_equal(said.lines, 1);
}

TEST(kernel_without_formats_has_an_empty_table)
{
	char *got = table();

	assert_string_equal(got, "");
	assert_int_equal(said.lines, 0);
	free(got);
}

TEST(section_that_ends_before_it_begins_is_empty)
{
	char *got;

	mock_symbol(m, "__start___trace_bprintk_fmt", 0x2000);
	mock_symbol(m, "__stop___trace_bprintk_fmt", 0x1000);
	got = table();
	assert_string_equal(got, "");
	free(got);
}

TEST(formats_of_modules_are_listed)
{
	uint64_t head = module_list(), addr[2];

	addr[0] = module_format(head, "module one\n");
	addr[1] = module_format(head, "module two");
	assert_lines(addr, TEXTS("module one\\n", "module two"));
}

TEST(list_of_modules_formats_that_is_torn_ends)
{
	uint64_t head = module_list();
	char *got;

	module_format(head, "module one");
	module_format(head, "module two");
	mock_put_ulong(m, mock_get_ulong(m, head + MOCK_LONG), WILD);
	got = table();
	assert_non_null(strstr(got, "module one"));
	assert_non_null(strstr(got, "module two"));
	assert_true(said_has(&said, "ends early"));
	free(got);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(formats_and_tracepoint_strings_are_listed),
		CASE(newline_tab_and_quote_are_escaped),
		CASE(empty_slot_is_skipped),
		CASE(lost_tracepoint_string_is_told),
		CASE(lost_format_of_a_module_is_told),
		CASE(string_that_cannot_be_read_costs_only_itself),
		CASE(kernel_without_formats_has_an_empty_table),
		CASE(section_that_ends_before_it_begins_is_empty),
		CASE(formats_of_modules_are_listed),
		CASE(list_of_modules_formats_that_is_torn_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
