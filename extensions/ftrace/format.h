/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FTRACE_FORMAT_H
#define FTRACE_FORMAT_H

#include <stdio.h>

#include "ftrace/events.h"

/* A class, system or field with a longer name is damage. */
#define FT_MAX_NAME 512

/*
 * The lines of a format for the fields that every event begins with, in *@text,
 * which the caller frees. They are on the kernel's list ftrace_common_fields;
 * where that is damaged, debug info of struct trace_entry stands in, and @diag
 * tells. NULL with an error when that does not help either.
 */
enum err ft_format_common(const struct vmcore *vm,
			  const struct ft_layout *layout,
			  const struct diag *diag, char **text);

/*
 * Write the text of the event's "format" file, as f_show() of
 * kernel/trace/trace_events.c prints it. @common: from ft_format_common().
 * On an error nothing is written.
 */
enum err ft_event_format(const struct ft_event *event, const char *common,
			 const struct vmcore *vm,
			 const struct ft_layout *layout, FILE *out);

/* The event's name, without its system. @size: FT_MAX_NAME will do. */
enum err ft_event_name(const struct ft_event *event, const struct vmcore *vm,
		       const struct ft_layout *layout, char *name, size_t size);

/*
 * Nothing but letters, digits, underscores and the characters of @more? That is
 * what readers take for one word. Events may begin with a digit
 * ("9p_client_req"), and systems have dashes too ("xhci-hcd").
 */
bool ft_is_word(const char *s, const char *more);

#endif
