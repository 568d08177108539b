// SPDX-License-Identifier: GPL-2.0-or-later
/* Output files appear whole or not at all, and leave nothing behind. */
#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/outfile.h"
#include "test/tmpdir.h"
#include "test/unit.h"

static struct tmpdir dir;
static char *path;

static int setup(void **state)
{
	(void)state;
	tmpdir_create(&dir);
	path = tmpdir_path(&dir, "out");
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	free(path);
	tmpdir_remove(&dir);
	return 0;
}

static void assert_content(const char *want)
{
	char *text = file_read(path, NULL);

	assert_string_equal(text, want);
	free(text);
}

static bool exists(void)
{
	return access(path, F_OK) == 0;
}

TEST(file_appears_when_it_is_complete)
{
	struct outfile o;

	assert_int_equal(out_create(&o, path, false), ERR_NONE);
	assert_int_equal(out_write(&o, "whole", 5), ERR_NONE);
	fflush(o.f);
	assert_false(exists());
	assert_int_equal(out_commit(&o), ERR_NONE);
	assert_content("whole");
	assert_int_equal(tmpdir_count(&dir), 1);
}

TEST(aborted_file_leaves_nothing)
{
	struct outfile o;

	assert_int_equal(out_create(&o, path, false), ERR_NONE);
	out_write(&o, "half", 4);
	out_abort(&o);
	assert_int_equal(tmpdir_count(&dir), 0);
}

TEST(abort_after_commit_is_harmless)
{
	struct outfile o;

	out_create(&o, path, false);
	out_write(&o, "x", 1);
	assert_int_equal(out_commit(&o), ERR_NONE);
	out_abort(&o);
	out_abort(&o);
	assert_content("x");
}

TEST(existing_file_is_refused)
{
	struct outfile o;

	file_write(path, "old");
	assert_int_equal(out_create(&o, path, false), ERR_IO);
	assert_non_null(strstr(out_reason(&o), "-f"));
	assert_int_equal(out_commit(&o), ERR_IO);
	out_abort(&o);
	assert_content("old");
	assert_int_equal(tmpdir_count(&dir), 1);
}

TEST(force_replaces_an_existing_file_only_at_the_end)
{
	struct outfile o;

	file_write(path, "old");
	assert_int_equal(out_create(&o, path, true), ERR_NONE);
	out_write(&o, "new", 3);
	fflush(o.f);
	assert_content("old");
	assert_int_equal(out_commit(&o), ERR_NONE);
	assert_content("new");
	assert_int_equal(tmpdir_count(&dir), 1);
}

TEST(force_and_abort_keep_the_old_file)
{
	struct outfile o;

	file_write(path, "old");
	assert_int_equal(out_create(&o, path, true), ERR_NONE);
	out_write(&o, "new", 3);
	out_abort(&o);
	assert_content("old");
	assert_int_equal(tmpdir_count(&dir), 1);
}

TEST(name_taken_in_the_meantime_is_not_replaced)
{
	struct outfile o;

	assert_int_equal(out_create(&o, path, false), ERR_NONE);
	out_write(&o, "late", 4);
	file_write(path, "first");
	assert_int_equal(out_commit(&o), ERR_IO);
	assert_content("first");
	assert_int_equal(tmpdir_count(&dir), 1);
}

static void assert_refused_with_force(void)
{
	struct outfile o;

	assert_int_equal(out_create(&o, path, true), ERR_IO);
	assert_true(out_reason(&o)[0]);
	out_abort(&o);
}

TEST(directory_is_never_replaced)
{
	struct stat st;

	assert_int_equal(mkdir(path, 0700), 0);
	assert_refused_with_force();
	assert_int_equal(lstat(path, &st), 0);
	assert_true(S_ISDIR(st.st_mode));
	assert_int_equal(tmpdir_count(&dir), 1);
}

