/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIEWS_SPOOL_H
#define VIEWS_SPOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/*
 * Pages of many CPUs, kept in a file without a name in $TMPDIR (or /tmp) until
 * they are read again, so that they take no memory. They are written stream by
 * stream and read from all streams at once.
 */
struct spool_stream {
	uint64_t at; /* where its pages begin in the file */
	uint64_t end;
	size_t page_size; /* bytes */
};

struct spool {
	int fd;
	uint64_t size;
	struct spool_stream *stream;
	size_t count;
	int sys_errno; /* why ERR_IO */
};

/* ERR_IO: no such file can be made; see spool->sys_errno. */
enum err spool_init(struct spool *spool);
void spool_deinit(struct spool *spool);

/* What is added from now on is another stream. ERR_NOMEM. */
enum err spool_begin(struct spool *spool, size_t page_size);
/* ERR_IO: no room, most likely. */
enum err spool_add(struct spool *spool, const void *page);

/*
 * Take the next page of stream @i into @page. False with *@err ERR_NONE: there
 * is none; with ERR_IO: it cannot be read.
 */
bool spool_take(struct spool *spool, size_t i, void *page, enum err *err);

#endif
