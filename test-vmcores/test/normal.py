# SPDX-License-Identifier: GPL-2.0-or-later
"""Brings what the kernel prints of an event, and what trace-cmd prints of the
same bytes, to one form.

The two have the same fields but, for some kinds of events, other punctuation.
Each difference has its rule here, and its reason; what has no rule must be
equal to the letter.
"""

import bisect
import os
import re

# What %p prints: 16 digits, in the kernel without 0x. Unless it was booted with
# no_hash_pointers, all but NULL are hashed: 32 bits that tell nothing.
POINTER = re.compile(r"\b([0-9a-f]{16})\b")
# func+0x10/0x20 [module] in the kernel, func+0x10 in trace-cmd
SYMBOL = re.compile(r"\b([A-Za-z_][\w.]*)\+(0x[0-9a-f]+)(?:/0x[0-9a-f]+)?"
                    r"(?: \[\w+\])?")


class Symbols:
    """The kernel's own /proc/kallsyms."""

    def __init__(self, path):
        names = {}
        self.by_name = {}
        with open(path, errors="replace") as f:
            for line in f:
                word = line.split()
                addr = int(word[0], 16)
                names.setdefault(addr, set()).add(word[2])
                self.by_name.setdefault(word[2], set()).add(addr)
        self.addrs = sorted(names)
        self.names = names
        with open(os.path.join(os.path.dirname(path), "version"),
                  errors="replace") as f:
            release = re.match(r"Linux version (\d+)\.(\d+)", f.read())
        self.release = int(release[1]), int(release[2])

    def resolve(self, text):
        """Addresses that func+0x10 or func can be."""
        m = re.fullmatch(r"([A-Za-z_][\w.]*)(?:\+0x([0-9a-f]+))?", text)
        return {a + int(m[2] or "0", 16)
                for a in self.by_name.get(m[1], ())} if m else set()

    def at(self, addr):
        """All names of exactly this address."""
        return self.names.get(addr, set())

    def start(self, addr):
        """Where the function begins that addr lies in."""
        i = bisect.bisect_right(self.addrs, addr) - 1
        return self.addrs[i] if i >= 0 else None

    def around(self, addr):
        """All names of the function that addr lies in, without an offset."""
        return self.at(self.start(addr))

    def show(self, addr):
        """func+0x10: the function that addr lies in, by its first name."""
        start = self.start(addr)
        if start is None:
            return hex(addr)
        return f"{min(self.names[start])}+{addr - start:#x}"


def plain_symbols(text):
    # 0x%p, which trace-cmd shows with another 0x
    text = text.replace("0x0x", "0x")
    # Computed from vmemmap_base, where the memory map is randomised: trace-cmd
    # does not know that variable. The pfn says the same.
    text = re.sub(r"\bpage=(?:0x)?[0-9a-f]{16} pfn=", "page= pfn=", text)
    return SYMBOL.sub(lambda m: f"{m[1]}+{m[2]}", text)


def kernel_text(text):
    if text.startswith("<stack trace>"):
        return "\n".join(text.split("\n")[:1 + STACK_SHOWN])
    text = re.sub(r"^(# [0-9a-f]+ buf: [0-9a-f]+) .*$", r"\1", text)
    # %ps of a module's function, as workqueues and timers have it
    text = re.sub(r"(function[= ][\w.]+) \[\w+\]", r"\1", text)
    # A probe's array is compared as a field, see probe().
    text = re.sub(r"^(sample_probe: .* how=)\{.*?\}", r"\1{}", text)
    if re.match(r"sys_\w+\(", text):
        text = syscall_kernel(text)
    text = plain_mask(text)
    # trace-cmd aligns the text, so how many blanks it began with is lost.
    text = re.sub(r"^(\w+:) +", r"\1 ", text)
    return plain_symbols(text).rstrip()


def syscall_kernel(text):
    """7.x has 0x before the arguments, others and trace-cmd not; and where it
    shows flags by name, it shows descriptors and pointers in decimal."""
    text = re.sub(r": 0x([0-9a-f])", r": \1", text)
    if text.startswith("sys_openat(") and "flags: O_" in text:
        text = re.sub(r"\b(dfd|filename): (\d+)\b",
                      lambda m: f"{m[1]}: {int(m[2]):x}", text)
    return text


