/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TEST_KBUF_READER_H
#define TEST_KBUF_READER_H

#include <stddef.h>
#include <stdint.h>

/* What libtraceevent's kbuffer, the reader of trace-cmd, sees in a page. */
struct kbuf_event {
	uint64_t ts;
	uint32_t id; /* see pb_event(); 0 where there is no room */
	int size;    /* bytes of the event's data */
	int missed;  /* before it; -1: unknown number */
};

/* Read all events of @page; at most @max are stored, all are counted. */
size_t kbuf_read(const void *page, struct kbuf_event *events, size_t max);

#endif
