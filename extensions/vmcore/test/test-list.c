// SPDX-License-Identifier: GPL-2.0-or-later
/* A walk over a list_head ends on every list. */
#include "test/mock-vmcore.h"
#include "test/said.h"
#include "test/unit.h"
#include "vmcore/list.h"

#define NR 10

static struct mock *m;
static uint64_t head, nodes[NR];

static int setup(void **state)
{
	(void)state;
	m = mock_create();
	head = mock_alloc(m, 16, 8);
	mock_list_init(m, head);
	for (int i = 0; i < NR; i++) {
		nodes[i] = mock_alloc_page(m);
		mock_list_add_tail(m, head, nodes[i]);
	}
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	mock_destroy(m);
	return 0;
}

/* Walk; the number of nodes, of which the first @max are stored. */
static int walk(struct vm_list *l, bool backward, uint64_t *seen, int max)
{
	uint64_t node;
	int n = 0;

	m->reads = 0;
	vm_list_init(l, &m->vm, head, backward);
	while (vm_list_next(l, &node)) {
		if (seen && n < max)
			seen[n] = node;
		assert_in_range(++n, 0, 1000);
	}
	return n;
}

TEST(nodes_come_in_order)
{
	uint64_t seen[NR];
	struct vm_list l;

	assert_int_equal(walk(&l, false, seen, NR), NR);
	assert_int_equal(l.err, ERR_NONE);
	assert_memory_equal(seen, nodes, sizeof(seen));
}

TEST(nodes_come_backwards)
{
	uint64_t seen[NR];
	struct vm_list l;

	assert_int_equal(walk(&l, true, seen, NR), NR);
	assert_int_equal(l.err, ERR_NONE);
	for (int i = 0; i < NR; i++)
		assert_int_equal(seen[i], nodes[NR - 1 - i]);
}

TEST(empty_list_has_no_node)
{
	struct vm_list l;

	mock_list_init(m, head);
	assert_int_equal(walk(&l, false, NULL, 0), 0);
	assert_int_equal(l.err, ERR_NONE);
}

TEST(end_stays_the_end)
{
	struct vm_list l;
	uint64_t node;

	mock_list_init(m, head);
	walk(&l, false, NULL, 0);
	assert_false(vm_list_next(&l, &node));
	assert_int_equal(l.err, ERR_NONE);
}

TEST(unreadable_node_ends_the_walk_with_its_reason)
{
	uint64_t seen[NR];
	struct vm_list l;

	mock_hide(m, nodes[4], ERR_MISSING);
	assert_int_equal(walk(&l, false, seen, NR), 5);
	assert_int_equal(l.err, ERR_MISSING);
	assert_int_equal(l.bad, nodes[4]);
	assert_memory_equal(seen, nodes, 5 * sizeof(seen[0]));
}

TEST(error_stays)
{
	struct vm_list l;
	uint64_t node;

	mock_hide(m, nodes[4], ERR_MISSING);
	walk(&l, false, NULL, 0);
	assert_false(vm_list_next(&l, &node));
	assert_int_equal(l.err, ERR_MISSING);
}

TEST(wild_pointer_ends_the_walk)
{
	struct vm_list l;

	mock_put_ulong(m, nodes[2], 0x10);
	assert_int_equal(walk(&l, false, NULL, 0), 4);
	assert_int_equal(l.err, ERR_UNMAPPED);
	assert_int_equal(l.bad, 0x10);
}

TEST(head_that_cannot_be_read_is_told)
{
	struct vm_list l;
	uint64_t node;

	vm_list_init(&l, &m->vm, 0x10, false);
	assert_false(vm_list_next(&l, &node));
	assert_int_equal(l.err, ERR_UNMAPPED);
}

TEST(any_cycle_that_misses_the_head_is_found_soon)
{
	for (int from = 0; from < NR; from++) {
		for (int to = 0; to <= from; to++) {
			uint64_t old = mock_get_ulong(m, nodes[from]);
			uint64_t seen[NR];
			struct vm_list l;

			mock_put_ulong(m, nodes[from], nodes[to]);
			assert_in_range(walk(&l, false, seen, NR), from + 1,
					4 * NR);
			assert_int_equal(l.err, ERR_BAD_DATA);
			assert_in_range(m->reads, 1, 4 * NR);
			assert_memory_equal(seen, nodes,
					    (from + 1) * sizeof(seen[0]));
			mock_put_ulong(m, nodes[from], old);
		}
	}
}

TEST(cycle_is_found_backwards_too)
{
	struct vm_list l;

	mock_put_ulong(m, nodes[3] + MOCK_LONG, nodes[7]);
	assert_in_range(walk(&l, true, NULL, 0), 1, 4 * NR);
	assert_int_equal(l.err, ERR_BAD_DATA);
}

struct seen {
	unsigned int times[NR]; /* each node was seen */
	unsigned int nodes;
	enum err answer;
};

static enum err see(void *arg, uint64_t node)
{
	struct seen *s = arg;

	assert_in_range(++s->nodes, 1, 100);
	for (int i = 0; i < NR; i++)
		s->times[i] += node == nodes[i];
	return s->answer;
}

