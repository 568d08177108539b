// SPDX-License-Identifier: GPL-2.0-or-later
/* Boot-mapped rings: by their list, and by the region where that is damaged. */
#include "test/region-builder.h"
#include "test/ring-walk.h"
#include "test/unit.h"

#define TS   1000000
#define WILD 0xdead000000000000ull

enum {
	SUBBUFS = 6,
	PAGES = SUBBUFS - 1
};

static const enum mock_kernel kernels[] = { LIKE_6_12, LIKE_7_3,
					    LIKE_7_3_INJECT };

static struct ring_fixture *f;
static struct region_builder region;
static struct rb_cpu cpus[2];

/*
 * CPU 0: events 1 on the reader's page, 2 to 4 from the head, page 0, to the
 * commit page, 2. Pages 3 and 4 lie before the head. CPU 1: the reader's only.
 */
static void begin(enum mock_kernel kernel)
{
	uint64_t nr_cpu_ids;

	f = ring_begin(kernel, 2, 0);
	nr_cpu_ids = mock_alloc(f->m, 4, 4);
	mock_put(f->m, nr_cpu_ids, 2, 4);
	mock_symbol(f->m, "nr_cpu_ids", nr_cpu_ids);
	rg_init(&region, f->m, kernel, 2, SUBBUFS, 0);
	rg_use(&region, &f->buffer);
	for (unsigned int cpu = 0; cpu < 2; cpu++) {
		rb_cpu_init(&cpus[cpu], &f->buffer, cpu, PAGES);
		rg_use_cpu(&region, &cpus[cpu], cpu);
	}
	rb_fill(&cpus[0], RB_READER, TS + 1000, 1, 1, 1);
	for (int i = 0; i < 3; i++)
		rb_fill(&cpus[0], i, TS + 2000 + 1000 * i, 1, 2 + i, 1);
	rb_set_head(&cpus[0], 0);
	rb_set_commit(&cpus[0], 2);
	rb_set(&cpus[0], "entries", 4);
	rb_fill(&cpus[1], RB_READER, TS, 1, 50, 1);
	mock_set(f->m, cpus[1].addr, "ring_buffer_per_cpu", "commit_page",
		 cpus[1].reader.bpage);
	rb_set(&cpus[1], "entries", 1);
}

static void open_ring(bool last_boot)
{
	assert_int_equal(ring_open(f), ERR_NONE);
	assert_true(ft_ring_find_region(&f->ring, region.start, region.size,
					last_boot));
}

static void walk(bool last_boot)
{
	open_ring(last_boot);
	assert_int_equal(ring_walk(f, 0), ERR_NONE);
}

/* What was read: older than the reader's page, in the ring before the head. */
static void add_read_pages(void)
{
	rb_fill(&cpus[0], 3, TS + 100, 1, 90, 1);
	rb_fill(&cpus[0], 4, TS + 200, 1, 91, 1);
}

TEST(sound_list_is_followed)
{
	for (size_t k = 0; k < ARRAY_SIZE(kernels); k++) {
		begin(kernels[k]);
		walk(false);
		ring_assert_ids(f, IDS(1, 2, 3, 4));
		assert_false(f->stats.broken);
		assert_int_equal(f->said.lines, 0);
		assert_int_equal(ring_walk(f, 1), ERR_NONE);
		ring_assert_ids(f, IDS(50));
		ring_end(f);
	}
}

TEST(any_bent_link_leads_to_the_region)
{
	for (size_t k = 0; k < ARRAY_SIZE(kernels); k++)
		for (int i = 0; i < PAGES; i++)
			for (int prev = 0; prev < 2; prev++) {
				begin(kernels[k]);
				mock_put_ulong(f->m,
					       rb_link(&cpus[0], i) +
						       prev * MOCK_LONG,
					       WILD);
				walk(false);
				ring_assert_ids(f, IDS(1, 2, 3, 4));
				assert_true(f->stats.broken);
				assert_true(said_has(&f->said, "region"));
				ring_end(f);
			}
}

TEST(list_that_skips_a_page_leads_to_the_region)
{
	begin(LIKE_7_3);
	mock_put_ulong(f->m, rb_link(&cpus[0], 0), rb_link(&cpus[0], 2));
	mock_put_ulong(f->m, rb_link(&cpus[0], 2) + MOCK_LONG,
		       rb_link(&cpus[0], 0));
	walk(false);
	ring_assert_ids(f, IDS(1, 2, 3, 4));
	assert_true(f->stats.broken);
	ring_end(f);
}

/* The trace array knows it, too; the header of CPU 0 says what the end allows. */
TEST(range_with_a_wild_end_is_not_believed)
{
	for (size_t k = 0; k < ARRAY_SIZE(kernels); k++) {
		begin(kernels[k]);
		mock_put_ulong(f->m, rb_link(&cpus[0], 0), WILD);
		mock_set(f->m, f->buffer.addr, "trace_buffer", "range_addr_end",
			 region.start + (1ull << 30));
		rg_set_cpu(&region, 0, "nr_subbufs", 40000);
		for (int cpu = 0; cpu < 2; cpu++)
			rb_set(&cpus[cpu], "nr_pages", 40000 - 1);
		walk(false);
		ring_assert_ids(f, IDS(1, 2, 3, 4));
		assert_in_range(f->m->reads, 1, 200);
		ring_end(f);
	}
}

