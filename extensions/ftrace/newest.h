/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FTRACE_NEWEST_H
#define FTRACE_NEWEST_H

#include "ftrace/dump.h"
#include "ftrace/filter.h"

/*
 * Where @filter wants the newest events only: find from which time on they are,
 * by one walk over what @dump has selected, and note it in the filter. What is
 * damaged is not told here but by the walk that follows. ERR_NOMEM,
 * ERR_INTERRUPTED.
 */
enum err ft_filter_find_newest(struct ft_filter *filter,
			       const struct ft_dump *dump);

#endif
