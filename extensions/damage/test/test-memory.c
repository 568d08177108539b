// SPDX-License-Identifier: GPL-2.0-or-later
/* Damage is where it was put, nowhere else, and can be taken back. */
#include "damage/inject.h"
#include "damage/memory.h"
#include "test/mock-vmcore.h"
#include "test/unit.h"

static struct mock *m;
static struct dmg_memory mem;
static uint64_t pages; /* address of three pages in a row */

static int setup(void **state)
{
	(void)state;
	m = mock_create();
	pages = mock_alloc(m, 3 * MOCK_PAGE, MOCK_PAGE);
	for (size_t i = 0; i < 3 * MOCK_PAGE; i++)
		mock_put(m, pages + i, i / 16, 1);
	dmg_memory_init(&mem, &m->vm);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	dmg_memory_deinit(&mem);
	mock_destroy(m);
	return 0;
}

/* What the code under test reads there; negative: an error. */
static int byte_at(uint64_t addr)
{
	uint8_t byte;
	enum err err = vm_read(&mem.vm, addr, &byte, 1);

	return err == ERR_NONE ? byte : -(int)err;
}

static void learn(void)
{
	uint8_t buf[3 * MOCK_PAGE];

	mem.learning = true;
	assert_int_equal(vm_read(&mem.vm, pages, buf, sizeof(buf)), ERR_NONE);
	mem.learning = false;
}

TEST(without_damage_everything_is_as_it_is)
{
	uint8_t buf[100];

	for (int learnt = 0; learnt < 2; learnt++) {
		assert_int_equal(vm_read(&mem.vm, pages + MOCK_PAGE - 50, buf,
					 100),
				 ERR_NONE);
		assert_memory_equal(buf, mock_ptr(m, pages + MOCK_PAGE - 50),
				    100);
		learn();
	}
	assert_int_equal(mem.nr_reads, 2);
}

TEST(what_is_learnt_is_not_read_again)
{
	unsigned long reads;

	learn();
	reads = m->reads;
	assert_int_equal(byte_at(pages + 32), 2);
	assert_int_equal(m->reads, reads);
}

TEST(damage_is_where_it_was_put_and_can_be_taken_back)
{
	static const uint8_t bad[] = { 0xaa, 0xbb, 0xcc };

	learn();
	dmg_put(&mem, pages + MOCK_PAGE - 1, bad, sizeof(bad));
	assert_int_equal(byte_at(pages + MOCK_PAGE - 2), 255);
	assert_int_equal(byte_at(pages + MOCK_PAGE - 1), 0xaa);
	assert_int_equal(byte_at(pages + MOCK_PAGE), 0xbb);
	assert_int_equal(byte_at(pages + MOCK_PAGE + 1), 0xcc);
	assert_int_equal(byte_at(pages + MOCK_PAGE + 2), 0);
	assert_true(dmg_touched(&mem, pages, MOCK_PAGE));
	assert_false(dmg_touched(&mem, pages, MOCK_PAGE - 1));
	assert_true(dmg_touched(&mem, pages + MOCK_PAGE, 1));
	assert_false(dmg_touched(&mem, pages + MOCK_PAGE + 2, MOCK_PAGE));
	dmg_heal(&mem);
	assert_int_equal(byte_at(pages + MOCK_PAGE - 1), 255);
	assert_false(dmg_touched(&mem, pages, 3 * MOCK_PAGE));
}

TEST(page_that_was_cut_cannot_be_read_nor_across)
{
	uint8_t buf[16];

	learn();
	dmg_cut(&mem, pages + MOCK_PAGE + 5, ERR_MISSING);
	assert_int_equal(byte_at(pages + MOCK_PAGE), -ERR_MISSING);
	assert_int_equal(byte_at(pages + 2 * MOCK_PAGE - 1), -ERR_MISSING);
	assert_int_equal(byte_at(pages + 2 * MOCK_PAGE), 0);
	assert_int_equal(vm_read(&mem.vm, pages + MOCK_PAGE - 8, buf, 16),
			 ERR_MISSING);
	assert_true(dmg_touched(&mem, pages + MOCK_PAGE + 100, 1));
	dmg_heal(&mem);
	assert_int_equal(byte_at(pages + MOCK_PAGE), 0);
}

