// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>

#include "damage/memory.h"

#define FIRST_BITS 12
/* More than is kept of any sample: 256 MiB of pages of 4 KiB. */
#define MAX_BITS 17

static void *need(void *p)
{
	if (!p)
		abort();
	return p;
}

static size_t slot_of(const struct dmg_memory *m, uint64_t page)
{
	uint64_t h = page / m->vm.page_size * 0x9e3779b97f4a7c15ull;
	size_t mask = ((size_t)1 << m->bits) - 1, i = h >> (64 - m->bits);

	while ((m->page[i].bytes || m->page[i].err) && m->page[i].addr != page)
		i = (i + 1) & mask;
	return i;
}

static struct dmg_page *known_page(const struct dmg_memory *m, uint64_t page)
{
	struct dmg_page *p = &m->page[slot_of(m, page)];

	return p->bytes || p->err ? p : NULL;
}

/* Twice the slots, when half of them are taken. */
static bool make_room(struct dmg_memory *m)
{
	struct dmg_page *old = m->page;
	size_t n = (size_t)1 << m->bits;

	if (m->nr_pages < n / 2)
		return true;
	if (m->bits == MAX_BITS)
		return false;
	m->page = need(calloc(2 * n, sizeof(*m->page)));
	m->bits++;
	for (size_t i = 0; i < n; i++)
		if (old[i].bytes || old[i].err)
			m->page[slot_of(m, old[i].addr)] = old[i];
	free(old);
	return true;
}

static struct dmg_page *learn_page(struct dmg_memory *m, uint64_t page)
{
	uint8_t *bytes;
	struct dmg_page *p;
	enum err err;

	if (!make_room(m))
		return NULL;
	bytes = need(malloc(m->vm.page_size));
	err = vm_read(m->real, page, bytes, m->vm.page_size);
	if (err != ERR_NONE) {
		free(bytes);
		bytes = NULL;
	}
	p = &m->page[slot_of(m, page)];
	*p = (struct dmg_page){ .addr = page, .bytes = bytes, .err = err };
	m->nr_pages++;
	return p;
}

static void note_read(struct dmg_memory *m, uint64_t addr, size_t len)
{
	if (m->nr_reads == m->room_reads) {
		size_t n = m->room_reads ? 2 * m->room_reads : 1024;

		m->reads = need(realloc(m->reads, n * sizeof(*m->reads)));
		m->room_reads = n;
	}
	m->reads[m->nr_reads++] = (struct dmg_read){ addr, len };
}

/* A part of one page. */
static enum err read_part(struct dmg_memory *m, uint64_t addr, void *buf,
			  size_t len)
{
	uint64_t off = addr % m->vm.page_size;
	struct dmg_page *p = known_page(m, addr - off);

	if (!p && m->learning)
		p = learn_page(m, addr - off);
	if (!p)
		return vm_read(m->real, addr, buf, len);
	if (p->cut || p->err)
		return p->cut ? p->cut : p->err;
	memcpy(buf, (p->copy ? p->copy : p->bytes) + off, len);
	return ERR_NONE;
}

enum err dmg_peek(struct dmg_memory *m, uint64_t addr, void *buf, size_t len)
{
	if (!len || addr + len < addr)
		return ERR_UNMAPPED;
	while (len) {
		size_t n = m->vm.page_size - addr % m->vm.page_size;
		enum err err;

		if (n > len)
			n = len;
		err = read_part(m, addr, buf, n);
		if (err != ERR_NONE)
			return err;
		addr += n;
		buf = (uint8_t *)buf + n;
		len -= n;
	}
	return ERR_NONE;
}

static enum err damaged_read(void *ctx, uint64_t addr, void *buf, size_t len)
{
	struct dmg_memory *m = ctx;

	m->steps++;
	if (dmg_exhausted(m))
		return ERR_UNMAPPED;
	if (m->learning)
		note_read(m, addr, len);
	return dmg_peek(m, addr, buf, len);
}

bool dmg_exhausted(const struct dmg_memory *m)
{
	return m->limit && m->steps > m->limit;
}

static uint32_t hash_names(const char *type, const char *name)
{
	uint32_t h = 2166136261u;

	for (; *type; type++)
		h = (h ^ (uint8_t)*type) * 16777619u;
	for (; *name; name++)
		h = (h ^ (uint8_t)*name) * 16777619u;
	return h;
}

/* A new row for a name. */
static struct dmg_name *add_name(struct dmg_memory *m)
{
	if (m->nr_names == m->room_names) {
		size_t n = m->room_names ? 2 * m->room_names : 256;

		m->names = need(realloc(m->names, n * sizeof(*m->names)));
		m->room_names = n;
	}
	return memset(&m->names[m->nr_names++], 0, sizeof(*m->names));
}

/*
 * The row of @type and @name, asked for by @op; a new one has *@fresh set, and
 * is for the caller to fill in.
 */
static struct dmg_name *name_of(struct dmg_memory *m, const void *op,
				const char *type, const char *name, bool *fresh)
{
	uint32_t hash = hash_names(type, name);
	struct dmg_name *n;

	*fresh = false;
	for (size_t i = 0; i < m->nr_names; i++) {
		n = &m->names[i];
		if (n->hash == hash && n->op == op && !strcmp(n->type, type) &&
		    !strcmp(n->name, name))
			return n;
	}
	*fresh = true;
	n = add_name(m);
	n->hash = hash;
	n->op = op;
	n->type = need(strdup(type));
	n->name = need(strdup(name));
	return n;
}

