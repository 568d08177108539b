// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ft_write_kallsyms(): one symbol for an address, the one that the kernel
 * prints. Here from vmlinux, for a kernel without a table of its own (for that
 * see vmcore/test/test-ksyms.c). The order of aliases: strong before weak, others before those that
 * look like a linker script's, fewer leading underscores first, then as given.
 */
#include "ftrace/tables.h"
#include "test/mock-vmcore.h"
#include "test/said.h"
#include "test/unit.h"

#define ADDR 0xffffffff81000000ull

static struct mock *m;
static struct said said;

static int setup(void **state)
{
	(void)state;
	m = mock_create();
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	mock_destroy(m);
	return 0;
}

static void assert_table(const char *want)
{
	char *text = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&text, &len);

	said_init(&said);
	ft_write_kallsyms(&m->vm, &said.diag, NULL, f);
	fclose(f);
	assert_string_equal(text, want);
	free(text);
}

/* Of two aliases, whichever stands first in the list, @winner is printed. */
static void assert_wins(char win_type, const char *winner, char lose_type,
			const char *loser)
{
	char want[128];

	snprintf(want, sizeof(want), "ffffffff81000000 %c %s\n", win_type,
		 winner);
	for (int swap = 0; swap < 2; swap++) {
		m->ksyms.count = 0;
		if (swap)
			mock_ksym(m, ADDR, lose_type, loser, NULL);
		mock_ksym(m, ADDR, win_type, winner, NULL);
		if (!swap)
			mock_ksym(m, ADDR, lose_type, loser, NULL);
		assert_table(want);
	}
}

TEST(symbols_are_listed_with_type_and_module)
{
	mock_ksym(m, ADDR, 'T', "_stext", NULL);
	mock_ksym(m, ADDR + 0x40, 't', "do_one_initcall", NULL);
	mock_ksym(m, 0xffffffffc0000000ull, 't', "sample_init", "sample");
	assert_table("ffffffff81000000 T _stext\n"
		     "ffffffff81000040 t do_one_initcall\n"
		     "ffffffffc0000000 t sample_init\t[sample]\n");
}

TEST(low_address_has_16_digits)
{
	mock_ksym(m, 0x1000, 'A', "fixed_percpu_data", NULL);
	assert_table("0000000000001000 A fixed_percpu_data\n");
}

TEST(no_symbol_gives_an_empty_table)
{
	assert_table("");
}

TEST(strong_symbol_wins_over_weak)
{
	assert_wins('T', "__long_name", 'W', "name");
	assert_wins('t', "__start_strong", 'w', "weak");
}

TEST(others_win_over_a_linker_scripts)
{
	assert_wins('T', "____four", 'T', "__start_notes");
	assert_wins('T', "____four", 'T', "__stop_notes");
	assert_wins('T', "____four", 'T', "__end_rodata");
	assert_wins('T', "____four", 'T', "__init_begin_start");
	assert_wins('T', "____four", 'T', "__bss_region_end");
}

TEST(short_name_is_no_linker_scripts)
{
	/* Shorter than 8 characters: the underscores decide. */
	assert_wins('T', "__end_a", 'T', "___four");
}

TEST(only_two_underscores_make_a_linker_scripts)
{
	assert_wins('T', "_sinit_start", 'T', "__regular");
	assert_wins('T', "start_kernel", 'T', "__regular");
}

TEST(fewer_underscores_win)
{
	assert_wins('T', "sys_close", 'T', "__sys_close");
	assert_wins('T', "_two", 'T', "__two");
	assert_wins('T', "__x", 'T', "___x");
}

TEST(first_of_equals_wins)
{
	mock_ksym(m, ADDR, 'T', "beta", NULL);
	mock_ksym(m, ADDR, 'T', "alpha", NULL);
	assert_table("ffffffff81000000 T beta\n");
}

TEST(best_of_many_is_found)
{
	mock_ksym(m, ADDR, 'W', "weak", NULL);
	mock_ksym(m, ADDR, 'T', "__three", NULL);
	mock_ksym(m, ADDR, 'T', "best", NULL);
	mock_ksym(m, ADDR, 'T', "_two", NULL);
	mock_ksym(m, ADDR + 8, 'T', "__other", NULL);
	assert_table("ffffffff81000000 T best\nffffffff81000008 T __other\n");
}

TEST(type_that_is_no_letter_does_not_break_the_line)
{
	mock_ksym(m, ADDR, ' ', "odd", NULL);
	assert_table("ffffffff81000000 ? odd\n");
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(symbols_are_listed_with_type_and_module),
		CASE(low_address_has_16_digits),
		CASE(no_symbol_gives_an_empty_table),
		CASE(strong_symbol_wins_over_weak),
		CASE(others_win_over_a_linker_scripts),
		CASE(short_name_is_no_linker_scripts),
		CASE(only_two_underscores_make_a_linker_scripts),
		CASE(fewer_underscores_win),
		CASE(first_of_equals_wins),
		CASE(best_of_many_is_found),
		CASE(type_that_is_no_letter_does_not_break_the_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
