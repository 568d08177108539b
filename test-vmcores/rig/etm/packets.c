// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "configr.h"
#include "packets.h"

/* The longest are an address with both IDs (18 bytes) and A-Sync (12). */
struct packet {
	uint8_t bytes[32];
	size_t n;
};

static void put(struct packet *pk, uint8_t byte)
{
	pk->bytes[pk->n++] = byte;
}

static void put32(struct packet *pk, uint32_t value)
{
	int shift;

	for (shift = 0; shift < 32; shift += 8)
		put(pk, value >> shift);
}

/* Seven bits in a byte, the low ones first; bit 7: more follow. */
static void put_chain(struct packet *pk, uint64_t value)
{
	while (value >> 7) {
		put(pk, 0x80 | (value & 0x7f));
		value >>= 7;
	}
	put(pk, value);
}

static void give(struct packets *p, const uint8_t *bytes, size_t n)
{
	p->stats->bytes += n;
	p->ops->bytes(p->ctx, bytes, n);
}

static void give_byte(struct packets *p, uint8_t byte)
{
	give(p, &byte, 1);
}

void packets_flush(struct packets *p)
{
	uint8_t byte = atoms_flush(&p->atoms);

	if (byte)
		give_byte(p, byte);
}

void packets_atom(struct packets *p, bool e)
{
	uint8_t byte = atoms_add(&p->atoms, e);

	if (byte)
		give_byte(p, byte);
}

static void send(struct packets *p, const struct packet *pk)
{
	packets_flush(p);
	give(p, pk->bytes, pk->n);
}

static void send_byte(struct packets *p, uint8_t byte)
{
	packets_flush(p);
	give_byte(p, byte);
}

void packets_sync(struct packets *p)
{
	static const uint8_t async[12] = { [11] = 0x80 };
	struct packet info = { .n = 0 };

	packets_flush(p);
	if (p->ops->synced)
		p->ops->synced(p->ctx, p->stats->bytes);
	give(p, async, sizeof(async));

	put(&info, 0x01);
	if (p->config->configr & CONFIGR_CCI) {
		/* sections: the configuration and the threshold */
		put(&info, 0x09);
		put(&info, 0x01);
		put_chain(&info, p->config->ccctlr & CCCTLR_THRESHOLD);
	} else {
		put(&info, 0x01);
		put(&info, 0x00);
	}
	send(p, &info);
	p->known = 0;
	p->ts_known = false;
}

void packets_trace_on(struct packets *p)
{
	send_byte(p, 0x04);
}

void packets_overflow(struct packets *p)
{
	static const uint8_t overflow[] = { 0x00, 0x05 };

	packets_flush(p);
	give(p, overflow, sizeof(overflow));
}

static void put_context(struct packet *pk, const struct etm_config *config,
			const struct etm_context *c)
{
	bool cid = config->configr & CONFIGR_CID;
	bool vmid = config->configr & CONFIGR_VMID;

	put(pk,
	    (c->el & 3) | c->aarch64 << 4 | c->ns << 5 | vmid << 6 | cid << 7);
	if (vmid)
		put32(pk, c->vmid);
	if (cid)
		put32(pk, c->contextid);
}

/* Bits 1:0 of an A64 address are not traced. */
static void put_long_address(struct packet *pk, uint64_t addr, bool all)
{
	put(pk, addr >> 2 & 0x7f);
	put(pk, addr >> 9 & 0x7f);
	put(pk, addr >> 16);
	put(pk, addr >> 24);
	if (all)
		put32(pk, addr >> 32);
}

static void put_address(struct packet *pk, const struct packets *p,
			uint64_t addr)
{
	uint64_t differs;
	unsigned int i;

	for (i = 0; i < p->known; i++) {
		if (p->history[i] == addr) {
			put(pk, 0x90 | i);
			return;
		}
	}
	differs = p->known ? addr ^ p->history[0] : UINT64_MAX;
	if (differs >> 32) {
		put(pk, 0x9d);
		put_long_address(pk, addr, true);
	} else if (differs >> 17) {
		put(pk, 0x9a);
		put_long_address(pk, addr, false);
	} else if (differs >> 9) {
		put(pk, 0x95);
		put(pk, 0x80 | (addr >> 2 & 0x7f));
		put(pk, addr >> 9);
	} else {
		put(pk, 0x95);
		put(pk, addr >> 2 & 0x7f);
	}
}

