// SPDX-License-Identifier: GPL-2.0-or-later
#include <ctype.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cursor.h"
#include "ftrace/filter.h"
#include "ftrace/format.h"

struct walk {
	struct ft_filter *filter;
	const struct ft_instance *in;
	const struct ft_layout *layout;
	ft_page_fn fn;
	void *arg;
	struct ft_page out;
	bool lost;	     /* before the next event that stays */
	uint64_t lost_count; /* 0: nobody knows */
	uint64_t pages, events;
};

static bool matches(const char *pattern, const char *system, const char *name)
{
	char full[2 * FT_MAX_NAME + 2];

	snprintf(full, sizeof(full), "%s:%s", system, name);
	return !fnmatch(pattern, strchr(pattern, ':') ? full : name, 0) ||
	       !fnmatch(pattern, system, 0);
}

enum err ft_filter_events(struct ft_filter *filter,
			  const struct ft_events *events,
			  const struct vmcore *vm,
			  const struct ft_layout *layout, char *list,
			  const char **unknown)
{
	char *save = NULL;

	filter->wanted = calloc(1, FT_EVENT_IDS / 8);
	if (!filter->wanted)
		return ERR_NOMEM;
	*unknown = "";
	if (!list[strspn(list, ",")])
		return ERR_BAD_DATA;
	for (char *pattern = strtok_r(list, ",", &save); pattern;
	     pattern = strtok_r(NULL, ",", &save)) {
		bool found = false;

		for (size_t i = 0; i < events->count; i++) {
			const struct ft_event *event = &events->event[i];
			char name[FT_MAX_NAME];

			/* A system can be asked for though names are damaged. */
			if (ft_event_name(event, vm, layout, name,
					  sizeof(name)) != ERR_NONE)
				name[0] = 0;
			if (event->id >= FT_EVENT_IDS ||
			    !matches(pattern, event->system, name))
				continue;
			filter->wanted[event->id / 8] |= 1u << event->id % 8;
			found = true;
		}
		if (!found) {
			*unknown = pattern;
			return ERR_BAD_DATA;
		}
	}
	return ERR_NONE;
}

/*
 * Seconds with up to nine decimals, up to @stop. Of up to six decimals, which
 * are what reports show, anything counts that is rounded to it: @late gives the
 * last such time, else it is the first.
 */
static bool parse_border(const char *text, char stop, bool late,
			 struct ft_border *border)
{
	const uint64_t half = 500;
	uint64_t ns, unit = 1000000000;
	int decimals = 0;

	if (*text == stop)
		return true;
	border->set = true;
	border->ticks = 0;
	if (!isdigit((unsigned char)*text))
		return false;
	for (; isdigit((unsigned char)*text); text++)
		if (__builtin_mul_overflow(border->ticks, 10, &border->ticks) ||
		    __builtin_add_overflow(border->ticks, *text - '0',
					   &border->ticks))
			return false;
	/* Ticks may be so many that they are no time in nanoseconds. */
	if (__builtin_mul_overflow(border->ticks, unit, &ns))
		ns = UINT64_MAX - unit;
	if (*text == '.') {
		for (text++; isdigit((unsigned char)*text); text++) {
			if (++decimals > 9)
				return false;
			unit /= 10;
			ns += (*text - '0') * unit;
		}
	}
	if (decimals <= 6 && late)
		ns += half - 1;
	else if (decimals <= 6)
		ns = ns > half ? ns - half : 0;
	border->ns = ns;
	return *text == stop;
}

bool ft_filter_times(struct ft_filter *filter, const char *text)
{
	const char *comma = strchr(text, ',');

	memset(&filter->from, 0, sizeof(filter->from));
	memset(&filter->to, 0, sizeof(filter->to));
	return comma && parse_border(text, ',', false, &filter->from) &&
	       parse_border(comma + 1, 0, true, &filter->to) &&
	       (filter->from.set || filter->to.set) &&
	       !(filter->from.set && filter->to.set &&
		 filter->from.ns > filter->to.ns);
}

void ft_filter_deinit(struct ft_filter *filter)
{
	free(filter->wanted);
	filter->wanted = NULL;
}

static uint64_t border_of(const struct walk *w, const struct ft_border *border)
{
	return w->in->clock_in_ns ? border->ns : border->ticks;
}

static bool too_old(const struct walk *w, uint64_t ts)
{
	const struct ft_filter *f = w->filter;

	return (f->from.set && ts < border_of(w, &f->from)) || ts < f->since;
}

