// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Pages of one CPU come in time order; one whose stamps contradict the others'
 * goes, and takes none of the others with it.
 */
#include "ftrace/order.h"
#include "test/unit.h"

#define MAX 16

struct result {
	uint64_t emitted[MAX]; /* first_ts of the pages let through */
	bool lost[MAX];
	uint64_t lost_count[MAX];
	int nr_emitted;
	uint64_t dropped[MAX];
	int nr_dropped;
	int nr_doubts;	 /* both were kept */
	enum err answer; /* what emit() gives */
};

static enum err emit(void *ctx, struct ft_page *page, bool lost,
		     uint64_t lost_count)
{
	struct result *r = ctx;

	assert_in_range(r->nr_emitted, 0, MAX - 1);
	r->emitted[r->nr_emitted] = page->first_ts;
	r->lost[r->nr_emitted] = lost;
	r->lost_count[r->nr_emitted++] = lost_count;
	return r->answer;
}

static void drop(void *ctx, const struct ft_page *page)
{
	struct result *r = ctx;

	assert_in_range(r->nr_dropped, 0, MAX - 1);
	r->dropped[r->nr_dropped++] = page->first_ts;
}

static void doubt(void *ctx, const struct ft_page *a, const struct ft_page *b)
{
	struct result *r = ctx;

	assert_true(a->last_ts > b->first_ts);
	r->nr_doubts++;
}

static void begin(struct ft_order *order, struct result *r)
{
	memset(r, 0, sizeof(*r));
	assert_int_equal(ft_order_init(order, 64), ERR_NONE);
	order->emit = emit;
	order->drop = drop;
	order->doubt = doubt;
	order->ctx = r;
}

/* A page from @first to @first + 5. */
static enum err push(struct ft_order *order, uint64_t first)
{
	struct ft_page *page = ft_order_next(order);

	assert_non_null(page->buf);
	assert_int_equal(page->size, 64);
	memset(page->buf, first, page->size);
	page->first_ts = first;
	page->last_ts = first + 5;
	return ft_order_push(order);
}

/* Put pages with these stamps through; 0 ends them. */
static struct result run(uint64_t write_stamp, const uint64_t *stamps)
{
	struct ft_order order;
	struct result r;

	begin(&order, &r);
	order.write_stamp = write_stamp;
	for (; *stamps; stamps++)
		assert_int_equal(push(&order, *stamps), ERR_NONE);
	assert_int_equal(ft_order_flush(&order), ERR_NONE);
	ft_order_deinit(&order);
	return r;
}

#define STAMPS(...) ((const uint64_t[]){ __VA_ARGS__, 0 })

static void assert_emitted(const struct result *r, const uint64_t *stamps)
{
	int n = 0;

	for (; stamps[n]; n++) {
		assert_in_range(n, 0, r->nr_emitted - 1);
		assert_int_equal(r->emitted[n], stamps[n]);
	}
	assert_int_equal(r->nr_emitted, n);
}

TEST(pages_in_order_all_come_through)
{
	struct result r = run(0, STAMPS(10, 20, 30, 40, 50));

	assert_emitted(&r, STAMPS(10, 20, 30, 40, 50));
	assert_int_equal(r.nr_dropped, 0);
	for (int i = 0; i < r.nr_emitted; i++)
		assert_false(r.lost[i]);
}

TEST(page_may_begin_when_the_one_before_ends)
{
	struct result r = run(0, STAMPS(10, 15, 20));

	assert_emitted(&r, STAMPS(10, 15, 20));
}

TEST(single_page_comes_through)
{
	struct result r = run(0, STAMPS(10));

	assert_emitted(&r, STAMPS(10));
}

TEST(no_page_is_fine)
{
	struct result r = run(0, STAMPS(0));

	assert_int_equal(r.nr_emitted, 0);
	assert_int_equal(r.nr_dropped, 0);
}

static void assert_only_dropped(const struct result *r, uint64_t stamp)
{
	assert_int_equal(r->nr_dropped, 1);
	assert_int_equal(r->dropped[0], stamp);
}

