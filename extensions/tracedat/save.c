// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "ftrace/format.h"
#include "ftrace/tables.h"
#include "tracedat/save.h"
#include "tracedat/tracedat.h"

/* So many lost formats are told one by one, the rest by the verdict. */
#define MAX_TOLD 4

struct save {
	const struct ft_dump *dump;
	struct tracedat td;
	struct ft_events events;
	struct ft_totals *totals;
	const char *clock; /* of the file; NULL: that of the top buffer */
};

/* Is this an event of the tracers themselves, with a section of its own? */
static bool is_ftrace(const struct ft_event *event)
{
	return !strcmp(event->system, "ftrace");
}

/*
 * One event's format, preceded by its size. A format that cannot be read is
 * left out: a half one would make readers reject the whole file.
 */
static enum err save_format(struct save *s, const struct ft_event *event,
			    uint32_t *count)
{
	const struct ft_dump *dump = s->dump;
	char *text = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&text, &len);
	enum err err;

	if (!f)
		return ERR_NOMEM;
	err = ft_event_format(event, s->events.common, dump->vm, &dump->layout,
			      f);
	if (fclose(f) != 0)
		err = ERR_NOMEM;
	if (err == ERR_NONE) {
		/* To go back for the size would be a call to the kernel or two. */
		out_uint(s->td.out, len, 8);
		out_write(s->td.out, text, len);
		++*count;
	} else if (err != ERR_NOMEM) {
		s->totals->formats++;
		if (s->totals->formats <= MAX_TOLD)
			diag_say(dump->diag,
				 "format of event %u of %s at %" PRIx64 ": %s",
				 event->id, event->system, event->call,
				 err_str(err));
		err = ERR_NONE;
	}
	free(text);
	return err;
}

/* The formats from @i on that belong to one system; *@i moves behind them. */
static enum err save_system(struct save *s, size_t *i)
{
	const struct ft_events *ev = &s->events;
	const char *system = ev->event[*i].system;
	uint64_t count_at = out_pos(s->td.out);
	uint32_t count = 0;

	out_uint(s->td.out, 0, 4);
	for (; *i < ev->count && !strcmp(ev->event[*i].system, system); ++*i) {
		enum err err;

		if (vm_interrupted(s->dump->vm))
			return ERR_INTERRUPTED;
		err = save_format(s, &ev->event[*i], &count);
		if (err != ERR_NONE)
			return err;
	}
	return out_patch(s->td.out, count_at, count, 4);
}

static enum err save_ftrace_formats(struct save *s)
{
	const struct ft_events *ev = &s->events;
	enum err err = ERR_NONE;
	size_t i = 0;

	td_section_begin(&s->td, TD_FTRACE_EVENTS, "ftrace events");
	while (i < ev->count && !is_ftrace(&ev->event[i]))
		i++;
	if (i < ev->count)
		err = save_system(s, &i);
	else
		out_uint(s->td.out, 0, 4);
	td_section_end(&s->td);
	return err;
}

static enum err save_event_formats(struct save *s)
{
	const struct ft_events *ev = &s->events;
	uint64_t count_at;
	uint32_t systems = 0;
	size_t i = 0;

	td_section_begin(&s->td, TD_EVENT_FORMATS, "events format");
	count_at = out_pos(s->td.out);
	out_uint(s->td.out, 0, 4);
	while (i < ev->count) {
		enum err err;

		if (is_ftrace(&ev->event[i])) {
			i++;
			continue;
		}
		out_str(s->td.out, ev->event[i].system);
		err = save_system(s, &i);
		if (err != ERR_NONE)
			return err;
		systems++;
	}
	out_patch(s->td.out, count_at, systems, 4);
	return td_section_end(&s->td);
}

static void save_header_info(struct save *s, size_t subbuf_size)
{
	const struct ft_dump *dump = s->dump;
	struct outfile *out = s->td.out;

	td_section_begin(&s->td, TD_HEADER_INFO, "headers");
	out_str(out, "header_page");
	td_blob_begin(&s->td, 8);
	ft_write_header_page(&dump->layout, subbuf_size,
			     ft_events_char_signed(&s->events, dump->vm,
						   &dump->layout),
			     out->f);
	td_blob_end(&s->td);
	out_str(out, "header_event");
	td_blob_begin(&s->td, 8);
	ft_write_header_event(out->f);
	td_blob_end(&s->td);
	td_section_end(&s->td);
}

static enum err save_tables(struct save *s)
{
	const struct ft_dump *dump = s->dump;
	struct outfile *out = s->td.out;
	enum err err = ERR_NONE;

	td_section_begin(&s->td, TD_KALLSYMS, "kallsyms");
	td_blob_begin(&s->td, 4);
	ft_write_kallsyms(dump->vm, dump->diag, dump->boot, out->f);
	td_blob_end(&s->td);
	td_section_end(&s->td);

	td_section_begin(&s->td, TD_PRINTK, "printk");
	td_blob_begin(&s->td, 4);
	ft_write_printk_formats(dump->vm, &dump->layout, dump->diag, dump->boot,
				out->f);
	td_blob_end(&s->td);
	td_section_end(&s->td);

