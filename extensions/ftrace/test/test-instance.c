// SPDX-License-Identifier: GPL-2.0-or-later
/* The list of trace arrays, and the choice among them. */
#include "ftrace/dump.h"
#include "test/mock-layout.h"
#include "test/ring-builder.h"
#include "test/said.h"
#include "test/unit.h"

#define WILD 0xdead000000000100ull
#define TR   "trace_array"

static struct mock *m;
static struct said said;
static struct ft_dump dump;
static struct ft_instances *ins = &dump.instances;
static uint64_t list;

static void begin_like(enum mock_kernel kernel)
{
	m = mock_create();
	mock_layout(m, kernel);
	said_init(&said);
	list = rb_trace_arrays_init(m);
	rb_trace_clocks(m);
}

static int setup(void **state)
{
	(void)state;
	begin_like(LIKE_6_12);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	ft_dump_deinit(&dump);
	mock_destroy(m);
	return 0;
}

static enum err init(void)
{
	return ft_dump_init(&dump, &m->vm, &said.diag);
}

TEST(top_instance_comes_first_then_in_order_of_creation)
{
	static const enum mock_kernel kernels[] = { LIKE_6_1, LIKE_6_12 };

	for (size_t i = 0; i < ARRAY_SIZE(kernels); i++) {
		teardown(NULL);
		begin_like(kernels[i]);
		rb_trace_array(m, list, NULL, 0x1000);
		rb_trace_array(m, list, "foo", 0x2000);
		rb_trace_array(m, list, "boot_map", 0x3000);
		assert_int_equal(init(), ERR_NONE);
		assert_int_equal(ins->count, 3);
		assert_string_equal(ins->instance[0].name, "");
		assert_string_equal(ft_instance_label(&ins->instance[0]), "top");
		assert_int_equal(ins->instance[0].buffer, 0x1000);
		assert_string_equal(ins->instance[1].name, "foo");
		assert_string_equal(ft_instance_label(&ins->instance[1]), "foo");
		assert_int_equal(ins->instance[1].buffer, 0x2000);
		assert_string_equal(ins->instance[2].name, "boot_map");
		assert_int_equal(ins->instance[2].buffer, 0x3000);
		assert_int_equal(ins->damaged, 0);
		assert_int_equal(said.lines, 0);
	}
}

TEST(top_instance_comes_first_wherever_it_stands)
{
	rb_trace_array(m, list, "before", 1);
	rb_trace_array(m, list, NULL, 2);
	rb_trace_array(m, list, "after", 3);
	assert_int_equal(init(), ERR_NONE);
	assert_int_equal(ins->count, 3);
	assert_string_equal(ins->instance[0].name, "");
	assert_int_equal(ins->instance[0].buffer, 2);
}

TEST(clock_and_its_unit_are_read)
{
	uint64_t tr = rb_trace_array(m, list, NULL, 0);

	mock_set(m, tr, TR, "clock_id", 2);
	tr = rb_trace_array(m, list, "x", 0);
	mock_set(m, tr, TR, "clock_id", 1);
	assert_int_equal(init(), ERR_NONE);
	assert_string_equal(ins->instance[0].clock, "x86-tsc");
	assert_false(ins->instance[0].clock_in_ns);
	assert_string_equal(ins->instance[1].clock, "global");
	assert_true(ins->instance[1].clock_in_ns);
}

TEST(unknown_clock_is_taken_for_local)
{
	uint64_t tr = rb_trace_array(m, list, NULL, 0);

	mock_set(m, tr, TR, "clock_id", 0x7fffffff);
	tr = rb_trace_array(m, list, "x", 0);
	mock_set(m, tr, TR, "clock_id", 31);
	assert_int_equal(init(), ERR_NONE);
	for (int i = 0; i < 2; i++) {
		assert_string_equal(ins->instance[i].clock, "local");
		assert_true(ins->instance[i].clock_in_ns);
	}
}

