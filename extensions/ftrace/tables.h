/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FTRACE_TABLES_H
#define FTRACE_TABLES_H

#include <stdio.h>

#include "base/diag.h"
#include "ftrace/lastboot.h"
#include "ftrace/layout.h"

/*
 * The tables that a reader of ring buffers needs beside the events, as text
 * in the shape of the kernel's own files. Damage is told through diag and
 * skipped; the caller checks @out for write errors.
 *
 * @boot: for events of the previous boot, whose addresses the tables then have.
 * What has none is left out, and told. NULL: for those of this boot.
 */

/*
 * As /proc/kallsyms, but one symbol for each address, the one that the kernel
 * itself would print: readers of trace.dat pick any of several.
 */
void ft_write_kallsyms(const struct vmcore *vm, const struct diag *diag,
		       const struct ft_lastboot *boot, FILE *out);

/* As tracefs' printk_formats: trace_printk() and tracepoint strings. */
void ft_write_printk_formats(const struct vmcore *vm,
			     const struct ft_layout *layout,
			     const struct diag *diag,
			     const struct ft_lastboot *boot, FILE *out);

/*
 * As tracefs' saved_cmdlines, then the live tasks that it does not name. They
 * are this boot's: a pid of the previous boot was another task.
 */
enum err ft_write_cmdlines(const struct vmcore *vm,
			   const struct ft_layout *layout,
			   const struct diag *diag, FILE *out);

/* As tracefs' events/header_page, for sub-buffers of @subbuf_size. */
void ft_write_header_page(const struct ft_layout *layout, size_t subbuf_size,
			  bool char_signed, FILE *out);

/* As tracefs' events/header_event. */
void ft_write_header_event(FILE *out);

#endif
