// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ftrace/cpus.h"
#include "ftrace/ring.h"
#include "ftrace/walk.h"

/* Low bits of buffer_page.list.next: 1 head, 2 update; kernel ring_buffer.c */
#define LINK_FLAGS 3ull

/* ring_buffer_subbuf_order_set() refuses more than this. */
#define MAX_SUBBUF_ORDER 10
/* So many broken links of one CPU's list are mended. */
#define MAX_MENDED 8
/* A damaged page may have an old time; so many in a row are no accident. */
#define OLD_PAGES 3
/* An event is counted before it is committed; so many can nest. */
#define MAX_NEST 5

/* The members of a struct buffer_page that a walk needs. */
struct bpage {
	uint64_t addr;
	uint64_t next; /* flags removed */
	bool next_is_head;
	uint64_t prev;
	uint32_t read;
	uint64_t page;
};

enum err ft_ring_open(struct ft_ring *ring, const struct vmcore *vm,
		      const struct ft_layout *layout, const struct diag *diag,
		      uint64_t addr, const char *name)
{
	size_t size = layout->trace_buffer_size;
	uint64_t order;
	uint8_t *tb;
	enum err err;

	memset(ring, 0, sizeof(*ring));
	ring->vm = vm;
	ring->layout = layout;
	ring->diag = diag;
	snprintf(ring->name, sizeof(ring->name), "%s", name);

	tb = malloc(size);
	if (!tb)
		return ERR_NOMEM;
	err = vm_read(vm, addr, tb, size);
	if (err != ERR_NONE)
		goto out;

	ring->buffers = vm_get(tb, size, &layout->tb_buffers);
	ring->range_start = vm_get(tb, size, &layout->tb_range_addr_start);
	ring->range_end = vm_get(tb, size, &layout->tb_range_addr_end);
	ring->boot_mapped = ring->range_start;
	order = vm_get(tb, size, &layout->tb_subbuf_order);
	if (order > MAX_SUBBUF_ORDER) {
		err = ERR_BAD_DATA;
		goto out;
	}
	ring->subbuf_size = vm->page_size << order;
	ring->nr_cpus = ft_count_cpus(vm, layout, ring->buffers,
				      vm_get(tb, size, &layout->tb_cpus));
	if (!ring->nr_cpus)
		err = ERR_BAD_DATA;
	if (vm_has(&layout->tb_cpumask))
		ring->cpumask =
			ft_find_cpumask(vm, addr + layout->tb_cpumask.off,
					layout->tb_cpumask.size, ring->nr_cpus);
out:
	free(tb);
	return err;
}

/* Of so many CPUs one must know how many pages each has. */
#define CPUS_ASKED 64

/* Pages that some CPU's ring says it has; 0: none can be asked. */
static uint64_t live_pages(const struct ft_ring *ring)
{
	const struct ft_layout *l = ring->layout;
	const struct vmcore *vm = ring->vm;

	for (uint32_t cpu = 0;
	     ring->buffers && cpu < ring->nr_cpus && cpu < CPUS_ASKED; cpu++) {
		uint64_t addr, pages;

		if (vm_read_ulong(vm, ring->buffers + cpu * vm->long_size,
				  &addr) == ERR_NONE &&
		    addr &&
		    vm_read_ulong(vm, addr + l->pc_nr_pages.off, &pages) ==
			    ERR_NONE &&
		    pages)
			return pages;
	}
	return 0;
}

/* Is there memory at the end of a range? Of a wild one mostly there is none. */
static bool has_end(const struct vmcore *vm, uint64_t start, uint64_t size)
{
	uint64_t word;

	return size >= vm->long_size && start + size > start &&
	       vm_read_ulong(vm, start + size - vm->long_size, &word) ==
		       ERR_NONE;
}

