#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""
rdl.py - what is made of a register description in SystemRDL 2.0.

    rdl.py --header nic.rdl    C header: addresses, fields, reset values (hls/nic/regs/nic_map.h is this, byte for byte)
    rdl.py --table nic.rdl     table in Markdown
    rdl.py --json nic.rdl      the same as a list, for programs
    rdl.py --html DIR nic.rdl  pages by PeakRDL, also of a map of maps (hls/chip/chip.rdl)

systemrdl-compiler reads the language: a parser of our own would be one more thing to be wrong. Exit status 1 and one
line with the place when the description is wrong.
"""

import argparse
import json
import os
import sys

from systemrdl import RDLCompileError, RDLCompiler
from systemrdl.messages import MessagePrinter
from systemrdl.node import FieldNode, RegNode

WORD = 8  # bytes of a register

# Error classes of counters, by number: names of the programming interface of the field.
CLASSES = [
    "CORRECTABLE_MEMORY",
    "CRITICAL",
    "TRANSACTION",
    "ADDRESS_TRANSLATION",
    "TRANSIENT",
    "INFORMATIONAL",
    "DIAG_ONLY",
    "UNKNOWN_TRANSACTION",
]


def access(field):
    """rw, ro, wo, w1c or pulse."""
    if field.get_property("singlepulse"):
        return "pulse"
    if field.get_property("onwrite") is not None:
        return "w1c"
    return {"rw": "rw", "r": "ro", "w": "wo"}[field.get_property("sw").name]


def field_of(field):
    reset = field.get_property("reset")
    return {
        "name": field.inst_name,
        "low": field.low,
        "bits": field.width,
        "access": access(field),
        "reset": reset if isinstance(reset, int) else None,
        "says": " ".join((field.get_property("desc") or "").split()),
    }


def register_of(reg, name, table, word, address):
    return {
        "name": name,
        "address": address // WORD,
        "entries": table["entries"] if table else 1,
        "step": table["step"] // WORD if table else 0,
        "word": word,
        "says": reg.get_property("name"),
        "counter": reg.orig_type_name in ("counter", "sum"),
        "sum": reg.orig_type_name == "sum",
        "class": reg.get_property("class", default=None),
        "field_name": reg.get_property("field_name", default=None),
        "fields": [field_of(f) for f in reg.children() if isinstance(f, FieldNode)],
    }


def registers(top):
    """All registers in the order of their addresses; a table is one, its words one after another."""
    found = []
    for node in top.children(unroll=False):
        table = None
        if node.is_array:
            table = {"entries": node.n_elements, "step": node.array_stride}
        if isinstance(node, RegNode):
            found.append(register_of(node, node.inst_name, table, 0, node.raw_address_offset))
            continue
        for k, reg in enumerate(node.children()):
            address = node.raw_address_offset + reg.address_offset
            found.append(register_of(reg, node.inst_name, table, k, address))
    return sorted(found, key=lambda r: r["address"])


def macro(prefix, register):
    return f"{prefix}_{register['name'].upper()}" + (str(register["word"]) if register["word"] else "")


def comment_lines(text, width=116):
    """Lines of a C comment."""
    if len(text) + 6 <= width:
        return ["/* " + text + " */"]
    lines, line = ["/*"], " *"
    for word in text.split():
        if len(line) + 1 + len(word) > width:
            lines.append(line)
            line = " *"
        line += " " + word
    return lines + [line, " */"]


def header(found, top, source):
    """source: path of the description without .rdl."""
    guard = os.path.basename(source).upper() + "_MAP_H"
    prefix = top.get_property("prefix")
    out = [
        "// SPDX-License-Identifier: Apache-2.0",
        "/*",
        f" * {os.path.basename(source)}_map.h - addresses and fields of registers, made by `scripts/rdl.py --header {source}.rdl`.",
        " *",
        f" * {prefix}_<REGISTER> is an address in words of 64 bits, {prefix}_<REGISTER>_<FIELD>_AT and _BITS the place of a field,",
        " * _RESET its value after reset where that is not 0; of a table _STEP is the distance of two entries, _ENTRIES their number,",
        " * and word 1 of an entry is <TABLE>1.",
        " */",
        f"#ifndef {guard}",
        f"#define {guard}",
        "",
        "/* clang-format off */",
    ]
    numbered = top.get_property("counts", default=None) is not None
    for r in found:
        name = macro(prefix, r)
        if r["counter"] and numbered:
            continue
        out.append("")
        out += comment_lines(r["says"] + "".join(f" ({r[k]})" for k in ("class", "field_name") if r[k] and not numbered))
        if r["word"] == 0:
            out.append(f"#define {name} 0x{r['address']:04x}")
            if r["step"]:
                out.append(f"#define {name}_STEP {r['step']}")
                out.append(f"#define {name}_ENTRIES {r['entries']}")
        if r["counter"]:
            continue  # of a counter the address is all
        for f in r["fields"]:
            one = f"{name}_{f['name'].upper()}"
            out.append(f"#define {one}_AT {f['low']}")
            out.append(f"#define {one}_BITS {f['bits']}")
            if f["reset"]:
                out.append(f"#define {one}_RESET 0x{f['reset']:x}")
    numbers = counter_numbers(found, top, prefix) if numbered else counter_sizes(found, prefix)
    return "\n".join(out + numbers + class_masks(found) + ["", "#endif", ""])


def without_gap(counters):
    """Counters, the addresses of which follow each other."""
    for k, r in enumerate(counters):
        if r["address"] != counters[0]["address"] + k:
            sys.exit(f"rdl.py: {r['name']}: counters have a gap before it")
    return counters


def counter_sizes(found, prefix):
    """How many counters and sums there are, where each has a name of its own."""
    out = []
    for kind, what in ((False, "COUNTERS"), (True, "SUMS")):
        counters = without_gap([r for r in found if r["counter"] and r["sum"] == kind])
        if counters:
            first = macro(prefix, counters[0])
            out += ["", f"/* {what.capitalize()}, from {first} on. */", f"#define {prefix}_{what} {len(counters)}"]
    return out


def counter_numbers(found, top, prefix):
    """Counters by number from the first one on."""
    names = top.get_property("counts")
    counters = without_gap([r for r in found if r["counter"]])
    out = ["", f"#define {prefix}_COUNTERS 0x{counters[0]['address']:04x} /* the first one */", ""]
    out.append(f"enum {top.inst_name}_counter {{")
    out += [f"    {names}_{r['name'].upper()}, /* {r['says']} */" for r in counters]
    return out + [f"    {top.inst_name.upper()}_COUNTERS,", "};"]


def class_masks(found):
    """A bit per counter: those of each error class, counters 0 to 63 and 64 to 127."""
    counters = [r for r in found if r["class"] and not r["sum"]]
    if not counters:
        return []
    out = ["", "/* Bit i: counter i, from the first one on (HIGH: 64 + i), is of this class; FIRST_ERROR and IRQ_PENDING number classes so. */"]
    for k, name in enumerate(CLASSES):
        mask = sum(1 << (r["address"] - counters[0]["address"]) for r in counters if r["class"] == name)
        out.append(f"#define NR_CLASS_{name} {k}")
        out.append(f"#define NR_CLASS_{name}_LOW 0x{mask & (1 << 64) - 1:016x}u")
        out.append(f"#define NR_CLASS_{name}_HIGH 0x{mask >> 64:016x}u")
    return out


def table(found):
    out = ["| register, byte address | field | bits | access | reset | says |", "| --- | --- | --- | --- | --- | --- |"]
    for r in found:
        where = f"`{r['name']}` 0x{r['address'] * WORD:05x}"
        if r["step"]:
            where += f" + {r['step'] * WORD} i, i < {r['entries']}"
        for f in r["fields"]:
            high = f["low"] + f["bits"] - 1
            reset = "" if f["reset"] is None else hex(f["reset"])
            says = r["says"] if r["counter"] else f["says"]
            out.append(f"| {where} | `{f['name']}` | {high}:{f['low']} | {f['access']} | {reset} | {says} |")
            where = ""
    return "\n".join(out) + "\n"


class Printer(MessagePrinter):
    """Leaves out one warning of PeakRDL: that it shows the busses of a bridge one below the other is what we want."""

    def print_message(self, severity, text, src_ref):
        if "bridge" not in text:
            super().print_message(severity, text, src_ref)


def html(top, folder):
    from peakrdl_html import HTMLExporter

    HTMLExporter().export(top, folder)


def main():
    parser = argparse.ArgumentParser(description="What is made of a register description.")
    kind = parser.add_mutually_exclusive_group(required=True)
    kind.add_argument("--header", action="store_true", help="C header")
    kind.add_argument("--table", action="store_true", help="Markdown")
    kind.add_argument("--json", action="store_true", help="list of registers")
    kind.add_argument("--html", metavar="DIR", help="pages")
    parser.add_argument("file", help="SystemRDL")
    options = parser.parse_args()
    if not os.path.isfile(options.file):
        sys.exit(f"rdl.py: there is no file {options.file}")
    compiler = RDLCompiler(message_printer=Printer())
    try:
        compiler.compile_file(options.file)
        top = compiler.elaborate().top
    except RDLCompileError as error:  # the compiler has said where
        sys.exit(f"rdl.py: {options.file}: {error}")
    if options.html:
        html(top, options.html)
        return
    found = registers(top)
    for r in found:
        if r["class"] and r["class"] not in CLASSES:
            sys.exit(f"rdl.py: {options.file}: {r['name']}: class is one of {', '.join(CLASSES)}")
    if options.header:
        sys.stdout.write(header(found, top, options.file.removesuffix(".rdl")))
    elif options.table:
        sys.stdout.write(table(found))
    else:
        json.dump(found, sys.stdout, indent=1)
        sys.stdout.write("\n")


if __name__ == "__main__":
    main()
