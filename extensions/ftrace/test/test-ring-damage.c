// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ft_ring_open() and ft_ring_walk() on damaged rings: what is sound comes
 * through, the rest is told and counted, and the work stays bounded.
 */
#include "ftrace/ring.h"
#include "test/ring-walk.h"
#include "test/unit.h"

#define TS 1000000000ull
/* Reads that a ring of 8 pages may cost, whatever is wrong with it. */
#define BOUND	 200
#define NR_PAGES 8
#define WILD	 0xdead000000000100ull

/* Reader page with event 1, pages 0..7 with events 2..9; all whole. */
static struct ring_fixture *begin(struct rb_cpu *c)
{
	struct ring_fixture *f = ring_begin(LIKE_6_12, 1, 0);

	rb_cpu_init(c, &f->buffer, 0, NR_PAGES);
	/* The data pages lie apart, so that one can be missing alone. */
	rb_fill(c, RB_READER, TS, 1, 1, 1);
	for (int i = 0; i < NR_PAGES; i++)
		rb_fill(c, i, TS + 100ull * (i + 1), 1, 2 + i, 1);
	rb_set_commit(c, NR_PAGES - 1);
	return f;
}

static void walk_bounded(struct ring_fixture *f)
{
	assert_int_equal(ring_open(f), ERR_NONE);
	f->m->reads = 0;
	assert_int_equal(ring_walk(f, 0), ERR_NONE);
	assert_in_range(f->m->reads, 1, BOUND);
}

/* Move the struct buffer_page of page @i into a page of its own. */
static void isolate(struct rb_cpu *c, int i)
{
	uint64_t at = mock_alloc_page(c->m);
	uint64_t old = c->page[i].bpage;
	int prev = (i + c->nr_pages - 1) % c->nr_pages;
	int next = (i + 1) % c->nr_pages;

	memcpy(mock_ptr(c->m, at), mock_ptr(c->m, old), 64);
	c->page[i].bpage = at;
	mock_put_ulong(c->m, rb_link(c, prev), rb_link(c, i));
	mock_put_ulong(c->m, rb_link(c, next) + MOCK_LONG, rb_link(c, i));
	mock_alloc_page(c->m);
}

TEST(data_page_that_is_not_in_the_dump_is_counted_and_marked)
{
	struct rb_cpu c;
	struct ring_fixture *f = begin(&c);

	mock_hide(f->m, c.page[3].data, ERR_MISSING);
	walk_bounded(f);
	ring_assert_ids(f, IDS(1, 2, 3, 4, 6, 7, 8, 9));
	assert_int_equal(f->stats.missing, 1);
	assert_int_equal(f->stats.torn, 0);
	assert_false(f->stats.broken);
	assert_int_equal(f->event[3].missed, 0);
	assert_int_equal(f->event[4].missed, -1);
	assert_int_equal(f->event[5].missed, 0);
	assert_true(said_has(&f->said, "test: CPU 0"));
	assert_true(said_has(&f->said, err_str(ERR_MISSING)));
	ring_end(f);
}

TEST(torn_page_is_counted_and_marked)
{
	struct rb_cpu c;
	struct ring_fixture *f = begin(&c);
	struct page_builder pb;

	rb_write(&c, &pb, 5, TS + 600);
	pb_commit_raw(&pb, 0x12345);
	walk_bounded(f);
	ring_assert_ids(f, IDS(1, 2, 3, 4, 5, 6, 8, 9));
	assert_int_equal(f->stats.torn, 1);
	assert_int_equal(f->stats.missing, 0);
	assert_int_equal(f->event[6].missed, -1);
	assert_int_equal(f->said.lines, 1);
	ring_end(f);
}

TEST(ring_whose_pointer_is_gone_is_missed)
{
	struct rb_cpu c;
	struct ring_fixture *f = begin(&c);

	mock_put_ulong(f->m, f->buffer.cpus, 0);
	walk_bounded(f);
	assert_true(f->stats.present);
	assert_true(f->stats.broken);
	assert_int_equal(f->nr_events, 0);
	ring_end(f);
}

