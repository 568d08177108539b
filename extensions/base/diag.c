// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdarg.h>
#include <stdio.h>

#include "base/diag.h"

void diag_say(const struct diag *diag, const char *fmt, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	diag->line(diag->ctx, text);
}

void diag_step(const struct diag *diag)
{
	if (diag->step)
		diag->step(diag->ctx);
}
