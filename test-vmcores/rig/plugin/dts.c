// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * usage: dts RAM_BYTES CLOCK CPU...
 *
 * Prints the device tree's nodes of the rig, for the tree of QEMU's machine
 * virt. CLOCK and CPU are phandles there, of the APB clock and of each CPU.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "board.h"

/* What a trigger is for: include/dt-bindings/arm/coresight-cti-dt.h */
enum {
	PE_PMUIRQ = 8,
	ETM_EXTOUT = 10,
	SNK_FLUSHIN = 15,
	SNK_TRIGIN = 16,
};

static uint64_t base;
static const char *clock;

static void begin(const char *type, const char *compatible, uint32_t offset)
{
	uint64_t addr = base + offset;

	printf("%s@%" PRIx64 " {\n", type, addr);
	printf("\tcompatible = \"arm,%s\", \"arm,primecell\";\n", compatible);
	printf("\treg = <0x%x 0x%x 0 0x%x>;\n", (uint32_t)(addr >> 32),
	       (uint32_t)addr, BOARD_PAGE);
	printf("\tclocks = <%s>;\n\tclock-names = \"apb_pclk\";\n", clock);
}

/* A link has two ends with labels FROM_TO and TO_FROM. */
static void port(unsigned int n, const char *me, const char *other)
{
	printf("\t\tport@%u { reg = <%u>; rig_%s_%s: endpoint { remote-endpoint = <&rig_%s_%s>; }; };\n",
	       n, n, me, other, other, me);
}

static void ports_begin(const char *which)
{
	printf("\t%s-ports {\n\t\t#address-cells = <1>;\n\t\t#size-cells = <0>;\n",
	       which);
}

static void ports_end(void)
{
	printf("\t};\n");
}

static void etm(unsigned int cpu, const char *phandle)
{
	char name[16];

	snprintf(name, sizeof(name), "etm%u", cpu);
	printf("rig_%s: ", name);
	begin("etm", "coresight-etm4x", board_etm(cpu));
	printf("\tcpu = <%s>;\n", phandle);
	ports_begin("out");
	port(0, name, "funnel");
	ports_end();
	printf("};\n");
}

/* A connection of its own for each device, or the driver sees the CPU only. */
static void cpu_cti(unsigned int cpu, const char *phandle)
{
	begin("cti", "coresight-cti", board_cti(cpu));
	printf("\t#address-cells = <1>;\n\t#size-cells = <0>;\n");
	printf("\ttrig-conns@0 {\n\t\treg = <0>;\n");
	printf("\t\tarm,trig-in-sigs = <1>;\n");
	printf("\t\tarm,trig-in-types = <%d>;\n", PE_PMUIRQ);
	printf("\t\tcpu = <%s>;\n\t};\n", phandle);
	printf("\ttrig-conns@1 {\n\t\treg = <1>;\n");
	printf("\t\tarm,trig-in-sigs = <4 5 6 7>;\n");
	printf("\t\tarm,trig-in-types = <%d %d %d %d>;\n", ETM_EXTOUT,
	       ETM_EXTOUT, ETM_EXTOUT, ETM_EXTOUT);
	printf("\t\tarm,cs-dev-assoc = <&rig_etm%u>;\n\t};\n", cpu);
	printf("};\n");
}

static void sink_cti(void)
{
	begin("cti", "coresight-cti", BOARD_CTI);
	printf("\t#address-cells = <1>;\n\t#size-cells = <0>;\n");
	printf("\ttrig-conns@0 {\n\t\treg = <0>;\n\t\tarm,trig-out-sigs = <%d %d>;\n"
	       "\t\tarm,trig-out-types = <%d %d>;\n"
	       "\t\tarm,cs-dev-assoc = <&rig_etf>;\n\t};\n",
	       CTI_OUT_ETF_FLUSHIN, CTI_OUT_ETF_TRIGIN, SNK_FLUSHIN, SNK_TRIGIN);
	printf("\ttrig-conns@1 {\n\t\treg = <1>;\n\t\tarm,trig-out-sigs = <%d %d>;\n"
	       "\t\tarm,trig-out-types = <%d %d>;\n"
	       "\t\tarm,cs-dev-assoc = <&rig_etr>;\n\t};\n",
	       CTI_OUT_ETR_FLUSHIN, CTI_OUT_ETR_TRIGIN, SNK_FLUSHIN, SNK_TRIGIN);
	printf("};\n");
}

int main(int argc, char **argv)
{
	int cpus = argc - 3;

	if (cpus < 1 || cpus > BOARD_MAX_CPUS) {
		fprintf(stderr, "usage: dts RAM_BYTES CLOCK CPU...\n");
		return 2;
	}
	base = board_base(strtoull(argv[1], NULL, 0));
	clock = argv[2];
	for (int i = 0; i < cpus; i++) {
		etm(i, argv[3 + i]);
		cpu_cti(i, argv[3 + i]);
	}

	begin("funnel", "coresight-dynamic-funnel", BOARD_FUNNEL);
	ports_begin("in");
	for (int i = 0; i < cpus; i++) {
		char name[16];

		snprintf(name, sizeof(name), "etm%d", i);
		port(i, "funnel", name);
	}
	ports_end();
	ports_begin("out");
	port(0, "funnel", "etf");
	ports_end();
	printf("};\n");

	printf("rig_etf: ");
	begin("tmc", "coresight-tmc", BOARD_ETF);
	ports_begin("in");
	port(0, "etf", "funnel");
	ports_end();
	ports_begin("out");
	port(0, "etf", "etr");
	ports_end();
	printf("};\n");

	printf("rig_etr: ");
	begin("tmc", "coresight-tmc", BOARD_ETR);
	printf("\tarm,scatter-gather;\n");
	ports_begin("in");
	port(0, "etr", "etf");
	ports_end();
	printf("};\n");
	sink_cti();
	return 0;
}
