// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <traceevent/event-parse.h>
#include <traceevent/trace-seq.h>

#include "ftrace/format.h"
#include "ftrace/tables.h"
#include "views/printer.h"
#include "views/record.h"

/* So many formats that are lost are told one by one. */
#define MAX_TOLD 4
/* So many bytes of an array are shown where nothing better can be. */
#define MAX_SHOWN 64

/* A kind of event, by id. */
struct kind {
	const struct ft_event *event; /* NULL: there is none of this id */
	struct tep_event *tep;	      /* NULL: not parsed yet, or not to be */
	bool tried;
	struct rec_format format;
};

/* A trace_printk() format, for a look before libtraceevent uses it. */
struct printk {
	uint64_t addr;
	char *text;
};

struct printer {
	const struct ft_dump *dump;
	const struct ft_events *events;
	struct tep_handle *tep;
	struct kind *kind;     /* FT_EVENT_IDS of them */
	struct printk *printk; /* sorted by address */
	size_t nr_printk, printk_room;
	struct tep_event *bprint; /* libtraceevent knows one such event */
	uint8_t *data;		  /* a copy of the event, REC_SLACK behind it */
	size_t room;
	struct trace_seq seq;
	struct printer_losses losses;
};

/* libtraceevent's own warnings say what rec_fault() says better. */
static void silence(void)
{
	tep_set_loglevel(TEP_LOG_NONE);
}

/* What a table's writer wrote, as a string that the caller frees. */
struct table {
	char *text;
	size_t len;
	FILE *f;
};

static enum err table_begin(struct table *t)
{
	t->text = NULL;
	t->f = open_memstream(&t->text, &t->len);
	return t->f ? ERR_NONE : ERR_NOMEM;
}

static enum err table_end(struct table *t)
{
	return fclose(t->f) == 0 && t->text ? ERR_NONE : ERR_NOMEM;
}

static int by_addr(const void *a, const void *b)
{
	const struct printk *x = a, *y = b;

	return x->addr < y->addr ? -1 : x->addr > y->addr;
}

/* A line: 0xADDR : "TEXT", with \n, \" and the like in TEXT. */
static enum err add_printk(struct printer *p, char *line)
{
	char *text, *end;
	uint64_t addr = strtoull(line, &text, 16);

	text = strchr(text, '"');
	end = text ? strrchr(text, '"') : NULL;
	if (!text || end == text)
		return ERR_NONE;
	*end = 0;
	text++;
	if (end - text >= 2 && !strcmp(end - 2, "\\n"))
		end[-2] = 0;
	/* An event that has none of these shows the address. */
	if (!rec_printk_ok(text))
		return ERR_NONE;
	if (p->nr_printk == p->printk_room) {
		size_t room = p->printk_room ? 2 * p->printk_room : 64;
		void *more = realloc(p->printk, room * sizeof(*p->printk));

		if (!more)
			return ERR_NOMEM;
		p->printk = more;
		p->printk_room = room;
	}
	text = strdup(text);
	if (!text)
		return ERR_NOMEM;
	p->printk[p->nr_printk++] = (struct printk){ addr, text };
	return ERR_NONE;
}

/* Sort, drop what has the address of another, and tell libtraceevent. */
static enum err register_printk(struct printer *p)
{
	size_t n = 0;

	if (p->nr_printk)
		qsort(p->printk, p->nr_printk, sizeof(*p->printk), by_addr);
	for (size_t i = 0; i < p->nr_printk; i++) {
		if (n && p->printk[n - 1].addr == p->printk[i].addr)
			free(p->printk[i].text);
		else
			p->printk[n++] = p->printk[i];
	}
	p->nr_printk = n;
	for (size_t i = 0; i < n; i++) {
		char *line;
		int err;

		/* It takes off this end, and looks for it before short strings. */
		if (asprintf(&line, "%s\\n\"", p->printk[i].text) < 0)
			return ERR_NOMEM;
		err = tep_register_print_string(p->tep, line, p->printk[i].addr);
		free(line);
		if (err)
			return ERR_NOMEM;
	}
	return ERR_NONE;
}

static enum err load_printk(struct printer *p)
{
	const struct ft_dump *dump = p->dump;
	char *line, *next = NULL;
	struct table t;
	enum err err = table_begin(&t);

	if (err != ERR_NONE)
		return err;
	ft_write_printk_formats(dump->vm, &dump->layout, dump->diag, dump->boot,
				t.f);
	err = table_end(&t);
	for (line = err == ERR_NONE ? strtok_r(t.text, "\n", &next) : NULL;
	     line && err == ERR_NONE; line = strtok_r(NULL, "\n", &next))
		err = add_printk(p, line);
	free(t.text);
	return err == ERR_NONE ? register_printk(p) : err;
}

static enum err load_tables(struct printer *p)
{
	const struct ft_dump *dump = p->dump;
	struct table t;
	enum err err = table_begin(&t);

