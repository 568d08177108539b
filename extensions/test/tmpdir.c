// SPDX-License-Identifier: GPL-2.0-or-later
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "test/tmpdir.h"
#include "test/unit.h"

void tmpdir_create(struct tmpdir *dir)
{
	const char *base = getenv("TMPDIR");

	snprintf(dir->path, sizeof(dir->path), "%s/unit-XXXXXX",
		 base && base[0] ? base : "/tmp");
	assert_non_null(mkdtemp(dir->path));
}

/* Call @fn with the path of each entry; their number. */
static int each(const struct tmpdir *dir, int (*fn)(const char *path))
{
	DIR *d = opendir(dir->path);
	struct dirent *e;
	int n = 0;

	assert_non_null(d);
	while ((e = readdir(d))) {
		char *path;

		if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, ".."))
			continue;
		n++;
		if (!fn)
			continue;
		path = tmpdir_path(dir, e->d_name);
		fn(path);
		free(path);
	}
	closedir(d);
	return n;
}

void tmpdir_remove(struct tmpdir *dir)
{
	each(dir, remove);
	assert_int_equal(rmdir(dir->path), 0);
}

char *tmpdir_path(const struct tmpdir *dir, const char *name)
{
	char *path;

	assert_true(asprintf(&path, "%s/%s", dir->path, name) > 0);
	return path;
}

int tmpdir_count(const struct tmpdir *dir)
{
	return each(dir, NULL);
}

char *file_read(const char *path, size_t *len)
{
	FILE *f = fopen(path, "r");
	char *text;
	long size;

	assert_non_null(f);
	assert_int_equal(fseek(f, 0, SEEK_END), 0);
	size = ftell(f);
	rewind(f);
	text = calloc(1, size + 1);
	assert_int_equal(fread(text, 1, size, f), size);
	fclose(f);
	if (len)
		*len = size;
	return text;
}

void file_write(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fputs(text, f);
	assert_int_equal(fclose(f), 0);
}
