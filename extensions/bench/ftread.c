// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ftread: what it costs crash merely to read the pages that ftdump reads, for
 * make bench. Not installed.
 */
#include <defs.h>

#include <inttypes.h>
#include <time.h>

#include "ftrace/dump.h"
#include "vmcore/vmcore-crash.h"

/* The pages of a walk, in its order. */
struct pages {
	const struct vmcore *vm; /* what really reads */
	uint64_t *addr;
	size_t count;
	size_t room;
	size_t size; /* bytes of each */
};

static enum err note_and_read(void *ctx, uint64_t addr, void *buf, size_t len)
{
	struct pages *p = ctx;

	if (len == p->size) {
		if (p->count == p->room) {
			size_t room = p->room ? p->room * 2 : 1024;
			void *more = realloc(p->addr, room * sizeof(*p->addr));

			if (!more)
				return ERR_NOMEM;
			p->addr = more;
			p->room = room;
		}
		p->addr[p->count++] = addr;
	}
	return vm_read(p->vm, addr, buf, len);
}

static enum err ignore_page(void *arg, const struct ft_page *page)
{
	(void)arg;
	(void)page;
	return ERR_NONE;
}

static void ignore_line(void *ctx, const char *text)
{
	(void)ctx;
	(void)text;
}

static void walk(const struct ft_dump *dump, struct pages *pages,
		 struct vmcore *vm)
{
	for (size_t i = 0; i < dump->instances.count; i++) {
		struct ft_ring ring;

		if (ft_dump_open_ring(dump, &dump->instances.instance[i],
				      &ring) != ERR_NONE)
			continue;
		ring.vm = vm;
		pages->size = ring.subbuf_size;
		for (uint32_t cpu = 0; cpu < ring.nr_cpus; cpu++) {
			struct ft_cpu_stats stats;

			ft_ring_walk(&ring, cpu, ignore_page, NULL, &stats);
		}
	}
}

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

static void cmd_ftread(void)
{
	const struct diag diag = { .line = ignore_line };
	struct pages pages = { .vm = vm_crash(), .size = PAGESIZE() };
	struct vmcore_ops ops = *pages.vm->ops;
	struct vmcore vm = *pages.vm;
	struct ft_dump dump;
	double began;
	char *buf;

	ops.read = note_and_read;
	vm.ops = &ops;
	vm.ctx = &pages;
	if (ft_dump_init(&dump, pages.vm, &diag) != ERR_NONE)
		error(FATAL, "no ring buffers\n");
	walk(&dump, &pages, &vm);
	ft_dump_deinit(&dump);

	buf = GETBUF(pages.size);
	began = now();
	for (size_t i = 0; i < pages.count; i++)
		vm_read(pages.vm, pages.addr[i], buf, pages.size);
	fprintf(fp, "ftread: %zu pages of %zu bytes in %.6f s\n", pages.count,
		pages.size, now() - began);
	FREEBUF(buf);
	free(pages.addr);
}

/* clang-format off */
static char *help_ftread[] = {
	"ftread",
	"read the ftrace ring buffers' pages and drop them",
	"",
	"  For measuring how long crash takes to read what ftdump writes.",
	NULL
};
/* clang-format on */

static struct command_table_entry command_table[] = {
	{ "ftread", cmd_ftread, help_ftread, 0 },
	{ NULL },
};

static void __attribute__((constructor)) ftread_register(void)
{
	register_extension(command_table);
}
