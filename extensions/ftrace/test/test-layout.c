// SPDX-License-Identifier: GPL-2.0-or-later
#include "ftrace/layout.h"
#include "test/mock-layout.h"
#include "test/said.h"
#include "test/unit.h"

static struct ft_layout layout;
static struct said said;

static enum err probe(struct mock *m)
{
	said_init(&said);
	return ft_layout_probe(&layout, &m->vm, &said.diag);
}

TEST(members_are_where_the_debug_info_says)
{
	struct mock *m = mock_create();

	mock_layout(m, LIKE_6_1);
	assert_int_equal(probe(m), ERR_NONE);
	assert_int_equal(layout.ta_array_buffer.off, 24);
	assert_int_equal(layout.pc_reader_page.off, 88);
	assert_int_equal(layout.buffer_page_size, 56);
	assert_int_equal(layout.bp_page.off, 48);
	assert_int_equal(layout.tb_subbuf_order.size, 0);
	assert_int_equal(layout.field_needs_test.size, 0);

	mock_layout(m, LIKE_6_12);
	assert_int_equal(probe(m), ERR_NONE);
	assert_int_equal(layout.ta_array_buffer.off, 32);
	assert_int_equal(layout.pc_reader_page.off, 128);
	assert_int_equal(layout.buffer_page_size, 64);
	assert_int_equal(layout.tb_subbuf_order.off, 356);
	assert_int_equal(layout.dp_data.off, 16);
	assert_int_equal(said.lines, 0);
	mock_destroy(m);
}

TEST(kernel_without_what_is_needed_is_not_supported)
{
	static const struct {
		const char *type, *name;
	} needed[] = {
		{ "trace_array", "array_buffer" },
		{ "array_buffer", "buffer" },
		{ "ring_buffer_per_cpu", "reader_page" },
		{ "ring_buffer_per_cpu", "commit_page" },
		{ "buffer_page", "page" },
		{ "buffer_data_page", "commit" },
		{ "buffer_data_page", "data" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(needed); i++) {
		struct mock *m = mock_create();
		char name[64];

		mock_layout(m, LIKE_6_12);
		mock_forget_member(m, needed[i].type, needed[i].name);
		assert_int_equal(probe(m), ERR_UNSUPPORTED);
		snprintf(name, sizeof(name), "%s.%s", needed[i].type,
			 needed[i].name);
		assert_true(said_has(&said, name));
		mock_destroy(m);
	}
}

TEST(vmlinux_without_debug_info_is_not_supported)
{
	struct mock *m = mock_create();

	assert_int_equal(probe(m), ERR_UNSUPPORTED);
	assert_int_equal(said.lines, 1);
	assert_true(said_has(&said, "debug info"));
	mock_destroy(m);
}

TEST(structure_larger_than_any_is_refused)
{
	struct mock *m = mock_create();

	mock_layout(m, LIKE_6_12);
	mock_size(m, "buffer_page", FT_BUFFER_PAGE_MAX + 1);
	assert_int_equal(probe(m), ERR_UNSUPPORTED);
	mock_size(m, "buffer_page", 64);
	mock_size(m, "trace_array", 1u << 30);
	assert_int_equal(probe(m), ERR_UNSUPPORTED);
	mock_destroy(m);
}

TEST(what_only_some_kernels_have_may_be_missing)
{
	struct mock *m = mock_create();

	mock_layout(m, LIKE_6_12);
	mock_forget_member(m, "trace_buffer", "cpus");
	mock_forget_member(m, "trace_buffer", "range_addr_start");
	mock_forget_member(m, "ring_buffer_per_cpu", "write_stamp");
	mock_forget_type(m, "saved_cmdlines_buffer");
	mock_forget_type(m, "trace_event_call");
	assert_int_equal(probe(m), ERR_NONE);
	assert_int_equal(layout.tb_cpus.size, 0);
	mock_destroy(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(members_are_where_the_debug_info_says),
		cmocka_unit_test(kernel_without_what_is_needed_is_not_supported),
		cmocka_unit_test(vmlinux_without_debug_info_is_not_supported),
		cmocka_unit_test(structure_larger_than_any_is_refused),
		cmocka_unit_test(what_only_some_kernels_have_may_be_missing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
