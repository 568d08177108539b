/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FTRACE_ORDER_H
#define FTRACE_ORDER_H

#include "ftrace/page.h"

/*
 * Puts sound pages through in time order, and takes out those whose time
 * stamps contradict their neighbours'. A page with a wrong stamp must not
 * cost the pages around it, so up to three are held back: where two
 * contradict each other, the third says which of them is out of line. If it
 * cannot, both go through, and time runs backwards between them.
 */
#define ORDER_HELD 3

struct ft_order_slot {
	struct ft_page page; /* buf is owned */
	bool lost;	     /* events were lost before this page */
	uint64_t lost_count; /* how many; 0: nobody knows */
};

struct ft_order {
	struct ft_order_slot slot[ORDER_HELD];
	unsigned int held;
	bool lost; /* events were lost before the next page */
	uint64_t lost_count;
	uint64_t emitted_ts; /* of the last event that was let through */
	uint64_t write_stamp; /* of the newest event, as the kernel has it; or 0 */
	enum err (*emit)(void *ctx, struct ft_page *page, bool lost,
			 uint64_t lost_count);
	void (*drop)(void *ctx, const struct ft_page *page);
	/* One of them is wrong, and nobody knows which. Both will be emitted. */
	void (*doubt)(void *ctx, const struct ft_page *a,
		      const struct ft_page *b);
	void *ctx;
};

/* Allocates three pages of @page_size; ERR_NOMEM. */
enum err ft_order_init(struct ft_order *order, size_t page_size);
void ft_order_deinit(struct ft_order *order);

/* Events were lost before the page that is pushed next. @count 0: unknown. */
void ft_order_lost(struct ft_order *order, uint64_t count);
/* The page to read the next one into. It joins by ft_order_push(). */
struct ft_page *ft_order_next(struct ft_order *order);
/* Let the page of ft_order_next() join. Returns what emit() returned. */
enum err ft_order_push(struct ft_order *order);
/* No more pages: decide on those still held. */
enum err ft_order_flush(struct ft_order *order);

#endif
