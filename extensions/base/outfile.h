/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BASE_OUTFILE_H
#define BASE_OUTFILE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/err.h"

/*
 * An output file that appears whole or not at all: it is written under a
 * temporary name in the same directory and renamed when it is complete.
 *
 * Errors stick: after the first one every call is a no-op, and out_commit()
 * returns it. So a writer checks once, at the end, or where it is convenient.
 */
struct outfile {
	FILE *f;    /* others may print to it */
	char *buf;  /* of f, owned; may be NULL */
	char *path; /* the final name, owned */
	char *tmp;  /* the temporary name, owned; NULL: nothing to remove */
	bool force; /* may replace an existing regular file */
	enum err err;
	int sys_errno; /* errno of the first failure */
};

/*
 * Start writing @path. Without @force an existing file is refused; what is
 * not a regular file (a device, a directory, a link) is always refused.
 * On ERR_IO out_reason() says why. After any result call out_abort() or
 * out_commit().
 */
enum err out_create(struct outfile *o, const char *path, bool force);

enum err out_write(struct outfile *o, const void *buf, size_t len);
enum err out_uint(struct outfile *o, uint64_t value, size_t size);
enum err out_str(struct outfile *o, const char *s); /* with its '\0' */
enum err out_printf(struct outfile *o, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
enum err out_pad(struct outfile *o, size_t align);
uint64_t out_pos(struct outfile *o);
/* Overwrite @size bytes at @pos with @value, then go on at the end. */
enum err out_patch(struct outfile *o, uint64_t pos, uint64_t value, size_t size);

/* Make the file visible under its name. Removes it on any earlier error. */
enum err out_commit(struct outfile *o);
/* Give up: nothing stays behind. Harmless after out_commit(). */
void out_abort(struct outfile *o);

/* Why the first failure happened, for a message. Never NULL. */
const char *out_reason(const struct outfile *o);

#endif
