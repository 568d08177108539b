// SPDX-License-Identifier: GPL-2.0-or-later
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "ftrace/format.h"
#include "vmcore/list.h"

/* No event is larger than the largest sub-buffer, PAGE_SIZE << 10. */
#define MAX_EVENT_SIZE (64 << 20)
/* The longest print fmt in 6.12 has some 12 KiB. */
#define MAX_PRINT_FMT (1 << 20)
/* syscall events have 6 fields, perf's largest some 70 */
#define MAX_FIELDS 1024

/* One struct ftrace_event_field. */
struct field {
	char name[FT_MAX_NAME];
	char type[FT_MAX_NAME];
	uint32_t offset;
	uint32_t size;
	bool is_signed;
	uint32_t array_len;
};

bool ft_is_word(const char *s, const char *more)
{
	const char *start = s;

	while (*s &&
	       (isalnum((unsigned char)*s) || *s == '_' || strchr(more, *s)))
		s++;
	return !*s && s > start;
}

/* A name as C has it, which is what readers expect of a field. */
static bool is_identifier(const char *s)
{
	return !isdigit((unsigned char)*s) && ft_is_word(s, "");
}

static bool is_printable(const char *s)
{
	while (isprint((unsigned char)*s))
		s++;
	return !*s;
}

/*
 * is_signed was an int of its own; since 6.3 it shares its word with
 * needs_test, and a bit-field's first bit depends on byte order.
 */
static bool signed_bit(const struct ft_layout *l, uint64_t word)
{
	if (!vm_has(&l->field_needs_test))
		return word;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	return word & 1;
#else
	return word >> (l->field_is_signed.size * 8 - 1) & 1;
#endif
}

/* What no sound kernel has, libtraceevent does not survive. */
static bool sound_field(const struct field *f)
{
	return is_identifier(f->name) && f->type[0] && is_printable(f->type) &&
	       f->offset <= MAX_EVENT_SIZE && f->size <= MAX_EVENT_SIZE;
}

static enum err read_field(const struct vmcore *vm, const struct ft_layout *l,
			   uint64_t addr, struct field *field)
{
	size_t size = l->field_size;
	void *obj;
	enum err err;

	err = vm_dup(vm, addr, size, &obj);
	if (err != ERR_NONE)
		return err;
	field->offset = vm_get(obj, size, &l->field_offset);
	field->size = vm_get(obj, size, &l->field_len_bytes);
	field->is_signed = signed_bit(l, vm_get(obj, size, &l->field_is_signed));
	field->array_len = vm_get(obj, size, &l->field_array_len);
	err = vm_read_str(vm, vm_get(obj, size, &l->field_name), field->name,
			  sizeof(field->name));
	if (err == ERR_NONE)
		err = vm_read_str(vm, vm_get(obj, size, &l->field_type),
				  field->type, sizeof(field->type));
	free(obj);
	if (err == ERR_NONE && !sound_field(field))
		err = ERR_BAD_DATA;
	return err;
}

static void print_field(const struct field *f, const struct ft_layout *l,
			FILE *out)
{
	const char *array = strchr(f->type, '[');

	if (!strncmp(f->type, "__data_loc", strlen("__data_loc")))
		array = NULL;

	/* TYPE[LEN] NAME is shown as TYPE NAME[LEN]. */
	fprintf(out, "\tfield:%.*s %s",
		array ? (int)(array - f->type) : (int)strlen(f->type), f->type,
		f->name);
	if (array && !vm_has(&l->field_array_len))
		fputs(array, out); /* before 5.17: afd2627f727b */
	else if (array && f->array_len)
		fprintf(out, "[%d]", (int)f->array_len);
	else if (array)
		fputs("[]", out);
	fprintf(out, ";\toffset:%u;\tsize:%u;\tsigned:%d;\n", f->offset,
		f->size, f->is_signed);
}

/* Fields are added at the head of their list, so it is read backwards. */
static enum err print_fields(const struct vmcore *vm, const struct ft_layout *l,
			     uint64_t head, FILE *out)
{
	struct vm_list list;
	struct field field;
	uint64_t node;
	enum err err;
	int n = 0;

	vm_list_init(&list, vm, head, true);
	while (vm_list_next(&list, &node)) {
		if (n++ == MAX_FIELDS)
			return ERR_BAD_DATA;
		err = read_field(vm, l, node - l->field_link.off, &field);
		if (err != ERR_NONE)
			return err;
		print_field(&field, l, out);
	}
	return list.err;
}

