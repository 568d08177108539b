// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>

#include "ftrace/region.h"

#define MAGIC 0x0badfeedu /* RING_BUFFER_META_MAGIC */

/* Larger than any that is of use; sizes beyond are damage. */
#define MAX_SIZE (64ull << 30)
/* A reader page, and two to write to: the kernel takes no fewer. */
#define MIN_SUBBUFS 3
/* A wild number of CPUs must not take for ever. */
#define MAX_VOTES 64

static uint64_t align_up(uint64_t n, uint64_t to)
{
	return (n + to - 1) / to * to;
}

/* Bytes from a CPU's header at @chunk to its first sub-buffer. */
static uint64_t subbufs_at(const struct ft_region *r, uint64_t chunk,
			   uint32_t nr_subbufs)
{
	return align_up(chunk + r->meta_size + nr_subbufs * sizeof(uint32_t),
			r->subbuf_size);
}

/* The header of @cpu, which may be one behind the last. */
static uint64_t chunk_at(const struct ft_region *r, uint32_t cpu,
			 uint32_t nr_subbufs)
{
	uint64_t bytes = nr_subbufs * (uint64_t)r->subbuf_size;
	uint64_t second, size;

	if (!cpu)
		return r->first;
	/* The first one alone may begin off a border. */
	second = subbufs_at(r, r->first, nr_subbufs) + bytes;
	size = subbufs_at(r, second, nr_subbufs) - second + bytes;
	return second + (cpu - 1) * size;
}

static bool fits(const struct ft_region *r, uint64_t nr_subbufs)
{
	return nr_subbufs >= MIN_SUBBUFS &&
	       nr_subbufs <= (r->end - r->first) / r->subbuf_size &&
	       chunk_at(r, r->nr_cpus, nr_subbufs) <= r->end;
}

/* As many as there is room for, alloc_buffer() of the kernel; 0: too few. */
static uint32_t computed(const struct ft_region *r)
{
	uint64_t n = (r->end - r->first) / r->nr_cpus / r->subbuf_size;

	while (n >= MIN_SUBBUFS && !fits(r, n))
		n--;
	return n < MIN_SUBBUFS ? 0 : n;
}

/* Is there a CPU's header at @addr? Its number of sub-buffers; 0: no. */
static uint32_t read_header(const struct ft_region *r, const struct vmcore *vm,
			    const struct ft_layout *l, uint64_t addr)
{
	uint32_t nr = 0;
	void *meta;

	if (addr + r->meta_size > r->end ||
	    vm_dup(vm, addr, r->meta_size, &meta) != ERR_NONE)
		return 0;
	if (vm_get(meta, r->meta_size, &l->cm_subbuf_size) == r->subbuf_size)
		nr = vm_get(meta, r->meta_size, &l->cm_nr_subbufs);
	free(meta);
	return nr;
}

/* How many of the headers agree that there are @nr sub-buffers? */
static uint32_t votes(const struct ft_region *r, const struct vmcore *vm,
		      const struct ft_layout *l, uint32_t nr)
{
	uint32_t n = 0;

	for (uint32_t cpu = 0; cpu < r->nr_cpus && cpu < MAX_VOTES; cpu++)
		n += read_header(r, vm, l, chunk_at(r, cpu, nr)) == nr;
	return n;
}

static enum err count_subbufs(struct ft_region *r, const struct vmcore *vm,
			      const struct ft_layout *l, uint64_t live_pages)
{
	uint32_t most = computed(r);
	/*
	 * Of as many votes, the first wins: a damaged header agrees with itself.
	 * The kernel's own sum may end a little below what fits.
	 */
	const uint64_t candidates[] = {
		most,
		live_pages < UINT32_MAX ? live_pages + 1 : 0,
		most ? most - 1 : 0,
		read_header(r, vm, l, r->first),
	};
	uint32_t best = 0;

	for (size_t i = 0; i < sizeof(candidates) / sizeof(candidates[0]); i++) {
		uint32_t n;

		if (!fits(r, candidates[i]))
			continue;
		n = votes(r, vm, l, candidates[i]);
		if (r->nr_subbufs && n <= best)
			continue;
		best = n;
		r->nr_subbufs = candidates[i];
	}
	/* Without a single sound header, two that do not know of each other. */
	if (!best && most && live_pages == most - 1)
		r->nr_subbufs = most;
	else if (!best)
		return ERR_BAD_DATA;
	return ERR_NONE;
}

