// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>

#include "base/cursor.h"
#include "vmcore/ksyms.h"

/*
 * The table that scripts/kallsyms.c generates and kernel/kallsyms.c reads.
 * Names are runs of bytes, each standing for a token; the first character of
 * a name is the symbol's type. Addresses are stored in one of four ways,
 * which differ by version and configuration; none of it is in debug info, so
 * the way that gives _stext its address is taken.
 */
#define TOKENS		256
#define MAX_TOKEN_TABLE 65536
/* KSYM_NAME_LEN is 512 since 6.1; a token of it may come on top. */
#define MAX_NAME 1024
/* allyesconfig has some 300,000. */
#define MAX_SYMBOLS (16 << 20)
#define PIECE	    4096

enum encoding {
	ABSOLUTE,	 /* kallsyms_addresses[] */
	RELATIVE,	 /* kallsyms_relative_base + an unsigned offset */
	RELATIVE_PERCPU, /* the same, but non-negative ones are absolute */
	FROM_ITSELF,	 /* the offset is from its own place; since 6.19 */
	ENCODINGS
};

/* Bytes of the dump that are read one after the other. */
struct stream {
	const struct vmcore *vm;
	uint64_t addr; /* of the next piece */
	uint8_t buf[PIECE];
	size_t len, pos;
};

struct table {
	const struct vmcore *vm;
	uint64_t names, values, base;
	uint32_t count;
	uint16_t index[TOKENS];
	char *tokens;
	size_t tokens_len;
	enum encoding encoding;
};

/*
 * A piece ends where a page does: only pages that have a byte of the table
 * are touched.
 */
static enum err stream_get(struct stream *s, void *buf, size_t len)
{
	uint8_t *out = buf;

	while (len) {
		size_t n;

		if (s->pos == s->len) {
			enum err err;

			s->len = PIECE - s->addr % PIECE;
			s->pos = 0;
			err = vm_read(s->vm, s->addr, s->buf, s->len);
			if (err != ERR_NONE) {
				s->len = 0;
				return err;
			}
			s->addr += s->len;
		}
		n = s->len - s->pos < len ? s->len - s->pos : len;
		memcpy(out, s->buf + s->pos, n);
		s->pos += n;
		out += n;
		len -= n;
	}
	return ERR_NONE;
}

/* Most of what is read is single bytes, some millions of them. */
static inline enum err stream_byte(struct stream *s, uint8_t *byte)
{
	if (s->pos == s->len)
		return stream_get(s, byte, 1);
	*byte = s->buf[s->pos++];
	return ERR_NONE;
}

/* The next name, its type in front. */
static enum err next_name(const struct table *t, struct stream *s, char *name)
{
	uint8_t byte;
	size_t len, n = 0;
	enum err err = stream_byte(s, &byte);

	if (err != ERR_NONE)
		return err;
	len = byte;
	if (len & 0x80) {
		/* Before 73bbb94466fd (6.1) a length had 8 bits, of which
		 * such symbols would have needed the last. */
		err = stream_byte(s, &byte);
		if (err != ERR_NONE)
			return err;
		len = (len & 0x7f) | (size_t)byte << 7;
	}
	if (!len)
		return ERR_BAD_DATA;
	while (len--) {
		const char *token;

		err = stream_byte(s, &byte);
		if (err != ERR_NONE)
			return err;
		if (t->index[byte] >= t->tokens_len)
			return ERR_BAD_DATA;
		for (token = t->tokens + t->index[byte]; *token; token++) {
			if (n == MAX_NAME - 1)
				return ERR_BAD_DATA;
			name[n++] = *token;
		}
	}
	name[n] = 0;
	return n > 1 ? ERR_NONE : ERR_BAD_DATA;
}

static enum err next_addr(const struct table *t, struct stream *s, uint32_t i,
			  uint64_t *addr)
{
	uint32_t u32;
	int32_t offset;
	enum err err;

	if (t->encoding == ABSOLUTE) {
		uint8_t buf[sizeof(uint64_t)];
		struct cursor c = cursor_init(buf, t->vm->long_size);

		err = stream_get(s, buf, t->vm->long_size);
		*addr = cursor_uint(&c, t->vm->long_size);
		return err;
	}
	err = stream_get(s, &u32, sizeof(u32));
	if (err != ERR_NONE)
		return err;
	offset = (int32_t)u32;
	if (t->encoding == RELATIVE)
		*addr = t->base + u32;
	else if (t->encoding == FROM_ITSELF)
		*addr = t->values + i * sizeof(u32) + (int64_t)offset;
	else if (offset >= 0)
		*addr = u32;
	else
		*addr = t->base - 1 - (int64_t)offset;
	return ERR_NONE;
}

