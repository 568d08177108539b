// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>

#include "tracedat/tracedat6.h"

/* Marks what follows it; ten bytes each. */
#define OPTIONS "options  "
#define RECORD	"flyrecord"

/* A place and a size, of 8 bytes each, for a CPU. */
#define ROW 16

static enum err fail(struct tracedat *td, enum err err)
{
	if (td->out->err == ERR_NONE)
		td->out->err = err;
	return td->out->err;
}

enum err td6_announce(struct tracedat *td, const char *name)
{
	const uint16_t id = TD_BUFFER;
	const uint32_t size = sizeof(uint64_t) + strlen(name) + 1;
	const uint64_t later = 0;
	void *p = realloc(td->announced,
			  (td->nr_announced + 1) * sizeof(*td->announced));
	struct td_announced a = { .name = strdup(name) };

	if (p)
		td->announced = p;
	if (!p || !a.name) {
		free(a.name);
		return fail(td, ERR_NOMEM);
	}
	fwrite(&id, sizeof(id), 1, td->options);
	fwrite(&size, sizeof(size), 1, td->options);
	a.at = ftello(td->options);
	fwrite(&later, sizeof(later), 1, td->options);
	fwrite(name, strlen(name) + 1, 1, td->options);
	td->announced[td->nr_announced++] = a;
	return td->out->err;
}

/* What stands between the tables of names and the first buffer. */
static enum err write_options(struct tracedat *td)
{
	if (fflush(td->options) != 0 || ferror(td->options))
		return fail(td, ERR_NOMEM);
	out_uint(td->out, td->file_cpus, 4);
	out_str(td->out, OPTIONS);
	td->options_at = out_pos(td->out);
	out_write(td->out, td->options_buf, td->options_len);
	return out_uint(td->out, TD_DONE, 2);
}

enum err td6_buffer_begin(struct tracedat *td)
{
	if (!td->options_at)
		write_options(td);
	for (size_t i = 0; i < td->nr_announced; i++)
		if (!strcmp(td->announced[i].name, td->name))
			out_patch(td->out, td->options_at + td->announced[i].at,
				  out_pos(td->out), 8);
	out_str(td->out, RECORD);
	td->table_at = out_pos(td->out);
	/* A CPU that has nothing keeps these zeroes. */
	for (uint32_t cpu = 0; cpu < td->file_cpus; cpu++) {
		out_uint(td->out, 0, 8);
		out_uint(td->out, 0, 8);
	}
	return td->out->err;
}

enum err td6_buffer_end(struct tracedat *td)
{
	for (size_t i = 0; i < td->nr_cpus; i++) {
		const struct td_cpu *cpu = &td->cpus[i];
		uint64_t row = td->table_at + (uint64_t)cpu->cpu * ROW;

		if (cpu->cpu >= td->file_cpus)
			return fail(td, ERR_UNSUPPORTED);
		if (!cpu->size)
			continue;
		out_patch(td->out, row, cpu->offset, 8);
		out_patch(td->out, row + 8, cpu->size, 8);
	}
	return td->out->err;
}

void td6_deinit(struct tracedat *td)
{
	for (size_t i = 0; i < td->nr_announced; i++)
		free(td->announced[i].name);
	free(td->announced);
}
