// SPDX-License-Identifier: GPL-2.0-or-later
#include <limits.h>
#include <stdlib.h>

#include "base/cursor.h"
#include "ftrace/cpus.h"

static bool sane(uint64_t cpus)
{
	return cpus && cpus <= FT_MAX_CPUS;
}

/* One more than the last CPU in cpu_possible_mask; it may have holes. */
static uint32_t possible_cpus(const struct vmcore *vm)
{
	size_t size = vm->ops->type_size(vm->ctx, "cpumask");
	uint32_t cpus = 0, bit = 0;
	struct cursor c;
	uint64_t addr;
	void *mask;

	if (!size || size > FT_MAX_CPUS / CHAR_BIT ||
	    !vm_symbol(vm, "__cpu_possible_mask", &addr) ||
	    vm_dup(vm, addr, size, &mask) != ERR_NONE)
		return 0;
	c = cursor_init(mask, size);
	while (cursor_left(&c)) {
		uint64_t word = cursor_uint(&c, vm->long_size);

		if (c.failed)
			break;
		if (word)
			cpus = bit + 64 - (uint32_t)__builtin_clzll(word);
		bit += vm->long_size * CHAR_BIT;
	}
	free(mask);
	return cpus;
}

/*
 * What follows the array is not known, but each ring in it knows its CPU, and
 * anything else does so only by a great chance.
 */
static uint32_t rings(const struct vmcore *vm, const struct ft_layout *layout,
		      uint64_t buffers)
{
	uint32_t cpus = 0;

	for (uint32_t cpu = 0; cpu < FT_MAX_CPUS; cpu++) {
		uint64_t addr;
		uint32_t own;

		if (vm_read_ulong(vm, buffers + cpu * vm->long_size, &addr) !=
		    ERR_NONE)
			break;
		if (!addr)
			continue;
		if (vm_read_u32(vm, addr + layout->pc_cpu.off, &own) != ERR_NONE ||
		    own != cpu)
			break;
		cpus = cpu + 1;
	}
	return cpus;
}

uint32_t ft_count_cpus(const struct vmcore *vm, const struct ft_layout *layout,
		       uint64_t buffers, uint64_t own)
{
	uint64_t sym;
	uint32_t cpus;

	if (vm_symbol(vm, "nr_cpu_ids", &sym) &&
	    vm_read_u32(vm, sym, &cpus) == ERR_NONE && sane(cpus))
		return cpus;
	if (sane(own))
		return own;
	cpus = possible_cpus(vm);
	return cpus ? cpus : rings(vm, layout, buffers);
}

uint64_t ft_find_cpumask(const struct vmcore *vm, uint64_t addr, size_t size,
			 uint32_t nr_cpus)
{
	const uint32_t bits = vm->long_size * CHAR_BIT;
	uint64_t word;

	if (size != vm->long_size)
		return addr;
	if (vm_read_ulong(vm, addr, &word) != ERR_NONE)
		return 0;
	/* A pointer has bits that no CPU has. */
	return nr_cpus < bits && !(word >> nr_cpus) ? addr : word;
}

bool ft_cpumask_has(const struct vmcore *vm, uint64_t mask, uint32_t cpu)
{
	const uint32_t bits = vm->long_size * CHAR_BIT;
	uint64_t word;

	return vm_read_ulong(vm, mask + cpu / bits * vm->long_size, &word) ==
		       ERR_NONE &&
	       (word >> cpu % bits & 1);
}
