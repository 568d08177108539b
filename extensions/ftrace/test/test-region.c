// SPDX-License-Identifier: GPL-2.0-or-later
/* ft_region_open(): the form of a boot-mapped region, whole and damaged. */
#include "ftrace/region.h"
#include "test/region-builder.h"
#include "test/said.h"
#include "test/unit.h"

static const enum mock_kernel kernels[] = { LIKE_6_12, LIKE_7_3,
					    LIKE_7_3_INJECT };

static struct mock *m;
static struct region_builder built;
static struct ft_layout layout;
static struct ft_region region;
static struct said said;

static void begin(enum mock_kernel kernel, unsigned int nr_cpus,
		  uint32_t nr_subbufs, uint64_t off)
{
	m = mock_create();
	mock_layout(m, kernel);
	said_init(&said);
	rg_init(&built, m, kernel, nr_cpus, nr_subbufs, off);
	assert_int_equal(ft_layout_probe(&layout, &m->vm, &said.diag), ERR_NONE);
}

static void end(void)
{
	mock_destroy(m);
}

static enum err open_with(uint64_t live_pages)
{
	return ft_region_open(&region, &m->vm, &layout, built.start, built.size,
			      built.nr_cpus, live_pages);
}

static void assert_as_built(void)
{
	uint32_t index;

	assert_int_equal(region.nr_subbufs, built.nr_subbufs);
	for (unsigned int cpu = 0; cpu < built.nr_cpus; cpu++) {
		uint64_t last = built.subbuf[cpu] +
				(built.nr_subbufs - 1ull) * MOCK_PAGE;

		assert_int_equal(ft_region_subbuf(&region, cpu, 0),
				 built.subbuf[cpu]);
		assert_true(ft_region_index(&region, cpu, last, &index));
		assert_int_equal(index, built.nr_subbufs - 1);
		assert_false(ft_region_index(&region, cpu, last + MOCK_PAGE,
					     &index));
		assert_false(ft_region_index(&region, cpu, last + 8, &index));
		assert_false(ft_region_index(&region, cpu,
					     built.subbuf[cpu] - MOCK_PAGE,
					     &index));
	}
}

TEST(cpus_lie_one_behind_the_other)
{
	static const uint64_t offs[] = { 0, 8, 4088 };

	for (size_t k = 0; k < ARRAY_SIZE(kernels); k++)
		for (unsigned int cpus = 1; cpus <= RG_MAX_CPUS; cpus++)
			for (size_t o = 0; o < ARRAY_SIZE(offs); o++) {
				begin(kernels[k], cpus, 3 + cpus, offs[o]);
				assert_int_equal(open_with(0), ERR_NONE);
				assert_as_built();
				end();
			}
}

TEST(kernels_without_regions_have_none)
{
	m = mock_create();
	mock_layout(m, LIKE_6_1);
	said_init(&said);
	assert_int_equal(ft_layout_probe(&layout, &m->vm, &said.diag), ERR_NONE);
	built.start = mock_alloc_page(m);
	assert_int_equal(open_with(0), ERR_UNSUPPORTED);
	end();
}

TEST(fewer_sub_buffers_than_fit_are_as_many_as_the_headers_say)
{
	for (size_t k = 0; k < ARRAY_SIZE(kernels); k++) {
		begin(kernels[k], 2, 4, 0);
		mock_alloc(m, 64 * MOCK_PAGE, MOCK_PAGE);
		built.size += 60 * MOCK_PAGE;
		if (kernels[k] != LIKE_6_12)
			rg_set(&built, "total_size", built.size);
		assert_int_equal(open_with(0), ERR_NONE);
		assert_as_built();
		end();
	}
}

/* Whatever is wrong in one CPU's header, the others and the sum outvote it. */
TEST(one_damaged_header_of_a_cpu_is_outvoted)
{
	static const struct {
		const char *member;
		uint64_t value;
	} wild[] = {
		{ "nr_subbufs", 0 },	      { "nr_subbufs", 3 },
		{ "nr_subbufs", 5 },	      { "nr_subbufs", 0x7fffffff },
		{ "nr_subbufs", 0xffffffff }, { "subbuf_size", 0 },
		{ "subbuf_size", 1 },	      { "subbuf_size", 0xfffff000 },
		{ "first_buffer", ~0ull },    { "head_buffer", 0 },
		{ "commit_buffer", 1 },
	};

	for (size_t k = 0; k < ARRAY_SIZE(kernels); k++)
		for (size_t i = 0; i < ARRAY_SIZE(wild); i++)
			for (unsigned int cpu = 0; cpu < 2; cpu++) {
				begin(kernels[k], 2, 4, 0);
				rg_set_cpu(&built, cpu, wild[i].member,
					   wild[i].value);
				assert_int_equal(open_with(0), ERR_NONE);
				assert_as_built();
				end();
			}
}

TEST(damaged_header_of_the_region_is_done_without)
{
	static const struct {
		const char *member;
		uint64_t value;
	} wild[] = {
		{ "magic", 0 },
		{ "struct_sizes", 0 },
		{ "total_size", 0 },
		{ "total_size", ~0ull },
		{ "buffers_offset", 0 },
		{ "buffers_offset", 23 },
		{ "buffers_offset", 1001 },
		{ "buffers_offset", ~0ull },
	};

	for (size_t i = 0; i < ARRAY_SIZE(wild); i++) {
		begin(LIKE_7_3, 2, 4, 0);
		rg_set(&built, wild[i].member, wild[i].value);
		assert_int_equal(open_with(0),
				 i == 1 ? ERR_UNSUPPORTED : ERR_NONE);
		if (i != 1)
			assert_as_built();
		end();
	}
}

