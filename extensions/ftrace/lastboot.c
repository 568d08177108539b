// SPDX-License-Identifier: GPL-2.0-or-later
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "ftrace/lastboot.h"
#include "ftrace/region.h"
#include "vmcore/list.h"

/* The region has room for 128 of them. */
#define MAX_RECORDED 4096
/* A list that is bent must end. */
#define MAX_MODULES 65536

static bool is_name(const char *s, size_t size)
{
	size_t len = strnlen(s, size);

	for (size_t i = 0; i < len; i++)
		if (!isgraph((unsigned char)s[i]))
			return false;
	return len && len < size;
}

/* The kernel moves by whole pages, and its text and data as one. */
static bool sane(const struct vmcore *vm, int64_t text, int64_t data)
{
	return !(text & (int64_t)(vm->page_size - 1)) && text == data;
}

/* Until 6.15 there are only deltas: none, and the events are of this boot. */
static void recognise_by_deltas(struct ft_boot *boot, const struct vmcore *vm,
				const struct ft_layout *l)
{
	int64_t text, data;

	if (!sane(vm, boot->text_delta, boot->data_delta) &&
	    ft_region_deltas(vm, l, boot->range_start, &text, &data) == ERR_NONE &&
	    sane(vm, text, data)) {
		boot->text_delta = text;
		boot->data_delta = data;
	}
	boot->last_boot = boot->text_delta || boot->data_delta;
}

/* Where the kernel that wrote the region had its text; 0: nobody knows. */
static uint64_t recorded_text(const struct vmcore *vm,
			      const struct ft_layout *l, uint64_t scratch)
{
	uint64_t text;

	if (!vm_has(&l->ts_text_addr) ||
	    vm_read_ulong(vm, scratch + l->ts_text_addr.off, &text) != ERR_NONE)
		return 0;
	return text;
}

/*
 * Then there is a flag, which on a first boot is set too: what tells them apart
 * is whether another kernel noted where it had its text.
 */
static void recognise_by_scratch(struct ft_boot *boot, const struct vmcore *vm,
				 const struct ft_layout *l, bool flag)
{
	uint64_t text, then = recorded_text(vm, l, boot->scratch);
	int64_t delta = 0;

	if (!then) {
		uint64_t usual = boot->range_start + l->rm_size;

		then = recorded_text(vm, l, usual);
		if (then)
			boot->scratch = usual;
	}
	if (then && vm_symbol(vm, "_text", &text))
		delta = (int64_t)(text - then);
	if (!sane(vm, boot->text_delta, boot->text_delta) &&
	    sane(vm, delta, delta))
		boot->text_delta = delta;
	boot->data_delta = boot->text_delta;
	/* A bit flips more easily than two numbers become equal. */
	boot->last_boot = (boot->text_delta && delta == boot->text_delta) ||
			  (flag && (boot->text_delta || then));
}

void ft_lastboot_recognise(struct ft_boot *boot, const struct vmcore *vm,
			   const struct ft_layout *layout, bool flag)
{
	if (!boot->range_start)
		return;
	if (layout->fl_last_boot)
		recognise_by_scratch(boot, vm, layout, flag);
	else
		recognise_by_deltas(boot, vm, layout);
}

/* One struct trace_mod_entry. */
static enum err read_entry(struct ft_prev_module *m, const struct vmcore *vm,
			   const struct ft_layout *l, uint64_t addr)
{
	size_t room = l->me_name.size < sizeof(m->name) ? l->me_name.size :
							  sizeof(m->name);
	enum err err;

	memset(m, 0, sizeof(*m));
	err = vm_read_ulong(vm, addr + l->me_addr.off, &m->then);
	if (err == ERR_NONE)
		err = vm_read(vm, addr + l->me_name.off, m->name, room);
	if (err == ERR_NONE && (!m->then || !is_name(m->name, room)))
		err = ERR_BAD_DATA;
	return err;
}

/* What the tracer of the previous kernel wrote down of its modules. */
static enum err read_record(struct ft_lastboot *boot, const struct vmcore *vm,
			    const struct ft_layout *l, const struct diag *diag,
			    const struct ft_boot *region)
{
	uint64_t entries = region->scratch + l->ts_entries.off;
	uint64_t count, bad = 0;
	enum err err;

	err = vm_read_ulong(vm, region->scratch + l->ts_nr_entries.off, &count);
	if (err == ERR_NONE &&
	    (count > MAX_RECORDED ||
	     l->ts_entries.off + count * l->me_size > region->scratch_size))
		err = ERR_BAD_DATA;
	if (err != ERR_NONE) {
		diag_say(diag, "the record of modules at %" PRIx64 ": %s",
			 region->scratch, err_str(err));
		return ERR_NONE;
	}
	boot->modules_known = true;
	boot->module = calloc(count + 1, sizeof(*boot->module));
	if (!boot->module)
		return ERR_NOMEM;
	for (uint64_t i = 0; i < count; i++) {
		err = read_entry(&boot->module[boot->nr_modules], vm, l,
				 entries + i * l->me_size);
		if (err == ERR_NONE)
			boot->nr_modules++;
		else if (!bad++)
			diag_say(diag,
				 "the record of a module at %" PRIx64 ": %s",
				 entries + i * l->me_size, err_str(err));
	}
	return ERR_NONE;
}

