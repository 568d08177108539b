// SPDX-License-Identifier: GPL-2.0-or-later
#include <pthread.h>
#include <stdarg.h>

#include "log.h"

static FILE *file;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

bool log_open(const char *path)
{
	file = fopen(path, "w");
	return file;
}

static void say(const char *head, const char *fmt, va_list ap)
{
	pthread_mutex_lock(&lock);
	fputs(head, file);
	vfprintf(file, fmt, ap);
	fputc('\n', file);
	/* QEMU may be killed. */
	fflush(file);
	pthread_mutex_unlock(&lock);
}

void log_say(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say("", fmt, ap);
	va_end(ap);
}

void log_unknown(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say("unknown: ", fmt, ap);
	va_end(ap);
}
