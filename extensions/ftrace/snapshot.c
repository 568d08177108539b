// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>

#include "ftrace/ring.h"
#include "ftrace/snapshot.h"

/* A damaged flag must not hide events, so what is not asked for is looked at. */
static bool is_wanted(const struct ft_instance *snapshot,
		      const struct vmcore *vm, const struct ft_layout *layout,
		      const struct diag *diag)
{
	struct ft_ring ring;

	if (snapshot->snapshot_allocated)
		return true;
	/* What cannot be opened will be told when it is saved or listed. */
	return ft_ring_open(&ring, vm, layout, diag, snapshot->buffer,
			    ft_instance_label(snapshot)) != ERR_NONE ||
	       !ft_ring_is_empty(&ring);
}

enum err ft_snapshots_add(struct ft_instances *instances,
			  const struct vmcore *vm,
			  const struct ft_layout *layout,
			  const struct diag *diag)
{
	for (size_t i = 0; i < instances->count; i++) {
		const struct ft_instance *live = &instances->instance[i];
		struct ft_instance in = *live;
		enum err err;

		if (!live->snapshot)
			continue;
		snprintf(in.name, sizeof(in.name), "%s%s",
			 ft_instance_label(live), FT_SNAPSHOT_SUFFIX);
		in.buffer = live->snapshot;
		in.snapshot = 0;
		if (!is_wanted(&in, vm, layout, diag))
			continue;
		err = ft_instances_insert(instances, ++i, &in);
		if (err != ERR_NONE)
			return err;
	}
	return ERR_NONE;
}
