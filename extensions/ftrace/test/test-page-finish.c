// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ft_page_finish(): what a page looks like in the file. libtraceevent's
 * reader says what its marks of lost events mean.
 */
#include "ftrace/page.h"
#include "test/kbuf-reader.h"
#include "test/page-builder.h"
#include "test/unit.h"

#define SIZE 4096u
#define ROOM (SIZE - PB_HEADER)
#define TS   1000000000ull

static const struct ft_layout layout = {
	.dp_time_stamp = { .off = 0, .size = 8 },
	.dp_commit = { .off = 8, .size = 8 },
	.dp_data = { .off = 16, .size = 0 },
};

static uint64_t buf[SIZE / 8];
static struct ft_page page;
static struct page_builder pb;

static void begin(void)
{
	page = (struct ft_page){ .buf = (uint8_t *)buf, .size = SIZE };
	pb_init(&pb, buf, SIZE, TS);
}

static void finish(bool lost, uint64_t count)
{
	assert_int_equal(ft_page_check(&page, &layout), ERR_NONE);
	ft_page_finish(&page, &layout, lost, count);
}

/* What the first event's reader is told of lost ones. */
static int missed(void)
{
	struct kbuf_event ev;

	assert_in_range(kbuf_read(buf, &ev, 1), 1, 1000);
	return ev.missed;
}

/* The commit word, flags and all. */
static uint64_t commit_word(void)
{
	return buf[1];
}

/*
 * A discarded event whose delta was 0 gets 1, which does not count; kbuffer
 * counts it all the same, so it must not be in the file.
 */
TEST(discarded_events_without_time_are_taken_out)
{
	struct kbuf_event ev[8];

	begin();
	pb_event(&pb, 10, 1, 1, 12);
	pb_discarded(&pb, 1, 20);
	pb_discarded(&pb, 1, 8);
	pb_event(&pb, 20, 1, 2, 40);
	pb_discarded(&pb, 1, 12);
	pb_event(&pb, 30, 1, 3, 12);
	pb_commit(&pb, 0);
	finish(false, 0);
	assert_int_equal(page.events, 3);
	assert_int_equal(kbuf_read(buf, ev, 8), 3);
	assert_int_equal(ev[0].ts, TS + 10);
	assert_int_equal(ev[1].ts, TS + 30);
	assert_int_equal(ev[2].ts, TS + 60);
	assert_int_equal(ev[0].id, 1);
	assert_int_equal(ev[1].id, 2);
	assert_int_equal(ev[2].id, 3);
	assert_int_equal(ev[1].size, 40);
}

/* The next event's delta is from this one, so its time does count. */
TEST(discarded_events_with_a_time_keep_it)
{
	struct kbuf_event ev[8];

	begin();
	pb_event(&pb, 10, 1, 1, 12);
	pb_discarded(&pb, 500, 20);
	pb_event(&pb, 20, 1, 2, 12);
	pb_commit(&pb, 0);
	finish(false, 0);
	assert_int_equal(kbuf_read(buf, ev, 8), 2);
	assert_int_equal(ev[1].ts, TS + 530);
}

/* A time extend belongs to the event behind it, discarded or not. */
TEST(time_extend_before_a_discarded_event_counts)
{
	struct kbuf_event ev[8];

	begin();
	pb_event(&pb, 10, 1, 1, 12);
	pb_extend(&pb, 1ull << 30);
	pb_discarded(&pb, 1, 20);
	pb_event(&pb, 20, 1, 2, 12);
	pb_commit(&pb, 0);
	finish(false, 0);
	assert_int_equal(kbuf_read(buf, ev, 8), 2);
	assert_int_equal(ev[1].ts, TS + 30 + (1ull << 30));
}

TEST(page_without_loss_has_no_mark)
{
	begin();
	pb_event(&pb, 1, 1, 1, 12);
	pb_commit(&pb, 0);
	finish(false, 0);
	assert_int_equal(commit_word(), 16);
	assert_int_equal(missed(), 0);
}

TEST(loss_of_unknown_size_is_marked)
{
	begin();
	pb_event(&pb, 1, 1, 1, 12);
	pb_commit(&pb, 0);
	finish(true, 0);
	assert_int_equal(commit_word(), 16 | PB_MISSED);
	assert_int_equal(missed(), -1);
}

TEST(number_of_lost_events_is_stored_behind_the_last)
{
	begin();
	pb_event(&pb, 1, 1, 1, 12);
	pb_commit(&pb, 0);
	finish(true, 4711);
	assert_int_equal(commit_word(), 16 | PB_MISSED | PB_STORED);
	assert_int_equal(missed(), 4711);
}

TEST(number_is_stored_where_exactly_a_long_has_room)
{
	begin();
	pb_event(&pb, 1, 1, 1, ROOM - 8 - 8);
	pb_commit(&pb, 0);
	finish(true, 99);
	assert_int_equal(missed(), 99);
}

TEST(loss_is_marked_without_number_where_no_long_has_room)
{
	begin();
	pb_event(&pb, 1, 1, 1, ROOM - 8 - 4);
	pb_commit(&pb, 0);
	finish(true, 99);
	assert_int_equal(commit_word(), (ROOM - 4) | PB_MISSED);
	assert_int_equal(missed(), -1);

	begin();
	pb_event(&pb, 1, 1, 1, ROOM - 8);
	pb_commit(&pb, 0);
	finish(true, 99);
	assert_int_equal(commit_word(), ROOM | PB_MISSED);
	assert_int_equal(missed(), -1);
}

