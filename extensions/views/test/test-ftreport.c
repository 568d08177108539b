// SPDX-License-Identifier: GPL-2.0-or-later
/* ftdump -r: events of all buffers as text, in the order of time. */
#include <errno.h>
#include <stdlib.h>

#include "base/outfile.h"
#include "ftrace/newest.h"
#include "test/event-builder.h"
#include "test/mock-ftrace.h"
#include "test/said.h"
#include "test/tmpdir.h"
#include "test/trace-cmd.h"
#include "test/unit.h"
#include "tracedat/save.h"
#include "views/ftreport.h"

#define TS MOCK_FTRACE_TS

static struct mock_ftrace k;
static struct said said;
static struct ft_dump dump;
static struct ft_report_result result;
static struct tmpdir dir;
static char *text;

static int setup(void **state)
{
	(void)state;
	tmpdir_create(&dir);
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
	tmpdir_remove(&dir);
	return 0;
}

static void find(void)
{
	assert_int_equal(ft_dump_init(&dump, &k.m->vm, &said.diag), ERR_NONE);
}

static enum err report(void)
{
	size_t len;
	enum err err;
	FILE *f;

	free(text);
	f = open_memstream(&text, &len);
	err = ft_report(&dump, f, &result);
	fclose(f);
	return err;
}

static void assert_shown(const char *what)
{
	if (!strstr(text, what))
		fail_msg("no \"%s\" in:\n%s", what, text);
}

static int lines(void)
{
	int n = 0;

	for (const char *p = text; *p; p++)
		n += *p == '\n';
	return n;
}

TEST(events_of_all_buffers_are_merged_by_time)
{
	find();
	assert_int_equal(report(), ERR_NONE);
	assert_string_equal(
		text,
		"                   init-1     [000]     5.000000: hello:                value=1\n"
		"                   init-1     [000]     5.000001: hello:                value=2\n"
		"       CPU:2 [9 EVENTS DROPPED]\n"
		"                   init-1     [002]     5.000005: hello:                value=20\n"
		"                   init-1     [002]     5.000006: hello:                value=21\n"
		"                   init-1     [000]     5.000010: hello:                value=3\n"
		"                   init-1     [000]     5.000011: hello:                value=4\n"
		"                   init-1     [000]     5.000020: hello:                value=5\n"
		" inst:             init-1     [001]     5.000030: hello:                value=100\n"
		" inst:             init-1     [001]     5.000031: hello:                value=101\n"
		" inst: CPU:1 [EVENTS DROPPED]\n"
		" inst:             init-1     [001]     5.000050: hello:                value=102\n");
	assert_int_equal(result.totals.buffers, 3);
	assert_int_equal(result.totals.events, 10);
	assert_int_equal(result.totals.torn, 1);
	assert_int_equal(result.unprinted, 0);
}

/* trace-cmd does not show the buffer's name, " inst: ", again behind a loss. */
static void take_out_repeated_names(void)
{
	static const char loss[] = "DROPPED]\n";

	for (char *at = text; (at = strstr(at, loss));) {
		at += strlen(loss);
		memmove(at, at + strlen(" inst: "),
			strlen(at + strlen(" inst: ")) + 1);
	}
}

/* Its own file, but for the heading. */
TEST(report_is_what_trace_cmd_prints_of_the_file)
{
	char *path = tmpdir_path(&dir, "trace.dat"), *theirs;
	struct ft_totals totals;
	struct outfile out;
	const char *rest;

	trace_cmd_needed();
	find();
	assert_int_equal(out_create(&out, path, true), ERR_NONE);
	assert_int_equal(td_save(&dump, &out, &totals), ERR_NONE);
	assert_int_equal(out_commit(&out), ERR_NONE);
	assert_int_equal(report(), ERR_NONE);
	take_out_repeated_names();
	theirs = trace_cmd("report -N", path);
	rest = strstr(theirs, "        ");
	assert_non_null(rest);
	assert_string_equal(text, rest);
	free(theirs);
	free(path);
}

TEST(filters_of_events_apply)
{
	struct ft_filter filter = { .newest = 3 };

	find();
	dump.filter = &filter;
	assert_int_equal(ft_filter_find_newest(&filter, &dump), ERR_NONE);
	assert_int_equal(report(), ERR_NONE);
	assert_int_equal(lines(), 4);
	assert_shown("value=100\n");
	assert_shown("value=102\n");
	assert_int_equal(result.totals.events, 3);
}

