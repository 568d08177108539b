/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BASE_CURSOR_H
#define BASE_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/*
 * The one way to take numbers out of bytes that came from a dump. A read past
 * the end gives 0 and sets @failed; it never touches memory outside. crash
 * always runs on the byte order of its target, so no order is converted here.
 */
struct cursor {
	const uint8_t *base;
	size_t len;
	size_t pos;
	bool failed;
};

static inline struct cursor cursor_init(const void *base, size_t len)
{
	return (struct cursor){ .base = base, .len = len };
}

static inline size_t cursor_left(const struct cursor *c)
{
	return c->len - c->pos;
}

static inline bool cursor_seek(struct cursor *c, size_t pos)
{
	if (pos > c->len) {
		c->failed = true;
		return false;
	}
	c->pos = pos;
	return true;
}

/* The next @size bytes, 1, 2, 4 or 8, as an unsigned number. */
static inline uint64_t cursor_uint(struct cursor *c, size_t size)
{
	union {
		uint8_t u8;
		uint16_t u16;
		uint32_t u32;
		uint64_t u64;
	} v = { 0 };

	if (c->failed || size > sizeof(v) || size > cursor_left(c)) {
		c->failed = true;
		return 0;
	}
	memcpy(&v, c->base + c->pos, size);
	c->pos += size;
	switch (size) {
	case 1:
		return v.u8;
	case 2:
		return v.u16;
	case 4:
		return v.u32;
	case 8:
		return v.u64;
	}
	c->failed = true;
	return 0;
}

#endif
