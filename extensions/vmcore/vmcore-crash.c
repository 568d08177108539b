// SPDX-License-Identifier: GPL-2.0-or-later
#include <signal.h>
#include <string.h>

#include <defs.h>

#include "vmcore/vmcore-crash.h"

/*
 * readmem() only says that it failed. Ask each step again for the first page
 * that cannot be had.
 */
static enum err why_unreadable(uint64_t addr, size_t len)
{
	uint64_t end = addr + len;

	for (uint64_t at = addr; at < end;
	     at = (at & machdep->pagemask) + PAGESIZE()) {
		physaddr_t paddr;
		char byte;

		if (!IS_KVADDR(at) || !kvtop(NULL, at, &paddr, 0))
			return ERR_UNMAPPED;
		if (!readmem(at, KVADDR, &byte, 1, "ftrace",
			     RETURN_ON_ERROR | QUIET))
			return ERR_MISSING;
	}
	return ERR_MISSING;
}

/*
 * kvtop() reads page tables with FAULT_ON_ERROR: one that is not in the dump
 * ends the command by a longjmp(), past everything that holds memory, files
 * or a blocked signal. As crash's own foreach does, have it land here. crash
 * tells each such failure, so what one table maps is asked for only once.
 */
static struct {
	uint64_t base[16]; /* starts of what unreadable tables map */
	unsigned int count;
} lost_tables;

/* What one page of a page table maps. */
static uint64_t table_base(uint64_t addr)
{
	uint64_t span = PAGESIZE() / sizeof(long) * (uint64_t)PAGESIZE();

	return addr / span * span;
}

static bool table_is_lost(uint64_t addr)
{
	for (unsigned int i = 0; i < lost_tables.count; i++)
		if (lost_tables.base[i] == table_base(addr))
			return true;
	return false;
}

static void remember_lost_table(uint64_t addr)
{
	const unsigned int room =
		sizeof(lost_tables.base) / sizeof(lost_tables.base[0]);

	if (lost_tables.count < room)
		lost_tables.base[lost_tables.count++] = table_base(addr);
}

static enum err read_once(uint64_t addr, void *buf, size_t len)
{
	enum err err = ERR_NONE;

	/* crash takes a long, and an address that wraps is wild. */
	if (!len || len > LONG_MAX || addr + len < addr)
		return ERR_UNMAPPED;
	if (lost_tables.count && table_is_lost(addr))
		return ERR_MISSING;
	if (setjmp(pc->foreach_loop_env)) {
		pc->flags &= ~IN_FOREACH;
		remember_lost_table(addr);
		return ERR_MISSING;
	}
	pc->flags |= IN_FOREACH;
	if (!readmem(addr, KVADDR, buf, len, "ftrace", RETURN_ON_ERROR | QUIET))
		err = why_unreadable(addr, len);
	pc->flags &= ~IN_FOREACH;
	return err;
}

/*
 * What is on a list lies close together. crash keeps 32 pages, which sub-buffers
 * between two steps of a list push out, and each is decompressed when it is read.
 */
#define KEPT_PAGES 64
#define NO_PAGE	   1 /* is the address of none */
static struct {
	uint8_t *bytes; /* of one behind the other; NULL: there is no room */
	uint64_t addr[KEPT_PAGES];
} kept;

static void begin_keeping(void)
{
	kept.bytes = malloc(KEPT_PAGES * (size_t)PAGESIZE());
	for (int i = 0; i < KEPT_PAGES; i++)
		kept.addr[i] = NO_PAGE;
}

static void end_keeping(void)
{
	free(kept.bytes);
	kept.bytes = NULL;
}

/* The page at @page; NULL where it cannot be had as a whole. */
static const uint8_t *keep_page(uint64_t page)
{
	unsigned int i = page / PAGESIZE() % KEPT_PAGES;
	uint8_t *bytes;

	if (!kept.bytes)
		return NULL;
	bytes = kept.bytes + i * (size_t)PAGESIZE();
	if (kept.addr[i] == page)
		return bytes;
	kept.addr[i] = NO_PAGE;
	if (read_once(page, bytes, PAGESIZE()) != ERR_NONE)
		return NULL;
	kept.addr[i] = page;
	return bytes;
}

static enum err crash_read(void *ctx, uint64_t addr, void *buf, size_t len)
{
	uint64_t page = addr - addr % PAGESIZE();
	const uint8_t *bytes;

	(void)ctx;
	/* The memory of a live system changes. */
	if (len && len < PAGESIZE() && addr - page <= PAGESIZE() - len &&
	    !ACTIVE()) {
		bytes = keep_page(page);
		if (bytes) {
			memcpy(buf, bytes + (addr - page), len);
			return ERR_NONE;
		}
	}
	return read_once(addr, buf, len);
}

static bool crash_symbol(void *ctx, const char *name, uint64_t *addr)
{
	struct syment *sp = kernel_symbol_search((char *)name);

	(void)ctx;
	if (!sp)
		return false;
	*addr = sp->value;
	return true;
}

/*
 * gdb takes a millisecond for each question about a type, and its answer is the
 * same for as long as crash runs: there is one vmlinux.
 */
struct answer {
	const char *type; /* NULL for an enumerator; a literal, as is @name */
	const char *name; /* NULL for the size of the type itself */
	bool found;
	long off; /* or the enumerator's value */
	long size;
};

