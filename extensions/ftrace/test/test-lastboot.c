// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Events of the previous boot: which instances hold them, that they stay apart
 * from this boot's, and the addresses in the tables for them.
 */
#include "ftrace/dump.h"
#include "ftrace/tables.h"
#include "test/mock-layout.h"
#include "test/ring-builder.h"
#include "test/said.h"
#include "test/unit.h"

#define TR	  "trace_array"
#define IMAGE	  0xffff800080000000ull
#define IMAGE_END (IMAGE + 0x1000000)
#define SHIFT	  0x4400000ull /* this boot is so much higher */
#define MODULE	  0xffff80007a600000ull
#define LAST_BOOT (1 << 2)

static struct mock *m;
static struct said said;
static struct ft_dump dump;
static uint64_t list, scratch;
static uint64_t module_list;

static void begin_like(enum mock_kernel kernel)
{
	m = mock_create();
	mock_layout(m, kernel);
	said_init(&said);
	list = rb_trace_arrays_init(m);
	rb_trace_clocks(m);
	mock_symbol(m, "_text", IMAGE);
	mock_symbol(m, "_end", IMAGE_END);
	rb_trace_array(m, list, NULL, 0x1000);
	scratch = mock_alloc_page(m);
	module_list = mock_alloc(m, 2 * MOCK_LONG, MOCK_LONG);
	mock_list_init(m, module_list);
	mock_symbol(m, "modules", module_list);
}

static int setup(void **state)
{
	(void)state;
	begin_like(LIKE_7_3);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	ft_dump_deinit(&dump);
	mock_destroy(m);
	return 0;
}

static void again_like(enum mock_kernel kernel)
{
	teardown(NULL);
	begin_like(kernel);
}

static uint64_t boot_mapped(const char *name)
{
	uint64_t tr = rb_trace_array(m, list, name, 0x2000);

	mock_set(m, tr, TR, "range_addr_start", 0x5000000);
	mock_set(m, tr, TR, "range_addr_size", 0x80000);
	return tr;
}

/* An instance whose region was written by a kernel SHIFT below this one. */
static uint64_t last_boot(const char *name)
{
	uint64_t tr = boot_mapped(name);

	mock_set(m, tr, TR, "text_delta", SHIFT);
	if (mock_has(m, TR, "data_delta")) {
		mock_set(m, tr, TR, "data_delta", SHIFT);
	} else {
		mock_set(m, tr, TR, "flags", LAST_BOOT | 2);
		mock_set(m, tr, TR, "scratch", scratch);
		mock_set(m, tr, TR, "scratch_size", 24 + 4 * 64);
		mock_set(m, scratch, "trace_scratch", "text_addr",
			 IMAGE - SHIFT);
	}
	return tr;
}

static void put_str(uint64_t addr, const char *s)
{
	memcpy(mock_ptr(m, addr), s, strlen(s) + 1);
}

static void record_module(uint64_t i, uint64_t base, const char *name)
{
	uint64_t entry = scratch + 24 + i * 64;

	mock_put_ulong(m, entry, base);
	put_str(entry + 8, name);
	mock_set(m, scratch, "trace_scratch", "nr_entries", i + 1);
}

static void load_module(const char *name, uint64_t base, uint32_t size)
{
	uint64_t mod = mock_new(m, "module");

	put_str(mock_field(m, mod, "module", "name"), name);
	mock_put_ulong(m, mod + 128, base);
	mock_put(m, mod + 128 + 24, size, 4);
	mock_list_add_tail(m, module_list, mock_field(m, mod, "module", "list"));
}

static void init(void)
{
	assert_int_equal(ft_dump_init(&dump, &m->vm, &said.diag), ERR_NONE);
}

static enum err choose(const char *names)
{
	char buf[64];
	const char *unknown;

	if (names)
		snprintf(buf, sizeof(buf), "%s", names);
	assert_int_equal(ft_dump_select(&dump, names ? buf : NULL, &unknown),
			 ERR_NONE);
	return ft_dump_one_boot(&dump, names);
}

