// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ft_page_check() and ft_page_consume(): which pages are sound, and what is
 * in them. Times, sizes and numbers are compared with libtraceevent's reader.
 */
#include "ftrace/page.h"
#include "test/kbuf-reader.h"
#include "test/page-builder.h"
#include "test/unit.h"

#define SIZE	4096u
#define ROOM	(SIZE - PB_HEADER)
#define TS	1000000000ull
#define BITS_27 ((1u << 27) - 1)

static const struct ft_layout layout = {
	.dp_time_stamp = { .off = 0, .size = 8 },
	.dp_commit = { .off = 8, .size = 8 },
	.dp_data = { .off = 16, .size = 0 },
};

/* A page in memory of exactly its size, so that sanitizers see the border. */
struct fixture {
	struct ft_page page;
	struct page_builder pb;
};

static struct fixture *begin(uint64_t ts)
{
	struct fixture *f = calloc(1, sizeof(*f));

	f->page.buf = malloc(SIZE);
	f->page.size = SIZE;
	pb_init(&f->pb, f->page.buf, SIZE, ts);
	return f;
}

static void end(struct fixture *f)
{
	free(f->page.buf);
	free(f);
}

static enum err check(struct fixture *f)
{
	return ft_page_check(&f->page, &layout);
}

static enum err commit_and_check(struct fixture *f)
{
	pb_commit(&f->pb, 0);
	return check(f);
}

/* Build, and expect a refusal for a reason that has @why in it. */
static void assert_refused(struct fixture *f, const char *why)
{
	assert_int_equal(check(f), ERR_BAD_DATA);
	assert_non_null(f->page.fault);
	if (!strstr(f->page.fault, why))
		fail_msg("refused because \"%s\"", f->page.fault);
	end(f);
}

/* The independent reader must see the same events, the last at @last_ts. */
static void assert_reader_agrees(const struct fixture *f)
{
	struct kbuf_event ev[512];
	size_t n = kbuf_read(f->page.buf, ev, ARRAY_SIZE(ev));

	assert_int_equal(f->page.events, n);
	assert_in_range(n, 1, ARRAY_SIZE(ev));
	assert_int_equal(f->page.last_ts, ev[n - 1].ts);
}

TEST(empty_page_is_sound_and_has_no_events)
{
	struct fixture *f = begin(TS);

	assert_int_equal(commit_and_check(f), ERR_NONE);
	assert_int_equal(f->page.events, 0);
	assert_int_equal(f->page.commit, 0);
	assert_int_equal(f->page.first_ts, TS);
	assert_int_equal(f->page.last_ts, TS);
	assert_false(f->page.missed);
	end(f);
}

TEST(short_events_add_their_deltas)
{
	struct fixture *f = begin(TS);

	pb_event(&f->pb, 0, 1, 1, 12);
	pb_event(&f->pb, 5, 1, 2, 16);
	pb_event(&f->pb, BITS_27, 1, 3, 8);
	assert_int_equal(commit_and_check(f), ERR_NONE);
	assert_int_equal(f->page.events, 3);
	assert_int_equal(f->page.commit, 16 + 20 + 12);
	assert_int_equal(f->page.data_end, 16 + 20 + 12);
	assert_int_equal(f->page.first_ts, TS);
	assert_int_equal(f->page.last_ts, TS + 5 + BITS_27);
	assert_reader_agrees(f);
	end(f);
}

TEST(longest_short_event_has_112_bytes)
{
	struct fixture *f = begin(TS);

	pb_event(&f->pb, 1, 1, 1, 112);
	pb_event(&f->pb, 1, 1, 2, 12);
	assert_int_equal(commit_and_check(f), ERR_NONE);
	assert_int_equal(f->page.commit, 4 + 112 + 16);
	assert_int_equal(f->page.events, 2);
	assert_reader_agrees(f);
	end(f);
}

TEST(long_event_has_its_length_in_a_word)
{
	struct fixture *f = begin(TS);

	pb_event(&f->pb, 1, 1, 1, 116);
	pb_event(&f->pb, 2, 1, 2, 1000);
	pb_event(&f->pb, 3, 1, 3, 12);
	assert_int_equal(commit_and_check(f), ERR_NONE);
	assert_int_equal(f->page.commit, 8 + 116 + 8 + 1000 + 16);
	assert_int_equal(f->page.events, 3);
	assert_int_equal(f->page.last_ts, TS + 6);
	assert_reader_agrees(f);
	end(f);
}