	if (err != ERR_NONE)
		return err;
	ft_write_kallsyms(dump->vm, dump->diag, dump->boot, t.f);
	err = table_end(&t);
	if (err == ERR_NONE && tep_parse_kallsyms(p->tep, t.text))
		err = ERR_NOMEM;
	free(t.text);
	if (err == ERR_NONE)
		err = load_printk(p);
	/* A pid of the previous boot was another task. */
	if (err != ERR_NONE || dump->boot)
		return err;

	err = table_begin(&t);
	if (err != ERR_NONE)
		return err;
	err = ft_write_cmdlines(dump->vm, &dump->layout, dump->diag, t.f);
	if (table_end(&t) != ERR_NONE)
		err = ERR_NOMEM;
	if (err == ERR_NONE && tep_parse_saved_cmdlines(p->tep, t.text))
		err = ERR_NOMEM;
	free(t.text);
	return err;
}

static enum err create(struct printer *p)
{
	p->tep = tep_alloc();
	p->kind = calloc(FT_EVENT_IDS, sizeof(*p->kind));
	if (!p->tep || !p->kind)
		return ERR_NOMEM;
	silence();
	tep_set_long_size(p->tep, p->dump->vm->long_size);
	tep_set_page_size(p->tep, p->dump->vm->page_size);
	for (size_t i = 0; i < p->events->count; i++)
		if (p->events->event[i].id < FT_EVENT_IDS)
			p->kind[p->events->event[i].id].event =
				&p->events->event[i];
	return load_tables(p);
}

enum err printer_create(struct printer **printer, const struct ft_dump *dump,
			const struct ft_events *events)
{
	struct printer *p = calloc(1, sizeof(*p));
	enum err err;

	*printer = NULL;
	if (!p)
		return ERR_NOMEM;
	p->dump = dump;
	p->events = events;
	trace_seq_init(&p->seq);
	err = create(p);
	if (err == ERR_NONE)
		*printer = p;
	else
		printer_destroy(p);
	return err;
}

void printer_destroy(struct printer *p)
{
	if (!p)
		return;
	if (p->tep)
		tep_free(p->tep);
	for (size_t i = 0; i < p->nr_printk; i++)
		free(p->printk[i].text);
	free(p->printk);
	free(p->kind);
	free(p->data);
	trace_seq_destroy(&p->seq);
	free(p);
}

const struct printer_losses *printer_losses(const struct printer *p)
{
	return &p->losses;
}

/* The first event of a kind: read its format and have it parsed. */
static enum err parse(struct printer *p, struct kind *k)
{
	const struct ft_dump *dump = p->dump;
	struct table t;
	enum err err = table_begin(&t);

	if (err != ERR_NONE)
		return err;
	k->tried = true;
	err = ft_event_format(k->event, p->events->common, dump->vm,
			      &dump->layout, t.f);
	if (table_end(&t) != ERR_NONE)
		err = ERR_NOMEM;
	if (err == ERR_NONE && !rec_format_text_ok(t.text))
		err = ERR_BAD_DATA;
	if (err == ERR_NONE) {
		/* One with a print fmt that it does not know is there, too. */
		tep_parse_event(p->tep, t.text, t.len, k->event->system);
		k->tep = tep_find_event(p->tep, k->event->id);
		if (!k->tep)
			err = ERR_BAD_DATA;
	}
	free(t.text);
	if (err == ERR_NOMEM)
		return err;
	if (err != ERR_NONE) {
		if (p->losses.formats++ < MAX_TOLD)
			diag_say(dump->diag,
				 "format of event %u of %s at %" PRIx64 ": %s",
				 k->event->id, k->event->system, k->event->call,
				 err_str(err));
		return ERR_NONE;
	}
	k->format = rec_judge(k->tep);
	if (k->tep->flags & TEP_EVENT_FL_ISBPRINT) {
		if (p->bprint)
			k->format.use = REC_FIELDS;
		else
			p->bprint = k->tep;
	}
	return ERR_NONE;
}

/* Libtraceevent shows the address where it has no such string. */
static const char *find_printk(struct printer *p, struct tep_event *event,
			       const void *data)
{
	struct tep_format_field *f = tep_find_field(event, "fmt");
	unsigned long long addr = 0;
	struct printk key = { 0 }, *found;

	if (!f || tep_read_number_field(f, data, &addr) || !p->nr_printk)
		return NULL;
	key.addr = addr;
	found = bsearch(&key, p->printk, p->nr_printk, sizeof(key), by_addr);
	return found ? found->text : NULL;
}