TEST(another_layout_is_not_taken_for_this_one)
{
	begin(LIKE_7_3, 2, 4, 0);
	rg_set(&built, "struct_sizes", 24 << 16 | 48);
	assert_int_equal(open_with(0), ERR_UNSUPPORTED);
	end();

	begin(LIKE_6_12, 2, 4, 0);
	rg_set_cpu(&built, 0, "subbuf_size", 77);
	mock_put(m, built.start + 4, 64, 4);
	assert_int_equal(open_with(0), ERR_UNSUPPORTED);
	end();
}

TEST(without_a_sound_header_the_live_ring_must_agree_with_the_sum)
{
	for (size_t k = 0; k < ARRAY_SIZE(kernels); k++) {
		begin(kernels[k], 2, 4, 0);
		for (unsigned int cpu = 0; cpu < 2; cpu++)
			rg_set_cpu(&built, cpu, "subbuf_size", 0);
		assert_int_equal(open_with(0), ERR_BAD_DATA);
		assert_int_equal(open_with(7), ERR_BAD_DATA);
		assert_int_equal(open_with(UINT64_MAX), ERR_BAD_DATA);
		assert_int_equal(open_with(3), ERR_NONE);
		assert_as_built();
		end();
	}
}

/* Two sub-buffers are fewer than the kernel ever makes. */
TEST(region_without_room_for_a_ring_is_refused)
{
	begin(LIKE_6_12, 2, 2, 0);
	for (unsigned int cpu = 0; cpu < 2; cpu++)
		rg_set_cpu(&built, cpu, "subbuf_size", 0);
	assert_int_equal(open_with(1), ERR_BAD_DATA);
	end();
}

TEST(absurd_ranges_are_refused)
{
	static const struct {
		uint64_t start, size;
	} wild[] = {
		{ 0, 0x80000 },
		{ 1, ~0ull },
		{ ~0ull - 100, 0x80000 },
		{ 0xffff888000000000ull, 0 },
		{ 0xffff888000000000ull, 100 },
		{ 0xffff888000000000ull, 1ull << 62 },
		{ 0xdead000000000000ull, 0x80000 },
	};

	for (size_t k = 0; k < ARRAY_SIZE(kernels); k++) {
		begin(kernels[k], 2, 4, 0);
		for (size_t i = 0; i < ARRAY_SIZE(wild); i++)
			assert_int_not_equal(ft_region_open(&region, &m->vm,
							    &layout,
							    wild[i].start,
							    wild[i].size, 2, 3),
					     ERR_NONE);
		/* Many CPUs, or none. */
		assert_int_not_equal(ft_region_open(&region, &m->vm, &layout,
						    built.start, built.size, 0,
						    3),
				     ERR_NONE);
		assert_int_not_equal(ft_region_open(&region, &m->vm, &layout,
						    built.start, built.size,
						    16384, 3),
				     ERR_NONE);
		end();
	}
}

TEST(region_that_is_not_in_the_dump_is_missing)
{
	for (size_t k = 0; k < ARRAY_SIZE(kernels); k++) {
		begin(kernels[k], 2, 4, 0);
		mock_hide(m, built.start, ERR_MISSING);
		assert_int_equal(open_with(0), ERR_MISSING);
		end();
	}
}

TEST(region_that_is_cut_off_is_another_one)
{
	begin(LIKE_7_3, 2, 4, 0);
	built.size -= MOCK_PAGE;
	assert_int_not_equal(open_with(0), ERR_NONE);
	end();
}

/* Every word of the headers, turned into something else, one by one. */
TEST(no_word_of_the_headers_leads_outside)
{
	static const uint32_t values[] = { 0, 1, 0x7fffffff, 0x80000000,
					   0xffffffff };

	for (size_t k = 0; k < ARRAY_SIZE(kernels); k++) {
		begin(kernels[k], 2, 4, 0);
		for (uint64_t at = 0; at < 80; at += 4)
			for (size_t i = 0; i < ARRAY_SIZE(values); i++) {
				uint32_t *word =
					mock_ptr(m, (at < 40 ? built.start :
							       built.header[1] -
								       40) +
							    at);
				uint32_t was = *word;

				*word = values[i];
				if (open_with(0) == ERR_NONE) {
					assert_true(
						ft_region_subbuf(&region, 1,
								 region.nr_subbufs) <=
						built.start + built.size);
					assert_true(region.nr_subbufs >= 3);
				}
				*word = was;
			}
		end();
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cpus_lie_one_behind_the_other),
		cmocka_unit_test(kernels_without_regions_have_none),
		cmocka_unit_test(
			fewer_sub_buffers_than_fit_are_as_many_as_the_headers_say),
		cmocka_unit_test(one_damaged_header_of_a_cpu_is_outvoted),
		cmocka_unit_test(damaged_header_of_the_region_is_done_without),
		cmocka_unit_test(another_layout_is_not_taken_for_this_one),
		cmocka_unit_test(
			without_a_sound_header_the_live_ring_must_agree_with_the_sum),
		cmocka_unit_test(region_without_room_for_a_ring_is_refused),
		cmocka_unit_test(absurd_ranges_are_refused),
		cmocka_unit_test(region_that_is_not_in_the_dump_is_missing),
		cmocka_unit_test(region_that_is_cut_off_is_another_one),
		cmocka_unit_test(no_word_of_the_headers_leads_outside),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
