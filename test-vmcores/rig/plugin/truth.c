// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "truth.h"

enum {
	RANGE = 1,
	CONTEXT,
	SYNC,
	BEGIN,
	END,
	FLUSH,
};

static void put(struct truth *t, uint64_t value)
{
	for (; value > 0x7f; value >>= 7)
		putc(0x80 | (value & 0x7f), t->file);
	putc(value, t->file);
}

bool truth_open(struct truth *t, const char *dir, unsigned int cpu)
{
	char path[4096];

	memset(t, 0, sizeof(*t));
	t->context.el = 0xff;
	snprintf(path, sizeof(path), "%s/truth.%u", dir, cpu);
	t->file = fopen(path, "w");
	return t->file;
}

static void put_range(struct truth *t)
{
	int64_t away = (int64_t)(t->addr - t->end) / 4;

	if (!t->n)
		return;
	putc(RANGE, t->file);
	put(t, away < 0 ? ~((uint64_t)away << 1) : (uint64_t)away << 1);
	put(t, t->n);
	t->end = t->addr + 4 * t->n;
	t->instructions += t->n;
	t->n = 0;
}

void truth_close(struct truth *t)
{
	if (!t->file)
		return;
	put_range(t);
	fclose(t->file);
	t->file = NULL;
}

static void put_context(struct truth *t, const struct etm_context *c)
{
	put_range(t);
	putc(CONTEXT, t->file);
	put(t, c->el | c->ns << 2);
	put(t, c->contextid);
	put(t, c->vmid);
	t->context = *c;
}

void truth_executed(struct truth *t, uint64_t addr, const struct etm_context *c)
{
	const struct etm_context *was = &t->context;

	if (c->el != was->el || c->ns != was->ns ||
	    c->contextid != was->contextid || c->vmid != was->vmid)
		put_context(t, c);
	if (addr != t->addr + 4 * t->n)
		put_range(t);
	if (!t->n)
		t->addr = addr;
	t->n++;
}

static void put_offset(struct truth *t, int what, uint64_t offset)
{
	put_range(t);
	putc(what, t->file);
	put(t, offset);
}

void truth_sync(struct truth *t, uint64_t offset)
{
	put_offset(t, SYNC, offset);
}

void truth_begin(struct truth *t, unsigned int trace_id, uint32_t configr,
		 uint64_t offset)
{
	put_range(t);
	putc(BEGIN, t->file);
	put(t, trace_id);
	put(t, configr);
	put(t, offset);
}

/* QEMU may be killed after that. */
void truth_end(struct truth *t, uint64_t offset, uint64_t uncovered)
{
	put_offset(t, END, offset);
	put(t, uncovered);
	fflush(t->file);
}

void truth_flush(struct truth *t, uint64_t offset, uint64_t uncovered)
{
	put_offset(t, FLUSH, offset);
	put(t, uncovered);
	fflush(t->file);
}