TEST(event_that_fills_the_page_is_sound)
{
	struct fixture *f = begin(TS);

	pb_event(&f->pb, 1, 1, 1, ROOM - 8);
	assert_int_equal(commit_and_check(f), ERR_NONE);
	assert_int_equal(f->page.commit, ROOM);
	assert_int_equal(f->page.events, 1);
	assert_reader_agrees(f);
	end(f);
}

TEST(time_extend_adds_59_bits)
{
	const uint64_t delta = (1ull << 58) + 12345;
	struct fixture *f = begin(TS);

	pb_extend(&f->pb, delta);
	pb_event(&f->pb, 0, 1, 1, 12);
	pb_extend(&f->pb, 1ull << 27);
	pb_event(&f->pb, 7, 1, 2, 12);
	assert_int_equal(commit_and_check(f), ERR_NONE);
	assert_int_equal(f->page.events, 2);
	assert_int_equal(f->page.last_ts, TS + delta + (1ull << 27) + 7);
	assert_reader_agrees(f);
	end(f);
}

TEST(absolute_stamp_sets_the_time)
{
	struct fixture *f = begin(TS);

	pb_event(&f->pb, 3, 1, 1, 12);
	pb_absolute(&f->pb, TS + 5000000000ull);
	pb_event(&f->pb, 0, 1, 2, 12);
	assert_int_equal(commit_and_check(f), ERR_NONE);
	assert_int_equal(f->page.last_ts, TS + 5000000000ull);
	assert_int_equal(f->page.events, 2);
	assert_reader_agrees(f);
	end(f);
}

TEST(absolute_stamp_takes_its_top_bits_from_the_page)
{
	const uint64_t top = 0x15ull << 59;
	struct fixture *f = begin(top + 100);

	pb_absolute(&f->pb, 5000);
	pb_event(&f->pb, 1, 1, 1, 12);
	assert_int_equal(commit_and_check(f), ERR_NONE);
	assert_int_equal(f->page.last_ts, top + 5001);
	assert_reader_agrees(f);
	end(f);
}

/*
 * Where the top bits are in use, 59 bits that wrapped carry into them: the
 * kernel's rule (rb_fix_abs_ts()), which kbuffer of libtraceevent 1.7 lacks.
 */
TEST(absolute_stamp_that_wrapped_carries_into_the_top_bits)
{
	struct fixture *f = begin((3ull << 59) - 10);

	pb_absolute(&f->pb, 5);
	pb_event(&f->pb, 1, 1, 1, 12);
	assert_int_equal(commit_and_check(f), ERR_NONE);
	assert_int_equal(f->page.last_ts, (3ull << 59) + 6);
	end(f);
}

TEST(absolute_stamp_equal_to_the_time_before_is_sound)
{
	struct fixture *f = begin(TS);

	pb_event(&f->pb, 10, 1, 1, 12);
	pb_absolute(&f->pb, TS + 10);
	pb_event(&f->pb, 0, 1, 2, 12);
	assert_int_equal(commit_and_check(f), ERR_NONE);
	assert_int_equal(f->page.last_ts, TS + 10);
	end(f);
}

TEST(absolute_stamp_that_runs_backwards_is_refused)
{
	struct fixture *f = begin(TS);

	pb_event(&f->pb, 10, 1, 1, 12);
	pb_absolute(&f->pb, TS + 9);
	pb_event(&f->pb, 0, 1, 2, 12);
	pb_commit(&f->pb, 0);
	assert_refused(f, "backwards");
}

TEST(discarded_event_counts_its_time_but_is_no_event)
{
	struct fixture *f = begin(TS);

	pb_event(&f->pb, 1, 1, 1, 12);
	pb_discarded(&f->pb, 40, 28);
	pb_event(&f->pb, 1, 1, 2, 12);
	assert_int_equal(commit_and_check(f), ERR_NONE);
	assert_int_equal(f->page.events, 2);
	assert_int_equal(f->page.last_ts, TS + 42);
	assert_int_equal(f->page.data_end, f->page.commit);
	assert_reader_agrees(f);
	end(f);
}

TEST(padding_to_the_end_is_neither_event_nor_time)
{
	struct fixture *f = begin(TS);

	pb_event(&f->pb, 1, 1, 1, 12);
	pb_pad(&f->pb);
	assert_int_equal(commit_and_check(f), ERR_NONE);
	assert_int_equal(f->page.commit, ROOM);
	assert_int_equal(f->page.data_end, 16);
	assert_int_equal(f->page.events, 1);
	assert_int_equal(f->page.last_ts, TS + 1);
	end(f);
}

