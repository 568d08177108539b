# SPDX-License-Identifier: GPL-2.0-or-later
"""The rig's record of what a CPU executed: plugin/truth.h has the format."""
import mmap

RANGE, CONTEXT, SYNC, BEGIN, END, FLUSH = range(1, 7)
NUMBERS = {RANGE: 2, CONTEXT: 3, SYNC: 1, BEGIN: 3, END: 2, FLUSH: 2}
MASK = (1 << 64) - 1

CONFIGR_CONTEXT_ID = 1 << 6
CONFIGR_VMID = 1 << 7


def _records(data):
    """Yields (what, numbers, where it ends); of a range they are its two ends."""
    at, end = 0, 0
    while at < len(data):
        what = data[at]
        at += 1
        numbers = []
        try:
            for _ in range(NUMBERS[what]):
                value = shift = 0
                while True:
                    byte = data[at]
                    at += 1
                    value |= (byte & 0x7F) << shift
                    shift += 7
                    if byte < 0x80:
                        break
                numbers.append(value)
        except IndexError:  # QEMU was killed
            return
        if what == RANGE:
            away = numbers[0] >> 1 ^ -(numbers[0] & 1)
            start = (end + 4 * away) & MASK
            end = (start + 4 * numbers[1]) & MASK
            numbers = [start, end]
        yield what, numbers, at


def cut(path, stop):
    """What a CPU executed after all before offset `stop` of its trace was flushed."""
    with open(path, "r+b") as f:
        with mmap.mmap(f.fileno(), 0, access=mmap.ACCESS_READ) as data:
            for what, numbers, at in _records(data):
                if what in (END, FLUSH) and numbers[0] >= stop:
                    break
            else:
                return
        f.truncate(at)


class Truth:
    """
    Of one CPU. ranges: (start, end, context) in order, a context being (EL,
    context ID or None, VMID or None) as far as TRCCONFIGR has them traced. marks:
    (what, numbers, ranges so far, instructions so far).
    """

    def __init__(self, path):
        self.ranges, self.marks = [], []
        context, shown, configr, count = (0, 0, 0), None, 0, 0
        with open(path, "rb") as f:
            data = f.read()
        for what, numbers, _ in _records(data):
            if what == RANGE:
                start, end = numbers
                self.ranges.append((start, end, shown))
                count += (end - start) // 4
                continue
            if what == CONTEXT:
                context = numbers
            else:
                if what == END:
                    # The last instructions of a session are in no trace.
                    self._drop(numbers[1])
                    count -= numbers[1]
                if what == BEGIN:
                    configr = numbers[1]
                self.marks.append((what, numbers, len(self.ranges), count))
            shown = (
                context[0] & 3,
                context[1] if configr & CONFIGR_CONTEXT_ID else None,
                context[2] if configr & CONFIGR_VMID else None,
            )

    def _drop(self, n):
        while n and self.ranges:
            start, end, context = self.ranges.pop()
            have = (end - start) // 4
            if have > n:
                self.ranges.append((start, end - 4 * n, context))
            n -= min(n, have)

    def executed(self, first, stop):
        """
        Ranges from the first A-Sync at or after offset `first` of the CPU's trace
        on, to where all that came before offset `stop` is among them; how many
        instructions of them were flushed, or their session had ended, at `stop`;
        TRCCONFIGR. Ranges are None where there is no such A-Sync.
        """
        begin, sure, configr, until = None, 0, 0, len(self.ranges)
        for what, numbers, ranges, count in self.marks:
            if what == SYNC:
                if begin is None and first <= numbers[0] < stop:
                    begin, before = ranges, count
            elif what == BEGIN:
                if numbers[2] < stop:
                    configr = numbers[1]
            elif begin is not None:
                offset, uncovered = numbers
                if what == END:
                    uncovered = 0
                if offset <= stop:
                    sure = count - uncovered - before
                if offset >= stop:
                    until = ranges
                    break
        if begin is None:
            return None, 0, configr
        return self.ranges[begin:until], sure, configr
