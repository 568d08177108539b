/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIEWS_FTREPORT_H
#define VIEWS_FTREPORT_H

#include <stdio.h>

#include "ftrace/dump.h"

/* Why a report ended early, where errno has the reason. */
struct ft_report_result {
	struct ft_totals totals;
	uint64_t unprinted; /* events whose line says why there is no more */
	const char *what;   /* that failed with sys_errno; NULL: nothing did */
	int sys_errno;
};

/*
 * ftdump -r: print the selected events of @dump to @out, all buffers and CPUs
 * in the order of time, one a line, as "trace-cmd report -N" does of the file
 * that td_save() writes. Memory does not grow with the buffers: their pages go
 * through a file in $TMPDIR. ERR_IO (see @result), ERR_NOMEM, ERR_INTERRUPTED.
 */
enum err ft_report(const struct ft_dump *dump, FILE *out,
		   struct ft_report_result *result);

#endif
