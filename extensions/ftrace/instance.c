// SPDX-License-Identifier: GPL-2.0-or-later
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ftrace/lastboot.h"
#include "vmcore/list.h"

/* More instances than this are a damaged list. */
#define MAX_INSTANCES 4096
/* NAME_MAX, and the end of the string */
#define MAX_NAME 256
/* So many damaged ones are told one by one. */
#define MAX_TOLD 4
/* trace_clocks[] has 9 entries and an architecture's own. */
#define MAX_CLOCKS 32

const char *ft_instance_label(const struct ft_instance *instance)
{
	return instance->name[0] ? instance->name : FT_TOP_NAME;
}

void ft_instance_time(const struct ft_instance *instance, uint64_t ts,
		      char *buf, size_t size)
{
	uint64_t us = ts / 1000 + (ts % 1000 >= 500);

	if (instance->clock_in_ns)
		snprintf(buf, size, "%" PRIu64 ".%06" PRIu64, us / 1000000,
			 us % 1000000);
	else
		snprintf(buf, size, "%" PRIu64, ts);
}

static bool printable(const char *s)
{
	for (const char *p = s; *p; p++)
		if (!isprint((unsigned char)*p))
			return false;
	return s[0];
}

/*
 * trace_clocks[] of kernel/trace/trace.c has elements without a type name:
 * { function, name, int }, padded to three longs.
 */
static void read_clock(const struct vmcore *vm, uint64_t id,
		       struct ft_instance *in)
{
	uint64_t table, at, name;
	uint32_t in_ns;

	if (id >= MAX_CLOCKS || !vm_symbol(vm, "trace_clocks", &table))
		goto unknown;
	at = table + id * 3 * vm->long_size;
	if (vm_read_ulong(vm, at + vm->long_size, &name) != ERR_NONE ||
	    vm_read_str(vm, name, in->clock, sizeof(in->clock)) != ERR_NONE ||
	    vm_read_u32(vm, at + 2 * vm->long_size, &in_ns) != ERR_NONE ||
	    !printable(in->clock))
		goto unknown;
	in->clock_in_ns = in_ns;
	return;
unknown:
	/* The default clock is the best guess for showing times. */
	snprintf(in->clock, sizeof(in->clock), "local");
	in->clock_in_ns = true;
}

static void read_tracer(const struct vmcore *vm, const struct ft_layout *l,
			uint64_t tracer, char *name, size_t size)
{
	uint64_t str;

	if (vm_has(&l->tracer_name) && tracer &&
	    vm_read_ulong(vm, tracer + l->tracer_name.off, &str) == ERR_NONE &&
	    vm_read_str(vm, str, name, size) == ERR_NONE && printable(name))
		return;
	snprintf(name, size, "?");
}

/* A long of the dead kernel, with its sign. */
static int64_t get_long(const struct vmcore *vm, const void *obj, size_t size,
			const struct vm_member *m)
{
	uint64_t value = vm_get(obj, size, m);

	return vm->long_size == sizeof(int32_t) ? (int32_t)value :
						  (int64_t)value;
}

static void read_boot(const struct vmcore *vm, const struct ft_layout *l,
		      const uint8_t *ta, struct ft_boot *boot)
{
	size_t size = l->trace_array_size;
	uint64_t flags = vm_get(ta, size, &l->ta_flags);

	boot->range_start = vm_get(ta, size, &l->ta_range_addr_start);
	boot->range_size = vm_get(ta, size, &l->ta_range_addr_size);
	boot->scratch = vm_get(ta, size, &l->ta_scratch);
	boot->scratch_size = vm_get(ta, size, &l->ta_scratch_size);
	boot->memmap = flags & (uint64_t)l->fl_memmap;
	boot->text_delta = get_long(vm, ta, size, &l->ta_text_delta);
	/* Without a delta of its own, data moved with text. */
	boot->data_delta = vm_has(&l->ta_data_delta) ?
				   get_long(vm, ta, size, &l->ta_data_delta) :
				   boot->text_delta;
	ft_lastboot_recognise(boot, vm, l, flags & (uint64_t)l->fl_last_boot);
}

