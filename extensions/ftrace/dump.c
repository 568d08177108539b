// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "ftrace/dump.h"
#include "ftrace/memmap.h"
#include "ftrace/snapshot.h"

enum err ft_dump_init(struct ft_dump *dump, const struct vmcore *vm,
		      const struct diag *diag)
{
	enum err err;

	memset(dump, 0, sizeof(*dump));
	dump->vm = vm;
	dump->diag = diag;
	err = ft_layout_probe(&dump->layout, vm, diag);
	if (err != ERR_NONE)
		return err;
	err = ft_instances_init(&dump->instances, vm, &dump->layout, diag);
	if (err != ERR_NONE)
		return err;
	if (vm->live)
		diag_say(diag,
			 "this kernel is running: its buffers change while they are read, sub-buffers may be torn and counts not agree (trace-cmd extract saves them whole)");
	err = ft_snapshots_add(&dump->instances, vm, &dump->layout, diag);
	if (err != ERR_NONE) {
		ft_dump_deinit(dump);
		return err;
	}
	return ft_dump_select(dump, NULL, NULL);
}

static void drop_boot(struct ft_dump *dump)
{
	if (dump->boot)
		ft_lastboot_deinit(dump->boot);
	free(dump->boot);
	dump->boot = NULL;
}

void ft_dump_deinit(struct ft_dump *dump)
{
	drop_boot(dump);
	ft_instances_deinit(&dump->instances);
}

enum err ft_dump_select(struct ft_dump *dump, char *list, const char **unknown)
{
	struct ft_instances *ins = &dump->instances;
	bool any = !list;
	char *save = NULL;

	for (size_t i = 0; i < ins->count; i++)
		ins->instance[i].selected = !list;
	for (char *name = list ? strtok_r(list, ",", &save) : NULL; name;
	     name = strtok_r(NULL, ",", &save)) {
		bool found = false;

		for (size_t i = 0; i < ins->count; i++) {
			if (strcmp(ft_instance_label(&ins->instance[i]), name))
				continue;
			ins->instance[i].selected = true;
			found = any = true;
		}
		if (!found) {
			*unknown = name;
			return ERR_BAD_DATA;
		}
	}
	if (!any)
		*unknown = "";
	return any ? ERR_NONE : ERR_BAD_DATA;
}

/* The previous boot of @in joins what dump->boot is. */
static enum err join_boot(struct ft_dump *dump, const struct ft_instance *in)
{
	struct ft_lastboot *boot = malloc(sizeof(*boot));
	enum err err;

	if (!boot)
		return ERR_NOMEM;
	err = ft_lastboot_init(boot, dump->vm, &dump->layout, dump->diag, in);
	if (err == ERR_NONE && !dump->boot) {
		dump->boot = boot;
		return ERR_NONE;
	}
	if (err == ERR_NONE) {
		if (!ft_lastboot_equal(boot, dump->boot))
			err = ERR_BAD_DATA;
		ft_lastboot_deinit(boot);
	}
	free(boot);
	return err;
}

enum err ft_dump_one_boot(struct ft_dump *dump, bool named)
{
	struct ft_instances *ins = &dump->instances;
	bool live = false, mixed = false;
	enum err err = ERR_NONE;

	drop_boot(dump);
	for (size_t i = 0; i < ins->count && !mixed; i++) {
		struct ft_instance *in = &ins->instance[i];
		const char *label = ft_instance_label(in);

		if (!in->selected)
			continue;
		if (!in->boot.last_boot) {
			live = true;
			continue;
		}
		if (!named) {
			in->selected = false;
			diag_say(dump->diag,
				 "%s holds events of the previous boot, for a file of its own: ftdump -b %s %s.dat",
				 label, label, label);
			continue;
		}
		err = join_boot(dump, in);
		if (err == ERR_NOMEM)
			return err;
		mixed = err != ERR_NONE;
	}
	if (!mixed && !(live && dump->boot))
		return ERR_NONE;
	diag_say(dump->diag,
		 "these instances hold events of different boots, whose addresses mean different things: name those of one boot (-l shows which)");
	return ERR_BAD_DATA;
}

bool ft_dump_wants_cpu(const struct ft_dump *dump, uint32_t cpu)
{
	const size_t bits = sizeof(long) * CHAR_BIT;

	if (!dump->cpu_bits)
		return true;
	return cpu < dump->nr_cpu_bits &&
	       (dump->cpu_bits[cpu / bits] >> (cpu % bits) & 1);
}

enum err ft_dump_open_ring(const struct ft_dump *dump,
			   const struct ft_instance *instance,
			   struct ft_ring *ring)
{
	const struct ft_boot *boot = &instance->boot;
	const char *label = ft_instance_label(instance);
	enum err err = ft_ring_open(ring, dump->vm, &dump->layout, dump->diag,
				    instance->buffer, label);

	if (err != ERR_NONE)
		diag_say(dump->diag, "%s: trace_buffer %" PRIx64 ": %s", label,
			 instance->buffer, err_str(err));
	if (ft_ring_find_region(ring, boot->range_start, boot->range_size,
				boot->last_boot))
		return ERR_NONE;
	if (ring->boot_mapped)
		ft_memmap_tell(dump->vm, dump->diag, instance);
	return err;
}

void ft_totals_add(struct ft_totals *totals, const struct ft_cpu_stats *stats)
{
	totals->events += stats->events;
	totals->pages += stats->pages;
	totals->torn += stats->torn;
	totals->missing += stats->missing;
	totals->discarded += stats->discarded;
	totals->broken += stats->broken;
}