TEST(tracer_is_named)
{
	uint64_t tr = rb_trace_array(m, list, NULL, 0);
	uint64_t tracer = mock_alloc(m, 64, 8);

	mock_put_ulong(m, tracer, mock_str(m, "function_graph"));
	mock_set(m, tr, TR, "current_trace", tracer);
	tr = rb_trace_array(m, list, "x", 0);
	mock_set(m, tr, TR, "current_trace", WILD);
	assert_int_equal(init(), ERR_NONE);
	assert_string_equal(ins->instance[0].tracer, "function_graph");
	assert_string_equal(ins->instance[1].tracer, "?");
}

TEST(instance_whose_name_cannot_be_read_is_skipped_and_told)
{
	uint64_t tr;

	rb_trace_array(m, list, NULL, 1);
	tr = rb_trace_array(m, list, "x", 2);
	rb_trace_array(m, list, "y", 3);
	mock_set(m, tr, TR, "name", WILD);
	assert_int_equal(init(), ERR_NONE);
	assert_int_equal(ins->count, 2);
	assert_string_equal(ins->instance[1].name, "y");
	assert_int_equal(ins->damaged, 1);
	assert_true(said_has(&said, "trace_array"));
}

TEST(name_that_no_terminal_should_see_is_damage)
{
	rb_trace_array(m, list, NULL, 1);
	rb_trace_array(m, list, "\033[2J", 2);
	rb_trace_array(m, list, "", 3);
	assert_int_equal(init(), ERR_NONE);
	assert_int_equal(ins->count, 1);
	assert_int_equal(ins->damaged, 2);
}

TEST(list_bent_into_a_cycle_gives_each_instance_once)
{
	uint64_t first = rb_trace_array(m, list, NULL, 1);
	uint64_t last;

	rb_trace_array(m, list, "x", 2);
	last = rb_trace_array(m, list, "y", 3);
	/* "first" was created first, and stands last. */
	mock_put_ulong(m, mock_field(m, first, TR, "list"),
		       mock_field(m, last, TR, "list"));
	assert_int_equal(init(), ERR_NONE);
	assert_int_equal(ins->count, 3);
	assert_int_equal(ins->damaged, 1);
	assert_in_range(m->reads, 1, 100);
}

TEST(list_torn_one_way_is_walked_the_other_way)
{
	uint64_t tr;

	rb_trace_array(m, list, NULL, 1);
	tr = rb_trace_array(m, list, "x", 2);
	rb_trace_array(m, list, "y", 3);
	mock_put_ulong(m, mock_field(m, tr, TR, "list"), WILD);
	assert_int_equal(init(), ERR_NONE);
	assert_int_equal(ins->count, 3);
	assert_in_range(ins->damaged, 1, 2);
	assert_true(said_has(&said, "ends early"));
}

TEST(instance_that_lost_its_name_does_not_pass_for_the_top_one)
{
	uint64_t top = rb_trace_array(m, list, NULL, 1);

	rb_trace_array(m, list, NULL, 2);
	mock_symbol(m, "global_trace", top);
	assert_int_equal(init(), ERR_NONE);
	assert_int_equal(ins->count, 2);
	assert_string_equal(ins->instance[0].name, "");
	assert_int_equal(ins->instance[0].buffer, 1);
	assert_int_equal(strncmp(ins->instance[1].name, "unnamed-", 8), 0);
	assert_int_equal(ins->damaged, 1);
}

TEST(running_kernel_is_read_with_a_warning)
{
	rb_trace_array(m, list, NULL, 1);
	assert_int_equal(init(), ERR_NONE);
	assert_int_equal(said.lines, 0);
	ft_dump_deinit(&dump);
	m->vm.live = true;
	assert_int_equal(init(), ERR_NONE);
	assert_int_equal(ins->count, 1);
	assert_int_equal(said.lines, 1);
	assert_true(said_has(&said, "trace-cmd extract"));
}

TEST(kernel_without_tracing_is_not_supported)
{
	mock_forget_symbol(m, "ftrace_trace_arrays");
	assert_int_equal(init(), ERR_UNSUPPORTED);
	assert_true(said_has(&said, "CONFIG_TRACING"));
}

