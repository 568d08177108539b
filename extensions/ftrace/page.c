// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "base/cursor.h"
#include "ftrace/page.h"

/* enum ring_buffer_type, include/linux/ring_buffer.h */
#define TYPE_DATA_LEN_MAX 28
#define TYPE_PADDING	  29
#define TYPE_TIME_EXTEND  30
#define TYPE_TIME_STAMP	  31

#define TIME_DELTA_BITS 27
#define MISSED_EVENTS	(1u << 31)
#define MISSED_STORED	(1u << 30)
#define MISSED_MASK	(MISSED_EVENTS | MISSED_STORED)

/* An absolute time stamp has 59 bits; the page's supplies the rest. */
#define ABS_TS_MASK ((1ull << 59) - 1)

#define EVENT_HDR_SIZE 4u

struct event {
	uint32_t len;  /* bytes, header included */
	uint32_t head; /* bytes of a data event's header */
	uint64_t ts;   /* time after this event */
	bool data;     /* an event that a user sees */
	bool padding;
};

/*
 * struct ring_buffer_event begins with the bit-fields type_len:5 and
 * time_delta:27, which compilers lay out by byte order.
 */
static void split_header(uint32_t word, uint32_t *type_len, uint32_t *delta)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	*type_len = word & 31;
	*delta = word >> 5;
#else
	*type_len = word >> TIME_DELTA_BITS;
	*delta = word & ((1u << TIME_DELTA_BITS) - 1);
#endif
}

/*
 * The event at the cursor; @ts is the time before it. Returns NULL, or what
 * is wrong. The rules are those of rb_read_data_buffer(), which the kernel
 * applies to pages that survived a reboot.
 */
static const char *read_event(struct cursor *c, uint64_t ts, struct event *ev)
{
	uint32_t type_len, delta, array0 = 0;
	size_t left = cursor_left(c);
	uint64_t abs;

	*ev = (struct event){ .ts = ts };
	split_header(cursor_uint(c, 4), &type_len, &delta);
	if (left < EVENT_HDR_SIZE)
		return "an event header is cut off";
	if (type_len == 0 || type_len > TYPE_DATA_LEN_MAX) {
		/* No room for a word more: only the null padding ends so. */
		if (type_len == TYPE_PADDING && !delta && left < 8) {
			ev->len = left;
			ev->padding = true;
			return NULL;
		}
		array0 = cursor_uint(c, 4);
		if (c->failed)
			return "an event header is cut off";
	}

	switch (type_len) {
	case TYPE_PADDING:
		/* Null padding has no length: the rest of the page is void. */
		if (!delta)
			return "padding without a length";
		ev->padding = true;
		/* Discarded events count their time, page padding does not. */
		if (delta != 1)
			ev->ts = ts + delta;
		if (array0 > left)
			return "an event is longer than its page";
		ev->len = array0 + EVENT_HDR_SIZE;
		break;
	case TYPE_TIME_EXTEND:
		ev->ts = ts + delta + ((uint64_t)array0 << TIME_DELTA_BITS);
		ev->len = 8;
		break;
	case TYPE_TIME_STAMP:
		abs = delta + ((uint64_t)array0 << TIME_DELTA_BITS);
		/* As rb_fix_abs_ts(): the top bits, and a carry into them. */
		if (ts & ~ABS_TS_MASK) {
			abs |= ts & ~ABS_TS_MASK;
			if (abs < ts)
				abs += ABS_TS_MASK + 1;
		}
		if (abs < ts)
			return "an absolute time stamp runs backwards";
		ev->ts = abs;
		ev->len = 8;
		break;
	case 0:
		/* The length counts its own word. */
		if (array0 < 4 || array0 > left)
			return "an event is longer than its page";
		ev->len = array0 + EVENT_HDR_SIZE;
		ev->head = 2 * EVENT_HDR_SIZE;
		ev->ts = ts + delta;
		ev->data = true;
		break;
	default:
		ev->len = (type_len + 1) * EVENT_HDR_SIZE;
		ev->head = EVENT_HDR_SIZE;
		ev->ts = ts + delta;
		ev->data = true;
		break;
	}

	if (ev->len > left)
		return "an event is longer than its page";
	if (ev->len % EVENT_HDR_SIZE)
		return "an event's length is not aligned";
	if (ev->ts < ts)
		return "time overflows";
	return NULL;
}

static enum err refuse(struct ft_page *page, const char *fault)
{
	page->fault = fault;
	return ERR_BAD_DATA;
}

enum err ft_page_check(struct ft_page *page, const struct ft_layout *layout)
{
	size_t capacity = page->size - layout->dp_data.off;
	uint64_t raw = vm_get(page->buf, page->size, &layout->dp_commit);
	bool discarded = false;
	struct cursor c;

	page->first_ts = vm_get(page->buf, page->size, &layout->dp_time_stamp);
	page->last_ts = page->first_ts;
	page->commit = raw & ~MISSED_MASK;
	page->missed = raw & MISSED_EVENTS;
	page->data_end = 0;
	page->events = 0;
	page->discarded = false;
	page->fault = NULL;

	if (raw >> 32 || page->commit > capacity)
		return refuse(page, "commit lies outside the page");

	c = cursor_init(page->buf + layout->dp_data.off, page->commit);
	while (cursor_left(&c)) {
		size_t at = c.pos;
		struct event ev;
		const char *fault = read_event(&c, page->last_ts, &ev);

		if (fault)
			return refuse(page, fault);
		if (ev.padding) {
			discarded |= ev.ts == page->last_ts;
		} else {
			page->discarded = discarded;
			page->data_end = at + ev.len;
		}
		page->last_ts = ev.ts;
		page->events += ev.data;
		cursor_seek(&c, at + ev.len);
	}
	return ERR_NONE;
}

