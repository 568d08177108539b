// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <traceevent/event-parse.h>
#include <traceevent/kbuffer.h>

#include "damage/filecheck.h"
#include "test/dat-reader.h"

/* Of version 7; see trace-cmd.dat.v7(5). */
enum {
	HEADER_INFO = 16,
	FTRACE_EVENTS = 17,
	EVENT_FORMATS = 18,
	KALLSYMS = 19,
	PRINTK = 20,
	CMDLINES = 21,
};

/* struct buffer_data_page of a 64-bit kernel */
#define PAGE_HEADER 16u
#define COMMIT_MASK 0x3fffffffull
#define MISSED	    (1ull << 31)

struct check {
	struct dmg_file *file;
	const struct dmg_file *known;
	struct dat dat;
	struct kbuffer *kbuf;
	struct tep_handle *tep;
};

static bool bad(struct check *c, const char *what, const char *of,
		uint64_t where)
{
	if (!c->file->fault[0])
		snprintf(c->file->fault, sizeof(c->file->fault),
			 "%s: %s (%llu)", of, what, (unsigned long long)where);
	return false;
}

static uint64_t hash_bytes(uint64_t h, const void *bytes, size_t len)
{
	const uint8_t *p = bytes;

	for (; len >= 8; len -= 8, p += 8) {
		uint64_t word;

		memcpy(&word, p, 8);
		h = (h ^ word) * 0x9e3779b97f4a7c15ull;
		h ^= h >> 29;
	}
	for (; len; len--)
		h = (h ^ *p++) * 0x100000001b3ull;
	return h;
}

/* One sub-buffer; *@ts is the time before it. */
static bool check_page(struct check *c, const struct dat_buffer *b,
		       const uint8_t *page, uint64_t *ts)
{
	uint64_t commit;
	unsigned long long at;
	uint64_t before = *ts;
	bool first = true;
	void *event;

	memcpy(&commit, page + 8, sizeof(commit));
	if ((commit & COMMIT_MASK) > b->page_size - PAGE_HEADER)
		return bad(c, "a page is longer than it can be", b->name,
			   page - c->dat.bytes);
	if (kbuffer_load_subbuffer(c->kbuf, (void *)page) < 0)
		return bad(c, "kbuffer refuses a page", b->name,
			   page - c->dat.bytes);
	for (event = kbuffer_read_event(c->kbuf, &at); event;
	     event = kbuffer_next_event(c->kbuf, &at)) {
		/* Between pages it may, where one is told to be wrong. */
		if (first && at < before)
			c->file->backwards++;
		else if (at < *ts)
			return bad(c, "time runs backwards", b->name,
				   page - c->dat.bytes);
		first = false;
		*ts = at;
		c->file->events++;
	}
	c->file->marked += commit & MISSED ? 1 : 0;
	c->file->pages++;
	c->file->hash = hash_bytes(c->file->hash, page, b->page_size);
	return true;
}

static bool check_buffers(struct check *c)
{
	c->file->buffers = c->dat.nr_buffers;
	for (size_t i = 0; i < c->dat.nr_buffers; i++) {
		const struct dat_buffer *b = &c->dat.buffer[i];

		if (b->page_size <= PAGE_HEADER)
			return bad(c, "sub-buffers have no room", b->name, 0);
		for (uint32_t k = 0; k < b->nr_cpus; k++) {
			const struct dat_cpu *cpu = &b->cpu[k];
			uint64_t ts = 0;

			for (uint64_t at = 0; at < cpu->size; at += b->page_size)
				if (!check_page(c, b, cpu->data + at, &ts))
					return false;
		}
	}
	return true;
}

