// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>

#include "test/ring-builder.h"

#define HEAD_FLAG 1u

void rb_buffer_init(struct rb_buffer *b, struct mock *m, unsigned int nr_cpus,
		    unsigned int order)
{
	*b = (struct rb_buffer){
		.m = m,
		.addr = mock_new(m, "trace_buffer"),
		.cpus = mock_alloc(m, nr_cpus * MOCK_LONG, MOCK_LONG),
		.nr_cpus = nr_cpus,
		.subbuf_size = MOCK_PAGE << order,
	};
	if (mock_has(m, "trace_buffer", "cpus"))
		mock_set(m, b->addr, "trace_buffer", "cpus", nr_cpus);
	mock_set(m, b->addr, "trace_buffer", "buffers", b->cpus);
	if (order)
		mock_set(m, b->addr, "trace_buffer", "subbuf_order", order);
}

static void new_page(struct rb_cpu *c, struct rb_page *page)
{
	page->bpage = mock_new(c->m, "buffer_page");
	page->data = mock_alloc(c->m, c->subbuf_size, MOCK_PAGE);
	mock_set(c->m, page->bpage, "buffer_page", "page", page->data);
	mock_list_init(c->m,
		       mock_field(c->m, page->bpage, "buffer_page", "list"));
}

uint64_t rb_link(struct rb_cpu *c, int i)
{
	return mock_field(c->m, rb_page(c, i)->bpage, "buffer_page", "list");
}

void rb_cpu_init(struct rb_cpu *c, struct rb_buffer *b, unsigned int cpu,
		 int nr_pages)
{
	struct mock *m = b->m;

	if (nr_pages > RB_MAX_PAGES)
		abort();
	*c = (struct rb_cpu){
		.m = m,
		.addr = mock_new(m, "ring_buffer_per_cpu"),
		.subbuf_size = b->subbuf_size,
		.nr_pages = nr_pages,
	};
	mock_put_ulong(m, b->cpus + cpu * MOCK_LONG, c->addr);
	b->cpumask |= 1ull << cpu;
	mock_set(m, b->addr, "trace_buffer", "cpumask", b->cpumask);
	rb_set(c, "cpu", cpu);
	rb_set(c, "nr_pages", nr_pages);

	new_page(c, &c->reader);
	for (int i = 0; i < nr_pages; i++) {
		new_page(c, &c->page[i]);
		if (i)
			mock_list_add_tail(m, rb_link(c, 0), rb_link(c, i));
	}
	/* The reader page knows its place, but nothing leads to it. */
	mock_put_ulong(m, rb_link(c, RB_READER), rb_link(c, 0));
	mock_put_ulong(m, rb_link(c, RB_READER) + MOCK_LONG,
		       rb_link(c, nr_pages - 1));

	rb_set(c, "pages", rb_link(c, nr_pages - 1));
	rb_set(c, "reader_page", c->reader.bpage);
	rb_set(c, "tail_page", c->page[0].bpage);
	rb_set_head(c, 0);
	rb_set_commit(c, 0);
}

struct rb_page *rb_page(struct rb_cpu *c, int i)
{
	return i == RB_READER ? &c->reader : &c->page[i];
}

void rb_write(struct rb_cpu *c, struct page_builder *pb, int i, uint64_t ts)
{
	pb_init(pb, mock_ptr(c->m, rb_page(c, i)->data), c->subbuf_size, ts);
}

void rb_fill(struct rb_cpu *c, int i, uint64_t ts, uint32_t step, uint32_t id,
	     int n)
{
	struct page_builder pb;

	rb_write(c, &pb, i, ts);
	for (int e = 0; e < n; e++)
		pb_event(&pb, e ? step : 0, 1, id + e, 12);
	pb_commit(&pb, 0);
}

void rb_set_head_flag(struct rb_cpu *c, int i)
{
	for (int p = 0; p < c->nr_pages; p++) {
		int next = (p + 1) % c->nr_pages;

		mock_put_ulong(c->m, rb_link(c, p),
			       rb_link(c, next) | (next == i ? HEAD_FLAG : 0));
	}
}

void rb_set_head(struct rb_cpu *c, int i)
{
	rb_set_head_flag(c, i);
	rb_set(c, "head_page", c->page[i].bpage);
}

void rb_set_commit(struct rb_cpu *c, int i)
{
	rb_set(c, "commit_page", rb_page(c, i)->bpage);
}

void rb_set_read(struct rb_cpu *c, int i, uint32_t bytes)
{
	mock_set(c->m, rb_page(c, i)->bpage, "buffer_page", "read", bytes);
}

void rb_set(struct rb_cpu *c, const char *member, uint64_t value)
{
	mock_set(c->m, c->addr, "ring_buffer_per_cpu", member, value);
}

uint64_t rb_trace_arrays_init(struct mock *m)
{
	uint64_t list = mock_alloc(m, 2 * MOCK_LONG, MOCK_LONG);

	mock_list_init(m, list);
	mock_symbol(m, "ftrace_trace_arrays", list);
	return list;
}

uint64_t rb_trace_array(struct mock *m, uint64_t list, const char *name,
			uint64_t buffer)
{
	uint64_t tr = mock_new(m, "trace_array");
	uint64_t ab = mock_field(m, tr, "trace_array", "array_buffer");

	if (name)
		mock_set(m, tr, "trace_array", "name", mock_str(m, name));
	mock_set(m, ab, "array_buffer", "buffer", buffer);
	mock_list_add(m, list, mock_field(m, tr, "trace_array", "list"));
	return tr;
}

void rb_snapshot(struct mock *m, uint64_t tr, uint64_t buffer, bool allocated)
{
	const char *name = mock_has(m, "trace_array", "max_buffer") ?
				   "max_buffer" :
				   "snapshot_buffer";
	uint64_t ab = mock_field(m, tr, "trace_array", name);

	mock_set(m, ab, "array_buffer", "buffer", buffer);
	mock_set(m, tr, "trace_array", "allocated_snapshot", allocated);
}

void rb_trace_clocks(struct mock *m)
{
	static const struct {
		const char *name;
		int in_ns;
	} clocks[] = { { "local", 1 }, { "global", 1 }, { "x86-tsc", 0 } };
	uint64_t at = mock_alloc(m, 9 * MOCK_LONG, MOCK_LONG);

	mock_symbol(m, "trace_clocks", at);
	for (int i = 0; i < 3; i++, at += 3 * MOCK_LONG) {
		mock_put_ulong(m, at + MOCK_LONG, mock_str(m, clocks[i].name));
		mock_put(m, at + 2 * MOCK_LONG, clocks[i].in_ns, 4);
	}
}
