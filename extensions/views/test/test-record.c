// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What may reach libtraceevent. Records lie at the end of a page behind which
 * there is nothing: reading further is a segmentation fault.
 */
#include <sys/mman.h>
#include <unistd.h>

#include <traceevent/trace-seq.h>

#include "test/unit.h"
#include "views/record.h"

#define COMMON                                                                 \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n" \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n" \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;"      \
	"\tsigned:0;\n"                                                        \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
#define FIELD(type, name, off, size)                                         \
	"\tfield:" type " " name ";\toffset:" #off ";\tsize:" #size ";\tsig" \
	"ned:0;\n"

#define AREA 65536

static struct tep_handle *tep;
static uint8_t *area; /* AREA bytes, then a hole */
static struct trace_seq seq;

static int setup(void **state)
{
	(void)state;
	tep = tep_alloc();
	tep_set_loglevel(TEP_LOG_NONE);
	tep_set_long_size(tep, 8);
	area = mmap(NULL, AREA + 4096, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(area, MAP_FAILED);
	assert_int_equal(mprotect(area + AREA, 4096, PROT_NONE), 0);
	trace_seq_init(&seq);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	trace_seq_destroy(&seq);
	munmap(area, AREA + 4096);
	tep_free(tep);
	return 0;
}

static struct tep_event *event_of(const char *system, const char *name, int id,
				  const char *fields, const char *print)
{
	struct tep_event *event;
	char *text;

	assert_true(asprintf(&text,
			     "name: %s\nID: %d\nformat:\n%s%s\nprint fmt: %s\n",
			     name, id, COMMON, fields, print) > 0);
	assert_true(rec_format_text_ok(text));
	tep_parse_event(tep, text, strlen(text), system);
	free(text);
	event = tep_find_event(tep, id);
	assert_non_null(event);
	return event;
}

/* Where a record of @size bytes must lie for the hole to be near. */
static uint8_t *place(int size)
{
	/* libtraceevent aligns binary arguments by address. */
	return area + ((AREA - REC_SLACK - size) & ~7);
}

/* Copy and check it; print what is taken for sound. */
static const char *try(struct tep_event *event, const void *data, int size,
		       const char *printk)
{
	struct rec_format format = rec_judge(event);
	struct tep_record record = { .size = size, .data = place(size) };
	const char *fault;
	int flags = event->flags;

	memset(place(size), 0, area + AREA - place(size));
	memcpy(place(size), data, size);
	fault = rec_fault(event, &format, place(size), size, printk);
	trace_seq_reset(&seq);
	if (!fault && format.use != REC_FIELDS)
		tep_print_event(tep, &seq, &record, "%s", TEP_PRINT_INFO);
	trace_seq_terminate(&seq);
	event->flags = flags;
	return fault;
}

static void assert_printed(const char *want)
{
	assert_string_equal(seq.buffer, want);
}

#define ID(n) ((n)&0xff), (n) >> 8, 0, 0, 1, 0, 0, 0

TEST(sound_record_is_printed)
{
	static const uint8_t data[] = { ID(300), 42, 0, 0, 0 };
	struct tep_event *e = event_of("unit", "a", 300, FIELD("u32", "v", 8, 4),
				       "\"v=%u\", REC->v");

	assert_int_equal(rec_judge(e).use, REC_PRETTY);
	assert_null(try(e, data, sizeof(data), NULL));
	assert_printed("v=42");
}

TEST(record_shorter_than_its_fields_is_refused)
{
	static const uint8_t data[] = { ID(300), 42, 0, 0, 0 };
	struct tep_event *e = event_of("unit", "a", 300, FIELD("u32", "v", 8, 4),
				       "\"v=%u\", REC->v");

	for (int size = 0; size < 12; size++)
		assert_non_null(try(e, data, size, NULL));
}

TEST(field_far_outside_is_refused)
{
	static const uint8_t data[64] = { ID(300) };
	struct tep_event *e = event_of("unit", "a", 300,
				       FIELD("char", "v[16]", 60000000, 16),
				       "\"v=%s\", REC->v");

	assert_non_null(try(e, data, sizeof(data), NULL));
}

static struct tep_event *string_event(const char *type)
{
	char fields[128];

	snprintf(fields, sizeof(fields),
		 "\tfield:%s char[] s;\toffset:8;\tsize:4;\tsigned:0;\n", type);
	return event_of("unit", "s", 301, fields, "\"s=%s\", __get_str(s)");
}

TEST(string_must_lie_inside_and_end)
{
	uint8_t data[] = { ID(301), 12, 0, 3, 0, 'h', 'i', 0, 0 };
	struct tep_event *e = string_event("__data_loc");

	assert_null(try(e, data, sizeof(data), NULL));
	assert_printed("s=hi");
	data[10] = 5; /* longer than the record */
	assert_non_null(try(e, data, sizeof(data), NULL));
	data[10] = 2; /* without an end */
	assert_non_null(try(e, data, sizeof(data), NULL));
	data[10] = 3;
	data[9] = 0x40; /* beginning outside */
	assert_non_null(try(e, data, sizeof(data), NULL));
	data[10] = 0; /* even if it has no bytes */
	assert_non_null(try(e, data, sizeof(data), NULL));
}

TEST(relative_string_is_held_to_the_same)
{
	uint8_t data[] = { ID(301), 0, 0, 3, 0, 'h', 'i', 0, 0 };
	struct tep_event *e = string_event("__rel_loc");

	assert_null(try(e, data, sizeof(data), NULL));
	assert_printed("s=hi");
	data[8] = 2;
	assert_non_null(try(e, data, sizeof(data), NULL));
}

TEST(length_of_a_relative_array_is_not_asked_for)
{
	struct tep_event *e =
		event_of("unit", "r", 302,
			 "\tfield:__rel_loc u8[] b;\toffset:8;\tsize:4;\tsigned:0;\n",
			 "\"%d\", __get_dynamic_array_len(b)");

	if (!(e->flags & TEP_EVENT_FL_FAILED))
		assert_int_equal(rec_judge(e).use, REC_FIELDS);
}

TEST(hex_dump_ends_with_the_record)
{
	uint8_t data[] = { ID(303), 3, 0, 0, 0, 1, 2, 3, 4 };
	struct tep_event *e = event_of("unit", "x", 303,
				       FIELD("u32", "n", 8, 4)
					       FIELD("u8", "b[4]", 12, 4),
				       "\"%s\", __print_hex(REC->b, REC->n)");

	assert_int_equal(rec_judge(e).use, REC_CHECKED);
	assert_null(try(e, data, sizeof(data), NULL));
	assert_printed("01 02 03");
	data[8] = 5;
	assert_non_null(try(e, data, sizeof(data), NULL));
	memset(data + 8, 0xff, 4);
	assert_non_null(try(e, data, sizeof(data), NULL));
}

TEST(array_of_numbers_ends_with_the_record)
{
	uint8_t data[] = { ID(304), 12, 0, 8, 0, 1, 0, 0, 0, 2, 0, 0, 0 };
	struct tep_event *e =
		event_of("unit", "n", 304,
			 "\tfield:__data_loc u32[] b;\toffset:8;\tsize:4;\tsigned:0;\n",
			 "\"%s\", __print_array(__get_dynamic_array(b), "
			 "__get_dynamic_array_len(b) / 4, 4)");

	assert_null(try(e, data, sizeof(data), NULL));
	/* Since 1.8.4 as the kernel has it. */
	if (strcmp(seq.buffer, "{0x1,0x2}") != 0)
		assert_printed("1 2");
	data[10] = 9;
	assert_non_null(try(e, data, sizeof(data), NULL));
}

TEST(nothing_is_divided_by_zero)
{
	uint8_t data[] = { ID(305), 12, 0, 0, 0, 4, 0, 0, 0 };
	struct tep_event *e = event_of("unit", "d", 305,
				       FIELD("u32", "a", 8, 4)
					       FIELD("u32", "b", 12, 4),
				       "\"%d\", REC->a / REC->b");

	assert_null(try(e, data, sizeof(data), NULL));
	assert_printed("3");
	data[12] = 0;
	assert_non_null(try(e, data, sizeof(data), NULL));
}

TEST(width_from_the_record_is_bounded)
{
	uint8_t data[] = { ID(306), 3, 0, 0, 0, 'a', 'b', 'c', 0 };
	struct tep_event *e = event_of("unit", "w", 306,
				       FIELD("int", "n", 8, 4)
					       FIELD("char", "s[4]", 12, 4),
				       "\"%.*s\", REC->n, REC->s");

	data[8] = 2;
	assert_null(try(e, data, sizeof(data), NULL));
	assert_printed("ab");
	memset(data + 8, 0xff, 4); /* libtraceevent would take -1 as "none" */
	assert_non_null(try(e, data, sizeof(data), NULL));
	data[11] = 0x7f;
	assert_non_null(try(e, data, sizeof(data), NULL));
}

TEST(stack_may_be_cut_off)
{
	static const uint8_t data[] = { ID(307), 1,    0, 0, 0, 0, 0, 0, 0,
					0x34,	 0x12, 0, 0, 0, 0, 0, 0 };
	struct tep_event *e =
		event_of("ftrace", "kernel_stack", 307,
			 FIELD("int", "size", 8, 4)
				 FIELD("unsigned long", "caller[8]", 16, 64),
			 "\"%lx %lx\", REC->caller[0], REC->caller[7]");

	assert_null(try(e, data, sizeof(data), NULL));
	assert_printed("1234 0");
	/* Others may not. */
	e = event_of("unit", "like_stack", 308,
		     FIELD("int", "size", 8, 4)
			     FIELD("unsigned long", "caller[8]", 16, 64),
		     "\"%lx %lx\", REC->caller[0], REC->caller[7]");
	assert_non_null(try(e, data, sizeof(data), NULL));
}

static struct tep_event *bprint_event(const char *fmt)
{
	char line[64];

	/* It takes this end off, and looks for it in front of short strings. */
	snprintf(line, sizeof(line), "%s\\n\"", fmt);
	tep_register_print_string(tep, line, 0x1000);
	return event_of("ftrace", "bprint", 309,
			FIELD("unsigned long", "ip", 8, 8)
				FIELD("const char *", "fmt", 16, 8)
					FIELD("u32", "buf[]", 24, 0),
			"\"%ps: %s\", (void *)REC->ip, REC->fmt");
}

#define BPRINT ID(309), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10, 0, 0, 0, 0, 0, 0

TEST(arguments_of_trace_printk_must_all_be_there)
{
	static const char fmt[] = "n=%d s=%s l=%lx";
	static const uint8_t data[] = { BPRINT, 7, 0, 0, 0, 'h', 'i', 0, 0,
					5,	0, 0, 0, 0, 0,	 0,   0 };
	struct tep_event *e = bprint_event(fmt);

	assert_null(try(e, data, sizeof(data), fmt));
	assert_printed("0x0: n=7 s=hi l=5");
	for (int size = 0; size < (int)sizeof(data); size++)
		assert_non_null(try(e, data, size, fmt));
}

TEST(width_of_trace_printk_is_bounded)
{
	static const char fmt[] = "%.*s|";
	uint8_t data[] = { BPRINT, 2, 0, 0, 0, 'h', 'i', '!', 0 };
	struct tep_event *e = bprint_event(fmt);

	assert_null(try(e, data, sizeof(data), fmt));
	assert_printed("0x0: hi|");
	memset(data + 24, 0xff, 4);
	assert_non_null(try(e, data, sizeof(data), fmt));
}

TEST(formats_that_printf_does_not_survive_are_refused)
{
	assert_true(rec_printk_ok("%d %-5s %#lx %pS %% %.3s %*d \\\"%u\\\""));
	assert_false(rec_printk_ok("%999999999d"));
	assert_false(rec_printk_ok("%.99999s"));
	assert_false(rec_printk_ok("%ls"));
	assert_false(rec_printk_ok("%*.*s"));
	/* Versions differ in which argument the width would be. */
	assert_false(rec_printk_ok("%c %*d"));
	assert_false(rec_printk_ok("%+d %*d"));
}

/* A print fmt of so many times @c. */
static bool text_ok(char c, int n)
{
	char *many = calloc(1, n + 1), *text;
	bool ok;

	memset(many, c, n);
	assert_true(asprintf(&text, "name: x\n\nprint fmt: %s", many) > 0);
	ok = rec_format_text_ok(text);
	free(text);
	free(many);
	return ok;
}

TEST(format_that_nests_deeply_is_not_parsed)
{
	assert_true(text_ok('(', 10));
	assert_false(text_ok('(', 500));
	assert_true(text_ok('!', 10));
	assert_false(text_ok('!', 500));
	assert_true(text_ok('x', 20000));
	assert_false(text_ok('x', 100000));
}

static uint32_t rnd_state = 7;

static uint32_t rnd(uint32_t below)
{
	rnd_state = rnd_state * 1664525u + 1013904223u;
	return (rnd_state >> 8) % below;
}

/* Anything at all, of any size, in formats of every kind. */
TEST(whatever_passes_is_survived)
{
	static const char fields[] = FIELD("u32", "a", 8, 4)
		FIELD("u64", "q", 16, 8) FIELD("char", "c[8]", 24,
					       8) FIELD("u8", "b[6]", 32, 6)
			FIELD("__data_loc char[]", "s", 40,
			      4) FIELD("__data_loc u16[]", "d", 44,
				       4) FIELD("__rel_loc char[]", "r", 48, 4)
				FIELD("__data_loc unsigned long[]", "m", 52, 4);
	static const char *const prints[] = {
		"\"%s\", __get_str(s)",
		"\"%s\", __get_rel_str(r)",
		"\"%s %u\", REC->c, REC->a",
		"\"%s\", REC->q",
		"\"%*d %d\", REC->a, REC->a, REC->a",
		"\"%.*s\", (int)REC->a, REC->c",
		"\"%-*s\", (u8)REC->a, REC->c",
		"\"%s\", __print_hex(REC->b, REC->a)",
		"\"%s\", __print_hex_str(__get_dynamic_array(d), REC->a & 15)",
		("\"%s\", __print_array(__get_dynamic_array(d), "
		 "__get_dynamic_array_len(d) / 2, 2)"),
		"\"%s\", __print_array(REC->b, REC->a, REC->a)",
		"\"%d\", REC->b[REC->a]",
		"\"%lu\", REC->q / REC->a + REC->q % (REC->a - 1)",
		"\"%d\", REC->a ? REC->q / REC->a : 0",
		"\"%s\", REC->a ? __get_str(s) : \"none\"",
		"\"%s\", __print_flags(REC->a, \"|\", { 1, \"x\" }, { 2, \"y\" })",
		"\"%s\", __print_symbolic(REC->a, { 1, \"x\" }, { 2, \"y\" })",
		"\"%s\", __get_bitmask(m)",
		"\"%s\", __get_cpumask(m)",
		"\"%pM %pI4 %pI6c %pU\", REC->b, &REC->a, REC->c, REC->c",
		"\"%pISpc\", __get_dynamic_array(d)",
		"\"%*ph\", REC->a, __get_dynamic_array(d)",
		("\"%d %d\", ((u16 *)__get_dynamic_array(d))[REC->a], "
		 "((u16 *)__get_dynamic_array(d))[1]"),
		"\"%pS %ps\", (void *)REC->q, (void *)REC->q",
		"\"%ls %lc\", REC->c, REC->a",
		"\"%d\", __get_dynamic_array_len(r)",
		"\"%s %s",
		"nonsense((",
	};
	struct tep_event *e[ARRAY_SIZE(prints)];
	unsigned long sound[ARRAY_SIZE(prints)] = { 0 };
	uint8_t data[160];

	for (size_t i = 0; i < ARRAY_SIZE(prints); i++) {
		char name[16];

		snprintf(name, sizeof(name), "any%zu", i);
		e[i] = event_of("unit", name, 400 + i, fields, prints[i]);
	}
	for (int round = 0; round < 200000; round++) {
		size_t i = rnd(ARRAY_SIZE(prints));
		int size = rnd(4) ? 56 + rnd(104) : rnd(160);

		for (size_t b = 0; b < sizeof(data); b++)
			data[b] = rnd(3) ? 0 : rnd(256);
		data[0] = (400 + i) & 0xff;
		data[1] = (400 + i) >> 8;
		/* Often nearly right. */
		for (int f = 40; rnd(8) && f < 56; f += 4) {
			data[f] = f == 48 ? rnd(50) : 56 + rnd(60);
			data[f + 1] = rnd(20) ? 0 : rnd(256);
			data[f + 2] = rnd(24);
			data[f + 3] = rnd(20) ? 0 : rnd(256);
		}
		if (rnd(2))
			memset(data + 9, 0, 3);
		sound[i] += !try(e[i], data, size, NULL);
	}
	/* A check that refuses all would pass, too. */
	for (size_t i = 0; i < ARRAY_SIZE(prints); i++)
		assert_in_range(sound[i], 1, 200000);
}

TEST(whatever_trace_printk_passes_is_survived)
{
	static const char *const formats[] = {
		"%d %s %lx", "%*d|%.*s", "%pS %pB %p %pUb", "%lld%hhd%-5d%c",
		"%s%s%s%s",  "%%%z",	 "%5.3d %#x %+d",
	};
	uint8_t data[96] = { BPRINT };
	struct tep_event *e = bprint_event("");
	unsigned long sound = 0;

	for (size_t i = 0; i < ARRAY_SIZE(formats); i++)
		tep_register_print_string(tep, formats[i], 0x2000 + i);
	for (int round = 0; round < 100000; round++) {
		size_t i = rnd(ARRAY_SIZE(formats));

		data[16] = i;
		data[17] = 0x20;
		for (size_t b = 24; b < sizeof(data); b++)
			data[b] = rnd(3) ? 0 : rnd(256);
		sound += !try(e, data, 24 + rnd(72), formats[i]);
	}
	assert_in_range(sound, 10000, 99000);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		T(sound_record_is_printed),
		T(record_shorter_than_its_fields_is_refused),
		T(field_far_outside_is_refused),
		T(string_must_lie_inside_and_end),
		T(relative_string_is_held_to_the_same),
		T(length_of_a_relative_array_is_not_asked_for),
		T(hex_dump_ends_with_the_record),
		T(array_of_numbers_ends_with_the_record),
		T(nothing_is_divided_by_zero),
		T(width_from_the_record_is_bounded),
		T(stack_may_be_cut_off),
		T(arguments_of_trace_printk_must_all_be_there),
		T(width_of_trace_printk_is_bounded),
		T(formats_that_printf_does_not_survive_are_refused),
		T(format_that_nests_deeply_is_not_parsed),
		T(whatever_passes_is_survived),
		T(whatever_trace_printk_passes_is_survived),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
