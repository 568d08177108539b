// SPDX-License-Identifier: GPL-2.0-or-later
/* ft_write_cmdlines(): saved names, then those of live tasks. */
#include "ftrace/tables.h"
#include "test/mock-layout.h"
#include "test/said.h"
#include "test/unit.h"

#define SAVED	 "saved_cmdlines_buffer"
#define SLOTS	 8ul
#define EMPTY	 0xffffffffu
#define PID_MASK 0x7fffu

static struct mock *m;
static struct said said;
static uint64_t saved, pids, comms;

/* The buffer with empty slots; where names lie depends on the kernel. */
static void begin(enum mock_kernel kernel)
{
	size_t size, inlined = kernel == LIKE_6_12 ? SLOTS * 16 : 0;
	uint64_t sym;

	m = mock_create();
	mock_layout(m, kernel);
	said_init(&said);
	size = m->vm.ops->type_size(m, SAVED);
	saved = mock_alloc(m, size + inlined, MOCK_PAGE);
	pids = mock_alloc_page(m);
	sym = mock_alloc(m, MOCK_LONG, MOCK_LONG);
	mock_put_ulong(m, sym, saved);
	mock_symbol(m, "savedcmd", sym);
	memset(mock_ptr(m, mock_field(m, saved, SAVED, "map_pid_to_cmdline")),
	       0xff, 0x8001 * 4ul);
	memset(mock_ptr(m, pids), 0xff, SLOTS * 4);
	mock_set(m, saved, SAVED, "map_cmdline_to_pid", pids);
	mock_set(m, saved, SAVED, "cmdline_num", SLOTS);
	comms = mock_field(m, saved, SAVED, "saved_cmdlines");
	if (kernel == LIKE_6_1) {
		uint64_t at = mock_alloc_page(m);

		mock_set(m, saved, SAVED, "saved_cmdlines", at);
		comms = at;
	}
}

static void end(void)
{
	mock_destroy(m);
}

/* What the slot says, not whether it is the pid's current one. */
static void fill_slot(uint32_t slot, uint32_t pid, const char *comm)
{
	mock_put(m, pids + slot * 4ul, pid, 4);
	strncpy(mock_ptr(m, comms + slot * 16ul), comm, 16);
}

static void map_pid(uint32_t pid, uint32_t slot)
{
	mock_put(m,
		 mock_field(m, saved, SAVED, "map_pid_to_cmdline") +
			 (pid & PID_MASK) * 4ul,
		 slot, 4);
}

static void save(uint32_t slot, uint32_t pid, const char *comm)
{
	fill_slot(slot, pid, comm);
	map_pid(pid, slot);
}

static void assert_table(const char *want)
{
	struct ft_layout layout;
	char *text = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&text, &len);

	assert_int_equal(ft_layout_probe(&layout, &m->vm, &said.diag), ERR_NONE);
	assert_int_equal(ft_write_cmdlines(&m->vm, &layout, &said.diag, f),
			 ERR_NONE);
	fclose(f);
	assert_string_equal(text, want);
	free(text);
}

TEST(saved_names_are_listed_wherever_the_kernel_keeps_them)
{
	static const enum mock_kernel kernels[] = { LIKE_6_1, LIKE_6_12 };

	for (size_t i = 0; i < ARRAY_SIZE(kernels); i++) {
		begin(kernels[i]);
		save(0, 100, "bash");
		save(2, 4711, "sample thread");
		save(7, 1, "init");
		assert_table("100 bash\n4711 sample thread\n1 init\n");
		assert_int_equal(said.lines, 0);
		end();
	}
}

TEST(name_of_16_bytes_is_not_run_over)
{
	begin(LIKE_6_12);
	save(0, 100, "0123456789abcdef");
	save(1, 101, "next");
	assert_table("100 0123456789abcdef\n101 next\n");
	end();
}

