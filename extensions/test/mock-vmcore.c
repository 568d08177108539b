// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test/mock-vmcore.h"

#define ARENA_ADDR 0xffff888000000000ull
#define ARENA_SIZE (2u << 20)

/* A test that builds its kernel wrongly must not go on. */
static void die(const char *what, const char *name)
{
	fprintf(stderr, "mock: %s %s\n", what, name);
	abort();
}

static void *add_row(struct mock_table *t, const void *row, size_t size)
{
	t->row = realloc(t->row, (t->count + 1) * size);
	if (!t->row)
		die("no memory for", "a row");
	return memcpy((char *)t->row + t->count++ * size, row, size);
}

static size_t seg_limit(const struct mock *m, const struct mock_seg *seg)
{
	/* What was not handed out yet is not mapped, by pages. */
	if (seg == m->segs.row)
		return (m->arena_used + MOCK_PAGE - 1) &
		       ~(size_t)(MOCK_PAGE - 1);
	return seg->size;
}

static uint8_t *find(const struct mock *m, uint64_t addr, size_t len)
{
	const struct mock_seg *seg = m->segs.row;

	for (size_t i = 0; i < m->segs.count; i++, seg++) {
		size_t limit = seg_limit(m, seg);

		if (addr >= seg->addr && addr - seg->addr <= limit &&
		    len <= limit - (addr - seg->addr))
			return seg->bytes + (addr - seg->addr);
	}
	return NULL;
}

static enum err mock_read(void *ctx, uint64_t addr, void *buf, size_t len)
{
	struct mock *m = ctx;
	const struct mock_hole *hole = m->holes.row;
	const uint8_t *from = find(m, addr, len);

	m->reads++;
	m->bytes_read += len;
	if (len > m->largest_read)
		m->largest_read = len;
	if (!from || !len)
		return ERR_UNMAPPED;
	for (size_t i = 0; i < m->holes.count; i++, hole++)
		if (hole->page + MOCK_PAGE > addr && hole->page < addr + len)
			return hole->err;
	memcpy(buf, from, len);
	return ERR_NONE;
}

static struct mock_name *lookup(const struct mock_table *t, const char *type,
				const char *name)
{
	struct mock_name *row = t->row;

	for (size_t i = 0; i < t->count; i++, row++)
		if (row->name && !strcmp(row->name, name) &&
		    (!type || !strcmp(row->type, type)))
			return row;
	return NULL;
}

static bool mock_vm_symbol(void *ctx, const char *name, uint64_t *addr)
{
	struct mock *m = ctx;
	const struct mock_name *row = lookup(&m->symbols, NULL, name);

	if (row)
		*addr = row->value;
	return row;
}

static bool mock_vm_member(void *ctx, const char *type, const char *name,
			   struct vm_member *member)
{
	struct mock *m = ctx;
	const struct mock_name *row = lookup(&m->members, type, name);

	if (row)
		*member = (struct vm_member){ .off = row->value,
					      .size = row->size };
	return row;
}

static size_t mock_vm_type_size(void *ctx, const char *type)
{
	struct mock *m = ctx;
	const struct mock_name *row = lookup(&m->types, NULL, type);

	return row ? row->value : 0;
}

static bool mock_vm_enumerator(void *ctx, const char *name, long *value)
{
	struct mock *m = ctx;
	const struct mock_name *row = lookup(&m->enums, NULL, name);

	if (row)
		*value = row->value;
	return row;
}

static void mock_vm_symbols(void *ctx, vm_symbol_fn fn, void *arg)
{
	struct mock *m = ctx;
	const struct vm_symbol *sym = m->ksyms.row;

	for (size_t i = 0; i < m->ksyms.count; i++)
		if (!fn(arg, &sym[i]))
			return;
}

static void mock_vm_tasks(void *ctx, vm_task_fn fn, void *arg)
{
	struct mock *m = ctx;
	const struct mock_task *task = m->tasks.row;

	for (size_t i = 0; i < m->tasks.count; i++)
		if (!fn(arg, task[i].pid, task[i].comm))
			return;
}

static bool mock_vm_interrupted(void *ctx)
{
	struct mock *m = ctx;

	if (!m->interrupt)
		return false;
	if (!m->polls_before_interrupt)
		return true;
	m->polls_before_interrupt--;
	return false;
}

static const struct vmcore_ops mock_ops = {
	.read = mock_read,
	.symbol = mock_vm_symbol,
	.member = mock_vm_member,
	.type_size = mock_vm_type_size,
	.enumerator = mock_vm_enumerator,
	.symbols = mock_vm_symbols,
	.tasks = mock_vm_tasks,
	.interrupted = mock_vm_interrupted,
};

struct mock *mock_create(void)
{
	struct mock *m = calloc(1, sizeof(*m));

	if (!m)
		die("no memory for", "the mock");
	m->vm.ops = &mock_ops;
	m->vm.ctx = m;
	m->vm.page_size = MOCK_PAGE;
	m->vm.long_size = MOCK_LONG;
	mock_map(m, ARENA_ADDR, ARENA_SIZE);
	return m;
}

void mock_destroy(struct mock *m)
{
	const struct mock_seg *seg = m->segs.row;

	for (size_t i = 0; i < m->segs.count; i++)
		free(seg[i].bytes);
	free(m->segs.row);
	free(m->holes.row);
	free(m->symbols.row);
	free(m->members.row);
	free(m->types.row);
	free(m->enums.row);
	free(m->ksyms.row);
	free(m->tasks.row);
	free(m);
}

void mock_map(struct mock *m, uint64_t addr, size_t size)
{
	struct mock_seg seg = {
		.addr = addr,
		.size = size,
		.bytes = calloc(1, size),
	};

	if (!seg.bytes)
		die("no memory for", "a segment");
	add_row(&m->segs, &seg, sizeof(seg));
}

