/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DAMAGE_FILECHECK_H
#define DAMAGE_FILECHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum dmg_part {
	DMG_KALLSYMS,
	DMG_PRINTK,
	DMG_CMDLINES,
	DMG_FORMATS,
	DMG_PARTS,
};

/* What readers that are not ours find in a trace.dat. */
struct dmg_file {
	uint64_t buffers;
	uint64_t pages;
	uint64_t events;
	uint64_t marked;    /* pages before which events are marked as lost */
	uint64_t backwards; /* pages that begin before the one before ends */
	uint64_t hash;	    /* of all pages, in order */
	/* Of each part: how many lines, or formats, and their hash. */
	uint64_t lines[DMG_PARTS], part_hash[DMG_PARTS];
	uint64_t *format; /* hashes of the formats, sorted; owned */
	char fault[200];  /* why it is not valid */
};

/*
 * Look at the file at @path: its structure by dat-reader, its pages by
 * libtraceevent's kbuffer, and its tables and formats by libtraceevent, where
 * they are not as in @known, which is sound; NULL for the first file. False:
 * it is not valid, or there is no such file; @file->fault says why.
 */
bool dmg_file_init(struct dmg_file *file, const char *path,
		   const struct dmg_file *known);
void dmg_file_deinit(struct dmg_file *file);

#endif