TEST(high_stamp_in_the_first_page_costs_only_it)
{
	struct result r = run(0, STAMPS(9000, 20, 30, 40));

	assert_only_dropped(&r, 9000);
	assert_emitted(&r, STAMPS(20, 30, 40));
	assert_true(r.lost[0]);
}

TEST(high_stamp_in_the_middle_costs_only_it)
{
	struct result r = run(0, STAMPS(10, 20, 9000, 40, 50));

	assert_only_dropped(&r, 9000);
	assert_emitted(&r, STAMPS(10, 20, 40, 50));
}

TEST(high_stamp_in_the_last_but_one_page_costs_only_it)
{
	struct result r = run(55, STAMPS(10, 20, 9000, 50));

	assert_only_dropped(&r, 9000);
	assert_emitted(&r, STAMPS(10, 20, 50));
}

TEST(high_stamp_in_the_last_page_costs_only_it)
{
	struct result r = run(45, STAMPS(10, 20, 30, 9000));

	assert_only_dropped(&r, 9000);
	assert_emitted(&r, STAMPS(10, 20, 30));
}

TEST(low_stamp_in_the_first_page_costs_no_other)
{
	struct result r = run(0, STAMPS(1, 200, 300, 400));

	assert_int_equal(r.nr_dropped, 0);
	assert_emitted(&r, STAMPS(1, 200, 300, 400));
}

/* The first page may be as much too late: nobody knows the gap before it. */
TEST(low_stamp_in_the_second_page_leaves_it_and_the_first_in_doubt)
{
	struct result r = run(0, STAMPS(100, 1, 300, 400));

	assert_int_equal(r.nr_dropped, 0);
	assert_int_equal(r.nr_doubts, 1);
	assert_emitted(&r, STAMPS(100, 1, 300, 400));
}

TEST(pauses_on_both_sides_leave_both_in_doubt)
{
	struct result r = run(0, STAMPS(10, 500, 480, 900, 910));

	assert_int_equal(r.nr_dropped, 0);
	assert_int_equal(r.nr_doubts, 1);
	assert_emitted(&r, STAMPS(10, 500, 480, 900, 910));
}

TEST(low_stamp_in_the_middle_costs_only_it)
{
	struct result r = run(0, STAMPS(100, 200, 1, 400, 500));

	assert_only_dropped(&r, 1);
	assert_emitted(&r, STAMPS(100, 200, 400, 500));
}

TEST(low_stamp_in_the_last_page_costs_only_it)
{
	struct result r = run(405, STAMPS(100, 200, 300, 1));

	assert_only_dropped(&r, 1);
	assert_emitted(&r, STAMPS(100, 200, 300));
}

TEST(write_stamp_decides_between_the_only_two_pages)
{
	struct result r = run(25, STAMPS(9000, 20));

	assert_only_dropped(&r, 9000);
	assert_emitted(&r, STAMPS(20));

	r = run(200, STAMPS(100, 90));
	assert_int_equal(r.nr_doubts, 1);
	r = run(100, STAMPS(100, 98));
	assert_int_equal(r.nr_doubts, 1);
}

TEST(without_a_write_stamp_two_alone_are_in_doubt)
{
	struct result r = run(0, STAMPS(100, 20));

	assert_int_equal(r.nr_dropped, 0);
	assert_int_equal(r.nr_doubts, 1);
	assert_emitted(&r, STAMPS(100, 20));
}

TEST(two_bad_pages_apart_cost_only_themselves)
{
	struct result r = run(0, STAMPS(100, 9000, 300, 400, 2, 600, 700));

	assert_int_equal(r.nr_dropped, 2);
	assert_emitted(&r, STAMPS(100, 300, 400, 600, 700));
}

TEST(high_stamp_then_a_low_one_cost_only_themselves)
{
	struct result r = run(0, STAMPS(100, 9000, 1, 300, 400, 500));

	assert_int_equal(r.nr_dropped, 2);
	assert_emitted(&r, STAMPS(100, 300, 400, 500));
}