TEST(null_padding_may_fill_the_last_word)
{
	struct fixture *f = begin(TS);

	pb_event(&f->pb, 1, 1, 1, ROOM - 12);
	pb_pad(&f->pb);
	assert_int_equal(commit_and_check(f), ERR_NONE);
	assert_int_equal(f->page.commit, ROOM);
	assert_int_equal(f->page.data_end, ROOM - 4);
	assert_int_equal(f->page.events, 1);
	end(f);
}

TEST(null_padding_before_the_last_word_is_refused)
{
	struct fixture *f = begin(TS);

	pb_head(&f->pb, 29, 0);
	pb_word(&f->pb, 4);
	pb_event(&f->pb, 1, 1, 1, 12);
	pb_commit(&f->pb, 0);
	assert_refused(f, "padding");
}

TEST(padding_longer_than_the_page_is_refused)
{
	static const uint32_t lengths[] = {
		0xffffffff, 0xfffffffc, 0x80000000, ROOM, 16,
	};

	for (size_t i = 0; i < ARRAY_SIZE(lengths); i++) {
		struct fixture *f = begin(TS);

		pb_head(&f->pb, 29, 2);
		pb_word(&f->pb, lengths[i]);
		pb_word(&f->pb, 0);
		pb_word(&f->pb, 0);
		pb_commit(&f->pb, 0);
		assert_refused(f, "longer");
	}
}

TEST(event_longer_than_the_page_is_refused)
{
	static const uint32_t lengths[] = {
		0xffffffff, 0xfffffffc, 0x7ffffffc, ROOM, 16, 0, 3,
	};

	for (size_t i = 0; i < ARRAY_SIZE(lengths); i++) {
		struct fixture *f = begin(TS);

		pb_head(&f->pb, 0, 1);
		pb_word(&f->pb, lengths[i]);
		pb_word(&f->pb, 0);
		pb_word(&f->pb, 0);
		pb_commit(&f->pb, 0);
		assert_refused(f, "longer");
	}
}

TEST(length_that_is_no_multiple_of_a_word_is_refused)
{
	struct fixture *f = begin(TS);

	pb_head(&f->pb, 0, 1);
	pb_word(&f->pb, 6);
	pb_word(&f->pb, 0);
	pb_commit(&f->pb, 0);
	assert_refused(f, "aligned");
}

TEST(commit_in_the_middle_of_an_event_is_refused)
{
	for (uint32_t cut = 4; cut < 16; cut += 4) {
		struct fixture *f = begin(TS);

		pb_event(&f->pb, 1, 1, 1, 12);
		pb_event(&f->pb, 1, 1, 2, 12);
		pb_commit_raw(&f->pb, 16 + cut);
		assert_refused(f, "longer");
	}
}

TEST(commit_in_the_middle_of_a_header_is_refused)
{
	struct fixture *f = begin(TS);

	pb_event(&f->pb, 1, 1, 1, 12);
	pb_extend(&f->pb, 1000);
	pb_commit_raw(&f->pb, 16 + 4);
	assert_int_equal(check(f), ERR_BAD_DATA);
	pb_commit_raw(&f->pb, 16 + 2);
	assert_refused(f, "cut off");
}

TEST(commit_outside_the_page_is_refused)
{
	static const uint64_t commits[] = {
		ROOM + 1,   ROOM + 4, SIZE,	  0x3fffffff,
		1ull << 32, ~0ull,    1ull << 63,
	};

	for (size_t i = 0; i < ARRAY_SIZE(commits); i++) {
		struct fixture *f = begin(TS);

		pb_commit_raw(&f->pb, commits[i]);
		assert_refused(f, "commit");
	}
}

TEST(time_that_overflows_is_refused)
{
	struct fixture *f = begin(~0ull - 5);

	pb_event(&f->pb, 10, 1, 1, 12);
	pb_commit(&f->pb, 0);
	assert_refused(f, "overflow");
}

TEST(kernels_own_mark_of_missed_events_is_seen)
{
	struct fixture *f = begin(TS);

	pb_event(&f->pb, 1, 1, 1, 12);
	pb_commit(&f->pb, PB_MISSED | PB_STORED);
	assert_int_equal(check(f), ERR_NONE);
	assert_true(f->page.missed);
	assert_int_equal(f->page.commit, 16);
	end(f);
}

