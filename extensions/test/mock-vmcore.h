/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TEST_MOCK_VMCORE_H
#define TEST_MOCK_VMCORE_H

#include "vmcore/vmcore.h"

/*
 * A dead kernel made of buffers. Tests lay out memory, symbols and members;
 * the code under test sees them through mock->vm. Names are not copied.
 */
#define MOCK_PAGE 4096ul
#define MOCK_LONG 8ul

struct mock_seg {
	uint64_t addr;
	size_t size;
	uint8_t *bytes;
};

struct mock_hole {
	uint64_t page;
	enum err err;
};

struct mock_name {
	const char *type; /* NULL for symbols and enumerators */
	const char *name;
	uint64_t value; /* or the member's offset */
	uint32_t size;
};

struct mock_task {
	uint32_t pid;
	const char *comm;
};

struct mock_table {
	void *row;
	size_t count;
};

struct mock {
	struct vmcore vm;
	struct mock_table segs;	   /* struct mock_seg; the first is the arena */
	struct mock_table holes;   /* struct mock_hole */
	struct mock_table symbols; /* struct mock_name */
	struct mock_table members;
	struct mock_table types;
	struct mock_table enums;
	struct mock_table ksyms; /* struct vm_symbol */
	struct mock_table tasks; /* struct mock_task */
	size_t arena_used;
	/* What was asked of it. */
	unsigned long reads;
	uint64_t bytes_read;
	size_t largest_read;
	/* So many polls are answered with no, then the user has pressed Ctrl-C. */
	bool interrupt;
	unsigned long polls_before_interrupt;
};

struct mock *mock_create(void);
void mock_destroy(struct mock *m);

/* Zeroed memory of the dead kernel; its address. */
uint64_t mock_alloc(struct mock *m, size_t size, size_t align);
uint64_t mock_alloc_page(struct mock *m);
/* Zeroed memory at a chosen address. */
void mock_map(struct mock *m, uint64_t addr, size_t size);
/* The host's view of it, for filling it in. */
void *mock_ptr(struct mock *m, uint64_t addr);
/* From now on reads of the page at @addr fail with @err. */
void mock_hide(struct mock *m, uint64_t addr, enum err err);

void mock_put(struct mock *m, uint64_t addr, uint64_t value, size_t size);
void mock_put_ulong(struct mock *m, uint64_t addr, uint64_t value);
uint64_t mock_get_ulong(struct mock *m, uint64_t addr);
/* A string in memory of its own; its address. */
uint64_t mock_str(struct mock *m, const char *s);

void mock_symbol(struct mock *m, const char *name, uint64_t addr);
void mock_size(struct mock *m, const char *type, size_t size);
void mock_member(struct mock *m, const char *type, const char *name,
		 uint32_t off, uint32_t size);
void mock_forget_symbol(struct mock *m, const char *name);
void mock_forget_type(struct mock *m, const char *type);
void mock_forget_member(struct mock *m, const char *type, const char *name);
void mock_enum(struct mock *m, const char *name, long value);
/* A row of the list of all symbols; not found by mock_symbol()'s name. */
void mock_ksym(struct mock *m, uint64_t addr, char type, const char *name,
	       const char *module);
void mock_task(struct mock *m, uint32_t pid, const char *comm);

/* By declared layout: an object of @type, its members' addresses, values. */
uint64_t mock_new(struct mock *m, const char *type);
uint64_t mock_field(struct mock *m, uint64_t obj, const char *type,
		    const char *name);
void mock_set(struct mock *m, uint64_t obj, const char *type, const char *name,
	      uint64_t value);
bool mock_has(struct mock *m, const char *type, const char *name);

/* struct list_head: an empty one, and @node put in before @head. */
void mock_list_init(struct mock *m, uint64_t head);
void mock_list_add_tail(struct mock *m, uint64_t head, uint64_t node);
/* As list_add() does: @node becomes the first. */
void mock_list_add(struct mock *m, uint64_t head, uint64_t node);

#endif
