// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/outfile.h"

#define BUF_SIZE (256 << 10)

static enum err fail(struct outfile *o, enum err err, int sys_errno)
{
	if (o->err == ERR_NONE) {
		o->err = err;
		o->sys_errno = sys_errno;
	}
	return o->err;
}

/* Is there something at the final name that must not be replaced? */
static enum err check_target(struct outfile *o)
{
	struct stat st;

	if (lstat(o->path, &st) < 0)
		return errno == ENOENT ? ERR_NONE : fail(o, ERR_IO, errno);
	if (S_ISDIR(st.st_mode))
		return fail(o, ERR_IO, EISDIR);
	if (!S_ISREG(st.st_mode))
		return fail(o, ERR_IO, EINVAL);
	if (!o->force)
		return fail(o, ERR_IO, EEXIST);
	return ERR_NONE;
}

enum err out_create(struct outfile *o, const char *path, bool force)
{
	const char *dir;
	mode_t mask;
	int fd;

	memset(o, 0, sizeof(*o));
	o->force = force;
	o->path = strdup(path);
	/* A name of its own, as the given one may be as long as one can be. */
	dir = strrchr(path, '/');
	if (!o->path || asprintf(&o->tmp, "%.*s.partial-XXXXXX",
				 dir ? (int)(dir - path) + 1 : 0, path) < 0) {
		o->tmp = NULL;
		return fail(o, ERR_NOMEM, ENOMEM);
	}
	if (check_target(o) != ERR_NONE)
		goto no_tmp;

	fd = mkostemp(o->tmp, O_CLOEXEC);
	if (fd < 0) {
		fail(o, ERR_IO, errno);
		goto no_tmp;
	}
	/* mkstemp() makes the file private; give it what open() would. */
	mask = umask(0);
	umask(mask);
	if (fchmod(fd, 0666 & ~mask) < 0) {
		fail(o, ERR_IO, errno);
		close(fd);
		return o->err;
	}
	o->f = fdopen(fd, "w");
	if (!o->f) {
		close(fd);
		return fail(o, ERR_NOMEM, ENOMEM);
	}
	/* Without it stdio's own small one serves; a call for each page is slow. */
	o->buf = malloc(BUF_SIZE);
	if (o->buf)
		setvbuf(o->f, o->buf, _IOFBF, BUF_SIZE);
	return ERR_NONE;

no_tmp:
	free(o->tmp);
	o->tmp = NULL;
	return o->err;
}

enum err out_write(struct outfile *o, const void *buf, size_t len)
{
	if (o->err == ERR_NONE && len && fwrite(buf, len, 1, o->f) != 1)
		fail(o, ERR_IO, errno);
	return o->err;
}

enum err out_uint(struct outfile *o, uint64_t value, size_t size)
{
	uint8_t u8 = value;
	uint16_t u16 = value;
	uint32_t u32 = value;

	switch (size) {
	case 1:
		return out_write(o, &u8, size);
	case 2:
		return out_write(o, &u16, size);
	case 4:
		return out_write(o, &u32, size);
	}
	return out_write(o, &value, sizeof(value));
}

enum err out_str(struct outfile *o, const char *s)
{
	return out_write(o, s, strlen(s) + 1);
}

enum err out_printf(struct outfile *o, const char *fmt, ...)
{
	va_list ap;

	if (o->err != ERR_NONE)
		return o->err;
	va_start(ap, fmt);
	if (vfprintf(o->f, fmt, ap) < 0)
		fail(o, ERR_IO, errno);
	va_end(ap);
	return o->err;
}

enum err out_pad(struct outfile *o, size_t align)
{
	static const char zero[4096];
	size_t over = out_pos(o) % align;
	size_t left = over ? align - over : 0;

	while (left && o->err == ERR_NONE) {
		size_t n = left < sizeof(zero) ? left : sizeof(zero);

		out_write(o, zero, n);
		left -= n;
	}
	return o->err;
}

uint64_t out_pos(struct outfile *o)
{
	off_t pos;

	if (o->err != ERR_NONE)
		return 0;
	pos = ftello(o->f);
	if (pos < 0) {
		fail(o, ERR_IO, errno);
		return 0;
	}
	return pos;
}

enum err out_patch(struct outfile *o, uint64_t pos, uint64_t value, size_t size)
{
	if (o->err != ERR_NONE)
		return o->err;
	if (fseeko(o->f, pos, SEEK_SET) < 0)
		return fail(o, ERR_IO, errno);
	out_uint(o, value, size);
	if (o->err == ERR_NONE && fseeko(o->f, 0, SEEK_END) < 0)
		fail(o, ERR_IO, errno);
	return o->err;
}

/* Without -f the name must still be free now, whoever took it meanwhile. */
static int rename_final(const struct outfile *o)
{
	if (o->force)
		return rename(o->tmp, o->path);
	if (renameat2(AT_FDCWD, o->tmp, AT_FDCWD, o->path, RENAME_NOREPLACE) == 0)
		return 0;
	/* Not every file system can; a hard link refuses likewise. */
	if (errno != EINVAL && errno != ENOSYS)
		return -1;
	if (link(o->tmp, o->path) < 0)
		return -1;
	return unlink(o->tmp);
}

enum err out_commit(struct outfile *o)
{
	enum err err;

	if (o->f) {
		FILE *f = o->f;

		/* A write that failed inside a stdio call of others shows here. */
		if (fflush(f) != 0 || ferror(f))
			fail(o, ERR_IO, errno ? errno : EIO);
		o->f = NULL;
		if (fclose(f) != 0)
			fail(o, ERR_IO, errno);
	}
	if (o->err == ERR_NONE && rename_final(o) < 0)
		fail(o, ERR_IO, errno);
	if (o->err == ERR_NONE) {
		free(o->tmp);
		o->tmp = NULL;
	}
	err = o->err;
	out_abort(o);
	return err;
}

void out_abort(struct outfile *o)
{
	if (o->f)
		fclose(o->f);
	if (o->tmp)
		unlink(o->tmp);
	free(o->buf);
	free(o->tmp);
	free(o->path);
	o->f = NULL;
	o->buf = NULL;
	o->tmp = NULL;
	o->path = NULL;
}

const char *out_reason(const struct outfile *o)
{
	switch (o->sys_errno) {
	case 0:
		return err_str(o->err);
	case EEXIST:
		return "file exists (-f replaces it)";
	case EINVAL:
		return "exists and is not a regular file";
	}
	return strerror(o->sys_errno);
}