struct find {
	struct ft_lastboot *boot;
	const struct vmcore *vm;
	const struct ft_layout *layout;
};

/* Where is this module of the record now? */
static enum err find_module(void *arg, uint64_t node)
{
	struct find *f = arg;
	const struct ft_layout *l = f->layout;
	uint64_t module = node - l->mod_list.off;
	uint64_t text = module + l->mod_mem.off;
	char name[64];
	uint64_t base;
	uint32_t size;

	if (vm_read_str(f->vm, module + l->mod_name.off, name, sizeof(name)) !=
		    ERR_NONE ||
	    vm_read_ulong(f->vm, text + l->mm_base.off, &base) != ERR_NONE ||
	    vm_read_u32(f->vm, text + l->mm_size.off, &size) != ERR_NONE)
		return ERR_NONE;
	for (size_t i = 0; i < f->boot->nr_modules; i++) {
		struct ft_prev_module *m = &f->boot->module[i];

		if (strcmp(m->name, name))
			continue;
		m->now = base;
		m->size = size;
	}
	return ERR_NONE;
}

static enum err find_modules(struct ft_lastboot *boot, const struct vmcore *vm,
			     const struct ft_layout *l, const struct diag *diag)
{
	struct find find = { boot, vm, l };
	struct vm_list_visit visit = {
		.vm = vm,
		.diag = diag,
		.what = "modules",
		.max = MAX_MODULES,
		.fn = find_module,
		.arg = &find,
	};
	size_t broken = 0;

	if (!boot->nr_modules || !vm_symbol(vm, "modules", &visit.head) ||
	    !vm_has(&l->mod_list) || !vm_has(&l->mod_name) ||
	    !vm_has(&l->mod_mem) || !vm_has(&l->mm_base) || !vm_has(&l->mm_size))
		return ERR_NONE;
	return vm_list_visit(&visit, &broken);
}

enum err ft_lastboot_init(struct ft_lastboot *boot, const struct vmcore *vm,
			  const struct ft_layout *layout,
			  const struct diag *diag, const struct ft_instance *in)
{
	enum err err = ERR_NONE;

	*boot = (struct ft_lastboot){
		.text_delta = in->boot.text_delta,
		.data_delta = in->boot.data_delta,
	};
	if (!vm_symbol(vm, "_text", &boot->image) &&
	    !vm_symbol(vm, "_stext", &boot->image))
		boot->image = 0;
	if (!vm_symbol(vm, "_end", &boot->image_end))
		boot->image_end = boot->image;
	if (in->boot.scratch && vm_has(&layout->ts_nr_entries) &&
	    vm_has(&layout->me_addr) && vm_has(&layout->me_name))
		err = read_record(boot, vm, layout, diag, &in->boot);
	if (err == ERR_NONE)
		err = find_modules(boot, vm, layout, diag);
	if (err != ERR_NONE)
		ft_lastboot_deinit(boot);
	return err;
}

void ft_lastboot_deinit(struct ft_lastboot *boot)
{
	free(boot->module);
	boot->module = NULL;
	boot->nr_modules = 0;
}

bool ft_lastboot_equal(const struct ft_lastboot *a, const struct ft_lastboot *b)
{
	if (a->text_delta != b->text_delta || a->data_delta != b->data_delta ||
	    a->nr_modules != b->nr_modules)
		return false;
	for (size_t i = 0; i < a->nr_modules; i++)
		if (a->module[i].then != b->module[i].then ||
		    strcmp(a->module[i].name, b->module[i].name))
			return false;
	return true;
}

bool ft_lastboot_symbol(const struct ft_lastboot *boot,
			const struct vm_symbol *sym, uint64_t *addr)
{
	bool in_image = sym->addr >= boot->image && sym->addr <= boot->image_end;

	*addr = sym->addr;
	if (!sym->module) {
		if (in_image)
			*addr -= boot->text_delta;
		return true;
	}
	for (size_t i = 0; i < boot->nr_modules; i++) {
		const struct ft_prev_module *m = &boot->module[i];

		if (!m->now || sym->addr < m->now ||
		    sym->addr - m->now >= m->size ||
		    strcmp(m->name, sym->module))
			continue;
		*addr = sym->addr - m->now + m->then;
		return true;
	}
	return false;
}

bool ft_lastboot_string(const struct ft_lastboot *boot, uint64_t now,
			uint64_t *then)
{
	*then = now - boot->data_delta;
	return now >= boot->image && now < boot->image_end;
}