TEST(lost_ring_is_found_in_the_region)
{
	for (size_t k = 0; k < ARRAY_SIZE(kernels); k++) {
		begin(kernels[k]);
		mock_put_ulong(f->m, f->buffer.cpus, WILD);
		walk(false);
		ring_assert_ids(f, IDS(1, 2, 3, 4));
		assert_true(f->stats.broken);
		ring_end(f);
	}
}

TEST(pages_that_this_boot_has_read_stay_left_out)
{
	begin(LIKE_6_12);
	add_read_pages();
	walk(false);
	ring_assert_ids(f, IDS(1, 2, 3, 4));
	/* By the region as well, as long as the reader's page is known. */
	mock_put_ulong(f->m, rb_link(&cpus[0], 1), WILD);
	walk(false);
	ring_assert_ids(f, IDS(1, 2, 3, 4));
	ring_end(f);
}

TEST(pages_read_before_the_reset_are_shown_again)
{
	for (size_t k = 0; k < ARRAY_SIZE(kernels); k++) {
		begin(kernels[k]);
		add_read_pages();
		walk(true);
		ring_assert_ids(f, IDS(90, 91, 1, 2, 3, 4));
		assert_true(said_has(&f->said, "2 pages that had been read"));
		/* And by the region. */
		mock_put_ulong(f->m, rb_link(&cpus[0], 1), WILD);
		walk(true);
		ring_assert_ids(f, IDS(90, 91, 1, 2, 3, 4));
		ring_end(f);
	}
}

TEST(of_them_those_that_this_boot_has_read_stay_left_out)
{
	begin(LIKE_6_12);
	add_read_pages();
	rb_set(&cpus[0], "pages_read", 1);
	walk(true);
	ring_assert_ids(f, IDS(90, 1, 2, 3, 4));
	mock_put_ulong(f->m, rb_link(&cpus[0], 1), WILD);
	walk(true);
	ring_assert_ids(f, IDS(90, 1, 2, 3, 4));
	ring_end(f);
}

TEST(newer_page_before_the_head_is_no_read_one)
{
	begin(LIKE_6_12);
	rb_fill(&cpus[0], 4, TS + 90000, 1, 91, 1);
	walk(true);
	ring_assert_ids(f, IDS(1, 2, 3, 4));
	ring_end(f);
}

TEST(part_of_the_readers_page_that_was_read_stays_left_out)
{
	for (int bent = 0; bent < 2; bent++) {
		begin(LIKE_6_12);
		rb_fill(&cpus[0], RB_READER, TS + 1000, 1, 70, 2);
		rb_set_read(&cpus[0], RB_READER, 16);
		rb_set(&cpus[0], "entries", 5);
		if (bent)
			mock_put_ulong(f->m, rb_link(&cpus[0], 1), WILD);
		walk(false);
		ring_assert_ids(f, IDS(71, 2, 3, 4));
		ring_end(f);
	}
}

TEST(damage_to_a_page_costs_only_it)
{
	begin(LIKE_7_3);
	mock_put_ulong(f->m, rb_link(&cpus[0], 1), WILD);
	mock_put_ulong(f->m, cpus[0].page[1].data + 8, 1 << 20);
	walk(false);
	ring_assert_ids(f, IDS(1, 2, 4));
	assert_int_equal(f->stats.torn, 1);
	ring_end(f);
}

TEST(page_that_the_kernel_has_discarded_is_counted)
{
	begin(LIKE_7_3);
	mock_put_ulong(f->m, cpus[0].page[1].data + 8, 1u << 31);
	walk(true);
	ring_assert_ids(f, IDS(1, 2, 4));
	assert_int_equal(f->stats.discarded, 1);
	assert_int_equal(f->stats.torn, 0);
	ring_end(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sound_list_is_followed),
		cmocka_unit_test(any_bent_link_leads_to_the_region),
		cmocka_unit_test(list_that_skips_a_page_leads_to_the_region),
		cmocka_unit_test(range_with_a_wild_end_is_not_believed),
		cmocka_unit_test(lost_ring_is_found_in_the_region),
		cmocka_unit_test(pages_that_this_boot_has_read_stay_left_out),
		cmocka_unit_test(pages_read_before_the_reset_are_shown_again),
		cmocka_unit_test(
			of_them_those_that_this_boot_has_read_stay_left_out),
		cmocka_unit_test(newer_page_before_the_head_is_no_read_one),
		cmocka_unit_test(
			part_of_the_readers_page_that_was_read_stays_left_out),
		cmocka_unit_test(damage_to_a_page_costs_only_it),
		cmocka_unit_test(page_that_the_kernel_has_discarded_is_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
