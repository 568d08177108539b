// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "views/spool.h"

enum err spool_init(struct spool *spool)
{
	const char *dir = getenv("TMPDIR");
	char path[4096];

	memset(spool, 0, sizeof(*spool));
	snprintf(path, sizeof(path), "%s/ftdump-XXXXXX",
		 dir && *dir ? dir : "/tmp");
	spool->fd = mkostemp(path, O_CLOEXEC);
	if (spool->fd < 0) {
		spool->sys_errno = errno;
		return ERR_IO;
	}
	unlink(path);
	return ERR_NONE;
}

void spool_deinit(struct spool *spool)
{
	if (spool->fd >= 0)
		close(spool->fd);
	spool->fd = -1;
	free(spool->stream);
	spool->stream = NULL;
	spool->count = 0;
}

enum err spool_begin(struct spool *spool, size_t page_size)
{
	struct spool_stream *p =
		realloc(spool->stream, (spool->count + 1) * sizeof(*p));

	if (!p)
		return ERR_NOMEM;
	spool->stream = p;
	p[spool->count++] = (struct spool_stream){
		.at = spool->size,
		.end = spool->size,
		.page_size = page_size,
	};
	return ERR_NONE;
}

enum err spool_add(struct spool *spool, const void *page)
{
	struct spool_stream *s = &spool->stream[spool->count - 1];
	const char *at = page;

	for (size_t left = s->page_size; left;) {
		ssize_t n = pwrite(spool->fd, at, left, spool->size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			spool->sys_errno = n ? errno : ENOSPC;
			return ERR_IO;
		}
		at += n;
		left -= n;
		spool->size += n;
	}
	s->end = spool->size;
	return ERR_NONE;
}

bool spool_take(struct spool *spool, size_t i, void *page, enum err *err)
{
	struct spool_stream *s = &spool->stream[i];
	char *to = page;

	*err = ERR_NONE;
	if (s->at == s->end)
		return false;
	for (size_t left = s->page_size; left;) {
		ssize_t n = pread(spool->fd, to, left, s->at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			spool->sys_errno = n ? errno : EIO;
			*err = ERR_IO;
			return false;
		}
		to += n;
		left -= n;
		s->at += n;
	}
	return true;
}