static bool kept_symbol(void *ctx, const char *name, uint64_t *addr)
{
	static const char op;
	struct dmg_memory *m = ctx;
	bool fresh;
	struct dmg_name *n = name_of(m, &op, "", name, &fresh);

	if (fresh)
		n->known = vm_symbol(m->real, name, &n->value);
	if (n->known)
		*addr = n->value;
	return n->known;
}

static bool kept_member(void *ctx, const char *type, const char *name,
			struct vm_member *member)
{
	static const char op;
	struct dmg_memory *m = ctx;
	bool fresh;
	struct dmg_name *n = name_of(m, &op, type, name, &fresh);

	if (fresh)
		n->known = m->real->ops->member(m->real->ctx, type, name,
						&n->member);
	if (n->known)
		*member = n->member;
	return n->known;
}

static size_t kept_type_size(void *ctx, const char *type)
{
	static const char op;
	struct dmg_memory *m = ctx;
	bool fresh;
	struct dmg_name *n = name_of(m, &op, type, "", &fresh);

	if (fresh)
		n->value = m->real->ops->type_size(m->real->ctx, type);
	return n->value;
}

static bool kept_enumerator(void *ctx, const char *name, long *value)
{
	static const char op;
	struct dmg_memory *m = ctx;
	bool fresh;
	struct dmg_name *n = name_of(m, &op, "", name, &fresh);
	long v = 0;

	if (fresh) {
		n->known = m->real->ops->enumerator(m->real->ctx, name, &v);
		n->value = v;
	}
	if (n->known)
		*value = n->value;
	return n->known;
}

static void real_symbols(void *ctx, vm_symbol_fn fn, void *arg)
{
	const struct vmcore *real = ((struct dmg_memory *)ctx)->real;

	real->ops->symbols(real->ctx, fn, arg);
}

static void real_tasks(void *ctx, vm_task_fn fn, void *arg)
{
	const struct vmcore *real = ((struct dmg_memory *)ctx)->real;

	real->ops->tasks(real->ctx, fn, arg);
}

/* Who goes on for too long is asked to stop. */
static bool is_interrupted(void *ctx)
{
	struct dmg_memory *m = ctx;

	return dmg_exhausted(m) || vm_interrupted(m->real);
}

static const struct vmcore_ops damaged_ops = {
	.read = damaged_read,
	.symbol = kept_symbol,
	.member = kept_member,
	.type_size = kept_type_size,
	.enumerator = kept_enumerator,
	.symbols = real_symbols,
	.tasks = real_tasks,
	.interrupted = is_interrupted,
};

void dmg_memory_init(struct dmg_memory *m, const struct vmcore *real)
{
	memset(m, 0, sizeof(*m));
	m->real = real;
	m->vm = *real;
	m->vm.ops = &damaged_ops;
	m->vm.ctx = m;
	m->bits = FIRST_BITS;
	m->page = need(calloc((size_t)1 << m->bits, sizeof(*m->page)));
}

void dmg_memory_deinit(struct dmg_memory *m)
{
	dmg_heal(m);
	for (size_t i = 0; i < (size_t)1 << m->bits; i++)
		free(m->page[i].bytes);
	free(m->page);
	for (size_t i = 0; i < m->nr_names; i++) {
		free(m->names[i].type);
		free(m->names[i].name);
	}
	free(m->names);
	free(m->reads);
	memset(m, 0, sizeof(*m));
}

void dmg_heal(struct dmg_memory *m)
{
	for (size_t i = 0; i < (size_t)1 << m->bits; i++) {
		struct dmg_page *p = &m->page[i];

		free(p->copy);
		p->copy = NULL;
		p->cut = ERR_NONE;
	}
	m->steps = 0;
}

void dmg_put(struct dmg_memory *m, uint64_t addr, const void *bytes, size_t len)
{
	const uint8_t *from = bytes;

	while (len) {
		uint64_t off = addr % m->vm.page_size;
		size_t n = m->vm.page_size - off;
		struct dmg_page *p = known_page(m, addr - off);

		if (n > len)
			n = len;
		if (p && p->bytes && !p->copy) {
			p->copy = need(malloc(m->vm.page_size));
			memcpy(p->copy, p->bytes, m->vm.page_size);
		}
		if (p && p->copy)
			memcpy(p->copy + off, from, n);
		addr += n;
		from += n;
		len -= n;
	}
}

void dmg_cut(struct dmg_memory *m, uint64_t addr, enum err err)
{
	struct dmg_page *p = known_page(m, addr - addr % m->vm.page_size);

	if (p)
		p->cut = err;
}

bool dmg_touched(const struct dmg_memory *m, uint64_t addr, size_t len)
{
	while (len) {
		uint64_t off = addr % m->vm.page_size;
		size_t n = m->vm.page_size - off;
		const struct dmg_page *p = known_page(m, addr - off);

		if (n > len)
			n = len;
		if (p && (p->cut || (p->copy && memcmp(p->copy + off,
						       p->bytes + off, n) != 0)))
			return true;
		addr += n;
		len -= n;
	}
	return false;
}
