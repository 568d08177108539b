// SPDX-License-Identifier: GPL-2.0-or-later
#include <ctype.h>
#include <string.h>

#include "vmcore/ksyms.h"

/*
 * crash's symbols have no order among those of one address. So that the first
 * one is what the kernel would print, each run of them is given best first, by
 * compare_symbols() of scripts/kallsyms.c: weak ones last, then those that
 * look like a linker script's, then by leading underscores.
 */
struct run {
	vm_symbol_fn fn;
	void *arg;
	bool stopped;
	struct vm_symbol sym[8];
	size_t count;
};

static bool has_suffix(const char *name, const char *suffix)
{
	size_t n = strlen(name), s = strlen(suffix);

	return n >= s && !strcmp(name + n - s, suffix);
}

static size_t rank(const struct vm_symbol *sym)
{
	const char *name = sym->name;
	bool linker = strlen(name) >= 8 && !strncmp(name, "__", 2) &&
		      (!strncmp(name + 2, "start_", 6) ||
		       !strncmp(name + 2, "stop_", 5) ||
		       !strncmp(name + 2, "end_", 4) ||
		       has_suffix(name, "_start") || has_suffix(name, "_end"));
	size_t underscores = strspn(name, "_");

	if (underscores > 255)
		underscores = 255;
	return underscores + (linker ? 256 : 0) +
	       (tolower((unsigned char)sym->type) == 'w' ? 512 : 0);
}

static bool flush(struct run *run)
{
	for (size_t i = 0; i < run->count && !run->stopped; i++)
		run->stopped = !run->fn(run->arg, &run->sym[i]);
	run->count = 0;
	return !run->stopped;
}

static bool add(void *arg, const struct vm_symbol *sym)
{
	const size_t room = sizeof(((struct run *)0)->sym) / sizeof(*sym);
	struct run *run = arg;
	size_t i;

	if (run->count && (run->sym[0].addr != sym->addr || run->count == room))
		if (!flush(run))
			return false;
	for (i = run->count++; i && rank(&run->sym[i - 1]) > rank(sym); i--)
		run->sym[i] = run->sym[i - 1];
	run->sym[i] = *sym;
	return true;
}

static bool crash_symbols(const struct vmcore *vm, vm_symbol_fn fn, void *arg)
{
	struct run run = { .fn = fn, .arg = arg };

	vm->ops->symbols(vm->ctx, add, &run);
	return flush(&run);
}

bool vm_ksyms(const struct vmcore *vm, const struct diag *diag, vm_symbol_fn fn,
	      void *arg)
{
	bool stopped = false;
	enum err err = vm_ksyms_core(vm, fn, arg, &stopped);

	if (err == ERR_NONE) {
		if (!stopped)
			err = vm_ksyms_modules(vm, diag, fn, arg, &stopped);
		if (err != ERR_NONE)
			diag_say(diag, "symbols of modules: %s", err_str(err));
		return !stopped;
	}
	diag_say(diag,
		 "the kernel's own symbol table: %s; using that of vmlinux",
		 err_str(err));
	return crash_symbols(vm, fn, arg);
}
