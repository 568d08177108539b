/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The ID registers of the ETM that this folder models: a Cortex-A57's, but for
 * the 4-byte VMID, which a kernel at EL2 needs for its CONTEXTIDR_EL2.
 */
#ifndef ETM_IDREGS_H
#define ETM_IDREGS_H

#define ETM_IDR0                                                      \
	(1u << 0    /* RES1 */                                        \
	 | 0u << 1  /* INSTP0: loads and stores are no P0 elements */ \
	 | 0u << 3  /* TRCDATA: no data trace */                      \
	 | 1u << 5  /* TRCBB: branch broadcast */                     \
	 | 0u << 6  /* TRCCOND: no conditional non-branch trace */    \
	 | 1u << 7  /* TRCCCI: cycle counts */                        \
	 | 1u << 9  /* RETSTACK: three entries */                     \
	 | 3u << 10 /* NUMEVENT: four events */                       \
	 | 0u << 15 /* QSUPP: no Q elements */                        \
	 | 8u << 24 /* TSSIZE: 64 bits */                             \
	 | 1u << 29 /* COMMOPT: cycle counts do not commit */)

#define ETM_IDR1                                                             \
	(0x41u << 24  /* DESIGNER: Arm */                                    \
	 | 0xfu << 12 /* RES1 */                                             \
	 | 4u << 8    /* TRCARCHMAJ */                                       \
	 | 2u << 4    /* TRCARCHMIN: as in DEVARCH, else drivers complain */ \
	 | 3u << 0 /* REVISION */)

#define ETM_IDR2                                                 \
	(8u << 0    /* IASIZE: 64-bit addresses */               \
	 | 4u << 5  /* CIDSIZE: 4 bytes */                       \
	 | 4u << 10 /* VMIDSIZE: 4 bytes */                      \
	 | 0u << 25 /* CCSIZE: 12 bits */                        \
	 | 1u << 29 /* VMIDOPT: TRCCONFIGR.VMIDOPT can be set */ \
	 | 0u << 31 /* WFXMODE: WFI and WFE are no P0 elements */)

#define ETM_IDR3                                                          \
	(4u << 0      /* CCITMIN: the least threshold for cycle counts */ \
	 | 0xbu << 16 /* EXLEVEL_S: EL0, EL1, EL3 */                      \
	 | 0x7u << 20 /* EXLEVEL_NS: EL0, EL1, EL2 */                     \
	 | 1u << 24   /* TRCERR */                                        \
	 | 0u << 25   /* SYNCPR: TRCSYNCPR can be written */              \
	 | 0u << 26   /* STALLCTL: cannot stall the CPU */                \
	 | 0u << 28   /* NUMPROC: one CPU */                              \
	 | 0u << 31 /* NOOVERFLOW: overflows happen */)

#define ETM_IDR4                                                       \
	(4u << 0    /* NUMACPAIRS: eight address comparators */        \
	 | 0u << 4  /* NUMDVC: no data value comparators */            \
	 | 0u << 12 /* NUMPC: no PE comparator inputs */               \
	 | 7u << 16 /* NUMRSPAIR: eight pairs of resource selectors */ \
	 | 1u << 20 /* NUMSSCC: one single-shot comparator */          \
	 | 1u << 24 /* NUMCIDC */                                      \
	 | 1u << 28 /* NUMVMIDC */)

#define ETM_IDR5                                      \
	(0x1eu << 0 /* NUMEXTIN: all stay inactive */ \
	 | 4u << 9  /* NUMEXTINSEL */                 \
	 | 7u << 16 /* TRACEIDSIZE */                 \
	 | 1u << 22 /* ATBTRIG */                     \
	 | 1u << 23 /* LPOVERRIDE */                  \
	 | 4u << 25 /* NUMSEQSTATE */                 \
	 | 2u << 28 /* NUMCNTR */)

/* MAXSPEC: nothing is speculative, so there are no Commit packets. */
#define ETM_IDR8 0u

/* DEVARCH: Arm, present, ETMv4.2 */
#define ETM_DEVARCH 0x47724a13u

#define ETM_ADDRESS_PAIRS 4
#define ETM_SELECTORS	  16
#define ETM_COUNTERS	  2
#define ETM_SINGLE_SHOTS  1
#define ETM_EVENTS	  4
#define ETM_RETURN_STACK  3
#define ETM_CC_BITS	  12

#endif
