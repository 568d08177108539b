// SPDX-License-Identifier: GPL-2.0-only
/*
 * To die in the middle of something:
 *
 *	insmod sample_hook.ko symbol=tmc_flush_and_stop action=panic
 *
 * When the kernel enters that function, once more than "skip" says, it panics, or
 * writes through a NULL pointer (null), or never comes back (spin).
 */
#include <linux/atomic.h>
#include <linux/ftrace.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/panic.h>
#include <linux/string.h>

static char *symbol;
module_param(symbol, charp, 0444);
MODULE_PARM_DESC(symbol, "the function");

static char *action = "panic";
module_param(action, charp, 0444);
MODULE_PARM_DESC(action, "panic, null or spin");

static int skip;
module_param(skip, int, 0444);
MODULE_PARM_DESC(skip, "times that nothing is done");

static atomic_t left;
static int *volatile hook_nowhere;

static void notrace hook_call(unsigned long ip, unsigned long parent,
			      struct ftrace_ops *ops, struct ftrace_regs *regs)
{
	if (atomic_dec_return(&left))
		return;
	if (!strcmp(action, "null"))
		*hook_nowhere = 1;
	while (!strcmp(action, "spin"))
		cpu_relax();
	panic("sample_hook: in %ps\n", (void *)ip);
}

static struct ftrace_ops hook_ops = {
	.func = hook_call,
};

static int __init hook_init(void)
{
	int err;

	atomic_set(&left, skip + 1);
	err = ftrace_set_filter(&hook_ops, symbol, strlen(symbol), 1);
	return err ? err : register_ftrace_function(&hook_ops);
}

static void __exit hook_exit(void)
{
	unregister_ftrace_function(&hook_ops);
	ftrace_free_filter(&hook_ops);
}

module_init(hook_init);
module_exit(hook_exit);
MODULE_DESCRIPTION("ways to die for the sample vmcores");
MODULE_LICENSE("GPL");
