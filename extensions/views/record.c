// SPDX-License-Identifier: GPL-2.0-or-later
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/cursor.h"
#include "views/record.h"

/* Nobody writes a print fmt that nests deeper, or is longer. */
#define MAX_DEPTH	48
#define MAX_FORMAT_TEXT (64 << 10)
/* A printf() width or precision beyond this would print nothing but blanks. */
#define MAX_WIDTH 4096
/* What no array in a record of 64 KiB can have. */
#define MAX_INDEX 65536

struct record {
	struct tep_event *event;
	const struct rec_format *format;
	const uint8_t *data;
	size_t size;
};

/* For rec_judge(): what a walk over the arguments has found. */
struct judge {
	struct tep_event *event;
	bool check; /* something depends on the data */
	const struct tep_format_field *last;
	bool last_whole; /* the last field is used as a whole */
};

static struct tep_format_field *field_of(struct tep_event *event,
					 const struct tep_print_arg *arg)
{
	return arg->field.field ? arg->field.field :
				  tep_find_any_field(event, arg->field.name);
}

static bool judge_num(struct judge *j, const struct tep_print_arg *arg,
		      int depth);

static const struct tep_print_arg *uncast(const struct tep_print_arg *arg)
{
	for (int i = 0; arg && arg->type == TEP_PRINT_TYPE; i++) {
		if (i == MAX_DEPTH)
			return NULL;
		arg = arg->typecast.item;
	}
	return arg;
}

static bool is_op(const struct tep_print_arg *arg, const char *op)
{
	return arg && arg->type == TEP_PRINT_OP && arg->op.op &&
	       !strcmp(arg->op.op, op);
}

/* cond ? a : b, which is two operators. */
static bool is_choice(const struct tep_print_arg *arg)
{
	return is_op(arg, "?") && is_op(arg->op.right, ":");
}

static bool judge_field(struct judge *j, const struct tep_print_arg *arg,
			bool whole)
{
	const struct tep_format_field *f = field_of(j->event, arg);

	if (f == j->last && whole)
		j->last_whole = true;
	return f;
}

static bool judge_index(struct judge *j, const struct tep_print_arg *arg,
			int depth)
{
	const struct tep_print_arg *array = uncast(arg->op.left);

	if (!array || !arg->op.right)
		return false;
	if (arg->op.right->type != TEP_PRINT_ATOM)
		j->check = true;
	else if (strtoull(arg->op.right->atom.atom, NULL, 0) >= MAX_INDEX)
		return false;
	if (!judge_num(j, arg->op.right, depth))
		return false;
	if (array->type == TEP_PRINT_FIELD)
		return judge_field(j, array, false);
	return array->type == TEP_PRINT_DYNAMIC_ARRAY && array->dynarray.field;
}

static bool judge_num(struct judge *j, const struct tep_print_arg *arg,
		      int depth)
{
	const struct tep_format_field *f;

	if (!arg || depth > MAX_DEPTH)
		return false;
	switch (arg->type) {
	case TEP_PRINT_FIELD:
		return judge_field(j, arg, true);
	case TEP_PRINT_TYPE:
		return judge_num(j, arg->typecast.item, depth + 1);
	case TEP_PRINT_DYNAMIC_ARRAY:
		return arg->dynarray.field;
	case TEP_PRINT_DYNAMIC_ARRAY_LEN:
		/* libtraceevent 1.7 does not survive one of __rel_loc. */
		f = arg->dynarray.field;
		return f && !(f->flags & TEP_FIELD_IS_RELATIVE);
	case TEP_PRINT_OP:
		if (!arg->op.op)
			return false;
		if (is_op(arg, "["))
			return judge_index(j, arg, depth + 1);
		if (is_op(arg, "?") && !is_choice(arg))
			return false;
		/* It divides by zero, too. */
		j->check |= arg->op.op[0] == '/' || arg->op.op[0] == '%';
		return judge_num(j, arg->op.left, depth + 1) &&
		       judge_num(j, arg->op.right, depth + 1);
	case TEP_PRINT_FUNC:
		return false;
	default:
		/* 0, or a number. */
		return true;
	}
}

/* What __print_hex() and __print_array() take: it is followed unasked. */
static bool judge_bytes(struct judge *j, const struct tep_print_arg *arg)
{
	j->check = true;
	if (!arg)
		return false;
	if (arg->type == TEP_PRINT_DYNAMIC_ARRAY)
		return arg->dynarray.field;
	return arg->type == TEP_PRINT_FIELD && judge_field(j, arg, true);
}

