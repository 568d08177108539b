// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <stdlib.h>

#include "ftrace/tables.h"
#include "vmcore/list.h"

/* A format string longer than this is damage. */
#define MAX_FORMAT (64 << 10)
/* So many strings at most in one table: a bent list must end. */
#define MAX_FORMATS	   (1 << 20)
#define MAX_MODULE_FORMATS (16 << 10)

/*
 * One line, with the escapes of t_show() in kernel/trace/trace_printk.c. The
 * string is at @fmt; events know it as what it was in their @boot.
 */
static enum err print_format(const struct vmcore *vm, uint64_t fmt,
			     const struct ft_lastboot *boot, FILE *out)
{
	uint64_t known_as = fmt;
	enum err err;
	char *str;

	if (!fmt)
		return ERR_BAD_DATA;
	if (boot && !ft_lastboot_string(boot, fmt, &known_as))
		return ERR_NONE;
	err = vm_dup_str(vm, fmt, MAX_FORMAT, &str);
	if (err != ERR_NONE)
		return err;
	fprintf(out, "0x%" PRIx64 " : \"", known_as);
	for (const char *s = str; *s; s++) {
		switch (*s) {
		case '\n':
			fputs("\\n", out);
			break;
		case '\t':
			fputs("\\t", out);
			break;
		case '"':
			fputs("\\\"", out);
			break;
		default:
			fputc(*s, out);
		}
	}
	fputs("\"\n", out);
	free(str);
	return ERR_NONE;
}

/*
 * An array of string pointers between two symbols of the linker script.
 * @gaps: it may have slots without a string, as t_show() knows.
 */
static void print_section(const struct vmcore *vm, const struct diag *diag,
			  const char *start, const char *stop, bool gaps,
			  const struct ft_lastboot *boot, FILE *out)
{
	uint64_t at, end, fmt;
	unsigned int bad = 0;
	enum err err;

	if (!vm_symbol(vm, start, &at) || !vm_symbol(vm, stop, &end))
		return;
	for (int n = 0; at < end && n < MAX_FORMATS; n++) {
		err = vm_read_ulong(vm, at, &fmt);
		if (err == ERR_NONE && (fmt || !gaps))
			err = print_format(vm, fmt, boot, out);
		if (err != ERR_NONE && !bad++)
			diag_say(diag, "string of %s at %" PRIx64 ": %s", start,
				 at, err_str(err));
		at += vm->long_size;
	}
}

struct modules {
	const struct vmcore *vm;
	const struct ft_layout *layout;
	const struct diag *diag;
	FILE *out;
	unsigned int bad;
	uint64_t *seen; /* a damaged list is walked both ways */
	size_t nr_seen;
};

static enum err print_module_format(void *arg, uint64_t node)
{
	struct modules *m = arg;
	uint64_t fmt;
	enum err err;

	for (size_t i = 0; i < m->nr_seen; i++)
		if (m->seen[i] == node)
			return ERR_NONE;
	m->seen[m->nr_seen++] = node;
	err = vm_read_ulong(m->vm,
			    node - m->layout->bprintk_list.off +
				    m->layout->bprintk_fmt.off,
			    &fmt);
	if (err == ERR_NONE)
		err = print_format(m->vm, fmt, NULL, m->out);
	if (err != ERR_NONE && !m->bad++)
		diag_say(m->diag,
			 "trace_printk format of a module at %" PRIx64 ": %s",
			 node, err_str(err));
	return ERR_NONE;
}

static void print_modules(const struct vmcore *vm,
			  const struct ft_layout *layout,
			  const struct diag *diag, FILE *out)
{
	struct modules m = {
		.vm = vm,
		.layout = layout,
		.diag = diag,
		.out = out,
		.seen = calloc(MAX_MODULE_FORMATS, 2 * sizeof(*m.seen)),
	};
	struct vm_list_visit visit = {
		.vm = vm,
		.diag = diag,
		.what = "modules' trace_printk formats",
		.max = MAX_MODULE_FORMATS,
		.fn = print_module_format,
		.arg = &m,
	};
	size_t broken = 0;

	/* An interruption is seen by whoever goes on. */
	if (m.seen && vm_has(&layout->bprintk_fmt) &&
	    vm_symbol(vm, "trace_bprintk_fmt_list", &visit.head))
		vm_list_visit(&visit, &broken);
	free(m.seen);
}

/*
 * A module's formats are copied to memory that is allocated: nobody knows where
 * the previous boot had them.
 */
static void tell_modules(const struct vmcore *vm, const struct diag *diag)
{
	struct vm_list list;
	uint64_t head, node;

	if (!vm_symbol(vm, "trace_bprintk_fmt_list", &head))
		return;
	vm_list_init(&list, vm, head, false);
	if (vm_list_next(&list, &node))
		diag_say(diag,
			 "trace_printk formats of modules are left out: nobody knows where the previous boot had them");
}

void ft_write_printk_formats(const struct vmcore *vm,
			     const struct ft_layout *layout,
			     const struct diag *diag,
			     const struct ft_lastboot *boot, FILE *out)
{
	/* trace_printk() has NULL there for a format that is no constant. */
	print_section(vm, diag, "__start___trace_bprintk_fmt",
		      "__stop___trace_bprintk_fmt", true, boot, out);
	print_section(vm, diag, "__start___tracepoint_str",
		      "__stop___tracepoint_str", false, boot, out);
	if (boot)
		tell_modules(vm, diag);
	else
		print_modules(vm, layout, diag, out);
}
