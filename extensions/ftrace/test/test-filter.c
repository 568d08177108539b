// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which events are left of a ring, and when they happened. libtraceevent's
 * reader of pages says what is in them.
 */
#include "ftrace/newest.h"
#include "test/kbuf-reader.h"
#include "test/mock-ftrace.h"
#include "test/said.h"
#include "test/unit.h"

#define TS	 MOCK_FTRACE_TS
#define MAX_SEEN 8192

static struct mock_ftrace k;
static struct said said;
static struct ft_dump dump;
static struct ft_filter filter;
static struct kbuf_event seen[MAX_SEEN];
static size_t nr_seen;
static uint64_t pages;

static int setup(void **state)
{
	(void)state;
	mock_ftrace_init(&k, LIKE_6_12);
	said_init(&said);
	memset(&filter, 0, sizeof(filter));
	assert_int_equal(ft_dump_init(&dump, &k.m->vm, &said.diag), ERR_NONE);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	ft_filter_deinit(&filter);
	ft_dump_deinit(&dump);
	mock_ftrace_deinit(&k);
	return 0;
}

static enum err see(void *arg, const struct ft_page *page)
{
	size_t room = MAX_SEEN - nr_seen;
	size_t n = kbuf_read(page->buf, seen + nr_seen, room);

	(void)arg;
	assert_in_range(n, 1, room);
	assert_int_equal(n, page->events);
	nr_seen += n;
	pages++;
	return ERR_NONE;
}

/* All that the filter leaves of a CPU of an instance, counted from 0. */
static void walk(size_t instance, uint32_t cpu)
{
	const struct ft_instance *in = &dump.instances.instance[instance];
	struct ft_cpu_stats stats;
	struct ft_ring ring;
	size_t before = nr_seen;

	assert_int_equal(ft_dump_open_ring(&dump, in, &ring), ERR_NONE);
	assert_int_equal(ft_filter_walk(&filter, in, &ring, cpu, see, NULL,
					&stats),
			 ERR_NONE);
	assert_int_equal(stats.events, nr_seen - before);
}

static void walk_all(void)
{
	nr_seen = pages = 0;
	for (size_t i = 0; i < dump.instances.count; i++)
		for (uint32_t cpu = 0; cpu < 4; cpu++)
			walk(i, cpu);
}

static void assert_ids(const uint32_t *ids)
{
	size_t n = 0;

	for (; ids[n]; n++) {
		assert_in_range(n, 0, nr_seen - 1);
		assert_int_equal(seen[n].id, ids[n]);
	}
	assert_int_equal(nr_seen, n);
}

#define IDS(...) ((const uint32_t[]){ __VA_ARGS__, 0 })

static enum err select_events(const char *list, char *unknown)
{
	struct ft_events events;
	char *copy = strdup(list);
	const char *what = "";
	enum err err;

	assert_int_equal(ft_events_init(&events, &k.m->vm, &dump.layout,
					&said.diag),
			 ERR_NONE);
	err = ft_filter_events(&filter, &events, &k.m->vm, &dump.layout, copy,
			       &what);
	snprintf(unknown, 64, "%s", what);
	free(copy);
	ft_events_deinit(&events);
	return err;
}

TEST(no_filter_leaves_all)
{
	walk_all();
	assert_ids(IDS(1, 2, 3, 4, 5, 20, 21, 100, 101, 102));
}

TEST(events_are_chosen_by_name_system_and_pattern)
{
	static const char *const lists[] = { "hello", "unit:hello",  "unit",
					     "u*:h*", "print,hel?o", "unit:*" };
	char unknown[64];

	for (size_t i = 0; i < ARRAY_SIZE(lists); i++) {
		assert_int_equal(select_events(lists[i], unknown), ERR_NONE);
		walk_all();
		assert_int_equal(nr_seen, 10);
		ft_filter_deinit(&filter);
	}
	assert_int_equal(select_events("ftrace:print", unknown), ERR_NONE);
	walk_all();
	assert_int_equal(nr_seen, 0);
}

TEST(what_names_no_event_is_named)
{
	char unknown[64];

	assert_int_equal(select_events("hello,nosuch,x", unknown), ERR_BAD_DATA);
	assert_string_equal(unknown, "nosuch");
	ft_filter_deinit(&filter);
	assert_int_equal(select_events("hello:unit", unknown), ERR_BAD_DATA);
	ft_filter_deinit(&filter);
	assert_int_equal(select_events(",", unknown), ERR_BAD_DATA);
}

TEST(borders_of_time_are_what_reports_show)
{
	/* Events are 1 us apart. 5.000001 is shown from 5.0000005 on. */
	assert_true(ft_filter_times(&filter, "5.000001,5.00001"));
	walk_all();
	assert_ids(IDS(2, 3, 20, 21));
	assert_true(ft_filter_times(&filter, ",5"));
	walk_all();
	assert_ids(IDS(1));
	memset(&filter, 0, sizeof(filter));
	assert_true(ft_filter_times(&filter, "5.00002,"));
	walk_all();
	assert_ids(IDS(5, 100, 101, 102));
	memset(&filter, 0, sizeof(filter));
	assert_true(ft_filter_times(&filter, "5.000001001,5.000010000"));
	walk_all();
	assert_ids(IDS(3, 20, 21));
}