TEST(mask_of_many_cpus_lies_elsewhere)
{
	struct rb_cpu c;
	struct ring_fixture *f = begin(&c);
	uint64_t mask = mock_alloc(f->m, MOCK_LONG, MOCK_LONG);

	mock_set(f->m, f->buffer.addr, "trace_buffer", "cpumask", mask);
	mock_put_ulong(f->m, f->buffer.cpus, 0);
	walk_bounded(f);
	assert_false(f->stats.present);
	mock_put_ulong(f->m, mask, 1);
	walk_bounded(f);
	assert_true(f->stats.broken);
	ring_end(f);
}

TEST(page_stamped_out_of_order_is_counted_as_torn)
{
	struct rb_cpu c;
	struct ring_fixture *f = begin(&c);

	rb_fill(&c, 4, TS + 999999, 1, 6, 1);
	walk_bounded(f);
	ring_assert_ids(f, IDS(1, 2, 3, 4, 5, 7, 8, 9));
	assert_int_equal(f->stats.torn, 1);
	assert_int_equal(f->event[5].missed, -1);
	assert_true(said_has(&f->said, "time contradicts"));
	ring_end(f);
}

TEST(high_stamp_before_the_last_page_is_found_by_the_write_stamp)
{
	struct rb_cpu c;
	struct ring_fixture *f = begin(&c);

	rb_fill(&c, NR_PAGES - 2, TS + 999999, 1, 8, 1);
	rb_set(&c, "write_stamp", TS + 100ull * NR_PAGES);
	walk_bounded(f);
	ring_assert_ids(f, IDS(1, 2, 3, 4, 5, 6, 7, 9));
	ring_end(f);
}

TEST(page_marked_by_the_kernel_as_discarded_marks_the_next)
{
	struct rb_cpu c;
	struct ring_fixture *f = begin(&c);
	struct page_builder pb;

	rb_write(&c, &pb, 2, TS + 300);
	pb_commit_raw(&pb, PB_MISSED);
	walk_bounded(f);
	ring_assert_ids(f, IDS(1, 2, 3, 5, 6, 7, 8, 9));
	assert_int_equal(f->event[3].missed, -1);
	assert_int_equal(f->stats.torn, 0);
	ring_end(f);
}

TEST(reading_position_off_the_borders_costs_the_reader_page_only)
{
	struct rb_cpu c;
	struct ring_fixture *f = begin(&c);

	rb_set_read(&c, RB_READER, 5);
	walk_bounded(f);
	ring_assert_ids(f, IDS(2, 3, 4, 5, 6, 7, 8, 9));
	assert_int_equal(f->stats.torn, 1);
	assert_int_equal(f->event[0].missed, -1);
	ring_end(f);
}

TEST(unreadable_buffer_page_is_passed_from_behind)
{
	struct rb_cpu c;
	struct ring_fixture *f = begin(&c);

	isolate(&c, 3);
	mock_hide(f->m, c.page[3].bpage, ERR_MISSING);
	walk_bounded(f);
	ring_assert_ids(f, IDS(1, 2, 3, 4, 6, 7, 8, 9));
	assert_true(f->stats.broken);
	assert_int_equal(f->stats.torn, 0);
	assert_int_equal(f->event[4].missed, -1);
	ring_end(f);
}

TEST(wild_next_pointer_is_passed_from_behind)
{
	struct rb_cpu c;
	struct ring_fixture *f = begin(&c);

	mock_put_ulong(f->m, rb_link(&c, 3), WILD);
	walk_bounded(f);
	ring_assert_ids(f, IDS(1, 2, 3, 4, 5, 6, 7, 8, 9));
	assert_true(f->stats.broken);
	assert_int_equal(f->stats.torn, 0);
	ring_end(f);
}

TEST(next_pointer_that_skips_pages_is_mended)
{
	struct rb_cpu c;
	struct ring_fixture *f = begin(&c);

	mock_put_ulong(f->m, rb_link(&c, 2), c.page[5].bpage);
	walk_bounded(f);
	ring_assert_ids(f, IDS(1, 2, 3, 4, 5, 6, 7, 8, 9));
	assert_true(f->stats.broken);
	assert_int_equal(f->stats.torn, 0);
	ring_end(f);
}

