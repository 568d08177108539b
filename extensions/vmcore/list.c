// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>

#include "vmcore/list.h"

void vm_list_init(struct vm_list *l, const struct vmcore *vm, uint64_t head,
		  bool backward)
{
	*l = (struct vm_list){
		.vm = vm,
		.head = head,
		.cur = head,
		.backward = backward,
		.marker = head,
		.limit = 1,
	};
}

bool vm_list_next(struct vm_list *l, uint64_t *node)
{
	uint64_t link = l->cur + (l->backward ? l->vm->long_size : 0);
	uint64_t next;

	if (l->err != ERR_NONE)
		return false;
	l->err = vm_read_ulong(l->vm, link, &next);
	if (l->err != ERR_NONE) {
		l->bad = l->cur;
		return false;
	}
	if (next == l->head)
		return false;
	if (next == l->marker) {
		l->err = ERR_BAD_DATA;
		l->bad = next;
		return false;
	}
	if (++l->steps == l->limit) {
		l->limit *= 2;
		l->steps = 0;
		l->marker = next;
	}
	l->cur = next;
	*node = next;
	return true;
}

/*
 * Does @node, which comes behind @last, say so too? A link that is bent to a
 * later node skips those between, and the walk still comes to its end.
 */
static bool links_back(const struct vm_list_visit *v, uint64_t node,
		       uint64_t last)
{
	uint64_t prev;

	return vm_read_ulong(v->vm, node + v->vm->long_size, &prev) == ERR_NONE &&
	       prev == last;
}

/* One way. *@whole: the walk came to the list's end, and missed nothing. */
static enum err visit_way(const struct vm_list_visit *v, bool backward,
			  bool *whole)
{
	struct vm_list list;
	uint64_t node, last = v->head, skips = 0;
	unsigned int n = 0;

	vm_list_init(&list, v->vm, v->head, backward);
	while (vm_list_next(&list, &node)) {
		enum err err;

		if (!backward && !skips && !links_back(v, node, last))
			skips = node;
		last = node;

		if (n++ == v->max) {
			list.err = ERR_BAD_DATA;
			list.bad = node;
			break;
		}
		if (vm_interrupted(v->vm))
			return ERR_INTERRUPTED;
		err = v->fn(v->arg, node);
		if (err != ERR_NONE)
			return err;
	}
	if (!backward && !skips && !links_back(v, v->head, last))
		skips = v->head;
	*whole = list.err == ERR_NONE && !skips;
	if (list.err == ERR_NONE && skips)
		diag_say(v->diag,
			 "the list of %s may skip some before %" PRIx64
			 ", which does not link back",
			 v->what, skips);
	else if (!*whole)
		diag_say(v->diag, "the list of %s %s, at %" PRIx64 ": %s",
			 v->what,
			 backward ? "is broken backwards too" : "ends early",
			 list.bad, err_str(list.err));
	return ERR_NONE;
}

enum err vm_list_visit(const struct vm_list_visit *visit, size_t *broken)
{
	bool whole;
	enum err err = visit_way(visit, false, &whole);

	if (err != ERR_NONE || whole)
		return err;
	++*broken;
	err = visit_way(visit, true, &whole);
	if (err == ERR_NONE && !whole)
		++*broken;
	return err;
}
