// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ft_ring_open() and ft_ring_walk() on rings that are whole: order, what a
 * reader has consumed, marks of lost events, counters. test-ring-damage.c has
 * the others.
 */
#include "ftrace/ring.h"
#include "test/ring-walk.h"
#include "test/unit.h"

#define TS 1000000000ull

TEST(sub_buffer_size_comes_from_the_order)
{
	struct ring_fixture *f = ring_begin(LIKE_6_12, 4, 2);

	assert_int_equal(ring_open(f), ERR_NONE);
	assert_int_equal(f->ring.subbuf_size, MOCK_PAGE << 2);
	assert_int_equal(f->ring.nr_cpus, 4);
	assert_false(f->ring.boot_mapped);
	ring_end(f);
}

TEST(kernel_without_orders_has_sub_buffers_of_a_page)
{
	struct ring_fixture *f = ring_begin(LIKE_6_1, 3, 0);

	assert_int_equal(ring_open(f), ERR_NONE);
	assert_int_equal(f->ring.subbuf_size, MOCK_PAGE);
	assert_int_equal(f->ring.nr_cpus, 3);
	ring_end(f);
}

TEST(boot_mapped_buffer_is_recognised)
{
	struct ring_fixture *f = ring_begin(LIKE_6_12, 1, 0);

	mock_set(f->m, f->buffer.addr, "trace_buffer", "range_addr_start",
		 0xffffc90000000000ull);
	assert_int_equal(ring_open(f), ERR_NONE);
	assert_true(f->ring.boot_mapped);
	ring_end(f);
}

TEST(cpu_that_never_came_up_is_not_present)
{
	struct ring_fixture *f = ring_begin(LIKE_6_12, 4, 0);
	struct rb_cpu c;

	rb_cpu_init(&c, &f->buffer, 2, 3);
	rb_fill(&c, 0, TS, 1, 1, 2);
	assert_int_equal(ring_open(f), ERR_NONE);
	for (uint32_t cpu = 0; cpu < 4; cpu++) {
		assert_int_equal(ring_walk(f, cpu), ERR_NONE);
		assert_int_equal(f->stats.present, cpu == 2);
		assert_int_equal(f->stats.events, cpu == 2 ? 2 : 0);
		assert_false(f->stats.broken);
	}
	assert_int_equal(f->said.lines, 0);
	ring_end(f);
}

TEST(empty_ring_gives_no_page)
{
	struct ring_fixture *f = ring_begin(LIKE_6_12, 1, 0);
	struct rb_cpu c;

	rb_cpu_init(&c, &f->buffer, 0, 3);
	assert_int_equal(ring_open_and_walk(f, 0), ERR_NONE);
	assert_true(f->stats.present);
	assert_int_equal(f->nr_pages, 0);
	assert_int_equal(f->said.lines, 0);
	ring_end(f);
}

/* Reader page, then head (page 2) to commit (page 0 of 4). */
static void build_wrapped(struct rb_cpu *c, struct rb_buffer *b)
{
	rb_cpu_init(c, b, 0, 4);
	rb_fill(c, RB_READER, TS, 10, 1, 3);
	rb_fill(c, 2, TS + 1000, 10, 4, 2);
	rb_fill(c, 3, TS + 2000, 10, 6, 4);
	rb_fill(c, 0, TS + 3000, 10, 10, 1);
	rb_set_head(c, 2);
	rb_set_commit(c, 0);
	/* Stale: what the writer has not reached yet. */
	rb_fill(c, 1, TS - 5000, 10, 900, 3);
}

static void assert_wrapped(struct ring_fixture *f)
{
	ring_assert_ids(f, IDS(1, 2, 3, 4, 5, 6, 7, 8, 9, 10));
	assert_int_equal(f->event[0].ts, TS);
	assert_int_equal(f->event[2].ts, TS + 20);
	assert_int_equal(f->event[3].ts, TS + 1000);
	assert_int_equal(f->event[9].ts, TS + 3000);
	for (int i = 0; i < 10; i++)
		assert_int_equal(f->event[i].missed, 0);
	assert_int_equal(f->stats.pages, 4);
	assert_int_equal(f->stats.events, 10);
	assert_int_equal(f->stats.first_ts, TS);
	assert_int_equal(f->stats.last_ts, TS + 3000);
	assert_int_equal(f->stats.torn + f->stats.missing, 0);
	assert_false(f->stats.broken);
	assert_int_equal(f->said.lines, 0);
}