TEST(next_pointer_that_leads_back_is_mended)
{
	struct rb_cpu c;
	struct ring_fixture *f = begin(&c);

	mock_put_ulong(f->m, rb_link(&c, 4), c.page[1].bpage);
	walk_bounded(f);
	ring_assert_ids(f, IDS(1, 2, 3, 4, 5, 6, 7, 8, 9));
	assert_true(f->stats.broken);
	assert_int_equal(f->stats.torn, 0);
	ring_end(f);
}

/* Each of them makes the walk look for a better one, but not for ever. */
TEST(wild_prev_pointers_cost_nothing)
{
	struct rb_cpu c;
	struct ring_fixture *f = begin(&c);

	for (int i = 0; i < NR_PAGES; i++)
		mock_put_ulong(f->m, rb_link(&c, i) + 8, WILD);
	walk_bounded(f);
	ring_assert_ids(f, IDS(1, 2, 3, 4, 5, 6, 7, 8, 9));
	assert_int_equal(f->stats.torn, 0);
	ring_end(f);
}

/* commit is the second word of a data page. */
TEST(page_that_was_emptied_counts_as_torn)
{
	struct rb_cpu c;
	struct ring_fixture *f = begin(&c);

	mock_put_ulong(f->m, c.page[3].data + 8, 0);
	walk_bounded(f);
	ring_assert_ids(f, IDS(1, 2, 3, 4, 6, 7, 8, 9));
	assert_int_equal(f->stats.torn, 1);
	ring_end(f);
}

TEST(two_unreadable_buffer_pages_cost_what_lies_between)
{
	struct rb_cpu c;
	struct ring_fixture *f = begin(&c);

	isolate(&c, 2);
	isolate(&c, 5);
	mock_hide(f->m, c.page[2].bpage, ERR_MISSING);
	mock_hide(f->m, c.page[5].bpage, ERR_MISSING);
	walk_bounded(f);
	ring_assert_ids(f, IDS(1, 2, 3, 8, 9));
	assert_true(f->stats.broken);
	assert_int_equal(f->event[3].missed, -1);
	ring_end(f);
}

TEST(unreadable_commit_page_costs_only_itself)
{
	struct rb_cpu c;
	struct ring_fixture *f = begin(&c);

	isolate(&c, NR_PAGES - 1);
	rb_set_commit(&c, NR_PAGES - 1);
	mock_hide(f->m, c.page[NR_PAGES - 1].bpage, ERR_UNMAPPED);
	walk_bounded(f);
	ring_assert_ids(f, IDS(1, 2, 3, 4, 5, 6, 7, 8));
	assert_true(f->stats.broken);
	ring_end(f);
}

TEST(unreadable_head_page_costs_only_itself)
{
	struct rb_cpu c;
	struct ring_fixture *f = begin(&c);

	isolate(&c, 0);
	rb_set_head(&c, 0);
	mock_hide(f->m, c.page[0].bpage, ERR_MISSING);
	walk_bounded(f);
	ring_assert_ids(f, IDS(1, 3, 4, 5, 6, 7, 8, 9));
	assert_true(f->stats.broken);
	ring_end(f);
}

TEST(unreadable_reader_page_costs_only_itself)
{
	struct rb_cpu c;
	struct ring_fixture *f = begin(&c);

	rb_set(&c, "reader_page", WILD);
	walk_bounded(f);
	ring_assert_ids(f, IDS(2, 3, 4, 5, 6, 7, 8, 9));
	assert_true(f->stats.broken);
	assert_int_equal(f->event[0].missed, -1);
	ring_end(f);
}

TEST(cycle_without_the_commit_page_ends)
{
	struct rb_cpu c;
	struct ring_fixture *f = begin(&c);

	mock_put_ulong(f->m, rb_link(&c, 4), rb_link(&c, 1));
	walk_bounded(f);
	assert_true(f->stats.broken);
	/* What was seen before the list bent is there, in order. */
	assert_in_range(f->nr_events, 6, 9);
	for (int i = 0; i < 6; i++)
		assert_int_equal(f->event[i].id, 1 + i);
	ring_end(f);
}

