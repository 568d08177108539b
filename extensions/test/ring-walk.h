/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TEST_RING_WALK_H
#define TEST_RING_WALK_H

#include "ftrace/ring.h"
#include "test/kbuf-reader.h"
#include "test/mock-layout.h"
#include "test/ring-builder.h"
#include "test/said.h"

/* A trace_buffer in a mock, and what a walk over one of its CPUs gave. */
#define RING_MAX_EVENTS 2048

struct ring_fixture {
	struct mock *m;
	struct said said;
	struct rb_buffer buffer;

	struct ft_layout layout;
	struct ft_ring ring;
	struct ft_cpu_stats stats;
	enum err answer; /* what the receiver of pages gives */

	int nr_pages;
	/* As kbuffer read them from the pages. */
	struct kbuf_event event[RING_MAX_EVENTS];
	int nr_events;
};

struct ring_fixture *ring_begin(enum mock_kernel kernel, unsigned int nr_cpus,
				unsigned int order);
void ring_end(struct ring_fixture *f);

/* Probe the layout and open the buffer. */
enum err ring_open(struct ring_fixture *f);
enum err ring_walk(struct ring_fixture *f, uint32_t cpu);
enum err ring_open_and_walk(struct ring_fixture *f, uint32_t cpu);

/* The ids of all events that came, ended by 0. */
void ring_assert_ids(const struct ring_fixture *f, const uint32_t *ids);
#define IDS(...) ((const uint32_t[]){ __VA_ARGS__, 0 })

#endif
