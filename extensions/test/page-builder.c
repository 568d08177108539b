// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>

#include "test/page-builder.h"

static uint8_t *room(struct page_builder *pb, size_t len)
{
	uint8_t *at = pb->buf + PB_HEADER + pb->at;

	if (PB_HEADER + pb->at + len > pb->size)
		abort();
	pb->at += len;
	return at;
}

void pb_init(struct page_builder *pb, void *buf, size_t size, uint64_t ts)
{
	*pb = (struct page_builder){ .buf = buf, .size = size };
	memset(buf, 0, size);
	memcpy(pb->buf, &ts, sizeof(ts));
}

void pb_word(struct page_builder *pb, uint32_t word)
{
	memcpy(room(pb, 4), &word, 4);
}

void pb_head(struct page_builder *pb, uint32_t type_len, uint32_t delta)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	pb_word(pb, type_len | delta << 5);
#else
	pb_word(pb, type_len << 27 | delta);
#endif
}

void pb_event(struct page_builder *pb, uint32_t delta, uint16_t type,
	      uint32_t id, uint32_t len)
{
	int32_t pid = 1;
	uint8_t *data;

	if (len <= 112) {
		pb_head(pb, len / 4, delta);
	} else {
		pb_head(pb, 0, delta);
		pb_word(pb, len + 4);
	}
	data = room(pb, len);
	memcpy(data, &type, 2);
	memcpy(data + 4, &pid, 4);
	if (len >= 12)
		memcpy(data + 8, &id, 4);
}

void pb_extend(struct page_builder *pb, uint64_t delta)
{
	pb_head(pb, 30, delta & ((1u << 27) - 1));
	pb_word(pb, delta >> 27);
}

void pb_absolute(struct page_builder *pb, uint64_t ts)
{
	pb_head(pb, 31, ts & ((1u << 27) - 1));
	pb_word(pb, ts >> 27);
}

void pb_discarded(struct page_builder *pb, uint32_t delta, uint32_t len)
{
	pb_head(pb, 29, delta);
	pb_word(pb, len);
	memset(room(pb, len - 4), 0x5a, len - 4);
}

void pb_pad(struct page_builder *pb)
{
	size_t left = pb->size - PB_HEADER - pb->at;

	if (left < 8) {
		pb_head(pb, 29, 0);
		return;
	}
	pb_head(pb, 29, 1);
	pb_word(pb, left - 4);
	memset(room(pb, left - 8), 0x5a, left - 8);
}

void pb_commit_raw(struct page_builder *pb, uint64_t commit)
{
	memcpy(pb->buf + 8, &commit, sizeof(commit));
}

void pb_commit(struct page_builder *pb, uint64_t flags)
{
	pb_commit_raw(pb, pb->at | flags);
}