TEST(page_that_leads_to_itself_ends)
{
	struct rb_cpu c;
	struct ring_fixture *f = begin(&c);

	mock_put_ulong(f->m, rb_link(&c, 2), rb_link(&c, 2));
	walk_bounded(f);
	assert_true(f->stats.broken);
	assert_in_range(f->nr_events, 4, 9);
	for (int i = 0; i < 4; i++)
		assert_int_equal(f->event[i].id, 1 + i);
	ring_end(f);
}

TEST(wild_pointers_of_the_cpu_end_the_walk)
{
	static const char *const members[] = {
		"head_page",
		"commit_page",
		"pages",
	};

	for (size_t i = 0; i < ARRAY_SIZE(members); i++) {
		static const uint64_t values[] = { 0, 1, WILD, ~0ull, ~7ull };

		for (size_t k = 0; k < ARRAY_SIZE(values); k++) {
			struct rb_cpu c;
			struct ring_fixture *f = begin(&c);

			rb_set(&c, members[i], values[k]);
			walk_bounded(f);
			assert_int_equal(f->event[0].id, 1);
			ring_end(f);
		}
	}
}

TEST(cpu_structure_that_cannot_be_read_is_told)
{
	struct rb_cpu c;
	struct ring_fixture *f = begin(&c);

	mock_put_ulong(f->m, f->buffer.cpus, WILD);
	walk_bounded(f);
	assert_true(f->stats.present);
	assert_true(f->stats.broken);
	assert_int_equal(f->nr_pages, 0);
	assert_true(said_has(&f->said, "ring_buffer_per_cpu"));
	ring_end(f);
}

TEST(structure_of_another_cpu_is_refused)
{
	struct rb_cpu c;
	struct ring_fixture *f = begin(&c);

	rb_set(&c, "cpu", 3);
	walk_bounded(f);
	assert_true(f->stats.broken);
	assert_int_equal(f->nr_pages, 0);
	ring_end(f);
}

TEST(array_of_cpus_that_cannot_be_read_is_told)
{
	struct rb_cpu c;
	struct ring_fixture *f = begin(&c);

	mock_set(f->m, f->buffer.addr, "trace_buffer", "buffers", WILD);
	walk_bounded(f);
	assert_true(f->stats.broken);
	assert_int_equal(f->nr_pages, 0);
	ring_end(f);
}

TEST(many_faults_are_told_by_number)
{
	struct rb_cpu c;
	struct ring_fixture *f = begin(&c);

	for (int i = 0; i < NR_PAGES; i++)
		mock_hide(f->m, c.page[i].data, ERR_MISSING);
	walk_bounded(f);
	ring_assert_ids(f, IDS(1));
	assert_int_equal(f->stats.missing, NR_PAGES);
	assert_in_range(f->said.lines, 2, 5);
	assert_true(said_has(&f->said, "4 more"));
	ring_end(f);
}

TEST(trace_buffer_that_cannot_be_read_does_not_open)
{
	struct rb_cpu c;
	struct ring_fixture *f = begin(&c);

	f->buffer.addr = WILD;
	assert_int_equal(ring_open(f), ERR_UNMAPPED);
	f->buffer.addr = mock_alloc_page(f->m);
	mock_hide(f->m, f->buffer.addr, ERR_MISSING);
	assert_int_equal(ring_open(f), ERR_MISSING);
	ring_end(f);
}

TEST(buffer_without_a_known_number_of_cpus_and_without_rings_does_not_open)
{
	static const uint32_t wild[] = { 0, 1 << 20, 0x7fffffff, ~0u };

	for (size_t i = 0; i < ARRAY_SIZE(wild); i++) {
		struct rb_cpu c;
		struct ring_fixture *f = begin(&c);

		mock_set(f->m, f->buffer.addr, "trace_buffer", "cpus", wild[i]);
		mock_set(f->m, f->buffer.addr, "trace_buffer", "buffers", WILD);
		assert_int_equal(ring_open(f), ERR_BAD_DATA);
		ring_end(f);
	}
}