bool ft_ring_find_region(struct ft_ring *ring, uint64_t start, uint64_t size,
			 bool last_boot)
{
	struct {
		uint64_t start, size;
	} said[] = {
		{ ring->range_start, ring->range_end - ring->range_start },
		{ start, size },
	};
	uint64_t pages;

	if (!start && !ring->range_start)
		return false;
	/* A trace_buffer that could not be read has told neither. */
	if (!ring->nr_cpus) {
		ring->nr_cpus = ft_count_cpus(ring->vm, ring->layout, 0, 0);
		ring->subbuf_size = ring->vm->page_size;
	}
	ring->boot_mapped = true;
	ring->last_boot = last_boot;
	pages = live_pages(ring);
	if (!has_end(ring->vm, said[0].start, said[0].size))
		said[0] = said[1];
	for (int i = 0; i < 2 && !ring->has_region; i++)
		ring->has_region = ft_region_open(&ring->region, ring->vm,
						  ring->layout, said[i].start,
						  said[i].size, ring->nr_cpus,
						  pages) == ERR_NONE;
	return ring->has_region;
}

static enum err read_bpage(const struct ft_walk *w, uint64_t addr,
			   struct bpage *bp)
{
	const struct ft_layout *l = w->ring->layout;
	size_t size = l->buffer_page_size;
	struct vm_member next = l->bp_list, prev = l->bp_list;
	uint8_t buf[FT_BUFFER_PAGE_MAX];
	enum err err = vm_read(w->ring->vm, addr, buf, size);
	uint64_t raw;

	if (err != ERR_NONE)
		return err;
	next.size = w->ring->vm->long_size;
	prev.size = next.size;
	prev.off += next.size;
	raw = vm_get(buf, size, &next);
	bp->addr = addr;
	bp->next = (raw & ~LINK_FLAGS) - l->bp_list.off;
	bp->next_is_head = raw & LINK_FLAGS;
	bp->prev = (vm_get(buf, size, &prev) & ~LINK_FLAGS) - l->bp_list.off;
	bp->read = vm_get(buf, size, &l->bp_read);
	bp->page = vm_get(buf, size, &l->bp_page);
	return ERR_NONE;
}

/* Brent's cycle finder, so that no list keeps a walk for ever. */
struct cycle {
	uint64_t marker;
	uint64_t steps;
	uint64_t limit;
};

static bool cycle_closed(struct cycle *c, uint64_t addr)
{
	if (c->limit && addr == c->marker)
		return true;
	if (c->steps++ == c->limit) {
		c->limit = c->limit ? c->limit * 2 : 1;
		c->steps = 0;
		c->marker = addr;
	}
	return false;
}

/*
 * The head page is the one that its predecessor's next pointer marks; the
 * cached head_page may be behind (rb_set_head_page()). @fallback: that one.
 */
static uint64_t find_head(const struct ft_walk *w, uint64_t start,
			  uint64_t fallback)
{
	struct cycle cycle = { 0 };
	struct bpage bp, prev;

	if (read_bpage(w, fallback, &bp) == ERR_NONE &&
	    read_bpage(w, bp.prev, &prev) == ERR_NONE &&
	    prev.next == fallback && prev.next_is_head)
		return fallback;

	for (uint64_t at = start; !cycle_closed(&cycle, at); at = bp.next) {
		if (read_bpage(w, at, &bp) != ERR_NONE)
			break;
		if (bp.next_is_head)
			return bp.next;
		if (bp.next == start)
			return fallback;
	}
	/* A link is broken: the mark may lie behind it. */
	cycle = (struct cycle){ 0 };
	for (uint64_t at = start; !cycle_closed(&cycle, at); at = bp.prev) {
		if (read_bpage(w, at, &bp) != ERR_NONE)
			break;
		if (bp.next_is_head)
			return bp.next;
	}
	return fallback;
}

static bool is_older(const struct ft_walk *w, const struct bpage *bp,
		     uint64_t since)
{
	uint64_t ts, commit;

	return ft_walk_header(w, bp->page, &ts, &commit) == ERR_NONE &&
	       ts < since;
}

