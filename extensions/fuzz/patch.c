// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/patch.h"

/* Each patch: where (2 bytes, in units of 4), kind (1), then its value. */
enum kind {
	BYTE,
	WORD,	 /* 4 bytes */
	LONG,	 /* 8 bytes */
	SMALL,	 /* a long of one byte's value */
	POINTER, /* to anywhere in memory, 2 bytes, in units of 4 */
	FLAGGED, /* the same, with low bits set */
	COPY,	 /* 64 bytes from there */
	HIDE,	 /* the page */
	KINDS,
};

static const size_t value_size[KINDS] = {
	[BYTE] = 1,    [WORD] = 4,    [LONG] = 8, [SMALL] = 1,
	[POINTER] = 2, [FLAGGED] = 2, [COPY] = 2, [HIDE] = 0,
};

#define COPIED 64

void fuzz_failed(const char *what, const char *file, int line)
{
	fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, what);
	abort();
}

static enum err patched_read(void *ctx, uint64_t addr, void *buf, size_t len)
{
	struct patched *p = ctx;

	MUST(++p->reads <= p->max_reads);
	if (!len || addr + len < addr)
		return ERR_UNMAPPED;
	for (uint64_t n = addr / MOCK_PAGE; n <= (addr + len - 1) / MOCK_PAGE;
	     n++) {
		uint64_t page = n - p->base / MOCK_PAGE;

		if (page < 64 && p->hidden >> page & 1)
			return ERR_MISSING;
	}
	return vm_read(&p->m->vm, addr, buf, len);
}

static const struct vmcore *mock_of(void *ctx)
{
	return &((struct patched *)ctx)->m->vm;
}

static bool patched_symbol(void *ctx, const char *name, uint64_t *addr)
{
	return vm_symbol(mock_of(ctx), name, addr);
}

static bool patched_member(void *ctx, const char *type, const char *name,
			   struct vm_member *member)
{
	const struct vmcore *vm = mock_of(ctx);

	return vm->ops->member(vm->ctx, type, name, member);
}

static size_t patched_type_size(void *ctx, const char *type)
{
	const struct vmcore *vm = mock_of(ctx);

	return vm->ops->type_size(vm->ctx, type);
}

static bool patched_enumerator(void *ctx, const char *name, long *value)
{
	const struct vmcore *vm = mock_of(ctx);

	return vm->ops->enumerator(vm->ctx, name, value);
}

static void patched_symbols(void *ctx, vm_symbol_fn fn, void *arg)
{
	const struct vmcore *vm = mock_of(ctx);

	vm->ops->symbols(vm->ctx, fn, arg);
}

static void patched_tasks(void *ctx, vm_task_fn fn, void *arg)
{
	const struct vmcore *vm = mock_of(ctx);

	vm->ops->tasks(vm->ctx, fn, arg);
}

static bool never_interrupted(void *ctx)
{
	(void)ctx;
	return false;
}

void patched_init(struct patched *p, struct mock *m, unsigned long max_reads)
{
	const struct mock_seg *arena = m->segs.row;

	memset(p, 0, sizeof(*p));
	p->m = m;
	p->ops = (struct vmcore_ops){
		.read = patched_read,
		.symbol = patched_symbol,
		.member = patched_member,
		.type_size = patched_type_size,
		.enumerator = patched_enumerator,
		.symbols = patched_symbols,
		.tasks = patched_tasks,
		.interrupted = never_interrupted,
	};
	p->vm = m->vm;
	p->vm.ops = &p->ops;
	p->vm.ctx = p;
	p->base = arena->addr;
	p->size = m->arena_used;
	p->max_reads = max_reads;
	p->sound = malloc(p->size);
	MUST(p->sound);
	memcpy(p->sound, arena->bytes, p->size);
}

static size_t place(const struct patched *p, const uint8_t *two)
{
	return (two[0] | two[1] << 8) * 4ul % p->size;
}

/* @len bytes, as far as there is memory. */
static void put(struct patched *p, uint8_t *bytes, size_t at, const void *from,
		size_t len)
{
	if (len > p->size - at)
		len = p->size - at;
	memmove(bytes + at, from, len);
}

static void apply(struct patched *p, uint8_t *bytes, size_t at, enum kind kind,
		  const uint8_t *value)
{
	uint64_t word;
	size_t from;

	switch (kind) {
	case BYTE:
	case WORD:
	case LONG:
		put(p, bytes, at, value, value_size[kind]);
		break;
	case SMALL:
		word = value[0];
		put(p, bytes, at, &word, sizeof(word));
		break;
	case POINTER:
	case FLAGGED:
		word = p->base + place(p, value) + (kind == FLAGGED ? 1 : 0);
		put(p, bytes, at, &word, sizeof(word));
		break;
	case COPY:
		from = place(p, value);
		put(p, bytes, at, bytes + from,
		    p->size - from < COPIED ? p->size - from : COPIED);
		break;
	case HIDE:
		if (at / MOCK_PAGE < 64)
			p->hidden |= 1ull << (at / MOCK_PAGE);
		break;
	case KINDS:
		break;
	}
}

void patched_apply(struct patched *p, const uint8_t *data, size_t size)
{
	uint8_t *bytes = ((struct mock_seg *)p->m->segs.row)->bytes;

	memcpy(bytes, p->sound, p->size);
	p->hidden = 0;
	p->reads = 0;
	while (size >= 3) {
		enum kind kind = data[2] % KINDS;

		if (size < 3 + value_size[kind])
			return;
		apply(p, bytes, place(p, data), kind, data + 3);
		data += 3 + value_size[kind];
		size -= 3 + value_size[kind];
	}
}
