# SPDX-License-Identifier: GPL-2.0-or-later
"""rig.log: what the rig says of itself."""
import re

ON = re.compile(r"etm(\d+): on, id 0x([0-9a-f]+)$")
OFF = re.compile(r"etm(\d+): off, ")
ID = re.compile(r"(et[fr]\d): id 0x([0-9a-f]+) from (\d+) to (\d+)$")
HOLDS = re.compile(r"etr0: holds (\d+) bytes at (0x[0-9a-f]+), next is (\d+)(, full)?$")
CAME = re.compile(r"etr0: id 0x([0-9a-f]+) has come to (\d+)$")
STOPPED = re.compile(r"(et[fr]\d): stopped$")
COMPLAINT = re.compile(r"unknown: |lost: |text: |the text |.* [1-9]\d* gaps")


class Log:
    """
    stops: of each sink, in order: {trace ID: (CPU, offset where it ended)} for each
    time that it was stopped with trace in it; early: whether some trace unit was
    still on then. triggers: those that came to the sinks. scattered: how often the
    ETR's buffer was so. memory: of an ETR that nobody stopped, its buffer: bytes,
    physical address, where it would write next, whether it has wrapped; came: as in
    stops, what it had taken.
    """

    def __init__(self, path):
        self.stops, self.early, self.complaints = {}, {}, []
        self.triggers = self.scattered = 0
        self.memory, self.came = None, {}
        cpu_of, stop, on = {}, None, set()
        with open(path, encoding="ascii") as f:
            for line in map(str.rstrip, f):
                if m := ON.match(line):
                    cpu_of[int(m[2], 16)] = int(m[1])
                    on.add(m[1])
                elif m := OFF.match(line):
                    on.discard(m[1])
                elif line.startswith("trigger "):
                    self.triggers += 1
                elif line == "etr0: capture, scattered":
                    self.scattered += 1
                elif m := HOLDS.match(line):
                    self.memory = int(m[1]), int(m[2], 16), int(m[3]), bool(m[4])
                elif m := CAME.match(line):
                    trace_id = int(m[1], 16)
                    self.came[trace_id] = cpu_of[trace_id], int(m[2])
                elif STOPPED.match(line):
                    stop = None
                elif m := ID.match(line):
                    if stop is None:
                        stop = {}
                        self.stops.setdefault(m[1], []).append(stop)
                        self.early.setdefault(m[1], []).append(bool(on))
                    trace_id = int(m[2], 16)
                    stop[trace_id] = cpu_of[trace_id], int(m[4])
                elif COMPLAINT.match(line):
                    self.complaints.append(line)
