/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIEWS_RECORD_H
#define VIEWS_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <traceevent/event-parse.h>

/*
 * What stands between events of a dump and libtraceevent, which trusts what it
 * prints: it follows offsets, lengths and formats wherever they lead.
 */

/* So many bytes of zeroes must stand behind the data of a record. */
#define REC_SLACK 128u

/* How an event's format may be used. */
enum rec_use {
	REC_PRETTY,  /* libtraceevent can print it */
	REC_CHECKED, /* it can, but for records that rec_fault() refuses */
	REC_FIELDS,  /* only field by field */
};

struct rec_format {
	enum rec_use use;
	/* This field may be cut off: a stack with fewer entries, say. */
	const struct tep_format_field *tail;
};

/* Judge a format that libtraceevent has parsed, once. */
struct rec_format rec_judge(struct tep_event *event);

/*
 * Is the text of a format one that libtraceevent's parser survives? It recurses
 * as deep as the text nests.
 */
bool rec_format_text_ok(const char *text);

/* The same of a string that trace_printk() was called with. */
bool rec_printk_ok(const char *format);

/*
 * Why @data of @size bytes cannot be a record of @event; NULL: it can, and may
 * be printed. @printk: the format string of a binary printk, else NULL.
 */
const char *rec_fault(struct tep_event *event, const struct rec_format *format,
		      const void *data, int size, const char *printk);

#endif