/* Give every symbol to @fn, until it has enough. */
static enum err walk(const struct table *t, vm_symbol_fn fn, void *arg,
		     bool *stopped)
{
	struct stream *names = calloc(1, sizeof(*names));
	struct stream *values = calloc(1, sizeof(*values));
	char name[MAX_NAME];
	enum err err = ERR_NONE;

	if (!names || !values) {
		err = ERR_NOMEM;
		goto out;
	}
	*names = (struct stream){ .vm = t->vm, .addr = t->names };
	*values = (struct stream){ .vm = t->vm, .addr = t->values };
	for (uint32_t i = 0; i < t->count && !*stopped; i++) {
		struct vm_symbol sym = { .name = name + 1 };

		err = next_name(t, names, name);
		if (err == ERR_NONE)
			err = next_addr(t, values, i, &sym.addr);
		if (err != ERR_NONE)
			break;
		sym.type = name[0];
		*stopped = !fn(arg, &sym);
	}
out:
	free(names);
	free(values);
	return err;
}

struct probe {
	uint64_t addr;
	bool found;
};

static bool is_stext(void *arg, const struct vm_symbol *sym)
{
	struct probe *p = arg;

	if (!strcmp(sym->name, "_stext"))
		p->found = sym->addr == p->addr;
	return true;
}

/* Values and base for an encoding; false: this kernel does not use it. */
static bool set_encoding(struct table *t, enum encoding e)
{
	const char *values = e == ABSOLUTE ? "kallsyms_addresses" :
					     "kallsyms_offsets";
	uint64_t base;

	t->encoding = e;
	if (!vm_symbol(t->vm, values, &t->values))
		return false;
	if (e == RELATIVE || e == RELATIVE_PERCPU)
		return vm_symbol(t->vm, "kallsyms_relative_base", &base) &&
		       vm_read_ulong(t->vm, base, &t->base) == ERR_NONE;
	return true;
}

/*
 * The whole table is walked: what is damaged must show before the first
 * symbol is given away, as another table takes its place then.
 */
static enum err find_encoding(struct table *t)
{
	struct probe probe = { 0 };
	enum err err = ERR_UNSUPPORTED;

	if (!vm_symbol(t->vm, "_stext", &probe.addr))
		return ERR_UNSUPPORTED;
	for (int e = 0; e < ENCODINGS; e++) {
		bool stopped = false;

		if (!set_encoding(t, e))
			continue;
		err = walk(t, is_stext, &probe, &stopped);
		if (err != ERR_NONE)
			return err;
		if (probe.found)
			return ERR_NONE;
		err = ERR_BAD_DATA;
	}
	return err;
}

static enum err read_tokens(struct table *t)
{
	uint64_t index, tokens;
	enum err err;

	if (!vm_symbol(t->vm, "kallsyms_token_index", &index) ||
	    !vm_symbol(t->vm, "kallsyms_token_table", &tokens))
		return ERR_UNSUPPORTED;
	err = vm_read(t->vm, index, t->index, sizeof(t->index));
	if (err != ERR_NONE)
		return err;
	/* The last token begins here, and is a short one. */
	t->tokens_len = t->index[TOKENS - 1] + (size_t)1;
	t->tokens = calloc(1, t->tokens_len + 64);
	if (!t->tokens)
		return ERR_NOMEM;
	err = vm_read(t->vm, tokens, t->tokens, t->tokens_len);
	if (err != ERR_NONE)
		return err;
	return vm_read_str(t->vm, tokens + t->index[TOKENS - 1],
			   t->tokens + t->index[TOKENS - 1], 64);
}

enum err vm_ksyms_core(const struct vmcore *vm, vm_symbol_fn fn, void *arg,
		       bool *stopped)
{
	struct table t = { .vm = vm };
	uint64_t count;
	enum err err;

	if (!vm_symbol(vm, "kallsyms_num_syms", &count) ||
	    !vm_symbol(vm, "kallsyms_names", &t.names))
		return ERR_UNSUPPORTED;
	err = vm_read_u32(vm, count, &t.count);
	if (err == ERR_NONE && t.count > MAX_SYMBOLS)
		err = ERR_BAD_DATA;
	if (err == ERR_NONE)
		err = read_tokens(&t);
	if (err == ERR_NONE)
		err = find_encoding(&t);
	if (err == ERR_NONE)
		err = walk(&t, fn, arg, stopped);
	free(t.tokens);
	return err;
}
