// SPDX-License-Identifier: GPL-2.0-only
/*
 * Leaves its own events and trace_printk() lines in the ring buffers of a
 * sample vmcore:
 *
 *	echo NUMBER > /sys/module/sample_trace/parameters/beat
 *	echo 1 > /sys/module/sample_trace/parameters/kill
 *
 * Each beat is one event in process context, one with interrupts off, one in
 * a hard interrupt, and trace_printk() in all of its forms. To kill is to panic
 * in a hard interrupt.
 */
#include <linux/irq_work.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/smp.h>
#include <linux/string.h>

#define CREATE_TRACE_POINTS
#include "sample_trace.h"

static const char * const names[] = {
	"one", "a longer name", "", "four",
};

static DEFINE_PER_CPU(struct irq_work, sample_work);
static DEFINE_PER_CPU(int, sample_seq);

static void sample_interrupt(struct irq_work *work)
{
	trace_sample_irq(this_cpu_read(sample_seq), sample_interrupt);
}

static void sample_die(struct irq_work *work)
{
	panic("sample_trace: told to, in an interrupt");
}

static DEFINE_IRQ_WORK(sample_death, sample_die);

static void sample_beats(int seq)
{
	const char *name = names[seq % ARRAY_SIZE(names)];
	u32 words[SAMPLE_WORDS] = { seq, ~seq, 0x01020304 };
	unsigned long flags;
	/* Not a literal: goes into the buffer as text, not as a format. */
	const char *text = seq & 1 ? "odd %d\n" : "even %d\n";

	trace_sample_beat(seq, name, seq % 8, seq % 4, words);

	local_irq_save(flags);
	this_cpu_write(sample_seq, seq);
	trace_sample_beat(-seq, name, seq % 16, 2, words);
	irq_work_queue(this_cpu_ptr(&sample_work));
	local_irq_restore(flags);

	trace_printk("beat %d on CPU %d: %s, %#llx\n", seq,
		     raw_smp_processor_id(), name, 0x123456789abcULL * seq);
	trace_printk("a constant without arguments\n");
	trace_puts("put by the sample module\n");
	__trace_printk(_THIS_IP_, text, seq);
}

static int sample_set(const char *val, const struct kernel_param *kp)
{
	int n, i, ret = kstrtoint(val, 0, &n);

	if (ret)
		return ret;
	for (i = 1; i <= n; i++)
		sample_beats(i);
	return 0;
}

static const struct kernel_param_ops sample_ops = { .set = sample_set };

module_param_cb(beat, &sample_ops, NULL, 0200);
MODULE_PARM_DESC(beat, "leave that many beats in the trace");

static int sample_kill(const char *val, const struct kernel_param *kp)
{
	irq_work_queue(&sample_death);
	return 0;
}

static const struct kernel_param_ops sample_kill_ops = { .set = sample_kill };

module_param_cb(kill, &sample_kill_ops, NULL, 0200);
MODULE_PARM_DESC(kill, "panic in a hard interrupt");

static int __init sample_init(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		init_irq_work(per_cpu_ptr(&sample_work, cpu), sample_interrupt);
	return 0;
}

static void __exit sample_exit(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		irq_work_sync(per_cpu_ptr(&sample_work, cpu));
}

module_init(sample_init);
module_exit(sample_exit);
MODULE_DESCRIPTION("trace events for the sample vmcores");
MODULE_LICENSE("GPL");