/*
 * Where to begin so that the end of the ring is walked that was asked for: back
 * from the commit page, as long as links agree in both directions. False: from
 * the beginning.
 */
static bool find_tail(struct ft_walk *w, uint64_t head, uint64_t commit,
		      uint64_t *start)
{
	const struct ft_ring *ring = w->ring;
	struct cycle cycle = { 0 };
	struct bpage bp, prev;
	uint32_t pages = 0, old = 0;

	if (read_bpage(w, commit, &bp) != ERR_NONE)
		return false;
	for (;;) {
		old = ring->tail_since && is_older(w, &bp, ring->tail_since) ?
			      old + 1 :
			      0;
		if (bp.addr == head || cycle_closed(&cycle, bp.addr) ||
		    vm_interrupted(ring->vm))
			return false;
		if (++pages == ring->tail_pages || old == OLD_PAGES)
			break;
		if (read_bpage(w, bp.prev, &prev) != ERR_NONE ||
		    prev.next != bp.addr)
			return false;
		bp = prev;
	}
	w->stats->partial = true;
	w->stats->by_count = old != OLD_PAGES;
	*start = bp.addr;
	return true;
}

/*
 * Which page says that it follows @last? From the commit page back, by the
 * prev pointers. 0: none; *@reached is as far back as they carry.
 */
static uint64_t find_follower(const struct ft_walk *w, uint64_t commit,
			      uint64_t last, uint64_t *reached)
{
	struct cycle cycle = { 0 };
	uint64_t at = commit;
	struct bpage bp;

	*reached = 0;
	while (!cycle_closed(&cycle, at) && read_bpage(w, at, &bp) == ERR_NONE) {
		*reached = at;
		if (bp.prev == last)
			return at;
		at = bp.prev;
	}
	return 0;
}

/*
 * @at, which next pointers lead to behind @last, cannot be read (@err), or does
 * not link back. Where to go on? Another page may claim the place; if none
 * does, a page that can be read keeps it. 0: there is nothing to go on with.
 */
static uint64_t mend_link(struct ft_walk *w, uint64_t at, uint64_t last,
			  uint64_t commit, enum err err)
{
	uint64_t reached, next;

	/* Without a page before, the one after the unreadable one will do. */
	next = find_follower(w, commit, last ? last : at, &reached);
	if (err == ERR_NONE && (!next || next == at))
		return at;
	ft_walk_tell(w, "buffer_page", at,
		     err == ERR_NONE ? "it does not link back" : err_str(err));
	w->stats->broken = true;
	ft_order_lost(&w->order, 0);
	return next ? next : reached;
}

/* From the head page to the commit page. */
static enum err walk_ring(struct ft_walk *w, uint64_t head, uint64_t commit)
{
	struct cycle cycle = { 0 };
	uint64_t at = head, last = 0, next;
	int mended = 0;
	struct bpage bp;
	enum err err;

	for (;;) {
		if (vm_interrupted(w->ring->vm))
			return ERR_INTERRUPTED;
		if ((last && at == head) || cycle_closed(&cycle, at)) {
			ft_walk_tell(w, "buffer_page", at,
				     "the list of pages misses the commit page");
			w->stats->broken = true;
			return ERR_NONE;
		}
		err = read_bpage(w, at, &bp);
		if (mended < MAX_MENDED &&
		    (err != ERR_NONE || (last && bp.prev != last))) {
			next = mend_link(w, at, last, commit, err);
			mended++;
			if (next && next != at)
				err = read_bpage(w, next, &bp);
			at = next;
		}
		if (!at || err != ERR_NONE) {
			w->stats->broken = true;
			return ERR_NONE;
		}
		/* What the kernel rewound after a reset may be cleared pages. */
		err = ft_walk_take(w, bp.page, 0,
				   at != commit && !w->ring->last_boot);
		if (err != ERR_NONE || at == commit)
			return err;
		last = at;
		at = bp.next;
	}
}