TEST(link_is_never_replaced_nor_followed)
{
	char *target = tmpdir_path(&dir, "target");
	struct stat st;

	file_write(target, "target");
	assert_int_equal(symlink(target, path), 0);
	assert_refused_with_force();
	assert_int_equal(lstat(path, &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	assert_content("target");
	assert_int_equal(tmpdir_count(&dir), 2);
	free(target);
}

TEST(dangling_link_is_not_replaced)
{
	struct stat st;

	assert_int_equal(symlink("nowhere", path), 0);
	assert_refused_with_force();
	assert_int_equal(lstat(path, &st), 0);
	assert_int_equal(tmpdir_count(&dir), 1);
}

TEST(fifo_is_never_replaced)
{
	struct stat st;

	assert_int_equal(mkfifo(path, 0600), 0);
	assert_refused_with_force();
	assert_int_equal(lstat(path, &st), 0);
	assert_true(S_ISFIFO(st.st_mode));
}

TEST(device_is_never_replaced)
{
	struct outfile o;
	struct stat st;

	assert_int_equal(out_create(&o, "/dev/null", true), ERR_IO);
	out_abort(&o);
	assert_int_equal(lstat("/dev/null", &st), 0);
	assert_true(S_ISCHR(st.st_mode));
}

TEST(directory_that_does_not_exist_is_told)
{
	char *nowhere = tmpdir_path(&dir, "no/such/out");
	struct outfile o;

	assert_int_equal(out_create(&o, nowhere, false), ERR_IO);
	assert_string_equal(out_reason(&o), strerror(ENOENT));
	out_abort(&o);
	free(nowhere);
}

TEST(file_has_the_mode_that_umask_leaves)
{
	mode_t old = umask(027);
	struct outfile o;
	struct stat st;

	out_create(&o, path, false);
	assert_int_equal(out_commit(&o), ERR_NONE);
	umask(old);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0640);
}

/* A file size limit stands for a disk that is full. */
static void with_limit(rlim_t bytes, void (*fn)(void))
{
	struct rlimit old, limit;
	void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);

	assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
	limit = old;
	limit.rlim_cur = bytes;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	fn();
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
	signal(SIGXFSZ, handler);
}

static struct outfile result;
static enum err committed;

static void write_much(void)
{
	static const char block[4096];

	out_create(&result, path, true);
	for (int i = 0; i < 64; i++)
		out_write(&result, block, sizeof(block));
	committed = out_commit(&result);
}

/* Fails only when stdio's buffer is written, which is at the end. */
static void write_little(void)
{
	out_create(&result, path, true);
	out_printf(&result, "%0100d", 1);
	committed = out_commit(&result);
}

/* As other rooms do, which print to the file without looking. */
static void print_behind_its_back(void)
{
	out_create(&result, path, true);
	for (int i = 0; i < 10000; i++)
		fprintf(result.f, "%0100d", 1);
	committed = out_commit(&result);
}

static void print_and_go_on(void)
{
	out_create(&result, path, true);
	for (int i = 0; i < 10000; i++)
		fprintf(result.f, "%0100d", 1);
}

/* The disk had room again when the file was completed: a part is missing. */
TEST(failure_of_others_prints_is_remembered)
{
	with_limit(5000, print_and_go_on);
	assert_int_equal(out_commit(&result), ERR_IO);
	assert_int_equal(tmpdir_count(&dir), 0);
}

TEST(full_disk_leaves_nothing_behind)
{
	with_limit(100000, write_much);
	assert_int_equal(committed, ERR_IO);
	assert_string_equal(out_reason(&result), strerror(EFBIG));
	assert_int_equal(tmpdir_count(&dir), 0);
}

TEST(full_disk_at_the_last_flush_leaves_nothing_behind)
{
	with_limit(50, write_little);
	assert_int_equal(committed, ERR_IO);
	assert_int_equal(tmpdir_count(&dir), 0);
}

TEST(failure_of_others_prints_is_noticed)
{
	with_limit(5000, print_behind_its_back);
	assert_int_equal(committed, ERR_IO);
	assert_int_equal(tmpdir_count(&dir), 0);
}

