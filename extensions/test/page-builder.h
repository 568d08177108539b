/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TEST_PAGE_BUILDER_H
#define TEST_PAGE_BUILDER_H

#include <stddef.h>
#include <stdint.h>

/*
 * Writes a sub-buffer as the kernel lays it out: u64 time stamp, long commit,
 * then events, each a word of type_len:5 and time_delta:27 and what follows.
 */
#define PB_HEADER 16u
#define PB_MISSED (1u << 31)
#define PB_STORED (1u << 30)

struct page_builder {
	uint8_t *buf;
	size_t size;
	size_t at; /* bytes of events so far */
};

/* @buf is cleared; its commit is 0 until pb_commit(). */
void pb_init(struct page_builder *pb, void *buf, size_t size, uint64_t ts);
/* A header word, or any other word. */
void pb_head(struct page_builder *pb, uint32_t type_len, uint32_t delta);
void pb_word(struct page_builder *pb, uint32_t word);

/*
 * A data event of @len bytes, a multiple of 4 of 8 or more: a trace entry
 * with event id @type, pid 1, and @id as its first field; zeroes follow.
 */
void pb_event(struct page_builder *pb, uint32_t delta, uint16_t type,
	      uint32_t id, uint32_t len);
void pb_extend(struct page_builder *pb, uint64_t delta);
void pb_absolute(struct page_builder *pb, uint64_t ts);
/* An event that was written and thrown away: @len bytes behind its header. */
void pb_discarded(struct page_builder *pb, uint32_t delta, uint32_t len);
/* Padding up to the end of the page. */
void pb_pad(struct page_builder *pb);

/* Commit what was written, with flags in the upper bits. */
void pb_commit(struct page_builder *pb, uint64_t flags);
/* Commit any number. */
void pb_commit_raw(struct page_builder *pb, uint64_t commit);

#endif