static bool judge_dynamic(struct judge *j, const char *name,
			  const struct tep_format_field *f)
{
	if (!f && name)
		f = tep_find_any_field(j->event, name);
	return f && f->flags & TEP_FIELD_IS_DYNAMIC;
}

static bool judge_str(struct judge *j, const struct tep_print_arg *arg,
		      int depth)
{
	if (!arg || depth > MAX_DEPTH)
		return false;
	switch (arg->type) {
	case TEP_PRINT_FIELD:
		return judge_field(j, arg, true);
	case TEP_PRINT_FLAGS:
		return judge_num(j, arg->flags.field, depth + 1);
	case TEP_PRINT_SYMBOL:
		return judge_num(j, arg->symbol.field, depth + 1);
	case TEP_PRINT_HEX:
	case TEP_PRINT_HEX_STR:
		return judge_bytes(j, arg->hex.field) &&
		       judge_num(j, arg->hex.size, depth + 1);
	case TEP_PRINT_INT_ARRAY:
		return judge_bytes(j, arg->int_array.field) &&
		       judge_num(j, arg->int_array.count, depth + 1) &&
		       judge_num(j, arg->int_array.el_size, depth + 1);
	case TEP_PRINT_STRING:
		j->check = true;
		return judge_dynamic(j, arg->string.string, arg->string.field);
	case TEP_PRINT_CPUMASK:
		j->check = true;
		return judge_dynamic(j, arg->bitmask.bitmask,
				     arg->bitmask.field);
	case TEP_PRINT_BITMASK:
		return judge_dynamic(j, arg->bitmask.bitmask,
				     arg->bitmask.field);
	case TEP_PRINT_OP:
		if (!is_op(arg, "?"))
			return judge_num(j, arg, depth);
		return is_choice(arg) && judge_num(j, arg->op.left, depth + 1) &&
		       judge_str(j, arg->op.right->op.left, depth + 1) &&
		       judge_str(j, arg->op.right->op.right, depth + 1);
	default:
		return judge_num(j, arg, depth);
	}
}

/*
 * The next conversion of a format at *@p, which moves behind it. Its last
 * character, or 0 where there is none. @stars: how many arguments its width and
 * precision take. *@ok is cleared where printf() would do harm, *@plain where
 * versions of libtraceevent do not agree whether it takes an argument.
 */
static char next_conversion(const char **p, int *stars, bool *ok, bool *plain)
{
	int longs = 0;

	*stars = 0;
	for (; **p; ++*p) {
		if (**p == '\\' && (*p)[1]) {
			++*p;
			continue;
		}
		if (**p != '%')
			continue;
		if (*++*p != '%')
			break;
	}
	while (**p && strchr("#hlLzZ.-+*0123456789", **p)) {
		longs += **p == 'l' || **p == 'L';
		*stars += **p == '*';
		*plain &= **p != '+';
		if (isdigit((unsigned char)**p)) {
			char *end;

			if (strtoul(*p, &end, 10) > MAX_WIDTH)
				*ok = false;
			*p = end;
		} else {
			++*p;
		}
	}
	/* Wide strings and characters are none of the kernel's. */
	if (longs && (**p == 's' || **p == 'c'))
		*ok = false;
	if (*stars > 1)
		*ok = false;
	*plain &= !**p || strchr("pdiuxXos", **p);
	return **p ? *(*p)++ : 0;
}

/* May printf() have it? *@stars: it takes widths from its arguments. */
static bool conversions_ok(const char *format, bool *stars)
{
	bool ok = true, plain = true;
	int n;

	*stars = false;
	while (next_conversion(&format, &n, &ok, &plain))
		*stars |= n;
	return ok && (plain || !*stars);
}

bool rec_printk_ok(const char *format)
{
	bool stars;

	return conversions_ok(format, &stars);
}

bool rec_format_text_ok(const char *text)
{
	const char *p = strstr(text, "\nprint fmt: ");
	int depth = 0, in_row = 0;

	if (!p)
		return true;
	if (strlen(p) > MAX_FORMAT_TEXT)
		return false;
	for (; *p; p++) {
		if (*p == '(' || *p == '{' || *p == '[')
			depth++;
		else if (*p == ')' || *p == '}' || *p == ']')
			depth--;
		in_row = strchr("!~-+*&", *p) ? in_row + 1 : 0;
		/* Parentheses in strings count too, which does no harm. */
		if (depth > MAX_DEPTH || in_row > MAX_DEPTH)
			return false;
	}
	return true;
}

