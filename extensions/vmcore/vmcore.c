// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>

#include "base/cursor.h"
#include "vmcore/vmcore.h"

uint64_t vm_get(const void *obj, size_t obj_size, const struct vm_member *m)
{
	struct cursor c = cursor_init(obj, obj_size);

	if (!vm_has(m) || !cursor_seek(&c, m->off))
		return 0;
	return cursor_uint(&c, m->size);
}

enum err vm_read_ulong(const struct vmcore *vm, uint64_t addr, uint64_t *ret)
{
	uint8_t buf[sizeof(uint64_t)];
	struct cursor c = cursor_init(buf, vm->long_size);
	enum err err = vm_read(vm, addr, buf, vm->long_size);

	if (err == ERR_NONE)
		*ret = cursor_uint(&c, vm->long_size);
	return err;
}

enum err vm_read_u32(const struct vmcore *vm, uint64_t addr, uint32_t *ret)
{
	uint32_t v;
	enum err err = vm_read(vm, addr, &v, sizeof(v));

	if (err == ERR_NONE)
		*ret = v;
	return err;
}

enum err vm_dup(const struct vmcore *vm, uint64_t addr, size_t size, void **ret)
{
	void *buf = malloc(size);
	enum err err;

	if (!buf)
		return ERR_NOMEM;
	err = vm_read(vm, addr, buf, size);
	if (err != ERR_NONE) {
		free(buf);
		return err;
	}
	*ret = buf;
	return ERR_NONE;
}

/*
 * Strings are read in small pieces that never cross a page: what follows the
 * string may not be in the dump.
 */
static enum err read_piece(const struct vmcore *vm, uint64_t addr, char *buf,
			   size_t room, size_t *got, bool *end)
{
	size_t n = vm->page_size - addr % vm->page_size;
	enum err err;
	char *nul;

	if (n > 64)
		n = 64;
	if (n > room)
		n = room;
	err = vm_read(vm, addr, buf, n);
	if (err != ERR_NONE)
		return err;
	nul = memchr(buf, 0, n);
	*end = nul != NULL;
	*got = nul ? (size_t)(nul - buf) : n;
	return ERR_NONE;
}

enum err vm_read_str(const struct vmcore *vm, uint64_t addr, char *buf,
		     size_t size)
{
	size_t len = 0;

	while (len < size) {
		enum err err;
		size_t got;
		bool end;

		err = read_piece(vm, addr + len, buf + len, size - len, &got,
				 &end);
		if (err != ERR_NONE) {
			buf[len] = 0;
			return err;
		}
		if (end)
			return ERR_NONE;
		len += got;
	}
	buf[size - 1] = 0;
	return ERR_BAD_DATA;
}

enum err vm_dup_str(const struct vmcore *vm, uint64_t addr, size_t max,
		    char **ret)
{
	size_t size = 256;

	for (;;) {
		enum err err;
		char *buf;

		if (size > max + 1)
			size = max + 1;
		buf = malloc(size);
		if (!buf)
			return ERR_NOMEM;
		err = vm_read_str(vm, addr, buf, size);
		if (err == ERR_NONE) {
			*ret = buf;
			return ERR_NONE;
		}
		free(buf);
		if (err != ERR_BAD_DATA || size > max)
			return err;
		size *= 4;
	}
}