TEST(result_of_an_earlier_check_is_forgotten)
{
	struct fixture *f = begin(TS);

	pb_commit_raw(&f->pb, SIZE);
	assert_int_equal(check(f), ERR_BAD_DATA);
	pb_event(&f->pb, 2, 1, 1, 12);
	assert_int_equal(commit_and_check(f), ERR_NONE);
	assert_null(f->page.fault);
	assert_int_equal(f->page.events, 1);
	assert_int_equal(f->page.last_ts, TS + 2);
	end(f);
}

/* Three events at TS+1, TS+3, TS+6; borders at 16, 32, 48. */
static struct fixture *three_events(void)
{
	struct fixture *f = begin(TS);

	pb_event(&f->pb, 1, 1, 1, 12);
	pb_event(&f->pb, 2, 1, 2, 12);
	pb_event(&f->pb, 3, 1, 3, 12);
	assert_int_equal(commit_and_check(f), ERR_NONE);
	return f;
}

TEST(nothing_consumed_leaves_the_page_as_it_is)
{
	struct fixture *f = three_events();

	assert_int_equal(ft_page_consume(&f->page, &layout, 0), ERR_NONE);
	assert_int_equal(f->page.events, 3);
	assert_int_equal(f->page.commit, 48);
	assert_int_equal(f->page.first_ts, TS);
	end(f);
}

TEST(what_is_left_after_consuming_keeps_its_times)
{
	struct fixture *f = three_events();
	struct kbuf_event ev[4];

	assert_int_equal(ft_page_consume(&f->page, &layout, 32), ERR_NONE);
	assert_int_equal(f->page.events, 1);
	assert_int_equal(f->page.commit, 16);
	assert_int_equal(f->page.data_end, 16);
	assert_int_equal(f->page.first_ts, TS + 3);
	assert_int_equal(f->page.last_ts, TS + 6);

	assert_int_equal(kbuf_read(f->page.buf, ev, 4), 1);
	assert_int_equal(ev[0].id, 3);
	assert_int_equal(ev[0].ts, TS + 6);

	/* A second look at the page gives the same. */
	assert_int_equal(check(f), ERR_NONE);
	assert_int_equal(f->page.first_ts, TS + 3);
	assert_int_equal(f->page.last_ts, TS + 6);
	end(f);
}

TEST(consumed_time_extends_count)
{
	struct fixture *f = begin(TS);
	struct kbuf_event ev[4];

	pb_extend(&f->pb, 1ull << 30);
	pb_event(&f->pb, 0, 1, 1, 12);
	pb_event(&f->pb, 9, 1, 2, 12);
	assert_int_equal(commit_and_check(f), ERR_NONE);
	assert_int_equal(ft_page_consume(&f->page, &layout, 8 + 16), ERR_NONE);
	assert_int_equal(kbuf_read(f->page.buf, ev, 4), 1);
	assert_int_equal(ev[0].ts, TS + (1ull << 30) + 9);
	assert_int_equal(f->page.events, 1);
	end(f);
}

TEST(page_may_be_consumed_whole)
{
	struct fixture *f = three_events();

	assert_int_equal(ft_page_consume(&f->page, &layout, 48), ERR_NONE);
	assert_int_equal(f->page.events, 0);
	assert_int_equal(f->page.commit, 0);
	assert_int_equal(f->page.data_end, 0);
	end(f);
}

TEST(consuming_into_the_padding_leaves_no_data)
{
	struct fixture *f = begin(TS);

	pb_event(&f->pb, 1, 1, 1, 12);
	pb_pad(&f->pb);
	assert_int_equal(commit_and_check(f), ERR_NONE);
	assert_int_equal(ft_page_consume(&f->page, &layout, ROOM), ERR_NONE);
	assert_int_equal(f->page.events, 0);
	assert_int_equal(f->page.data_end, 0);
	end(f);
}

TEST(consuming_to_no_border_is_refused)
{
	static const uint32_t reads[] = { 1, 4, 15, 17, 47, 49, 52, ~0u };

	for (size_t i = 0; i < ARRAY_SIZE(reads); i++) {
		struct fixture *f = three_events();

		assert_int_equal(ft_page_consume(&f->page, &layout, reads[i]),
				 ERR_BAD_DATA);
		end(f);
	}
}

/* A number that differs from run to run would hide what failed. */
static uint32_t next_random(uint32_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 17;
	*seed ^= *seed << 5;
	return *seed;
}