/* Each argument must do as a number and as a string: who knows which it is? */
static bool judge_args(struct judge *j)
{
	const struct tep_print_fmt *fmt = &j->event->print_fmt;
	bool stars;

	if (!fmt->format || !conversions_ok(fmt->format, &stars))
		return false;
	j->check |= stars;
	for (const struct tep_print_arg *arg = fmt->args; arg; arg = arg->next)
		if (!judge_str(j, arg, 0) || !judge_num(j, arg, 0))
			return false;
	return true;
}

struct rec_format rec_judge(struct tep_event *event)
{
	struct rec_format format = { .use = REC_PRETTY };
	struct judge j = { .event = event };

	for (const struct tep_format_field *f = event->format.fields; f;
	     f = f->next)
		j.last = f;
	if (event->flags & TEP_EVENT_FL_FAILED)
		return format; /* it prints the fields one by one */
	if (event->flags & TEP_EVENT_FL_ISBPRINT)
		j.check = true;
	else if (!judge_args(&j))
		format.use = REC_FIELDS;
	if (j.check && format.use == REC_PRETTY)
		format.use = REC_CHECKED;
	/* The tracers' own events end where their data does. */
	if (!strcmp(event->system, "ftrace") && j.last && !j.last_whole &&
	    j.last->flags & TEP_FIELD_IS_ARRAY &&
	    !(j.last->flags & TEP_FIELD_IS_DYNAMIC))
		format.tail = j.last;
	return format;
}

/* Bytes of a record as a number; false where there are none. */
static bool number(const struct record *r, const struct tep_format_field *f,
		   uint64_t *value)
{
	struct cursor c = cursor_init(r->data, r->size);

	if (!cursor_seek(&c, f->offset))
		return false;
	*value = cursor_uint(&c, f->size);
	return !c.failed;
}

/* Where the data of a dynamic array lies. False: outside of the record. */
static bool dynamic(const struct record *r, const struct tep_format_field *f,
		    size_t *offset, size_t *len)
{
	uint64_t loc;

	if (!number(r, f, &loc))
		return false;
	*offset = loc & 0xffff;
	if (f->flags & TEP_FIELD_IS_RELATIVE)
		*offset += f->offset + f->size;
	if (*offset > r->size)
		return false;
	*len = f->size == 2 ? r->size - *offset : loc >> 16 & 0xffff;
	return *len <= r->size - *offset;
}

static bool value_of(const struct record *r, const struct tep_print_arg *arg,
		     uint64_t *v, int depth);

/* Casts to small types change only what is large. */
static bool value_of_cast(const struct record *r,
			  const struct tep_print_arg *arg, uint64_t *v,
			  int depth)
{
	const char *type = arg->typecast.type;

	if (!value_of(r, arg->typecast.item, v, depth + 1))
		return false;
	if (*v < 0x80)
		return true;
	if (!type || strstr(type, "char") || strchr(type, '8'))
		return false;
	return *v < 0x7fff || !(strstr(type, "short") || strstr(type, "16"));
}

static bool value_of_op(const struct record *r, const struct tep_print_arg *arg,
			uint64_t *v, int depth)
{
	const char *op = arg->op.op;
	uint64_t a, b;

	if (is_op(arg, "["))
		return false;
	if (is_choice(arg))
		return value_of(r, arg->op.left, &a, depth + 1) &&
		       value_of(r,
				a ? arg->op.right->op.left :
				    arg->op.right->op.right,
				v, depth + 1);
	if (!value_of(r, arg->op.left, &a, depth + 1) ||
	    !value_of(r, arg->op.right, &b, depth + 1))
		return false;
	if (!strcmp(op, "+"))
		*v = a + b;
	else if (!strcmp(op, "-"))
		*v = a - b;
	else if (!strcmp(op, "*"))
		*v = a * b;
	else if (!strcmp(op, "&"))
		*v = a & b;
	else if (!strcmp(op, "|"))
		*v = a | b;
	else if (!strcmp(op, "/") && b)
		*v = a / b;
	else if (!strcmp(op, "%") && b)
		*v = a % b;
	else if (!strcmp(op, "<<") && b < 64)
		*v = a << b;
	else if (!strcmp(op, ">>") && b < 64)
		*v = a >> b;
	else if (!strcmp(op, "=="))
		*v = a == b;
	else if (!strcmp(op, "!="))
		*v = a != b;
	else if (!strcmp(op, "<"))
		*v = a < b;
	else if (!strcmp(op, ">"))
		*v = a > b;
	else if (!strcmp(op, "<="))
		*v = a <= b;
	else if (!strcmp(op, ">="))
		*v = a >= b;
	else
		return false;
	return true;
}

