// SPDX-License-Identifier: GPL-2.0-or-later
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "ftrace/memmap.h"

/* COMMAND_LINE_SIZE is 2048 on most architectures, and 4096 at most. */
#define MAX_CMDLINE 65536

/* Of trace_instance=NAME^flags@WHERE,events, or NULL: what is behind the @. */
static const char *find_where(const char *cmdline, const char *name)
{
	static const char option[] = "trace_instance=";
	const size_t len = strlen(name);
	const char *at = cmdline;

	while ((at = strstr(at, option))) {
		at += sizeof(option) - 1;
		if (strncmp(at, name, len) || !strchr("^@", at[len]))
			continue;
		at += strcspn(at, "@, ");
		return *at == '@' ? at + 1 : NULL;
	}
	return NULL;
}

/* By what the kernel was told: memory at an address, or one with a name. */
static bool is_at_address(const struct vmcore *vm, const char *name)
{
	uint64_t sym, addr;
	const char *where;
	char *cmdline;
	bool yes;

	if (!vm_symbol(vm, "saved_command_line", &sym) ||
	    vm_read_ulong(vm, sym, &addr) != ERR_NONE ||
	    vm_dup_str(vm, addr, MAX_CMDLINE, &cmdline) != ERR_NONE)
		return false;
	where = find_where(cmdline, name);
	yes = where && isdigit((unsigned char)*where);
	free(cmdline);
	return yes;
}

void ft_memmap_tell(const struct vmcore *vm, const struct diag *diag,
		    const struct ft_instance *instance)
{
	uint8_t byte;

	if (vm_read(vm, instance->boot.range_start, &byte, 1) != ERR_MISSING)
		return;
	if (instance->boot.memmap || is_at_address(vm, instance->name))
		diag_say(diag,
			 "%s: its memory is not in the dump: it lies in a memmap= region, which is marked as reserved (E820), and kdump saves System RAM only. Use reserve_mem= instead of memmap=, or a dump of all memory",
			 ft_instance_label(instance));
	else
		diag_say(diag, "%s: its memory is not in the dump",
			 ft_instance_label(instance));
}
