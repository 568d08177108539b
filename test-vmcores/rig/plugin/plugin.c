// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A plugin for QEMU's TCG that plays the CoreSight devices of an arm64 machine.
 *
 *   -plugin librig.so,ram=FILE,size=BYTES,out=DIR[,etf=BYTES][,scatter=on]
 *	    [,fifo=BYTES,drain=N]
 *
 *   ram, size   the file behind -object memory-backend-file, its size
 *   out         a directory for rig.log, truth.N, text.bin and text.map
 *   etf         size of the ETF's memory, 65536 by default
 *   scatter=on  the ETR can scatter
 *   fifo, drain a FIFO so small that it overflows: N/16 bytes leave it with
 *               each instruction
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "log.h"
#include "qemu-api.h"
#include "regs.h"
#include "rig.h"
#include "text.h"

QEMU_PLUGIN_EXPORT int qemu_plugin_version = QEMU_PLUGIN_VERSION;

#define MAX_ETF	 (64u << 20)
#define MAX_FIFO 1000000

struct per_cpu {
	uint64_t tracing;
};

static qemu_plugin_id_t plugin_id;
/* Instructions are watched from the first time on that one is to be traced. */
static atomic_bool watching;
static struct qemu_plugin_scoreboard *board;
static const qemu_plugin_u64 *tracing(void)
{
	static qemu_plugin_u64 entry;

	entry = (qemu_plugin_u64){ board, offsetof(struct per_cpu, tracing) };
	return &entry;
}

static void register_callbacks(qemu_plugin_id_t id);

void rig_switched(struct cpu *cpu, bool on)
{
	pthread_mutex_lock(&cpu->lock);
	if (!on)
		exec_stop(cpu);
	cpu->on = on;
	log_say("etm%u: %s, id 0x%02x", cpu->index, on ? "on" : "off",
		etm_device_trace_id(&cpu->dev));
	pthread_mutex_unlock(&cpu->lock);
	qemu_plugin_u64_set(*tracing(), cpu->index, on);
	/* What was translated so far is dropped. */
	if (on && !atomic_exchange(&watching, true))
		qemu_plugin_reset(plugin_id, register_callbacks);
}

/* One struct for each instruction that was ever translated. */
#define HASH_SIZE (1u << 18)

static struct insn *find_insn(uint64_t vaddr, uint32_t opcode, bool first)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	static struct insn *hash[HASH_SIZE];
	struct insn **head = &hash[(vaddr / 4 ^ vaddr >> 20) % HASH_SIZE], *i;

	pthread_mutex_lock(&lock);
	for (i = *head; i; i = i->next)
		if (i->vaddr == vaddr && i->opcode == opcode && i->first == first)
			break;
	if (!i) {
		i = g_new0(struct insn, 1);
		i->vaddr = vaddr;
		i->opcode = opcode;
		i->first = first;
		i->next = *head;
		*head = i;
	}
	pthread_mutex_unlock(&lock);
	return i;
}

static void on_instruction(unsigned int vcpu, void *udata)
{
	exec_instruction(&rig.cpu[vcpu], udata);
}

static void on_access(unsigned int vcpu, qemu_plugin_meminfo_t info,
		      uint64_t vaddr, void *udata)
{
	const struct qemu_plugin_hwaddr *hw =
		qemu_plugin_get_hwaddr(info, vaddr);
	uint64_t phys, value;
	bool store;

	(void)vcpu;
	(void)udata;
	if (!hw)
		return;
	phys = qemu_plugin_hwaddr_phys_addr(hw);
	if (phys - rig.base >= BOARD_END)
		return;
	store = qemu_plugin_mem_is_store(info);
	value = qemu_plugin_mem_get_value(info).data.u64;
	rig_access(phys, store, value);
	if (qemu_plugin_mem_size_shift(info) == 3)
		rig_access(phys + 4, store, value >> 32);
}

