/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FTRACE_LASTBOOT_H
#define FTRACE_LASTBOOT_H

#include "ftrace/instance.h"

/*
 * A boot-mapped buffer that nobody has written to since the reset holds what
 * the previous kernel recorded: the same kernel, but elsewhere in memory. Its
 * events name functions and strings by where they lay then.
 *
 * Readers look those up in the tables that come with the events, so these tables
 * get the previous kernel's addresses: what lies in the kernel's image was moved
 * as a whole; a module's text is found by the record of modules that kernels
 * since 6.15 keep in the region (trace_adjust_address() of the kernel).
 */
struct ft_prev_module {
	char name[64];
	uint64_t then; /* where its text began */
	uint64_t now;  /* the same in this kernel; 0: it is not loaded */
	uint64_t size; /* bytes of text */
};

struct ft_lastboot {
	int64_t text_delta; /* this kernel's address minus the previous one's */
	int64_t data_delta;
	uint64_t image, image_end; /* this kernel's */
	bool modules_known;	   /* the region has a record of them */
	struct ft_prev_module *module;
	size_t nr_modules;
};

/*
 * Decide whether what a trace array says of its region (@boot but for last_boot,
 * @flag: TRACE_ARRAY_FL_LAST_BOOT is set) means that its events are the previous
 * boot's. Where that is damaged, the region itself says from where its kernel
 * moved.
 */
void ft_lastboot_recognise(struct ft_boot *boot, const struct vmcore *vm,
			   const struct ft_layout *layout, bool flag);

/*
 * What it takes to show the events of @in, whose boot.last_boot is set. Damage
 * is told. ERR_NOMEM.
 */
enum err ft_lastboot_init(struct ft_lastboot *boot, const struct vmcore *vm,
			  const struct ft_layout *layout,
			  const struct diag *diag, const struct ft_instance *in);
void ft_lastboot_deinit(struct ft_lastboot *boot);

/* Did both previous kernels have everything in the same place? */
bool ft_lastboot_equal(const struct ft_lastboot *a, const struct ft_lastboot *b);

/*
 * Where did the previous kernel have this symbol? False: nobody knows. *@addr
 * may be that of @sym itself.
 */
bool ft_lastboot_symbol(const struct ft_lastboot *boot,
			const struct vm_symbol *sym, uint64_t *addr);
/* The same of a string in the kernel's image. */
bool ft_lastboot_string(const struct ft_lastboot *boot, uint64_t now,
			uint64_t *then);

#endif
