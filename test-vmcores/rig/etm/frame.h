/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The CoreSight formatter, as a TMC or TPIU has it: bytes of several sources
 * into 16-byte frames that say which byte is whose.
 */
#ifndef FRAME_H
#define FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FRAME_SIZE 16

struct frame {
	/* public: for the callback */
	void (*out)(void *ctx, const uint8_t bytes[FRAME_SIZE]);
	void *ctx;

	/* private */
	bool raw;
	uint8_t buf[FRAME_SIZE];
	unsigned int pos;
	int id;		      /* of the last ID byte, -1: none yet */
	int held;	      /* a byte that waits for its neighbour, or -1 */
	unsigned int without; /* frames since the last one with an ID */
	bool has_id;	      /* this frame has one */
};

/*
 * raw: FFCR.EnFt is 0. The bytes are passed on as they are, 16 at a time; that
 * makes sense with one source only.
 */
void frame_init(struct frame *f, bool raw,
		void (*out)(void *ctx, const uint8_t bytes[FRAME_SIZE]),
		void *ctx);
/* Bytes of the source with this trace ID, 0x01 to 0x7f. */
void frame_write(struct frame *f, uint8_t id, const uint8_t *bytes, size_t n);
/*
 * Flush or stop: everything written comes out, the rest of the frame is ID 0
 * (raw: zeros). What is written next says its ID anew.
 */
void frame_flush(struct frame *f);

#endif
