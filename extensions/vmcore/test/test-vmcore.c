// SPDX-License-Identifier: GPL-2.0-or-later
/* Members, numbers and strings out of a dead kernel. */
#include "test/mock-vmcore.h"
#include "test/unit.h"
#include "vmcore/vmcore.h"

static struct mock *m;

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

/* @s, placed so that its '\0' is the last byte before a page that is missing. */
static uint64_t str_at_border(const char *s)
{
	uint64_t page = mock_alloc_page(m);
	uint64_t next = mock_alloc_page(m);
	uint64_t at = next - strlen(s) - 1;

	memcpy(mock_ptr(m, at), s, strlen(s) + 1);
	mock_hide(m, next, ERR_MISSING);
	assert_true(at >= page);
	return at;
}

TEST(member_is_taken_from_its_place)
{
	static const uint8_t obj[16] = { [4] = 0x7f, [8] = 1, [15] = 0 };
	uint64_t want;

	memcpy(&want, obj + 8, 8);
	assert_int_equal(vm_get(obj, 16, &(struct vm_member){ 4, 1 }), 0x7f);
	assert_int_equal(vm_get(obj, 16, &(struct vm_member){ 8, 8 }), want);
}

TEST(member_that_does_not_exist_or_lies_outside_is_0)
{
	uint8_t *obj = malloc(8);

	memset(obj, 0xff, 8);
	assert_int_equal(vm_get(obj, 8, &(struct vm_member){ 0, 0 }), 0);
	assert_int_equal(vm_get(obj, 8, &(struct vm_member){ 8, 1 }), 0);
	assert_int_equal(vm_get(obj, 8, &(struct vm_member){ 5, 4 }), 0);
	assert_int_equal(vm_get(obj, 8, &(struct vm_member){ ~0u, 8 }), 0);
	assert_int_equal(vm_get(obj, 8, &(struct vm_member){ 0, 3 }), 0);
	assert_int_equal(vm_get(obj, 8, &(struct vm_member){ 0, 16 }), 0);
	free(obj);
}

TEST(pointer_has_the_dead_kernels_size)
{
	uint64_t at = mock_alloc(m, 8, 8), value = 1;

	mock_put(m, at, 0x11223344, 4);
	mock_put(m, at + 4, 0x55667788, 4);
	assert_int_equal(vm_read_ulong(&m->vm, at, &value), ERR_NONE);
	assert_int_equal(value, mock_get_ulong(m, at));
	m->vm.long_size = 4;
	assert_int_equal(vm_read_ulong(&m->vm, at, &value), ERR_NONE);
	assert_int_equal(value, 0x11223344);
}

TEST(failed_read_leaves_the_value_alone)
{
	uint64_t value = 42;
	uint32_t word = 43;

	assert_int_equal(vm_read_ulong(&m->vm, 8, &value), ERR_UNMAPPED);
	assert_int_equal(value, 42);
	assert_int_equal(vm_read_u32(&m->vm, 8, &word), ERR_UNMAPPED);
	assert_int_equal(word, 43);
}

TEST(string_is_read_up_to_its_end)
{
	uint64_t at = mock_str(m, "sched_switch");
	char buf[64];

	assert_int_equal(vm_read_str(&m->vm, at, buf, sizeof(buf)), ERR_NONE);
	assert_string_equal(buf, "sched_switch");
}

TEST(string_that_ends_at_a_missing_page_is_read)
{
	uint64_t at = str_at_border("right up to the border");
	char buf[256];

	assert_int_equal(vm_read_str(&m->vm, at, buf, sizeof(buf)), ERR_NONE);
	assert_string_equal(buf, "right up to the border");
}

TEST(string_that_goes_on_into_a_missing_page_is_missing)
{
	uint64_t at = str_at_border("cut");
	char buf[256];

	mock_put(m, at + 3, 'X', 1);
	assert_int_equal(vm_read_str(&m->vm, at, buf, sizeof(buf)), ERR_MISSING);
	assert_string_equal(buf, "cutX");
}

