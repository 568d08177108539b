// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ftdump: the ftrace ring buffers of a dead kernel.
 *
 * This file is the command only: options, messages, help, and the order in
 * which the rooms are visited. Finding things is in ftrace/, writing them in
 * tracedat/ and views/, and crash itself is behind vmcore/.
 */
#include <defs.h>

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>

#include "base/diag.h"
#include "base/outfile.h"
#include "ftrace/dump.h"
#include "ftrace/newest.h"
#include "tracedat/save.h"
#include "views/ftlist.h"
#include "views/ftreport.h"
#include "vmcore/vmcore-crash.h"

#define DEFAULT_FILE "trace.dat"

struct options {
	char *instances; /* -b; NULL: all */
	ulong *cpu_bits; /* -c; NULL: all */
	bool v6;	 /* -6 */
	bool force;	 /* -f */
	bool list;	 /* -l */
	bool report;	 /* -r, or -p */
	bool panic;	 /* -p */
	int panic_cpu;
	char *events;	   /* -e; NULL: all */
	const char *times; /* -t; NULL: all */
	uint64_t newest;   /* -n; 0: all */
	const char *file;  /* NULL: the default one */
};

/* What -p shows where -n does not say it. */
#define DEFAULT_NEWEST 50

/* clang-format off */
static char *help_ftdump[] = {
	"ftdump",
	"the ftrace ring buffers: shown, or written to a trace.dat file",
	/* One string of five lines. */
	("[-b instance,...] [-c cpulist] [FILTER] [-f] [-6] [outfile]\n"
	 "  ftdump -r [-b instance,...] [-c cpulist] [FILTER]\n"
	 "  ftdump -p [-b instance,...] [FILTER]\n"
	 "  ftdump -l [-b instance,...] [-c cpulist]\n"
	 "  ftdump -h\n"
	 "  FILTER: [-e event,...] [-n number] [-t from,to]"),

	"  This command finds the ftrace ring buffers of the dead kernel, the top",
	"  one and those of all instances, boot-mapped (persistent) ones included,",
	"  and writes them to a file that trace-cmd and KernelShark read. Formats of",
	"  events, symbols, trace_printk strings and names of tasks go with them.",
	"",
	"    outfile  the file to write; trace.dat in the current directory if not",
	"             given. It appears when it is complete, or not at all.",
	"",
	"         -b  only these instances, separated by commas; \"top\" is the",
	"             buffer of tracefs itself, \"INSTANCE@snapshot\" the snapshot",
	"             buffer of one, which the latency tracers (irqsoff, wakeup ...)",
	"             use too.",
	"         -c  only these CPUs, such as \"1,3-5\"; \"a\" or \"all\" is all.",
	"         -f  replace outfile if it exists.",
	"         -6  write version 6 of the file, for trace-cmd before 3.0. It has",
	"             one size of sub-buffers and no statistics; what it cannot hold",
	"             is refused.",
	"         -r  write no file, but show the events, each with its continuation",
	"             lines (stacks, say), all buffers and CPUs in the order of time,",
	"             as \"trace-cmd report -N\" does. Times of buffers with different",
	"             clocks cannot be compared; that is told.",
	"         -p  what happened last: as -r, of the CPU that panicked, the last",
	"             50 events, or as many as -n says.",
	"         -e  only these events, separated by commas: a name, \"system:name\"",
	"             or a system, each with wildcards: sched:*,irq*",
	"         -n  only the last so many of the events that are selected; 1000000",
	"             at most.",
	"         -t  only events from one time to another, as -r shows them; either",
	"             may be left out: 11.98, With -t and -n, what is older as a",
	"             whole sub-buffer is not read, and damage there not told.",
	"         -l  write no file, but list what there is: for each CPU its events",
	"             and bytes as the kernel counted them, OVERRUN (events that",
	"             newer ones replaced), LOST (events that found no room), the",
	"             times of its oldest and newest event, and the sub-buffers that",
	"             are TORN (damaged, or out of time order) or MISSING (not in",
	"             the dump).",
	"         -h  show this help.",
	"",
	"  Each sub-buffer is checked before it is written. One that is damaged or",
	"  missing is skipped and counted, and the events around the gap are marked",
	"  as having lost others. Of two whose times contradict each other both are",
	"  kept where nothing shows which is wrong; one counts as torn. The last line",
	"  sums up what was saved and lost.",
	"",
	"  -b, -c and -e add up where they are given more than once.",
	"",
	"  -r goes through a file without a name in $TMPDIR, or /tmp, that grows as",
	"  large as what it shows. An event that its own format does not fit, which",
	"  damage may do, is shown with the reason, and its bytes. [FAILED TO PARSE]",
	"  is not damage: libtraceevent does not know how to print that format, and",
	"  shows the fields one by one.",
	"",
	"  Events that had been read by the time of the crash are left out.",
	"",
	"  On a live system (crash without a dump) the buffers change while they are",
	"  read: sub-buffers may come out torn or doubled, and counts not agree.",
	"  \"trace-cmd extract\" saves the buffers of a running kernel whole.",
	"",
	"  A boot-mapped buffer that this boot did not use holds what the previous",
	"  one recorded. Its addresses are those of that boot, so it needs a file of",
	"  its own: -l marks it, and -b with its name writes it, with symbols where",
	"  that boot had them. Names of tasks of that boot are not known: <...>",
	"",
	"EXAMPLES",
	"  See what the CPU that panicked did last:",
	"",
	"    %s> ftdump -p -b top -n 2",
	"                init-1     [000]    11.992453: sched_process_wait: ...",
	"                init-1     [000]    11.992880: sched_process_wait: ...",
	"    ftdump: CPU 0, which panicked: 1 buffer, 1 CPU, 2 events in 1 page; ...",
	"",
	"  See what there is:",
	"",
	"    %s> ftdump -l -b top",
	"    top: clock local, tracer nop, sub-buffers of 4096 bytes",
	"      CPU  ENTRIES     BYTES  OVERRUN  LOST        OLDEST ...",
	"        0     6058    262292    35420     0      6.684944 ...",
	"        1     6040    264200    35586     0      6.733708 ...",
	"    ftdump: 1 buffer, 2 CPUs, 12098 events in 130 pages; 0 torn, 0 missing",
	"",
	"  Save the last events of CPU 1 and read them:",
	"",
	"    %s> ftdump -b top -c 1 cpu1.dat",
	"    ftdump: saved cpu1.dat: 1 buffer, 1 CPU, 6040 events in 65 pages, ...",
	"    %s> !trace-cmd report cpu1.dat | tail",
	NULL
};
/* clang-format on */

