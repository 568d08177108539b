// SPDX-License-Identifier: GPL-2.0-or-later
#include <ctype.h>
#include <inttypes.h>

#include "ftrace/tables.h"
#include "vmcore/ksyms.h"

struct writer {
	FILE *out;
	const struct ft_lastboot *boot;
	bool any;
	uint64_t last;
	uint64_t damaged;
	uint64_t homeless; /* the previous boot's place of them is not known */
};

/* A word on a line. Names with anything else in them are damage. */
static bool is_word(const char *s)
{
	const char *c = s;

	while (isgraph((unsigned char)*c))
		c++;
	return c != s && !*c;
}

static void print_symbol(FILE *out, uint64_t addr, char type, const char *name,
			 const char *module)
{
	fprintf(out, "%016" PRIx64 " %c %s", addr, type, name);
	if (module)
		fprintf(out, "\t[%s]", module);
	fputc('\n', out);
}

static bool write_symbol(void *arg, const struct vm_symbol *sym)
{
	struct writer *w = arg;
	uint64_t addr = sym->addr;

	if (w->any && sym->addr == w->last)
		return true;
	if (!is_word(sym->name) || (sym->module && !is_word(sym->module))) {
		w->damaged++;
		return true;
	}
	w->any = true;
	w->last = sym->addr;
	if (w->boot && !ft_lastboot_symbol(w->boot, sym, &addr)) {
		w->homeless++;
		return true;
	}
	print_symbol(w->out, addr,
		     isalpha((unsigned char)sym->type) ? sym->type : '?',
		     sym->name, sym->module);
	return !ferror(w->out);
}

static bool is_in_module(const struct ft_lastboot *boot, uint64_t then)
{
	for (size_t i = 0; i < boot->nr_modules; i++) {
		const struct ft_prev_module *m = &boot->module[i];

		if (then - m->then < (m->now && m->size ? m->size : 1))
			return true;
	}
	return false;
}

/*
 * Readers name an address after the last symbol before it. What lay behind a
 * module's text, or in a module that this boot has not loaded, must not be
 * named after something that it is not.
 */
static void write_borders(const struct ft_lastboot *boot, FILE *out)
{
	for (size_t i = 0; i < boot->nr_modules; i++) {
		const struct ft_prev_module *m = &boot->module[i];

		if (!m->now)
			print_symbol(out, m->then, 't', "unknown_function",
				     m->name);
		else if (!is_in_module(boot, m->then + m->size))
			print_symbol(out, m->then + m->size, 't', "end_of_text",
				     m->name);
	}
}

static void tell_homeless(const struct ft_lastboot *boot,
			  const struct diag *diag, uint64_t symbols)
{
	if (symbols)
		diag_say(diag,
			 "%" PRIu64
			 " symbols of modules are left out: %s; such addresses stay numbers",
			 symbols,
			 boot->modules_known ?
				 "nobody recorded where the previous boot had them" :
				 "this kernel does not record where the previous boot had its modules");
}

void ft_write_kallsyms(const struct vmcore *vm, const struct diag *diag,
		       const struct ft_lastboot *boot, FILE *out)
{
	struct writer w = { .out = out, .boot = boot };

	vm_ksyms(vm, diag, write_symbol, &w);
	if (boot) {
		write_borders(boot, out);
		tell_homeless(boot, diag, w.homeless);
	}
	if (w.damaged)
		diag_say(diag,
			 "%" PRIu64
			 " symbols have damaged names, and were left out",
			 w.damaged);
}
