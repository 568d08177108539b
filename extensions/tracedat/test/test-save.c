// SPDX-License-Identifier: GPL-2.0-or-later
/* From a dead kernel to a trace.dat, as ftdump does it. */
#include "test/dat-reader.h"
#include "test/kbuf-reader.h"
#include "test/mock-ftrace.h"
#include "test/said.h"
#include "test/tmpdir.h"
#include "test/trace-cmd.h"
#include "test/unit.h"
#include "tracedat/save.h"

#define WILD 0xdead000000000100ull

static struct tmpdir dir;
static char *path;
static struct mock_ftrace k;
static struct said said;
static struct ft_dump dump;
static struct ft_totals totals;

static int setup(void **state)
{
	(void)state;
	tmpdir_create(&dir);
	path = tmpdir_path(&dir, "trace.dat");
	mock_ftrace_init(&k, LIKE_6_12);
	said_init(&said);
	memset(&dump, 0, sizeof(dump));
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	ft_dump_deinit(&dump);
	mock_ftrace_deinit(&k);
	free(path);
	tmpdir_remove(&dir);
	return 0;
}

static void find(void)
{
	ft_dump_deinit(&dump);
	assert_int_equal(ft_dump_init(&dump, &k.m->vm, &said.diag), ERR_NONE);
}

static enum err save(void)
{
	struct outfile out;
	enum err err;

	assert_int_equal(out_create(&out, path, true), ERR_NONE);
	err = td_save(&dump, &out, &totals);
	if (err == ERR_NONE)
		err = out_commit(&out);
	out_abort(&out);
	return err;
}

static struct dat *save_and_open(void)
{
	assert_int_equal(save(), ERR_NONE);
	return dat_open(path);
}

static const struct dat_cpu *cpu_of(const struct dat *dat, const char *buffer,
				    uint32_t cpu)
{
	const struct dat_buffer *b = dat_buffer(dat, buffer);

	for (uint32_t i = 0; b && i < b->nr_cpus; i++)
		if (b->cpu[i].cpu == cpu)
			return &b->cpu[i];
	return NULL;
}

/* The ids of all events of a CPU, ended by 0. */
static void assert_ids(const struct dat *dat, const char *buffer, uint32_t cpu,
		       const uint32_t *ids)
{
	const struct dat_cpu *c = cpu_of(dat, buffer, cpu);
	size_t n = 0, want = 0;
	struct kbuf_event ev[64] = { 0 };

	for (uint64_t at = 0; c && at < c->size; at += MOCK_PAGE)
		n += kbuf_read(c->data + at, ev + n, 64 - n);
	for (; ids[want]; want++) {
		assert_in_range(want + 1, 1, n);
		assert_int_equal(ev[want].id, ids[want]);
	}
	assert_int_equal(n, want);
}

#define IDS(...) ((const uint32_t[]){ __VA_ARGS__, 0 })

TEST(file_has_every_buffer_the_top_one_first)
{
	struct dat *dat;

	find();
	dat = save_and_open();
	assert_int_equal(dat->nr_buffers, 3);
	assert_string_equal(dat->buffer[0].name, "");
	assert_ids(dat, "", 0, IDS(1, 2, 3, 4, 5));
	assert_ids(dat, "", 1, IDS(0));
	assert_ids(dat, "", 2, IDS(20, 21));
	assert_ids(dat, "inst", 1, IDS(100, 101, 102));
	assert_ids(dat, "empty", 0, IDS(0));
	assert_int_equal(totals.buffers, 3);
	assert_int_equal(totals.cpus, 2);
	assert_int_equal(totals.events, 10);
	assert_int_equal(totals.pages, 6);
	assert_int_equal(totals.torn, 1);
	assert_int_equal(totals.missing, 0);
	assert_int_equal(totals.broken, 0);
	dat_close(dat);
}

TEST(number_of_cpus_is_that_of_the_kernel)
{
	uint32_t cpus;
	struct dat *dat;

	find();
	dat = save_and_open();
	memcpy(&cpus, dat_option(dat, 8, 0)->data, 4);
	assert_int_equal(cpus, 4);
	dat_close(dat);
}

TEST(statistics_of_each_cpu_follow_their_buffers_name)
{
	static const char *const want[] = {
		"CPU: 0\nentries: 5\noverrun: 0\n",
		"CPU: 2\nentries: 2\noverrun: 9\n",
		"\nBuffer: inst\n\n",
		"CPU: 1\n",
		"\nBuffer: empty\n\n",
	};
	struct dat *dat;

	find();
	dat = save_and_open();
	for (size_t i = 0; i < ARRAY_SIZE(want); i++) {
		const struct dat_option *o = dat_option(dat, 2, i);

		assert_non_null(o);
		assert_int_equal(strncmp((const char *)o->data, want[i],
					 strlen(want[i])),
				 0);
	}
	assert_null(dat_option(dat, 2, ARRAY_SIZE(want)));
	dat_close(dat);
}

