// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>

#include "test/ksyms-builder.h"

/* Every printable character is its own token; these stand for more. */
static const struct {
	uint8_t byte;
	const char *token;
} pairs[] = {
	{ 0x01, "sys_" },
	{ 0x02, "Tdo_" },
	{ 0xff, ".isra." },
};

static const char *token(unsigned int byte, char *single)
{
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
		if (pairs[i].byte == byte)
			return pairs[i].token;
	single[0] = byte >= ' ' && byte < 127 ? (char)byte : 0;
	single[1] = 0;
	return single;
}

static void build_tokens(struct mock *m)
{
	uint64_t index = mock_alloc(m, 256 * 2ul, 8);
	uint64_t table = mock_alloc(m, 4096, 8);
	uint32_t at = 0;

	for (unsigned int byte = 0; byte < 256; byte++) {
		char single[2];
		const char *t = token(byte, single);

		mock_put(m, index + byte * 2ul, at, 2);
		memcpy(mock_ptr(m, table + at), t, strlen(t) + 1);
		at += strlen(t) + 1;
	}
	mock_symbol(m, "kallsyms_token_index", index);
	mock_symbol(m, "kallsyms_token_table", table);
}

/* The bytes of a name, with the longest tokens that fit; how many. */
static size_t compress(const char *name, uint8_t *out)
{
	size_t n = 0;

	while (*name) {
		uint8_t byte = *name;
		size_t len = 1;

		for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
			if (strncmp(name, pairs[i].token,
				    strlen(pairs[i].token)) != 0)
				continue;
			byte = pairs[i].byte;
			len = strlen(pairs[i].token);
		}
		out[n++] = byte;
		name += len;
	}
	return n;
}

static uint64_t build_names(struct mock *m, const struct kb_symbol *symbols)
{
	uint64_t names = mock_alloc(m, 16384, MOCK_PAGE), at = names;

	for (; symbols->name; symbols++) {
		char text[1024] = { symbols->type };
		uint8_t bytes[1024];
		size_t n;

		strncat(text, symbols->name, sizeof(text) - 2);
		n = compress(text, bytes);
		if (n < 128) {
			mock_put(m, at++, n, 1);
		} else {
			mock_put(m, at++, (n & 0x7f) | 0x80, 1);
			mock_put(m, at++, n >> 7, 1);
		}
		memcpy(mock_ptr(m, at), bytes, n);
		at += n;
	}
	mock_symbol(m, "kallsyms_names", names);
	return names;
}

static uint32_t value(enum kb_encoding encoding, uint64_t addr, uint64_t place)
{
	switch (encoding) {
	case KB_RELATIVE_PERCPU:
		/* What is below the text is absolute. */
		return addr < KB_STEXT ? addr : KB_STEXT - 1 - addr;
	case KB_FROM_ITSELF:
		return addr - place;
	default:
		return addr - KB_STEXT;
	}
}

uint64_t kb_core(struct mock *m, enum kb_encoding encoding,
		 const struct kb_symbol *symbols)
{
	/* Places from which 32 bits reach the text. */
	const uint64_t data = 0xffffffff82000000ull;
	uint64_t count, base;
	uint32_t n = 0;

	mock_map(m, data, 8 * MOCK_PAGE);
	count = data;
	base = data + 8;
	build_tokens(m);
	for (const struct kb_symbol *s = symbols; s->name; s++, n++) {
		uint64_t at = data + MOCK_PAGE +
			      n * (encoding == KB_ABSOLUTE ? 8ul : 4ul);

		if (encoding == KB_ABSOLUTE)
			mock_put(m, at, s->addr, 8);
		else
			mock_put(m, at, value(encoding, s->addr, at), 4);
	}
	mock_put(m, count, n, 4);
	mock_put(m, base, KB_STEXT, 8);
	mock_symbol(m, "_stext", KB_STEXT);
	mock_symbol(m, "kallsyms_num_syms", count);
	if (encoding == KB_ABSOLUTE)
		mock_symbol(m, "kallsyms_addresses", data + MOCK_PAGE);
	else
		mock_symbol(m, "kallsyms_offsets", data + MOCK_PAGE);
	if (encoding == KB_RELATIVE || encoding == KB_RELATIVE_PERCPU)
		mock_symbol(m, "kallsyms_relative_base", base);
	return build_names(m, symbols);
}

uint64_t kb_modules_init(struct mock *m)
{
	uint64_t list = mock_alloc(m, 2 * MOCK_LONG, MOCK_LONG);

	mock_size(m, "module", 512);
	mock_member(m, "module", "list", 8, 16);
	mock_member(m, "module", "name", 24, 56);
	mock_member(m, "module", "kallsyms", 400, 8);
	mock_size(m, "mod_kallsyms", 32);
	mock_member(m, "mod_kallsyms", "symtab", 0, 8);
	mock_member(m, "mod_kallsyms", "num_symtab", 8, 4);
	mock_member(m, "mod_kallsyms", "strtab", 16, 8);
	mock_member(m, "mod_kallsyms", "typetab", 24, 8);
	mock_list_init(m, list);
	mock_symbol(m, "modules", list);
	return list;
}

static uint64_t add_string(struct mock *m, uint64_t *end, const char *s)
{
	uint64_t at = *end;

	memcpy(mock_ptr(m, at), s, strlen(s) + 1);
	*end += strlen(s) + 1;
	return at;
}

uint64_t kb_module(struct mock *m, uint64_t list, const char *name,
		   const struct kb_symbol *symbols)
{
	const char t[] = "mod_kallsyms";
	uint64_t mod = mock_new(m, "module"), ks = mock_new(m, t);
	uint64_t symtab = mock_alloc_page(m), types = mock_alloc_page(m);
	uint64_t strings = mock_alloc_page(m), end = strings + 1;
	uint32_t n = 1;

	/* Elf64_Sym: name, info, other, section, value, size. */
	mock_put(m, symtab + 24, add_string(m, &end, "imported") - strings, 4);
	mock_put(m, types + n++, 'U', 1);
	for (; symbols->name; symbols++, n++) {
		uint64_t at = symtab + n * 24ul;

		mock_put(m, at, add_string(m, &end, symbols->name) - strings, 4);
		mock_put(m, at + 6, 1, 2);
		mock_put(m, at + 8, symbols->addr, 8);
		mock_put(m, types + n, (uint8_t)symbols->type, 1);
	}
	mock_set(m, ks, t, "symtab", symtab);
	mock_set(m, ks, t, "num_symtab", n);
	mock_set(m, ks, t, "strtab", strings);
	mock_set(m, ks, t, "typetab", types);
	mock_set(m, mod, "module", "kallsyms", ks);
	memcpy(mock_ptr(m, mod + 24), name, strlen(name) + 1);
	mock_list_add_tail(m, list, mod + 8);
	return ks;
}
