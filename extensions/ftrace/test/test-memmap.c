// SPDX-License-Identifier: GPL-2.0-or-later
/* Why the memory of a boot-mapped buffer is not in the dump. */
#include "ftrace/memmap.h"
#include "test/mock-vmcore.h"
#include "test/said.h"
#include "test/unit.h"

static struct mock *m;
static struct said said;
static struct ft_instance instance;

static void begin(const char *cmdline)
{
	uint64_t text, pointer;

	m = mock_create();
	said_init(&said);
	instance = (struct ft_instance){ .name = "boot_map" };
	instance.boot.range_start = mock_alloc(m, MOCK_PAGE, MOCK_PAGE);
	if (!cmdline)
		return;
	text = mock_str(m, cmdline);
	pointer = mock_alloc(m, MOCK_LONG, MOCK_LONG);
	mock_put_ulong(m, pointer, text);
	mock_symbol(m, "saved_command_line", pointer);
}

static void tell_missing(const char *cmdline)
{
	begin(cmdline);
	mock_hide(m, instance.boot.range_start, ERR_MISSING);
	ft_memmap_tell(&m->vm, &said.diag, &instance);
	mock_destroy(m);
}

TEST(memory_that_is_there_is_not_spoken_of)
{
	begin("trace_instance=boot_map@0x284500000:12M");
	ft_memmap_tell(&m->vm, &said.diag, &instance);
	assert_int_equal(said.lines, 0);
	mock_destroy(m);
}

TEST(memory_at_an_address_is_memmap)
{
	static const char *const cmdlines[] = {
		"memmap=12M$0x284500000 trace_instance=boot_map@0x284500000:12M",
		"trace_instance=boot_map^traceoff^traceprintk@0x1000:4K,sched",
		"trace_instance=other@trace trace_instance=boot_map@0x1000:4K quiet",
	};

	for (size_t i = 0; i < ARRAY_SIZE(cmdlines); i++) {
		tell_missing(cmdlines[i]);
		assert_true(said_has(&said, "memmap="));
		assert_true(said_has(&said, "reserve_mem="));
	}
}

TEST(memory_with_a_name_is_just_missing)
{
	static const char *const cmdlines[] = {
		"reserve_mem=12M:4096:trace trace_instance=boot_map@trace",
		"trace_instance=boot_map2@0x1000:4K trace_instance=boot_map@trace",
		"trace_instance=boot_map trace_instance=x@0x1000:4K",
		"",
		NULL,
	};

	for (size_t i = 0; i < ARRAY_SIZE(cmdlines); i++) {
		tell_missing(cmdlines[i]);
		assert_true(said_has(&said, "not in the dump"));
		assert_false(said_has(&said, "memmap="));
	}
}

TEST(flag_of_the_kernel_says_memmap)
{
	begin(NULL);
	instance.boot.memmap = true;
	mock_hide(m, instance.boot.range_start, ERR_MISSING);
	ft_memmap_tell(&m->vm, &said.diag, &instance);
	assert_true(said_has(&said, "memmap="));
	mock_destroy(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(memory_that_is_there_is_not_spoken_of),
		cmocka_unit_test(memory_at_an_address_is_memmap),
		cmocka_unit_test(memory_with_a_name_is_just_missing),
		cmocka_unit_test(flag_of_the_kernel_says_memmap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