TEST(name_of_blanks_hides_no_other)
{
	begin(LIKE_6_12);
	save(0, 100, "   ");
	save(1, 101, "");
	save(2, 102, " next");
	assert_table("100 <...>\n101 <...>\n102  next\n");
	end();
}

TEST(stale_slot_of_a_pid_is_left_out)
{
	begin(LIKE_6_12);
	fill_slot(1, 100, "before exec");
	save(4, 100, "after exec");
	assert_table("100 after exec\n");
	end();
}

/* Pids that are 32768 apart share an entry; the last one owns it. */
TEST(pid_whose_entry_another_took_is_left_out)
{
	begin(LIKE_6_12);
	fill_slot(0, 100, "loser");
	save(1, 100 + 0x8000, "winner");
	assert_table("32868 winner\n");
	end();
}

TEST(live_tasks_complete_the_table)
{
	begin(LIKE_6_12);
	save(0, 100, "saved");
	mock_task(m, 0, "swapper/0");
	mock_task(m, 1, "init");
	mock_task(m, 100, "same task");
	mock_task(m, 200, "kworker/0:1");
	assert_table("100 saved\n1 init\n200 kworker/0:1\n");
	end();
}

TEST(live_tasks_are_not_listed_twice_whatever_the_slots_order)
{
	begin(LIKE_6_12);
	save(0, 500, "e");
	save(1, 20, "b");
	save(2, 300, "d");
	save(3, 10, "a");
	mock_task(m, 10, "x");
	mock_task(m, 20, "x");
	mock_task(m, 300, "x");
	mock_task(m, 500, "x");
	assert_table("500 e\n20 b\n300 d\n10 a\n");
	end();
}

TEST(nothing_saved_is_no_damage)
{
	begin(LIKE_6_12);
	mock_symbol(m, "savedcmd", mock_alloc(m, 8, 8));
	mock_task(m, 1, "init");
	assert_table("1 init\n");
	assert_int_equal(said.lines, 0);
	end();
}

TEST(kernel_without_saved_names_lists_live_tasks_and_tells)
{
	begin(LIKE_6_12);
	mock_forget_symbol(m, "savedcmd");
	mock_task(m, 1, "init");
	assert_table("1 init\n");
	assert_int_equal(said.lines, 1);
	end();
}

TEST(missing_table_lists_live_tasks_and_tells)
{
	begin(LIKE_6_12);
	save(0, 100, "bash");
	mock_hide(m, pids, ERR_MISSING);
	mock_task(m, 1, "init");
	assert_table("1 init\n");
	assert_true(said_has(&said, err_str(ERR_MISSING)));
	end();
}

TEST(wild_number_of_slots_is_damage)
{
	static const uint32_t wild[] = { (1 << 20) + 1, ~0u, 1u << 31 };

	for (size_t i = 0; i < ARRAY_SIZE(wild); i++) {
		begin(LIKE_6_12);
		mock_set(m, saved, SAVED, "cmdline_num", wild[i]);
		mock_task(m, 1, "init");
		assert_table("1 init\n");
		assert_int_equal(said.lines, 1);
		end();
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			saved_names_are_listed_wherever_the_kernel_keeps_them),
		cmocka_unit_test(name_of_16_bytes_is_not_run_over),
		cmocka_unit_test(name_of_blanks_hides_no_other),
		cmocka_unit_test(stale_slot_of_a_pid_is_left_out),
		cmocka_unit_test(pid_whose_entry_another_took_is_left_out),
		cmocka_unit_test(live_tasks_complete_the_table),
		cmocka_unit_test(
			live_tasks_are_not_listed_twice_whatever_the_slots_order),
		cmocka_unit_test(nothing_saved_is_no_damage),
		cmocka_unit_test(
			kernel_without_saved_names_lists_live_tasks_and_tells),
		cmocka_unit_test(missing_table_lists_live_tasks_and_tells),
		cmocka_unit_test(wild_number_of_slots_is_damage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
