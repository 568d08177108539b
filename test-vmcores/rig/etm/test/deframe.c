// SPDX-License-Identifier: GPL-2.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include <cmocka.h>

#include "deframe.h"
#include "frame.h"

struct reader {
	void (*byte)(void *ctx, unsigned int id, uint8_t byte);
	void *ctx;
	int id; /* -1: not known yet */
};

static void take(const struct reader *r, int id, uint8_t byte)
{
	if (id > 0)
		r->byte(r->ctx, id, byte);
	else if (id == 0)
		assert_int_equal(byte, 0); /* filling */
}

static bool one_frame(struct reader *r, const uint8_t *f)
{
	bool has_id = false;
	unsigned int i;

	for (i = 0; i < FRAME_SIZE - 1; i += 2) {
		bool last = i == FRAME_SIZE - 2;
		bool aux = f[FRAME_SIZE - 1] >> (i / 2) & 1;
		int next = f[i] >> 1;

		if (!(f[i] & 1)) {
			take(r, r->id, f[i] | aux);
			if (!last)
				take(r, r->id, f[i + 1]);
			continue;
		}
		has_id = true;
		if (last)
			assert_false(aux);
		else
			take(r, aux ? r->id : next, f[i + 1]);
		r->id = next;
	}
	return has_id;
}

unsigned int deframe(const uint8_t *frames, size_t n,
		     void (*byte)(void *ctx, unsigned int id, uint8_t byte),
		     void *ctx)
{
	struct reader r = { byte, ctx, -1 };
	unsigned int without = 0, worst = 0;
	size_t at;

	for (at = 0; at < n; at += FRAME_SIZE) {
		without = one_frame(&r, frames + at) ? 0 : without + 1;
		if (without > worst)
			worst = without;
	}
	return worst;
}
