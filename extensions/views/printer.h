/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIEWS_PRINTER_H
#define VIEWS_PRINTER_H

#include <stdio.h>

#include "ftrace/dump.h"
#include "ftrace/events.h"

/*
 * Events as lines of text, as "trace-cmd report -N" has them, by libtraceevent.
 * Formats are read from the dump when the first event needs them, and nothing
 * reaches libtraceevent that was not checked; see record.h.
 */
struct printer;

/* What could not be printed as it should be. */
struct printer_losses {
	uint64_t unknown; /* events whose format is not known */
	uint64_t unsound; /* events that do not fit their format */
	uint64_t formats; /* that could not be read, or are not understood */
};

/*
 * For the events of @dump, which must stay, as ft_events_init() found them.
 * ERR_NOMEM, ERR_INTERRUPTED.
 */
enum err printer_create(struct printer **printer, const struct ft_dump *dump,
			const struct ft_events *events);
void printer_destroy(struct printer *printer);

/*
 * Print the event whose @len bytes @data are, and a newline. An event that
 * cannot be printed has a line that says why. ERR_NOMEM.
 */
enum err printer_event(struct printer *printer, FILE *out,
		       const struct ft_instance *in, uint32_t cpu, uint64_t ts,
		       const uint8_t *data, uint32_t len);

const struct printer_losses *printer_losses(const struct printer *printer);

#endif