def plain_mask(text):
    """trace-cmd lists the CPUs of a mask of 7.x, the kernel shows the mask."""
    def cpus(match):
        mask = int(match[0].replace(",", ""), 16)
        return ",".join(str(i) for i in range(mask.bit_length())
                        if mask >> i & 1)
    return re.sub(r"(?<=target_mask=)[\da-f]{8}(,[\da-f]{8})*\b", cpus, text)


def syscall_enter(name, text, _):
    args = re.sub(r": 0x0*([0-9a-f])", r": \1", text)
    # 7.x shows the mode of files that are made only.
    if name == "sys_enter_openat" and re.search(r"flags: O_(?!.*O_CREAT)", args):
        args = re.sub(", mode: 0000$", "", args)
    return f"sys_{name[len('sys_enter_'):]}({args})"


def syscall_exit(name, text, _):
    return f"sys_{name[len('sys_exit_'):]} -> {text}"


def function(_, text, __):
    callee, caller = text.split(" <-- ")
    if caller == "__kretprobe_trampoline":
        # The kernel hides the trampoline of return probes.
        caller = "[unknown/kretprobe'd]"
    return f"{callee.strip()} <-{caller}"


# The format has eight entries, whatever the stack's size.
STACK_SHOWN = 8


def stack(_, text, __):
    """A tab, => and a function in each line; what is beyond the stack is 0"""
    calls = [l.strip() for l in text.split("\n")]
    return "\n".join(["<stack trace>"] + [f" {c}" for c in calls
                                          if c and c != "=> 0x0"])


def probe(name, text, symbols):
    """Addresses in parentheses are numbers, those of a return probe stand in
    the other order. libtraceevent 1.7 shows no elements of arrays, and an
    empty string for one that could not be read."""
    text = re.sub(r" how=\{.*?\}", " how={}", text)
    text = text.replace(' path="" ', " path=(fault) ")
    def show(m):
        addr = [symbols.show(int(a, 16)) for a in m[1].split(" <- ")]
        if len(addr) == 2:
            return f"({addr[1]} <- {addr[0].split('+')[0]})"
        return f"({addr[0]})"
    return f"{name}: " + re.sub(r"^\(([0-9a-f]+(?: <- [0-9a-f]+)?)\)", show,
                                text)


def event_probe(name, text, _):
    """The kernel names the event that it is attached to."""
    return f"{name}: (sched.sched_waking) {text}"


def synthetic(name, text, _):
    """trace-cmd has commas between the fields."""
    return f"{name}: " + re.sub(r", (\w+=)", r" \1", text)


def raw_data(_, text, __):
    """trace-cmd shows the first byte only; the field has the others."""
    m = re.match(r"id:([0-9a-f]+) 0*([0-9a-f]+)$", text)
    return f"# {int(m[1], 16):x} buf: {m[2]}" if m else text


def as_it_is(_, text, __):
    return text


def named(name, text, _):
    return f"{name}: {text}"


RULES = [
    (r"sys_enter_", syscall_enter),
    (r"sys_exit_", syscall_exit),
    (r"function$", function),
    (r"kernel_stack$", stack),
    (r"sample_probe$|sample_return$", probe),
    (r"sample_eprobe$", event_probe),
    (r"raw_data$", raw_data),
    (r"sample_latency$", synthetic),
    # The kernel prints the function and the text, and no event's name.
    (r"print$|bprint$|bputs$", as_it_is),
    (r"", named),
]


# Events whose print format libtraceevent 1.7 renders in another way. Their
# fields are compared one by one all the same.
TEXT_DIFFERS = {
    "hrtimer_init": "a symbol for 9 = ABS|HARD is not found",
    "hrtimer_setup": "as hrtimer_init, whose name it was up to 6.14",
    "hrtimer_start": "a symbol for 8 = ABS|HARD is not found",
    "writeback_dirty_inode": "flags of an enum are not known by name",
    "writeback_dirty_inode_start": "the same",
    "writeback_mark_inode_dirty": "the same",
    "rcu_batch_end": "%c is not supported",
    "timer_start": "__print_flags() with a flag of value 0",
    "sample_beat": "a signed byte shown unsigned, arrays without braces",
}


def text_differs(name, text):
    """Does trace-cmd show this in a way of its own, for want of better?"""
    # A format that it cannot parse. That the format is the kernel's is
    # compared byte for byte.
    return name in TEXT_DIFFERS or text.startswith("[FAILED TO PARSE]")


def report_text(name, text, symbols):
    rule = next(r for pattern, r in RULES if re.match(pattern, name))
    return plain_mask(plain_symbols(rule(name, text, symbols)).rstrip())


