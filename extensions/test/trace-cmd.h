/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TEST_TRACE_CMD_H
#define TEST_TRACE_CMD_H

#include <stdbool.h>

/*
 * trace-cmd as the second opinion on a file. Skips the test case, and says
 * why, where it is not installed.
 */
void trace_cmd_needed(void);
/* What "trace-cmd @args @path" prints; it must succeed. The caller frees it. */
char *trace_cmd(const char *args, const char *path);

#endif
