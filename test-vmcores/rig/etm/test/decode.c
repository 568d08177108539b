// SPDX-License-Identifier: GPL-2.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <opencsd/c_api/opencsd_c_api.h>

#include "configr.h"
#include "decode.h"
#include "idregs.h"

/* OpenCSD forgets what it allocates there. */
/* NOLINTBEGIN(bugprone-reserved-identifier): LeakSanitizer asks for this name. */
const char *__lsan_default_suppressions(void);

const char *__lsan_default_suppressions(void)
{
	return "leak:ocsd_dt_set_gen_elem_outfn\n"
	       "leak:ocsd_dt_attach_packet_callback\n";
}
/* NOLINTEND(bugprone-reserved-identifier) */

void steps_add(struct steps *s, uint64_t addr, const struct etm_context *c)
{
	if (s->n == s->max) {
		s->max = s->max ? 2 * s->max : 1024;
		s->v = realloc(s->v, s->max * sizeof(*s->v));
		assert_non_null(s->v);
	}
	s->v[s->n].addr = addr;
	s->v[s->n++].context = *c;
}

void steps_free(struct steps *s)
{
	free(s->v);
	memset(s, 0, sizeof(*s));
}

void decoded_free(struct decoded *d)
{
	steps_free(&d->steps);
	free(d->exceptions);
	d->exceptions = NULL;
}

/*
 * OpenCSD is C++ code, so no assert may jump out of its callbacks: the first
 * complaint is kept until it has returned.
 */
static bool complain(struct decoded *d, bool right, const char *what,
		     uint64_t value)
{
	if (!right && !d->complaint) {
		d->complaint = what;
		d->complaint_value = value;
	}
	return right;
}

#define CHECK(d, cond, value) complain(d, cond, #cond, value)

static void context_element(struct decoded *d, const ocsd_pe_context *c)
{
	CHECK(d, c->el_valid, 0);
	d->context.el = c->exception_level;
	d->context.ns = c->security_level == ocsd_sec_nonsecure;
	d->context.aarch64 = c->bits64;
	if (d->config->configr & CONFIGR_CID) {
		CHECK(d, c->ctxt_id_valid, 0);
		d->context.contextid = c->context_id;
	}
	if (d->config->configr & CONFIGR_VMID) {
		CHECK(d, c->vmid_valid, 0);
		d->context.vmid = c->vmid;
	}
}

static void exception_element(struct decoded *d,
			      const ocsd_generic_trace_elem *elem)
{
	if (!(d->n_exceptions & (d->n_exceptions - 1))) {
		size_t max = d->n_exceptions ? 2 * d->n_exceptions : 1;

		d->exceptions =
			realloc(d->exceptions, max * sizeof(*d->exceptions));
		if (!d->exceptions)
			abort();
	}
	CHECK(d, elem->excep_ret_addr, 0);
	d->exceptions[d->n_exceptions].type = elem->exception_number;
	d->exceptions[d->n_exceptions++].preferred_return = elem->en_addr;
}

static void timestamp_element(struct decoded *d, uint64_t ts)
{
	if (d->n_timestamps < DECODE_MAX_TIMESTAMPS)
		d->timestamps[d->n_timestamps++] = ts;
}

/*
 * One cycle for each instruction. 0: unknown, as after each gap. The first one
 * may have begun before the decoder did.
 */
static void cycle_element(struct decoded *d, uint32_t cycles)
{
	if (cycles && d->counts++)
		CHECK(d, cycles == d->steps.n - d->counted, cycles);
	d->counts += !cycles;
	d->counted = d->steps.n;
	d->cycles += cycles;
}

static void range_element(struct decoded *d, const ocsd_generic_trace_elem *elem)
{
	uint64_t addr;

	CHECK(d, elem->st_addr < elem->en_addr, elem->st_addr);
	CHECK(d, elem->isa == ocsd_isa_aarch64, elem->isa);
	for (addr = elem->st_addr; addr < elem->en_addr; addr += 4)
		steps_add(&d->steps, addr, &d->context);
	d->last_type = elem->last_i_type;
}

static void element(struct decoded *d, const ocsd_generic_trace_elem *elem)
{
	switch (elem->elem_type) {
	case OCSD_GEN_TRC_ELEM_NO_SYNC:
		if (elem->unsync_eot_info == UNSYNC_OVERFLOW)
			d->overflows++;
		else
			CHECK(d, d->steps.n == 0, d->steps.n);
		break;
	case OCSD_GEN_TRC_ELEM_TRACE_ON:
		d->trace_ons++;
		break;
	case OCSD_GEN_TRC_ELEM_EO_TRACE:
	case OCSD_GEN_TRC_ELEM_EXCEPTION_RET:
		break;
	case OCSD_GEN_TRC_ELEM_PE_CONTEXT:
		context_element(d, &elem->context);
		break;
	case OCSD_GEN_TRC_ELEM_INSTR_RANGE:
		range_element(d, elem);
		break;
	case OCSD_GEN_TRC_ELEM_EXCEPTION:
		exception_element(d, elem);
		break;
	case OCSD_GEN_TRC_ELEM_TIMESTAMP:
		timestamp_element(d, elem->timestamp);
		break;
	case OCSD_GEN_TRC_ELEM_CYCLE_COUNT:
		cycle_element(d, elem->cycle_count);
		break;
	case OCSD_GEN_TRC_ELEM_EVENT:
		d->events++;
		break;
	default:
		complain(d, false, "unexpected element", elem->elem_type);
	}
}

