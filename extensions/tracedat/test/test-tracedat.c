// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The writer of trace.dat: files are read back by a parser of our own and by
 * trace-cmd.
 */
#include "test/dat-reader.h"
#include "test/kbuf-reader.h"
#include "test/page-builder.h"
#include "test/tmpdir.h"
#include "test/trace-cmd.h"
#include "test/unit.h"
#include "tracedat/tracedat.h"

#define SIZE 4096ul
#define TS   1000000000ull

static const char header_page[] =
	"\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
	"\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
	"\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
	"\tfield: char data;\toffset:16;\tsize:4080;\tsigned:1;\n";

static const char header_event[] = "# compressed entry header\n"
				   "\ttype_len    :    5 bits\n"
				   "\ttime_delta  :   27 bits\n"
				   "\tarray       :   32 bits\n"
				   "\n"
				   "\tpadding     : type == 29\n"
				   "\ttime_extend : type == 30\n"
				   "\ttime_stamp : type == 31\n"
				   "\tdata max type_len  == 28\n";

static const char hello_format[] =
	"name: hello\nID: 314\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n"
	"\n"
	"\tfield:u32 value;\toffset:8;\tsize:4;\tsigned:0;\n"
	"\nprint fmt: \"value=%u\", REC->value\n";

static struct tmpdir dir;
static char *path;
static struct outfile out;
static struct tracedat td;

static int setup(void **state)
{
	(void)state;
	tmpdir_create(&dir);
	path = tmpdir_path(&dir, "trace.dat");
	assert_int_equal(out_create(&out, path, false), ERR_NONE);
	assert_int_equal(td_init(&td, &out,
				 &(struct td_header){ .long_size = 8,
						      .page_size = SIZE }),
			 ERR_NONE);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	td_deinit(&td);
	out_abort(&out);
	free(path);
	tmpdir_remove(&dir);
	return 0;
}

static void blob(size_t width, const char *text)
{
	td_blob_begin(&td, width);
	out_write(&out, text, strlen(text));
	td_blob_end(&td);
}

/* What a reader needs beside the events. */
static void write_tables(void)
{
	td_section_begin(&td, TD_HEADER_INFO, "headers");
	out_str(&out, "header_page");
	blob(8, header_page);
	out_str(&out, "header_event");
	blob(8, header_event);
	td_section_end(&td);

	td_section_begin(&td, TD_FTRACE_EVENTS, "ftrace events");
	out_uint(&out, 0, 4);
	td_section_end(&td);

	td_section_begin(&td, TD_EVENT_FORMATS, "events format");
	out_uint(&out, 1, 4);
	out_str(&out, "unit");
	out_uint(&out, 1, 4);
	blob(8, hello_format);
	td_section_end(&td);

	td_section_begin(&td, TD_CMDLINES, "command lines");
	blob(8, "1 init\n");
	td_section_end(&td);
	td_option_str(&td, TD_TRACECLOCK, "[local]");
	td_option_u32(&td, TD_CPUCOUNT, 8);
}

/* A page of @n events with values from @value, a microsecond apart. */
static void write_page(size_t size, uint64_t ts, uint32_t value, int n)
{
	uint8_t *buf = malloc(size);
	struct page_builder pb;

	pb_init(&pb, buf, size, ts);
	for (int i = 0; i < n; i++)
		pb_event(&pb, i ? 1000 : 0, 314, value + i, 12);
	pb_commit(&pb, 0);
	assert_int_equal(td_page(&td, buf), ERR_NONE);
	free(buf);
}

/*
 * An empty top; "one" with CPUs 1 and 5, of which the first has two pages;
 * "two" with larger sub-buffers, CPU 0 without events, and CPU 7.
 */
static void write_file(void)
{
	write_tables();
	td_buffer_begin(&td, "", "local", SIZE);
	td_buffer_end(&td);

	td_buffer_begin(&td, "one", "local", SIZE);
	td_cpu_begin(&td, 1);
	write_page(SIZE, TS, 100, 2);
	write_page(SIZE, TS + 10000, 102, 3);
	td_cpu_begin(&td, 5);
	write_page(SIZE, TS + 5000, 500, 1);
	td_buffer_end(&td);

	td_buffer_begin(&td, "two", "global", 4 * SIZE);
	td_cpu_begin(&td, 0);
	td_cpu_begin(&td, 7);
	write_page(4 * SIZE, TS + 20000, 700, 600);
	td_buffer_end(&td);

	assert_int_equal(td_finish(&td), ERR_NONE);
	td_deinit(&td);
	assert_int_equal(out_commit(&out), ERR_NONE);
}

