/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VMCORE_LIST_H
#define VMCORE_LIST_H

#include "base/diag.h"
#include "vmcore/vmcore.h"

/*
 * A walk over a kernel's struct list_head that ends on every list: whole,
 * torn, or bent into a cycle.
 *
 *	struct vm_list l;
 *	uint64_t node;
 *
 *	vm_list_init(&l, vm, head, false);
 *	while (vm_list_next(&l, &node))
 *		...
 *	if (l.err) ...
 */
struct vm_list {
	const struct vmcore *vm;
	uint64_t head;
	uint64_t cur;
	bool backward; /* follow prev */
	enum err err;  /* why the walk ended early */
	uint64_t bad;  /* the node that err is about */
	/* Brent's cycle finder: a marker that is moved at powers of two. */
	uint64_t marker;
	uint64_t steps;
	uint64_t limit;
};

/* @head: address of the list head, which is no element itself. */
void vm_list_init(struct vm_list *l, const struct vmcore *vm, uint64_t head,
		  bool backward);
/*
 * The next node's address in *@node; false at the end, or with l->err set:
 * ERR_BAD_DATA for a cycle that misses the head, or what reading gave.
 */
bool vm_list_next(struct vm_list *l, uint64_t *node);

typedef enum err (*vm_list_fn)(void *arg, uint64_t node);

/*
 * A list of things that the user should get all of: it is walked forwards, and
 * where it ends early or a node does not link back, backwards too, for what
 * lies behind the damage or was skipped.
 */
struct vm_list_visit {
	const struct vmcore *vm;
	const struct diag *diag;
	const char *what; /* "the list of WHAT ends early" */
	uint64_t head;
	unsigned int max; /* more nodes than this are damage */
	/* Gets each node, some of them twice. Its error ends the visit. */
	vm_list_fn fn;
	void *arg;
};

/*
 * What @fn returned if that was an error, ERR_INTERRUPTED, or ERR_NONE, however
 * damaged the list is: that is told, and *@broken grows by the number of ways
 * in which the list could not be walked to its end.
 */
enum err vm_list_visit(const struct vm_list_visit *visit, size_t *broken);

#endif
