// SPDX-License-Identifier: GPL-2.0-only
/*
 * Module code for the rig to trace: each write to the parameter "run" computes
 * that many rounds, through calls within the module, by pointer and back into
 * the kernel.
 */
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/slab.h>

static noinline unsigned int add(unsigned int x, unsigned int n)
{
	return x + n;
}

static noinline unsigned int mix(unsigned int x, unsigned int n)
{
	return n % 3 ? x ^ n << 1 : add(x, n);
}

static unsigned int (*const steps[])(unsigned int, unsigned int) = { add, mix };

static int rig_run(const char *val, const struct kernel_param *kp)
{
	unsigned int rounds, x = 0;
	int err = kstrtouint(val, 0, &rounds);

	if (err)
		return err;
	for (unsigned int n = 0; n < rounds; n++) {
		void *p = kmalloc(64 + n % 512, GFP_KERNEL);

		x = steps[n % 2](x, n);
		kfree(p);
	}
	*(unsigned int *)kp->arg = x;
	return 0;
}

static const struct kernel_param_ops rig_ops = {
	.set = rig_run,
	.get = param_get_uint,
};
static unsigned int rig_result;
module_param_cb(run, &rig_ops, &rig_result, 0644);

MODULE_DESCRIPTION("Module code for the CoreSight rig to trace");
MODULE_LICENSE("GPL");