TEST(header_says_what_the_file_is)
{
	struct dat *dat;

	write_file();
	dat = dat_open(path);
	assert_int_equal(dat->long_size, 8);
	assert_int_equal(dat->page_size, SIZE);
	dat_close(dat);
}

TEST(sections_hold_what_was_written_to_them)
{
	const struct dat_section *s;
	const uint8_t *p;
	struct dat *dat;
	uint64_t size;

	write_file();
	dat = dat_open(path);
	s = dat_section(dat, 16);
	assert_string_equal(s->desc, "headers");
	p = s->data;
	assert_memory_equal(p, "header_page", 12);
	memcpy(&size, p + 12, 8);
	assert_int_equal(size, strlen(header_page));
	assert_memory_equal(p + 20, header_page, size);
	p += 20 + size;
	assert_memory_equal(p, "header_event", 13);
	memcpy(&size, p + 13, 8);
	assert_int_equal(size, strlen(header_event));
	assert_memory_equal(p + 21, header_event, size);
	assert_ptr_equal(p + 21 + size, s->data + s->size);

	s = dat_section(dat, 18);
	assert_string_equal(s->desc, "events format");
	assert_memory_equal(s->data + 4, "unit", 5);
	memcpy(&size, s->data + 13, 8);
	assert_int_equal(size, strlen(hello_format));
	assert_memory_equal(s->data + 21, hello_format, size);
	dat_close(dat);
}

TEST(options_hold_strings_and_numbers)
{
	struct dat *dat;
	uint32_t cpus;

	write_file();
	dat = dat_open(path);
	assert_int_equal(dat_option(dat, 4, 0)->size, strlen("[local]") + 1);
	assert_memory_equal(dat_option(dat, 4, 0)->data, "[local]", 8);
	assert_int_equal(dat_option(dat, 8, 0)->size, 4);
	memcpy(&cpus, dat_option(dat, 8, 0)->data, 4);
	assert_int_equal(cpus, 8);
	dat_close(dat);
}

TEST(buffers_have_name_clock_page_size_and_their_cpus)
{
	const struct dat_buffer *b;
	struct dat *dat;

	write_file();
	dat = dat_open(path);
	assert_int_equal(dat->nr_buffers, 3);
	assert_string_equal(dat->buffer[0].name, "");
	assert_int_equal(dat->buffer[0].nr_cpus, 0);

	b = dat_buffer(dat, "one");
	assert_non_null(b);
	assert_string_equal(b->clock, "local");
	assert_int_equal(b->page_size, SIZE);
	assert_int_equal(b->nr_cpus, 2);
	assert_int_equal(b->cpu[0].cpu, 1);
	assert_int_equal(b->cpu[0].size, 2 * SIZE);
	assert_int_equal(b->cpu[1].cpu, 5);
	assert_int_equal(b->cpu[1].size, SIZE);

	b = dat_buffer(dat, "two");
	assert_non_null(b);
	assert_string_equal(b->clock, "global");
	assert_int_equal(b->page_size, 4 * SIZE);
	assert_int_equal(b->nr_cpus, 2);
	assert_int_equal(b->cpu[0].size, 0);
	assert_int_equal(b->cpu[1].cpu, 7);
	assert_int_equal(b->cpu[1].size, 4 * SIZE);
	dat_close(dat);
}

TEST(pages_are_in_the_file_as_they_were_given)
{
	const struct dat_cpu *cpu;
	struct kbuf_event ev[4];
	struct dat *dat;

	write_file();
	dat = dat_open(path);
	cpu = &dat_buffer(dat, "one")->cpu[0];
	assert_int_equal(kbuf_read(cpu->data, ev, 4), 2);
	assert_int_equal(ev[0].id, 100);
	assert_int_equal(ev[1].ts, TS + 1000);
	assert_int_equal(kbuf_read(cpu->data + SIZE, ev, 4), 3);
	assert_int_equal(ev[0].id, 102);
	cpu = &dat_buffer(dat, "two")->cpu[1];
	assert_int_equal(kbuf_read(cpu->data, ev, 4), 600);
	dat_close(dat);
}