TEST(system_is_named)
{
	struct dat *dat;

	find();
	dat = save_and_open();
	assert_string_equal((const char *)dat_option(dat, 5, 0)->data,
			    "Linux mock 6.0-unit none");
	dat_close(dat);
}

TEST(events_of_ftrace_have_a_section_of_their_own)
{
	const struct dat_section *s;
	uint32_t n;
	struct dat *dat;

	find();
	dat = save_and_open();
	s = dat_section(dat, 17);
	memcpy(&n, s->data, 4);
	assert_int_equal(n, 1);
	assert_memory_equal(s->data + 12, "name: print\n", 12);
	s = dat_section(dat, 18);
	memcpy(&n, s->data, 4);
	assert_int_equal(n, 1);
	assert_memory_equal(s->data + 4, "unit", 5);
	dat_close(dat);
}

TEST(only_what_is_selected_is_saved_but_the_top_stays)
{
	const char *unknown;
	char names[] = "inst";
	struct dat *dat;

	find();
	assert_int_equal(ft_dump_select(&dump, names, &unknown), ERR_NONE);
	dat = save_and_open();
	assert_int_equal(dat->nr_buffers, 2);
	assert_string_equal(dat->buffer[0].name, "");
	assert_int_equal(dat->buffer[0].nr_cpus, 0);
	assert_ids(dat, "inst", 1, IDS(100, 101, 102));
	assert_int_equal(totals.buffers, 1);
	dat_close(dat);
}

TEST(only_chosen_cpus_are_saved)
{
	const unsigned long bits = 1ul << 2;
	struct dat *dat;

	find();
	dump.cpu_bits = &bits;
	dump.nr_cpu_bits = 4;
	dat = save_and_open();
	assert_null(cpu_of(dat, "", 0));
	assert_ids(dat, "", 2, IDS(20, 21));
	assert_int_equal(totals.events, 2);
	dat_close(dat);
}

TEST(buffer_that_cannot_be_opened_costs_only_itself)
{
	struct dat *dat;

	mock_set(k.m, k.inst.addr, "trace_buffer", "subbuf_order", 99);
	find();
	dat = save_and_open();
	assert_null(dat_buffer(dat, "inst"));
	assert_ids(dat, "", 0, IDS(1, 2, 3, 4, 5));
	assert_int_equal(totals.broken, 1);
	assert_true(said_has(&said, "inst: trace_buffer"));
	dat_close(dat);
}

TEST(top_buffer_that_cannot_be_opened_is_there_but_empty)
{
	struct dat *dat;

	mock_set(k.m, k.top.addr, "trace_buffer", "buffers", WILD);
	mock_set(k.m, k.top.addr, "trace_buffer", "cpus", 0);
	find();
	dat = save_and_open();
	assert_string_equal(dat->buffer[0].name, "");
	assert_int_equal(dat->buffer[0].nr_cpus, 0);
	assert_ids(dat, "inst", 1, IDS(100, 101, 102));
	dat_close(dat);
}

TEST(format_that_cannot_be_read_is_left_out)
{
	const struct dat_section *s;
	uint32_t n;
	struct dat *dat;

	/* Without common fields no format can be read. */
	mock_forget_symbol(k.m, "ftrace_common_fields");
	mock_forget_member(k.m, "trace_entry", "pid");
	find();
	dat = save_and_open();
	s = dat_section(dat, 18);
	assert_memory_equal(s->data + 4, "unit", 5);
	memcpy(&n, s->data + 9, 4);
	assert_int_equal(n, 0);
	assert_ids(dat, "inst", 1, IDS(100, 101, 102));
	dat_close(dat);
}

TEST(kernel_without_event_list_still_gives_its_rings)
{
	struct dat *dat;

	mock_forget_symbol(k.m, "ftrace_events");
	find();
	dat = save_and_open();
	assert_ids(dat, "", 0, IDS(1, 2, 3, 4, 5));
	dat_close(dat);
}

TEST(interruption_at_any_point_leaves_nothing)
{
	unsigned long polls = 0;
	enum err err;

	find();
	do {
		k.m->interrupt = true;
		k.m->polls_before_interrupt = polls++;
		err = save();
		if (err != ERR_NONE) {
			assert_int_equal(err, ERR_INTERRUPTED);
			assert_int_equal(tmpdir_count(&dir), 0);
		}
		assert_in_range(polls, 0, 1000);
	} while (err != ERR_NONE);
	assert_in_range(polls, 5, 1000);
	assert_int_equal(tmpdir_count(&dir), 1);
}