/* On a terminal, long work shows that it goes on: a number that is wiped. */
#define STEPS_SHOWN 8192

static bool shows_progress(void)
{
	return isatty(STDERR_FILENO) && !(pc->flags & SILENT);
}

static void step(void *ctx)
{
	uint64_t *pages = ctx;

	if (++*pages % STEPS_SHOWN == 0 && shows_progress())
		fprintf(stderr, "\rftdump: %" PRIu64 " pages ", *pages);
}

/* Before anything else is printed. */
static void wipe_progress(const uint64_t *pages)
{
	if (*pages >= STEPS_SHOWN && shows_progress())
		fprintf(stderr, "\r%*s\r", 40, "");
}

/* Messages of the rooms below go where crash's own go. */
static void say(void *ctx, const char *text)
{
	wipe_progress(ctx);
	error(INFO, "%s\n", text);
}

static const char *plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

/* The last line of each run: what there is, and what was lost. */
static void print_verdict(const struct ft_totals *t, const struct options *opt,
			  uint64_t bytes)
{
	bool file = !opt->list && !opt->report;

	fprintf(fp, "ftdump: ");
	if (file)
		fprintf(fp, "saved %s: ", opt->file);
	if (opt->panic)
		fprintf(fp, "CPU %d, which panicked: ", opt->panic_cpu);
	fprintf(fp,
		"%" PRIu64 " buffer%s, %" PRIu64 " CPU%s, %" PRIu64
		" event%s in %" PRIu64 " page%s",
		t->buffers, plural(t->buffers), t->cpus, plural(t->cpus),
		t->events, plural(t->events), t->pages, plural(t->pages));
	if (file)
		fprintf(fp, ", %" PRIu64 " bytes", bytes);
	fprintf(fp, "; %" PRIu64 " torn, %" PRIu64 " missing", t->torn,
		t->missing);
	if (t->discarded)
		fprintf(fp, ", %" PRIu64 " discarded by the kernel",
			t->discarded);
	if (t->formats)
		fprintf(fp, ", %" PRIu64 " event format%s lost", t->formats,
			plural(t->formats));
	if (t->broken)
		fprintf(fp, ", %" PRIu64 " damaged list%s", t->broken,
			plural(t->broken));
	fprintf(fp, "\n");
}

