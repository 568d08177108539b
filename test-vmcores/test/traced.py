#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""usage: traced.py NAME RIG SAID WORK [saved|busy|early|late]

Reads what crash's own commands said of the nodes in a dump (SAID, of test/nodes.sh)
and the sinks' bytes that it wrote to WORK/sink.N, and holds them against the rig's
record of that machine (RIG, of run-rig): configuration, bytes and, by
trc_pkt_lister, each instruction. Prints PASS and FAIL lines. The last word is what
should have become of the sinks.
"""
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "rig", "test"))
# pylint: disable=wrong-import-position
import frames
import listing
import ranges as rg
import rig_log
import snapshot
import truth

SAVED, BUSY, OFF = 2, 3, 4
# What becomes of sinks that have nothing: with "early" and "late" there may be none
# on the list, or none that runs.
STATES = {"busy": [[BUSY]], "early": [[], [OFF]], "late": [[], [OFF]]}
FULL = 1
COPY = 0
BARRIER = b"\xff\xff\xff\x7f" * 4
ETMV4_MAGIC = 0x4040404040404040
SINK_MAGIC = 0x53445343
# The rest of a ring that has wrapped: as rig/test/check-sessions has it.
MAX_UNNAMED = 7 * 15
ID_REGISTERS = {"trcidr0": "TRCIDR0", "trcidr1": "TRCIDR1", "trcidr2": "TRCIDR2"}

NUMBER = re.compile(r"^\s*(\w+) = (0x[0-9a-f]+|-?\d+),?$")
BLOCK = re.compile(r"^@ (\w+) (\S+)$")
EXCEPTION = re.compile(
    r"ID:([0-9a-f]+); OCSD_GEN_TRC_ELEM_EXCEPTION\(pref ret addr:0x([0-9a-f]+);"
    r" excep num \((0x[0-9a-f]+)\)"
)
FRAME = 16
# What is left of a session on an unpatched kernel that stops its tracers, at least.
SURVIVES = 256 * 1024
# Bytes of the function that the stuck CPU loops in, at most.
STUCK_SIZE = 128
DATA_FAULT = 0xC  # as ETMv4 numbers exceptions


def blocks(path):
    """Of crash's output: (kind, name, {field: number})"""
    out = []
    with open(path, encoding="ascii", errors="replace") as f:
        for line in f:
            if m := BLOCK.match(line):
                out.append((m[1], m[2], {}))
            elif out and (m := NUMBER.match(line)):
                out[-1][2].setdefault(m[1], int(m[2], 0))
    return out


