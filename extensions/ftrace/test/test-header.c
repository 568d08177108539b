// SPDX-License-Identifier: GPL-2.0-or-later
/* header_page and header_event, as tracefs shows them. */
#include "ftrace/tables.h"
#include "test/unit.h"

static char *header_page(const struct ft_layout *l, size_t size, bool is_signed)
{
	char *text = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&text, &len);

	ft_write_header_page(l, size, is_signed, f);
	fclose(f);
	return text;
}

TEST(page_header_has_the_capacity_of_a_sub_buffer)
{
	static const struct ft_layout l = {
		.dp_time_stamp = { 0, 8 },
		.dp_commit = { 8, 8 },
		.dp_data = { 16, 0 },
	};
	char *text = header_page(&l, 4096, true);

	assert_string_equal(
		text,
		"\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
		"\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
		"\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
		"\tfield: char data;\toffset:16;\tsize:4080;\tsigned:1;\n");
	free(text);

	text = header_page(&l, 16384, false);
	assert_non_null(strstr(text, "size:16368;\tsigned:0;\n"));
	free(text);
}

TEST(newer_kernels_have_a_char_for_the_overwrite_mark)
{
	static const struct ft_layout l = {
		.tb_remote = { 64, 8 },
		.dp_time_stamp = { 0, 8 },
		.dp_commit = { 8, 8 },
		.dp_data = { 16, 0 },
	};
	char *text = header_page(&l, 4096, false);

	assert_non_null(strstr(text, "\tfield: char overwrite;\toffset:8;\t"
				     "size:1;\tsigned:0;\n"));
	free(text);
}

TEST(page_header_of_32_bits_has_a_short_commit)
{
	static const struct ft_layout l = {
		.dp_time_stamp = { 0, 8 },
		.dp_commit = { 8, 4 },
		.dp_data = { 12, 0 },
	};
	char *text = header_page(&l, 4096, false);

	assert_non_null(strstr(text, "commit;\toffset:8;\tsize:4;"));
	assert_non_null(strstr(text, "data;\toffset:12;\tsize:4084;"));
	free(text);
}

TEST(event_header_names_every_type)
{
	char *text = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&text, &len);

	ft_write_header_event(f);
	fclose(f);
	assert_non_null(strstr(text, "type_len    :    5 bits"));
	assert_non_null(strstr(text, "time_delta  :   27 bits"));
	assert_non_null(strstr(text, "padding     : type == 29"));
	assert_non_null(strstr(text, "time_extend : type == 30"));
	assert_non_null(strstr(text, "time_stamp : type == 31"));
	assert_non_null(strstr(text, "data max type_len  == 28"));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(page_header_has_the_capacity_of_a_sub_buffer),
		cmocka_unit_test(
			newer_kernels_have_a_char_for_the_overwrite_mark),
		cmocka_unit_test(page_header_of_32_bits_has_a_short_commit),
		cmocka_unit_test(event_header_names_every_type),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