/* The bytes behind a length of @width bytes at *@p, which moves behind them. */
static bool take_blob(const uint8_t **p, const uint8_t *end, size_t width,
		      const char **text, uint64_t *len)
{
	uint64_t n = 0;

	if ((size_t)(end - *p) < width)
		return false;
	memcpy(&n, *p, width); /* little endian, or 8 bytes */
	*p += width;
	if (n > (uint64_t)(end - *p))
		return false;
	*text = (const char *)*p;
	*len = n;
	*p += n;
	return true;
}

/* libtraceevent wants its text with a '\0', and for itself. */
static char *copy_of(const char *text, uint64_t len)
{
	char *copy = malloc(len + 1);

	if (!copy)
		abort();
	memcpy(copy, text, len);
	copy[len] = 0;
	return copy;
}

static struct tep_handle *tep_of(struct check *c)
{
	if (!c->tep) {
		c->tep = tep_alloc();
		if (!c->tep)
			abort();
		tep_set_loglevel(TEP_LOG_NONE);
		tep_set_long_size(c->tep, c->dat.long_size);
	}
	return c->tep;
}

static bool check_table(struct check *c, int id, enum dmg_part part,
			size_t width, const char *name,
			int (*parse)(struct tep_handle *, const char *))
{
	const struct dat_section *s = dat_section(&c->dat, id);
	const uint8_t *p = s ? s->data : NULL;
	const char *text;
	uint64_t len;
	char *copy;
	int err;

	if (!s || !take_blob(&p, s->data + s->size, width, &text, &len) ||
	    p != s->data + s->size)
		return bad(c, "its size is wrong", name, 0);
	if (memchr(text, 0, len))
		return bad(c, "a '\\0' in it", name, 0);
	for (uint64_t i = 0; i < len; i++)
		c->file->lines[part] += text[i] == '\n';
	c->file->part_hash[part] = hash_bytes(0, text, len);
	if (c->known && c->known->part_hash[part] == c->file->part_hash[part])
		return true;
	copy = copy_of(text, len);
	err = parse(tep_of(c), copy);
	free(copy);
	return !err || bad(c, "libtraceevent refuses it", name, err);
}

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static bool is_known_format(const struct check *c, uint64_t hash)
{
	return c->known &&
	       bsearch(&hash, c->known->format, c->known->lines[DMG_FORMATS],
		       sizeof(hash), by_value);
}

static void add_format(struct dmg_file *f, uint64_t hash)
{
	uint64_t n = f->lines[DMG_FORMATS]++;

	if (!(n & (n - 1))) {
		f->format = realloc(f->format, (n ? 2 * n : 1) * sizeof(hash));
		if (!f->format)
			abort();
	}
	f->format[n] = hash;
}

/* The formats of one system, preceded by their number. */
static bool check_formats(struct check *c, const uint8_t **p,
			  const uint8_t *end, const char *system)
{
	uint32_t n;

	if (end - *p < 4)
		return bad(c, "no number of formats", system, 0);
	memcpy(&n, *p, 4);
	*p += 4;
	for (; n; n--) {
		const char *text;
		uint64_t len, hash;
		char *copy;
		int err;

		if (!take_blob(p, end, 8, &text, &len))
			return bad(c, "a format is cut off", system, n);
		if (memchr(text, 0, len))
			return bad(c, "a '\\0' in a format", system, n);
		hash = hash_bytes(0, text, len);
		add_format(c->file, hash);
		if (is_known_format(c, hash))
			continue;
		copy = copy_of(text, len);
		err = tep_parse_event(tep_of(c), copy, len, system);
		free(copy);
		/* One that cannot be printed is still shown field by field. */
		if (err && err != TEP_ERRNO__PARSE_EVENT_FAILED)
			return bad(c, "libtraceevent refuses a format", system,
				   n);
	}
	return true;
}