bool ft_page_next_event(const struct ft_page *page,
			const struct ft_layout *layout, struct ft_page_pos *pos,
			struct ft_page_event *event)
{
	const uint8_t *data = page->buf + layout->dp_data.off;
	struct cursor c = cursor_init(data, page->commit);

	while (cursor_seek(&c, pos->at) && cursor_left(&c)) {
		struct event ev;

		if (read_event(&c, pos->ts, &ev))
			return false;
		event->raw = data + pos->at;
		pos->at += ev.len;
		pos->ts = ev.ts;
		if (!ev.data)
			continue;
		event->raw_len = ev.len;
		event->data = event->raw + ev.head;
		event->len = ev.len - ev.head;
		event->ts = ev.ts;
		return true;
	}
	return false;
}

/* The reverse of split_header(). */
static uint32_t join_header(uint32_t type_len, uint32_t delta)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	return type_len | delta << 5;
#else
	return type_len << TIME_DELTA_BITS | delta;
#endif
}

uint32_t ft_event_put(uint8_t *to, const struct ft_page_event *event,
		      uint64_t delta)
{
	uint32_t type_len, old, word, done = 0;

	while (delta >> TIME_DELTA_BITS) {
		uint64_t part = delta > ABS_TS_MASK ? ABS_TS_MASK : delta;

		word = join_header(TYPE_TIME_EXTEND,
				   part & ((1u << TIME_DELTA_BITS) - 1));
		memcpy(to + done, &word, 4);
		word = part >> TIME_DELTA_BITS;
		memcpy(to + done + 4, &word, 4);
		done += 8;
		delta -= part;
	}
	memcpy(&word, event->raw, 4);
	split_header(word, &type_len, &old);
	word = join_header(type_len, delta);
	memcpy(to + done, &word, 4);
	memcpy(to + done + 4, event->raw + 4, event->raw_len - 4);
	return done + event->raw_len;
}

uint64_t ft_page_lost(const struct ft_page *page, const struct ft_layout *layout)
{
	const struct vm_member word = { .off = layout->dp_data.off + page->commit,
					.size = layout->dp_commit.size };

	if (!(vm_get(page->buf, page->size, &layout->dp_commit) & MISSED_STORED))
		return 0;
	return vm_get(page->buf, page->size, &word);
}

/* Store an unsigned long of the dead kernel, @size 4 or 8. */
static void put_word(uint8_t *at, size_t size, uint64_t value)
{
	uint32_t low = value;

	if (size == sizeof(value))
		memcpy(at, &value, size);
	else
		memcpy(at, &low, sizeof(low));
}

enum err ft_page_consume(struct ft_page *page, const struct ft_layout *layout,
			 uint32_t read)
{
	uint8_t *data = page->buf + layout->dp_data.off;
	struct cursor c = cursor_init(data, page->commit);
	uint64_t ts = page->first_ts;
	uint32_t gone = 0;

	if (!read)
		return ERR_NONE;
	while (c.pos < read) {
		size_t at = c.pos;
		struct event ev;

		if (!cursor_left(&c) || read_event(&c, ts, &ev))
			return ERR_BAD_DATA;
		ts = ev.ts;
		gone += ev.data;
		cursor_seek(&c, at + ev.len);
	}
	if (c.pos != read)
		return ERR_BAD_DATA;

	memmove(data, data + read, page->commit - read);
	page->commit -= read;
	page->data_end = page->data_end > read ? page->data_end - read : 0;
	page->events -= gone;
	page->first_ts = ts;
	memcpy(page->buf + layout->dp_time_stamp.off, &ts, sizeof(ts));
	/* A mark for what was lost before the consumed events is history. */
	page->missed = false;
	put_word(page->buf + layout->dp_commit.off, layout->dp_commit.size,
		 page->commit);
	return ERR_NONE;
}

static void take_out_discarded(struct ft_page *page,
			       const struct ft_layout *layout)
{
	uint8_t *data = page->buf + layout->dp_data.off;
	struct cursor c = cursor_init(data, page->data_end);
	uint64_t ts = page->first_ts;
	uint32_t kept = 0;

	while (cursor_left(&c)) {
		size_t at = c.pos;
		struct event ev;

		/* ft_page_check() has walked here before. */
		if (read_event(&c, ts, &ev))
			break;
		if (!ev.padding || ev.ts != ts) {
			memmove(data + kept, data + at, ev.len);
			kept += ev.len;
		}
		ts = ev.ts;
		cursor_seek(&c, at + ev.len);
	}
	page->data_end = kept;
	page->discarded = false;
}

void ft_page_finish(struct ft_page *page, const struct ft_layout *layout,
		    bool lost, uint64_t count)
{
	uint8_t *data = page->buf + layout->dp_data.off;
	size_t capacity = page->size - layout->dp_data.off;
	size_t word = layout->dp_commit.size;
	uint32_t flags = 0;

	if (page->discarded)
		take_out_discarded(page, layout);
	/* As the kernel does: give up the padding for the count. */
	page->commit = page->data_end;
	memset(data + page->commit, 0, capacity - page->commit);

	/* With a mark of the kernel's own, the number is not known any more. */
	if (page->missed || !lost)
		count = 0;
	page->missed |= lost;
	if (page->missed)
		flags = MISSED_EVENTS;
	if (count && capacity - page->commit >= word) {
		put_word(data + page->commit, word, count);
		flags |= MISSED_STORED;
	}
	put_word(page->buf + layout->dp_commit.off, word, page->commit | flags);
}