TEST(time_shown_rounded_up_is_found_by_that)
{
	struct ft_border *from = &filter.from, *to = &filter.to;

	assert_true(ft_filter_times(&filter, "1.000001,1.000001"));
	assert_int_equal(from->ns, 1000000500);
	assert_int_equal(to->ns, 1000001499);
	assert_true(ft_filter_times(&filter, "0,0"));
	assert_int_equal(from->ns, 0);
	assert_true(ft_filter_times(&filter, "123456789012345678,"));
	assert_int_equal(from->ticks, 123456789012345678ull);
}

TEST(what_is_no_time_is_refused)
{
	static const char *const bad[] = { "",
					   ",",
					   "5",
					   "a,",
					   "1,b",
					   "2,1",
					   "1.1234567890,",
					   "1..2,",
					   "1,2,3",
					   "-1,",
					   "99999999999999999999,",
					   "1 ,",
					   "1,2 " };

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		memset(&filter, 0, sizeof(filter));
		assert_false(ft_filter_times(&filter, bad[i]));
	}
}

static void newest(uint64_t n)
{
	filter.newest = n;
	assert_int_equal(ft_filter_find_newest(&filter, &dump), ERR_NONE);
	walk_all();
}

TEST(newest_are_found_over_all_buffers)
{
	newest(1);
	assert_ids(IDS(102));
	newest(4);
	assert_ids(IDS(5, 100, 101, 102));
	newest(7);
	assert_ids(IDS(3, 4, 5, 21, 100, 101, 102));
}

TEST(more_than_there_are_is_all)
{
	newest(10);
	assert_int_equal(nr_seen, 10);
	newest(11);
	assert_int_equal(nr_seen, 10);
	newest(FT_MAX_NEWEST);
	assert_int_equal(nr_seen, 10);
}

/* Of events at the same time, those of the last buffer and CPU stay. */
TEST(ties_are_exact)
{
	rb_fill(&k.top0, 1, TS + 50000, 0, 5, 3);
	newest(1);
	assert_ids(IDS(102));
	newest(2);
	assert_ids(IDS(7, 102));
	newest(3);
	assert_ids(IDS(6, 7, 102));
	newest(4);
	assert_ids(IDS(5, 6, 7, 102));
	newest(5);
	assert_ids(IDS(5, 6, 7, 101, 102));
}

TEST(newest_of_chosen_cpus_and_times_only)
{
	const unsigned long bits = 1;

	dump.cpu_bits = &bits;
	dump.nr_cpu_bits = 4;
	filter.newest = 2;
	assert_true(ft_filter_times(&filter, ",5.000011"));
	assert_int_equal(ft_filter_find_newest(&filter, &dump), ERR_NONE);
	nr_seen = 0;
	walk(0, 0);
	assert_ids(IDS(3, 4));
}

TEST(counting_tells_of_no_damage_twice)
{
	unsigned int lines;

	walk_all();
	lines = said.lines;
	assert_in_range(lines, 1, 100);
	filter.newest = 10;
	assert_int_equal(ft_filter_find_newest(&filter, &dump), ERR_NONE);
	assert_int_equal(said.lines, lines);
}

TEST(mark_of_loss_stays_with_the_next_event)
{
	struct page_builder pb;

	/* 4 events lost before a page none of whose events is wanted. */
	rb_write(&k.inst1, &pb, 2, TS + 50000);
	pb_event(&pb, 0, 1, 102, 16);
	pb_commit(&pb, 0);
	rb_write(&k.inst1, &pb, 3, TS + 60000);
	pb_event(&pb, 0, 5, 103, 16);
	pb_event(&pb, 1000, 1, 104, 16);
	pb_commit(&pb, 0);
	rb_set_commit(&k.inst1, 3);
	filter.wanted = calloc(1, FT_EVENT_IDS / 8);
	filter.wanted[0] = 1 << 5;
	nr_seen = 0;
	walk(1, 1);
	assert_ids(IDS(103));
	assert_int_equal(seen[0].missed, -1);
}

TEST(loss_before_the_time_asked_for_is_left_out)
{
	/* CPU 2 of top: 9 events were overwritten before its first one. */
	nr_seen = 0;
	walk(0, 2);
	assert_int_equal(seen[0].missed, 9);
	assert_true(ft_filter_times(&filter, "5.000006,"));
	nr_seen = 0;
	walk(0, 2);
	assert_ids(IDS(21));
	assert_int_equal(seen[0].missed, 0);
}

static uint32_t rnd_state = 1;

static uint32_t rnd(uint32_t below)
{
	rnd_state = rnd_state * 1664525u + 1013904223u;
	return (rnd_state >> 8) % below;
}