TEST(write_stamp_older_than_every_page_is_not_believed)
{
	struct result r = run(7, STAMPS(100, 200, 300));

	assert_int_equal(r.nr_dropped, 0);
	assert_emitted(&r, STAMPS(100, 200, 300));
}

TEST(page_behind_a_dropped_one_is_marked_lost_with_unknown_number)
{
	struct result r = run(0, STAMPS(100, 200, 1, 400, 500));

	assert_emitted(&r, STAMPS(100, 200, 400, 500));
	assert_false(r.lost[1]);
	assert_true(r.lost[2]);
	assert_int_equal(r.lost_count[2], 0);
	assert_false(r.lost[3]);
}

TEST(page_behind_a_dropped_high_one_is_marked_lost)
{
	struct result r = run(0, STAMPS(100, 200, 9000, 400, 500));

	assert_emitted(&r, STAMPS(100, 200, 400, 500));
	assert_true(r.lost[2]);
	assert_false(r.lost[3]);
}

TEST(loss_is_told_with_the_next_page_only)
{
	struct ft_order order;
	struct result r;

	begin(&order, &r);
	push(&order, 10);
	ft_order_lost(&order, 7);
	push(&order, 20);
	push(&order, 30);
	ft_order_flush(&order);
	ft_order_deinit(&order);
	assert_emitted(&r, STAMPS(10, 20, 30));
	assert_false(r.lost[0]);
	assert_true(r.lost[1]);
	assert_int_equal(r.lost_count[1], 7);
	assert_false(r.lost[2]);
	assert_int_equal(r.lost_count[2], 0);
}

TEST(known_losses_add_up)
{
	struct ft_order order;
	struct result r;

	begin(&order, &r);
	ft_order_lost(&order, 7);
	ft_order_lost(&order, 5);
	push(&order, 10);
	ft_order_flush(&order);
	ft_order_deinit(&order);
	assert_true(r.lost[0]);
	assert_int_equal(r.lost_count[0], 12);
}