TEST(full_disk_keeps_the_old_file)
{
	file_write(path, "old");
	with_limit(100000, write_much);
	assert_int_equal(committed, ERR_IO);
	assert_content("old");
	assert_int_equal(tmpdir_count(&dir), 1);
}

TEST(first_error_sticks)
{
	struct outfile o;

	out_create(&o, path, false);
	o.err = ERR_NOMEM;
	assert_int_equal(out_write(&o, "x", 1), ERR_NOMEM);
	assert_int_equal(out_printf(&o, "x"), ERR_NOMEM);
	assert_int_equal(out_uint(&o, 1, 8), ERR_NOMEM);
	assert_int_equal(out_patch(&o, 0, 1, 8), ERR_NOMEM);
	assert_int_equal(out_pos(&o), 0);
	assert_int_equal(out_commit(&o), ERR_NOMEM);
	assert_int_equal(tmpdir_count(&dir), 0);
}

TEST(numbers_strings_padding_and_patches_lie_where_they_should)
{
	static const uint8_t one = 0x11;
	static const uint16_t two = 0x2222;
	static const uint32_t four = 0x44444444, patched = 0xabcdef01;
	static const uint64_t eight = 0x8888888888888888ull;
	uint8_t want[24] = { 0 };
	struct outfile o;
	size_t len;
	char *got;

	out_create(&o, path, false);
	out_uint(&o, one, 1);
	out_uint(&o, two, 2);
	out_uint(&o, four, 4);
	out_uint(&o, eight, 8);
	assert_int_equal(out_pos(&o), 15);
	out_str(&o, "ab");
	out_pad(&o, 8);
	assert_int_equal(out_pos(&o), 24);
	out_pad(&o, 8);
	assert_int_equal(out_pos(&o), 24);
	out_patch(&o, 3, patched, 4);
	assert_int_equal(out_pos(&o), 24);
	out_write(&o, "end", 3);
	assert_int_equal(out_commit(&o), ERR_NONE);

	memcpy(want, &one, 1);
	memcpy(want + 1, &two, 2);
	memcpy(want + 3, &patched, 4);
	memcpy(want + 7, &eight, 8);
	memcpy(want + 15, "ab", 3);
	got = file_read(path, &len);
	assert_int_equal(len, 27);
	assert_memory_equal(got, want, 24);
	assert_memory_equal(got + 24, "end", 3);
	free(got);
}

TEST(padding_may_be_larger_than_a_page)
{
	struct outfile o;
	size_t len;
	char *got;

	out_create(&o, path, false);
	out_write(&o, "x", 1);
	out_pad(&o, 65536);
	assert_int_equal(out_commit(&o), ERR_NONE);
	got = file_read(path, &len);
	assert_int_equal(len, 65536);
	for (size_t i = 1; i < len; i++)
		assert_int_equal(got[i], 0);
	free(got);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(file_appears_when_it_is_complete),
		CASE(aborted_file_leaves_nothing),
		CASE(abort_after_commit_is_harmless),
		CASE(existing_file_is_refused),
		CASE(force_replaces_an_existing_file_only_at_the_end),
		CASE(force_and_abort_keep_the_old_file),
		CASE(name_taken_in_the_meantime_is_not_replaced),
		CASE(directory_is_never_replaced),
		CASE(link_is_never_replaced_nor_followed),
		CASE(dangling_link_is_not_replaced),
		CASE(fifo_is_never_replaced),
		CASE(device_is_never_replaced),
		CASE(directory_that_does_not_exist_is_told),
		CASE(file_has_the_mode_that_umask_leaves),
		CASE(full_disk_leaves_nothing_behind),
		CASE(full_disk_at_the_last_flush_leaves_nothing_behind),
		CASE(failure_of_others_prints_is_noticed),
		CASE(failure_of_others_prints_is_remembered),
		CASE(full_disk_keeps_the_old_file),
		CASE(first_error_sticks),
		CASE(numbers_strings_padding_and_patches_lie_where_they_should),
		CASE(padding_may_be_larger_than_a_page),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
