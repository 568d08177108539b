/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FTRACE_CPUS_H
#define FTRACE_CPUS_H

#include "ftrace/layout.h"

/* NR_CPUS goes up to 8192; a larger number is damage. */
#define FT_MAX_CPUS 16384

/*
 * Of how many per-CPU pointers is the array at @buffers, that of a struct
 * trace_buffer? There are nr_cpu_ids of them. With CONFIG_FORCE_NR_CPUS or
 * NR_CPUS=1 that is no variable, and the ones up to the last possible CPU
 * count: no other has a ring. @own is the trace_buffer's own number, or 0: it
 * was not always set, and is gone by 7.3. 0: nothing here tells.
 */
uint32_t ft_count_cpus(const struct vmcore *vm, const struct ft_layout *layout,
		       uint64_t buffers, uint64_t own);

/*
 * Where are the bits of the cpumask_var_t of @size bytes at @addr? In itself, or
 * with CONFIG_CPUMASK_OFFSTACK where it points to. 0: it cannot be read.
 */
uint64_t ft_find_cpumask(const struct vmcore *vm, uint64_t addr, size_t size,
			 uint32_t nr_cpus);
/* Is @cpu in the mask whose bits are at @mask? False if that cannot be read. */
bool ft_cpumask_has(const struct vmcore *vm, uint64_t mask, uint32_t cpu);

#endif
