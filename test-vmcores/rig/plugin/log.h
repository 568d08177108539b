/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RIG_LOG_H
#define RIG_LOG_H

#include <stdbool.h>
#include <stdio.h>

/* One line of the rig's log; it has its own lock. */
void log_say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Of an access to a register that the rig does not know; "unknown: ..." */
void log_unknown(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

bool log_open(const char *path);

#endif
