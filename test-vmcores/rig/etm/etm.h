/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A model of a CPU's trace macrocell, ETMv4.2: told what the CPU executes, it
 * gives the bytes that the macrocell would put on the trace bus.
 *
 * One struct etm for each traced CPU. The caller reports, in program order:
 * each instruction that was executed, each exception that was taken, each
 * change of the context. There is no lock in here.
 *
 *   ERET, and everything else that changes the context:
 *	etm_executed(the ERET), then etm_context(what holds now)
 *   an exception:
 *	etm_exception(), which has the new context as an argument. SVC, HVC and
 *	SMC have been executed: etm_executed() with next = address + 4 first.
 */
#ifndef ETM_H
#define ETM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ETM_MAX_COMPARATORS 16
#define ETM_MAX_SELECTORS   32
#define ETM_MAX_IDS	    8
#define ETM_MAX_COUNTERS    4
#define ETM_MAX_SEQ_EVENTS  3

/* The registers as they stand when TRCPRGCTLR.EN is set. */
struct etm_config {
	uint32_t configr;
	uint32_t eventctl0r;
	uint32_t eventctl1r;
	uint32_t tsctlr;
	uint32_t syncpr;
	uint32_t ccctlr;
	uint32_t bbctlr;
	uint32_t traceidr;
	uint32_t victlr;
	uint32_t viiectlr;
	uint32_t vissctlr;
	uint64_t acvr[ETM_MAX_COMPARATORS];
	uint64_t acatr[ETM_MAX_COMPARATORS];
	uint32_t rsctlr[ETM_MAX_SELECTORS];
	uint64_t cidcvr[ETM_MAX_IDS];
	uint64_t vmidcvr[ETM_MAX_IDS];
	uint32_t cidcctlr0;
	uint32_t vmidcctlr0;
	uint32_t cntrldvr[ETM_MAX_COUNTERS];
	uint32_t cntctlr[ETM_MAX_COUNTERS];
	uint32_t cntvr[ETM_MAX_COUNTERS];
	uint32_t seqevr[ETM_MAX_SEQ_EVENTS];
	uint32_t seqrstevr;
	uint32_t seqstr;
	uint32_t ssccr[ETM_MAX_IDS];
};

struct etm_context {
	uint8_t el;
	bool ns;
	bool aarch64;
	uint32_t contextid;
	uint32_t vmid; /* with TRCCONFIGR.VMIDOPT: CONTEXTIDR_EL2 */
};

/* What the Exception packet calls it. */
enum etm_exception_type {
	ETM_EXC_RESET = 0,
	ETM_EXC_DEBUG_HALT = 1,
	ETM_EXC_CALL = 2, /* SVC, HVC, SMC */
	ETM_EXC_TRAP = 3,
	ETM_EXC_SERROR = 4,
	ETM_EXC_INST_DEBUG = 6,
	ETM_EXC_DATA_DEBUG = 7,
	ETM_EXC_ALIGNMENT = 10,
	ETM_EXC_INST_FAULT = 11,
	ETM_EXC_DATA_FAULT = 12,
	ETM_EXC_IRQ = 14,
	ETM_EXC_FIQ = 15,
};

struct etm_ops {
	/* Trace bytes of this source: whole packets, in order. */
	void (*bytes)(void *ctx, const uint8_t *bytes, size_t n);
	/* The timestamp, CNTVCT. May be NULL if never enabled. */
	uint64_t (*now)(void *ctx);
	/*
	 * External output out (0 to 3) fires: the resource that TRCEVENTCTL0R
	 * selects became active. May be NULL. May call etm_flush(), and
	 * nothing else of this interface.
	 */
	void (*event)(void *ctx, unsigned int out);
	/*
	 * An A-Sync is about to be given, at this offset of the source's bytes
	 * (all that were given since etm_create()). A decoder that starts there
	 * sees, as its first instruction, the first one that etm_executed()
	 * returns true for from now on, the one it is just called for included.
	 * May be NULL.
	 */
	void (*synced)(void *ctx, uint64_t offset);
};

struct etm_stats {
	uint64_t bytes;
	uint64_t traced; /* instructions */
	uint64_t syncs;
	uint64_t overflows;
	/*
	 * The caller left something out: an instruction that is not the one
	 * that follows. Not an error in the trace, which then has a Trace On,
	 * but in the caller: should stay 0.
	 */
	uint64_t gaps;
};

struct etm;

struct etm *etm_create(const struct etm_ops *ops, void *ctx);
void etm_destroy(struct etm *etm);

/* TRCPRGCTLR.EN was set. The configuration is copied. */
void etm_enable(struct etm *etm, const struct etm_config *config,
		const struct etm_context *context);
/* TRCPRGCTLR.EN was cleared: what is pending comes out, then nothing. */
void etm_disable(struct etm *etm);
bool etm_enabled(const struct etm *etm);
/* What is pending comes out, and tracing goes on: the sink flushes. */
void etm_flush(struct etm *etm);
/*
 * The FIFO overflows: at the end of the block of instructions that is being
 * executed an Overflow packet comes out, and the lost instructions after it
 * are not traced; then trace starts anew with a synchronisation.
 */
void etm_overflow(struct etm *etm, unsigned int lost);

/*
 * An A64 instruction was executed: its address, its opcode and where execution
 * goes on. True if it is traced, that is, inside all filters; see also
 * etm_uncovered().
 *
 * The filters work on blocks, as trace can show no less: a block that had one
 * traced instruction is traced to its end, a branch, ISB or exception.
 */
bool etm_executed(struct etm *etm, uint64_t addr, uint32_t opcode,
		  uint64_t next);
void etm_exception(struct etm *etm, enum etm_exception_type type,
		   uint64_t preferred_return, uint64_t vector,
		   const struct etm_context *after);
/*
 * The context changed without an exception: by the ERET or ISB that
 * etm_executed() was just called for. In the middle of a block (CONTEXTIDR was
 * written, the ISB comes later) it takes effect at the block's end.
 */
void etm_context(struct etm *etm, const struct etm_context *context);
/*
 * What the trace says the context is: of the block that is being executed, or
 * of the next one.
 */
const struct etm_context *etm_traced_context(const struct etm *etm);

/*
 * How many of the last instructions that etm_executed() returned true for are
 * not in the trace yet, and will not be if it ends here: those that no branch,
 * ISB or exception has followed. After etm_flush() or etm_disable() everything
 * before them is.
 */
uint64_t etm_uncovered(const struct etm *etm);

const struct etm_stats *etm_get_stats(const struct etm *etm);

/* TRCSEQSTR, TRCCNTVRn, TRCVICTLR.SSSTATUS (bit 9) as they stand. */
uint32_t etm_sequencer(const struct etm *etm);
uint32_t etm_counter(const struct etm *etm, unsigned int n);
bool etm_started(const struct etm *etm);

/*
 * The type of an exception by where it was taken to (offset from VBAR) and
 * ESR_ELx, which counts for synchronous ones only.
 */
enum etm_exception_type etm_exception_of(unsigned int vector_offset,
					 uint64_t esr);

#endif