TEST(reader_page_comes_first_then_head_to_commit)
{
	static const enum mock_kernel kernels[] = { LIKE_6_1, LIKE_6_12 };

	for (size_t i = 0; i < ARRAY_SIZE(kernels); i++) {
		struct ring_fixture *f = ring_begin(kernels[i], 1, 0);
		struct rb_cpu c;

		build_wrapped(&c, &f->buffer);
		assert_int_equal(ring_open_and_walk(f, 0), ERR_NONE);
		assert_wrapped(f);
		ring_end(f);
	}
}

TEST(large_sub_buffers_are_read_whole)
{
	struct ring_fixture *f = ring_begin(LIKE_6_12, 1, 2);
	struct rb_cpu c;

	rb_cpu_init(&c, &f->buffer, 0, 3);
	/* 600 events of 16 bytes do not fit into one page. */
	rb_fill(&c, 0, TS, 1, 1, 600);
	assert_int_equal(ring_open_and_walk(f, 0), ERR_NONE);
	assert_int_equal(f->nr_events, 600);
	assert_int_equal(f->event[599].id, 600);
	ring_end(f);
}

TEST(flag_in_the_link_tells_the_head_not_the_stale_head_page)
{
	struct ring_fixture *f = ring_begin(LIKE_6_12, 1, 0);
	struct rb_cpu c;

	build_wrapped(&c, &f->buffer);
	/* A writer pushed the head on, head_page is still at page 1. */
	rb_set_head(&c, 1);
	rb_set_head_flag(&c, 2);
	assert_int_equal(ring_open_and_walk(f, 0), ERR_NONE);
	assert_wrapped(f);
	ring_end(f);
}

TEST(head_being_moved_is_still_the_head)
{
	struct ring_fixture *f = ring_begin(LIKE_6_12, 1, 0);
	struct rb_cpu c;

	build_wrapped(&c, &f->buffer);
	rb_set(&c, "head_page", c.page[1].bpage);
	/* Flag 2: the writer is at it. */
	mock_put_ulong(f->m, rb_link(&c, 1), rb_link(&c, 2) | 2);
	assert_int_equal(ring_open_and_walk(f, 0), ERR_NONE);
	assert_wrapped(f);
	ring_end(f);
}

TEST(without_a_flag_head_page_must_do)
{
	struct ring_fixture *f = ring_begin(LIKE_6_12, 1, 0);
	struct rb_cpu c;

	build_wrapped(&c, &f->buffer);
	rb_set_head_flag(&c, -1);
	assert_int_equal(ring_open_and_walk(f, 0), ERR_NONE);
	assert_wrapped(f);
	ring_end(f);
}

TEST(reader_on_the_commit_page_is_all_there_is)
{
	struct ring_fixture *f = ring_begin(LIKE_6_12, 1, 0);
	struct rb_cpu c;

	rb_cpu_init(&c, &f->buffer, 0, 3);
	rb_fill(&c, RB_READER, TS, 1, 1, 4);
	rb_set_commit(&c, RB_READER);
	/* What was there before: later in the ring, earlier in time. */
	rb_fill(&c, 0, TS - 1000, 1, 900, 4);
	assert_int_equal(ring_open_and_walk(f, 0), ERR_NONE);
	ring_assert_ids(f, IDS(1, 2, 3, 4));
	assert_int_equal(f->stats.pages, 1);
	ring_end(f);
}

