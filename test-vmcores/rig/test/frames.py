# SPDX-License-Identifier: GPL-2.0-or-later
"""Bytes of each source in frames of 16, as the CoreSight architecture has them."""


def count(data):
    """How many bytes each trace ID has; ID None: of an unknown source."""
    counts = {}
    now = None

    def give(n=1):
        counts[now] = counts.get(now, 0) + n

    for at in range(0, len(data) - 15, 16):
        frame = data[at : at + 16]
        aux = frame[15]
        for i in range(0, 15, 2):
            late = aux >> i // 2 & 1
            has_next = i < 14
            if not frame[i] & 1:
                give()
                if has_next:
                    give()
            elif late and has_next:
                give()
                now = frame[i] >> 1
            else:
                now = frame[i] >> 1
                if has_next:
                    give()
    return counts
