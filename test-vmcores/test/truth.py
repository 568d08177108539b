# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads the ground truth of a sample: what the dying kernel printed."""

import collections
import os
import re

# pid and time come from trace.raw (nanoseconds), the rest from trace.
Event = collections.namedtuple("Event", "comm pid cpu time text fields")

LINE = re.compile(r"^\s*(?P<comm>.*?)-(?P<pid>\d+)\s+\[(?P<cpu>\d+)\]\s+\S+\s+"
                  r"(?P<time>\d+(?:\.\d+)?): (?P<text>.*)$")
RAW = re.compile(r"^(?P<pid>\d+) (?P<cpu>\d+) (?P<time>\d+) ")


def read_lines(path):
    with open(path, errors="surrogateescape", newline="\n") as f:
        return f.read().split("\n")


def parse(path, pattern):
    """Events as match objects with the lines that continue each of them."""
    events = []
    for line in read_lines(path):
        m = pattern.match(line)
        if m:
            events.append([m, line])
        elif events and line and not line.startswith("#"):
            events[-1][1] += "\n" + line
    return events


def stats(path):
    result = {}
    for line in read_lines(path):
        if ": " in line:
            key, value = line.split(": ", 1)
            result[key] = value.strip()
    return result


class Buffer:
    """One ring buffer: events and counters, by CPU. The kernel has no counters
    for a snapshot, which lies in a folder of its buffer's."""

    def __init__(self, path, of=None):
        self.path = path
        self.name = os.path.basename(of or path)
        self.snapshot = of is not None
        if self.snapshot:
            self.name += "@snapshot"  # as ftdump has it
        self.tracer = read(f"{of or path}/current_tracer").strip()
        cpus = os.listdir(os.path.join(path, "per_cpu"))
        self.cpus = sorted(int(c[3:]) for c in cpus)
        self.stats = {c: stats(os.path.join(path, f"per_cpu/cpu{c}/stats"))
                      for c in self.cpus if not self.snapshot}

    def entries(self, cpu):
        if self.snapshot:
            return len(self.events(cpu))
        return int(self.stats[cpu]["entries"])

    def overrun(self, cpu):
        return int(self.stats[cpu]["overrun"])

    def lines(self, cpu):
        """The lines of one CPU's trace without the comments."""
        path = os.path.join(self.path, f"per_cpu/cpu{cpu}/trace")
        return [l for l in read_lines(path) if l and not l.startswith("#")]

    def events(self, cpu, live=False):
        """One CPU's events. Three files tell of each; they must agree. While
        tracing went on, those that were written later have more at the end."""
        text = parse(os.path.join(self.path, f"per_cpu/cpu{cpu}/trace"), LINE)
        raw = [m for m, _ in parse(os.path.join(self.path, "trace.raw"), RAW)
               if int(m["cpu"]) == cpu]
        path = os.path.join(self.path, "trace.fields")
        fields = [None] * len(text)
        if os.path.exists(path):
            fields = [line for m, line in parse(path, LINE)
                      if int(m["cpu"]) == cpu]
        if not live and not len(text) == len(raw) == len(fields):
            raise ValueError(f"{self.path}: cpu{cpu}: {len(text)} events in "
                             f"trace, {len(raw)} in trace.raw, {len(fields)} "
                             "in trace.fields")
        result = []
        for (t, line), r, f in zip(text, raw, fields):
            if t["pid"] != r["pid"] or \
                    not self.same_time(t["time"], int(r["time"])):
                raise ValueError(f"{self.path}: cpu{cpu}: {line}: not the "
                                 "event of trace.raw")
            if f is not None:
                f = f[LINE.match(f).start("text"):]
            result.append(Event(t["comm"], int(t["pid"]), cpu, int(r["time"]),
                                line[t.start("text"):], f))
        return result


    @staticmethod
    def same_time(text, ns):
        """Microseconds are rounded; other clocks are printed as they are."""
        us = (ns + 500) // 1000
        return text in (f"{us // 10**6}.{us % 10**6:06d}", str(ns))


def buffers(truth):
    """All buffers of a sample, the top one first, without those that have what
    the boot before recorded."""
    result = []
    for name in sorted(os.listdir(os.path.join(truth, "buffers")),
                       key=lambda n: (n != "top", n)):
        path = os.path.join(truth, "buffers", name)
        if os.path.isdir(f"{truth}/first-boot/buffers/{name}"):
            continue
        result.append(Buffer(path))
        if os.path.isdir(f"{path}/snapshot"):
            result.append(Buffer(f"{path}/snapshot", path))
    return result


def formats(truth):
    """{system/event: text of its format file}, with one line feed at its end:
    how many there are (one too many in applespi) trace-cmd dump does not show."""
    result = {}
    top = os.path.join(truth, "events")
    for system in os.listdir(top):
        if not os.path.isdir(os.path.join(top, system)):
            continue
        for event in os.listdir(os.path.join(top, system)):
            path = os.path.join(top, system, event, "format")
            if os.path.exists(path):
                with open(path, errors="surrogateescape") as f:
                    result[f"{system}/{event}"] = f.read().rstrip("\n") + "\n"
    return result


def read(path):
    return "\n".join(read_lines(path))


def printk_formats(truth):
    return read(f"{truth}/printk_formats").rstrip("\n").split("\n")


def kallsyms(truth):
    """Lines, without the mapping symbols that no address is printed by, and
    without pages of generated code, which belong to no module."""
    return [l for l in read(f"{truth}/proc/kallsyms").rstrip("\n").split("\n")
            if not l.split()[2].startswith("$") and "[__builtin__" not in l]


def lower_types(lines):
    """A module's exported symbols have a capital for their type in the kernel's
    file, and not in ours; no reader looks at it."""
    return [re.sub(r" (\w) (?=\S+\t\[)", lambda m: m[0].lower(), l)
            for l in lines]


def addresses(lines):
    return {l.split()[0] for l in lines}


def saved_cmdlines(truth):
    """Lines, without that of the process that read the file: it was young, and
    got another name after that."""
    lines = read(f"{truth}/saved_cmdlines").rstrip("\n").split("\n")
    reader = max(int(l.split()[0]) for l in lines)
    return [l for l in lines if int(l.split()[0]) != reader]
