/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fields of the ETM's configuration registers. */
#ifndef CONFIGR_H
#define CONFIGR_H

#define CONFIGR_BB   (1u << 3)
#define CONFIGR_CCI  (1u << 4)
#define CONFIGR_CID  (1u << 6)
#define CONFIGR_VMID (1u << 7)
#define CONFIGR_TS   (1u << 11)
#define CONFIGR_RS   (1u << 12)

#define CCCTLR_THRESHOLD 0xfffu

#define SYNCPR_PERIOD 0x1fu

#define BBCTLR_RANGES  0xffu
#define BBCTLR_INCLUDE (1u << 8)

#define VICTLR_EVENT	     0xffu
#define VICTLR_SSSTATUS	     (1u << 9)
#define VICTLR_EXLEVEL_S(v)  ((v) >> 16 & 0xf)
#define VICTLR_EXLEVEL_NS(v) ((v) >> 20 & 0xf)

#define VIIECTLR_INCLUDE(v) ((v)&0xff)
#define VIIECTLR_EXCLUDE(v) ((v) >> 16 & 0xff)

#define VISSCTLR_START(v) ((v)&0xffff)
#define VISSCTLR_STOP(v)  ((v) >> 16 & 0xffff)

#define ACATR_TYPE(v)	     ((v)&3)
#define ACATR_CONTEXTTYPE(v) ((v) >> 2 & 3)
#define ACATR_CONTEXT(v)     ((v) >> 4 & 7)
#define ACATR_EXLEVEL_S(v)   ((v) >> 8 & 0xf)
#define ACATR_EXLEVEL_NS(v)  ((v) >> 12 & 0xf)

#define RSCTLR_SELECT(v) ((v)&0xffff)
#define RSCTLR_GROUP(v)	 ((v) >> 16 & 0xf)
#define RSCTLR_INV	 (1u << 20)
#define RSCTLR_PAIRINV	 (1u << 21)

/* An 8-bit event selector, as many registers have them. */
#define EVENT_PAIR   (1u << 7)
#define EVENT_SEL(v) ((v)&0x1f)

#define EVENTCTL1R_INSTEN(v) ((v)&0xf)

#define CNTCTLR_CNTEVENT(v) ((v)&0xff)
#define CNTCTLR_RLDEVENT(v) ((v) >> 8 & 0xff)
#define CNTCTLR_RLDSELF	    (1u << 16)
#define CNTCTLR_CNTCHAIN    (1u << 17)

#define SSCCR_SAC(v) ((v)&0xffff)
#define SSCCR_ARC(v) ((v) >> 16 & 0xff)
#define SSCCR_RST    (1u << 24)

#endif