	td_section_begin(&s->td, TD_CMDLINES, "command lines");
	td_blob_begin(&s->td, 8);
	/* A pid of the previous boot was another task. */
	if (!dump->boot)
		err = ft_write_cmdlines(dump->vm, &dump->layout, dump->diag,
					out->f);
	td_blob_end(&s->td);
	td_section_end(&s->td);
	return err;
}

/* As trace-cmd has it: "sysname nodename release machine". */
static void save_uname(struct save *s)
{
	static const char *const names[] = {
		"sysname",
		"nodename",
		"release",
		"machine",
	};
	const struct vmcore *vm = s->dump->vm;
	char word[4][65], text[sizeof(word) + 4];
	struct vm_member name;
	uint64_t uts;

	if (!vm_symbol(vm, "init_uts_ns", &uts) ||
	    !vm->ops->member(vm->ctx, "uts_namespace", "name", &name))
		return;
	for (int i = 0; i < 4; i++) {
		struct vm_member m;

		if (!vm->ops->member(vm->ctx, "new_utsname", names[i], &m) ||
		    vm_read_str(vm, uts + name.off + m.off, word[i],
				sizeof(word[i])) != ERR_NONE)
			return;
	}
	snprintf(text, sizeof(text), "%s %s %s %s", word[0], word[1], word[2],
		 word[3]);
	td_option_str(&s->td, TD_UNAME, text);
}

/* As trace-cmd saves per_cpu/cpuN/stats, which has no time of "now" here. */
static void save_cpu_stats(struct save *s, const struct ft_instance *in,
			   uint32_t cpu, const struct ft_cpu_stats *st)
{
	char text[512], oldest[32];

	/* Nobody has looked for it where older events are not wanted. */
	if (st->partial)
		snprintf(oldest, sizeof(oldest), "-");
	else
		ft_instance_time(in, st->first_ts, oldest, sizeof(oldest));
	snprintf(text, sizeof(text),
		 "CPU: %u\nentries: %" PRIu64 "\noverrun: %" PRIu64
		 "\ncommit overrun: %" PRIu64 "\nbytes: %" PRIu64
		 "\noldest event ts: %12s\ndropped events: %" PRIu64
		 "\nread events: %" PRIu64 "\n",
		 cpu, st->entries, st->overrun, st->commit_overrun, st->bytes,
		 oldest, st->dropped, st->read);
	td_option_str(&s->td, TD_CPUSTAT, text);
}

static enum err save_page(void *arg, const struct ft_page *page)
{
	struct save *s = arg;

	return td_page(&s->td, page->buf);
}

static enum err save_ring(struct save *s, const struct ft_instance *in,
			  const struct ft_ring *ring)
{
	char title[sizeof(in->name) + 32];
	uint64_t cpus = 0;

	s->totals->buffers++;
	if (in->name[0]) {
		/* So trace-cmd tells apart whose the CPUs that follow are. */
		snprintf(title, sizeof(title), "\nBuffer: %s\n\n", in->name);
		td_option_str(&s->td, TD_CPUSTAT, title);
	}
	for (uint32_t cpu = 0; cpu < ring->nr_cpus; cpu++) {
		struct ft_cpu_stats stats;
		enum err err;

		if (!ft_dump_wants_cpu(s->dump, cpu))
			continue;
		td_cpu_begin(&s->td, cpu);
		err = ft_filter_walk(s->dump->filter, in, ring, cpu, save_page,
				     s, &stats);
		if (err != ERR_NONE)
			return err;
		if (!stats.present)
			continue;
		cpus++;
		ft_totals_add(s->totals, &stats);
		save_cpu_stats(s, in, cpu, &stats);
	}
	if (cpus > s->totals->cpus)
		s->totals->cpus = cpus;
	return s->td.out->err;
}

/* An instance whose ring cannot be opened still has its place in the file. */
static enum err save_instance(struct save *s, const struct ft_instance *in)
{
	struct ft_ring ring;
	enum err err = ERR_NONE;
	bool open;

	open = in->selected && ft_dump_open_ring(s->dump, in, &ring) == ERR_NONE;
	if (in->selected && !open)
		s->totals->broken++;
	if (!open && in->name[0])
		return ERR_NONE;

	td_buffer_begin(&s->td, in->name, in->clock,
			open ? ring.subbuf_size : s->dump->vm->page_size);
	if (open)
		err = save_ring(s, in, &ring);
	td_buffer_end(&s->td);
	return err;
}

/* Each that save_instance() will write, but for the top one. */
static void announce_buffers(struct save *s)
{
	const struct ft_dump *dump = s->dump;

	for (size_t i = 0; i < dump->instances.count; i++) {
		const struct ft_instance *in = &dump->instances.instance[i];
		struct ft_ring ring;

		if (in->selected && in->name[0] &&
		    ft_ring_open(&ring, dump->vm, &dump->layout, dump->diag,
				 in->buffer, "") == ERR_NONE)
			td_announce(&s->td, in->name);
	}
}