static bool check_events(struct check *c)
{
	const struct dat_section *own = dat_section(&c->dat, FTRACE_EVENTS);
	const struct dat_section *all = dat_section(&c->dat, EVENT_FORMATS);
	const uint8_t *p, *end;
	uint32_t systems;

	if (!own || !all || all->size < 4)
		return bad(c, "no sections of formats", "formats", 0);
	p = own->data;
	end = p + own->size;
	if (!check_formats(c, &p, end, "ftrace"))
		return false;
	if (p != end)
		return bad(c, "bytes are left", "ftrace", 0);
	memcpy(&systems, all->data, 4);
	p = all->data + 4;
	end = all->data + all->size;
	for (; systems; systems--) {
		const char *name = (const char *)p;
		const uint8_t *nul = memchr(p, 0, end - p);

		if (!nul)
			return bad(c, "a system has no name", "formats", 0);
		p = nul + 1;
		if (!check_formats(c, &p, end, name))
			return false;
	}
	if (p != end)
		return bad(c, "bytes are left", "formats", 0);
	qsort(c->file->format, c->file->lines[DMG_FORMATS],
	      sizeof(*c->file->format), by_value);
	return true;
}

static bool check_headers(struct check *c)
{
	const struct dat_section *s = dat_section(&c->dat, HEADER_INFO);
	const uint8_t *p = s ? s->data : NULL, *end = s ? p + s->size : NULL;
	const char *text;
	uint64_t len;
	char *copy;
	int err;

	if (!s || s->size < sizeof("header_page") ||
	    strcmp((const char *)p, "header_page") != 0)
		return bad(c, "no header_page", "headers", 0);
	p += sizeof("header_page");
	if (!take_blob(&p, end, 8, &text, &len))
		return bad(c, "header_page is cut off", "headers", 0);
	copy = copy_of(text, len);
	err = tep_parse_header_page(tep_of(c), copy, len, c->dat.long_size);
	free(copy);
	if (err)
		return bad(c, "libtraceevent refuses header_page", "headers",
			   err);
	if ((size_t)(end - p) < sizeof("header_event") ||
	    strcmp((const char *)p, "header_event") != 0)
		return bad(c, "no header_event", "headers", 0);
	p += sizeof("header_event");
	if (!take_blob(&p, end, 8, &text, &len) || p != end)
		return bad(c, "header_event is cut off", "headers", 0);
	return true;
}

static bool check_all(struct check *c, const void *bytes, size_t len)
{
	if (!dat_init(&c->dat, bytes, len))
		return bad(c, c->dat.fault, "file", 0);
	c->kbuf = kbuffer_alloc(KBUFFER_LSIZE_8, KBUFFER_ENDIAN_SAME_AS_HOST);
	if (!c->kbuf)
		abort();
	return check_headers(c) && check_events(c) &&
	       check_table(c, KALLSYMS, DMG_KALLSYMS, 4, "kallsyms",
			   tep_parse_kallsyms) &&
	       check_table(c, PRINTK, DMG_PRINTK, 4, "printk",
			   tep_parse_printk_formats) &&
	       check_table(c, CMDLINES, DMG_CMDLINES, 8, "cmdlines",
			   tep_parse_saved_cmdlines) &&
	       check_buffers(c);
}

bool dmg_file_init(struct dmg_file *file, const char *path,
		   const struct dmg_file *known)
{
	struct check c = { .file = file, .known = known };
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	void *bytes = MAP_FAILED;
	struct stat st;
	bool ok;

	memset(file, 0, sizeof(*file));
	if (fd >= 0 && fstat(fd, &st) == 0 && st.st_size)
		bytes = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (bytes == MAP_FAILED) {
		bad(&c, strerror(errno), path, 0);
		if (fd >= 0)
			close(fd);
		return false;
	}
	ok = check_all(&c, bytes, st.st_size);
	dat_deinit(&c.dat);
	if (c.kbuf)
		kbuffer_free(c.kbuf);
	if (c.tep)
		tep_free(c.tep);
	munmap(bytes, st.st_size);
	close(fd);
	return ok;
}

void dmg_file_deinit(struct dmg_file *file)
{
	free(file->format);
	file->format = NULL;
}
