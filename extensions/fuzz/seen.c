// SPDX-License-Identifier: GPL-2.0-or-later
#include "fuzz/patch.h"
#include "fuzz/seen.h"
#include "test/kbuf-reader.h"

struct seen {
	uint64_t pages, events, last, backwards;
};

static enum err see(void *arg, const struct ft_page *page)
{
	struct seen *s = arg;
	struct kbuf_event event[1];
	size_t n = kbuf_read(page->buf, event, 1);

	MUST(n && n == page->events);
	/* Where that is told: the page is counted as torn, and kept. */
	s->backwards += event[0].ts < s->last;
	s->last = page->last_ts;
	s->pages++;
	s->events += n;
	return ERR_NONE;
}

void fuzz_walk(const struct ft_ring *ring, uint32_t cpu)
{
	struct ft_cpu_stats stats;
	struct seen seen = { 0 };

	MUST(ft_ring_walk(ring, cpu, see, &seen, &stats) == ERR_NONE);
	MUST(seen.backwards <= stats.torn);
	MUST(seen.pages == stats.pages && seen.events == stats.events);
}
