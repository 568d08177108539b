# SPDX-License-Identifier: GPL-2.0-or-later
"""A folder that trc_pkt_lister reads, of a sink's contents."""
import os
import re
import shutil

PAGE = 4096
ID_REGISTER = re.compile(r"(TRCIDR\d+) (0x[0-9a-f]+)$")


def id_registers(path):
    with open(path, encoding="ascii") as f:
        return [m.groups() for m in map(ID_REGISTER.match, f) if m]


def text_ranges(path):
    """Pages that follow each other: [address, first page in the file, pages]"""
    with open(path, encoding="ascii") as f:
        pages = sorted((int(line, 16), i) for i, line in enumerate(f))
    ranges = []
    for addr, i in pages:
        last = ranges[-1] if ranges else None
        if last and addr == last[0] + PAGE * len(last[1]):
            last[1].append(i)
        else:
            ranges.append((addr, [i]))
    return ranges


def write(path, text):
    with open(path, "w", encoding="ascii") as f:
        f.write(text)


def memory(out, to):
    """A file for each range: trc_pkt_lister 1.3.3 mixes up offsets into one."""
    sections = []
    with open(os.path.join(out, "text.bin"), "rb") as src:
        for n, (addr, pages) in enumerate(text_ranges(os.path.join(out, "text.map"))):
            with open(os.path.join(to, f"text{n}.bin"), "wb") as dst:
                for i in pages:
                    src.seek(i * PAGE)
                    dst.write(src.read(PAGE))
            sections.append(
                f"[dump{n}]\nfile=text{n}.bin\naddress=0x{addr:016x}\n"
                f"length=0x{PAGE * len(pages):x}\noffset=0x0\n"
            )
    return "\n".join(sections)


def make(out, trace, to, sources_of):
    """
    Of what the rig left in `out` and a sink's contents `trace`; of each source its
    trace ID and TRCCONFIGR.
    """
    shutil.rmtree(to, ignore_errors=True)
    os.mkdir(to)
    shutil.copy(trace, os.path.join(to, "cstrace.bin"))
    dumps = memory(out, to)
    idr = id_registers(f"{out}/rig.log")
    devices, sources, buffers = [], [], []
    for n, (trace_id, configr) in enumerate(sources_of.items()):
        write(
            f"{to}/cpu_{n}.ini",
            f"[device]\nname=cpu_{n}\nclass=core\ntype=Cortex-A57\n\n"
            f"[regs]\nPC(size:64)=0x0\nSCTLR_EL1=0x0\nCPSR=0x1C5\n\n{dumps}\n",
        )
        write(
            f"{to}/etm_{n}.ini",
            f"[device]\nname=ETM_{n}\nclass=trace_source\ntype=ETM4\n\n[regs]\n"
            f"TRCCONFIGR=0x{configr:x}\nTRCTRACEIDR=0x{trace_id:x}\n"
            "TRCAUTHSTATUS=0xcc\n"
            + "".join(f"{name}={value}\n" for name, value in idr)
            + "".join(f"TRCIDR{i}=0x0\n" for i in range(8, 14)),
        )
        devices += [f"cpu_{n}.ini", f"etm_{n}.ini"]
        sources.append(f"cpu_{n}=ETM_{n}")
        buffers.append(f"ETM_{n}=SINK")
    write(
        f"{to}/snapshot.ini",
        "[snapshot]\nversion=1.0\ndescription=rig\n\n[device_list]\n"
        + "".join(f"device{i}={name}\n" for i, name in enumerate(devices))
        + "\n[trace]\nmetadata=trace.ini\n",
    )
    write(
        f"{to}/trace.ini",
        "[trace_buffers]\nbuffers=buffer0\n\n[buffer0]\nname=SINK\n"
        "file=cstrace.bin\nformat=coresight\n\n[core_trace_sources]\n"
        + "\n".join(sources)
        + "\n\n[source_buffers]\n"
        + "\n".join(buffers)
        + "\n",
    )