class Sample:
    """One dump."""

    def __init__(self, name, folder, said, work):
        self.name, self.work, self.out = name, work, folder
        self.log = rig_log.Log(f"{self.out}/rig.log")
        self.idr = dict(snapshot.id_registers(f"{self.out}/rig.log"))
        self.sources, self.sinks, self.ranges = {}, [], {}
        self.failed = False
        for kind, device, fields in blocks(said):
            if kind == "source":
                self.sources[fields["trctraceidr"]] = device, fields
            elif kind == "sink":
                self.sinks.append((device, fields))

    def tell(self, ok, text):
        self.failed |= not ok
        print("PASS" if ok else "FAIL", f"{self.name}: {text}", flush=True)

    def source(self, trace_id):
        """Is it what the rig was programmed with?"""
        device, f = self.sources[trace_id]
        cpu = f["cpu"]
        begins = [
            numbers
            for what, numbers, _, _ in truth.Truth(f"{self.out}/truth.{cpu}").marks
            if what == truth.BEGIN
        ]
        want = {"trctraceidr": begins[-1][0], "trcconfigr": begins[-1][1]}
        want |= {ours: int(self.idr[rig], 16) for ours, rig in ID_REGISTERS.items()}
        want |= {"magic": ETMV4_MAGIC, "version": 1, "size": 120, "trcidr8": 0}
        wrong = {k: f.get(k) for k, v in want.items() if f.get(k) != v}
        self.tell(
            not wrong and device == f"etm{cpu}",
            f"{device}, cpu {cpu}, id {trace_id:#x}: "
            + (f"wrong: {wrong}, should be {want}" if wrong else "configuration"),
        )

    def unwrapped(self, number, f):
        with open(f"{self.work}/sink.{number}", "rb") as src:
            data = src.read()
        if f["buf_mode"] == COPY:
            return data
        if f["sts"] & FULL:
            oldest = f["rwp"] - f["dba"]
            return data[oldest:] + data[:oldest]
        return data[: f["rwp"] - f["dba"]]

    def nodes(self):
        self.tell(bool(self.sources), f"{len(self.sources)} sources on the list")
        self.tell(bool(self.sinks), f"{len(self.sinks)} sinks on the list")
        for trace_id in sorted(self.sources):
            self.source(trace_id)
        for number, (device, fields) in enumerate(self.sinks):
            self.sink(number, device, fields)

    def memory(self):
        """What an ETR has left that nobody stopped, and the kernel knows nothing of."""
        size, _, at, full = self.log.memory
        with open(f"{self.work}/sink.0", "rb") as src:
            data = src.read()
        self.tell(len(data) == size, f"etr0: {len(data)} bytes in the dump")
        data = data[at:] + data[:at] if full else data[:at]
        for trace_id, (cpu, _) in self.log.came.items():
            marks = truth.Truth(f"{self.out}/truth.{cpu}").marks
            configr = [n[1] for what, n, _, _ in marks if what == truth.BEGIN][-1]
            self.sources[trace_id] = f"etm{cpu}", {"cpu": cpu, "trcconfigr": configr}
        self.tell(len(data) >= SURVIVES, f"etr0: {len(data)} bytes from before the panic")
        self.sinks.append(("tmc_etr0", {}))
        # Nobody flushed it: what the last frame was to have is not in memory.
        came = {i: (cpu, end - FRAME) for i, (cpu, end) in self.log.came.items()}
        self.decode("tmc_etr0", data, came)

    def sink(self, number, device, f):
        if f["magic"] != SINK_MAGIC or f["version"] != 1 or f["size"] != 64:
            self.tell(False, f"{device}: no registers: {f}")
            return
        self.tell(f["state"] == SAVED, f"{device}: state {f['state']}")
        stop = self.log.stops.get(device.removeprefix("tmc_"), [{}])[-1]
        self.decode(device, self.unwrapped(number, f), stop)

    def decode(self, device, data, stop):
        counts = frames.count(data)
        few = 0
        if data.startswith(BARRIER):
            # It stands for a frame that was lost, of 15 bytes at most.
            counts.pop(0x7F, None)
            few = 15
        want = {}
        for trace_id, (cpu, end) in stop.items():
            first = end - counts.get(trace_id, 0)
            want[trace_id] = truth.Truth(f"{self.out}/truth.{cpu}").executed(first, end)
        self.tell(bool(want), f"{device}: {len(data)} bytes, {len(stop)} sources")
        unnamed = counts.get(None, 0)
        self.tell(unnamed <= MAX_UNNAMED + few, f"{device}: {unnamed} bytes of nobody")
        path = f"{self.work}/{device}.bin"
        with open(path, "wb") as dst:
            dst.write(data)
        folder = f"{self.work}/{device}"
        configr = {i: self.sources[i][1]["trcconfigr"] for i in want}
        snapshot.make(self.out, path, folder, configr)
        got = listing.Listing(folder, f"{folder}.txt")
        self.ranges |= got.ranges
        self.tell(not got.bad, f"{device}: decoded" + (got.bad and f": {got.bad[0]}" or ""))
        for trace_id, (ranges, sure, _) in sorted(want.items()):
            have = got.ranges.get(trace_id, [])
            if ranges is None:
                self.tell(not have, f"{device}, id {trace_id:#x}: no A-Sync in it")
                continue
            why = rg.difference(have, ranges, sure)
            self.tell(
                not why,
                f"{device}, id {trace_id:#x}: "
                + (why or f"{rg.instructions(have)} instructions, as executed"),
            )

    def last_exception(self, cpu, pc):
        """The abort whose return address is where the oops says that it was."""
        trace_id = next(i for i, (_, f) in self.sources.items() if f["cpu"] == cpu)
        last = None
        for device, _ in self.sinks:
            with open(f"{self.work}/{device}.txt", encoding="latin-1") as f:
                for line in f:
                    m = EXCEPTION.search(line)
                    if m and int(m[1], 16) == trace_id:
                        last = int(m[2], 16), int(m[3], 16)
        self.tell(
            last == (pc, DATA_FAULT),
            f"cpu {cpu}: the last exception is "
            + (f"{last[1]:#x} at {last[0]:#x}" if last else "none")
            + f", the oops says {pc:#x}",
        )


    def stuck(self, cpu, first, last):
        """A CPU that never came back from two functions was seen there."""
        trace_id = next(i for i, (_, f) in self.sources.items() if f["cpu"] == cpu)
        end = self.ranges.get(trace_id, [])[-1000:]
        away = [r for r in end if not first <= r[0] < r[1] <= last + STUCK_SIZE]
        self.tell(
            len(end) == 1000 and not away,
            f"cpu {cpu}: its last {len(end)} branches are in the loop"
            + (f" but {rg.shown(away[-1])}" if away else ""),
        )


def main():
    name, folder, said, work = sys.argv[1:5]
    expected = sys.argv[5] if len(sys.argv) > 5 else "saved"
    sample = Sample(name, folder, said, work)
    if expected != "saved":
        states = [f["state"] for _, f in sample.sinks]
        sample.tell(states in STATES[expected], f"sinks {states}, should be {expected}")
        sys.exit(sample.failed)
    if sample.log.memory:
        sample.memory()
    else:
        sample.nodes()
    for kind, cpu, fields in blocks(said):
        if kind == "oops":
            sample.last_exception(int(cpu), fields["pc"])
        elif kind == "stuck":
            sample.stuck(int(cpu), fields["start"], fields["last"])
    sys.exit(sample.failed)


if __name__ == "__main__":
    main()
