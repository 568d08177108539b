/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VMCORE_VMCORE_H
#define VMCORE_VMCORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/*
 * A dead kernel, seen through callbacks. vmcore-crash.c puts crash behind
 * them; the tests put a few buffers there. Nothing else in this tree knows
 * where the bytes come from.
 */

/*
 * Where a member lies. size 0: the kernel has no such member, or it is a
 * flexible array, of which only the offset is known.
 */
struct vm_member {
	uint32_t off;  /* bytes from the start of the structure */
	uint32_t size; /* bytes; of the whole array for an array */
};

static inline bool vm_has(const struct vm_member *m)
{
	return m->size != 0;
}

struct vm_symbol {
	uint64_t addr;
	char type; /* as nm prints it */
	const char *name;
	const char *module; /* NULL: the kernel proper */
};

/* Return false to stop. */
typedef bool (*vm_symbol_fn)(void *arg, const struct vm_symbol *sym);
typedef bool (*vm_task_fn)(void *arg, uint32_t pid, const char *comm);

struct vmcore_ops {
	/* Read @len bytes of kernel virtual memory, all or an error. */
	enum err (*read)(void *ctx, uint64_t addr, void *buf, size_t len);
	/* Value of a symbol of the kernel proper; false if there is none. */
	bool (*symbol)(void *ctx, const char *name, uint64_t *addr);
	/* Member of a structure by debug info; false if there is none. */
	bool (*member)(void *ctx, const char *type, const char *name,
		       struct vm_member *m);
	/* Size of a structure in bytes; 0 if there is none. */
	size_t (*type_size)(void *ctx, const char *type);
	bool (*enumerator)(void *ctx, const char *name, long *value);
	/* Every symbol, kernel first, then modules; addresses ascend in each. */
	void (*symbols)(void *ctx, vm_symbol_fn fn, void *arg);
	/* Every live task. */
	void (*tasks)(void *ctx, vm_task_fn fn, void *arg);
	/* Has the user asked to stop? */
	bool (*interrupted)(void *ctx);
};

struct vmcore {
	const struct vmcore_ops *ops;
	void *ctx;
	size_t page_size; /* of the dead kernel, bytes */
	size_t long_size; /* of the dead kernel, bytes */
	bool live;	  /* it is not dead: memory changes while it is read */
};

static inline enum err vm_read(const struct vmcore *vm, uint64_t addr,
			       void *buf, size_t len)
{
	return vm->ops->read(vm->ctx, addr, buf, len);
}

static inline bool vm_symbol(const struct vmcore *vm, const char *name,
			     uint64_t *addr)
{
	return vm->ops->symbol(vm->ctx, name, addr);
}

static inline bool vm_interrupted(const struct vmcore *vm)
{
	return vm->ops->interrupted(vm->ctx);
}

/*
 * Take member @m out of a structure that was read into @obj. A member that
 * the kernel does not have, or that lies outside, is 0. Sizes 1, 2, 4, 8.
 */
uint64_t vm_get(const void *obj, size_t obj_size, const struct vm_member *m);

/* Read a pointer, or another unsigned long, at @addr. */
enum err vm_read_ulong(const struct vmcore *vm, uint64_t addr, uint64_t *ret);
enum err vm_read_u32(const struct vmcore *vm, uint64_t addr, uint32_t *ret);

/* Read @size bytes at @addr; *@ret is allocated, the caller frees it. */
enum err vm_dup(const struct vmcore *vm, uint64_t addr, size_t size, void **ret);

/*
 * Read a string of at most @size - 1 bytes at @addr into @buf. A longer one
 * is ERR_BAD_DATA. @buf is always terminated.
 */
enum err vm_read_str(const struct vmcore *vm, uint64_t addr, char *buf,
		     size_t size);

/*
 * As vm_read_str() for strings whose length is not known: *@ret is allocated,
 * the caller frees it. Longer than @max bytes is ERR_BAD_DATA.
 */
enum err vm_dup_str(const struct vmcore *vm, uint64_t addr, size_t max,
		    char **ret);

#endif
