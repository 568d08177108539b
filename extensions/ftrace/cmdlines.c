// SPDX-License-Identifier: GPL-2.0-or-later
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/cursor.h"
#include "ftrace/tables.h"

#define COMM_LEN 16	     /* TASK_COMM_LEN */
#define NO_PID	 0xffffffffu /* an empty slot */
/* saved_cmdlines_size is set by hand; more than this is damage. */
#define MAX_SLOTS (1 << 20)

/* struct saved_cmdlines_buffer and the arrays that it points to. */
struct saved {
	uint64_t addr;
	uint64_t comms; /* address of the names */
	uint32_t slots;
	uint32_t *pids; /* of each slot, owned */
};

struct seen {
	uint32_t *pids; /* sorted, owned */
	size_t count;
	FILE *out;
};

static enum err saved_init(struct saved *s, const struct vmcore *vm,
			   const struct ft_layout *l)
{
	uint64_t sym, pids;
	enum err err;

	memset(s, 0, sizeof(*s));
	if (!vm_has(&l->savedcmd_pid_to_map) ||
	    !vm_has(&l->savedcmd_map_to_pid) || !vm_has(&l->savedcmd_num) ||
	    !vm_symbol(vm, "savedcmd", &sym))
		return ERR_UNSUPPORTED;
	err = vm_read_ulong(vm, sym, &s->addr);
	if (err != ERR_NONE)
		return err;
	if (!s->addr)
		return ERR_NONE; /* never allocated: nothing was saved */
	err = vm_read_u32(vm, s->addr + l->savedcmd_num.off, &s->slots);
	if (err == ERR_NONE)
		err = vm_read_ulong(vm, s->addr + l->savedcmd_map_to_pid.off,
				    &pids);
	if (err != ERR_NONE)
		return err;

	/* A pointer before 44dc5c41b5b1 (6.9, and stable), then an array. */
	s->comms = s->addr + l->savedcmd_comms.off;
	if (l->savedcmd_comms.size == vm->long_size) {
		err = vm_read_ulong(vm, s->comms, &s->comms);
		if (err != ERR_NONE)
			return err;
	}
	if (s->slots > MAX_SLOTS)
		return ERR_BAD_DATA;
	s->pids = calloc(s->slots + 1, sizeof(*s->pids));
	if (!s->pids)
		return ERR_NOMEM;
	if (s->slots)
		err = vm_read(vm, pids, s->pids, s->slots * sizeof(*s->pids));
	return err;
}

/*
 * Slots are reused, and a pid may stand in a stale one as well; the table by
 * pid tells its current slot (__trace_find_cmdline()).
 */
static enum err current_slot(const struct saved *s, const struct vmcore *vm,
			     const struct ft_layout *l, uint32_t pid,
			     uint32_t *slot)
{
	/* The table has PID_MAX_DEFAULT + 1 entries; that is a power of two. */
	uint32_t mask = l->savedcmd_pid_to_map.size / sizeof(uint32_t) - 2;

	return vm_read_u32(vm,
			   s->addr + l->savedcmd_pid_to_map.off +
				   (pid & mask) * sizeof(uint32_t),
			   slot);
}

/*
 * One line; a name must not break it, or hide the lines that follow: readers
 * stop at a line that has no name, or none but blanks.
 */
static void print_name(FILE *out, uint32_t pid, const char *comm)
{
	fprintf(out, "%u ", pid);
	if (!comm[strspn(comm, " ")]) {
		fputs("<...>", out);
		comm = "";
	}
	for (; *comm; comm++)
		fputc(isprint((unsigned char)*comm) ? *comm : '?', out);
	fputc('\n', out);
}

static enum err print_saved(const struct saved *s, const struct vmcore *vm,
			    const struct ft_layout *l, struct seen *seen)
{
	char comm[COMM_LEN + 1] = "";

	for (uint32_t i = 0; i < s->slots; i++) {
		uint32_t pid = s->pids[i], slot = i;
		enum err err;

		if (pid == NO_PID || pid == 0)
			continue;
		err = current_slot(s, vm, l, pid, &slot);
		if (err == ERR_NONE && slot != i)
			continue;
		if (err == ERR_NONE)
			err = vm_read(vm, s->comms + i * (uint64_t)COMM_LEN,
				      comm, COMM_LEN);
		if (err != ERR_NONE)
			return err;
		seen->pids[seen->count++] = pid;
		print_name(seen->out, pid, comm);
	}
	return ERR_NONE;
}

static int by_pid(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

static bool print_task(void *arg, uint32_t pid, const char *comm)
{
	struct seen *seen = arg;

	/* Readers know the idle tasks, which all have pid 0. */
	if (pid && !(seen->count && bsearch(&pid, seen->pids, seen->count,
					    sizeof(*seen->pids), by_pid)))
		print_name(seen->out, pid, comm);
	return !ferror(seen->out);
}

enum err ft_write_cmdlines(const struct vmcore *vm,
			   const struct ft_layout *layout,
			   const struct diag *diag, FILE *out)
{
	struct seen seen = { .out = out };
	struct saved saved;
	enum err err;

	err = saved_init(&saved, vm, layout);
	if (err == ERR_NONE && saved.slots) {
		seen.pids = calloc(saved.slots, sizeof(*seen.pids));
		err = seen.pids ? print_saved(&saved, vm, layout, &seen) :
				  ERR_NOMEM;
	}
	free(saved.pids);
	if (err == ERR_NOMEM)
		goto out;
	if (err != ERR_NONE)
		diag_say(diag,
			 "saved command lines: %s; names of tasks that have exited are missing",
			 err_str(err));
	if (seen.count)
		qsort(seen.pids, seen.count, sizeof(*seen.pids), by_pid);
	vm->ops->tasks(vm->ctx, print_task, &seen);
	err = ERR_NONE;
out:
	free(seen.pids);
	return err;
}
