/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TRACEDAT_SAVE_H
#define TRACEDAT_SAVE_H

#include "base/outfile.h"
#include "ftrace/dump.h"

/*
 * Write what @dump has selected to @out as trace.dat version 7, or 6. Damage in the
 * dump is told, counted in @totals and skipped. ERR_IO (see out_reason()),
 * ERR_UNSUPPORTED (version 6 cannot hold it; told), ERR_NOMEM, ERR_INTERRUPTED; the caller then aborts @out.
 */
enum err td_save(const struct ft_dump *dump, struct outfile *out,
		 struct ft_totals *totals);

#endif