static void put_address_context(struct packet *pk, const struct packets *p,
				uint64_t addr, const struct etm_context *c)
{
	bool all = !p->known || (addr ^ p->history[0]) >> 32;

	put(pk, all ? 0x85 : 0x82);
	put_long_address(pk, addr, all);
	put_context(pk, p->config, c);
}

/* Also an exact match moves everything down: an address can be there twice. */
static void remember(struct packets *p, uint64_t addr)
{
	memmove(&p->history[1], &p->history[0],
		sizeof(p->history) - sizeof(p->history[0]));
	p->history[0] = addr;
	if (p->known < PACKETS_HISTORY)
		p->known++;
}

static void send_address(struct packets *p, struct packet *pk, uint64_t addr,
			 const struct etm_context *context)
{
	addr &= ~3ull;
	if (context)
		put_address_context(pk, p, addr, context);
	else
		put_address(pk, p, addr);
	remember(p, addr);
	send(p, pk);
}

void packets_address(struct packets *p, uint64_t addr,
		     const struct etm_context *context)
{
	struct packet pk = { .n = 0 };

	send_address(p, &pk, addr, context);
}

void packets_context(struct packets *p, const struct etm_context *context)
{
	struct packet pk = { .n = 0 };

	put(&pk, 0x81);
	put_context(&pk, p->config, context);
	send(p, &pk);
}

void packets_exception(struct packets *p, enum etm_exception_type type,
		       bool after_branch, uint64_t addr,
		       const struct etm_context *context)
{
	struct packet pk = { .n = 0 };

	/* E1:E0, what the address is, in bits 6 and 0 */
	put(&pk, 0x06);
	put(&pk, (after_branch ? 0x40 : 0x01) | (type & 0x1f) << 1);
	send_address(p, &pk, addr, context);
}

void packets_exception_return(struct packets *p)
{
	send_byte(p, 0x07);
}

void packets_event(struct packets *p, unsigned int events)
{
	send_byte(p, 0x70 | events);
}

void packets_cycles(struct packets *p, bool unknown, unsigned int count)
{
	struct packet pk = { .n = 0 };
	unsigned int over = count - (p->config->ccctlr & CCCTLR_THRESHOLD);

	if (unknown) {
		put(&pk, 0x0f);
	} else if (over < 4) {
		put(&pk, 0x10 | over);
	} else if (over < 16) {
		/* F is 1, and the number of commits says none */
		put(&pk, 0x0d);
		put(&pk, 0xf0 | over);
	} else {
		put(&pk, 0x0e);
		put_chain(&pk, over);
	}
	send(p, &pk);
}

/*
 * The low bits that cover what changed; the first one after a sync has all. A
 * decoder takes what is missing from the one before.
 */
static void put_ts(struct packet *pk, const struct packets *p, uint64_t ts)
{
	uint64_t differs = p->ts_known ? ts ^ p->ts : ts;
	unsigned int n;

	for (n = 0; n < 8 && differs >> 7; n++) {
		put(pk, 0x80 | (ts & 0x7f));
		ts >>= 7;
		differs >>= 7;
	}
	/* the ninth byte has eight bits */
	put(pk, n == 8 ? ts : ts & 0x7f);
}

void packets_timestamp(struct packets *p, uint64_t ts, bool has_count,
		       unsigned int count)
{
	struct packet pk = { .n = 0 };

	if (p->ts_known && ts == p->ts)
		return;
	put(&pk, 0x02 | has_count);
	put_ts(&pk, p, ts);
	if (has_count)
		put_chain(&pk, count);
	send(p, &pk);
	p->ts = ts;
	p->ts_known = true;
}