static bool too_new(const struct walk *w, uint64_t ts)
{
	return w->filter->to.set && ts > border_of(w, &w->filter->to);
}

static uint32_t event_id(const struct walk *w, const struct ft_page_event *ev)
{
	const struct vm_member first = { 0, 2 };
	const struct vm_member *type =
		vm_has(&w->layout->te_type) ? &w->layout->te_type : &first;

	/* An event too short to have one has 0, which none is. */
	return vm_get(ev->data, ev->len, type);
}

static bool wants(struct walk *w, const struct ft_page_event *ev)
{
	struct ft_filter *f = w->filter;
	uint32_t id;

	if (too_old(w, ev->ts) || too_new(w, ev->ts))
		return false;
	if (f->wanted) {
		id = event_id(w, ev);
		if (id >= FT_EVENT_IDS || !(f->wanted[id / 8] >> id % 8 & 1))
			return false;
	}
	if (f->skip && ev->ts == f->since) {
		f->skip--;
		return false;
	}
	return true;
}

/* What was lost before @page is lost before what is left of it, or follows. */
static void add_loss(struct walk *w, const struct ft_page *page)
{
	uint64_t count;

	if (!page->missed)
		return;
	count = ft_page_lost(page, w->layout);
	if (!w->lost)
		w->lost_count = count;
	else if (!count || !w->lost_count)
		w->lost_count = 0;
	else
		w->lost_count += count;
	w->lost = true;
}

/* The events of @page that are wanted go to w->out. */
static void pick(struct walk *w, const struct ft_page *page)
{
	struct ft_page_pos pos = { 0, page->first_ts };
	uint8_t *data = w->out.buf + w->layout->dp_data.off;
	struct ft_page_event ev;
	bool first = true;

	w->out.events = 0;
	w->out.data_end = 0;
	while (ft_page_next_event(page, w->layout, &pos, &ev)) {
		uint64_t delta;

		/* A loss before the first event is not one among newer ones. */
		if (first && too_old(w, ev.ts))
			w->lost = false;
		first = false;
		if (!wants(w, &ev))
			continue;
		if (!w->out.events)
			w->out.first_ts = w->out.last_ts = ev.ts;
		/*
		 * This fits: an event that needs an extension now had one, or
		 * has lost a neighbour, which was as long.
		 */
		delta = ev.ts - w->out.last_ts;
		w->out.data_end +=
			ft_event_put(data + w->out.data_end, &ev, delta);
		w->out.last_ts = ev.ts;
		w->out.events++;
	}
}

static enum err filter_page(void *arg, const struct ft_page *page)
{
	struct walk *w = arg;
	const struct vm_member *stamp = &w->layout->dp_time_stamp;

	add_loss(w, page);
	if (too_old(w, page->last_ts)) {
		w->lost = false;
		return ERR_NONE;
	}
	if (too_new(w, page->first_ts))
		return ERR_NONE;
	pick(w, page);
	if (!w->out.events)
		return ERR_NONE;

	memcpy(w->out.buf, page->buf, w->layout->dp_data.off);
	memcpy(w->out.buf + stamp->off, &w->out.first_ts,
	       sizeof(w->out.first_ts));
	w->out.missed = false;
	w->out.discarded = false;
	ft_page_finish(&w->out, w->layout, w->lost, w->lost_count);
	w->lost = false;
	w->pages++;
	w->events += w->out.events;
	return w->fn(w->arg, &w->out);
}

enum err ft_filter_walk(struct ft_filter *filter, const struct ft_instance *in,
			const struct ft_ring *ring, uint32_t cpu, ft_page_fn fn,
			void *arg, struct ft_cpu_stats *stats)
{
	struct walk w = {
		.filter = filter,
		.in = in,
		.layout = ring->layout,
		.fn = fn,
		.arg = arg,
		.out.size = ring->subbuf_size,
	};
	struct ft_ring end = *ring;
	enum err err;

	if (!filter)
		return ft_ring_walk(ring, cpu, fn, arg, stats);
	end.tail_since = filter->since;
	if (filter->from.set && border_of(&w, &filter->from) > end.tail_since)
		end.tail_since = border_of(&w, &filter->from);
	w.out.buf = malloc(ring->subbuf_size);
	if (!w.out.buf)
		return ERR_NOMEM;
	err = ft_ring_walk(&end, cpu, filter_page, &w, stats);
	stats->pages = w.pages;
	stats->events = w.events;
	free(w.out.buf);
	return err;
}