static bool selected(const char *label)
{
	for (size_t i = 0; i < dump.instances.count; i++)
		if (!strcmp(ft_instance_label(&dump.instances.instance[i]),
			    label))
			return dump.instances.instance[i].selected;
	fail_msg("no %s", label);
	return false;
}

static char *kallsyms(void)
{
	char *text = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&text, &len);

	ft_write_kallsyms(&m->vm, &said.diag, dump.boot, f);
	fclose(f);
	return text;
}

static void assert_kallsyms(const char *want)
{
	char *got;

	init();
	assert_int_equal(choose("boot_map"), ERR_NONE);
	got = kallsyms();
	assert_string_equal(got, want);
	free(got);
}

TEST(moved_text_is_of_the_previous_boot)
{
	static const enum mock_kernel kernels[] = { LIKE_6_12, LIKE_7_3 };

	for (size_t i = 0; i < ARRAY_SIZE(kernels); i++) {
		again_like(kernels[i]);
		boot_mapped("fresh");
		last_boot("boot_map");
		init();
		assert_false(dump.instances.instance[0].boot.last_boot);
		assert_false(dump.instances.instance[1].boot.last_boot);
		assert_true(dump.instances.instance[2].boot.last_boot);
		assert_int_equal(dump.instances.instance[2].boot.text_delta,
				 SHIFT);
		assert_int_equal(dump.instances.instance[2].boot.data_delta,
				 SHIFT);
	}
}

/* The flag is dropped when this boot begins to trace into the buffer. */
TEST(without_the_flag_it_is_of_this_boot)
{
	uint64_t tr = last_boot("boot_map");

	mock_set(m, tr, TR, "flags", 2);
	mock_set(m, tr, TR, "text_delta", 0);
	mock_set(m, scratch, "trace_scratch", "text_addr", IMAGE);
	init();
	assert_false(dump.instances.instance[1].boot.last_boot);
}

TEST(damage_in_one_place_does_not_change_the_boot)
{
	uint64_t tr = last_boot("boot_map");

	/* the flag, the delta, the pointer to the scratch, what is there */
	mock_set(m, tr, TR, "flags", 2);
	init();
	assert_true(dump.instances.instance[1].boot.last_boot);

	for (int i = 0; i < 3; i++) {
		again_like(LIKE_7_3);
		tr = last_boot("boot_map");
		if (i == 0)
			mock_set(m, tr, TR, "text_delta", SHIFT + 0x123);
		else if (i == 1)
			mock_set(m, tr, TR, "scratch", 0xdead000000000100ull);
		else
			mock_set(m, scratch, "trace_scratch", "text_addr",
				 ~0ull);
		init();
		assert_true(dump.instances.instance[1].boot.last_boot);
		assert_int_equal(dump.instances.instance[1].boot.text_delta,
				 SHIFT);
	}
}

TEST(with_the_flag_and_no_other_kernel_it_is_of_this_boot)
{
	uint64_t tr = last_boot("boot_map");

	mock_set(m, tr, TR, "text_delta", 0);
	mock_set(m, scratch, "trace_scratch", "text_addr", 0);
	init();
	assert_false(dump.instances.instance[1].boot.last_boot);
}

TEST(the_same_place_may_be_of_the_previous_boot)
{
	uint64_t tr = last_boot("boot_map");

	mock_set(m, tr, TR, "text_delta", 0);
	mock_set(m, scratch, "trace_scratch", "text_addr", IMAGE);
	init();
	assert_true(dump.instances.instance[1].boot.last_boot);
}

TEST(without_a_choice_the_previous_boot_is_left_out_and_told)
{
	last_boot("boot_map");
	rb_trace_array(m, list, "other", 0x3000);
	init();
	assert_int_equal(choose(NULL), ERR_NONE);
	assert_true(selected("top"));
	assert_false(selected("boot_map"));
	assert_true(selected("other"));
	assert_null(dump.boot);
	assert_true(said_has(&said, "ftdump -b boot_map boot_map.dat"));
	assert_int_equal(said.lines, 1);
}

