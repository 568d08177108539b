// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/cursor.h"
#include "test/unit.h"

/* Exactly as long as the cursor believes, so that sanitizers see the border. */
static uint8_t *bytes(size_t n)
{
	uint8_t *p = malloc(n ? n : 1);

	for (size_t i = 0; i < n; i++)
		p[i] = i + 1;
	return p;
}

TEST(numbers_have_the_hosts_byte_order)
{
	uint8_t *p = bytes(15);
	struct cursor c = cursor_init(p, 15);
	uint16_t u16;
	uint32_t u32;
	uint64_t u64;

	memcpy(&u16, p + 1, 2);
	memcpy(&u32, p + 3, 4);
	memcpy(&u64, p + 7, 8);
	assert_int_equal(cursor_uint(&c, 1), 1);
	assert_int_equal(cursor_uint(&c, 2), u16);
	assert_int_equal(cursor_uint(&c, 4), u32);
	assert_int_equal(cursor_uint(&c, 8), u64);
	assert_false(c.failed);
	assert_int_equal(cursor_left(&c), 0);
	free(p);
}

TEST(read_that_ends_exactly_at_the_end_succeeds)
{
	uint8_t *p = bytes(8);
	struct cursor c = cursor_init(p, 8);

	cursor_uint(&c, 8);
	assert_false(c.failed);
	free(p);
}

TEST(read_past_the_end_gives_0_and_fails)
{
	static const size_t sizes[] = { 2, 4, 8 };

	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		uint8_t *p = bytes(sizes[i] - 1);
		struct cursor c = cursor_init(p, sizes[i] - 1);

		assert_int_equal(cursor_uint(&c, sizes[i]), 0);
		assert_true(c.failed);
		free(p);
	}
}

TEST(what_is_left_counts_not_what_there_was)
{
	uint8_t *p = bytes(10);
	struct cursor c = cursor_init(p, 10);

	cursor_uint(&c, 8);
	assert_int_equal(cursor_left(&c), 2);
	assert_int_equal(cursor_uint(&c, 4), 0);
	assert_true(c.failed);
	free(p);
}

TEST(failure_sticks)
{
	uint8_t *p = bytes(4);
	struct cursor c = cursor_init(p, 4);

	cursor_uint(&c, 8);
	assert_int_equal(cursor_uint(&c, 1), 0);
	assert_true(c.failed);
	free(p);
}

TEST(size_that_no_number_has_fails)
{
	static const size_t sizes[] = { 0, 3, 5, 6, 7, 9, 16, ~(size_t)0 };

	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		uint8_t *p = bytes(32);
		struct cursor c = cursor_init(p, 32);

		assert_int_equal(cursor_uint(&c, sizes[i]), 0);
		assert_true(c.failed);
		free(p);
	}
}

TEST(seek_reaches_the_end_and_not_beyond)
{
	uint8_t *p = bytes(4);
	struct cursor c = cursor_init(p, 4);

	assert_true(cursor_seek(&c, 3));
	assert_int_equal(cursor_uint(&c, 1), 4);
	assert_true(cursor_seek(&c, 4));
	assert_int_equal(cursor_left(&c), 0);
	assert_true(cursor_seek(&c, 0));
	assert_int_equal(cursor_uint(&c, 1), 1);
	assert_false(cursor_seek(&c, 5));
	assert_true(c.failed);
	free(p);
}

TEST(empty_cursor_has_nothing)
{
	struct cursor c = cursor_init(NULL, 0);

	assert_int_equal(cursor_left(&c), 0);
	assert_int_equal(cursor_uint(&c, 1), 0);
	assert_true(c.failed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_have_the_hosts_byte_order),
		cmocka_unit_test(read_that_ends_exactly_at_the_end_succeeds),
		cmocka_unit_test(read_past_the_end_gives_0_and_fails),
		cmocka_unit_test(what_is_left_counts_not_what_there_was),
		cmocka_unit_test(failure_sticks),
		cmocka_unit_test(size_that_no_number_has_fails),
		cmocka_unit_test(seek_reaches_the_end_and_not_beyond),
		cmocka_unit_test(empty_cursor_has_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
