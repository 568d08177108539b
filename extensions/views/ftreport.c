// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "views/ftreport.h"
#include "views/printer.h"
#include "views/spool.h"

/* So many bytes of text are gathered: crash's own files have no buffer. */
#define TEXT_SIZE (64 << 10)

/* One CPU of one buffer, while its events are merged with the others'. */
struct stream {
	const struct ft_instance *in;
	uint32_t cpu;
	struct ft_page page;
	struct ft_page_pos pos;
	struct ft_page_event event; /* the next one */
	bool lost;		    /* events before it */
};

struct report {
	const struct ft_dump *dump;
	FILE *out;
	FILE *text; /* what goes there next, in memory */
	char *gathered;
	size_t gathered_len;
	struct ft_report_result *result;
	struct spool spool;
	struct stream *stream; /* as many as the spool has */
	size_t room;
	size_t *heap;	/* of streams by time, then by number */
	size_t count;	/* in the heap */
	int name_width; /* of instances; 0: there is but the top one */
};

static enum err io_error(struct report *r, const char *what, int sys_errno)
{
	r->result->what = what;
	r->result->sys_errno = sys_errno;
	return ERR_IO;
}

static enum err spool_page(void *arg, const struct ft_page *page)
{
	struct report *r = arg;
	enum err err = spool_add(&r->spool, page->buf);

	if (err != ERR_IO)
		return err;
	return io_error(r,
			getenv("TMPDIR") ? "keeping pages in $TMPDIR" :
					   "keeping pages in /tmp",
			r->spool.sys_errno);
}

static enum err new_stream(struct report *r, const struct ft_instance *in,
			   uint32_t cpu, size_t page_size)
{
	size_t n = r->spool.count;

	if (n == r->room) {
		size_t room = n ? 2 * n : 16;
		void *p = realloc(r->stream, room * sizeof(*r->stream));

		if (!p)
			return ERR_NOMEM;
		r->stream = p;
		r->room = room;
	}
	r->stream[n] = (struct stream){
		.in = in,
		.cpu = cpu,
		.page.size = page_size,
	};
	return spool_begin(&r->spool, page_size);
}

static enum err spool_ring(struct report *r, const struct ft_instance *in,
			   const struct ft_ring *ring)
{
	struct ft_totals *totals = &r->result->totals;
	uint64_t cpus = 0;

	totals->buffers++;
	if (in->name[0] && r->name_width < (int)strlen(in->name))
		r->name_width = strlen(in->name);
	for (uint32_t cpu = 0; cpu < ring->nr_cpus; cpu++) {
		struct ft_cpu_stats stats;
		enum err err;

		if (!ft_dump_wants_cpu(r->dump, cpu))
			continue;
		err = new_stream(r, in, cpu, ring->subbuf_size);
		if (err == ERR_NONE)
			err = ft_filter_walk(r->dump->filter, in, ring, cpu,
					     spool_page, r, &stats);
		if (err != ERR_NONE)
			return err;
		if (!stats.present)
			continue;
		cpus++;
		ft_totals_add(totals, &stats);
	}
	if (cpus > totals->cpus)
		totals->cpus = cpus;
	return ERR_NONE;
}

static enum err spool_all(struct report *r)
{
	const struct ft_instances *ins = &r->dump->instances;

	for (size_t i = 0; i < ins->count; i++) {
		const struct ft_instance *in = &ins->instance[i];
		struct ft_ring ring;
		enum err err;

		if (!in->selected)
			continue;
		if (ft_dump_open_ring(r->dump, in, &ring) != ERR_NONE) {
			r->result->totals.broken++;
			continue;
		}
		err = spool_ring(r, in, &ring);
		if (err != ERR_NONE)
			return err;
	}
	return ERR_NONE;
}

/* The next event of stream @i; *@more is false at its end. */
static enum err advance(struct report *r, size_t i, bool *more)
{
	const struct ft_layout *layout = &r->dump->layout;
	struct stream *s = &r->stream[i];
	enum err err;

	*more = true;
	s->lost = false;
	while (!s->page.buf ||
	       !ft_page_next_event(&s->page, layout, &s->pos, &s->event)) {
		if (!s->page.buf) {
			s->page.buf = malloc(s->page.size);
			if (!s->page.buf)
				return ERR_NOMEM;
		}
		*more = spool_take(&r->spool, i, s->page.buf, &err);
		if (err != ERR_NONE)
			return io_error(r, "reading that file again",
					r->spool.sys_errno);
		if (!*more || ft_page_check(&s->page, layout) != ERR_NONE) {
			/* It was sound when it was written. */
			*more = false;
			free(s->page.buf);
			s->page.buf = NULL;
			return ERR_NONE;
		}
		s->pos = (struct ft_page_pos){ 0, s->page.first_ts };
		s->lost = s->page.missed;
	}
	return ERR_NONE;
}

static bool before(const struct report *r, size_t a, size_t b)
{
	uint64_t x = r->stream[a].event.ts, y = r->stream[b].event.ts;

	return x != y ? x < y : a < b;
}