def pointer_pattern(digits):
    if digits == "0" * 16:
        return r"(?:0x0|\(nil\)|0{16})"
    if digits.startswith("0" * 8):
        return r"(?:0x)?[0-9a-f]+"
    return r"(?:0x)?" + digits.lstrip("0")


def same_text(kernel, found):
    """Equal, or equal but for the way that pointers are shown."""
    if kernel == found:
        return True
    # Text and digits in turn.
    parts = POINTER.split(kernel)
    if len(parts) == 1:
        return False
    pattern = "".join(pointer_pattern(p) if i % 2 else re.escape(p)
                      for i, p in enumerate(parts))
    return re.fullmatch(pattern, found, re.DOTALL) is not None


# -- single fields

def field_names(fmt):
    """Names and sizes of an event's own fields, from its format file."""
    own = fmt.split("\n\n")[1] if "\n\n" in fmt else ""
    return [(n, int(s)) for n, s in
            re.findall(r"\tfield:.*?(\w+)(?:\[\w*\])?;\toffset:\d+;\t"
                       r"size:(\d+);", own)]


def split_fields(text, names):
    pattern = " ".join(f"{re.escape(n)}=(.*?)" for n, _ in names)
    m = re.fullmatch(pattern, text.strip(" \n"), re.DOTALL)
    return list(m.groups()) if m else None


def numbers(text, symbols):
    """What numbers a text can stand for. The kernel prints 0x13 (19), (19),
    'c'(99) or (0xffff:string); trace-cmd goes by the event's print format: 19,
    0x13, 13, func+0x10 or (nil)."""
    text = text.strip()
    m = (re.fullmatch(r"\(?(0x[0-9a-f]+)(?::.*\)|\)| \(-?\d+\))", text,
                      re.DOTALL) or
         re.fullmatch(r"(?:'.')?\((-?\d+)\)", text, re.DOTALL))
    if m:
        return {int(m[1], 0)}
    # A symbol, and in parentheses its value (7.x).
    m = re.fullmatch(r"[\w.]+\+0x[0-9a-f]+/0x[0-9a-f]+(?: \[\w+\])? "
                     r"\((-?\d+)\)", text)
    if m:
        return {int(m[1])}
    if text == "(nil)":
        return {0}
    # A format with 0x%p shows it twice.
    text = re.sub(r"^(0x)+", "0x", text)
    values = symbols.resolve(text)
    # Octal are the modes of 7.x.
    for base in (0, 10, 16) + ((8,) if symbols.release >= (7, 0) else ()):
        try:
            values.add(int(text, base))
        except ValueError:
            pass
    return values


def same_value(kernel, found, size, symbols):
    if kernel == found:
        return True
    # A string that the event only points to; trace-cmd knows some of them.
    m = re.fullmatch(r"\(0x[0-9a-f]+:(.*)\)", kernel, re.DOTALL)
    if m and m[1] == found:
        return True
    # 7.x shows where the pointer itself lies, which was in a buffer that is no
    # more, and the string.
    if symbols.release >= (7, 0) and \
            re.fullmatch(r"\(0x[0-9a-f]+(:.*)?\)", kernel, re.DOTALL):
        return True
    # What 7.x keeps of a buffer that a system call wrote has no end that
    # trace-cmd would know; the kernel shows some of it, or all and its bytes.
    if symbols.release >= (7, 0):
        m = re.search(r" \(([0-9a-f]{2}(?::[0-9a-f]{2})*)\)$", kernel)
        if m and found == f"ARRAY[{m[1].replace(':', ', ')}]":
            return True
        text = bytes.fromhex(m[1].replace(":", "")) \
            .decode(errors="surrogateescape").rstrip("\n") if m else kernel
        if found.startswith(text) and (m or len(text) > 1):
            return True
    # Bytes of an array: 01,02 and ARRAY[01, 02]; or what was read of a string.
    if found.startswith("ARRAY["):
        values = found[6:-1].split(", ")
        return kernel.split(",") == values or \
            kernel.encode(errors="surrogateescape") == \
            bytes(int(v, 16) for v in values).rstrip(b"\0")
    # A string of no length: what could not be read. trace-cmd shows garbage.
    if kernel == "":
        return True
    # A format with %ps shows the function only.
    return any(found in symbols.around(k) for k in numbers(kernel, symbols)) \
        or any((k - f) % (1 << 8 * size) == 0
               for k in numbers(kernel, symbols)
               for f in numbers(found, symbols))