TEST(padding_gives_way_to_the_number)
{
	begin();
	pb_event(&pb, 1, 1, 1, 12);
	pb_pad(&pb);
	pb_commit(&pb, 0);
	finish(true, 5);
	assert_int_equal(commit_word(), 16 | PB_MISSED | PB_STORED);
	assert_int_equal(missed(), 5);
}

TEST(mark_of_the_kernel_stays)
{
	begin();
	pb_event(&pb, 1, 1, 1, 12);
	pb_commit(&pb, PB_MISSED);
	finish(false, 0);
	assert_int_equal(missed(), -1);
}

TEST(number_without_a_loss_is_not_stored)
{
	begin();
	pb_event(&pb, 1, 1, 1, 12);
	pb_commit(&pb, PB_MISSED);
	finish(false, 77);
	assert_int_equal(commit_word(), 16 | PB_MISSED);
}

/* An unknown number and a known one make an unknown one. */
TEST(mark_of_the_kernel_makes_a_known_number_unknown)
{
	begin();
	pb_event(&pb, 1, 1, 1, 12);
	pb_commit(&pb, PB_MISSED);
	finish(true, 77);
	assert_int_equal(missed(), -1);
}

TEST(what_lies_behind_the_last_event_is_cleared)
{
	const uint8_t *bytes = (uint8_t *)buf;

	begin();
	pb_event(&pb, 1, 1, 1, 12);
	pb_commit(&pb, 0);
	memset((uint8_t *)buf + PB_HEADER + 16, 0xee, ROOM - 16);
	finish(false, 0);
	for (size_t i = PB_HEADER + 16; i < SIZE; i++)
		assert_int_equal(bytes[i], 0);
}

TEST(number_of_lost_events_is_all_that_lies_behind)
{
	const uint8_t *bytes = (uint8_t *)buf;

	begin();
	pb_event(&pb, 1, 1, 1, 12);
	pb_commit(&pb, 0);
	memset((uint8_t *)buf + PB_HEADER + 16, 0xee, ROOM - 16);
	finish(true, 1);
	for (size_t i = PB_HEADER + 16 + 8; i < SIZE; i++)
		assert_int_equal(bytes[i], 0);
}

TEST(events_are_not_touched)
{
	struct kbuf_event ev[4];

	begin();
	pb_event(&pb, 1, 1, 11, 12);
	pb_discarded(&pb, 3, 8);
	pb_event(&pb, 5, 1, 12, 200);
	pb_pad(&pb);
	pb_commit(&pb, 0);
	finish(true, 3);
	assert_int_equal(kbuf_read(buf, ev, 4), 2);
	assert_int_equal(ev[0].id, 11);
	assert_int_equal(ev[0].ts, TS + 1);
	assert_int_equal(ev[0].missed, 3);
	assert_int_equal(ev[1].id, 12);
	assert_int_equal(ev[1].ts, TS + 9);
	assert_int_equal(ev[1].size, 200);
	assert_int_equal(ev[1].missed, 0);
}

TEST(commit_of_four_bytes_is_written_as_four)
{
	/* 32-bit: the data begin where the other half would be. */
	static const struct ft_layout narrow = {
		.dp_time_stamp = { .off = 0, .size = 8 },
		.dp_commit = { .off = 8, .size = 4 },
		.dp_data = { .off = 12, .size = 0 },
	};
	const uint32_t head = 3 | 1 << 5;
	uint8_t *bytes = (uint8_t *)buf;
	uint32_t word = 16;

	begin();
	memcpy(bytes + 8, &word, 4);
	memcpy(bytes + 12, &head, 4);
	memset(bytes + 16, 0x77, 12);
	assert_int_equal(ft_page_check(&page, &narrow), ERR_NONE);
	assert_int_equal(page.events, 1);
	ft_page_finish(&page, &narrow, true, 6);
	memcpy(&word, bytes + 8, 4);
	assert_int_equal(word, 16 | PB_MISSED | PB_STORED);
	assert_memory_equal(bytes + 12, &head, 4);
	memcpy(&word, bytes + 12 + 16, 4);
	assert_int_equal(word, 6);
	assert_int_equal(bytes[12 + 20], 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(discarded_events_without_time_are_taken_out),
		cmocka_unit_test(discarded_events_with_a_time_keep_it),
		cmocka_unit_test(time_extend_before_a_discarded_event_counts),
		cmocka_unit_test(page_without_loss_has_no_mark),
		cmocka_unit_test(loss_of_unknown_size_is_marked),
		cmocka_unit_test(number_of_lost_events_is_stored_behind_the_last),
		cmocka_unit_test(number_is_stored_where_exactly_a_long_has_room),
		cmocka_unit_test(
			loss_is_marked_without_number_where_no_long_has_room),
		cmocka_unit_test(padding_gives_way_to_the_number),
		cmocka_unit_test(mark_of_the_kernel_stays),
		cmocka_unit_test(number_without_a_loss_is_not_stored),
		cmocka_unit_test(mark_of_the_kernel_makes_a_known_number_unknown),
		cmocka_unit_test(what_lies_behind_the_last_event_is_cleared),
		cmocka_unit_test(number_of_lost_events_is_all_that_lies_behind),
		cmocka_unit_test(events_are_not_touched),
		cmocka_unit_test(commit_of_four_bytes_is_written_as_four),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