static void add_random_event(struct page_builder *pb, uint32_t *seed,
			     uint32_t id)
{
	uint32_t r = next_random(seed);
	uint32_t delta = 2 + r % 1000;

	switch (r >> 16 & 7) {
	case 0:
		pb_extend(pb, (uint64_t)r << 8);
		break;
	case 1:
		pb_discarded(pb, delta, 4 + (r >> 8 & 15) * 4);
		break;
	case 2:
		pb_event(pb, delta, 1, id, 116 + (r >> 8 & 63) * 4);
		break;
	default:
		pb_event(pb, delta, 1, id, 12 + (r >> 8 & 15) * 4);
		break;
	}
}

TEST(any_mix_of_events_reads_as_kbuffer_reads_it)
{
	uint32_t seed = 2463534242u;

	for (int round = 0; round < 200; round++) {
		struct fixture *f = begin(TS * round);
		uint32_t id = 1;

		while (f->pb.at < ROOM - 400)
			add_random_event(&f->pb, &seed, id++);
		pb_event(&f->pb, 5, 1, id, 12);
		assert_int_equal(commit_and_check(f), ERR_NONE);
		assert_reader_agrees(f);
		end(f);
	}
}

TEST(damaged_pages_are_never_read_outside)
{
	uint32_t seed = 88172645u;

	for (int round = 0; round < 3000; round++) {
		struct fixture *f = begin(TS);
		uint32_t id = 1;

		while (f->pb.at < ROOM - 400)
			add_random_event(&f->pb, &seed, id++);
		pb_commit(&f->pb, 0);
		for (int i = 0; i < 8; i++) {
			uint32_t r = next_random(&seed);

			f->page.buf[8 + r % (SIZE - 8)] = r >> 24;
		}
		if (check(f) == ERR_NONE) {
			assert_in_range(f->page.commit, 0, ROOM);
			assert_in_range(f->page.data_end, 0, f->page.commit);
			ft_page_consume(&f->page, &layout,
					next_random(&seed) % SIZE);
			assert_in_range(f->page.data_end, 0, f->page.commit);
		}
		end(f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(empty_page_is_sound_and_has_no_events),
		cmocka_unit_test(short_events_add_their_deltas),
		cmocka_unit_test(longest_short_event_has_112_bytes),
		cmocka_unit_test(long_event_has_its_length_in_a_word),
		cmocka_unit_test(event_that_fills_the_page_is_sound),
		cmocka_unit_test(time_extend_adds_59_bits),
		cmocka_unit_test(absolute_stamp_sets_the_time),
		cmocka_unit_test(absolute_stamp_takes_its_top_bits_from_the_page),
		cmocka_unit_test(
			absolute_stamp_that_wrapped_carries_into_the_top_bits),
		cmocka_unit_test(
			absolute_stamp_equal_to_the_time_before_is_sound),
		cmocka_unit_test(absolute_stamp_that_runs_backwards_is_refused),
		cmocka_unit_test(discarded_event_counts_its_time_but_is_no_event),
		cmocka_unit_test(padding_to_the_end_is_neither_event_nor_time),
		cmocka_unit_test(null_padding_may_fill_the_last_word),
		cmocka_unit_test(null_padding_before_the_last_word_is_refused),
		cmocka_unit_test(padding_longer_than_the_page_is_refused),
		cmocka_unit_test(event_longer_than_the_page_is_refused),
		cmocka_unit_test(length_that_is_no_multiple_of_a_word_is_refused),
		cmocka_unit_test(commit_in_the_middle_of_an_event_is_refused),
		cmocka_unit_test(commit_in_the_middle_of_a_header_is_refused),
		cmocka_unit_test(commit_outside_the_page_is_refused),
		cmocka_unit_test(time_that_overflows_is_refused),
		cmocka_unit_test(kernels_own_mark_of_missed_events_is_seen),
		cmocka_unit_test(result_of_an_earlier_check_is_forgotten),
		cmocka_unit_test(nothing_consumed_leaves_the_page_as_it_is),
		cmocka_unit_test(what_is_left_after_consuming_keeps_its_times),
		cmocka_unit_test(consumed_time_extends_count),
		cmocka_unit_test(page_may_be_consumed_whole),
		cmocka_unit_test(consuming_into_the_padding_leaves_no_data),
		cmocka_unit_test(consuming_to_no_border_is_refused),
		cmocka_unit_test(any_mix_of_events_reads_as_kbuffer_reads_it),
		cmocka_unit_test(damaged_pages_are_never_read_outside),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