TEST(consumed_part_of_the_reader_page_is_left_out)
{
	struct ring_fixture *f = ring_begin(LIKE_6_12, 1, 0);
	struct rb_cpu c;

	build_wrapped(&c, &f->buffer);
	rb_set_read(&c, RB_READER, 2 * 16);
	assert_int_equal(ring_open_and_walk(f, 0), ERR_NONE);
	ring_assert_ids(f, IDS(3, 4, 5, 6, 7, 8, 9, 10));
	assert_int_equal(f->event[0].ts, TS + 20);
	assert_int_equal(f->stats.events, 8);
	assert_int_equal(f->stats.torn, 0);
	ring_end(f);
}

TEST(reader_page_consumed_whole_is_no_page)
{
	struct ring_fixture *f = ring_begin(LIKE_6_12, 1, 0);
	struct rb_cpu c;

	build_wrapped(&c, &f->buffer);
	rb_set_read(&c, RB_READER, 3 * 16);
	assert_int_equal(ring_open_and_walk(f, 0), ERR_NONE);
	ring_assert_ids(f, IDS(4, 5, 6, 7, 8, 9, 10));
	assert_int_equal(f->stats.pages, 3);
	assert_int_equal(f->stats.torn, 0);
	ring_end(f);
}

/*
 * A page that was the reader page keeps its "read" when it goes back into the
 * ring, and the writer does not reset it (rb_get_reader_page(),
 * rb_tail_page_update()). It means something for the reader page only.
 */
TEST(reading_position_of_a_page_in_the_ring_is_stale)
{
	static const uint32_t stale[] = { 16, 2 * 16, 17, 4000 };

	for (size_t i = 0; i < ARRAY_SIZE(stale); i++) {
		struct ring_fixture *f = ring_begin(LIKE_6_12, 1, 0);
		struct rb_cpu c;

		build_wrapped(&c, &f->buffer);
		rb_set_read(&c, 2, stale[i]);
		assert_int_equal(ring_open_and_walk(f, 0), ERR_NONE);
		assert_wrapped(f);
		ring_end(f);
	}
}

TEST(events_lost_before_the_reader_page_are_marked_there)
{
	struct ring_fixture *f = ring_begin(LIKE_6_12, 1, 0);
	struct rb_cpu c;

	build_wrapped(&c, &f->buffer);
	rb_set(&c, "lost_events", 321);
	assert_int_equal(ring_open_and_walk(f, 0), ERR_NONE);
	assert_int_equal(f->event[0].missed, 321);
	for (int i = 1; i < 10; i++)
		assert_int_equal(f->event[i].missed, 0);
	ring_end(f);
}

TEST(events_overwritten_behind_the_reader_page_are_marked_at_the_head)
{
	struct ring_fixture *f = ring_begin(LIKE_6_12, 1, 0);
	struct rb_cpu c;

	build_wrapped(&c, &f->buffer);
	rb_set(&c, "overrun", 1050);
	rb_set(&c, "last_overrun", 1000);
	assert_int_equal(ring_open_and_walk(f, 0), ERR_NONE);
	assert_int_equal(f->event[0].missed, 0);
	assert_int_equal(f->event[3].id, 4);
	assert_int_equal(f->event[3].missed, 50);
	assert_int_equal(f->event[5].missed, 0);
	ring_end(f);
}

TEST(loss_before_a_consumed_reader_page_moves_to_the_next)
{
	struct ring_fixture *f = ring_begin(LIKE_6_12, 1, 0);
	struct rb_cpu c;

	build_wrapped(&c, &f->buffer);
	rb_set_read(&c, RB_READER, 3 * 16);
	rb_set(&c, "overrun", 7);
	assert_int_equal(ring_open_and_walk(f, 0), ERR_NONE);
	assert_int_equal(f->event[0].id, 4);
	assert_int_equal(f->event[0].missed, 7);
	ring_end(f);
}