static ocsd_datapath_resp_t on_element(const void *ctx, ocsd_trc_index_t index,
				       uint8_t id,
				       const ocsd_generic_trace_elem *elem)
{
	struct decoded *d = (struct decoded *)ctx;

	(void)index;
	while ((d->config->traceidr & 0x7f) != id)
		d++;
	element(d, elem);
	return d->complaint ? OCSD_RESP_FATAL_SYS_ERR : OCSD_RESP_CONT;
}

static void on_packet(const void *ctx, ocsd_datapath_op_t op,
		      ocsd_trc_index_t index, const void *packet, uint32_t size,
		      const uint8_t *bytes)
{
	struct decoded *d = (struct decoded *)ctx;
	const ocsd_etmv4_i_pkt *pkt = packet;

	if (op != OCSD_OP_DATA || pkt->type == ETM4_PKT_I_NOTSYNC)
		return;
	/* Bytes before the first A-Sync, if no A-Sync came. */
	if (pkt->type == ETM4_PKT_I_INCOMPLETE_EOT && !d->synced)
		return;
	d->synced = true;
	if (!complain(d,
		      size > 0 && (pkt->type < ETM4_PKT_I_NOTSYNC ||
				   pkt->type >= 0x400),
		      "bad packet", index))
		return;
	if (!d->headers)
		return;
	d->headers[bytes[0] ? bytes[0] : 256 + bytes[1]]++;
	if (bytes[0] == 0x06 && bytes[1] & 0x40)
		d->headers[DECODE_AFTER_BRANCH]++;
}

static void create(dcd_tree_handle_t tree, struct decoded *d, bool v8_3)
{
	ocsd_etmv4_cfg cfg = {
		.reg_idr0 = ETM_IDR0,
		.reg_idr1 = ETM_IDR1,
		.reg_idr2 = ETM_IDR2,
		.reg_idr8 = ETM_IDR8,
		.reg_configr = d->config->configr,
		.reg_traceidr = d->config->traceidr,
		.arch_ver = v8_3 ? ARCH_AA64 : ARCH_V8,
		.core_prof = profile_CortexA,
	};
	int flags = OCSD_CREATE_FLG_FULL_DECODER |
		    OCSD_OPFLG_PKTPROC_ERR_BAD_PKTS |
		    OCSD_OPFLG_PKTDEC_ERROR_BAD_PKTS |
		    OCSD_OPFLG_PKTDEC_HALT_BAD_PKTS;
	unsigned char id;

	assert_int_equal(ocsd_dt_create_decoder(tree, OCSD_BUILTIN_DCD_ETMV4I,
						flags, &cfg, &id),
			 OCSD_OK);
	assert_int_equal(ocsd_dt_attach_packet_callback(tree, id,
							OCSD_C_API_CB_PKT_MON,
							(void *)on_packet, d),
			 OCSD_OK);
}

static bool process(dcd_tree_handle_t tree, ocsd_datapath_op_t op,
		    uint64_t index, size_t size, const uint8_t *bytes)
{
	uint32_t done = 0;

	return ocsd_dt_process_data(tree, op, index, size, bytes, &done) ==
		       OCSD_RESP_CONT &&
	       done == size;
}

/* What OpenCSD or the callbacks did not like. */
static void complaints(const struct decoded *out, size_t n)
{
	char message[256] = "";
	ocsd_trc_index_t at;
	uint8_t id;
	size_t i;

	for (i = 0; i < n; i++)
		if (out[i].complaint)
			fail_msg("source %zu, instruction %zu: %s: %llx", i,
				 out[i].steps.n, out[i].complaint,
				 (unsigned long long)out[i].complaint_value);
	ocsd_get_last_err(&at, &id, message, sizeof(message));
	fail_msg("OpenCSD: %s", message);
}

void decode(struct decoded *out, const struct etm_config *configs, size_t n,
	    bool framed, bool v8_3, const uint8_t *bytes, size_t size,
	    const struct decode_memory *memory, size_t n_memory,
	    uint64_t headers[DECODE_HEADERS])
{
	dcd_tree_handle_t tree;
	bool right;
	size_t i;

	tree = ocsd_create_dcd_tree(framed ? OCSD_TRC_SRC_FRAME_FORMATTED :
					     OCSD_TRC_SRC_SINGLE,
				    framed ? OCSD_DFRMTR_FRAME_MEM_ALIGN : 0);
	assert_non_null(tree);
	memset(out, 0, n * sizeof(*out));
	for (i = 0; i < n; i++) {
		out[i].config = &configs[i];
		out[i].headers = headers;
		create(tree, &out[i], v8_3);
	}
	assert_int_equal(ocsd_dt_set_gen_elem_outfn(tree, on_element, out),
			 OCSD_OK);
	for (i = 0; i < n_memory; i++)
		assert_int_equal(ocsd_dt_add_buffer_mem_acc(tree, memory[i].addr,
							    OCSD_MEM_SPACE_ANY,
							    memory[i].bytes,
							    memory[i].n),
				 OCSD_OK);
	right = !size || process(tree, OCSD_OP_DATA, 0, size, bytes);
	right = right && process(tree, OCSD_OP_EOT, size, 0, NULL);
	ocsd_destroy_dcd_tree(tree);
	for (i = 0; i < n; i++)
		right = right && !out[i].complaint;
	if (!right)
		complaints(out, n);
}
