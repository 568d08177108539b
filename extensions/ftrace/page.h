/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FTRACE_PAGE_H
#define FTRACE_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "ftrace/layout.h"

/*
 * One sub-buffer of a ring buffer: struct buffer_data_page, then events
 * (kernel/trace/ring_buffer.c; the event header is in
 * include/linux/ring_buffer.h). Everything here works on a copy in memory.
 */
struct ft_page {
	uint8_t *buf;	   /* the whole sub-buffer, header included */
	size_t size;	   /* bytes, header included */
	uint64_t first_ts; /* the page's own time stamp */
	uint64_t last_ts;  /* time of the last event */
	uint32_t commit;   /* bytes of events, flags removed */
	uint32_t data_end; /* as commit, without padding at the end */
	uint32_t events;   /* data events, discarded ones left out */
	bool discarded;	   /* discarded events lie between others */
	bool missed;	   /* the kernel marked events as missed here */
	const char *fault; /* why ft_page_check() refused it */
};

/*
 * Walk the events of @page->buf and fill in the rest. The page is sound when
 * commit lies within it, the events end exactly on commit, and no time stamp
 * runs backwards; otherwise ERR_BAD_DATA, and @page->fault says why.
 */
enum err ft_page_check(struct ft_page *page, const struct ft_layout *layout);

/*
 * Leave out the first @read bytes of events: a reader has consumed them. The
 * page's time stamp becomes that of the last consumed event, as
 * ring_buffer_read_page() has it. ERR_BAD_DATA when @read is not on the
 * border of an event. @page must be sound, and stays so.
 */
enum err ft_page_consume(struct ft_page *page, const struct ft_layout *layout,
			 uint32_t read);

/*
 * Make the page ready to be written. Events that the kernel discarded are taken
 * out: the kernel gives them a time of 1 that does not count, and libtraceevent
 * counts it. What lies behind the last event is cleared; it is stale, and not
 * ours to show. Where @lost, note that events were
 * lost before the first one of this page, as ring_buffer_read_page() does for
 * readers: bit 31 of commit, and bit 30 with the count behind the last event
 * where there is room. @count 0: nobody knows how many.
 */
void ft_page_finish(struct ft_page *page, const struct ft_layout *layout,
		    bool lost, uint64_t count);

/* A data event of a page. The pointers are into the page. */
struct ft_page_event {
	uint64_t ts;
	const uint8_t *data; /* what the tracer wrote, a struct trace_entry */
	uint32_t len;	     /* bytes of it */
	const uint8_t *raw;  /* with its header */
	uint32_t raw_len;
};

/* How far a visit to a page's events has come: { 0, page->first_ts } at first. */
struct ft_page_pos {
	uint32_t at;
	uint64_t ts;
};

/* The next data event of a sound @page. False: there is no more. */
bool ft_page_next_event(const struct ft_page *page,
			const struct ft_layout *layout, struct ft_page_pos *pos,
			struct ft_page_event *event);

/*
 * Write @event to @to, which it does not overlap, so that it is @delta later
 * than what stands before it; in front goes what extends time, if it must.
 * Returns the bytes written.
 */
uint32_t ft_event_put(uint8_t *to, const struct ft_page_event *event,
		      uint64_t delta);

/*
 * How many events were lost before a finished page whose @missed is set. 0:
 * nobody knows.
 */
uint64_t ft_page_lost(const struct ft_page *page,
		      const struct ft_layout *layout);

#endif
