// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>

#include "tracedat/tracedat6.h"

static enum err fail(struct tracedat *td, enum err err)
{
	if (td->out->err == ERR_NONE)
		td->out->err = err;
	return td->out->err;
}

/* Numbers in the options, which are gathered in memory. */
static void put(FILE *f, uint64_t value, size_t size)
{
	uint16_t u16 = value;
	uint32_t u32 = value;

	if (size == sizeof(u16))
		fwrite(&u16, sizeof(u16), 1, f);
	else if (size == sizeof(u32))
		fwrite(&u32, sizeof(u32), 1, f);
	else
		fwrite(&value, sizeof(value), 1, f);
}

static void put_option(struct tracedat *td, enum td_id id, const void *data,
		       size_t size)
{
	put(td->options, id, 2);
	put(td->options, size, 4);
	fwrite(data, 1, size, td->options);
}

enum err td_init(struct tracedat *td, struct outfile *out,
		 const struct td_header *header)
{
	static const char magic[] = { 0x17, 0x08, 0x44 };

	memset(td, 0, sizeof(*td));
	td->out = out;
	td->strings = open_memstream(&td->strings_buf, &td->strings_len);
	td->options = open_memstream(&td->options_buf, &td->options_len);
	if (!td->strings || !td->options)
		return fail(td, ERR_NOMEM);
	/* A string id of 0 stands for none. */
	fputc('\0', td->strings);

	out_write(out, magic, sizeof(magic));
	out_write(out, "tracing", strlen("tracing"));
	out_str(out, header->v6 ? "6" : "7");
	out_uint(out, __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__, 1);
	out_uint(out, header->long_size, 1);
	out_uint(out, header->page_size, 4);
	td->v6 = header->v6;
	td->file_cpus = header->cpus;
	if (td->v6)
		return out->err;
	out_str(out, "none"); /* compression: its name and version */
	out_str(out, "");
	td->options_at = out_pos(out);
	return out_uint(out, 0, 8);
}

static enum err section_header(struct tracedat *td, enum td_id id,
			       const char *desc)
{
	uint32_t string = ftello(td->strings);

	fwrite(desc, strlen(desc) + 1, 1, td->strings);
	out_uint(td->out, id, 2);
	out_uint(td->out, 0, 2); /* flags: not compressed */
	out_uint(td->out, string, 4);
	td->section_at = out_pos(td->out);
	return out_uint(td->out, 0, 8);
}

enum err td_section_begin(struct tracedat *td, enum td_id id, const char *desc)
{
	uint64_t at = out_pos(td->out);

	if (td->v6)
		return td->out->err;
	put_option(td, id, &at, sizeof(at));
	return section_header(td, id, desc);
}

enum err td_section_end(struct tracedat *td)
{
	if (td->v6)
		return td->out->err;
	return out_patch(td->out, td->section_at,
			 out_pos(td->out) - td->section_at - 8, 8);
}

enum err td_blob_begin(struct tracedat *td, size_t width)
{
	td->blob_at = out_pos(td->out);
	td->blob_width = width;
	return out_uint(td->out, 0, width);
}

enum err td_blob_end(struct tracedat *td)
{
	uint64_t size = out_pos(td->out) - td->blob_at - td->blob_width;

	if (td->blob_width == 4 && size > UINT32_MAX)
		return fail(td, ERR_UNSUPPORTED);
	return out_patch(td->out, td->blob_at, size, td->blob_width);
}

enum err td_option_str(struct tracedat *td, enum td_id id, const char *str)
{
	put_option(td, id, str, strlen(str) + 1);
	return td->out->err;
}

enum err td_option_u32(struct tracedat *td, enum td_id id, uint32_t value)
{
	put_option(td, id, &value, sizeof(value));
	return td->out->err;
}

enum err td_announce(struct tracedat *td, const char *name)
{
	return td->v6 ? td6_announce(td, name) : td->out->err;
}

enum err td_buffer_begin(struct tracedat *td, const char *name,
			 const char *clock, size_t page_size)
{
	td->buffer_at = out_pos(td->out);
	td->name = name;
	td->clock = clock;
	td->page_size = page_size;
	td->nr_cpus = 0;
	if (td->v6)
		return td6_buffer_begin(td);
	return section_header(td, TD_BUFFER, name[0] ? name : "top buffer");
}

enum err td_cpu_begin(struct tracedat *td, uint32_t cpu)
{
	void *p = realloc(td->cpus, (td->nr_cpus + 1) * sizeof(*td->cpus));

	if (!p)
		return fail(td, ERR_NOMEM);
	td->cpus = p;
	/* Readers map the data page by page. */
	out_pad(td->out, td->page_size);
	td->cpus[td->nr_cpus++] = (struct td_cpu){
		.cpu = cpu,
		.offset = out_pos(td->out),
	};
	return td->out->err;
}

enum err td_page(struct tracedat *td, const void *page)
{
	td->cpus[td->nr_cpus - 1].size += td->page_size;
	return out_write(td->out, page, td->page_size);
}

enum err td_buffer_end(struct tracedat *td)
{
	size_t name = strlen(td->name) + 1, clock = strlen(td->clock) + 1;
	FILE *f = td->options;

	if (td->v6)
		return td6_buffer_end(td);
	put(f, TD_BUFFER, 2);
	put(f, 8 + name + clock + 4 + 4 + td->nr_cpus * (4 + 8 + 8), 4);
	put(f, td->buffer_at, 8);
	fwrite(td->name, name, 1, f);
	fwrite(td->clock, clock, 1, f);
	put(f, td->page_size, 4);
	put(f, td->nr_cpus, 4);
	for (size_t i = 0; i < td->nr_cpus; i++) {
		put(f, td->cpus[i].cpu, 4);
		put(f, td->cpus[i].offset, 8);
		put(f, td->cpus[i].size, 8);
	}
	return td_section_end(td);
}

enum err td_finish(struct tracedat *td)
{
	uint64_t at, none = 0;

	if (td->v6)
		return td->out->err;
	put_option(td, TD_DONE, &none, sizeof(none));
	if (fflush(td->options) != 0 || ferror(td->options))
		return fail(td, ERR_NOMEM);
	at = out_pos(td->out);
	section_header(td, TD_DONE, "options");
	out_write(td->out, td->options_buf, td->options_len);
	td_section_end(td);
	out_patch(td->out, td->options_at, at, 8);

	section_header(td, TD_STRINGS, "strings");
	if (fflush(td->strings) != 0 || ferror(td->strings))
		return fail(td, ERR_NOMEM);
	out_write(td->out, td->strings_buf, td->strings_len);
	return td_section_end(td);
}

void td_deinit(struct tracedat *td)
{
	td6_deinit(td);
	if (td->strings)
		fclose(td->strings);
	if (td->options)
		fclose(td->options);
	free(td->strings_buf);
	free(td->options_buf);
	free(td->cpus);
	memset(td, 0, sizeof(*td));
}
