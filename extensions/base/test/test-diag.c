// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/diag.h"
#include "test/said.h"
#include "test/unit.h"

TEST(message_is_one_formatted_line)
{
	struct said said;

	said_init(&said);
	diag_say(&said.diag, "CPU %d: %s", 3, "torn");
	assert_string_equal(said.text, "CPU 3: torn\n");
	assert_int_equal(said.lines, 1);
}

TEST(long_message_is_cut_not_dropped)
{
	struct said said;
	char text[2000];

	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = 0;
	said_init(&said);
	diag_say(&said.diag, "%s", text);
	assert_int_equal(said.lines, 1);
	assert_in_range(strlen(said.text), 100, 1000);
}

TEST(every_error_has_words_of_its_own)
{
	static const enum err errors[] = {
		ERR_NONE,	 ERR_MISSING, ERR_UNMAPPED, ERR_BAD_DATA,
		ERR_UNSUPPORTED, ERR_NOMEM,   ERR_IO,	    ERR_INTERRUPTED,
	};

	for (size_t i = 0; i < ARRAY_SIZE(errors); i++) {
		assert_true(err_str(errors[i])[0]);
		for (size_t k = 0; k < i; k++)
			assert_string_not_equal(err_str(errors[i]),
						err_str(errors[k]));
	}
	assert_non_null(err_str((enum err)1000));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(message_is_one_formatted_line),
		cmocka_unit_test(long_message_is_cut_not_dropped),
		cmocka_unit_test(every_error_has_words_of_its_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
