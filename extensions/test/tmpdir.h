/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TEST_TMPDIR_H
#define TEST_TMPDIR_H

#include <stddef.h>

/* A directory of a test's own under $TMPDIR. */
struct tmpdir {
	char path[256];
};

void tmpdir_create(struct tmpdir *dir);
/* Remove it with the files in it. */
void tmpdir_remove(struct tmpdir *dir);
/* "<dir>/<name>"; the caller frees it. */
char *tmpdir_path(const struct tmpdir *dir, const char *name);
/* How many entries it has. */
int tmpdir_count(const struct tmpdir *dir);

/* Read or write a whole file. The content ends in a '\0' not counted. */
char *file_read(const char *path, size_t *len);
void file_write(const char *path, const char *text);

#endif