static enum err read_instance(struct ft_instance *in, const struct vmcore *vm,
			      const struct ft_layout *l, uint64_t addr)
{
	size_t size = l->trace_array_size;
	struct vm_member buffer = l->ab_buffer, snapshot = l->ab_buffer;
	uint8_t *ta = malloc(size);
	uint64_t name;
	enum err err;

	if (!ta)
		return ERR_NOMEM;
	memset(in, 0, sizeof(*in));
	in->addr = addr;
	err = vm_read(vm, addr, ta, size);
	if (err != ERR_NONE)
		goto out;

	name = vm_get(ta, size, &l->ta_name);
	if (name)
		err = vm_read_str(vm, name, in->name, MAX_NAME);
	if (err == ERR_NONE && name && !printable(in->name))
		err = ERR_BAD_DATA;
	if (err != ERR_NONE)
		goto out;

	buffer.off += l->ta_array_buffer.off;
	in->buffer = vm_get(ta, size, &buffer);
	snapshot.off += l->ta_snapshot_buffer.off;
	if (vm_has(&l->ta_snapshot_buffer))
		in->snapshot = vm_get(ta, size, &snapshot);
	in->snapshot_allocated = vm_get(ta, size, &l->ta_allocated_snapshot);
	read_boot(vm, l, ta, &in->boot);
	read_clock(vm, vm_get(ta, size, &l->ta_clock_id), in);
	read_tracer(vm, l, vm_get(ta, size, &l->ta_current_trace), in->tracer,
		    sizeof(in->tracer));
out:
	free(ta);
	return err;
}

static bool known(const struct ft_instances *ins, uint64_t addr)
{
	for (size_t i = 0; i < ins->count; i++)
		if (ins->instance[i].addr == addr)
			return true;
	return false;
}

enum err ft_instances_insert(struct ft_instances *instances, size_t place,
			     const struct ft_instance *in)
{
	size_t behind = instances->count - place;
	struct ft_instance *p =
		realloc(instances->instance,
			(instances->count + 1) * sizeof(*instances->instance));

	if (!p)
		return ERR_NOMEM;
	instances->instance = p;
	instances->count++;
	memmove(p + place + 1, p + place, behind * sizeof(*p));
	p[place] = *in;
	return ERR_NONE;
}

/*
 * The kernel adds at the head, so the oldest stands last. The top one is
 * global_trace; another without a name has lost it, and must not pass for it.
 */
static void top_first(struct ft_instances *ins, const struct vmcore *vm)
{
	uint64_t top = 0;

	for (size_t i = 0; i < ins->count / 2; i++) {
		struct ft_instance tmp = ins->instance[i];

		ins->instance[i] = ins->instance[ins->count - 1 - i];
		ins->instance[ins->count - 1 - i] = tmp;
	}
	if (!vm_symbol(vm, "global_trace", &top))
		for (size_t i = 0; i < ins->count && !top; i++)
			if (!ins->instance[i].name[0])
				top = ins->instance[i].addr;
	for (size_t i = 0; i < ins->count; i++) {
		struct ft_instance *in = &ins->instance[i];
		struct ft_instance tmp = *in;

		if (in->addr == top) {
			in->name[0] = 0;
			tmp.name[0] = 0;
			*in = ins->instance[0];
			ins->instance[0] = tmp;
		} else if (!in->name[0]) {
			snprintf(in->name, sizeof(in->name), "unnamed-%" PRIx64,
				 in->addr);
			ins->damaged++;
		}
	}
}

struct collect {
	struct ft_instances *instances;
	const struct vmcore *vm;
	const struct ft_layout *layout;
	const struct diag *diag;
};

static enum err collect(void *arg, uint64_t node)
{
	struct collect *c = arg;
	uint64_t addr = node - c->layout->ta_list.off;
	struct ft_instance in;
	enum err err;

	if (known(c->instances, addr))
		return ERR_NONE;
	err = read_instance(&in, c->vm, c->layout, addr);
	if (err == ERR_NONE)
		err = ft_instances_insert(c->instances, c->instances->count,
					  &in);
	if (err == ERR_NONE || err == ERR_NOMEM)
		return err;
	if (c->instances->damaged++ < MAX_TOLD)
		diag_say(c->diag, "trace_array %" PRIx64 ": %s", addr,
			 err_str(err));
	return ERR_NONE;
}

enum err ft_instances_init(struct ft_instances *instances,
			   const struct vmcore *vm,
			   const struct ft_layout *layout,
			   const struct diag *diag)
{
	struct collect c = { instances, vm, layout, diag };
	struct vm_list_visit visit = {
		.vm = vm,
		.diag = diag,
		.what = "instances",
		.max = MAX_INSTANCES,
		.fn = collect,
		.arg = &c,
	};
	enum err err;

	memset(instances, 0, sizeof(*instances));
	if (!vm_symbol(vm, "ftrace_trace_arrays", &visit.head)) {
		diag_say(diag,
			 "this kernel has no ftrace_trace_arrays: it was built without CONFIG_TRACING");
		return ERR_UNSUPPORTED;
	}
	err = vm_list_visit(&visit, &instances->damaged);
	if (err != ERR_NONE)
		ft_instances_deinit(instances);
	else
		top_first(instances, vm);
	return err;
}

void ft_instances_deinit(struct ft_instances *instances)
{
	free(instances->instance);
	instances->instance = NULL;
	instances->count = 0;
}
