/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TEST_SAID_H
#define TEST_SAID_H

#include "base/diag.h"

/* Collects what the code under test told the user. */
struct said {
	struct diag diag;
	unsigned int lines;
	char text[8192]; /* the lines, each with a newline */
};

void said_init(struct said *said);
/* Did a line have @what in it? */
int said_has(const struct said *said, const char *what);

#endif