/*
 * The head of the list of fields. Most classes hold it themselves; the others
 * have a function for it, of which mainline has two.
 */
static enum err fields_head(const struct vmcore *vm, const struct ft_layout *l,
			    uint64_t class, uint64_t data, uint64_t *head)
{
	uint64_t fn = 0, sym;
	enum err err;

	if (vm_has(&l->class_get_fields)) {
		err = vm_read_ulong(vm, class + l->class_get_fields.off, &fn);
		if (err != ERR_NONE)
			return err;
	}
	if (!fn)
		*head = class + l->class_fields.off;
	else if (vm_symbol(vm, "syscall_get_enter_fields", &sym) && fn == sym &&
		 vm_has(&l->syscall_enter_fields))
		*head = data + l->syscall_enter_fields.off;
	else if (vm_symbol(vm, "user_event_get_fields", &sym) && fn == sym &&
		 vm_has(&l->user_event_fields))
		*head = data + l->user_event_fields.off;
	else
		return ERR_UNSUPPORTED;
	return ERR_NONE;
}

/* trace_event_name(): with some flags the name lies behind a tracepoint. */
static enum err event_name(const struct vmcore *vm, const struct ft_layout *l,
			   const void *call, char *name, size_t size)
{
	uint64_t flags = vm_get(call, l->call_size, &l->call_flags);
	uint64_t addr = vm_get(call, l->call_size, &l->call_name);
	enum err err;

	if (!(flags & l->fl_custom) && (flags & l->fl_tracepoint)) {
		err = vm_read_ulong(vm, addr + l->tp_name.off, &addr);
		if (err != ERR_NONE)
			return err;
	}
	err = vm_read_str(vm, addr, name, size);
	return err == ERR_NONE && !ft_is_word(name, "") ? ERR_BAD_DATA : err;
}

enum err ft_event_name(const struct ft_event *event, const struct vmcore *vm,
		       const struct ft_layout *layout, char *name, size_t size)
{
	void *call;
	enum err err = vm_dup(vm, event->call, layout->call_size, &call);

	if (err != ERR_NONE)
		return err;
	err = event_name(vm, layout, call, name, size);
	free(call);
	return err;
}

static enum err print_format(const struct ft_event *event, const char *common,
			     const struct vmcore *vm, const struct ft_layout *l,
			     const void *call, FILE *out)
{
	uint64_t class = vm_get(call, l->call_size, &l->call_class);
	uint64_t data = vm_get(call, l->call_size, &l->call_data);
	uint64_t fmt = vm_get(call, l->call_size, &l->call_print_fmt);
	char name[FT_MAX_NAME];
	char *print_fmt;
	uint64_t head;
	enum err err;

	err = event_name(vm, l, call, name, sizeof(name));
	if (err != ERR_NONE)
		return err;
	fprintf(out, "name: %s\nID: %u\nformat:\n", name, event->id);
	fprintf(out, "%s\n", common);

	err = fields_head(vm, l, class, data, &head);
	if (err == ERR_NONE)
		err = print_fields(vm, l, head, out);
	if (err == ERR_NONE)
		err = vm_dup_str(vm, fmt, MAX_PRINT_FMT, &print_fmt);
	if (err != ERR_NONE)
		return err;
	fprintf(out, "\nprint fmt: %s\n", print_fmt);
	free(print_fmt);
	return ERR_NONE;
}

/* Is there a field of the name that begins at @name, in the text of a format? */
static bool has_field(const char *text, const char *name)
{
	char line[FT_MAX_NAME + 16];
	size_t len = 0;

	while (isalnum((unsigned char)name[len]) || name[len] == '_')
		len++;
	if (!len || len > FT_MAX_NAME)
		return false;
	/*
	 * The struct trace_entry that each event begins with, which some of the
	 * kernel's formats name; libtraceevent gives up on them in peace.
	 */
	if (!strncmp(name, "ent.", strlen("ent.")))
		return true;
	snprintf(line, sizeof(line), " %.*s;\toffset:", (int)len, name);
	if (strstr(text, line))
		return true;
	snprintf(line, sizeof(line), " %.*s[", (int)len, name);
	return strstr(text, line);
}

/*
 * Every field that the print format names, as REC->field or in a macro such as
 * __get_str(field), must be there: libtraceevent does not survive it otherwise.
 */