/* The top of the heap may be too late: let it sink. */
static void sink(struct report *r, size_t at)
{
	size_t i = r->heap[at], child;

	for (; (child = 2 * at + 1) < r->count; at = child) {
		if (child + 1 < r->count &&
		    before(r, r->heap[child + 1], r->heap[child]))
			child++;
		if (before(r, i, r->heap[child]))
			break;
		r->heap[at] = r->heap[child];
	}
	r->heap[at] = i;
}

static enum err start_merge(struct report *r)
{
	r->heap = calloc(r->spool.count ? r->spool.count : 1, sizeof(*r->heap));
	if (!r->heap)
		return ERR_NOMEM;
	for (size_t i = 0; i < r->spool.count; i++) {
		bool more;
		enum err err = advance(r, i, &more);

		if (err != ERR_NONE)
			return err;
		if (more)
			r->heap[r->count++] = i;
	}
	for (size_t i = r->count / 2; i-- > 0;)
		sink(r, i);
	return ERR_NONE;
}

static void print_name(struct report *r, const struct stream *s)
{
	if (r->name_width && s->in->name[0])
		fprintf(r->text, "%*s: ", r->name_width, s->in->name);
	else if (r->name_width)
		fprintf(r->text, "%*s  ", r->name_width, "");
}

/* The name stands on each line, also behind a loss, unlike in trace-cmd. */
static void print_front(struct report *r, const struct stream *s)
{
	uint64_t count;

	print_name(r, s);
	if (!s->lost)
		return;
	count = ft_page_lost(&s->page, &r->dump->layout);
	if (count)
		fprintf(r->text,
			"CPU:%" PRIu32 " [%" PRIu64 " EVENTS DROPPED]\n",
			s->cpu, count);
	else
		fprintf(r->text, "CPU:%" PRIu32 " [EVENTS DROPPED]\n", s->cpu);
	print_name(r, s);
}

/* Hand on what was gathered. */
static enum err flush(struct report *r)
{
	if (fflush(r->text) != 0)
		return ERR_NOMEM;
	errno = 0;
	if (r->gathered_len &&
	    fwrite(r->gathered, r->gathered_len, 1, r->out) != 1)
		return io_error(r, "writing the report", errno);
	rewind(r->text);
	return ERR_NONE;
}

static enum err merge(struct report *r, struct printer *printer)
{
	enum err err = start_merge(r);

	while (err == ERR_NONE && r->count) {
		size_t i = r->heap[0];
		struct stream *s = &r->stream[i];
		bool more;

		if (vm_interrupted(r->dump->vm))
			return ERR_INTERRUPTED;
		print_front(r, s);
		err = printer_event(printer, r->text, s->in, s->cpu,
				    s->event.ts, s->event.data, s->event.len);
		if (err == ERR_NONE && ftell(r->text) >= TEXT_SIZE)
			err = flush(r);
		if (err == ERR_NONE)
			err = advance(r, i, &more);
		if (err != ERR_NONE)
			return err;
		if (!more)
			r->heap[0] = r->heap[--r->count];
		if (r->count)
			sink(r, 0);
	}
	return err;
}

static enum err report(struct report *r)
{
	const struct ft_dump *dump = r->dump;
	struct ft_totals *totals = &r->result->totals;
	const struct printer_losses *losses;
	struct ft_events events = { 0 };
	struct printer *printer;
	enum err err = spool_all(r);

	if (err != ERR_NONE)
		return err;
	if (!totals->buffers)
		return ERR_BAD_DATA;
	err = ft_events_init(&events, dump->vm, &dump->layout, dump->diag);
	if (err != ERR_NONE && err != ERR_UNSUPPORTED)
		return err;
	err = printer_create(&printer, dump, &events);
	if (err == ERR_NONE) {
		err = merge(r, printer);
		/* What was printed before an interruption is good. */
		if (err == ERR_NONE || err == ERR_INTERRUPTED) {
			enum err last = flush(r);

			err = err == ERR_NONE ? last : err;
		}
		losses = printer_losses(printer);
		totals->formats = events.damaged + losses->formats;
		r->result->unprinted = losses->unknown + losses->unsound;
		printer_destroy(printer);
	}
	ft_events_deinit(&events);
	return err;
}

enum err ft_report(const struct ft_dump *dump, FILE *out,
		   struct ft_report_result *result)
{
	struct report r = { .dump = dump, .out = out, .result = result };
	enum err err;

	memset(result, 0, sizeof(*result));
	result->totals.broken = dump->instances.damaged;
	err = spool_init(&r.spool);
	if (err == ERR_IO)
		return io_error(&r,
				getenv("TMPDIR") ? "making a file in $TMPDIR" :
						   "making a file in /tmp",
				r.spool.sys_errno);
	r.text = open_memstream(&r.gathered, &r.gathered_len);
	err = r.text ? report(&r) : ERR_NOMEM;
	if (r.text)
		fclose(r.text);
	free(r.gathered);
	for (size_t i = 0; i < r.spool.count; i++)
		free(r.stream[i].page.buf);
	free(r.stream);
	free(r.heap);
	spool_deinit(&r.spool);
	return err;
}
