/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TEST_KSYMS_BUILDER_H
#define TEST_KSYMS_BUILDER_H

#include "test/mock-vmcore.h"

/*
 * Builds the kernel's own symbol tables in a mock: what scripts/kallsyms.c
 * generates, and struct mod_kallsyms of modules.
 */
enum kb_encoding {
	KB_ABSOLUTE,
	KB_RELATIVE,
	KB_RELATIVE_PERCPU,
	KB_FROM_ITSELF,
};

struct kb_symbol {
	uint64_t addr;
	char type;
	const char *name; /* NULL ends a table */
};

#define KB_STEXT 0xffffffff81000000ull

/*
 * @symbols must ascend and have _stext at KB_STEXT. Where the names lie is
 * returned.
 */
uint64_t kb_core(struct mock *m, enum kb_encoding encoding,
		 const struct kb_symbol *symbols);

/* struct module and struct mod_kallsyms; an empty list of modules. */
uint64_t kb_modules_init(struct mock *m);
/*
 * A module at the end of the list, its symbols in this order, behind an
 * import that has no address. Returns its struct mod_kallsyms.
 */
uint64_t kb_module(struct mock *m, uint64_t list, const char *name,
		   const struct kb_symbol *symbols);

#endif
