// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>

#include <traceevent/kbuffer.h>

#include "test/kbuf-reader.h"

size_t kbuf_read(const void *page, struct kbuf_event *events, size_t max)
{
	struct kbuffer *kbuf =
		kbuffer_alloc(KBUFFER_LSIZE_8, KBUFFER_ENDIAN_SAME_AS_HOST);
	unsigned long long ts;
	size_t n = 0;
	void *data;

	if (!kbuf || kbuffer_load_subbuffer(kbuf, (void *)page) < 0)
		abort();
	for (data = kbuffer_read_event(kbuf, &ts); data;
	     data = kbuffer_next_event(kbuf, &ts), n++) {
		struct kbuf_event e = { .ts = ts };

		if (n >= max)
			continue;
		e.size = kbuffer_event_size(kbuf);
		e.missed = kbuffer_missed_events(kbuf);
		if (e.size >= 12)
			memcpy(&e.id, (char *)data + 8, 4);
		events[n] = e;
	}
	kbuffer_free(kbuf);
	return n;
}