/* A snapshot of 2 CPUs, of which one holds @events. */
static uint64_t snapshot_buffer(uint64_t events)
{
	struct rb_buffer b;
	struct rb_cpu c;

	rb_buffer_init(&b, m, 2, 0);
	rb_cpu_init(&c, &b, 1, 2);
	rb_set(&c, "entries", events);
	return b.addr;
}

TEST(snapshot_that_was_asked_for_or_holds_something_follows_its_instance)
{
	uint64_t top, y, z;

	top = rb_trace_array(m, list, NULL, 1);
	rb_trace_array(m, list, "x", 2);
	y = rb_trace_array(m, list, "y", 3);
	z = rb_trace_array(m, list, "z", 4);
	rb_snapshot(m, top, snapshot_buffer(0), true);
	rb_snapshot(m, y, snapshot_buffer(0), false);
	/* Its flag is damaged. */
	rb_snapshot(m, z, snapshot_buffer(3), false);
	assert_int_equal(init(), ERR_NONE);
	assert_int_equal(ins->count, 6);
	assert_string_equal(ft_instance_label(&ins->instance[0]), "top");
	assert_string_equal(ins->instance[1].name, "top@snapshot");
	assert_true(ins->instance[1].snapshot_allocated);
	assert_true(ins->instance[1].selected);
	assert_string_equal(ins->instance[2].name, "x");
	assert_string_equal(ins->instance[3].name, "y");
	assert_string_equal(ins->instance[4].name, "z");
	assert_int_equal(ins->instance[4].buffer, 4);
	assert_string_equal(ins->instance[5].name, "z@snapshot");
	assert_int_not_equal(ins->instance[5].buffer, 4);
	assert_int_equal(said.lines, 0);
}

TEST(snapshot_buffer_is_the_same_under_its_new_name)
{
	uint64_t tr;

	mock_forget_member(m, TR, "max_buffer");
	mock_member(m, TR, "snapshot_buffer", 80, 40);
	rb_trace_array(m, list, NULL, 1);
	tr = rb_trace_array(m, list, "x", 2);
	rb_snapshot(m, tr, snapshot_buffer(0), true);
	assert_int_equal(init(), ERR_NONE);
	assert_int_equal(ins->count, 3);
	assert_string_equal(ins->instance[2].name, "x@snapshot");
}

TEST(kernel_without_snapshots_has_none)
{
	mock_forget_member(m, TR, "max_buffer");
	mock_forget_member(m, TR, "allocated_snapshot");
	rb_trace_array(m, list, NULL, 1);
	assert_int_equal(init(), ERR_NONE);
	assert_int_equal(ins->count, 1);
}

TEST(snapshot_that_cannot_be_read_is_not_taken_for_an_empty_one)
{
	uint64_t tr = rb_trace_array(m, list, NULL, 1);

	rb_snapshot(m, tr, WILD, false);
	assert_int_equal(init(), ERR_NONE);
	assert_int_equal(ins->count, 2);
	assert_string_equal(ins->instance[1].name, "top@snapshot");
}

TEST(instance_is_selected_without_its_snapshot_and_the_other_way_round)
{
	char live[] = "top", both[] = "top@snapshot,top",
	     snap[] = "top@snapshot";
	const char *unknown = NULL;
	uint64_t tr = rb_trace_array(m, list, NULL, 1);

	rb_snapshot(m, tr, snapshot_buffer(1), true);
	assert_int_equal(init(), ERR_NONE);
	assert_int_equal(ft_dump_select(&dump, live, &unknown), ERR_NONE);
	assert_true(ins->instance[0].selected);
	assert_false(ins->instance[1].selected);
	assert_int_equal(ft_dump_select(&dump, snap, &unknown), ERR_NONE);
	assert_false(ins->instance[0].selected);
	assert_true(ins->instance[1].selected);
	assert_int_equal(ft_dump_select(&dump, both, &unknown), ERR_NONE);
	assert_true(ins->instance[0].selected);
	assert_true(ins->instance[1].selected);
}

static void three_instances(void)
{
	rb_trace_array(m, list, NULL, 1);
	rb_trace_array(m, list, "foo", 2);
	rb_trace_array(m, list, "bar", 3);
	assert_int_equal(init(), ERR_NONE);
}