static bool names_known_fields(const char *text)
{
	const char *fmt = strstr(text, "\nprint fmt: ");

	for (const char *at = fmt; at && (at = strstr(at, "REC->")); at++)
		if (!has_field(text, at + strlen("REC->")))
			return false;
	for (const char *at = fmt; at && (at = strstr(at, "__get_")); at++) {
		const char *open = strpbrk(at, "( ");

		if (open && *open == '(' && !has_field(text, open + 1))
			return false;
	}
	return true;
}

/* What struct trace_entry holds, as trace_define_common_fields() has it. */
static const struct {
	const char *type;
	const char *name;
	uint32_t size;
	bool is_signed;
	size_t where; /* in struct ft_layout */
} entry_fields[] = {
	{ "unsigned short", "common_type", 2, false,
	  offsetof(struct ft_layout, te_type) },
	{ "unsigned char", "common_flags", 1, false,
	  offsetof(struct ft_layout, te_flags) },
	{ "unsigned char", "common_preempt_count", 1, false,
	  offsetof(struct ft_layout, te_preempt_count) },
	{ "int", "common_pid", 4, true, offsetof(struct ft_layout, te_pid) },
};

/* As the list of the common fields, from debug info. */
static enum err print_entry(const struct ft_layout *l, FILE *out)
{
	for (size_t i = 0; i < sizeof(entry_fields) / sizeof(*entry_fields);
	     i++) {
		struct field field = { 0 };
		struct vm_member m;

		memcpy(&m, (const char *)l + entry_fields[i].where, sizeof(m));
		if (m.size != entry_fields[i].size)
			return ERR_UNSUPPORTED;
		snprintf(field.type, sizeof(field.type), "%s",
			 entry_fields[i].type);
		snprintf(field.name, sizeof(field.name), "%s",
			 entry_fields[i].name);
		field.offset = m.off;
		field.size = m.size;
		field.is_signed = entry_fields[i].is_signed;
		print_field(&field, l, out);
	}
	return ERR_NONE;
}

static enum err print_common(const struct vmcore *vm, const struct ft_layout *l,
			     bool from_list, char **text)
{
	uint64_t list;
	size_t len;
	FILE *f;
	enum err err = ERR_UNSUPPORTED;

	*text = NULL;
	f = open_memstream(text, &len);
	if (!f)
		return ERR_NOMEM;
	if (!from_list)
		err = print_entry(l, f);
	else if (vm_symbol(vm, "ftrace_common_fields", &list))
		err = print_fields(vm, l, list, f);
	if (fclose(f) != 0)
		err = ERR_NOMEM;
	/* Nothing can be told from an event without these. */
	if (err == ERR_NONE && (!has_field(*text, "common_type") ||
				!has_field(*text, "common_pid")))
		err = ERR_BAD_DATA;
	if (err != ERR_NONE) {
		free(*text);
		*text = NULL;
	}
	return err;
}

enum err ft_format_common(const struct vmcore *vm,
			  const struct ft_layout *layout,
			  const struct diag *diag, char **text)
{
	enum err why = print_common(vm, layout, true, text), err;

	if (why == ERR_NONE || why == ERR_NOMEM)
		return why;
	err = print_common(vm, layout, false, text);
	if (err == ERR_NOMEM)
		return err;
	diag_say(diag, "ftrace_common_fields, which all events have: %s; %s",
		 err_str(why),
		 err == ERR_NONE ?
			 "struct trace_entry of vmlinux stands in for it" :
			 "no event's format can be told");
	return err;
}

enum err ft_event_format(const struct ft_event *event, const char *common,
			 const struct vmcore *vm,
			 const struct ft_layout *layout, FILE *out)
{
	char *text = NULL;
	void *call = NULL;
	size_t len = 0;
	FILE *f;
	enum err err;

	if (!common)
		return ERR_UNSUPPORTED;
	err = vm_dup(vm, event->call, layout->call_size, &call);
	if (err != ERR_NONE)
		return err;
	f = open_memstream(&text, &len);
	if (!f) {
		free(call);
		return ERR_NOMEM;
	}
	err = print_format(event, common, vm, layout, call, f);
	if (fclose(f) != 0)
		err = ERR_NOMEM;
	if (err == ERR_NONE && !names_known_fields(text))
		err = ERR_BAD_DATA;
	if (err == ERR_NONE)
		fwrite(text, len, 1, out);
	free(text);
	free(call);
	return err;
}