TEST(string_may_cross_a_page)
{
	uint64_t page = mock_alloc_page(m);
	uint64_t at = page + MOCK_PAGE - 70;
	char want[201], buf[256];

	mock_alloc_page(m);
	for (int i = 0; i < 200; i++)
		want[i] = 'a' + i % 26;
	want[200] = 0;
	memcpy(mock_ptr(m, at), want, sizeof(want));
	assert_int_equal(vm_read_str(&m->vm, at, buf, sizeof(buf)), ERR_NONE);
	assert_string_equal(buf, want);
}

TEST(string_that_just_fits_is_read_and_one_longer_is_refused)
{
	uint64_t at = mock_str(m, "1234567");
	char *buf = malloc(8);

	assert_int_equal(vm_read_str(&m->vm, at, buf, 8), ERR_NONE);
	assert_string_equal(buf, "1234567");
	assert_int_equal(vm_read_str(&m->vm, at, buf, 7), ERR_BAD_DATA);
	assert_string_equal(buf, "123456");
	free(buf);
}

TEST(string_at_a_wild_address_is_empty)
{
	char buf[8] = "rubbish";

	assert_int_equal(vm_read_str(&m->vm, 8, buf, sizeof(buf)), ERR_UNMAPPED);
	assert_string_equal(buf, "");
}

/* @n times 'x'; its address. */
static uint64_t long_str(size_t n)
{
	uint64_t at = mock_alloc(m, n + 1, 1);

	memset(mock_ptr(m, at), 'x', n);
	return at;
}

TEST(string_of_any_length_is_duplicated)
{
	static const size_t lengths[] = { 0, 1, 255, 256, 257, 4096, 12345 };

	for (size_t i = 0; i < ARRAY_SIZE(lengths); i++) {
		uint64_t at = long_str(lengths[i]);
		char *s = NULL;

		assert_int_equal(vm_dup_str(&m->vm, at, 1 << 20, &s), ERR_NONE);
		assert_int_equal(strlen(s), lengths[i]);
		free(s);
	}
}

TEST(string_longer_than_allowed_is_not_duplicated)
{
	static const struct {
		size_t max, len;
		enum err err;
	} rows[] = {
		{ 300, 300, ERR_NONE },	      { 300, 301, ERR_BAD_DATA },
		{ 300, 900, ERR_BAD_DATA },   { 100, 100, ERR_NONE },
		{ 100, 101, ERR_BAD_DATA },   { 1024, 1024, ERR_NONE },
		{ 1024, 1025, ERR_BAD_DATA },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		uint64_t at = long_str(rows[i].len);
		char *s = NULL;

		assert_int_equal(vm_dup_str(&m->vm, at, rows[i].max, &s),
				 rows[i].err);
		free(s);
	}
}

TEST(string_without_an_end_is_not_read_for_ever)
{
	uint64_t at = mock_alloc(m, 1 << 20, MOCK_PAGE);
	char *s = NULL;

	memset(mock_ptr(m, at), 'x', 1 << 20);
	assert_int_equal(vm_dup_str(&m->vm, at, 4096, &s), ERR_BAD_DATA);
	assert_null(s);
	assert_in_range(m->bytes_read, 1, 40000);
}

TEST(missing_string_is_not_duplicated)
{
	char *s = NULL;

	assert_int_equal(vm_dup_str(&m->vm, 8, 100, &s), ERR_UNMAPPED);
	assert_null(s);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(member_is_taken_from_its_place),
		CASE(member_that_does_not_exist_or_lies_outside_is_0),
		CASE(pointer_has_the_dead_kernels_size),
		CASE(failed_read_leaves_the_value_alone),
		CASE(string_is_read_up_to_its_end),
		CASE(string_that_ends_at_a_missing_page_is_read),
		CASE(string_that_goes_on_into_a_missing_page_is_missing),
		CASE(string_may_cross_a_page),
		CASE(string_that_just_fits_is_read_and_one_longer_is_refused),
		CASE(string_at_a_wild_address_is_empty),
		CASE(string_of_any_length_is_duplicated),
		CASE(string_longer_than_allowed_is_not_duplicated),
		CASE(string_without_an_end_is_not_read_for_ever),
		CASE(missing_string_is_not_duplicated),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
