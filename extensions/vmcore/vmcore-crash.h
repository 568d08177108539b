/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VMCORE_CRASH_H
#define VMCORE_CRASH_H

#include "vmcore/vmcore.h"

/* The dump that crash has open. */
const struct vmcore *vm_crash(void);

/*
 * Between these two, Ctrl-C does not jump out of the command as crash would
 * have it: it is remembered, vm_interrupted() tells of it, and vm_crash_end()
 * gives it to crash, which returns to its prompt. Files and memory must be
 * released by then.
 */
void vm_crash_begin(void);
void vm_crash_end(void);

#endif
