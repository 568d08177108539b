// SPDX-License-Identifier: GPL-2.0-or-later
/* How many CPUs a ring buffer has, by what each kind of kernel tells. */
#include "ftrace/cpus.h"
#include "test/mock-layout.h"
#include "test/ring-builder.h"
#include "test/said.h"
#include "test/unit.h"

#define WILD 0xdead000000000100ull

static struct mock *m;
static struct ft_layout layout;
static struct rb_buffer buffer;

static int setup(void **state)
{
	struct said said;

	(void)state;
	m = mock_create();
	mock_layout(m, LIKE_6_12);
	said_init(&said);
	assert_int_equal(ft_layout_probe(&layout, &m->vm, &said.diag), ERR_NONE);
	/* The tail of its page is of others. */
	rb_buffer_init(&buffer, m, 8, 0);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	mock_destroy(m);
	return 0;
}

static uint32_t count(uint64_t own)
{
	return ft_count_cpus(&m->vm, &layout, buffer.cpus, own);
}

static void add_ring(uint32_t cpu)
{
	struct rb_cpu c;

	rb_cpu_init(&c, &buffer, cpu, 2);
}

static void set_ids(uint32_t ids)
{
	uint64_t addr = mock_alloc(m, 4, 4);

	mock_put(m, addr, ids, 4);
	mock_symbol(m, "nr_cpu_ids", addr);
}

/* struct cpumask of @words longs. */
static uint64_t set_possible(const uint64_t *mask, size_t words)
{
	uint64_t addr = mock_alloc(m, words * MOCK_LONG, MOCK_LONG);

	for (size_t i = 0; i < words; i++)
		mock_put_ulong(m, addr + i * MOCK_LONG, mask[i]);
	mock_size(m, "cpumask", words * MOCK_LONG);
	mock_symbol(m, "__cpu_possible_mask", addr);
	return addr;
}

#define POSSIBLE(...)                                   \
	set_possible((const uint64_t[]){ __VA_ARGS__ }, \
		     ARRAY_SIZE(((const uint64_t[]){ __VA_ARGS__ })))

TEST(nr_cpu_ids_counts_before_all_others)
{
	set_ids(7);
	POSSIBLE(0xf);
	add_ring(1);
	assert_int_equal(count(5), 7);
}

TEST(without_it_the_buffer_knows)
{
	POSSIBLE(0xf);
	assert_int_equal(count(5), 5);
}

TEST(wild_numbers_do_not_count)
{
	static const uint32_t wild[] = { 0, FT_MAX_CPUS + 1, 0x7fffffff, ~0u };

	set_ids(0);
	POSSIBLE(0x3);
	for (size_t i = 0; i < ARRAY_SIZE(wild); i++) {
		uint64_t addr;

		assert_true(vm_symbol(&m->vm, "nr_cpu_ids", &addr));
		mock_put(m, addr, wild[i], 4);
		assert_int_equal(count(wild[i]), 2);
	}
}

TEST(last_possible_cpu_counts_holes_included)
{
	POSSIBLE(0x1);
	assert_int_equal(count(0), 1);
	POSSIBLE(0xb);
	assert_int_equal(count(0), 4);
}

TEST(possible_mask_may_have_many_words)
{
	POSSIBLE(0x1, 0, 0, 0);
	assert_int_equal(count(0), 1);
}

TEST(possible_mask_may_begin_with_a_hole)
{
	POSSIBLE(0, 0x8000000000000001ull, 0);
	assert_int_equal(count(0), 128);
}

TEST(without_a_mask_the_rings_are_counted)
{
	/* CPU 1 has none; what follows the array is no ring of CPU 6 .. */
	add_ring(0);
	add_ring(2);
	add_ring(5);
	mock_put_ulong(m, buffer.cpus + 6 * MOCK_LONG, WILD);
	assert_int_equal(count(0), 6);
}

TEST(array_of_another_buffer_is_not_counted)
{
	uint64_t other = buffer.cpus;

	add_ring(0);
	add_ring(1);
	/* An array of 2 whose neighbour in memory begins like it. */
	mock_put_ulong(m, buffer.cpus + 2 * MOCK_LONG, mock_get_ulong(m, other));
	mock_put_ulong(m, buffer.cpus + 3 * MOCK_LONG,
		       mock_get_ulong(m, other + MOCK_LONG));
	assert_int_equal(count(0), 2);
}

TEST(missing_mask_or_type_is_no_mask)
{
	uint64_t mask = POSSIBLE(0xff);

	add_ring(2);
	mock_put_ulong(m, buffer.cpus + 3 * MOCK_LONG, WILD);
	mock_forget_type(m, "cpumask");
	assert_int_equal(count(0), 3);
	mock_size(m, "cpumask", 1 << 20);
	assert_int_equal(count(0), 3);
	mock_forget_type(m, "cpumask");
	mock_size(m, "cpumask", MOCK_LONG);
	assert_int_equal(count(0), 8);
	mock_put_ulong(m, mask, 0);
	assert_int_equal(count(0), 3);
}

TEST(nothing_known_is_no_cpu)
{
	assert_int_equal(ft_count_cpus(&m->vm, &layout, WILD, 0), 0);
}

TEST(memory_of_zeroes_is_searched_no_longer_than_an_array_can_be)
{
	uint64_t zeroes =
		mock_alloc(m, 2ul * FT_MAX_CPUS * MOCK_LONG, MOCK_PAGE);

	m->reads = 0;
	assert_int_equal(ft_count_cpus(&m->vm, &layout, zeroes, 0), 0);
	assert_in_range(m->reads, FT_MAX_CPUS, FT_MAX_CPUS + 2);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(nr_cpu_ids_counts_before_all_others),
		CASE(without_it_the_buffer_knows),
		CASE(wild_numbers_do_not_count),
		CASE(last_possible_cpu_counts_holes_included),
		CASE(possible_mask_may_have_many_words),
		CASE(possible_mask_may_begin_with_a_hole),
		CASE(without_a_mask_the_rings_are_counted),
		CASE(array_of_another_buffer_is_not_counted),
		CASE(missing_mask_or_type_is_no_mask),
		CASE(nothing_known_is_no_cpu),
		CASE(memory_of_zeroes_is_searched_no_longer_than_an_array_can_be),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
