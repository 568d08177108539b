/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TRACEDAT_TRACEDAT6_H
#define TRACEDAT_TRACEDAT6_H

#include "tracedat/tracedat.h"

/*
 * What version 6 of the file has in another way; tracedat.c calls these. There
 * are no sections: the parts follow each other in a fixed order, then the
 * number of CPUs, the options, and for each buffer a table of its CPUs.
 */
enum err td6_announce(struct tracedat *td, const char *name);
enum err td6_buffer_begin(struct tracedat *td);
enum err td6_buffer_end(struct tracedat *td);
void td6_deinit(struct tracedat *td);

#endif
