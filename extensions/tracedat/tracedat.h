/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TRACEDAT_TRACEDAT_H
#define TRACEDAT_TRACEDAT_H

#include "base/outfile.h"

/*
 * A writer for trace.dat, the file of trace-cmd and KernelShark: version 7, as
 * trace-cmd.dat.v7(5) specifies it, and version 6 (trace-cmd.dat.v6(5)) for
 * older readers. Data is streamed; what is only known at the end is patched in.
 * Errors stick in the outfile.
 *
 * Order of calls: td_init(); the sections, in the order of their ids; options;
 * td_announce() for each buffer; the buffers, the top one first; td_finish().
 * Version 7 takes options between the buffers too, version 6 leaves these out.
 */

/* Ids of sections and of the options that point to them. */
enum td_id {
	TD_DONE = 0,
	TD_CPUSTAT = 2,
	TD_BUFFER = 3,
	TD_TRACECLOCK = 4,
	TD_UNAME = 5,
	TD_CPUCOUNT = 8,
	TD_VERSION = 9,
	TD_STRINGS = 15,
	TD_HEADER_INFO = 16,
	TD_FTRACE_EVENTS = 17,
	TD_EVENT_FORMATS = 18,
	TD_KALLSYMS = 19,
	TD_PRINTK = 20,
	TD_CMDLINES = 21,
};

/* Where one CPU's pages lie in the file. */
struct td_cpu {
	uint32_t cpu;
	uint64_t offset;
	uint64_t size;
};

/* Version 6: the option of a buffer that is still to come. */
struct td_announced {
	char *name; /* owned */
	size_t at;  /* of its place in the file, in the options */
};

struct tracedat {
	struct outfile *out;
	bool v6;
	/* Version 6 only. */
	uint32_t file_cpus; /* each buffer has as many */
	uint64_t table_at;  /* the open buffer's places and sizes */
	struct td_announced *announced;
	size_t nr_announced;
	uint64_t options_at; /* where the header points to the options */
	uint64_t section_at; /* the open section's size field */
	uint64_t blob_at;    /* the open blob's size field */
	size_t blob_width;
	/* Section descriptions and options, as they will stand in the file. */
	FILE *strings, *options;
	char *strings_buf, *options_buf;
	size_t strings_len, options_len;
	/* The buffer that is open; its option is written when it ends. */
	uint64_t buffer_at;
	const char *name, *clock;
	size_t page_size;
	struct td_cpu *cpus;
	size_t nr_cpus;
};

struct td_header {
	bool v6;	  /* write version 6 */
	uint32_t cpus;	  /* more than any buffer's last CPU */
	size_t long_size; /* of the traced kernel, bytes */
	size_t page_size; /* sub-buffer size of the top buffer, bytes */
};

/* Start the file on @out, which stays the caller's. ERR_NOMEM, ERR_IO. */
enum err td_init(struct tracedat *td, struct outfile *out,
		 const struct td_header *header);
/* Write strings and options. The file is complete then. */
enum err td_finish(struct tracedat *td);
void td_deinit(struct tracedat *td);

/* A section; an option that points to it is added. @desc is for trace-cmd dump. */
enum err td_section_begin(struct tracedat *td, enum td_id id, const char *desc);
enum err td_section_end(struct tracedat *td);

/*
 * Inside a section: bytes that are preceded by their own number, a number of
 * @width bytes. In between the caller prints to td->out.
 */
enum err td_blob_begin(struct tracedat *td, size_t width);
enum err td_blob_end(struct tracedat *td);

/* An option whose data is a string, its '\0' included. */
enum err td_option_str(struct tracedat *td, enum td_id id, const char *str);
enum err td_option_u32(struct tracedat *td, enum td_id id, uint32_t value);

/* A buffer of this name, which is not "", will come. */
enum err td_announce(struct tracedat *td, const char *name);

/*
 * One ring buffer: its pages CPU by CPU, each CPU in time order. The top
 * buffer has the name "" and must be there, if only empty: readers insist.
 * @name and @clock must stay until td_buffer_end(). Version 6 has neither clock
 * nor @page_size of a buffer: they must be those of the file.
 */
enum err td_buffer_begin(struct tracedat *td, const char *name,
			 const char *clock, size_t page_size);
enum err td_cpu_begin(struct tracedat *td, uint32_t cpu);
enum err td_page(struct tracedat *td, const void *page);
enum err td_buffer_end(struct tracedat *td);

#endif