/* What libtraceevent will compute. False: nobody knows. */
static bool value_of(const struct record *r, const struct tep_print_arg *arg,
		     uint64_t *v, int depth)
{
	const struct tep_format_field *f;
	size_t offset, len;
	char *end;

	*v = 0;
	if (!arg || depth > MAX_DEPTH)
		return false;
	switch (arg->type) {
	case TEP_PRINT_ATOM:
		*v = strtoull(arg->atom.atom, &end, 0);
		return end != arg->atom.atom;
	case TEP_PRINT_FIELD:
		f = field_of(r->event, arg);
		return f && number(r, f, v);
	case TEP_PRINT_TYPE:
		return value_of_cast(r, arg, v, depth);
	case TEP_PRINT_DYNAMIC_ARRAY_LEN:
		if (!dynamic(r, arg->dynarray.field, &offset, &len))
			return false;
		*v = len;
		return true;
	case TEP_PRINT_OP:
		return value_of_op(r, arg, v, depth);
	default:
		return false;
	}
}

static const char *check_arg(const struct record *r,
			     const struct tep_print_arg *arg, int depth);

static const char *check_op(const struct record *r,
			    const struct tep_print_arg *arg, int depth)
{
	const char *fault;
	uint64_t v;

	if (is_choice(arg) && value_of(r, arg->op.left, &v, 0)) {
		fault = check_arg(r, arg->op.left, depth + 1);
		return fault ? fault :
			       check_arg(r,
					 v ? arg->op.right->op.left :
					     arg->op.right->op.right,
					 depth + 1);
	}
	if (is_op(arg, "[") &&
	    (!value_of(r, arg->op.right, &v, 0) || v >= MAX_INDEX))
		return "an index is out of range, or unknown";
	if ((arg->op.op[0] == '/' || arg->op.op[0] == '%') &&
	    (!value_of(r, arg->op.right, &v, 0) || !v))
		return "it would be divided by zero";
	fault = check_arg(r, arg->op.left, depth + 1);
	return fault ? fault : check_arg(r, arg->op.right, depth + 1);
}

/* @count elements of @size bytes, from where @of lies. */
static const char *check_bytes(const struct record *r,
			       const struct tep_print_arg *of, uint64_t count,
			       uint64_t size)
{
	const struct tep_format_field *f;
	size_t offset, len;

	if (of->type == TEP_PRINT_DYNAMIC_ARRAY) {
		if (!dynamic(r, of->dynarray.field, &offset, &len))
			return "an array lies outside of it";
	} else {
		f = field_of(r->event, of);
		if (!f)
			return "a field is not there";
		offset = f->offset;
	}
	/* What has another size is shown byte by byte. */
	if (size != 1 && size != 2 && size != 4 && size != 8)
		size = 1;
	if (offset > r->size || count > (r->size - offset) / size)
		return "an array is longer than it";
	return NULL;
}

static const char *check_str(const struct record *r, const char *name,
			     const struct tep_format_field *f)
{
	size_t offset, len;

	if (!f)
		f = tep_find_any_field(r->event, name);
	if (!f || !dynamic(r, f, &offset, &len))
		return "a string lies outside of it";
	if (len && !memchr(r->data + offset, 0, len))
		return "a string has no end";
	return NULL;
}

static const char *check_arg(const struct record *r,
			     const struct tep_print_arg *arg, int depth)
{
	static const char unknown[] = "the length of an array is unknown";
	const struct tep_format_field *f;
	uint64_t count, size = 1;
	size_t offset, len;

	if (!arg || depth > MAX_DEPTH)
		return NULL; /* rec_judge() has been here */
	switch (arg->type) {
	case TEP_PRINT_TYPE:
		return check_arg(r, arg->typecast.item, depth + 1);
	case TEP_PRINT_FLAGS:
		return check_arg(r, arg->flags.field, depth + 1);
	case TEP_PRINT_SYMBOL:
		return check_arg(r, arg->symbol.field, depth + 1);
	case TEP_PRINT_HEX:
	case TEP_PRINT_HEX_STR:
		if (!value_of(r, arg->hex.size, &count, 0))
			return unknown;
		return check_bytes(r, arg->hex.field, count, 1);
	case TEP_PRINT_INT_ARRAY:
		if (!value_of(r, arg->int_array.count, &count, 0) ||
		    !value_of(r, arg->int_array.el_size, &size, 0))
			return unknown;
		return check_bytes(r, arg->int_array.field, count, size);
	case TEP_PRINT_STRING:
		return check_str(r, arg->string.string, arg->string.field);
	case TEP_PRINT_CPUMASK:
		f = arg->bitmask.field;
		if (!f)
			f = tep_find_any_field(r->event, arg->bitmask.bitmask);
		return f && dynamic(r, f, &offset, &len) && len ?
			       NULL :
			       "a mask of CPUs is empty";
	case TEP_PRINT_OP:
		return check_op(r, arg, depth);
	default:
		return NULL;
	}
}