TEST(full_disk_is_an_error_of_writing)
{
	struct outfile out;

	find();
	assert_int_equal(out_create(&out, path, false), ERR_NONE);
	fclose(out.f);
	out.f = fopen("/dev/full", "w");
	assert_non_null(out.f);
	setvbuf(out.f, NULL, _IONBF, 0);
	assert_int_equal(td_save(&dump, &out, &totals), ERR_IO);
	out_abort(&out);
	assert_int_equal(tmpdir_count(&dir), 0);
}

/* The line of trace-cmd's report that has @what in it. */
static void assert_reported(const char *text, const char *what)
{
	if (!strstr(text, what))
		fail_msg("no \"%s\" in: %.1800s", what, text);
}

TEST(trace_cmd_reports_what_the_kernel_recorded)
{
	static const enum mock_kernel kernels[] = { LIKE_6_1, LIKE_6_12 };

	trace_cmd_needed();
	for (size_t i = 0; i < ARRAY_SIZE(kernels); i++) {
		int lines = 0;
		char *text;

		ft_dump_deinit(&dump);
		mock_ftrace_deinit(&k);
		mock_ftrace_init(&k, kernels[i]);
		find();
		assert_int_equal(save(), ERR_NONE);
		text = trace_cmd("report -i", path);
		for (const char *p = text; (p = strstr(p, "hello:")); p++)
			lines++;
		if (lines != 10)
			fail_msg("%d events: %.1800s", lines, text);
		assert_reported(text,
				"init-1     [000]     5.000000: hello:                value=1\n");
		assert_reported(text,
				"init-1     [000]     5.000020: hello:                value=5\n");
		assert_reported(text,
				"init-1     [002]     5.000006: hello:                value=21\n");
		assert_reported(text,
				"init-1     [001]     5.000050: hello:                value=102\n");
		/* 9 overwritten before CPU 2's, some before the torn page's. */
		assert_reported(text, "CPU:2 [9 EVENTS DROPPED]");
		assert_reported(text, "CPU:1 [EVENTS DROPPED]");
		free(text);
	}
}

TEST(trace_cmd_shows_snapshots_as_buffers_of_their_own)
{
	struct rb_buffer top, inst;
	struct rb_cpu c;
	char *text;

	trace_cmd_needed();
	rb_buffer_init(&top, k.m, 4, 0);
	rb_cpu_init(&c, &top, 0, 2);
	rb_fill(&c, 0, MOCK_FTRACE_TS - 10000, 1000, 70, 1);
	rb_snapshot(k.m, k.top_array, top.addr, true);
	rb_buffer_init(&inst, k.m, 4, 0);
	rb_cpu_init(&c, &inst, 3, 2);
	rb_fill(&c, 0, MOCK_FTRACE_TS - 20000, 1000, 80, 1);
	rb_snapshot(k.m, k.inst_array, inst.addr, true);
	find();
	assert_int_equal(save(), ERR_NONE);
	assert_int_equal(totals.buffers, 5);
	text = trace_cmd("report -i", path);
	assert_reported(text,
			"top@snapshot:             init-1     [000]     4.999990: hello:                value=70\n");
	assert_reported(text,
			"inst@snapshot:             init-1     [003]     4.999980: hello:                value=80\n");
	/* And the live ones are what they were. */
	assert_reported(text,
			"init-1     [000]     5.000020: hello:                value=5\n");
	free(text);
}

/* The report of what is saved now, in version 6 or 7. */
static char *report(bool v6)
{
	dump.v6 = v6;
	assert_int_equal(save(), ERR_NONE);
	return trace_cmd("report -i", path);
}

static int count(const char *text, const char *what)
{
	int n = 0;

	while ((text = strstr(text, what))) {
		text += strlen(what);
		n++;
	}
	return n;
}

/* Sub-buffers of 16 KiB, filled beyond what a page could hold. */
static void add_large(uint64_t array, struct rb_buffer *b)
{
	struct rb_cpu c;

	rb_buffer_init(b, k.m, 4, 2);
	rb_cpu_init(&c, b, 3, 4);
	rb_fill(&c, 0, MOCK_FTRACE_TS, 1000, 1000, 900);
	rb_fill(&c, 1, MOCK_FTRACE_TS + 2000000, 1000, 3000, 700);
	rb_set_commit(&c, 1);
	mock_set(k.m, mock_field(k.m, array, "trace_array", "array_buffer"),
		 "array_buffer", "buffer", b->addr);
}

TEST(trace_cmd_reads_an_instance_with_larger_sub_buffers)
{
	struct rb_buffer large;
	char *text;

	trace_cmd_needed();
	add_large(k.inst_array, &large);
	find();
	text = report(false);
	assert_int_equal(count(text, "[003]"), 1600);
	assert_reported(text, "value=3699\n");
	assert_int_equal(count(text, "[000]"), 5);
	free(text);
}

