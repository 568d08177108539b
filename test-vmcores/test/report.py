# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs trace-cmd report on a trace.dat, and reads what it prints."""

import collections
import re
import signal
import subprocess

Event = collections.namedtuple("Event", "comm pid cpu time name text fields")

LINE = re.compile(
    r"^\s*(?:(?P<buffer>[\w.@-]+):\s+)?(?P<comm>\S.*?)-(?P<pid>\d+)\s+"
    r"\[(?P<cpu>\d+)\]\s+(?P<time>\d+(?:\.\d+)?): +(?P<name>[\w.-]+): *"
    r"(?P<text>.*)$")
LOST = re.compile(r"^\s*(?:(?P<buffer>[\w.@-]+):\s+)?CPU:(?P<cpu>\d+) "
                  r"\[(?:(?P<count>\d+) )?EVENTS DROPPED\]")


class Report:
    """Events by buffer and CPU; the top buffer is called "top".

    With own, the text is that of "ftdump -r" in the file of this name, which
    has microseconds only: they must be those of the file's times, rounded.
    """

    def __init__(self, path, own=None):
        self.path = path
        self.noise = []         # what is neither event nor heading
        self.lost = collections.defaultdict(list)
        # -N: no plugins, so that the formats in the file speak for themselves.
        text = self.run("-N", "-t")
        exact = self.parse(text, not own)
        if own:
            with open(own, errors="surrogateescape", encoding="utf-8") as f:
                text = re.sub(r"^ftdump: .*\n", "", f.read(),
                              flags=re.MULTILINE)
        shown = self.parse(text, True) if own else exact
        without = self.unsound()
        options = [o for name in without for o in ("-F", name)]
        # trace-cmd 3.1 frees the filter of a file with several buffers twice,
        # when all is printed. What is missing is missed below.
        fields = iter(self.parse(self.run("-N", "-t", "-R", "-v", *options,
                                          may_end=-signal.SIGSEGV), False))
        self.events = collections.defaultdict(list)
        if len(shown) != len(exact):
            raise ValueError(f"{path}: {len(exact)} events, but {len(shown)} "
                             f"in {own}")
        for (m, line), (n, _) in zip(shown, exact):
            time = rounded(n["time"]) if own else n["time"]
            if (m["pid"], m["cpu"], m["time"]) != (n["pid"], n["cpu"], time):
                raise ValueError(f"{path}: {line}: not what trace-cmd shows")
            raw = None
            if n["name"] not in without:
                r, raw = next(fields, (n, None))
                if raw is None:
                    raise ValueError(f"{path}: -R ends before {line}")
                if (r["pid"], r["cpu"], r["time"]) != \
                        (n["pid"], n["cpu"], n["time"]):
                    raise ValueError(f"{path}: {line}: not what -R shows")
                raw = raw[r.start("text"):]
            key = m["buffer"] or "top", int(m["cpu"])
            self.events[key].append(Event(
                m["comm"], int(m["pid"]), key[1], nanoseconds(n["time"]),
                m["name"], line[m.start("text"):], raw))

    def unsound(self):
        """Events that trace-cmd's -R cannot show: libtraceevent 1.7 reads
        behind their end, and dies of it where the file ends there. A stack may
        be shorter than its format says, an array of no size have no elements.
        """
        names = {"kernel_stack"}
        for text in formats(self.path):
            if re.search(r"\tfield:unsigned long \w+\[\];", text):
                names.add(re.match("name: (.*)", text)[1])
        return names

    def run(self, *options, may_end=0):
        p = subprocess.run(["stdbuf", "-oL", "trace-cmd", "report", *options,
                            self.path],
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                           errors="surrogateescape", check=False)
        if p.returncode not in (0, may_end):
            raise ValueError(f"trace-cmd report: status {p.returncode}: "
                             f"{p.stderr}")
        self.noise += [l for l in p.stderr.split("\n") if l]
        return p.stdout

    def parse(self, text, note):
        events = []
        prefix = ""
        for line in text.split("\n"):
            m, lost = LINE.match(line), LOST.match(line)
            if m and not m["buffer"]:
                m = LINE.match(prefix + line)
            elif m:
                prefix = ""
            if m:
                events.append([m, prefix + line])
                prefix = ""
            elif lost:
                # The name of the buffer stands before this line only.
                prefix = f"{lost['buffer']}: " if lost["buffer"] else ""
                if note:
                    key = lost["buffer"] or "top", int(lost["cpu"])
                    self.lost[key].append(int(lost["count"] or 0))
            elif re.match(r"^cpus=\d+$|^version = |^CPU \d+ is empty$", line):
                pass
            elif events and line:
                events[-1][1] += "\n" + line
            elif line and note:
                self.noise.append(line)
        return events


def dump(path, option):
    """A part of the file as it is, without trace-cmd's headings."""
    p = subprocess.run(["trace-cmd", "dump", option, "-i", path],
                       stdout=subprocess.PIPE, errors="surrogateescape",
                       check=True)
    text = re.sub(r"\A\t\[Section .*\]\n(\t\[.*\]\n)?", "", p.stdout)
    # It ends what it prints with a line feed of its own.
    return text[:-1] if text.endswith("\n\n") else text


def stats(path):
    """{(buffer, cpu): {key: value}} of what report --stat shows."""
    p = subprocess.run(["trace-cmd", "report", "--stat", path],
                       stdout=subprocess.PIPE, errors="surrogateescape",
                       check=True)
    result = {}
    name, entry = "top", {}
    for line in p.stdout.split("\n"):
        key, _, value = line.partition(": ")
        if key == "Buffer":
            name = value
        elif key == "CPU":
            entry = result.setdefault((name, int(value)), {})
        elif value:
            entry[key] = value.strip()
    return result


def formats(path):
    """The event formats, a set of texts."""
    text = "\n".join(dump(path, o) for o in ("--ftrace-events", "--events"))
    parts = re.split(r"^(?=name: )", text, flags=re.MULTILINE)[1:]
    return {p.rstrip("\n") + "\n" for p in parts}


def rounded(text):
    """To microseconds, as reports show it."""
    if "." not in text:
        return text
    us = (nanoseconds(text) + 500) // 1000
    return f"{us // 10**6}.{us % 10**6:06}"


def nanoseconds(text):
    """Seconds with nine decimals, or plain ticks of another clock."""
    if "." not in text:
        return int(text)
    seconds, rest = text.split(".")
    return int(seconds) * 10**9 + int(rest.ljust(9, "0"))