/* Visit the list; what was seen, told, and how many ways were broken. */
static enum err visit(struct seen *seen, struct said *said, unsigned int max,
		      size_t *broken)
{
	const struct vm_list_visit v = {
		.vm = &m->vm,
		.diag = &said->diag,
		.what = "nodes",
		.head = head,
		.max = max,
		.fn = see,
		.arg = seen,
	};

	said_init(said);
	*broken = 0;
	return vm_list_visit(&v, broken);
}

TEST(whole_list_is_visited_once)
{
	struct seen seen = { 0 };
	struct said said;
	size_t broken;

	assert_int_equal(visit(&seen, &said, NR, &broken), ERR_NONE);
	for (int i = 0; i < NR; i++)
		assert_int_equal(seen.times[i], 1);
	assert_int_equal(broken, 0);
	assert_int_equal(said.lines, 0);
}

TEST(visit_of_a_list_torn_one_way_misses_no_node)
{
	for (int torn = 0; torn < NR - 1; torn++) {
		uint64_t old = mock_get_ulong(m, nodes[torn]);
		struct seen seen = { 0 };
		struct said said;
		size_t broken;

		mock_put_ulong(m, nodes[torn], nodes[0]);
		assert_int_equal(visit(&seen, &said, NR, &broken), ERR_NONE);
		for (int i = 0; i < NR; i++)
			assert_in_range(seen.times[i], 1, 5);
		assert_int_equal(broken, 1);
		assert_true(said_has(&said, "the list of nodes ends early"));
		assert_int_equal(said.lines, 1);
		mock_put_ulong(m, nodes[torn], old);
	}
}

TEST(link_that_skips_nodes_is_told_and_they_are_found)
{
	const uint64_t to[] = { nodes[5], nodes[NR - 1], head };

	for (size_t k = 0; k < ARRAY_SIZE(to); k++) {
		uint64_t old = mock_get_ulong(m, nodes[2]);
		struct seen seen = { 0 };
		struct said said;
		size_t broken;

		mock_put_ulong(m, nodes[2], to[k]);
		assert_int_equal(visit(&seen, &said, NR, &broken), ERR_NONE);
		for (int i = 0; i < NR; i++)
			assert_in_range(seen.times[i], 1, 2);
		assert_int_equal(broken, 1);
		assert_true(said_has(&said, "may skip some before"));
		assert_int_equal(said.lines, 1);
		mock_put_ulong(m, nodes[2], old);
	}
}

TEST(list_that_looks_empty_one_way_is_walked_the_other)
{
	struct seen seen = { 0 };
	struct said said;
	size_t broken;

	mock_put_ulong(m, head, head);
	assert_int_equal(visit(&seen, &said, NR, &broken), ERR_NONE);
	for (int i = 0; i < NR; i++)
		assert_int_equal(seen.times[i], 1);
	assert_int_equal(broken, 1);
}

TEST(node_that_is_lost_breaks_both_ways)
{
	struct seen seen = { 0 };
	struct said said;
	size_t broken;

	mock_hide(m, nodes[4], ERR_MISSING);
	assert_int_equal(visit(&seen, &said, NR, &broken), ERR_NONE);
	for (int i = 0; i < NR; i++)
		assert_in_range(seen.times[i], 1, 2);
	assert_int_equal(broken, 2);
	assert_true(said_has(&said, "broken backwards too"));
}

TEST(list_with_too_many_nodes_is_broken)
{
	struct seen seen = { 0 };
	struct said said;
	size_t broken;

	assert_int_equal(visit(&seen, &said, NR - 1, &broken), ERR_NONE);
	assert_int_equal(broken, 2);
	assert_int_equal(seen.nodes, 2 * (NR - 1));
}

TEST(visit_ends_where_the_receiver_or_the_user_says)
{
	struct seen seen = { .answer = ERR_NOMEM };
	struct said said;
	size_t broken;

	assert_int_equal(visit(&seen, &said, NR, &broken), ERR_NOMEM);
	assert_int_equal(seen.nodes, 1);
	seen = (struct seen){ 0 };
	m->interrupt = true;
	m->polls_before_interrupt = 3;
	assert_int_equal(visit(&seen, &said, NR, &broken), ERR_INTERRUPTED);
	assert_int_equal(seen.nodes, 3);
	assert_int_equal(said.lines, 0);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(nodes_come_in_order),
		CASE(nodes_come_backwards),
		CASE(empty_list_has_no_node),
		CASE(end_stays_the_end),
		CASE(unreadable_node_ends_the_walk_with_its_reason),
		CASE(error_stays),
		CASE(wild_pointer_ends_the_walk),
		CASE(head_that_cannot_be_read_is_told),
		CASE(any_cycle_that_misses_the_head_is_found_soon),
		CASE(cycle_is_found_backwards_too),
		CASE(whole_list_is_visited_once),
		CASE(visit_of_a_list_torn_one_way_misses_no_node),
		CASE(link_that_skips_nodes_is_told_and_they_are_found),
		CASE(list_that_looks_empty_one_way_is_walked_the_other),
		CASE(node_that_is_lost_breaks_both_ways),
		CASE(list_with_too_many_nodes_is_broken),
		CASE(visit_ends_where_the_receiver_or_the_user_says),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
