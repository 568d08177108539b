// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <string.h>

#include "qemu-api.h"
#include "regs.h"

/* As QEMU tells a debugger; EL1's and EL3's of some have no suffix. */
static const char *const names[CPU_X0][2] = {
	[CPU_PC] = { "pc" },
	[CPU_CPSR] = { "cpsr" },
	[CPU_ELR_EL1] = { "ELR_EL1" },
	[CPU_ELR_EL2] = { "ELR_EL2" },
	[CPU_SPSR_EL1] = { "SPSR_EL1" },
	[CPU_SPSR_EL2] = { "SPSR_EL2" },
	[CPU_ESR_EL1] = { "ESR_EL1" },
	[CPU_ESR_EL2] = { "ESR_EL2" },
	[CPU_VBAR_EL1] = { "VBAR_EL1", "VBAR" },
	[CPU_VBAR_EL2] = { "VBAR_EL2" },
	[CPU_CONTEXTIDR_EL1] = { "CONTEXTIDR_EL1" },
	[CPU_CONTEXTIDR_EL2] = { "CONTEXTIDR_EL2" },
};

/* The same for every vCPU of a machine. */
static struct qemu_plugin_register *handle[CPU_REGS];

static void know(const char *name, struct qemu_plugin_register *h)
{
	unsigned int n;
	char end;

	for (int i = 0; i < CPU_X0; i++)
		for (int k = 0; k < 2; k++)
			if (names[i][k] && !strcmp(names[i][k], name))
				handle[i] = h;
	if (sscanf(name, "x%u%c", &n, &end) == 1 && n < CPU_REGS - CPU_X0)
		handle[CPU_X0 + n] = h;
}

void regs_init(void)
{
	GArray *all = qemu_plugin_get_registers();

	for (guint i = 0; i < all->len; i++) {
		const qemu_plugin_reg_descriptor *r =
			&g_array_index(all, qemu_plugin_reg_descriptor, i);

		know(r->name, r->handle);
	}
	g_array_free(all, TRUE);
}

uint64_t regs_read(enum cpu_reg reg)
{
	static __thread GByteArray *buf;
	uint64_t value = 0;
	int n;

	if (!handle[reg])
		return 0;
	if (!buf)
		buf = g_byte_array_new();
	g_byte_array_set_size(buf, 0);
	n = qemu_plugin_read_register(handle[reg], buf);
	if (n > 0)
		memcpy(&value, buf->data, n < 8 ? n : 8);
	return value;
}