uint64_t mock_alloc(struct mock *m, size_t size, size_t align)
{
	size_t at = (m->arena_used + align - 1) / align * align;

	if (at + size > ARENA_SIZE)
		die("the arena is too small for", "this test");
	m->arena_used = at + size;
	return ARENA_ADDR + at;
}

uint64_t mock_alloc_page(struct mock *m)
{
	return mock_alloc(m, MOCK_PAGE, MOCK_PAGE);
}

void *mock_ptr(struct mock *m, uint64_t addr)
{
	void *p = find(m, addr, 1);

	if (!p)
		die("the test touches", "unmapped memory");
	return p;
}

void mock_hide(struct mock *m, uint64_t addr, enum err err)
{
	struct mock_hole hole = {
		.page = addr & ~(uint64_t)(MOCK_PAGE - 1),
		.err = err,
	};

	add_row(&m->holes, &hole, sizeof(hole));
}

void mock_put(struct mock *m, uint64_t addr, uint64_t value, size_t size)
{
	uint8_t u8 = value;
	uint16_t u16 = value;
	uint32_t u32 = value;
	const void *from = size == 1 ? (void *)&u8 :
			   size == 2 ? (void *)&u16 :
			   size == 4 ? (void *)&u32 :
				       (void *)&value;
	uint8_t *to = find(m, addr, size);

	if (!to)
		die("the test touches", "unmapped memory");
	memcpy(to, from, size);
}

void mock_put_ulong(struct mock *m, uint64_t addr, uint64_t value)
{
	mock_put(m, addr, value, MOCK_LONG);
}

uint64_t mock_get_ulong(struct mock *m, uint64_t addr)
{
	uint64_t value;

	memcpy(&value, mock_ptr(m, addr), sizeof(value));
	return value;
}

uint64_t mock_str(struct mock *m, const char *s)
{
	uint64_t addr = mock_alloc(m, strlen(s) + 1, 1);

	memcpy(mock_ptr(m, addr), s, strlen(s) + 1);
	return addr;
}

static void add_name(struct mock_table *t, const char *type, const char *name,
		     uint64_t value, uint32_t size)
{
	struct mock_name row = {
		.type = type,
		.name = name,
		.value = value,
		.size = size,
	};
	struct mock_name *old = lookup(t, type, name);

	if (old)
		*old = row;
	else
		add_row(t, &row, sizeof(row));
}

static void forget(struct mock_table *t, const char *type, const char *name)
{
	struct mock_name *row = lookup(t, type, name);

	if (!row)
		die("cannot forget", name);
	row->name = NULL;
}

void mock_symbol(struct mock *m, const char *name, uint64_t addr)
{
	add_name(&m->symbols, NULL, name, addr, 0);
}

void mock_size(struct mock *m, const char *type, size_t size)
{
	add_name(&m->types, NULL, type, size, 0);
}

void mock_member(struct mock *m, const char *type, const char *name,
		 uint32_t off, uint32_t size)
{
	add_name(&m->members, type, name, off, size);
}

void mock_forget_symbol(struct mock *m, const char *name)
{
	forget(&m->symbols, NULL, name);
}

void mock_forget_type(struct mock *m, const char *type)
{
	forget(&m->types, NULL, type);
}

void mock_forget_member(struct mock *m, const char *type, const char *name)
{
	forget(&m->members, type, name);
}

void mock_enum(struct mock *m, const char *name, long value)
{
	add_name(&m->enums, NULL, name, value, 0);
}

void mock_ksym(struct mock *m, uint64_t addr, char type, const char *name,
	       const char *module)
{
	struct vm_symbol sym = {
		.addr = addr,
		.type = type,
		.name = name,
		.module = module,
	};

	add_row(&m->ksyms, &sym, sizeof(sym));
}

void mock_task(struct mock *m, uint32_t pid, const char *comm)
{
	struct mock_task task = { .pid = pid, .comm = comm };

	add_row(&m->tasks, &task, sizeof(task));
}

uint64_t mock_new(struct mock *m, const char *type)
{
	size_t size = mock_vm_type_size(m, type);

	if (!size)
		die("no size declared of", type);
	return mock_alloc(m, size, MOCK_LONG);
}

uint64_t mock_field(struct mock *m, uint64_t obj, const char *type,
		    const char *name)
{
	const struct mock_name *row = lookup(&m->members, type, name);

	if (!row)
		die("no such member declared:", name);
	return obj + row->value;
}

void mock_set(struct mock *m, uint64_t obj, const char *type, const char *name,
	      uint64_t value)
{
	const struct mock_name *row = lookup(&m->members, type, name);

	if (!row)
		die("no such member declared:", name);
	mock_put(m, obj + row->value, value, row->size);
}

bool mock_has(struct mock *m, const char *type, const char *name)
{
	return lookup(&m->members, type, name);
}

void mock_list_init(struct mock *m, uint64_t head)
{
	mock_put_ulong(m, head, head);
	mock_put_ulong(m, head + MOCK_LONG, head);
}

static void insert(struct mock *m, uint64_t prev, uint64_t node, uint64_t next)
{
	mock_put_ulong(m, node, next);
	mock_put_ulong(m, node + MOCK_LONG, prev);
	mock_put_ulong(m, prev, node);
	mock_put_ulong(m, next + MOCK_LONG, node);
}

void mock_list_add_tail(struct mock *m, uint64_t head, uint64_t node)
{
	insert(m, mock_get_ulong(m, head + MOCK_LONG), node, head);
}

void mock_list_add(struct mock *m, uint64_t head, uint64_t node)
{
	insert(m, head, node, mock_get_ulong(m, head));
}