/* The region's header, since 6.15: where does CPU 0 begin? */
static enum err read_region_header(struct ft_region *r, const struct vmcore *vm,
				   const struct ft_layout *l)
{
	uint64_t offset, sizes, usual;
	void *meta;
	enum err err = vm_dup(vm, r->start, l->rm_size, &meta);

	if (err != ERR_NONE)
		return err;
	offset = vm_get(meta, l->rm_size, &l->rm_buffers_offset);
	sizes = vm_get(meta, l->rm_size, &l->rm_struct_sizes);
	if (vm_get(meta, l->rm_size, &l->rm_magic) == MAGIC &&
	    sizes != (l->cm_size | l->rm_size << 16) &&
	    vm_get(meta, l->rm_size, &l->rm_total_size) == r->end - r->start)
		err = ERR_UNSUPPORTED;
	free(meta);
	/* Room for 128 modules lies between, setup_trace_scratch(). */
	usual = l->rm_size +
		align_up(l->ts_entries.off + 128 * l->me_size, vm->long_size);
	if (offset < l->rm_size || offset > r->end - r->start ||
	    offset % vm->long_size)
		offset = usual;
	r->first = r->start + offset;
	return err;
}

/* Before 6.15: the header of CPU 0 tells a foreign layout. */
static enum err check_layout(const struct ft_region *r, const struct vmcore *vm,
			     const struct ft_layout *l)
{
	void *meta;
	enum err err = vm_dup(vm, r->start, r->meta_size, &meta);

	if (err != ERR_NONE)
		return err;
	if (vm_get(meta, r->meta_size, &l->rm_magic) == MAGIC &&
	    vm_get(meta, r->meta_size, &l->rm_struct_size) != r->meta_size &&
	    vm_get(meta, r->meta_size, &l->cm_subbuf_size) != r->subbuf_size)
		err = ERR_UNSUPPORTED;
	free(meta);
	return err;
}

enum err ft_region_open(struct ft_region *region, const struct vmcore *vm,
			const struct ft_layout *layout, uint64_t start,
			uint64_t size, uint32_t nr_cpus, uint64_t live_pages)
{
	enum err err;

	*region = (struct ft_region){
		.start = start,
		.end = start + size,
		.first = start,
		.nr_cpus = nr_cpus,
		.subbuf_size = vm->page_size,
		.meta_size = layout->cm_size ? layout->cm_size : layout->rm_size,
	};
	if (!layout->rm_size || !vm_has(&layout->cm_nr_subbufs) ||
	    !vm_has(&layout->cm_subbuf_size))
		return ERR_UNSUPPORTED;
	if (!start || !nr_cpus || size > MAX_SIZE || start + size < start ||
	    size < layout->rm_size + region->meta_size)
		return ERR_BAD_DATA;
	err = layout->cm_size ? read_region_header(region, vm, layout) :
				check_layout(region, vm, layout);
	if (err == ERR_NONE && region->first >= region->end)
		err = ERR_BAD_DATA;
	if (err != ERR_NONE)
		return err;
	return count_subbufs(region, vm, layout, live_pages);
}

uint64_t ft_region_subbuf(const struct ft_region *region, uint32_t cpu,
			  uint32_t i)
{
	uint64_t chunk = chunk_at(region, cpu, region->nr_subbufs);

	return subbufs_at(region, chunk, region->nr_subbufs) +
	       i * (uint64_t)region->subbuf_size;
}

bool ft_region_index(const struct ft_region *region, uint32_t cpu,
		     uint64_t addr, uint32_t *i)
{
	uint64_t first = ft_region_subbuf(region, cpu, 0);

	if (addr < first || (addr - first) % region->subbuf_size ||
	    (addr - first) / region->subbuf_size >= region->nr_subbufs)
		return false;
	*i = (addr - first) / region->subbuf_size;
	return true;
}

enum err ft_region_deltas(const struct vmcore *vm,
			  const struct ft_layout *layout, uint64_t start,
			  int64_t *text, int64_t *data)
{
	uint64_t here_text, here_data, text_addr, data_addr;
	void *meta;
	enum err err;

	if (!vm_has(&layout->rm_text_addr) || !vm_has(&layout->rm_data_addr) ||
	    !vm_symbol(vm, "rb_meta_init_text_addr", &here_text) ||
	    !vm_symbol(vm, "rb_data_ptr", &here_data))
		return ERR_UNSUPPORTED;
	err = vm_dup(vm, start, layout->rm_size, &meta);
	if (err != ERR_NONE)
		return err;
	if (vm_get(meta, layout->rm_size, &layout->rm_magic) != MAGIC)
		err = ERR_BAD_DATA;
	text_addr = vm_get(meta, layout->rm_size, &layout->rm_text_addr);
	data_addr = vm_get(meta, layout->rm_size, &layout->rm_data_addr);
	free(meta);
	*text = (int64_t)(here_text - text_addr);
	*data = (int64_t)(here_data - data_addr);
	return err;
}
