# SPDX-License-Identifier: GPL-2.0-or-later
"""What was decoded against what was executed: lists of (start, end, context)."""


def merged(ranges):
    """Ranges that follow each other in the same context are one."""
    out = []
    for start, end, context in ranges:
        if out and out[-1][1] == start and out[-1][2] == context:
            out[-1] = out[-1][0], end, context
        else:
            out.append((start, end, context))
    return out


def instructions(ranges):
    return sum(r[1] - r[0] for r in ranges) // 4


def shown(r):
    return "%#x:%#x at EL%d, context ID %s, VMID %s" % (r[0], r[1], *r[2])


def difference(got, want, sure):
    """None, or where they differ. At least `sure` instructions must be there."""
    have, was = merged(got), merged(want)
    for i, one in enumerate(have):
        if i < len(was) and one == was[i]:
            continue
        # The CPU may have gone on after the sink stopped.
        if i == len(have) - 1 and i < len(was):
            if (one[0], one[2]) == (was[i][0], was[i][2]) and one[1] <= was[i][1]:
                continue
        return "after %d instructions decoded %s, executed %s" % (
            instructions(have[:i]),
            shown(one),
            shown(was[i]) if i < len(was) else "nothing more",
        )
    n = instructions(got)
    if n < sure:
        return f"{n} instructions decoded, {sure} were flushed"
    return None if n else "nothing decoded"
