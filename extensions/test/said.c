// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <string.h>

#include "test/said.h"

static void add(void *ctx, const char *text)
{
	struct said *said = ctx;
	size_t len = strlen(said->text);

	said->lines++;
	snprintf(said->text + len, sizeof(said->text) - len, "%s\n", text);
}

void said_init(struct said *said)
{
	memset(said, 0, sizeof(*said));
	said->diag.line = add;
	said->diag.ctx = said;
}

int said_has(const struct said *said, const char *what)
{
	return strstr(said->text, what) != NULL;
}