/* A field as it is: this much can always be said. */
static void put_field(struct printer *p, const struct tep_format_field *f,
		      const uint8_t *data, uint32_t len)
{
	uint32_t size = f->size;

	if (f->offset < 0 || (uint32_t)f->offset >= len)
		return;
	if (!size || size > len - f->offset)
		size = len - f->offset;
	trace_seq_printf(&p->seq, " %s=", f->name);
	if (!(f->flags & TEP_FIELD_IS_ARRAY) &&
	    (size == 1 || size == 2 || size == 4 || size == 8)) {
		trace_seq_printf(&p->seq, "0x%llx",
				 tep_read_number(p->tep, data + f->offset, size));
		return;
	}
	for (uint32_t i = 0; i < size && i < MAX_SHOWN; i++)
		trace_seq_printf(&p->seq, "%02x", data[f->offset + i]);
	if (size > MAX_SHOWN)
		trace_seq_puts(&p->seq, "...");
}

static void put_fields(struct printer *p, const struct tep_event *event,
		       const uint8_t *data, uint32_t len)
{
	for (const struct tep_format_field *f = event->format.fields; f;
	     f = f->next)
		put_field(p, f, data, len);
}

static void put_info(struct printer *p, struct kind *k, uint32_t cpu,
		     uint64_t ts, uint32_t len)
{
	struct tep_record record = {
		.ts = ts,
		.cpu = cpu,
		.size = len,
		.data = p->data,
	};
	struct tep_event *event = k->tep;
	const char *fault, *printk = NULL;
	int flags = event->flags;

	if (flags & TEP_EVENT_FL_ISBPRINT)
		printk = find_printk(p, event, p->data);
	fault = rec_fault(event, &k->format, p->data, len, printk);
	if (fault) {
		p->losses.unsound++;
		trace_seq_printf(&p->seq, "[UNSOUND: %s]", fault);
		put_fields(p, event, p->data, len);
	} else if (k->format.use == REC_FIELDS ||
		   tep_find_event_by_record(p->tep, &record) != event) {
		put_fields(p, event, p->data, len);
	} else {
		tep_print_event(p->tep, &p->seq, &record, "%s", TEP_PRINT_INFO);
		/* One printk that it cannot print is no reason to give up all. */
		event->flags = flags;
	}
}

static int pid_of(const struct printer *p, uint32_t len)
{
	const struct vm_member usual = { 4, 4 };
	const struct ft_layout *l = &p->dump->layout;

	return (int)vm_get(p->data, len,
			   vm_has(&l->te_pid) ? &l->te_pid : &usual);
}

static void put_head(struct printer *p, const struct ft_instance *in,
		     uint32_t cpu, uint64_t ts, int pid, const char *name)
{
	/* tep_data_comm_from_pid() knows some for pids it does not know, too. */
	trace_seq_printf(&p->seq, "%16s-%-5d [%03u]",
			 tep_data_comm_from_pid(p->tep, pid), pid, cpu);
	if (in->clock_in_ns)
		trace_seq_printf(&p->seq, " %5" PRIu64 ".%06" PRIu64 ":",
				 (ts + 500) / 1000 / 1000000,
				 (ts + 500) / 1000 % 1000000);
	else
		trace_seq_printf(&p->seq, "%12" PRIu64 ":", ts);
	trace_seq_printf(&p->seq, " %s: %*s", name,
			 strlen(name) < 20 ? (int)(20 - strlen(name)) : 0, "");
}

static enum err copy(struct printer *p, const uint8_t *data, uint32_t len)
{
	if (p->room < len + REC_SLACK) {
		void *more = realloc(p->data, len + REC_SLACK);

		if (!more)
			return ERR_NOMEM;
		p->data = more;
		p->room = len + REC_SLACK;
	}
	memcpy(p->data, data, len);
	memset(p->data + len, 0, REC_SLACK);
	return ERR_NONE;
}

enum err printer_event(struct printer *p, FILE *out,
		       const struct ft_instance *in, uint32_t cpu, uint64_t ts,
		       const uint8_t *data, uint32_t len)
{
	const struct vm_member usual = { 0, 2 };
	const struct ft_layout *l = &p->dump->layout;
	struct trace_seq *s = &p->seq;
	struct kind *k;
	uint32_t id;
	enum err err = copy(p, data, len);

	if (err != ERR_NONE)
		return err;
	id = vm_get(p->data, len, vm_has(&l->te_type) ? &l->te_type : &usual) %
	     FT_EVENT_IDS;
	k = &p->kind[id];
	if (k->event && !k->tried)
		err = parse(p, k);
	if (err != ERR_NONE)
		return err;

	trace_seq_reset(s);
	put_head(p, in, cpu, ts, pid_of(p, len),
		 k->tep ? k->tep->name : "unknown");
	if (k->tep) {
		put_info(p, k, cpu, ts, len);
	} else {
		p->losses.unknown++;
		trace_seq_printf(s, "[NO FORMAT OF EVENT %u]", id);
		for (uint32_t i = 0; i < len && i < MAX_SHOWN; i++)
			trace_seq_printf(s, " %02x", p->data[i]);
	}
	if (s->state != TRACE_SEQ__GOOD)
		return ERR_NOMEM;
	if (s->len && s->buffer[s->len - 1] == '\n')
		s->len--;
	fwrite(s->buffer, s->len, 1, out);
	fputc('\n', out);
	return ERR_NONE;
}