/*
 * Drivers use readl() and writel(): loads and stores of 4 or 8 bytes, with a
 * base and an offset; loads without one. To look only at those costs little.
 */
static bool may_be_register(uint64_t vaddr, uint32_t opcode)
{
	uint32_t offset = opcode >> 10 & 0xfff;

	if (!(vaddr >> 63))
		return false;
	return (opcode & 0xbfc00000) == 0xb9000000 ||
	       ((opcode & 0xbfc00000) == 0xb9400000 && !offset);
}

static bool reads_counter(uint32_t opcode)
{
	/* MRS of CNTVCT_EL0 */
	return (opcode & 0xffffffe0) == 0xd53be040;
}

static void on_counter(unsigned int vcpu, void *udata)
{
	(void)vcpu;
	clock_seen(regs_read(CPU_X0 + *(const uint8_t *)udata));
}

/*
 * QEMU ends a block behind such an instruction, so the result is there where the
 * next block begins: at an address that nothing else leads to.
 */
static void follow_counter(struct qemu_plugin_insn *first, uint64_t vaddr,
			   uint64_t end, uint32_t last)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	static const uint8_t numbers[31] = {
		0,  1,	2,  3,	4,  5,	6,  7,	8,  9,	10, 11, 12, 13, 14, 15,
		16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30,
	};
	static struct after_counter {
		uint64_t vaddr;
		uint8_t reg;
	} after[1024];
	struct after_counter *a = &after[vaddr / 4 % 1024];

	pthread_mutex_lock(&lock);
	if (a->vaddr == vaddr)
		qemu_plugin_register_vcpu_insn_exec_cb(first, on_counter,
						       QEMU_PLUGIN_CB_R_REGS,
						       (void *)&numbers[a->reg]);
	if (reads_counter(last) && (last & 0x1f) != 31 && end >> 63)
		after[end / 4 % 1024] =
			(struct after_counter){ end, last & 0x1f };
	pthread_mutex_unlock(&lock);
}

static void on_translation(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	struct qemu_plugin_insn *first = qemu_plugin_tb_get_insn(tb, 0);
	size_t n = qemu_plugin_tb_n_insns(tb);
	uint64_t start = qemu_plugin_insn_vaddr(first);
	uint32_t opcode = 0;

	(void)id;
	qemu_plugin_insn_data(qemu_plugin_tb_get_insn(tb, n - 1), &opcode,
			      sizeof(opcode));
	follow_counter(first, start, start + 4 * n, opcode);
	for (size_t i = 0; i < n; i++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
		uint64_t vaddr = qemu_plugin_insn_vaddr(insn);

		qemu_plugin_insn_data(insn, &opcode, sizeof(opcode));
		if (watching)
			qemu_plugin_register_vcpu_insn_exec_cond_cb(
				insn, on_instruction,
				i ? QEMU_PLUGIN_CB_NO_REGS :
				    QEMU_PLUGIN_CB_R_REGS,
				QEMU_PLUGIN_COND_NE, *tracing(), 0,
				find_insn(vaddr, opcode, !i));
		if (may_be_register(vaddr, opcode))
			qemu_plugin_register_vcpu_mem_cb(insn, on_access,
							 QEMU_PLUGIN_CB_NO_REGS,
							 QEMU_PLUGIN_MEM_RW,
							 NULL);
	}
}

static void on_vcpu(qemu_plugin_id_t id, unsigned int vcpu)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	(void)id;
	pthread_once(&once, rig_init);
	if (!vcpu)
		regs_init();
}

static void on_idle(qemu_plugin_id_t id, unsigned int vcpu)
{
	(void)id;
	exec_idle(&rig.cpu[vcpu]);
}

