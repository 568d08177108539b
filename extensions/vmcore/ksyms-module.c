// SPDX-License-Identifier: GPL-2.0-or-later
#include <elf.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/cursor.h"
#include "vmcore/ksyms.h"
#include "vmcore/list.h"

/* The largest modules have some 60,000 symbols, and names of 2 MiB. */
#define MAX_SYMBOLS (1 << 18)
#define MAX_STRTAB  (8 << 20)
/* A list that is bent must end. */
#define MAX_MODULES 65536

/* Members of struct module and struct mod_kallsyms (include/linux/module.h). */
struct layout {
	struct vm_member list, name, kallsyms;
	struct vm_member symtab, num_symtab, strtab, typetab;
};

struct symbol {
	uint64_t addr;
	uint32_t order; /* in the module's table */
	uint32_t name;	/* offset in the strings */
	char type;
};

static bool probe(struct layout *l, const struct vmcore *vm)
{
	const struct {
		const char *type, *name;
		struct vm_member *m;
	} rows[] = {
		{ "module", "list", &l->list },
		{ "module", "name", &l->name },
		{ "module", "kallsyms", &l->kallsyms },
		{ "mod_kallsyms", "symtab", &l->symtab },
		{ "mod_kallsyms", "num_symtab", &l->num_symtab },
		{ "mod_kallsyms", "strtab", &l->strtab },
	};

	memset(l, 0, sizeof(*l));
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (!vm->ops->member(vm->ctx, rows[i].type, rows[i].name,
				     rows[i].m))
			return false;
	/* Since 5.2 (1c7651f43777); before, st_info held the type. */
	vm->ops->member(vm->ctx, "mod_kallsyms", "typetab", &l->typetab);
	return true;
}

