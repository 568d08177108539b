/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FTRACE_MEMMAP_H
#define FTRACE_MEMMAP_H

#include "ftrace/instance.h"

/*
 * Where the memory of a boot-mapped instance is not in the dump: say why, and
 * what to do the next time. Else say nothing.
 */
void ft_memmap_tell(const struct vmcore *vm, const struct diag *diag,
		    const struct ft_instance *instance);

#endif