static enum err save(const struct ft_dump *dump, const struct options *opt)
{
	struct ft_totals totals;
	struct outfile out;
	uint64_t bytes;
	enum err err;

	err = out_create(&out, opt->file, opt->force);
	if (err == ERR_NONE)
		err = td_save(dump, &out, &totals);
	bytes = out_pos(&out);
	if (err == ERR_NONE)
		err = out_commit(&out);
	wipe_progress(dump->diag->ctx);
	if (err == ERR_NONE)
		print_verdict(&totals, opt, bytes);
	else
		error(INFO, "nothing saved: %s: %s\n", opt->file,
		      out.err != ERR_NONE ? out_reason(&out) : err_str(err));
	out_abort(&out);
	return err;
}

static void report(const struct ft_dump *dump, const struct options *opt)
{
	struct ft_report_result result;
	enum err err = ft_report(dump, fp, &result);

	wipe_progress(dump->diag->ctx);
	/* "ftdump -r | head": enough was seen. */
	if (err == ERR_IO && result.sys_errno == EPIPE)
		return;
	if (err == ERR_IO)
		error(INFO, "%s: %s\n", result.what, strerror(result.sys_errno));
	else if (err != ERR_NONE)
		error(INFO, "%s\n", err_str(err));
	if (result.unprinted)
		error(INFO,
		      "%" PRIu64
		      " event%s of no known format, or damaged: see the lines in question\n",
		      result.unprinted, plural(result.unprinted));
	if (err == ERR_NONE)
		print_verdict(&result.totals, opt, 0);
}

static enum err list(const struct ft_dump *dump, const struct options *opt)
{
	struct ft_totals totals;
	enum err err = ft_list(dump, fp, &totals);

	if (err == ERR_NONE)
		print_verdict(&totals, opt, 0);
	else
		error(INFO, "%s\n", err_str(err));
	return err;
}

/* A name that -b does not know: say which there are. */
static void unknown_instance(const struct ft_dump *dump, const char *name)
{
	const struct ft_instances *ins = &dump->instances;

	error(INFO, "no instance \"%s\" in this dump; there %s:\n", name,
	      ins->count == 1 ? "is" : "are");
	for (size_t i = 0; i < ins->count; i++)
		fprintf(fp, "  %s\n", ft_instance_label(&ins->instance[i]));
}

/* Which events does the user want? False: it has been said why there are none. */
static bool choose_events(struct ft_filter *filter, const struct ft_dump *dump,
			  const struct options *opt)
{
	struct ft_events events = { 0 };
	const char *unknown = "";
	enum err err = ERR_NONE;

	if (opt->events) {
		err = ft_events_init(&events, dump->vm, &dump->layout,
				     dump->diag);
		if (err == ERR_NONE)
			err = ft_filter_events(filter, &events, dump->vm,
					       &dump->layout, opt->events,
					       &unknown);
		ft_events_deinit(&events);
	}
	if (err == ERR_BAD_DATA)
		error(INFO, "no event or system of this kernel is \"%s\"%s\n",
		      unknown,
		      strchr(unknown, '\'') ? "; crash takes ' for a part of it" :
					      "");
	else if (err == ERR_NONE)
		err = ft_filter_find_newest(filter, dump);
	if (err != ERR_NONE && err != ERR_BAD_DATA)
		error(INFO, "%s\n", err_str(err));
	return err == ERR_NONE;
}