static enum err save_buffers(struct save *s)
{
	/* Readers insist on a top buffer, and take the clock from it. */
	static const struct ft_instance no_top = {
		.clock = "local",
		.clock_in_ns = true,
	};
	const struct ft_instances *ins = &s->dump->instances;
	char clock[64];
	enum err err;

	const struct ft_instance *top = ins->count && !ins->instance[0].name[0] ?
						&ins->instance[0] :
						&no_top;

	snprintf(clock, sizeof(clock), "[%s]", s->clock ? s->clock : top->clock);
	td_option_str(&s->td, TD_TRACECLOCK, clock);
	announce_buffers(s);
	err = save_instance(s, top);
	for (size_t i = 0; err == ERR_NONE && i < ins->count; i++)
		if (&ins->instance[i] != top)
			err = save_instance(s, &ins->instance[i]);
	return err;
}

/* What holds for the whole file. */
struct sizes {
	size_t subbuf; /* of the top buffer; in version 6 of all */
	uint32_t cpus;
	const char *clock; /* of the first buffer saved; NULL: there is none */
};

/*
 * Version 6 has one size of sub-buffers and one clock. Clocks that count
 * nanoseconds look alike in it.
 */
static bool fits_v6(const struct ft_dump *dump, const struct ft_instance *first,
		    size_t first_size, const struct ft_instance *in, size_t size)
{
	if (first_size != size)
		diag_say(dump->diag,
			 "version 6 holds one size of sub-buffers: %s has %zu bytes, %s %zu; save them apart (-b), or without -6",
			 ft_instance_label(first), first_size,
			 ft_instance_label(in), size);
	else if (first->clock_in_ns != in->clock_in_ns ||
		 (!in->clock_in_ns && strcmp(first->clock, in->clock)))
		diag_say(dump->diag,
			 "version 6 holds one clock: %s has %s, %s %s; save them apart (-b), or without -6",
			 ft_instance_label(first), first->clock,
			 ft_instance_label(in), in->clock);
	else
		return true;
	return false;
}

static enum err file_sizes(const struct ft_dump *dump, struct sizes *sizes)
{
	const struct ft_instances *ins = &dump->instances;
	const struct ft_instance *first = NULL;

	sizes->subbuf = dump->vm->page_size;
	sizes->cpus = 0;
	sizes->clock = NULL;
	for (size_t i = 0; i < ins->count; i++) {
		const struct ft_instance *in = &ins->instance[i];
		struct ft_ring ring;

		if (ft_ring_open(&ring, dump->vm, &dump->layout, dump->diag,
				 in->buffer, "") != ERR_NONE)
			continue;
		if (ring.nr_cpus > sizes->cpus)
			sizes->cpus = ring.nr_cpus;
		if (!dump->v6 && !in->name[0])
			sizes->subbuf = ring.subbuf_size;
		if (!in->selected)
			continue;
		if (!first) {
			first = in;
			sizes->clock = in->clock;
			if (dump->v6)
				sizes->subbuf = ring.subbuf_size;
		} else if (dump->v6 && !fits_v6(dump, first, sizes->subbuf, in,
						ring.subbuf_size)) {
			return ERR_UNSUPPORTED;
		}
	}
	return ERR_NONE;
}

static enum err save_all(struct save *s)
{
	struct sizes sizes;
	enum err err;

	err = file_sizes(s->dump, &sizes);
	if (err != ERR_NONE)
		return err;
	s->clock = sizes.clock;
	err = td_init(&s->td, s->td.out,
		      &(struct td_header){
			      .v6 = s->dump->v6,
			      .cpus = sizes.cpus,
			      .long_size = s->dump->vm->long_size,
			      .page_size = sizes.subbuf,
		      });
	if (err != ERR_NONE)
		return err;

	save_header_info(s, sizes.subbuf);
	err = save_ftrace_formats(s);
	if (err == ERR_NONE)
		err = save_event_formats(s);
	if (err == ERR_NONE)
		err = save_tables(s);
	if (err != ERR_NONE)
		return err;

	save_uname(s);
	td_option_str(&s->td, TD_VERSION, "ftdump (crash-coresight)");
	td_option_u32(&s->td, TD_CPUCOUNT, sizes.cpus);
	err = save_buffers(s);
	/* A file without one buffer is of no use, and might replace another. */
	if (err == ERR_NONE && !s->totals->buffers)
		err = ERR_BAD_DATA;
	return err == ERR_NONE ? td_finish(&s->td) : err;
}

enum err td_save(const struct ft_dump *dump, struct outfile *out,
		 struct ft_totals *totals)
{
	struct save s = { .dump = dump, .totals = totals, .td.out = out };
	enum err err;

	memset(totals, 0, sizeof(*totals));
	totals->broken = dump->instances.damaged;
	err = ft_events_init(&s.events, dump->vm, &dump->layout, dump->diag);
	if (err != ERR_NONE && err != ERR_UNSUPPORTED)
		return err;
	totals->formats = s.events.damaged;
	err = save_all(&s);
	ft_events_deinit(&s.events);
	td_deinit(&s.td);
	return err;
}