TEST(event_of_no_known_kind_has_a_line)
{
	struct page_builder pb;

	rb_write(&k.top0, &pb, 1, TS + 20000);
	pb_event(&pb, 0, 999, 5, 12);
	pb_commit(&pb, 0);
	find();
	assert_int_equal(report(), ERR_NONE);
	assert_shown(
		" unknown:              [NO FORMAT OF EVENT 999] e7 03 00 00 "
		"01 00 00 00 05 00 00 00\n");
	assert_int_equal(result.unprinted, 1);
	assert_int_equal(lines(), 12);
}

TEST(event_that_its_format_does_not_fit_has_a_line)
{
	struct page_builder pb;

	rb_write(&k.top0, &pb, 1, TS + 20000);
	pb_event(&pb, 0, 1, 0, 8);
	pb_commit(&pb, 0);
	find();
	assert_int_equal(report(), ERR_NONE);
	assert_shown(" hello:                [UNSOUND: it is shorter than its "
		     "fields]\n");
	assert_int_equal(result.unprinted, 1);
	assert_int_equal(lines(), 12);
}

TEST(format_that_is_lost_is_told_and_counted)
{
	static const struct eb_field fields[] = {
		{ "u32", "value", 8, 4, false, 0 },
		{ 0 },
	};
	struct page_builder pb;

	eb_event(k.m, "unit", "broken", 77, fields, "\"%d\", REC->nosuch");
	rb_write(&k.top0, &pb, 1, TS + 20000);
	pb_event(&pb, 0, 77, 0, 12);
	pb_event(&pb, 0, 77, 0, 12);
	pb_commit(&pb, 0);
	find();
	assert_int_equal(report(), ERR_NONE);
	assert_shown("[NO FORMAT OF EVENT 77]");
	assert_int_equal(result.unprinted, 2);
	assert_int_equal(result.totals.formats, 1);
	assert_true(said_has(&said, "format of event 77 of unit"));
}

TEST(kernel_without_event_list_still_has_lines)
{
	mock_forget_symbol(k.m, "ftrace_events");
	find();
	assert_int_equal(report(), ERR_NONE);
	assert_int_equal(lines(), 12);
	assert_int_equal(result.unprinted, 10);
}

TEST(interruption_at_any_point_ends_the_report)
{
	unsigned long polls = 0;
	enum err err;

	find();
	do {
		k.m->interrupt = true;
		k.m->polls_before_interrupt = polls++;
		err = report();
		if (err != ERR_NONE)
			assert_int_equal(err, ERR_INTERRUPTED);
		assert_in_range(polls, 0, 1000);
	} while (err != ERR_NONE);
	assert_in_range(polls, 10, 1000);
	assert_int_equal(lines(), 12);
}

/* With @tmpdir for the pages. */
static enum err report_through(const char *tmpdir)
{
	const char *set = getenv("TMPDIR");
	char *old = set ? strdup(set) : NULL;
	enum err err;

	setenv("TMPDIR", tmpdir, 1);
	err = report();
	if (old)
		setenv("TMPDIR", old, 1);
	else
		unsetenv("TMPDIR");
	free(old);
	return err;
}

TEST(no_place_for_the_pages_is_an_error)
{
	find();
	assert_int_equal(report_through("/nonexistent"), ERR_IO);
	assert_int_equal(result.sys_errno, ENOENT);
	assert_non_null(result.what);
	assert_string_equal(text, "");
}

TEST(nothing_stays_in_the_temporary_directory)
{
	find();
	assert_int_equal(report_through(dir.path), ERR_NONE);
	assert_int_equal(tmpdir_count(&dir), 0);
}

TEST(reader_that_goes_away_is_an_error_of_writing)
{
	FILE *full = fopen("/dev/full", "w");

	find();
	assert_non_null(full);
	setbuf(full, NULL);
	assert_int_equal(ft_report(&dump, full, &result), ERR_IO);
	assert_int_equal(result.sys_errno, ENOSPC);
	fclose(full);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		T(events_of_all_buffers_are_merged_by_time),
		T(report_is_what_trace_cmd_prints_of_the_file),
		T(filters_of_events_apply),
		T(event_of_no_known_kind_has_a_line),
		T(event_that_its_format_does_not_fit_has_a_line),
		T(format_that_is_lost_is_told_and_counted),
		T(kernel_without_event_list_still_has_lines),
		T(interruption_at_any_point_ends_the_report),
		T(no_place_for_the_pages_is_an_error),
		T(nothing_stays_in_the_temporary_directory),
		T(reader_that_goes_away_is_an_error_of_writing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