/* Times of different clocks cannot be compared, and the report is in their order. */
static void tell_clocks(const struct ft_dump *dump)
{
	const struct ft_instances *ins = &dump->instances;
	const char *first = NULL;
	bool differ = false;

	for (size_t i = 0; i < ins->count; i++) {
		const struct ft_instance *in = &ins->instance[i];

		if (!in->selected)
			continue;
		if (!first)
			first = in->clock;
		else if (strcmp(in->clock, first))
			differ = true;
	}
	if (!differ)
		return;
	error(INFO,
	      "buffers have different clocks, and times of one say nothing about another's");
	for (size_t i = 0; i < ins->count; i++) {
		const struct ft_instance *in = &ins->instance[i];

		if (!in->selected)
			continue;
		fprintf(fp, "%s %s %s", in->clock == first ? ":" : ",",
			ft_instance_label(in), in->clock);
	}
	fprintf(fp, "\n");
}

static void show_or_save(struct ft_dump *dump, const struct options *opt)
{
	struct ft_filter filter = { .newest = opt->newest };
	bool all = !opt->events && !opt->times && !opt->newest;

	/* It was understood before. */
	if (opt->times)
		ft_filter_times(&filter, opt->times);
	if (!all)
		dump->filter = &filter;
	if (opt->panic && dump->boot) {
		error(INFO,
		      "-p: nobody knows which CPU the previous boot ended on; try -r -n %d\n",
		      DEFAULT_NEWEST);
	} else if (all || choose_events(&filter, dump, opt)) {
		if (opt->report)
			tell_clocks(dump);
		if (opt->report)
			report(dump, opt);
		else
			save(dump, opt);
	}
	dump->filter = NULL;
	ft_filter_deinit(&filter);
}

static void run(const struct options *opt)
{
	uint64_t pages = 0;
	/* What prints as it goes shows progress enough. */
	const struct diag diag = {
		.line = say,
		.step = opt->list ? NULL : step,
		.ctx = &pages,
	};
	const char *unknown;
	struct ft_dump dump;
	enum err err;

	err = ft_dump_init(&dump, vm_crash(), &diag);
	if (err != ERR_NONE) {
		error(INFO, "nothing %s: %s\n",
		      opt->list || opt->report ? "found" : "saved",
		      err_str(err));
		return;
	}
	dump.cpu_bits = opt->cpu_bits;
	dump.nr_cpu_bits = kt->cpus;
	dump.v6 = opt->v6;

	if (ft_dump_select(&dump, opt->instances, &unknown) != ERR_NONE)
		unknown_instance(&dump, unknown);
	else if (opt->list)
		list(&dump, opt);
	else if (ft_dump_one_boot(&dump, opt->instances) == ERR_NONE)
		show_or_save(&dump, opt);
	ft_dump_deinit(&dump);
}

static bool no_cpu(ulong *bits)
{
	for (int cpu = 0; cpu < kt->cpus; cpu++)
		if (NUM_IN_BITMAP(bits, cpu))
			return false;
	return true;
}

/* What is wrong with the command line; the usage follows. */
static void wrong(const char *what, const char *arg)
{
	error(INFO, "%s: %s\n", what, arg);
	argerrs++;
}

static uint64_t number_of_events(const char *arg)
{
	char *end;
	unsigned long n;

	errno = 0;
	n = strtoul(arg, &end, 10);
	if (!isdigit((unsigned char)*arg) || *end || errno || !n ||
	    n > FT_MAX_NEWEST)
		wrong("-n wants a number of 1 to 1000000, not", arg);
	return n;
}

