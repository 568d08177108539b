/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIEWS_FTLIST_H
#define VIEWS_FTLIST_H

#include <stdio.h>

#include "ftrace/dump.h"

/*
 * ftdump -l: print what is in the selected buffers, a table for each, to
 * @out. Every page is visited, so that losses are known. ERR_NOMEM,
 * ERR_INTERRUPTED.
 */
enum err ft_list(const struct ft_dump *dump, FILE *out,
		 struct ft_totals *totals);

#endif