static int by_address(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;

	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

/* One Elf_Sym of the dead kernel: the fields that matter. */
static void read_elf_sym(const void *buf, size_t size, struct symbol *sym,
			 uint16_t *shndx)
{
	struct cursor c = cursor_init(buf, size);

	if (size == sizeof(Elf64_Sym)) {
		sym->name = cursor_uint(&c, 4);
		sym->type = (char)cursor_uint(&c, 1);
		cursor_uint(&c, 1);
		*shndx = cursor_uint(&c, 2);
		sym->addr = cursor_uint(&c, 8);
	} else {
		sym->name = cursor_uint(&c, 4);
		sym->addr = cursor_uint(&c, 4);
		cursor_uint(&c, 4);
		sym->type = (char)cursor_uint(&c, 1);
		cursor_uint(&c, 1);
		*shndx = cursor_uint(&c, 2);
	}
}

struct module {
	char name[64];
	uint32_t count;
	struct symbol *syms; /* owned */
	char *strings;	     /* owned */
	size_t strings_len;
};

/*
 * The strings are not counted anywhere: they end with the name of the symbol
 * whose name lies last.
 */
static enum err read_strings(struct module *m, const struct vmcore *vm,
			     uint64_t strtab)
{
	char last[1024];
	uint32_t max = 0;
	enum err err;

	for (uint32_t i = 0; i < m->count; i++)
		if (m->syms[i].name > max)
			max = m->syms[i].name;
	if (max > MAX_STRTAB)
		return ERR_BAD_DATA;
	err = vm_read_str(vm, strtab + max, last, sizeof(last));
	if (err != ERR_NONE)
		return err;
	m->strings_len = max + strlen(last) + 1;
	m->strings = malloc(m->strings_len);
	if (!m->strings)
		return ERR_NOMEM;
	err = vm_read(vm, strtab, m->strings, m->strings_len);
	m->strings[m->strings_len - 1] = 0;
	return err;
}

static enum err read_symbols(struct module *m, const struct vmcore *vm,
			     const struct layout *l, uint64_t kallsyms)
{
	size_t size = vm->long_size == 8 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
	uint64_t symtab = 0, strtab = 0, typetab = 0;
	uint8_t *table = NULL;
	char *types = NULL;
	uint32_t total = 0;
	enum err err;

	err = vm_read_ulong(vm, kallsyms + l->symtab.off, &symtab);
	if (err == ERR_NONE)
		err = vm_read_u32(vm, kallsyms + l->num_symtab.off, &total);
	if (err == ERR_NONE)
		err = vm_read_ulong(vm, kallsyms + l->strtab.off, &strtab);
	if (err == ERR_NONE && vm_has(&l->typetab))
		err = vm_read_ulong(vm, kallsyms + l->typetab.off, &typetab);
	if (err == ERR_NONE && total > MAX_SYMBOLS)
		err = ERR_BAD_DATA;
	if (err != ERR_NONE || !total)
		return err;

	table = malloc(total * size);
	types = malloc(total);
	m->syms = calloc(total, sizeof(*m->syms));
	err = table && types && m->syms ? ERR_NONE : ERR_NOMEM;
	if (err == ERR_NONE)
		err = vm_read(vm, symtab, table, total * size);
	if (err == ERR_NONE && typetab)
		err = vm_read(vm, typetab, types, total);
	/* Real symbols begin at 1; those without a section are imports. */
	for (uint32_t i = 1; err == ERR_NONE && i < total; i++) {
		struct symbol *sym = &m->syms[m->count];
		uint16_t shndx;

		read_elf_sym(table + i * size, size, sym, &shndx);
		sym->order = i;
		if (typetab)
			sym->type = types[i];
		if (shndx != SHN_UNDEF)
			m->count++;
	}
	free(table);
	free(types);
	return err == ERR_NONE ? read_strings(m, vm, strtab) : err;
}

static bool give(const struct module *m, vm_symbol_fn fn, void *arg)
{
	for (uint32_t i = 0; i < m->count; i++) {
		struct vm_symbol sym = {
			.addr = m->syms[i].addr,
			.type = m->syms[i].type,
			.name = m->strings + m->syms[i].name,
			.module = m->name,
		};

		/* Mapping symbols ($x, $d) are no names. */
		if (!sym.name[0] || sym.name[0] == '$')
			continue;
		if (!fn(arg, &sym))
			return false;
	}
	return true;
}

static enum err read_module(struct module *m, const struct vmcore *vm,
			    const struct layout *l, uint64_t addr)
{
	uint64_t kallsyms;
	enum err err;

	err = vm_read_str(vm, addr + l->name.off, m->name, sizeof(m->name));
	if (err == ERR_NONE)
		err = vm_read_ulong(vm, addr + l->kallsyms.off, &kallsyms);
	if (err == ERR_NONE && kallsyms)
		err = read_symbols(m, vm, l, kallsyms);
	if (err == ERR_NONE && m->count)
		qsort(m->syms, m->count, sizeof(*m->syms), by_address);
	return err;
}

enum err vm_ksyms_modules(const struct vmcore *vm, const struct diag *diag,
			  vm_symbol_fn fn, void *arg, bool *stopped)
{
	struct vm_list list;
	struct layout l;
	uint64_t head, node;

	/* No modules at all, or none with symbols. */
	if (!vm_symbol(vm, "modules", &head) || !probe(&l, vm))
		return ERR_NONE;
	vm_list_init(&list, vm, head, false);
	for (int n = 0; n < MAX_MODULES && !*stopped; n++) {
		struct module m = { 0 };
		enum err err;

		if (!vm_list_next(&list, &node))
			break;
		err = read_module(&m, vm, &l, node - l.list.off);
		if (err == ERR_NONE)
			*stopped = !give(&m, fn, arg);
		else if (err != ERR_NOMEM)
			diag_say(diag, "symbols of module %s at %" PRIx64 ": %s",
				 m.name[0] ? m.name : "?", node - l.list.off,
				 err_str(err));
		free(m.syms);
		free(m.strings);
		if (err == ERR_NOMEM)
			return err;
	}
	return list.err;
}
