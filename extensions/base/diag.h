/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BASE_DIAG_H
#define BASE_DIAG_H

/*
 * Where the rooms below the command send what the user should hear about:
 * damage, losses, what to do. @line gets one line without a newline.
 */
struct diag {
	void (*line)(void *ctx, const char *text);
	/* A page's worth of work is done; may be NULL. */
	void (*step)(void *ctx);
	void *ctx;
};

/* Format one line and send it. Over-long lines are cut, never dropped. */
void diag_say(const struct diag *diag, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Say that work goes on. */
void diag_step(const struct diag *diag);

#endif
