// SPDX-License-Identifier: GPL-2.0-only
/*
 * Ways to die for a guest that is traced:
 *
 *	echo 1 > /sys/module/sample_fault/parameters/null
 *	echo 1 > /sys/module/sample_fault/parameters/stick
 *
 * A write through a NULL pointer in a hard interrupt; and a CPU that never comes
 * back from a loop with interrupts off. And something to do before, in so many
 * rounds:
 *
 *	echo 100 > /sys/module/sample_fault/parameters/work
 */
#include <linux/irq_work.h>
#include <linux/module.h>
#include <linux/moduleparam.h>

static int *volatile sample_nowhere;

static noinline void sample_store(int *to)
{
	*to = 1;
}

static void sample_null(struct irq_work *work)
{
	sample_store(sample_nowhere);
}

static DEFINE_IRQ_WORK(sample_null_work, sample_null);

static int sample_set_null(const char *val, const struct kernel_param *kp)
{
	irq_work_queue(&sample_null_work);
	return 0;
}

static const struct kernel_param_ops sample_null_ops = {
	.set = sample_set_null,
};
module_param_cb(null, &sample_null_ops, NULL, 0200);
MODULE_PARM_DESC(null, "write through a NULL pointer in a hard interrupt");

static noinline unsigned int sample_turn(unsigned int n)
{
	barrier();
	return n * 5 + 1;
}

static noinline void sample_stuck(void)
{
	volatile bool never = false;
	unsigned int n = 0;

	while (!never)
		n = sample_turn(n);
}

static int sample_set_stick(const char *val, const struct kernel_param *kp)
{
	local_irq_disable();
	sample_stuck();
	return 0;
}

static const struct kernel_param_ops sample_stick_ops = {
	.set = sample_set_stick,
};
module_param_cb(stick, &sample_stick_ops, NULL, 0200);
MODULE_PARM_DESC(stick, "loop with interrupts off");

static int sample_set_work(const char *val, const struct kernel_param *kp)
{
	unsigned int n, x = 0;
	int err = kstrtouint(val, 0, &n);

	while (!err && n--)
		x = sample_turn(x);
	return err;
}

static const struct kernel_param_ops sample_work_ops = {
	.set = sample_set_work,
};
module_param_cb(work, &sample_work_ops, NULL, 0200);
MODULE_PARM_DESC(work, "call functions of the module");

MODULE_DESCRIPTION("ways to die for the sample vmcores");
MODULE_LICENSE("GPL");
