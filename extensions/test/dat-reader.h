/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TEST_DAT_READER_H
#define TEST_DAT_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A reader of trace.dat version 7, after trace-cmd.dat.v7(5) and nothing
 * else. It holds the file to what the format has: sections tile the file,
 * options end with DONE, each points to a section of its own id, and pages lie
 * aligned within their buffer's section.
 */
struct dat_option {
	uint16_t id;
	uint32_t size;
	const uint8_t *data;
};

struct dat_section {
	uint64_t at; /* of its header in the file */
	uint16_t id;
	const char *desc;
	const uint8_t *data;
	uint64_t size;
};

struct dat_cpu {
	uint32_t cpu;
	const uint8_t *data;
	uint64_t size;
};

struct dat_buffer {
	const char *name;
	const char *clock;
	uint32_t page_size;
	uint32_t nr_cpus;
	struct dat_cpu *cpu;
};

struct dat {
	const uint8_t *bytes; /* not owned */
	size_t len;
	uint32_t page_size;
	uint8_t long_size;
	struct dat_section *section;
	size_t nr_sections;
	struct dat_option *option;
	size_t nr_options;
	struct dat_buffer *buffer;
	size_t nr_buffers;
	char fault[160]; /* what is wrong with the file */
};

/*
 * Read the @len bytes of a file, which must stay until dat_deinit(). False:
 * it is not valid, and dat->fault says why. Needs dat_deinit() in any case.
 */
bool dat_init(struct dat *dat, const void *bytes, size_t len);
void dat_deinit(struct dat *dat);

/* For unit tests: a valid file at @path, or the test has failed. */
struct dat *dat_open(const char *path);
void dat_close(struct dat *dat);

/* The @n-th option of @id; NULL if there are fewer. */
const struct dat_option *dat_option(const struct dat *dat, uint16_t id, int n);
/* The section that the option of @id points to; NULL if there is none. */
const struct dat_section *dat_section(const struct dat *dat, uint16_t id);
/* NULL if there is none of this name. */
const struct dat_buffer *dat_buffer(const struct dat *dat, const char *name);

#endif