TEST(wild_sub_buffer_order_does_not_open)
{
	static const uint32_t wild[] = { 11, 32, 63, 64, ~0u };

	for (size_t i = 0; i < ARRAY_SIZE(wild); i++) {
		struct rb_cpu c;
		struct ring_fixture *f = begin(&c);

		mock_set(f->m, f->buffer.addr, "trace_buffer", "subbuf_order",
			 wild[i]);
		assert_int_equal(ring_open(f), ERR_BAD_DATA);
		ring_end(f);
	}
}

/*
 * Words of the links, at random: the walk must end, and keep its order but where
 * it tells that it does not.
 */
TEST(any_damage_to_the_links_ends_in_bounded_time)
{
	uint32_t seed = 123456789u;

	for (int round = 0; round < 300; round++) {
		struct rb_cpu c;
		struct ring_fixture *f = begin(&c);
		uint64_t ts = 0, backwards = 0;

		for (int i = 0; i < 3; i++) {
			uint64_t at, to;

			seed = seed * 1664525u + 1013904223u;
			at = rb_link(&c, seed >> 8 & 7);
			to = rb_link(&c, (int)(seed >> 16 & 7));
			if (!(seed >> 28 & 3))
				to = WILD;
			mock_put_ulong(f->m, at + (seed >> 24 & 1) * MOCK_LONG,
				       to | (seed >> 25 & 3));
		}
		walk_bounded(f);
		for (int i = 0; i < f->nr_events; i++) {
			backwards += f->event[i].ts < ts;
			ts = f->event[i].ts;
		}
		assert_in_range(backwards, 0, f->stats.torn);
		ring_end(f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			data_page_that_is_not_in_the_dump_is_counted_and_marked),
		cmocka_unit_test(torn_page_is_counted_and_marked),
		cmocka_unit_test(ring_whose_pointer_is_gone_is_missed),
		cmocka_unit_test(mask_of_many_cpus_lies_elsewhere),
		cmocka_unit_test(page_stamped_out_of_order_is_counted_as_torn),
		cmocka_unit_test(
			high_stamp_before_the_last_page_is_found_by_the_write_stamp),
		cmocka_unit_test(
			page_marked_by_the_kernel_as_discarded_marks_the_next),
		cmocka_unit_test(
			reading_position_off_the_borders_costs_the_reader_page_only),
		cmocka_unit_test(unreadable_buffer_page_is_passed_from_behind),
		cmocka_unit_test(wild_next_pointer_is_passed_from_behind),
		cmocka_unit_test(next_pointer_that_skips_pages_is_mended),
		cmocka_unit_test(next_pointer_that_leads_back_is_mended),
		cmocka_unit_test(wild_prev_pointers_cost_nothing),
		cmocka_unit_test(page_that_was_emptied_counts_as_torn),
		cmocka_unit_test(
			two_unreadable_buffer_pages_cost_what_lies_between),
		cmocka_unit_test(unreadable_commit_page_costs_only_itself),
		cmocka_unit_test(unreadable_head_page_costs_only_itself),
		cmocka_unit_test(unreadable_reader_page_costs_only_itself),
		cmocka_unit_test(cycle_without_the_commit_page_ends),
		cmocka_unit_test(page_that_leads_to_itself_ends),
		cmocka_unit_test(wild_pointers_of_the_cpu_end_the_walk),
		cmocka_unit_test(cpu_structure_that_cannot_be_read_is_told),
		cmocka_unit_test(structure_of_another_cpu_is_refused),
		cmocka_unit_test(array_of_cpus_that_cannot_be_read_is_told),
		cmocka_unit_test(many_faults_are_told_by_number),
		cmocka_unit_test(trace_buffer_that_cannot_be_read_does_not_open),
		cmocka_unit_test(
			buffer_without_a_known_number_of_cpus_and_without_rings_does_not_open),
		cmocka_unit_test(wild_sub_buffer_order_does_not_open),
		cmocka_unit_test(any_damage_to_the_links_ends_in_bounded_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
