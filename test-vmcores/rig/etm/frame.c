// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "frame.h"

/* Bit n of the last byte belongs to byte 2n. */
#define AUX 15
/* An ID at least in each seventh frame: hardware does it. */
#define MAX_WITHOUT 6
#define NONE	    (-1)
#define NULL_ID	    0

void frame_init(struct frame *f, bool raw,
		void (*out)(void *ctx, const uint8_t bytes[FRAME_SIZE]),
		void *ctx)
{
	memset(f, 0, sizeof(*f));
	f->raw = raw;
	f->out = out;
	f->ctx = ctx;
	f->id = NONE;
	f->held = NONE;
}

static void emit(struct frame *f)
{
	f->out(f->ctx, f->buf);
	memset(f->buf, 0, sizeof(f->buf));
	f->pos = 0;
	f->without = f->has_id ? 0 : f->without + 1;
	f->has_id = false;
}

static void place(struct frame *f, uint8_t byte)
{
	f->buf[f->pos++] = byte;
	if (f->pos == (f->raw ? FRAME_SIZE : AUX))
		emit(f);
}

/* At an even position, where bit 0 says data or ID. */
static void place_data(struct frame *f, uint8_t byte)
{
	f->buf[AUX] |= (byte & 1) << (f->pos / 2);
	place(f, byte & ~1);
}

/* late: the byte after it is still of the ID before. */
static void place_id(struct frame *f, uint8_t id, bool late)
{
	f->buf[AUX] |= late << (f->pos / 2);
	f->id = id;
	f->has_id = true;
	place(f, id << 1 | 1);
}

/*
 * A byte for an even position waits for the next one: if that one has another
 * ID, the ID comes first, with "late" set. Only the last position has no
 * partner.
 */
static void write_byte(struct frame *f, uint8_t id, uint8_t byte)
{
	if (f->held != NONE) {
		uint8_t held = f->held;

		f->held = NONE;
		if (id == f->id) {
			place_data(f, held);
			place(f, byte);
			return;
		}
		place_id(f, id, true);
		place(f, held);
	}
	if (id != f->id || (f->pos == 0 && f->without >= MAX_WITHOUT)) {
		/* Only ever at an even position: odd ones are never left. */
		place_id(f, id, false);
		if (f->pos) {
			place(f, byte);
			return;
		}
	}
	if (f->pos == AUX - 1)
		place_data(f, byte);
	else
		f->held = byte;
}

void frame_write(struct frame *f, uint8_t id, const uint8_t *bytes, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (f->raw)
			place(f, bytes[i]);
		else
			write_byte(f, id, bytes[i]);
	}
}

void frame_flush(struct frame *f)
{
	if (!f->raw && (f->held != NONE || f->pos))
		write_byte(f, NULL_ID, 0);
	while (f->pos) {
		if (f->raw)
			place(f, 0);
		else
			write_byte(f, NULL_ID, 0);
	}
	f->held = NONE;
	f->id = NONE;
}
