# SPDX-License-Identifier: GPL-2.0-or-later
"""What the comparing programs share: results, texts, fields."""

import collections

import normal


class Result:
    def __init__(self):
        self.failed = False

    def check(self, ok, name, why=""):
        print(f"PASS {name}" if ok else f"FAIL {name}: {why}")
        self.failed |= not ok


def first_difference(kernel, found):
    for i, (k, f) in enumerate(zip(kernel, found)):
        if k != f:
            return f"event {i}: the kernel has {k!r}, the report {f!r}"
    return f"the kernel has {len(kernel)} events, the report {len(found)}"


def compare_text(name, kernel, found, symbols, result):
    other = collections.Counter()
    equal = 0
    first = ""
    for k, f in zip(kernel, found):
        a = normal.kernel_text(k.text)
        b = normal.report_text(f.name, f.text, symbols)
        if normal.same_text(a, b):
            equal += 1
        elif normal.text_differs(f.name, f.text):
            other[f.name] += 1
        elif not first:
            first = f"the kernel has {a!r}, the report {b!r}"
    note = ", ".join(f"{n} {c}" for n, c in sorted(other.items()))
    result.check(not first, f"{name}: text of {equal} events" +
                 (f" (trace-cmd's own differs: {note})" if note else ""), first)


def compare_fields(name, kernel, found, symbols, formats, result):
    """Where the kernel printed field by field (6.4 and later)."""
    events = values = 0
    first = ""
    for k, f in zip(kernel, found):
        if k.fields is None or f.fields is None or not k.fields.startswith(f.name + ": "):
            continue
        names = formats[f.name]
        a = normal.split_fields(k.fields[len(f.name) + 2:], names)
        b = normal.split_fields(f.fields, names)
        if a is None or b is None:
            first = first or f"{k.fields!r} and {f.fields!r}: not {names}"
            continue
        events += 1
        for (field, size), x, y in zip(names, a, b):
            if x in ("<INVALID-SIZE>", "<INVALID-TYPE>"):
                continue
            values += 1
            if not normal.same_value(x, y, size, symbols) and not first:
                first = f"{f.name}.{field}: the kernel has {x!r}, " \
                        f"the report {y!r}"
    if events or first:
        result.check(not first, f"{name}: {values} fields of {events} events",
                     first)