TEST(counters_are_those_of_the_stats_file)
{
	static const enum mock_kernel kernels[] = { LIKE_6_1, LIKE_6_12 };

	for (size_t i = 0; i < ARRAY_SIZE(kernels); i++) {
		struct ring_fixture *f = ring_begin(kernels[i], 1, 0);
		struct rb_cpu c;

		build_wrapped(&c, &f->buffer);
		rb_set(&c, "entries", 1000);
		rb_set(&c, "overrun", 300);
		rb_set(&c, "last_overrun", 300);
		rb_set(&c, "read", 40);
		rb_set(&c, "entries_bytes", 50000);
		rb_set(&c, "read_bytes", 1234);
		rb_set(&c, "commit_overrun", 5);
		rb_set(&c, "dropped_events", 6);
		assert_int_equal(ring_open_and_walk(f, 0), ERR_NONE);
		assert_int_equal(f->stats.entries, 1000 - 300 - 40);
		assert_int_equal(f->stats.overrun, 300);
		assert_int_equal(f->stats.read, 40);
		assert_int_equal(f->stats.bytes, 50000 - 1234);
		assert_int_equal(f->stats.commit_overrun, 5);
		assert_int_equal(f->stats.dropped, 6);
		ring_end(f);
	}
}

TEST(receivers_failure_ends_the_walk)
{
	struct ring_fixture *f = ring_begin(LIKE_6_12, 1, 0);
	struct rb_cpu c;

	build_wrapped(&c, &f->buffer);
	f->answer = ERR_IO;
	assert_int_equal(ring_open_and_walk(f, 0), ERR_IO);
	assert_int_equal(f->nr_pages, 1);
	ring_end(f);
}

TEST(walk_ends_when_the_user_interrupts)
{
	struct ring_fixture *f = ring_begin(LIKE_6_12, 1, 0);
	struct rb_cpu c;

	build_wrapped(&c, &f->buffer);
	f->m->interrupt = true;
	f->m->polls_before_interrupt = 1;
	assert_int_equal(ring_open_and_walk(f, 0), ERR_INTERRUPTED);
	ring_end(f);
}

TEST(healthy_ring_is_read_about_once)
{
	struct ring_fixture *f = ring_begin(LIKE_6_12, 1, 0);
	struct rb_cpu c;

	build_wrapped(&c, &f->buffer);
	assert_int_equal(ring_open(f), ERR_NONE);
	f->m->reads = 0;
	assert_int_equal(ring_walk(f, 0), ERR_NONE);
	/* Pointer, ring_buffer_per_cpu, two for each page, two for the head. */
	assert_in_range(f->m->reads, 1, 2 + 2 * 4 + 2);
	ring_end(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sub_buffer_size_comes_from_the_order),
		cmocka_unit_test(kernel_without_orders_has_sub_buffers_of_a_page),
		cmocka_unit_test(boot_mapped_buffer_is_recognised),
		cmocka_unit_test(cpu_that_never_came_up_is_not_present),
		cmocka_unit_test(empty_ring_gives_no_page),
		cmocka_unit_test(reader_page_comes_first_then_head_to_commit),
		cmocka_unit_test(large_sub_buffers_are_read_whole),
		cmocka_unit_test(
			flag_in_the_link_tells_the_head_not_the_stale_head_page),
		cmocka_unit_test(head_being_moved_is_still_the_head),
		cmocka_unit_test(without_a_flag_head_page_must_do),
		cmocka_unit_test(reader_on_the_commit_page_is_all_there_is),
		cmocka_unit_test(consumed_part_of_the_reader_page_is_left_out),
		cmocka_unit_test(reader_page_consumed_whole_is_no_page),
		cmocka_unit_test(reading_position_of_a_page_in_the_ring_is_stale),
		cmocka_unit_test(
			events_lost_before_the_reader_page_are_marked_there),
		cmocka_unit_test(
			events_overwritten_behind_the_reader_page_are_marked_at_the_head),
		cmocka_unit_test(
			loss_before_a_consumed_reader_page_moves_to_the_next),
		cmocka_unit_test(counters_are_those_of_the_stats_file),
		cmocka_unit_test(receivers_failure_ends_the_walk),
		cmocka_unit_test(walk_ends_when_the_user_interrupts),
		cmocka_unit_test(healthy_ring_is_read_about_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
