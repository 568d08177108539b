// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>

#include "ftrace/order.h"

enum err ft_order_init(struct ft_order *order, size_t page_size)
{
	memset(order, 0, sizeof(*order));
	for (int i = 0; i < ORDER_HELD; i++) {
		order->slot[i].page.buf = malloc(page_size);
		order->slot[i].page.size = page_size;
		if (!order->slot[i].page.buf) {
			ft_order_deinit(order);
			return ERR_NOMEM;
		}
	}
	return ERR_NONE;
}

void ft_order_deinit(struct ft_order *order)
{
	for (int i = 0; i < ORDER_HELD; i++) {
		free(order->slot[i].page.buf);
		order->slot[i].page.buf = NULL;
	}
}

void ft_order_lost(struct ft_order *order, uint64_t count)
{
	/* A known and an unknown number make an unknown one. */
	if (order->lost && (!order->lost_count || !count))
		order->lost_count = 0;
	else
		order->lost_count += count;
	order->lost = true;
}

struct ft_page *ft_order_next(struct ft_order *order)
{
	return &order->slot[order->held].page;
}

/* Take slot @i out of the window; its buffer goes to the free end. */
static void remove_slot(struct ft_order *order, unsigned int i)
{
	struct ft_order_slot gone = order->slot[i];

	order->held--;
	memmove(&order->slot[i], &order->slot[i + 1],
		(ORDER_HELD - 1 - i) * sizeof(gone));
	order->slot[ORDER_HELD - 1] = gone;
}

/*
 * When the page after slots 0 and 1 began; 0: unknown. Behind the last one of
 * a ring the write stamp does instead: no event is newer, and the last event
 * is as new, unless the write was cut short.
 */
static uint64_t next_began(const struct ft_order *order)
{
	const struct ft_order_slot *s = order->slot;

	if (order->held == ORDER_HELD)
		return s[2].page.first_ts;
	return order->write_stamp >= order->emitted_ts ? order->write_stamp : 0;
}

enum outlier {
	FIRST,
	SECOND,
	UNDECIDED
};

/*
 * Slots 0 and 1 contradict each other: which of them is out of line?
 *
 * The one that contradicts a third page, too. Where the pages before and behind
 * get on with both, pauses of the machine might hint at which it is, but a hint
 * may cost a sound page.
 */
static enum outlier find_outlier(const struct ft_order *order)
{
	const struct ft_page *a = &order->slot[0].page;
	const struct ft_page *b = &order->slot[1].page;
	uint64_t next = next_began(order);

	if (b->first_ts < order->emitted_ts)
		return SECOND;
	if (!next || (next < a->last_ts) == (next < b->last_ts))
		return UNDECIDED;
	return next < a->last_ts ? FIRST : SECOND;
}

/*
 * No page follows the last one to contradict it; the write stamp may, if it
 * is sound itself, that is, not older than the events before.
 */
static bool last_is_sound(const struct ft_order *order)
{
	return !order->write_stamp || order->write_stamp < order->emitted_ts ||
	       order->slot[0].page.last_ts <= order->write_stamp;
}

static bool in_line(const struct ft_order *order)
{
	const struct ft_order_slot *s = order->slot;

	if (order->held == 1)
		return last_is_sound(order);
	return s[1].page.first_ts >= s[0].page.last_ts;
}

static enum err emit_first(struct ft_order *order)
{
	struct ft_order_slot *s = order->slot;
	enum err err;

	order->emitted_ts = s[0].page.last_ts;
	err = order->emit(order->ctx, &s[0].page, s[0].lost, s[0].lost_count);
	remove_slot(order, 0);
	return err;
}

static void drop(struct ft_order *order, unsigned int i)
{
	struct ft_order_slot *s = order->slot;

	order->drop(order->ctx, &s[i].page);
	remove_slot(order, i);
	if (i < order->held) {
		s[i].lost = true;
		s[i].lost_count = 0;
	} else {
		ft_order_lost(order, 0);
	}
}

static enum err settle(struct ft_order *order, bool final)
{
	const struct ft_order_slot *s = order->slot;
	enum err err = ERR_NONE;

	while (err == ERR_NONE && (order->held > 1 || (final && order->held))) {
		if (in_line(order)) {
			err = emit_first(order);
			continue;
		}
		if (order->held < ORDER_HELD && !final)
			break;
		switch (order->held > 1 ? find_outlier(order) : FIRST) {
		case FIRST:
			drop(order, 0);
			break;
		case SECOND:
			drop(order, 1);
			break;
		case UNDECIDED:
			order->doubt(order->ctx, &s[0].page, &s[1].page);
			err = emit_first(order);
			break;
		}
	}
	return err;
}

enum err ft_order_push(struct ft_order *order)
{
	struct ft_order_slot *slot = &order->slot[order->held++];

	slot->lost = order->lost;
	slot->lost_count = order->lost_count;
	order->lost = false;
	order->lost_count = 0;
	return settle(order, false);
}

enum err ft_order_flush(struct ft_order *order)
{
	return settle(order, true);
}
