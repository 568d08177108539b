// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test/dat-reader.h"

enum {
	DONE = 0,
	BUFFER = 3,
	STRINGS = 15,
	FIRST_POINTER = 16, /* options 16 to 21 hold an offset */
	LAST_POINTER = 21,
};

#define SECTION_HEADER 16u
#define OPTION_HEADER  6u
#define CPU_ENTRY      20u

/* The first fault is the one that counts. */
static bool bad(struct dat *dat, const char *what, uint64_t at)
{
	if (!dat->fault[0])
		snprintf(dat->fault, sizeof(dat->fault), "%s, at byte %llu",
			 what, (unsigned long long)at);
	return false;
}

static uint64_t num(const uint8_t *p, size_t size)
{
	uint64_t u64;
	uint32_t u32;
	uint16_t u16;

	switch (size) {
	case 2:
		memcpy(&u16, p, 2);
		return u16;
	case 4:
		memcpy(&u32, p, 4);
		return u32;
	}
	memcpy(&u64, p, 8);
	return u64;
}

/* The string at *@p, which moves behind it. NULL: it does not end. */
static const char *str(const uint8_t **p, const uint8_t *end)
{
	const char *s = (const char *)*p;
	const void *nul = memchr(*p, 0, end - *p);

	if (nul)
		*p = (const uint8_t *)nul + 1;
	return nul ? s : NULL;
}

/* One more element of @size bytes at the end of an array; NULL: no memory. */
static void *add(void **array, size_t *count, size_t size)
{
	void *p = realloc(*array, (*count + 1) * size);

	if (!p)
		return NULL;
	*array = p;
	p = (char *)p + (*count)++ * size;
	memset(p, 0, size);
	return p;
}

static const struct dat_section *section_at(const struct dat *dat, uint64_t at)
{
	for (size_t i = 0; i < dat->nr_sections; i++)
		if (dat->section[i].at == at)
			return &dat->section[i];
	return NULL;
}

/* Sections fill the file from @at on. The descriptions stand in one of them. */
static bool read_sections(struct dat *dat, uint64_t at)
{
	const uint8_t *strings = NULL;
	uint64_t nr_strings = 0;

	while (at < dat->len) {
		const uint8_t *p = dat->bytes + at;
		struct dat_section *s = add((void **)&dat->section,
					    &dat->nr_sections, sizeof(*s));

		if (!s)
			return bad(dat, "no memory for a section", at);
		if (dat->len - at < SECTION_HEADER)
			return bad(dat, "a section header is cut off", at);
		s->at = at;
		s->id = num(p, 2);
		if (num(p + 2, 2))
			return bad(dat, "a section has flags", at);
		s->size = num(p + 8, 8);
		s->data = p + SECTION_HEADER;
		if (s->size > dat->len - at - SECTION_HEADER)
			return bad(dat, "a section ends behind the file", at);
		at += SECTION_HEADER + s->size;
		if (s->id != STRINGS)
			continue;
		if (strings)
			return bad(dat, "two sections of strings", at);
		strings = s->data;
		nr_strings = s->size;
	}
	if (!strings || !nr_strings || strings[nr_strings - 1])
		return bad(dat, "no sound section of strings", at);
	for (size_t i = 0; i < dat->nr_sections; i++) {
		uint32_t desc = num(dat->section[i].data - 12, 4);

		if (desc >= nr_strings)
			return bad(dat, "a section without a description",
				   dat->section[i].at);
		dat->section[i].desc = (const char *)strings + desc;
	}
	return true;
}

static bool read_options(struct dat *dat, uint64_t at)
{
	const struct dat_section *s = section_at(dat, at), *target;
	const uint8_t *p, *end;

	if (!s || s->id != DONE)
		return bad(dat, "no section of options", at);
	for (p = s->data, end = p + s->size;;) {
		struct dat_option *o = add((void **)&dat->option,
					   &dat->nr_options, sizeof(*o));

		if (!o)
			return bad(dat, "no memory for an option", at);
		at = p - dat->bytes;
		if ((size_t)(end - p) < OPTION_HEADER)
			return bad(dat, "the options have no end", at);
		o->id = num(p, 2);
		o->size = num(p + 2, 4);
		o->data = p + OPTION_HEADER;
		if (o->size > end - o->data)
			return bad(dat, "an option ends behind its section", at);
		p = o->data + o->size;
		if (o->id == DONE) {
			if (o->size != 8 || num(o->data, 8) || p != end)
				return bad(dat, "options end in a wrong way",
					   at);
			return true;
		}
		if (o->id < FIRST_POINTER || o->id > LAST_POINTER)
			continue;
		target = o->size == 8 ? section_at(dat, num(o->data, 8)) : NULL;
		if (!target || target->id != o->id)
			return bad(dat, "an option points to no section", at);
	}
}

