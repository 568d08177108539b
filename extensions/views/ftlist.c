// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <string.h>

#include "views/ftlist.h"

static enum err no_page(void *arg, const struct ft_page *page)
{
	(void)arg;
	(void)page;
	return ERR_NONE;
}

static void print_cpu(FILE *out, const struct ft_instance *in, uint32_t cpu,
		      const struct ft_cpu_stats *st)
{
	char oldest[32] = "-", newest[32] = "-";

	if (st->pages) {
		ft_instance_time(in, st->first_ts, oldest, sizeof(oldest));
		ft_instance_time(in, st->last_ts, newest, sizeof(newest));
	}
	fprintf(out,
		"  %3u %8" PRIu64 " %9" PRIu64 " %8" PRIu64 " %5" PRIu64
		" %13s %13s %4" PRIu64 " %7" PRIu64 "%s\n",
		cpu, st->entries, st->bytes, st->overrun,
		st->commit_overrun + st->dropped, oldest, newest, st->torn,
		st->missing, st->broken ? "  (list damaged)" : "");
}

static enum err list_ring(const struct ft_dump *dump,
			  const struct ft_instance *in,
			  const struct ft_ring *ring, FILE *out,
			  struct ft_totals *totals)
{
	uint64_t cpus = 0;

	fprintf(out, "%s: %s", ft_instance_label(in),
		ring->boot_mapped ? "boot-mapped, " : "");
	if (in->boot.last_boot)
		fprintf(out, "previous boot (text moved by %s0x%" PRIx64 "), ",
			in->boot.text_delta < 0 ? "-" : "",
			in->boot.text_delta < 0 ?
				-(uint64_t)in->boot.text_delta :
				(uint64_t)in->boot.text_delta);
	fprintf(out, "clock %s, tracer %s, sub-buffers of %zu bytes\n",
		in->clock, in->tracer, ring->subbuf_size);
	fprintf(out, "  %3s %8s %9s %8s %5s %13s %13s %4s %7s\n", "CPU",
		"ENTRIES", "BYTES", "OVERRUN", "LOST", "OLDEST", "NEWEST",
		"TORN", "MISSING");
	for (uint32_t cpu = 0; cpu < ring->nr_cpus; cpu++) {
		struct ft_cpu_stats st;
		enum err err;

		if (!ft_dump_wants_cpu(dump, cpu))
			continue;
		err = ft_ring_walk(ring, cpu, no_page, NULL, &st);
		if (err != ERR_NONE)
			return err;
		if (!st.present)
			continue;
		cpus++;
		ft_totals_add(totals, &st);
		print_cpu(out, in, cpu, &st);
	}
	if (cpus > totals->cpus)
		totals->cpus = cpus;
	totals->buffers++;
	return ERR_NONE;
}

enum err ft_list(const struct ft_dump *dump, FILE *out, struct ft_totals *totals)
{
	const struct ft_instances *ins = &dump->instances;

	memset(totals, 0, sizeof(*totals));
	totals->broken = ins->damaged;
	for (size_t i = 0; i < ins->count; i++) {
		const struct ft_instance *in = &ins->instance[i];
		struct ft_ring ring;
		enum err err;

		if (!in->selected)
			continue;
		if (ft_dump_open_ring(dump, in, &ring) != ERR_NONE) {
			totals->broken++;
			continue;
		}
		err = list_ring(dump, in, &ring, out, totals);
		if (err != ERR_NONE)
			return err;
	}
	return ERR_NONE;
}