static void read_counters(const struct ft_layout *l, const void *pc,
			  struct ft_cpu_stats *s)
{
	size_t size = l->per_cpu_size;
	uint64_t entries = vm_get(pc, size, &l->pc_entries);

	s->overrun = vm_get(pc, size, &l->pc_overrun);
	s->read = vm_get(pc, size, &l->pc_read);
	s->commit_overrun = vm_get(pc, size, &l->pc_commit_overrun);
	s->dropped = vm_get(pc, size, &l->pc_dropped_events);
	/* As rb_num_of_entries() and ring_buffer_bytes_cpu() have it. */
	s->entries = entries - s->overrun - s->read;
	s->bytes = vm_get(pc, size, &l->pc_entries_bytes) -
		   vm_get(pc, size, &l->pc_read_bytes);
}

bool ft_ring_is_empty(const struct ft_ring *ring)
{
	const struct vmcore *vm = ring->vm;

	for (uint32_t cpu = 0; cpu < ring->nr_cpus; cpu++) {
		struct ft_cpu_stats stats = { 0 };
		uint64_t addr;
		void *pc;

		if (vm_read_ulong(vm, ring->buffers + cpu * vm->long_size,
				  &addr) != ERR_NONE)
			return false;
		if (!addr)
			continue;
		if (vm_dup(vm, addr, ring->layout->per_cpu_size, &pc) != ERR_NONE)
			return false;
		read_counters(ring->layout, pc, &stats);
		free(pc);
		if (stats.entries)
			return false;
	}
	return true;
}

/*
 * Does the list lead through all sub-buffers of the region, and back? Where it
 * does not, the region itself is the better witness.
 */
static bool list_is_sound(const struct ft_walk *w, uint64_t reader,
			  uint64_t head, uint64_t commit)
{
	const struct ft_region *r = &w->ring->region;
	bool *seen = calloc(r->nr_subbufs, sizeof(*seen));
	uint64_t at = head, last = 0, before_head = 0;
	uint32_t i, count = 0;
	bool has_commit = false;
	struct bpage bp;

	if (seen && read_bpage(w, reader, &bp) == ERR_NONE &&
	    ft_region_index(r, w->cpu, bp.page, &i)) {
		seen[i] = true;
		count++;
		has_commit = reader == commit;
	}
	while (count && count < r->nr_subbufs) {
		if (read_bpage(w, at, &bp) != ERR_NONE ||
		    (last && bp.prev != last) ||
		    !ft_region_index(r, w->cpu, bp.page, &i) || seen[i])
			break;
		if (!last)
			before_head = bp.prev;
		seen[i] = true;
		count++;
		has_commit |= at == commit;
		last = at;
		at = bp.next;
	}
	free(seen);
	return count == r->nr_subbufs && at == head && before_head == last &&
	       has_commit;
}

/*
 * Pages that were read before the reset lie before the head, the last one read
 * behind the others; what this boot's readers have consumed since, @consumed of
 * them, lies in between. As kernels do since ca296d32ece3, go back until the
 * writer's page, or one that was never used, while stamps get older.
 *
 * Most kernels clear a page's commit when its reader has gone on. It cannot be
 * told from one that was cleared by the user then, and has no events.
 */
static enum err rewind_pages(struct ft_walk *w, uint64_t head, uint64_t commit,
			     uint64_t consumed, uint64_t newest)
{
	uint64_t max = w->ring->region.nr_subbufs, count = 0;
	uint64_t *pages = calloc(max + 1, sizeof(*pages));
	enum err err = ERR_NONE;
	struct bpage bp;

	if (!pages)
		return ERR_NOMEM;
	if (read_bpage(w, head, &bp) != ERR_NONE)
		max = 0;
	for (uint64_t i = 0; i < max && bp.prev != commit; i++) {
		uint64_t ts, size;

		if (read_bpage(w, bp.prev, &bp) != ERR_NONE ||
		    ft_walk_header(w, bp.page, &ts, &size) != ERR_NONE ||
		    (!ts && !size))
			break;
		if (i < consumed || !size || ts > newest)
			continue;
		newest = ts;
		pages[count++] = bp.page;
	}
	if (count)
		diag_say(w->ring->diag,
			 "%s: CPU %u: %" PRIu64
			 " pages that had been read before the reset are shown again",
			 w->ring->name, w->cpu, count);
	while (count && err == ERR_NONE)
		err = ft_walk_take(w, pages[--count], 0, false);
	free(pages);
	return err;
}