TEST(chosen_by_name_it_has_tables_of_its_own)
{
	last_boot("boot_map");
	init();
	assert_int_equal(choose("boot_map"), ERR_NONE);
	assert_non_null(dump.boot);
	assert_int_equal(said.lines, 0);
	/* and back to this boot */
	assert_int_equal(choose("top"), ERR_NONE);
	assert_null(dump.boot);
}

TEST(boots_are_not_mixed)
{
	last_boot("boot_map");
	init();
	assert_int_equal(choose("boot_map,top"), ERR_BAD_DATA);
	assert_true(said_has(&said, "different boots"));
}

TEST(a_copy_of_it_may_join)
{
	last_boot("boot_map");
	last_boot("backup");
	init();
	assert_int_equal(choose("backup,boot_map"), ERR_NONE);
}

TEST(two_previous_kernels_do_not_join)
{
	uint64_t tr;

	last_boot("boot_map");
	tr = last_boot("older");
	mock_set(m, tr, TR, "text_delta", 2 * SHIFT);
	init();
	assert_int_equal(choose("older,boot_map"), ERR_BAD_DATA);
}

TEST(symbols_of_the_image_are_moved_and_no_others)
{
	static const enum mock_kernel kernels[] = { LIKE_6_12, LIKE_7_3 };

	for (size_t i = 0; i < ARRAY_SIZE(kernels); i++) {
		again_like(kernels[i]);
		last_boot("boot_map");
		mock_ksym(m, 0x1000, 'A', "fixed_percpu_data", NULL);
		mock_ksym(m, IMAGE, 'T', "_text", NULL);
		mock_ksym(m, IMAGE + 0x40, 't', "vfs_read", NULL);
		mock_ksym(m, IMAGE_END, 'B', "_end", NULL);
		assert_kallsyms("0000000000001000 A fixed_percpu_data\n"
				"ffff80007bc00000 T _text\n"
				"ffff80007bc00040 t vfs_read\n"
				"ffff80007cc00000 B _end\n");
		assert_false(said_has(&said, "left out"));
	}
}

TEST(recorded_modules_are_moved_by_their_own_way)
{
	last_boot("boot_map");
	record_module(0, MODULE - 0x300000, "first");
	record_module(1, MODULE - 0x100000, "gone");
	load_module("first", MODULE + 0x10000, 0x1000);
	load_module("new", MODULE + 0x20000, 0x1000);
	mock_ksym(m, MODULE + 0x10020, 't', "first_read", "first");
	mock_ksym(m, MODULE + 0x11000, 'd', "first_data", "first");
	mock_ksym(m, MODULE + 0x20000, 't', "new_read", "new");
	assert_kallsyms("ffff80007a300020 t first_read\t[first]\n"
			"ffff80007a301000 t end_of_text\t[first]\n"
			"ffff80007a500000 t unknown_function\t[gone]\n");
	assert_true(said_has(&said, "2 symbols of modules are left out"));
}

TEST(modules_that_follow_each_other_have_no_border)
{
	last_boot("boot_map");
	record_module(0, MODULE, "first");
	record_module(1, MODULE + 0x1000, "second");
	load_module("first", MODULE + 0x10000, 0x1000);
	load_module("second", MODULE + 0x20000, 0x1000);
	mock_ksym(m, MODULE + 0x10000, 't', "one", "first");
	mock_ksym(m, MODULE + 0x20000, 't', "two", "second");
	assert_kallsyms("ffff80007a600000 t one\t[first]\n"
			"ffff80007a601000 t two\t[second]\n"
			"ffff80007a602000 t end_of_text\t[second]\n");
}

TEST(modules_of_kernels_without_a_record_are_left_out)
{
	again_like(LIKE_6_12);
	last_boot("boot_map");
	mock_ksym(m, MODULE, 't', "first_read", "first");
	assert_kallsyms("");
	assert_true(said_has(&said, "1 symbols of modules are left out"));
}

