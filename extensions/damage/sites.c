// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>

#include "damage/sites.h"

const char *const dmg_class_names[DMG_CLASSES] = {
	[DMG_DATA] = "data",   [DMG_RING] = "ring", [DMG_ARRAY] = "array",
	[DMG_EVENT] = "event", [DMG_LINK] = "link", [DMG_TEXT] = "text",
	[DMG_OTHER] = "other",
};

/* Strings are read in pieces of this length at most. */
#define TEXT_PIECE 64

static int by_addr(const void *a, const void *b)
{
	const struct dmg_read *x = a, *y = b;

	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	return x->len < y->len ? -1 : x->len > y->len;
}

static size_t sort_reads(struct dmg_read *r, size_t count)
{
	size_t n = 0;

	qsort(r, count, sizeof(*r), by_addr);
	for (size_t i = 0; i < count; i++)
		if (r[i].len && (!n || by_addr(&r[n - 1], &r[i])))
			r[n++] = r[i];
	return n;
}

/* Whole pages that begin at @addr were read. */
static bool is_data(const struct dmg_memory *m, size_t count, uint64_t addr)
{
	for (uint64_t size = m->vm.page_size; size <= m->vm.page_size << 10;
	     size *= 2) {
		struct dmg_read key = { addr, size };

		if (bsearch(&key, m->reads, count, sizeof(key), by_addr))
			return true;
	}
	return false;
}

/*
 * A struct buffer_page may be as long as a piece of a string. It points to a
 * sub-buffer; *@data is where.
 */
static bool is_buffer_page(struct dmg_memory *m, const struct ft_layout *l,
			   size_t count, const struct dmg_read *r,
			   uint64_t *data)
{
	uint8_t buf[FT_BUFFER_PAGE_MAX];

	if (r->len != l->buffer_page_size ||
	    dmg_peek(m, r->addr, buf, r->len) != ERR_NONE)
		return false;
	*data = vm_get(buf, r->len, &l->bp_page);
	return is_data(m, count, *data);
}

static enum dmg_class class_of(struct dmg_memory *m, const struct ft_layout *l,
			       size_t count, const struct dmg_read *r)
{
	uint64_t data;

	if (r->len == l->per_cpu_size || r->len == l->trace_buffer_size ||
	    is_buffer_page(m, l, count, r, &data))
		return DMG_RING;
	if (r->len == l->trace_array_size)
		return DMG_ARRAY;
	if (r->len == l->call_size || r->len == l->field_size)
		return DMG_EVENT;
	if (r->len == m->vm.long_size)
		return DMG_LINK;
	return r->len <= TEXT_PIECE ? DMG_TEXT : DMG_OTHER;
}

static void add(struct dmg_sites *s, enum dmg_class class,
		const struct dmg_read *r)
{
	size_t n = s->count[class];

	/* Room is doubled at the powers of two. */
	if (!(n & (n - 1))) {
		s->site[class] =
			realloc(s->site[class], (n ? 2 * n : 1) * sizeof(*r));
		if (!s->site[class])
			abort();
	}
	s->site[class][s->count[class]++] = *r;
}

static bool holds(const struct dmg_sites *s, enum dmg_class class, uint64_t addr)
{
	for (size_t i = 0; i < s->count[class]; i++)
		if (s->site[class][i].addr == addr)
			return true;
	return false;
}

void dmg_sites_init(struct dmg_sites *sites, struct dmg_memory *m,
		    const struct ft_layout *layout)
{
	size_t count = sort_reads(m->reads, m->nr_reads);
	uint64_t data;

	memset(sites, 0, sizeof(*sites));
	for (size_t i = 0; i < count; i++) {
		struct dmg_read *r = &m->reads[i], page;

		if (!is_buffer_page(m, layout, count, r, &data))
			continue;
		/* The longest read from there on is the whole sub-buffer. */
		page = (struct dmg_read){ data, 0 };
		for (size_t k = 0; k < count; k++)
			if (m->reads[k].addr == data)
				page.len = m->reads[k].len;
		add(sites, DMG_DATA, &page);
	}
	for (size_t i = 0; i < count; i++) {
		struct dmg_read *r = &m->reads[i];

		if (r->len >= m->vm.page_size && holds(sites, DMG_DATA, r->addr))
			continue;
		add(sites, class_of(m, layout, count, r), r);
	}
	m->nr_reads = count;
}

void dmg_sites_deinit(struct dmg_sites *sites)
{
	for (int i = 0; i < DMG_CLASSES; i++)
		free(sites->site[i]);
	memset(sites, 0, sizeof(*sites));
}

unsigned int dmg_sites_touched(const struct dmg_sites *sites,
			       const struct dmg_memory *m)
{
	unsigned int touched = 0;

	for (int c = 0; c < DMG_CLASSES; c++) {
		for (size_t i = 0; i < sites->count[c]; i++) {
			const struct dmg_read *r = &sites->site[c][i];

			if (!dmg_touched(m, r->addr, r->len))
				continue;
			touched |= 1u << c;
			break;
		}
	}
	return touched;
}
