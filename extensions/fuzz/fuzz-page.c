// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The walker of sub-buffers: what it takes for sound must be so for
 * libtraceevent too, before and after events are taken out.
 *
 * Input: size of the page (1 byte), how much was read (1), losses (1), then
 * the page, or what is changed in a sound one.
 */
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "ftrace/page.h"
#include "fuzz/patch.h"
#include "test/kbuf-reader.h"
#include "test/mock-layout.h"
#include "test/page-builder.h"

static struct ft_layout layout;

static void ignore(void *ctx, const char *text)
{
	(void)ctx;
	(void)text;
}

static void init(void)
{
	const struct diag diag = { .line = ignore };
	struct mock *m;

	if (layout.buffer_page_size)
		return;
	m = mock_create();
	mock_layout(m, LIKE_6_12);
	MUST(ft_layout_probe(&layout, &m->vm, &diag) == ERR_NONE);
	mock_destroy(m);
}

/* Events of each kind, as many as there is room for. */
static void sound_page(uint8_t *buf, size_t size)
{
	struct page_builder pb;

	pb_init(&pb, buf, size, 1000000);
	pb_event(&pb, 0, 1, 1, 12);
	pb_extend(&pb, 1ull << 30);
	pb_event(&pb, 3, 1, 2, 8);
	pb_discarded(&pb, 1, 12);
	pb_absolute(&pb, 1ull << 40);
	for (uint32_t id = 3; pb.at + 64 < size - PB_HEADER; id++)
		pb_event(&pb, id, 1, id, id % 3 ? 12 : 16);
	pb_commit(&pb, 0);
}

static void copy_in(uint8_t *buf, size_t size, const uint8_t *data, size_t len)
{
	bool whole = len && data[0] & 1;

	if (whole) {
		memcpy(buf, data, len < size ? len : size);
		return;
	}
	sound_page(buf, size);
	for (; len >= 3; data += 3, len -= 3)
		buf[(data[0] | data[1] << 8) % size] = data[2];
}

static void hold(uint8_t *buf, size_t size, uint32_t read, bool lost,
		 uint64_t count)
{
	struct ft_page p = { .buf = buf, .size = size }, again = p;
	uint32_t events;
	uint64_t last;

	if (ft_page_check(&p, &layout) != ERR_NONE) {
		MUST(p.fault);
		return;
	}
	MUST(p.commit <= size - PB_HEADER && p.data_end <= p.commit);
	MUST(p.last_ts >= p.first_ts);
	events = p.events;
	if (ft_page_consume(&p, &layout, read) != ERR_NONE)
		return;
	MUST(p.events <= events);
	events = p.events;
	last = p.last_ts;
	MUST(ft_page_check(&again, &layout) == ERR_NONE);
	MUST(again.events == events && again.last_ts == last);
	if (!events)
		return; /* it is not written */
	ft_page_finish(&p, &layout, lost, count);
	again = (struct ft_page){ .buf = buf, .size = size };
	MUST(ft_page_check(&again, &layout) == ERR_NONE);
	MUST(again.events == events && again.last_ts <= last);
	MUST(!lost || again.missed);
	MUST(kbuf_read(buf, NULL, 0) == events);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	size_t size;
	uint8_t *buf;

	init();
	if (len < 4)
		return 0;
	size = 160 + data[0] % 8 * 32ul;
	/* To the byte, so that a sanitizer sees any read beyond it. */
	buf = calloc(1, size);
	MUST(buf);
	copy_in(buf, size, data + 3, len - 3);
	hold(buf, size, data[1], data[2] & 1, data[2] >> 1);
	free(buf);
	return 0;
}
