/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FTRACE_SNAPSHOT_H
#define FTRACE_SNAPSHOT_H

#include "ftrace/instance.h"

/*
 * Beside the ring buffer that is written to, a trace array may have a second
 * one: taking a snapshot exchanges the two (update_max_tr() of the kernel), and
 * so do the latency tracers (irqsoff, wakeup ...) with the longest latency.
 *
 * Put each instance's snapshot behind it, as "NAME@snapshot". (A slash would be
 * in no other name, but trace-cmd shows only what is behind it.) One that was
 * never asked for, and holds nothing, is left out: every instance has such a
 * one. ERR_NOMEM.
 */
enum err ft_snapshots_add(struct ft_instances *instances,
			  const struct vmcore *vm,
			  const struct ft_layout *layout,
			  const struct diag *diag);

#endif
