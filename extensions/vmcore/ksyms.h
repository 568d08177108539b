/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VMCORE_KSYMS_H
#define VMCORE_KSYMS_H

#include "base/diag.h"
#include "vmcore/vmcore.h"

/*
 * Every symbol as the dead kernel's own /proc/kallsyms would show it: the
 * kernel's table, then the modules' by address. Names are whole, where crash
 * cuts off compilers' suffixes such as .isra.0, and of several names for one
 * address the first one is what the kernel prints.
 *
 * Where the kernel's table cannot be used (CONFIG_KALLSYMS off, pages
 * missing), diag says so, and the symbols are crash's, from vmlinux.
 *
 * Returns false, with nothing said, if @fn stopped it.
 */
bool vm_ksyms(const struct vmcore *vm, const struct diag *diag, vm_symbol_fn fn,
	      void *arg);

/* The parts of it. ERR_UNSUPPORTED: this kernel has no such table. */
enum err vm_ksyms_core(const struct vmcore *vm, vm_symbol_fn fn, void *arg,
		       bool *stopped);
enum err vm_ksyms_modules(const struct vmcore *vm, const struct diag *diag,
			  vm_symbol_fn fn, void *arg, bool *stopped);

#endif