static void at_exit(qemu_plugin_id_t id, void *udata)
{
	(void)id;
	(void)udata;
	rig_exit();
	for (unsigned int i = 0; i < rig.nr_cpus; i++) {
		struct cpu *cpu = &rig.cpu[i];

		pthread_mutex_lock(&cpu->lock);
		truth_close(&cpu->truth);
		log_say("etm%u: %" PRIu64 " instructions, %" PRIu64
			" bytes of trace, %" PRIu64 " overflows, %" PRIu64
			" gaps",
			i, cpu->truth.instructions, cpu->sent,
			etm_get_stats(cpu->etm)->overflows,
			etm_get_stats(cpu->etm)->gaps);
		cpu->on = cpu->running = false;
		pthread_mutex_unlock(&cpu->lock);
	}
	if (!text_save(rig.out))
		log_say("the text cannot be written");
}

static void register_callbacks(qemu_plugin_id_t id)
{
	qemu_plugin_register_vcpu_idle_cb(id, on_idle);
	qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation);
	qemu_plugin_register_atexit_cb(id, at_exit, NULL);
}

/* A whole number, no suffix. */
static bool set_number(uint64_t *to, const char *value)
{
	char *end;

	errno = 0;
	*to = strtoull(value, &end, 0);
	return isdigit((unsigned char)*value) && !*end && !errno;
}

static bool set_option(const char *arg)
{
	static const struct {
		const char *name;
		uint64_t *to;
	} numbers[] = {
		{ "size=", &rig.ram_size },
		{ "etf=", &rig.etf_size },
		{ "fifo=", &rig.fifo },
		{ "drain=", &rig.drain },
	};

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		size_t len = strlen(numbers[i].name);

		if (!strncmp(arg, numbers[i].name, len))
			return set_number(numbers[i].to, arg + len);
	}
	if (!strncmp(arg, "ram=", 4))
		rig.ram_path = arg + 4;
	else if (!strncmp(arg, "out=", 4))
		rig.out = arg + 4;
	else if (!strcmp(arg, "scatter=on") || !strcmp(arg, "scatter=off"))
		rig.scatter = !strcmp(arg, "scatter=on");
	else
		return false;
	return true;
}

/* What is wrong with the options; NULL: nothing. */
static const char *wrong_options(const qemu_info_t *info)
{
	if (strcmp(info->target_name, "aarch64"))
		return "the machine must be aarch64";
	if (rig.nr_cpus > BOARD_MAX_CPUS)
		return "4 CPUs at most";
	if (!rig.ram_path || !rig.out)
		return "ram= and out= are needed";
	if (rig.ram_size < 2 * BOARD_WINDOW)
		return "size= must be that of the RAM, 64 MiB at least";
	if (rig.etf_size % FRAME_SIZE || !rig.etf_size || rig.etf_size > MAX_ETF)
		return "etf= wants bytes, a multiple of 16, 64 MiB at most";
	if (!rig.drain || rig.drain > MAX_FIFO || rig.fifo > MAX_FIFO)
		return "fifo= and drain= want numbers up to 1000000, drain= not 0";
	return NULL;
}

QEMU_PLUGIN_EXPORT int qemu_plugin_install(qemu_plugin_id_t id,
					   const qemu_info_t *info, int argc,
					   char **argv)
{
	const char *wrong;
	char path[4096];

	rig.etf_size = 65536;
	rig.drain = 8;
	rig.nr_cpus = info->system.smp_vcpus;
	for (int i = 0; i < argc; i++) {
		if (!set_option(argv[i])) {
			fprintf(stderr, "rig: no such option, or value: %s\n",
				argv[i]);
			return 1;
		}
	}
	wrong = wrong_options(info);
	if (wrong) {
		fprintf(stderr, "rig: %s\n", wrong);
		return 1;
	}
	snprintf(path, sizeof(path), "%s/rig.log", rig.out);
	if (!log_open(path)) {
		fprintf(stderr, "rig: cannot write %s\n", path);
		return 1;
	}
	plugin_id = id;
	board = qemu_plugin_scoreboard_new(sizeof(struct per_cpu));
	qemu_plugin_register_vcpu_init_cb(id, on_vcpu);
	register_callbacks(id);
	return 0;
}
