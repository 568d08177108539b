// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "ftrace/events.h"
#include "ftrace/format.h"
#include "vmcore/list.h"

/* Event ids are 16 bits wide in the ring buffer. */
#define MAX_EVENTS 65536

static enum err read_event(const struct vmcore *vm, const struct ft_layout *l,
			   uint64_t call, struct ft_event *event)
{
	struct vm_member id = l->event_type;
	uint64_t class, system;
	char name[FT_MAX_NAME];
	void *obj;
	enum err err;

	err = vm_dup(vm, call, l->call_size, &obj);
	if (err != ERR_NONE)
		return err;
	id.off += l->call_event.off;
	event->call = call;
	event->id = vm_get(obj, l->call_size, &id);
	class = vm_get(obj, l->call_size, &l->call_class);
	free(obj);

	if (event->id >= MAX_EVENTS)
		return ERR_BAD_DATA;
	err = vm_read_ulong(vm, class + l->class_system.off, &system);
	if (err == ERR_NONE)
		err = vm_read_str(vm, system, name, sizeof(name));
	if (err == ERR_NONE && !ft_is_word(name, "-"))
		err = ERR_BAD_DATA;
	if (err != ERR_NONE)
		return err;
	event->system = strdup(name);
	return event->system ? ERR_NONE : ERR_NOMEM;
}

static int by_system_and_id(const void *a, const void *b)
{
	const struct ft_event *x = a, *y = b;
	int c = strcmp(x->system, y->system);

	if (c)
		return c;
	return x->id < y->id ? -1 : x->id > y->id;
}

static enum err append(struct ft_events *events, size_t *room,
		       const struct ft_event *event)
{
	if (events->count == *room) {
		size_t n = *room ? *room * 2 : 256;
		void *p = realloc(events->event, n * sizeof(*event));

		if (!p)
			return ERR_NOMEM;
		events->event = p;
		*room = n;
	}
	events->event[events->count++] = *event;
	return ERR_NONE;
}

/*
 * A list that is bent into a cycle shows some events twice. Two that differ
 * have the same id only by damage, and a file has room for one.
 */
static void sort_and_unique(struct ft_events *events, const struct diag *diag)
{
	size_t n = 0;

	if (events->count)
		qsort(events->event, events->count, sizeof(*events->event),
		      by_system_and_id);
	for (size_t i = 0; i < events->count; i++) {
		struct ft_event *event = &events->event[i];

		if (n && !by_system_and_id(&events->event[n - 1], event)) {
			if (event->call != events->event[n - 1].call &&
			    !events->damaged++)
				diag_say(diag,
					 "event at %" PRIx64
					 ": has the id %u of another one of %s",
					 event->call, event->id, event->system);
			free(event->system);
			continue;
		}
		events->event[n++] = *event;
	}
	events->count = n;
}

struct collect {
	struct ft_events *events;
	size_t room;
	const struct vmcore *vm;
	const struct ft_layout *layout;
	const struct diag *diag;
};

static enum err collect(void *arg, uint64_t node)
{
	struct collect *c = arg;
	uint64_t call = node - c->layout->call_list.off;
	struct ft_event event = { 0 };
	enum err err;

	err = read_event(c->vm, c->layout, call, &event);
	if (err == ERR_NONE)
		err = append(c->events, &c->room, &event);
	if (err == ERR_NONE)
		return ERR_NONE;
	free(event.system);
	if (err == ERR_NOMEM)
		return err;
	if (!c->events->damaged++)
		diag_say(c->diag, "event at %" PRIx64 ": %s", call,
			 err_str(err));
	return ERR_NONE;
}

enum err ft_events_init(struct ft_events *events, const struct vmcore *vm,
			const struct ft_layout *layout, const struct diag *diag)
{
	struct collect c = {
		.events = events,
		.vm = vm,
		.layout = layout,
		.diag = diag,
	};
	struct vm_list_visit visit = {
		.vm = vm,
		.diag = diag,
		.what = "events",
		.max = MAX_EVENTS,
		.fn = collect,
		.arg = &c,
	};
	enum err err;

	memset(events, 0, sizeof(*events));
	if (!layout->call_size || !vm_has(&layout->call_class) ||
	    !vm_has(&layout->event_type) || !vm_has(&layout->class_system) ||
	    !vm_symbol(vm, "ftrace_events", &visit.head)) {
		diag_say(diag,
			 "vmlinux does not describe the kernel's list of events (ftrace_events)");
		return ERR_UNSUPPORTED;
	}

	err = vm_list_visit(&visit, &events->damaged);
	if (err == ERR_NONE &&
	    ft_format_common(vm, layout, diag, &events->common) == ERR_NOMEM)
		err = ERR_NOMEM;
	sort_and_unique(events, diag);
	if (err != ERR_NONE)
		ft_events_deinit(events);
	return err;
}

void ft_events_deinit(struct ft_events *events)
{
	for (size_t i = 0; i < events->count; i++)
		free(events->event[i].system);
	free(events->event);
	free(events->common);
	events->common = NULL;
	events->event = NULL;
	events->count = 0;
}

bool ft_events_char_signed(const struct ft_events *events,
			   const struct vmcore *vm,
			   const struct ft_layout *layout)
{
	/* sched_switch and many others have a "char comm[16]". */
	for (size_t i = 0; i < events->count; i++) {
		const struct ft_event *event = &events->event[i];
		char *text = NULL, *at;
		size_t len;
		FILE *f;
		bool found, is_signed;

		if (strcmp(event->system, "sched"))
			continue;
		f = open_memstream(&text, &len);
		if (!f)
			return false;
		ft_event_format(event, events->common, vm, layout, f);
		fclose(f);
		at = text ? strstr(text, "\tfield:char ") : NULL;
		at = at ? strstr(at, "signed:") : NULL;
		found = at;
		is_signed = at && at[strlen("signed:")] == '1';
		free(text);
		if (found)
			return is_signed;
	}
	return false;
}