TEST(trace_cmd_reads_a_top_buffer_with_larger_sub_buffers)
{
	struct rb_buffer large;
	char *text;

	trace_cmd_needed();
	add_large(k.top_array, &large);
	find();
	text = report(false);
	assert_int_equal(count(text, "[003]"), 1600);
	assert_int_equal(count(text, "inst:"), 3);
	free(text);
}

static void assert_both_versions_report(const char *want)
{
	char *v7 = report(false), *v6 = report(true);

	assert_string_equal(v7, v6);
	assert_reported(v6, want);
	free(v7);
	free(v6);
}

TEST(trace_cmd_reports_the_same_of_version_6)
{
	char names[] = "inst";
	const char *unknown;

	trace_cmd_needed();
	find();
	assert_both_versions_report(
		"init-1     [001]     5.000050: hello:                value=102\n");
	/* Without the top buffer, and with one that cannot be opened. */
	assert_int_equal(ft_dump_select(&dump, names, &unknown), ERR_NONE);
	assert_both_versions_report("value=102\n");
	mock_set(k.m, k.empty.addr, "trace_buffer", "subbuf_order", 99);
	find();
	assert_both_versions_report("value=102\n");
}

TEST(version_6_says_so_in_its_first_bytes)
{
	static const char want[] = "\x17\x08\x44tracing6";
	char *text;

	find();
	dump.v6 = true;
	assert_int_equal(save(), ERR_NONE);
	text = file_read(path, NULL);
	assert_memory_equal(text, want, sizeof(want));
	free(text);
}

static void assert_refused(const char *why)
{
	find();
	dump.v6 = true;
	assert_int_equal(save(), ERR_UNSUPPORTED);
	assert_true(said_has(&said, why));
	assert_int_equal(said.lines, 1);
	assert_int_equal(tmpdir_count(&dir), 0);
}

TEST(version_6_refuses_two_sizes_of_sub_buffers)
{
	mock_set(k.m, k.empty.addr, "trace_buffer", "subbuf_order", 1);
	assert_refused("one size of sub-buffers: top has 4096 bytes, empty 8192");
}

TEST(version_6_refuses_a_clock_that_counts_no_time)
{
	mock_set(k.m, k.inst_array, "trace_array", "clock_id", 2);
	assert_refused("one clock: top has local, inst x86-tsc");
}

TEST(version_6_holds_a_buffer_of_another_size_or_clock_by_itself)
{
	char names[] = "inst";
	const char *unknown;

	trace_cmd_needed();
	mock_set(k.m, k.inst_array, "trace_array", "clock_id", 2);
	mock_set(k.m, k.top.addr, "trace_buffer", "subbuf_order", 1);
	find();
	assert_int_equal(ft_dump_select(&dump, names, &unknown), ERR_NONE);
	assert_both_versions_report(": hello:                value=100\n");
}

TEST(trace_cmd_knows_the_statistics)
{
	char *text;

	trace_cmd_needed();
	find();
	assert_int_equal(save(), ERR_NONE);
	text = trace_cmd("report --stat -i", path);
	assert_reported(text, "overrun: 9");
	free(text);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(file_has_every_buffer_the_top_one_first),
		CASE(number_of_cpus_is_that_of_the_kernel),
		CASE(statistics_of_each_cpu_follow_their_buffers_name),
		CASE(system_is_named),
		CASE(events_of_ftrace_have_a_section_of_their_own),
		CASE(only_what_is_selected_is_saved_but_the_top_stays),
		CASE(only_chosen_cpus_are_saved),
		CASE(buffer_that_cannot_be_opened_costs_only_itself),
		CASE(top_buffer_that_cannot_be_opened_is_there_but_empty),
		CASE(format_that_cannot_be_read_is_left_out),
		CASE(kernel_without_event_list_still_gives_its_rings),
		CASE(interruption_at_any_point_leaves_nothing),
		CASE(full_disk_is_an_error_of_writing),
		CASE(trace_cmd_reports_what_the_kernel_recorded),
		CASE(trace_cmd_shows_snapshots_as_buffers_of_their_own),
		CASE(trace_cmd_reads_an_instance_with_larger_sub_buffers),
		CASE(trace_cmd_reads_a_top_buffer_with_larger_sub_buffers),
		CASE(trace_cmd_reports_the_same_of_version_6),
		CASE(version_6_says_so_in_its_first_bytes),
		CASE(version_6_refuses_two_sizes_of_sub_buffers),
		CASE(version_6_refuses_a_clock_that_counts_no_time),
		CASE(version_6_holds_a_buffer_of_another_size_or_clock_by_itself),
		CASE(trace_cmd_knows_the_statistics),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
