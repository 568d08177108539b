/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DAMAGE_SITES_H
#define DAMAGE_SITES_H

#include "damage/memory.h"
#include "ftrace/layout.h"

/*
 * The places worth damaging: whatever a run without damage read, sorted by
 * what lies there. Length and layout tell.
 */
enum dmg_class {
	DMG_DATA,  /* sub-buffers */
	DMG_RING,  /* struct buffer_page, ring_buffer_per_cpu, trace_buffer */
	DMG_ARRAY, /* struct trace_array */
	DMG_EVENT, /* struct trace_event_call, ftrace_event_field */
	DMG_LINK,  /* single pointers: lists, classes, tables of strings */
	DMG_TEXT,  /* strings, and other short pieces */
	DMG_OTHER, /* symbol table, names of tasks, headers of regions */
	DMG_CLASSES,
};

extern const char *const dmg_class_names[DMG_CLASSES];

struct dmg_sites {
	struct dmg_read *site[DMG_CLASSES]; /* each place once, by address */
	size_t count[DMG_CLASSES];
};

/* Sort what @m learnt. */
void dmg_sites_init(struct dmg_sites *sites, struct dmg_memory *m,
		    const struct ft_layout *layout);
void dmg_sites_deinit(struct dmg_sites *sites);

/* The classes of which something is damaged, a bit each. */
unsigned int dmg_sites_touched(const struct dmg_sites *sites,
			       const struct dmg_memory *m);

#endif
