/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BASE_ERR_H
#define BASE_ERR_H

/*
 * Why something could not be done. The reasons are kept apart because a user
 * acts on them differently: a page that was left out of the dump calls for
 * another dump level, bad data for salvage, an I/O error for another disk.
 */
enum err {
	ERR_NONE = 0,
	ERR_MISSING,	 /* the page was excluded from the dump, or lost */
	ERR_UNMAPPED,	 /* the address was not mapped in the dead kernel */
	ERR_BAD_DATA,	 /* readable, but not what it should be */
	ERR_UNSUPPORTED, /* a kernel whose layout is not understood */
	ERR_NOMEM,
	ERR_IO,		 /* writing failed; errno says why */
	ERR_INTERRUPTED, /* the user pressed Ctrl-C */
};

/* A phrase for @e that fits behind a colon. Never NULL; static storage. */
const char *err_str(enum err e);

#endif