/* -p: as if the user had named the CPU. */
static void choose_panic_cpu(struct options *opt)
{
	struct task_context *tc = ACTIVE() ? NULL :
					     task_to_context(tt->panic_task);

	if (!tc || tc->processor < 0 || tc->processor >= kt->cpus) {
		wrong("-p",
		      ACTIVE() ?
			      "this kernel has not panicked" :
			      "crash does not know which CPU panicked; try -r with -c and -n");
		return;
	}
	if (opt->cpu_bits) {
		wrong("-p chooses the CPU itself; with -c", "use -r and -n");
		return;
	}
	opt->cpu_bits = get_cpumask_buf();
	SET_BIT(opt->cpu_bits, tc->processor);
	opt->panic_cpu = tc->processor;
	if (!opt->newest)
		opt->newest = DEFAULT_NEWEST;
}

/* What does not go together? */
static void check_options(struct options *opt)
{
	if (opt->list && opt->report)
		wrong("one of them only", "-l, -r, -p");
	else if (opt->list && (opt->events || opt->times || opt->newest))
		wrong("-l shows whole buffers, without", "-e, -n and -t");
	if ((opt->list || opt->report) && opt->file)
		wrong(opt->list ? "-l writes no file" :
				  "-r and -p write no file (-n is for how many)",
		      opt->file);
	else if ((opt->list || opt->report) && (opt->force || opt->v6))
		wrong("-l, -r and -p write no file, and go without",
		      "-f and -6");
	if (opt->panic && !argerrs)
		choose_panic_cpu(opt);
}

/* An option that is given again adds to what it chose before. */
static char *add_words(char *before, char *more)
{
	size_t size;
	char *all;

	if (!before)
		return more;
	size = strlen(before) + strlen(more) + 2;
	all = GETBUF(size);
	snprintf(all, size, "%s,%s", before, more);
	return all;
}

static void add_cpus(struct options *opt, char *list)
{
	size_t size = strlen(list) + 1;
	char *words = GETBUF(size);
	ulong *more = get_cpumask_buf();

	/* It cuts up what it reads. */
	memcpy(words, list, size);
	make_cpumask(words, more, FAULT_ON_ERROR, NULL);
	if (no_cpu(more))
		wrong("-c chooses no CPU", list);
	if (!opt->cpu_bits)
		opt->cpu_bits = get_cpumask_buf();
	for (int cpu = 0; cpu < kt->cpus; cpu++)
		if (NUM_IN_BITMAP(more, cpu))
			SET_BIT(opt->cpu_bits, cpu);
}

static void cmd_ftdump(void)
{
	struct options opt = { 0 };
	int c;

	while ((c = getopt(argcnt, args, "6b:c:e:fhln:prt:")) != EOF) {
		switch (c) {
		case '6':
			opt.v6 = true;
			break;
		case 'b':
			opt.instances = add_words(opt.instances, optarg);
			break;
		case 'c':
			add_cpus(&opt, optarg);
			break;
		case 'e':
			opt.events = add_words(opt.events, optarg);
			break;
		case 'f':
			opt.force = true;
			break;
		case 'l':
			opt.list = true;
			break;
		case 'n':
			opt.newest = number_of_events(optarg);
			break;
		case 'p':
			opt.report = opt.panic = true;
			break;
		case 'r':
			opt.report = true;
			break;
		case 't':
			opt.times = optarg;
			if (!ft_filter_times(&(struct ft_filter){ 0 }, optarg))
				wrong("-t wants FROM,TO in seconds, FROM not later than TO, one of them or both; not",
				      optarg);
			break;
		case 'h':
			cmd_usage(pc->curcmd, COMPLETE_HELP);
			return;
		default:
			argerrs++;
			break;
		}
	}
	if (args[optind])
		opt.file = args[optind++];
	if (args[optind])
		wrong("one file only, not", args[optind]);
	check_options(&opt);
	if (argerrs)
		cmd_usage(pc->curcmd, SYNOPSIS);
	if (!opt.file)
		opt.file = DEFAULT_FILE;

	vm_crash_begin();
	run(&opt);
	vm_crash_end();
}

static struct command_table_entry command_table[] = {
	{ "ftdump", cmd_ftdump, help_ftdump, 0 },
	{ NULL },
};

/* crash runs this when the extension is loaded. */
static void __attribute__((constructor)) ftdump_register(void)
{
	register_extension(command_table);
}
