# SPDX-License-Identifier: GPL-2.0-or-later
"""What trc_pkt_lister prints of a snapshot."""
import re
import subprocess

RANGE = re.compile(
    r"ID:([0-9a-f]+); OCSD_GEN_TRC_ELEM_INSTR_RANGE\("
    r"exec range=0x([0-9a-f]+):\[0x([0-9a-f]+)\]"
)
CONTEXT = re.compile(
    r"ID:([0-9a-f]+); OCSD_GEN_TRC_ELEM_PE_CONTEXT\(\(ISA=A64\) EL(\d)N; 64-bit; "
    r"(?:VMID=0x([0-9a-f]+); )?(?:CTXTID=0x([0-9a-f]+); )?\)"
)
TIMESTAMP = re.compile(
    r"ID:([0-9a-f]+); OCSD_GEN_TRC_ELEM_TIMESTAMP\( \[ TS=0x([0-9a-f]+)"
)
PACKET = re.compile(r"\];\t(I_\w+) :")
BAD = re.compile(r"I_BAD_|I_RESERVED|ADDR_NACC|ERROR|Error")


def _number(text):
    return int(text, 16) if text else None


class Listing:
    """
    ranges: of each trace ID, (start, end, (EL, context ID, VMID)). timestamps: of
    each, in order. packets: how many of each type. bad: lines that tell of an error.
    """

    def __init__(self, folder, path):
        self.ranges, self.timestamps, self.packets, self.bad = {}, {}, {}, []
        contexts = {}
        with open(path, "w", encoding="ascii") as f:
            subprocess.run(
                ["trc_pkt_lister", "-ss_dir", ".", "-decode", "-logstdout"],
                cwd=folder,  # it leaves a file there
                stdout=f,
                stderr=subprocess.STDOUT,
                check=True,
            )
        with open(path, encoding="latin-1") as f:
            for line in f:
                if m := RANGE.search(line):
                    trace_id = int(m[1], 16)
                    self.ranges.setdefault(trace_id, []).append(
                        (int(m[2], 16), int(m[3], 16), contexts.get(trace_id))
                    )
                elif m := CONTEXT.search(line):
                    contexts[int(m[1], 16)] = int(m[2]), _number(m[4]), _number(m[3])
                elif m := TIMESTAMP.search(line):
                    self.timestamps.setdefault(int(m[1], 16), []).append(int(m[2], 16))
                elif m := PACKET.search(line):
                    self.packets[m[1]] = self.packets.get(m[1], 0) + 1
                if BAD.search(line):
                    self.bad.append(line.strip())