/* Options may be added while a buffer is written. */
TEST(options_written_within_a_buffer_stay_whole)
{
	const struct dat_buffer *b;
	struct dat *dat;

	write_tables();
	td_buffer_begin(&td, "", "local", SIZE);
	td_option_str(&td, TD_CPUSTAT, "before");
	td_cpu_begin(&td, 2);
	write_page(SIZE, TS, 1, 1);
	td_option_str(&td, TD_CPUSTAT, "CPU: 2\n");
	td_buffer_end(&td);
	assert_int_equal(td_finish(&td), ERR_NONE);
	td_deinit(&td);
	assert_int_equal(out_commit(&out), ERR_NONE);

	dat = dat_open(path);
	b = dat_buffer(dat, "");
	assert_non_null(b);
	assert_int_equal(b->nr_cpus, 1);
	assert_int_equal(b->cpu[0].cpu, 2);
	assert_int_equal(b->cpu[0].size, SIZE);
	assert_memory_equal(dat_option(dat, 2, 0)->data, "before", 7);
	assert_memory_equal(dat_option(dat, 2, 1)->data, "CPU: 2\n", 8);
	assert_null(dat_option(dat, 2, 2));
	dat_close(dat);
}

TEST(failed_file_stays_failed)
{
	write_tables();
	out.err = ERR_IO;
	td_buffer_begin(&td, "", "local", SIZE);
	td_cpu_begin(&td, 0);
	td_buffer_end(&td);
	assert_int_equal(td_finish(&td), ERR_IO);
	assert_int_equal(out_commit(&out), ERR_IO);
	assert_int_equal(tmpdir_count(&dir), 0);
}

TEST(trace_cmd_reports_all_events_of_all_buffers)
{
	static const struct {
		int cpu;
		const char *time, *value;
	} want[] = {
		{ 1, "1.000000", "value=100" },	 { 1, "1.000001", "value=101" },
		{ 1, "1.000010", "value=102" },	 { 1, "1.000012", "value=104" },
		{ 5, "1.000005", "value=500" },	 { 7, "1.000020", "value=700" },
		{ 7, "1.000619", "value=1299" },
	};
	int lines = 0;
	char *text;

	trace_cmd_needed();
	write_file();
	text = trace_cmd("report -i", path);
	for (const char *p = text; (p = strstr(p, "hello:")); p++)
		lines++;
	if (lines != 2 + 3 + 1 + 600)
		fail_msg("%d events: %.2000s", lines, text);
	for (size_t i = 0; i < ARRAY_SIZE(want); i++) {
		char line[128];

		snprintf(line, sizeof(line),
			 "init-1     [%03d]     %s: hello:                value=%s\n",
			 want[i].cpu, want[i].time, want[i].value + 6);
		if (!strstr(text, line))
			fail_msg("no \"%s\" in: %.1500s", line, text);
	}
	free(text);
}

TEST(trace_cmd_dump_finds_the_file_valid)
{
	char *text;

	trace_cmd_needed();
	write_file();
	text = trace_cmd("dump --validate -i", path);
	assert_non_null(strstr(text, "is a valid trace-cmd file"));
	free(text);
	text = trace_cmd("dump --summary -i", path);
	if (!strstr(text, "one") || !strstr(text, "two"))
		fail_msg("%s", text);
	free(text);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(header_says_what_the_file_is),
		CASE(sections_hold_what_was_written_to_them),
		CASE(options_hold_strings_and_numbers),
		CASE(buffers_have_name_clock_page_size_and_their_cpus),
		CASE(pages_are_in_the_file_as_they_were_given),
		CASE(options_written_within_a_buffer_stay_whole),
		CASE(failed_file_stays_failed),
		CASE(trace_cmd_reports_all_events_of_all_buffers),
		CASE(trace_cmd_dump_finds_the_file_valid),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