TEST(all_instances_are_selected_at_first)
{
	three_instances();
	for (int i = 0; i < 3; i++)
		assert_true(ins->instance[i].selected);
}

TEST(instances_are_selected_by_name)
{
	const char *unknown = NULL;
	char names[] = "bar,top";

	three_instances();
	assert_int_equal(ft_dump_select(&dump, names, &unknown), ERR_NONE);
	assert_true(ins->instance[0].selected);
	assert_false(ins->instance[1].selected);
	assert_true(ins->instance[2].selected);
	assert_null(unknown);
}

TEST(unknown_instance_is_named)
{
	const char *unknown = NULL;
	char names[] = "foo,nope,bar";

	three_instances();
	assert_int_equal(ft_dump_select(&dump, names, &unknown), ERR_BAD_DATA);
	assert_string_equal(unknown, "nope");
}

TEST(cpus_are_chosen_by_their_bits)
{
	unsigned long bits[2] = { 1ul << 0 | 1ul << 3, 1ul << 1 };

	three_instances();
	assert_true(ft_dump_wants_cpu(&dump, 7));
	dump.cpu_bits = bits;
	dump.nr_cpu_bits = 66;
	assert_true(ft_dump_wants_cpu(&dump, 0));
	assert_false(ft_dump_wants_cpu(&dump, 1));
	assert_true(ft_dump_wants_cpu(&dump, 3));
	assert_true(ft_dump_wants_cpu(&dump, 65));
	assert_false(ft_dump_wants_cpu(&dump, 66));
	assert_false(ft_dump_wants_cpu(&dump, 1000000));
	dump.cpu_bits = NULL;
}

/* As the kernel's ns2usecs() and trace-cmd do. */
TEST(times_are_rounded_to_microseconds)
{
	const struct ft_instance ns = { .clock_in_ns = true };
	const struct ft_instance ticks = { .clock_in_ns = false };
	char buf[32];

	ft_instance_time(&ns, 3252902499ull, buf, sizeof(buf));
	assert_string_equal(buf, "3.252902");
	ft_instance_time(&ns, 3252902500ull, buf, sizeof(buf));
	assert_string_equal(buf, "3.252903");
	ft_instance_time(&ns, 9999999999ull, buf, sizeof(buf));
	assert_string_equal(buf, "10.000000");
	ft_instance_time(&ns, UINT64_MAX, buf, sizeof(buf));
	assert_string_equal(buf, "18446744073.709552");
	ft_instance_time(&ticks, 1234567, buf, sizeof(buf));
	assert_string_equal(buf, "1234567");
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(top_instance_comes_first_then_in_order_of_creation),
		CASE(top_instance_comes_first_wherever_it_stands),
		CASE(clock_and_its_unit_are_read),
		CASE(unknown_clock_is_taken_for_local),
		CASE(tracer_is_named),
		CASE(instance_whose_name_cannot_be_read_is_skipped_and_told),
		CASE(name_that_no_terminal_should_see_is_damage),
		CASE(list_bent_into_a_cycle_gives_each_instance_once),
		CASE(list_torn_one_way_is_walked_the_other_way),
		CASE(instance_that_lost_its_name_does_not_pass_for_the_top_one),
		CASE(running_kernel_is_read_with_a_warning),
		CASE(kernel_without_tracing_is_not_supported),
		CASE(snapshot_that_was_asked_for_or_holds_something_follows_its_instance),
		CASE(snapshot_buffer_is_the_same_under_its_new_name),
		CASE(kernel_without_snapshots_has_none),
		CASE(snapshot_that_cannot_be_read_is_not_taken_for_an_empty_one),
		CASE(instance_is_selected_without_its_snapshot_and_the_other_way_round),
		CASE(all_instances_are_selected_at_first),
		CASE(instances_are_selected_by_name),
		CASE(unknown_instance_is_named),
		CASE(cpus_are_chosen_by_their_bits),
		CASE(times_are_rounded_to_microseconds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
