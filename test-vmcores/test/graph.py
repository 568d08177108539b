# SPDX-License-Identifier: GPL-2.0-or-later
"""The function_graph tracer: its truth is a picture of calls without times, so
the entries and exits of the report are drawn the same way and compared."""

import re

KERNEL = re.compile(r"^ *\d+\)(?: [ +!#*@$]?| +)(?P<us>\s*[\d.]+ us)?\s*\|"
                    r"(?P<indent> *)(?P<what>.*)$")


def kernel_calls(lines):
    """[(depth, what, duration in us as printed)] of one CPU's trace."""
    calls = []
    for line in lines:
        m = KERNEL.match(line)
        if not m or "=>" in line or set(line.strip()) == {"-"}:
            continue
        us = (m["us"] or "").replace("us", "").strip()
        what = re.sub(r" /\*.*\*/$", "", m["what"])
        # trace-cmd does not say which module a function is of.
        what = re.sub(r" \[\w+\]\(", "(", what)
        calls.append((len(m["indent"]) // 2 - 1, what, us))
    return calls


def fields(event):
    if event.fields is None:
        # An entry of kernels that record arguments: --> NAME (DEPTH)
        m = re.match(r"--> (\S+) \((\d+)\)", event.text)
        return {"func": m[1], "depth": m[2]}
    return dict(re.findall(r"(\w+)=(\S+)", event.fields))


def function_names(text, symbols):
    """trace-cmd shows a name, or a number where it found none."""
    return symbols.at(int(text, 0)) if text.startswith("0x") else {text}


def report_calls(events, symbols):
    """The same from funcgraph_entry and funcgraph_exit events."""
    calls = []
    i = 0
    while i < len(events):
        f = fields(events[i])
        names = function_names(f["func"], symbols)
        depth = int(f["depth"])
        if events[i].name == "funcgraph_entry":
            leaf = None
            if i + 1 < len(events) and \
                    events[i + 1].name == "funcgraph_exit" and \
                    events[i + 1].pid == events[i].pid:
                g = fields(events[i + 1])
                if g["func"] == f["func"] and int(g["depth"]) == depth:
                    leaf = duration(g)
            if leaf is None:
                calls.append((depth, {n + "() {" for n in names}, ""))
            else:
                calls.append((depth, {n + "();" for n in names}, leaf))
                i += 1
        else:
            calls.append((depth, {"}"}, duration(f)))
        i += 1
    return calls


def duration(f):
    # Both are hex, without 0x.
    ns = int(f["rettime"], 16) - int(f["calltime"], 16)
    return f"{ns // 1000}.{ns % 1000:03d}"


def same(kernel, found):
    """Digits that the kernel cut off for want of room do not count."""
    return (kernel[0] == found[0] and kernel[1] in found[1] and
            found[2].startswith(kernel[2]))
