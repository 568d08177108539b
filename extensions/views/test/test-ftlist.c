// SPDX-License-Identifier: GPL-2.0-or-later
/* ftdump -l: a table for each buffer. */
#include "test/mock-ftrace.h"
#include "test/said.h"
#include "test/unit.h"
#include "views/ftlist.h"

static struct mock_ftrace k;
static struct said said;
static struct ft_dump dump;
static struct ft_totals totals;
static char *text;

static int setup(void **state)
{
	(void)state;
	mock_ftrace_init(&k, LIKE_6_12);
	said_init(&said);
	text = NULL;
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	free(text);
	ft_dump_deinit(&dump);
	mock_ftrace_deinit(&k);
	return 0;
}

static void find(void)
{
	assert_int_equal(ft_dump_init(&dump, &k.m->vm, &said.diag), ERR_NONE);
}

static enum err list(void)
{
	size_t len;
	FILE *f = open_memstream(&text, &len);
	enum err err = ft_list(&dump, f, &totals);

	fclose(f);
	return err;
}

static void assert_shown(const char *what)
{
	if (!strstr(text, what))
		fail_msg("no \"%s\" in:\n%s", what, text);
}

TEST(each_buffer_and_each_cpu_that_came_up_has_a_line)
{
	find();
	assert_int_equal(list(), ERR_NONE);
	assert_shown("top: clock local, tracer ?, sub-buffers of 4096 bytes\n");
	assert_shown("    0        5        80        0     0"
		     "      5.000000      5.000020    0       0\n");
	assert_shown("    2        2         0        9     0"
		     "      5.000005      5.000006    0       0\n");
	assert_shown("inst: ");
	assert_shown("empty: ");
	assert_null(strstr(text, "    3 "));
	assert_int_equal(totals.buffers, 3);
	assert_int_equal(totals.cpus, 2);
	assert_int_equal(totals.events, 10);
	assert_int_equal(totals.pages, 6);
	assert_int_equal(totals.torn, 1);
}

TEST(damage_of_a_list_is_shown)
{
	mock_put_ulong(k.m, rb_link(&k.top0, 0), 0x10);
	find();
	assert_int_equal(list(), ERR_NONE);
	assert_shown("(list damaged)");
	assert_in_range(totals.broken, 1, 1);
}

TEST(clock_that_is_no_time_is_shown_as_a_number)
{
	uint64_t tr = mock_get_ulong(k.m, k.list + MOCK_LONG) -
		      mock_field(k.m, 0, "trace_array", "list");

	mock_set(k.m, tr, "trace_array", "clock_id", 2);
	find();
	assert_int_equal(list(), ERR_NONE);
	assert_shown("top: clock x86-tsc,");
	assert_shown(" 5000000000 ");
}

TEST(boot_mapped_buffer_is_called_so)
{
	mock_set(k.m, k.inst.addr, "trace_buffer", "range_addr_start", 0x1000);
	find();
	assert_int_equal(list(), ERR_NONE);
	assert_shown("inst: boot-mapped, clock");
}

TEST(only_what_is_selected_is_listed)
{
	const char *unknown;
	char names[] = "inst";

	find();
	assert_int_equal(ft_dump_select(&dump, names, &unknown), ERR_NONE);
	assert_int_equal(list(), ERR_NONE);
	assert_null(strstr(text, "top: "));
	assert_shown("inst: ");
	assert_int_equal(totals.buffers, 1);
}

TEST(buffer_that_cannot_be_opened_is_counted)
{
	mock_set(k.m, k.inst.addr, "trace_buffer", "subbuf_order", 99);
	find();
	assert_int_equal(list(), ERR_NONE);
	assert_null(strstr(text, "inst: "));
	assert_shown("empty: ");
	assert_int_equal(totals.broken, 1);
	assert_int_equal(totals.buffers, 2);
}

TEST(listing_ends_when_the_user_interrupts)
{
	find();
	k.m->interrupt = true;
	assert_int_equal(list(), ERR_INTERRUPTED);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(each_buffer_and_each_cpu_that_came_up_has_a_line),
		CASE(damage_of_a_list_is_shown),
		CASE(clock_that_is_no_time_is_shown_as_a_number),
		CASE(boot_mapped_buffer_is_called_so),
		CASE(only_what_is_selected_is_listed),
		CASE(buffer_that_cannot_be_opened_is_counted),
		CASE(listing_ends_when_the_user_interrupts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