/* A page of everything that can be on one; ids are types 1 to 4. */
static void write_anything(struct page_builder *pb, uint64_t *ts, uint32_t *id)
{
	while (pb->at + 200 < pb->size - PB_HEADER) {
		uint64_t d;

		switch (rnd(8)) {
		case 0:
			d = (uint64_t)rnd(1u << 20) << rnd(24);
			pb_extend(pb, d);
			*ts += d;
			break;
		case 1:
			*ts += rnd(1u << 24);
			pb_absolute(pb, *ts);
			break;
		case 2:
			pb_discarded(pb, 1, 12);
			break;
		case 3:
			d = 2 + rnd(100000);
			pb_discarded(pb, d, 12);
			*ts += d;
			break;
		default:
			d = rnd(1u << rnd(27));
			pb_event(pb, d, 1 + rnd(4), ++*id,
				 4 * (2 + rnd(rnd(8) ? 6 : 40)));
			*ts += d;
		}
	}
}

TEST(times_are_exact_whatever_is_taken_out)
{
	static struct kbuf_event all[MAX_SEEN];
	size_t nr_all, at = 0;
	uint32_t id = 0;

	for (int round = 0; round < 200; round++) {
		uint64_t ts = TS + 100000;

		for (int i = 0; i < 4; i++) {
			struct page_builder pb;

			rb_write(&k.top0, &pb, i, ts);
			write_anything(&pb, &ts, &id);
			pb_commit(&pb, rnd(2) ? PB_MISSED : 0);
		}
		rb_set_commit(&k.top0, 3);
		filter.wanted = NULL;
		nr_seen = 0;
		walk(0, 0);
		nr_all = nr_seen;
		memcpy(all, seen, nr_all * sizeof(*all));

		/* By time, as the pages do not say which type an id has. */
		memset(&filter, 0, sizeof(filter));
		filter.from.set = filter.to.set = true;
		filter.from.ns = all[rnd(nr_all)].ts;
		filter.to.ns = filter.from.ns + ((uint64_t)rnd(1u << 20) << 20);
		nr_seen = 0;
		walk(0, 0);
		for (size_t i = at = 0; i < nr_all; i++) {
			if (all[i].ts < filter.from.ns ||
			    all[i].ts > filter.to.ns)
				continue;
			assert_int_equal(seen[at].ts, all[i].ts);
			assert_int_equal(seen[at].id, all[i].id);
			assert_int_equal(seen[at].size, all[i].size);
			at++;
		}
		assert_int_equal(nr_seen, at);
		memset(&filter, 0, sizeof(filter));

		/* Each type by itself: together they are all, in order. */
		at = 0;
		for (int type = 1; type <= 4; type++) {
			size_t i = 0;

			filter.wanted = calloc(1, FT_EVENT_IDS / 8);
			filter.wanted[0] = 1 << type;
			nr_seen = 0;
			walk(0, 0);
			for (size_t n = 0; n < nr_seen; n++) {
				/* Short events have no room for an id. */
				while (i < nr_all &&
				       (all[i].id != seen[n].id ||
					all[i].ts != seen[n].ts ||
					all[i].size != seen[n].size))
					i++;
				assert_in_range(i++, 0, nr_all - 1);
			}
			at += nr_seen;
			ft_filter_deinit(&filter);
		}
		assert_int_equal(at, nr_all);
	}
}

/* A long ring, of which only the end is read. */
TEST(old_pages_are_not_read)
{
	rb_cpu_init(&k.top0, &k.top, 0, RB_MAX_PAGES);
	for (int i = 0; i < RB_MAX_PAGES; i++)
		rb_fill(&k.top0, i, TS + 100000ull * i, 10, 1000 * (i + 1), 90);
	rb_set_commit(&k.top0, RB_MAX_PAGES - 1);
	filter.newest = 2;
	assert_int_equal(ft_filter_find_newest(&filter, &dump), ERR_NONE);
	nr_seen = 0;
	k.m->bytes_read = 0;
	walk(0, 0);
	assert_ids(IDS(16088, 16089));
	assert_in_range(k.m->bytes_read, 1, 6 * MOCK_PAGE);
	/* One torn page with an old time hides nothing. */
	mock_put_ulong(k.m, k.top0.page[12].data, 1);
	newest(400);
	assert_int_equal(nr_seen, 400);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		T(no_filter_leaves_all),
		T(events_are_chosen_by_name_system_and_pattern),
		T(what_names_no_event_is_named),
		T(borders_of_time_are_what_reports_show),
		T(time_shown_rounded_up_is_found_by_that),
		T(what_is_no_time_is_refused),
		T(newest_are_found_over_all_buffers),
		T(more_than_there_are_is_all),
		T(ties_are_exact),
		T(newest_of_chosen_cpus_and_times_only),
		T(counting_tells_of_no_damage_twice),
		T(mark_of_loss_stays_with_the_next_event),
		T(loss_before_the_time_asked_for_is_left_out),
		T(times_are_exact_whatever_is_taken_out),
		T(old_pages_are_not_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