static bool read_cpu(struct dat *dat, const struct dat_buffer *b,
		     const struct dat_section *s, struct dat_cpu *cpu,
		     const uint8_t *p)
{
	uint64_t at = num(p + 4, 8);
	uint64_t begin = s->data - dat->bytes;

	cpu->cpu = num(p, 4);
	cpu->size = num(p + 12, 8);
	if (at % b->page_size || cpu->size % b->page_size)
		return bad(dat, "a CPU's pages are not aligned", at);
	if (at < begin || at - begin > s->size ||
	    cpu->size > s->size - (at - begin))
		return bad(dat, "a CPU's pages lie outside their section", at);
	cpu->data = dat->bytes + at;
	return true;
}

static bool read_buffer(struct dat *dat, const struct dat_option *o)
{
	struct dat_buffer *b =
		add((void **)&dat->buffer, &dat->nr_buffers, sizeof(*b));
	const uint8_t *p = o->data + 8, *end = o->data + o->size;
	const struct dat_section *s;

	if (!b)
		return bad(dat, "no memory for a buffer", 0);
	s = o->size > 8 ? section_at(dat, num(o->data, 8)) : NULL;
	if (!s || s->id != BUFFER)
		return bad(dat, "a buffer has no section", o->data - dat->bytes);
	b->name = str(&p, end);
	b->clock = b->name ? str(&p, end) : NULL;
	if (!b->clock || end - p < 8)
		return bad(dat, "a buffer is cut off", o->data - dat->bytes);
	b->page_size = num(p, 4);
	b->nr_cpus = num(p + 4, 4);
	p += 8;
	if (!b->page_size ||
	    (uint64_t)(end - p) != (uint64_t)b->nr_cpus * CPU_ENTRY)
		return bad(dat, "a buffer's CPUs do not fit",
			   o->data - dat->bytes);
	b->cpu = calloc(b->nr_cpus + 1ul, sizeof(*b->cpu));
	if (!b->cpu)
		return bad(dat, "no memory for CPUs", 0);
	for (uint32_t i = 0; i < b->nr_cpus; i++, p += CPU_ENTRY)
		if (!read_cpu(dat, b, s, &b->cpu[i], p))
			return false;
	return true;
}

static bool read_head(struct dat *dat, const uint8_t **p, uint64_t *options)
{
	static const char magic[] = "\x17\x08\x44tracing7";
	const uint8_t *end = dat->bytes + dat->len;
	const char *name, *version;

	if (dat->len < 40 || memcmp(*p, magic, sizeof(magic)) != 0)
		return bad(dat, "no magic of version 7", 0);
	*p += sizeof(magic);
	if (*(*p)++ != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__))
		return bad(dat, "the byte order of another machine", 10);
	dat->long_size = *(*p)++;
	dat->page_size = num(*p, 4);
	*p += 4;
	name = str(p, end);
	version = name ? str(p, end) : NULL;
	if (!version || strcmp(name, "none") != 0 || *version || end - *p < 8)
		return bad(dat, "compression has a name", *p - dat->bytes);
	*options = num(*p, 8);
	*p += 8;
	return true;
}

bool dat_init(struct dat *dat, const void *bytes, size_t len)
{
	const uint8_t *p = bytes;
	uint64_t options;

	memset(dat, 0, sizeof(*dat));
	dat->bytes = bytes;
	dat->len = len;
	if (!read_head(dat, &p, &options) ||
	    !read_sections(dat, p - dat->bytes) || !read_options(dat, options))
		return false;
	for (size_t i = 0; i < dat->nr_options; i++)
		if (dat->option[i].id == BUFFER &&
		    !read_buffer(dat, &dat->option[i]))
			return false;
	return true;
}

void dat_deinit(struct dat *dat)
{
	for (size_t i = 0; i < dat->nr_buffers; i++)
		free(dat->buffer[i].cpu);
	free(dat->section);
	free(dat->option);
	free(dat->buffer);
	memset(dat, 0, sizeof(*dat));
}

const struct dat_option *dat_option(const struct dat *dat, uint16_t id, int n)
{
	for (size_t i = 0; i < dat->nr_options; i++)
		if (dat->option[i].id == id && !n--)
			return &dat->option[i];
	return NULL;
}

const struct dat_section *dat_section(const struct dat *dat, uint16_t id)
{
	const struct dat_option *o = dat_option(dat, id, 0);

	return o ? section_at(dat, num(o->data, 8)) : NULL;
}

const struct dat_buffer *dat_buffer(const struct dat *dat, const char *name)
{
	for (size_t i = 0; i < dat->nr_buffers; i++)
		if (!strcmp(dat->buffer[i].name, name))
			return &dat->buffer[i];
	return NULL;
}
