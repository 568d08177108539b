// SPDX-License-Identifier: GPL-2.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "deframe.h"
#include "frame.h"
#include "walk.h"

#define MAX 65536

struct bytes {
	uint8_t v[MAX];
	size_t n;
};

static struct bytes frames, sent[DEFRAME_IDS], got[DEFRAME_IDS];

static void on_frame(void *ctx, const uint8_t bytes[FRAME_SIZE])
{
	struct bytes *b = ctx;

	assert_true(b->n + FRAME_SIZE <= MAX);
	memcpy(b->v + b->n, bytes, FRAME_SIZE);
	b->n += FRAME_SIZE;
}

static void send(struct frame *f, uint8_t id, const uint8_t *bytes, size_t n)
{
	frame_write(f, id, bytes, n);
	memcpy(sent[id].v + sent[id].n, bytes, n);
	sent[id].n += n;
}

static void take(void *ctx, unsigned int id, uint8_t byte)
{
	struct bytes *b = ctx;

	assert_true(b[id].n < MAX);
	b[id].v[b[id].n++] = byte;
}

static unsigned int take_apart(void)
{
	return deframe(frames.v, frames.n, take, got);
}

static void start(struct frame *f, bool raw)
{
	frames.n = 0;
	memset(sent, 0, sizeof(sent));
	memset(got, 0, sizeof(got));
	frame_init(f, raw, on_frame, &frames);
}

static void compare(void)
{
	unsigned int id;

	for (id = 1; id < DEFRAME_IDS; id++) {
		assert_int_equal(got[id].n, sent[id].n);
		assert_memory_equal(got[id].v, sent[id].v, sent[id].n);
	}
}

static void test_random(void **state)
{
	uint64_t seed = 42;
	uint8_t bytes[300];
	struct frame f;
	unsigned int round, i, n;

	(void)state;
	for (round = 0; round < 300; round++) {
		/* mostly single bytes, or mostly long runs */
		unsigned int longest = round % 3 ? 3 : sizeof(bytes);

		start(&f, false);
		for (i = 0; i < 100; i++) {
			n = walk_random(&seed, longest) + 1;
			while (n--)
				bytes[n] = walk_random(&seed, 256);
			n = walk_random(&seed, longest) + 1;
			send(&f, 0x10 + walk_random(&seed, 4), bytes, n);
			if (!walk_random(&seed, 50))
				frame_flush(&f);
		}
		frame_flush(&f);
		assert_in_range(take_apart(), 0, 6);
		compare();
	}
}

static void test_flush(void **state)
{
	static const uint8_t byte = 0xa5;
	struct frame f;
	size_t n;

	(void)state;
	start(&f, false);
	frame_flush(&f);
	assert_int_equal(frames.n, 0); /* nothing was written */

	for (n = 1; n < 40; n++) {
		send(&f, 0x10, &byte, 1);
		frame_flush(&f);
		assert_int_equal(frames.n, n * FRAME_SIZE);
		frame_flush(&f);
		assert_int_equal(frames.n, n * FRAME_SIZE);
	}
	take_apart();
	compare();
}

static void test_one_id(void **state)
{
	static uint8_t zeros[MAX / 2];
	struct frame f;

	(void)state;
	start(&f, false);
	send(&f, 0x11, zeros, sizeof(zeros));
	frame_flush(&f);
	assert_int_equal(take_apart(), 6);
	compare();
}

static void test_raw(void **state)
{
	static const uint8_t bytes[20] = { 1, 2, 3, 4, [19] = 0xff };
	static const uint8_t zeros[12];
	struct frame f;

	(void)state;
	start(&f, true);
	frame_write(&f, 0x10, bytes, sizeof(bytes));
	assert_int_equal(frames.n, 16);
	frame_flush(&f);
	assert_int_equal(frames.n, 32);
	assert_memory_equal(frames.v, bytes, sizeof(bytes));
	assert_memory_equal(frames.v + sizeof(bytes), zeros, sizeof(zeros));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_flush),
		cmocka_unit_test(test_one_id),
		cmocka_unit_test(test_raw),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
