// SPDX-License-Identifier: GPL-2.0-or-later
#include "test/ring-walk.h"
#include "test/unit.h"

struct ring_fixture *ring_begin(enum mock_kernel kernel, unsigned int nr_cpus,
				unsigned int order)
{
	struct ring_fixture *f = calloc(1, sizeof(*f));

	assert_non_null(f);
	f->m = mock_create();
	mock_layout(f->m, kernel);
	said_init(&f->said);
	rb_buffer_init(&f->buffer, f->m, nr_cpus, order);
	return f;
}

void ring_end(struct ring_fixture *f)
{
	mock_destroy(f->m);
	free(f);
}

enum err ring_open(struct ring_fixture *f)
{
	assert_int_equal(ft_layout_probe(&f->layout, &f->m->vm, &f->said.diag),
			 ERR_NONE);
	return ft_ring_open(&f->ring, &f->m->vm, &f->layout, &f->said.diag,
			    f->buffer.addr, "test");
}

static enum err receive(void *arg, const struct ft_page *page)
{
	struct ring_fixture *f = arg;

	f->nr_pages++;
	f->nr_events += kbuf_read(page->buf, f->event + f->nr_events,
				  RING_MAX_EVENTS - f->nr_events);
	assert_in_range(f->nr_events, 0, RING_MAX_EVENTS);
	return f->answer;
}

enum err ring_walk(struct ring_fixture *f, uint32_t cpu)
{
	f->nr_pages = 0;
	f->nr_events = 0;
	return ft_ring_walk(&f->ring, cpu, receive, f, &f->stats);
}

enum err ring_open_and_walk(struct ring_fixture *f, uint32_t cpu)
{
	assert_int_equal(ring_open(f), ERR_NONE);
	return ring_walk(f, cpu);
}

void ring_assert_ids(const struct ring_fixture *f, const uint32_t *ids)
{
	int n = 0;

	for (; ids[n]; n++) {
		assert_in_range(n, 0, f->nr_events - 1);
		assert_int_equal(f->event[n].id, ids[n]);
	}
	assert_int_equal(f->nr_events, n);
}