/* Events that were overwritten since the reader page left the ring. */
static uint64_t overwritten(const struct ft_walk *w, const void *pc)
{
	const struct ft_layout *l = w->ring->layout;
	uint64_t last = vm_get(pc, l->per_cpu_size, &l->pc_last_overrun);

	return w->stats->overrun > last ? w->stats->overrun - last : 0;
}

static enum err walk_list(struct ft_walk *w, const void *pc, uint64_t head)
{
	const struct ft_layout *l = w->ring->layout;
	size_t size = l->per_cpu_size;
	uint64_t reader = vm_get(pc, size, &l->pc_reader_page);
	uint64_t commit = vm_get(pc, size, &l->pc_commit_page);
	uint64_t lost, start, ts, used;
	struct bpage bp;
	enum err err;

	if (reader != commit && (w->ring->tail_pages || w->ring->tail_since) &&
	    find_tail(w, head, commit, &start)) {
		err = walk_ring(w, start, commit);
		return err == ERR_NONE ? ft_order_flush(&w->order) : err;
	}

	lost = vm_get(pc, size, &l->pc_lost_events);
	if (lost)
		ft_order_lost(&w->order, lost);
	err = read_bpage(w, reader, &bp);
	if (err == ERR_NONE) {
		if (w->ring->last_boot && w->ring->has_region &&
		    ft_walk_header(w, bp.page, &ts, &used) == ERR_NONE && used)
			err = rewind_pages(w, head, commit,
					   vm_get(pc, size, &l->pc_pages_read),
					   ts);
		if (err == ERR_NONE)
			err = ft_walk_take(w, bp.page, bp.read, false);
		if (err != ERR_NONE)
			return err;
	} else {
		ft_walk_tell(w, "reader page", reader, err_str(err));
		w->stats->broken = true;
		ft_order_lost(&w->order, 0);
	}
	if (reader == commit)
		return ft_order_flush(&w->order);

	lost = overwritten(w, pc);
	if (lost)
		ft_order_lost(&w->order, lost);
	err = walk_ring(w, head, commit);
	if (err != ERR_NONE)
		return err;
	return ft_order_flush(&w->order);
}

static enum err walk_region(struct ft_walk *w, const void *pc)
{
	const struct ft_layout *l = w->ring->layout;
	size_t size = l->per_cpu_size;
	struct bpage bp = { 0 };
	uint64_t consumed = 0, lost;

	if (!pc)
		return ft_walk_region(w, 0, 0, 0, 0);
	/* In the buffer of this boot, what is older was read by its readers. */
	if (read_bpage(w, vm_get(pc, size, &l->pc_reader_page), &bp) == ERR_NONE)
		consumed = w->ring->last_boot ?
				   vm_get(pc, size, &l->pc_pages_read) :
				   UINT64_MAX;
	lost = vm_get(pc, size, &l->pc_lost_events);
	if (lost)
		ft_order_lost(&w->order, lost);
	return ft_walk_region(w, bp.page, bp.read, consumed, overwritten(w, pc));
}

/* @pc: the CPU's ring_buffer_per_cpu; NULL: it has none that is of use. */
static enum err walk_cpu(struct ft_walk *w, const void *pc)
{
	const struct ft_layout *l = w->ring->layout;
	size_t size = l->per_cpu_size;
	uint64_t head = 0;

