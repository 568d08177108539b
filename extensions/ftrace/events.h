/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FTRACE_EVENTS_H
#define FTRACE_EVENTS_H

#include "base/diag.h"
#include "ftrace/layout.h"

/* One kind of trace event: built-in, of a module, or a probe. */
struct ft_event {
	uint64_t call; /* address of its struct trace_event_call */
	uint32_t id;
	char *system;
};

struct ft_events {
	struct ft_event *event; /* sorted by system, then id */
	size_t count;
	size_t damaged; /* calls that could not be read */
	char *common;	/* see ft_format_common(); NULL: no format is known */
};

/*
 * Collect what is on the kernel's list ftrace_events. Damage is told, counted
 * and skipped; ERR_UNSUPPORTED when the kernel has no such list, ERR_NOMEM.
 */
enum err ft_events_init(struct ft_events *events, const struct vmcore *vm,
			const struct ft_layout *layout, const struct diag *diag);
void ft_events_deinit(struct ft_events *events);

/*
 * Whether plain char is signed in the dead kernel, by what its own events say
 * (it depends on architecture and, since 6.2, is never so: 3bc753c06dd0).
 */
bool ft_events_char_signed(const struct ft_events *events,
			   const struct vmcore *vm,
			   const struct ft_layout *layout);

#endif