TEST(unknown_loss_makes_the_sum_unknown)
{
	static const uint64_t counts[][3] = {
		{ 0, 5, 7 },
		{ 5, 0, 7 },
		{ 5, 7, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(counts); i++) {
		struct ft_order order;
		struct result r;

		begin(&order, &r);
		for (int k = 0; k < 3; k++)
			ft_order_lost(&order, counts[i][k]);
		push(&order, 10);
		ft_order_flush(&order);
		ft_order_deinit(&order);
		assert_true(r.lost[0]);
		assert_int_equal(r.lost_count[0], 0);
	}
}

TEST(known_loss_before_a_dropped_page_becomes_unknown)
{
	struct ft_order order;
	struct result r;

	begin(&order, &r);
	push(&order, 90);
	push(&order, 100);
	ft_order_lost(&order, 7);
	push(&order, 1);
	push(&order, 300);
	push(&order, 400);
	ft_order_flush(&order);
	ft_order_deinit(&order);
	assert_emitted(&r, STAMPS(90, 100, 300, 400));
	assert_true(r.lost[2]);
	assert_int_equal(r.lost_count[2], 0);
}

TEST(emits_failure_is_passed_on)
{
	struct ft_order order;
	struct result r;
	enum err err;

	begin(&order, &r);
	r.answer = ERR_IO;
	err = push(&order, 10);
	if (err == ERR_NONE)
		err = push(&order, 20);
	assert_int_equal(err, ERR_IO);
	ft_order_deinit(&order);
}

TEST(buffers_never_mix)
{
	struct ft_order order;
	struct result r;
	uint8_t *held[ORDER_HELD];

	begin(&order, &r);
	for (int i = 0; i < ORDER_HELD; i++)
		held[i] = order.slot[i].page.buf;
	for (uint64_t ts = 10; ts < 120; ts += 10)
		push(&order, ts == 50 ? 9000 : ts);
	for (int i = 0; i < ORDER_HELD; i++) {
		int found = 0;

		for (int k = 0; k < ORDER_HELD; k++)
			found += order.slot[k].page.buf == held[i];
		assert_int_equal(found, 1);
	}
	ft_order_flush(&order);
	ft_order_deinit(&order);
}

/* Any single damaged stamp must leave all the other pages in the file. */
TEST(any_one_wild_stamp_costs_one_page_at_most)
{
	static const uint64_t wild[] = { 1, 95, 2000, 1ull << 59, ~0ull - 9 };

	for (int at = 0; at < 8; at++) {
		for (size_t w = 0; w < ARRAY_SIZE(wild); w++) {
			uint64_t stamps[9] = { 0 };
			struct result r;

			for (int i = 0; i < 8; i++)
				stamps[i] = 100 + 10 * i;
			stamps[at] = wild[w];
			r = run(175, stamps);
			assert_in_range(r.nr_dropped, 0, 1);
			assert_int_equal(r.nr_emitted + r.nr_dropped, 8);
			if (r.nr_dropped)
				assert_int_equal(r.dropped[0], wild[w]);
		}
	}
}

/*
 * Pages of a busy CPU: a shift that two other pages get on with must not cost
 * one of these. Only of the first page it cannot be known.
 */
TEST(any_one_shifted_stamp_costs_no_other_page)
{
	enum {
		NR = 10
	};

	for (int bad = 1; bad < NR; bad++) {
		for (int shift = -90; shift <= 90; shift++) {
			uint64_t stamps[NR + 1] = { 0 };
			struct result r;
			int others = 0;

			for (int i = 0; i < NR; i++)
				stamps[i] = 100 + 10ull * i;
			stamps[bad] += shift;
			r = run(195, stamps);
			for (int i = 0; i < r.nr_emitted; i++)
				others += r.emitted[i] != stamps[bad];
			/* Where it equals another page's, it counts for one. */
			if (shift % 10 && others != NR - 1)
				fail_msg("page %d shifted by %d", bad, shift);
			assert_in_range(r.nr_dropped, 0, 1);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pages_in_order_all_come_through),
		cmocka_unit_test(page_may_begin_when_the_one_before_ends),
		cmocka_unit_test(single_page_comes_through),
		cmocka_unit_test(no_page_is_fine),
		cmocka_unit_test(high_stamp_in_the_first_page_costs_only_it),
		cmocka_unit_test(high_stamp_in_the_middle_costs_only_it),
		cmocka_unit_test(
			high_stamp_in_the_last_but_one_page_costs_only_it),
		cmocka_unit_test(high_stamp_in_the_last_page_costs_only_it),
		cmocka_unit_test(low_stamp_in_the_first_page_costs_no_other),
		cmocka_unit_test(
			low_stamp_in_the_second_page_leaves_it_and_the_first_in_doubt),
		cmocka_unit_test(pauses_on_both_sides_leave_both_in_doubt),
		cmocka_unit_test(low_stamp_in_the_middle_costs_only_it),
		cmocka_unit_test(low_stamp_in_the_last_page_costs_only_it),
		cmocka_unit_test(write_stamp_decides_between_the_only_two_pages),
		cmocka_unit_test(without_a_write_stamp_two_alone_are_in_doubt),
		cmocka_unit_test(two_bad_pages_apart_cost_only_themselves),
		cmocka_unit_test(high_stamp_then_a_low_one_cost_only_themselves),
		cmocka_unit_test(
			write_stamp_older_than_every_page_is_not_believed),
		cmocka_unit_test(
			page_behind_a_dropped_one_is_marked_lost_with_unknown_number),
		cmocka_unit_test(page_behind_a_dropped_high_one_is_marked_lost),
		cmocka_unit_test(loss_is_told_with_the_next_page_only),
		cmocka_unit_test(known_losses_add_up),
		cmocka_unit_test(unknown_loss_makes_the_sum_unknown),
		cmocka_unit_test(
			known_loss_before_a_dropped_page_becomes_unknown),
		cmocka_unit_test(emits_failure_is_passed_on),
		cmocka_unit_test(buffers_never_mix),
		cmocka_unit_test(any_one_wild_stamp_costs_one_page_at_most),
		cmocka_unit_test(any_one_shifted_stamp_costs_no_other_page),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