TEST(damaged_record_of_modules_is_told)
{
	static const uint64_t counts[] = { 5, 4096, 1ull << 32, ~0ull };

	for (size_t i = 0; i < ARRAY_SIZE(counts); i++) {
		again_like(LIKE_7_3);
		last_boot("boot_map");
		record_module(0, MODULE, "first");
		mock_set(m, scratch, "trace_scratch", "nr_entries", counts[i]);
		load_module("first", MODULE, 0x1000);
		mock_ksym(m, MODULE, 't', "first_read", "first");
		assert_kallsyms("");
		assert_true(said_has(&said, "the record of modules"));
	}
}

TEST(damaged_entry_costs_only_itself)
{
	last_boot("boot_map");
	record_module(0, MODULE, "fi\nrst");
	record_module(1, 0, "second");
	record_module(2, MODULE,
		      "0123456789012345678901234567890123456789"
		      "012345678901234");
	memset(mock_ptr(m, scratch + 24 + 128 + 8), 'x', 56);
	record_module(3, MODULE + 0x1000, "last");
	load_module("last", MODULE + 0x9000, 0x1000);
	mock_ksym(m, MODULE + 0x9000, 't', "last_read", "last");
	assert_kallsyms("ffff80007a601000 t last_read\t[last]\n"
			"ffff80007a602000 t end_of_text\t[last]\n");
	assert_true(said_has(&said, "the record of a module"));
}

static char *printk_formats(void)
{
	char *text = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&text, &len);

	ft_write_printk_formats(&m->vm, &dump.layout, &said.diag, dump.boot, f);
	fclose(f);
	return text;
}

TEST(strings_of_the_image_are_moved_and_modules_formats_left_out)
{
	uint64_t at = mock_alloc(m, 2 * MOCK_LONG, MOCK_LONG);
	uint64_t node = mock_new(m, "module"), head = mock_alloc(m, 16, 8);
	char *got;

	last_boot("boot_map");
	mock_map(m, IMAGE + 0x2000, MOCK_PAGE);
	put_str(IMAGE + 0x2000, "Start context");
	mock_put_ulong(m, at, IMAGE + 0x2000);
	mock_put_ulong(m, at + MOCK_LONG, mock_str(m, "outside"));
	mock_symbol(m, "__start___tracepoint_str", at);
	mock_symbol(m, "__stop___tracepoint_str", at + 2 * MOCK_LONG);
	mock_list_init(m, head);
	mock_list_add(m, head, node);
	mock_symbol(m, "trace_bprintk_fmt_list", head);
	init();
	assert_int_equal(choose("boot_map"), ERR_NONE);
	got = printk_formats();
	assert_string_equal(got, "0xffff80007bc02000 : \"Start context\"\n");
	assert_true(said_has(&said, "formats of modules are left out"));
	free(got);
}

int main(void)
{
#define T(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
	const struct CMUnitTest tests[] = {
		T(moved_text_is_of_the_previous_boot),
		T(without_the_flag_it_is_of_this_boot),
		T(damage_in_one_place_does_not_change_the_boot),
		T(with_the_flag_and_no_other_kernel_it_is_of_this_boot),
		T(the_same_place_may_be_of_the_previous_boot),
		T(without_a_choice_the_previous_boot_is_left_out_and_told),
		T(chosen_by_name_it_has_tables_of_its_own),
		T(boots_are_not_mixed),
		T(a_copy_of_it_may_join),
		T(two_previous_kernels_do_not_join),
		T(symbols_of_the_image_are_moved_and_no_others),
		T(recorded_modules_are_moved_by_their_own_way),
		T(modules_that_follow_each_other_have_no_border),
		T(modules_of_kernels_without_a_record_are_left_out),
		T(damaged_record_of_modules_is_told),
		T(damaged_entry_costs_only_itself),
		T(strings_of_the_image_are_moved_and_modules_formats_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