static const char *check_args(const struct record *r)
{
	const struct tep_print_arg *arg = r->event->print_fmt.args;
	const char *p = r->event->print_fmt.format;
	bool ok = true, plain = true;
	int stars;

	for (const struct tep_print_arg *a = arg; a; a = a->next) {
		const char *fault = check_arg(r, a, 0);

		if (fault)
			return fault;
	}
	while (next_conversion(&p, &stars, &ok, &plain) && arg) {
		uint64_t width;

		if (stars) {
			if (!value_of(r, arg, &width, 0) || width > MAX_WIDTH)
				return "a width is out of range, or unknown";
			arg = arg->next;
		}
		arg = arg ? arg->next : NULL;
	}
	return NULL;
}

/*
 * The arguments of a binary printk follow each other as its format has them,
 * and libtraceevent goes by the format alone.
 */
static const char *check_bprint(const struct record *r, const char *printk)
{
	static const char cut[] = "its arguments are cut off";
	const struct tep_format_field *buf = tep_find_field(r->event, "buf");
	struct cursor c = cursor_init(r->data, r->size);

	if (!buf || !cursor_seek(&c, buf->offset))
		return cut;
	for (const char *p = printk; *p; p++) {
		int longs = 0;

		if (*p != '%')
			continue;
		for (p++; *p && strchr("lLzZ.#+0123456789*", *p); p++) {
			longs += *p == 'l' || *p == 'z' || *p == 'Z';
			longs += *p == 'L' ? 2 : 0;
			if (*p != '*')
				continue;
			cursor_seek(&c, (c.pos + 3) & ~3ul);
			if (cursor_uint(&c, 4) > MAX_WIDTH || c.failed)
				return "a width is out of range";
		}
		if (!*p)
			break;
		if (*p == 'p' && isalnum((unsigned char)p[1])) {
			longs = 1;
			/* What is no number was made a string by the kernel. */
			if (!strchr("sSx", *++p) &&
			    !(strchr("fF", *p) && p[1] != 'w') &&
			    cursor_left(&c) && isprint(r->data[c.pos]))
				goto string;
			goto value;
		}
		if (*p == 's')
			goto string;
		if (!strchr("pduixXo", *p))
			continue;
		longs += *p == 'p';
value:
		cursor_seek(&c, (c.pos + 3) & ~3ul);
		cursor_uint(&c, longs > 1 ? 8 :
				longs	  ? tep_get_long_size(r->event->tep) :
					    4);
		if (c.failed)
			return cut;
		continue;
string:
		if (!memchr(r->data + c.pos, 0, cursor_left(&c)))
			return "a string has no end";
		c.pos += strlen((const char *)r->data + c.pos) + 1;
	}
	return NULL;
}

static const char *check_fields(const struct record *r,
				const struct tep_format_field *f)
{
	for (; f; f = f->next) {
		size_t offset, len;

		if (f->offset < 0 || f->size < 0 || (size_t)f->offset > r->size)
			return "it is shorter than its fields";
		if ((size_t)f->size > r->size - f->offset && f != r->format->tail)
			return "it is shorter than its fields";
		if (f->flags & TEP_FIELD_IS_DYNAMIC &&
		    !dynamic(r, f, &offset, &len))
			return "an array lies outside of it";
	}
	return NULL;
}

const char *rec_fault(struct tep_event *event, const struct rec_format *format,
		      const void *data, int size, const char *printk)
{
	const struct record r = {
		.event = event,
		.format = format,
		.data = data,
		.size = size,
	};
	const char *fault = check_fields(&r, event->format.common_fields);

	if (!fault)
		fault = check_fields(&r, event->format.fields);
	if (fault || format->use != REC_CHECKED)
		return fault;
	if (event->flags & TEP_EVENT_FL_ISBPRINT)
		return printk ? check_bprint(&r, printk) : NULL;
	return check_args(&r);
}