TEST(what_is_not_there_stays_so)
{
	uint64_t hidden = pages + MOCK_PAGE;

	mock_hide(m, hidden, ERR_UNMAPPED);
	mem.learning = true;
	assert_int_equal(byte_at(hidden), -ERR_UNMAPPED);
	mem.learning = false;
	dmg_put(&mem, hidden, "x", 1);
	assert_int_equal(byte_at(hidden), -ERR_UNMAPPED);
}

TEST(steps_are_counted_and_have_an_end)
{
	learn();
	dmg_heal(&mem);
	mem.limit = 10;
	for (int i = 0; i < 10; i++)
		assert_int_equal(byte_at(pages), 0);
	assert_false(vm_interrupted(&mem.vm));
	assert_int_equal(byte_at(pages), -ERR_UNMAPPED);
	assert_true(vm_interrupted(&mem.vm));
	dmg_heal(&mem);
	assert_int_equal(byte_at(pages), 0);
	assert_false(vm_interrupted(&mem.vm));
}

TEST(many_pages_are_kept)
{
	enum {
		NR = 6000
	};
	const uint64_t many = 0xffff900000000000ull;

	mock_map(m, many, NR * MOCK_PAGE);
	for (int i = 0; i < NR; i++)
		mock_put(m, many + i * MOCK_PAGE, i, 2);
	mem.learning = true;
	for (int round = 0; round < 2; round++, mem.learning = false)
		for (int i = 0; i < NR; i++)
			assert_int_equal(byte_at(many + i * MOCK_PAGE), i & 255);
	assert_int_equal(mem.nr_pages, NR);
}

TEST(names_mean_what_they_meant)
{
	struct vm_member member;
	uint64_t addr;
	long value;

	mock_symbol(m, "sym", 77);
	mock_member(m, "type", "member", 8, 4);
	mock_size(m, "type", 96);
	mock_enum(m, "sym", -5);
	for (int round = 0; round < 2; round++) {
		assert_true(vm_symbol(&mem.vm, "sym", &addr));
		assert_int_equal(addr, 77);
		assert_false(vm_symbol(&mem.vm, "member", &addr));
		assert_true(mem.vm.ops->member(mem.vm.ctx, "type", "member",
					       &member));
		assert_int_equal(member.off, 8);
		assert_int_equal(member.size, 4);
		assert_false(
			mem.vm.ops->member(mem.vm.ctx, "type", "no", &member));
		assert_int_equal(mem.vm.ops->type_size(mem.vm.ctx, "type"), 96);
		assert_int_equal(mem.vm.ops->type_size(mem.vm.ctx, "sym"), 0);
		assert_true(mem.vm.ops->enumerator(mem.vm.ctx, "sym", &value));
		assert_int_equal(value, -5);
	}
}

TEST(a_seed_gives_the_same_numbers_again)
{
	struct dmg_rng a = { 42 }, b = { 42 }, c = { 43 };
	int differ = 0;

	for (int i = 0; i < 100; i++) {
		uint64_t x = dmg_random(&a);

		assert_int_equal(x, dmg_random(&b));
		differ += x != dmg_random(&c);
	}
	assert_int_equal(differ, 100);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(without_damage_everything_is_as_it_is),
		CASE(what_is_learnt_is_not_read_again),
		CASE(damage_is_where_it_was_put_and_can_be_taken_back),
		CASE(page_that_was_cut_cannot_be_read_nor_across),
		CASE(what_is_not_there_stays_so),
		CASE(steps_are_counted_and_have_an_end),
		CASE(many_pages_are_kept),
		CASE(names_mean_what_they_meant),
		CASE(a_seed_gives_the_same_numbers_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