static struct {
	struct answer answer[256];
	unsigned int count;
} answers;

static bool same(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static void ask_member(struct answer *a)
{
	char *t = (char *)a->type, *n = (char *)a->name;

	/* In a union without a name, too. */
	a->off = MEMBER_OFFSET(t, n);
	a->size = a->off >= 0 ? MEMBER_SIZE(t, n) : 0;
	a->found = a->off >= 0 && a->off <= UINT32_MAX && a->size <= UINT32_MAX;
}

static struct answer ask(const char *type, const char *name)
{
	const unsigned int room =
		sizeof(answers.answer) / sizeof(answers.answer[0]);
	struct answer a = { .type = type, .name = name };

	for (unsigned int i = 0; i < answers.count; i++)
		if (same(answers.answer[i].type, type) &&
		    same(answers.answer[i].name, name))
			return answers.answer[i];
	if (!type)
		a.found = enumerator_value((char *)name, &a.off);
	else if (!name)
		a.size = STRUCT_SIZE((char *)type);
	/* For each member of a type that it does not know, gdb looks all over. */
	else if (ask(type, NULL).size > 0)
		ask_member(&a);
	if (answers.count < room)
		answers.answer[answers.count++] = a;
	return a;
}

static bool crash_member(void *ctx, const char *type, const char *name,
			 struct vm_member *m)
{
	struct answer a = ask(type, name);

	(void)ctx;
	if (!a.found)
		return false;
	m->off = a.off;
	m->size = a.size > 0 ? a.size : 0;
	return true;
}

static size_t crash_type_size(void *ctx, const char *type)
{
	struct answer a = ask(type, NULL);

	(void)ctx;
	return a.size > 0 ? a.size : 0;
}

static bool crash_enumerator(void *ctx, const char *name, long *value)
{
	struct answer a = ask(NULL, name);

	(void)ctx;
	if (a.found)
		*value = a.off;
	return a.found;
}

/* False: the receiver wants no more. */
static bool give_symbols(struct syment *sp, struct syment *end,
			 const char *module, vm_symbol_fn fn, void *arg)
{
	for (; sp && sp < end; sp++) {
		struct vm_symbol sym = {
			.addr = sp->value,
			.type = sp->type,
			.name = sp->name,
			.module = module,
		};

		/* crash marks the borders of modules by symbols of its own. */
		if (module && STRNEQ(sp->name, "_MODULE_"))
			continue;
		if (!fn(arg, &sym))
			return false;
	}
	return true;
}

static bool give_module(struct load_module *lm, vm_symbol_fn fn, void *arg)
{
#ifdef MOD_MEM_NUM_TYPES
	/* Since Linux 6.4 a module lies in several ranges (ac3b43283923). */
	if (MODULE_MEMORY()) {
		int t;

		for_each_mod_mem_type(t)
			if (lm->symtable && lm->symtable[t] &&
			    !give_symbols(lm->symtable[t], lm->symend[t],
					  lm->mod_name, fn, arg))
				return false;
		return true;
	}
#endif
	return give_symbols(lm->mod_symtable, lm->mod_symend, lm->mod_name, fn,
			    arg);
}

static void crash_symbols(void *ctx, vm_symbol_fn fn, void *arg)
{
	(void)ctx;
	if (!give_symbols(st->symtable, st->symend, NULL, fn, arg))
		return;
	for (int i = 0; i < st->mods_installed; i++)
		if (!give_module(&st->load_modules[i], fn, arg))
			return;
}

static void crash_tasks(void *ctx, vm_task_fn fn, void *arg)
{
	struct task_context *tc = FIRST_CONTEXT();

	(void)ctx;
	for (ulong i = 0; i < RUNNING_TASKS(); i++)
		if (!fn(arg, tc[i].pid, tc[i].comm))
			return;
}

/* It is asked for each page, and a system call costs as much as reading one. */
#define CALLS_BETWEEN_LOOKS 16

static bool crash_interrupted(void *ctx)
{
	static unsigned int calls;
	sigset_t pending;

	(void)ctx;
	if (calls++ % CALLS_BETWEEN_LOOKS)
		return false;
	return sigpending(&pending) == 0 && sigismember(&pending, SIGINT) == 1;
}

static const struct vmcore_ops crash_ops = {
	.read = crash_read,
	.symbol = crash_symbol,
	.member = crash_member,
	.type_size = crash_type_size,
	.enumerator = crash_enumerator,
	.symbols = crash_symbols,
	.tasks = crash_tasks,
	.interrupted = crash_interrupted,
};

const struct vmcore *vm_crash(void)
{
	static struct vmcore vm = { .ops = &crash_ops };

	vm.page_size = PAGESIZE();
	vm.long_size = sizeof(long);
	vm.live = ACTIVE();
	return &vm;
}

static void (*old_sigxfsz)(int);

static void block_sigint(int how)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigprocmask(how, &set, NULL);
}

void vm_crash_begin(void)
{
	lost_tables.count = 0;
	begin_keeping();
	/* A limit on file sizes is an error of writing, not an end. */
	old_sigxfsz = signal(SIGXFSZ, SIG_IGN);
	block_sigint(SIG_BLOCK);
}

void vm_crash_end(void)
{
	end_keeping();
	signal(SIGXFSZ, old_sigxfsz);
	block_sigint(SIG_UNBLOCK);
}