	if (pc)
		head = find_head(w,
				 vm_get(pc, size, &l->pc_pages) - l->bp_list.off,
				 vm_get(pc, size, &l->pc_head_page));
	if (!w->ring->has_region)
		return pc ? walk_list(w, pc, head) : ERR_NONE;
	if (pc && list_is_sound(w, vm_get(pc, size, &l->pc_reader_page), head,
				vm_get(pc, size, &l->pc_commit_page)))
		return walk_list(w, pc, head);
	if (w->stats->present) {
		w->stats->broken = true;
		diag_say(w->ring->diag,
			 "%s: CPU %u: its list of pages is damaged; they are taken as they lie in the boot-mapped region, by their time",
			 w->ring->name, w->cpu);
	}
	return walk_region(w, pc);
}

/* Damage that nothing else showed: fewer events than the kernel counted. */
static void check_count(const struct ft_walk *w)
{
	struct ft_cpu_stats *s = w->stats;

	if (!vm_has(&w->ring->layout->pc_entries) || s->partial || s->torn ||
	    s->missing || s->broken || s->events + MAX_NEST >= s->entries)
		return;
	diag_say(w->ring->diag,
		 "%s: CPU %u: %" PRIu64
		 " events that the kernel counted were not found",
		 w->ring->name, w->cpu, s->entries - s->events);
	s->broken = true;
}

/* The ring of @cpu; *@pc is allocated, NULL where it has none. */
static enum err read_per_cpu(struct ft_walk *w, void **pc)
{
	const struct ft_layout *l = w->ring->layout;
	const struct vmcore *vm = w->ring->vm;
	uint64_t addr = 0;
	enum err err;

	*pc = NULL;
	err = w->ring->buffers ?
		      vm_read_ulong(vm,
				    w->ring->buffers + w->cpu * vm->long_size,
				    &addr) :
		      ERR_BAD_DATA;
	/* A possible CPU that never came up has none, but then no bit either. */
	if (err == ERR_NONE && !addr &&
	    !(w->ring->cpumask && ft_cpumask_has(vm, w->ring->cpumask, w->cpu)))
		return ERR_NONE;
	w->stats->present = true;
	if (err == ERR_NONE)
		err = vm_dup(vm, addr, l->per_cpu_size, pc);
	if (err == ERR_NONE && vm_get(*pc, l->per_cpu_size, &l->pc_cpu) != w->cpu)
		err = ERR_BAD_DATA;
	if (err == ERR_NONE || err == ERR_NOMEM)
		return err;
	ft_walk_tell(w, "ring_buffer_per_cpu", addr, err_str(err));
	w->stats->broken = true;
	free(*pc);
	*pc = NULL;
	return ERR_NONE;
}

enum err ft_ring_walk(const struct ft_ring *ring, uint32_t cpu, ft_page_fn fn,
		      void *arg, struct ft_cpu_stats *stats)
{
	const struct ft_layout *l = ring->layout;
	struct ft_walk w = {
		.ring = ring,
		.cpu = cpu,
		.stats = stats,
		.fn = fn,
		.arg = arg,
	};
	void *pc;
	enum err err;

	memset(stats, 0, sizeof(*stats));
	err = read_per_cpu(&w, &pc);
	if (err != ERR_NONE)
		return err;
	if (pc)
		read_counters(l, pc, stats);
	err = ft_walk_begin(&w);
	if (err == ERR_NONE) {
		if (pc && l->pc_write_stamp.size <= sizeof(uint64_t))
			w.order.write_stamp =
				vm_get(pc, l->per_cpu_size, &l->pc_write_stamp);
		err = walk_cpu(&w, pc);
		/* The previous boot may have had a CPU that this one has not. */
		stats->present |= stats->pages;
		if (err == ERR_NONE && pc)
			check_count(&w);
		ft_walk_end(&w);
	}
	free(pc);
	return err;
}
