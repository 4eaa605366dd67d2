#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""
wave.py MODULE.json FILE.fst FOLDER - a list of signals for gtkwave, on standard output: clock and reset, then the states of its
processes by their names, the module's ports by the struct that they come from, and its registers.

For each enum of states FOLDER gets a filter file, MODULE-ENUM.states: a line for each state, its value in binary and its name.

Reads what rtlgen says of the module. A waveform of lockstep has the module as <module>.<module>.
"""

import json
import os
import sys

HEX, BINARY, COMMENT = "@22", "@28", "@200"
FILTERED = "@2028"  # binary, through a filter file
REGISTERS = 40  # at most; the tree beside has the others


def signal(top, name, bits):
    """A port or register with its format."""
    return [BINARY, f"{top}.{name}"] if bits == 1 else [HEX, f"{top}.{name}[{bits - 1}:0]"]


def group_of(c):
    """The struct of a port: s_axil of out.s_axil.awready."""
    parts = c.removeprefix("out.").split(".")
    return parts[0] if len(parts) > 1 else ""


def state_bits(top, process, register):
    """The bits of a process's state, of an array those of its element; gtkwave counts bits from the left."""
    name, width, low = f"{top}.{process['name']}_q", process["width"], process["element"] * process["width"]
    total = register["width"] * register["count"]
    if total == width:
        return name if width == 1 else f"{name}[{width - 1}:0]"
    bits = " ".join(f"({total - 1 - low - k}){name}[{total - 1}:0]" for k in reversed(range(width)))
    return f"#{{{process['c'].replace('[]', '<%u>' % process['element'])}}} {bits}"


def processes(info, top, folder):
    """States by name, each through the filter of its enum."""
    registers = {p["name"]: p for p in info["state"]}
    filters = {}
    for process in info.get("processes", []):
        text = "".join(f"{s['value']:0{process['width']}b} {s['name']}\n" for s in process["states"])
        if text not in filters:
            file = os.path.abspath(f"{folder}/{info['module']}-{process['name']}.states")
            with open(file, "w", encoding="utf-8") as out:
                out.write(text)
            filters[text] = f"^{len(filters) + 1} {file}"
        yield from (FILTERED, filters[text], state_bits(top, process, registers[process["name"]]))
    if filters:
        yield "^0"


def lines(info, fst, folder):
    top = f"{info['module']}.{info['module']}"
    yield from (f'[dumpfile] "{fst}"', "[sst_width] 240", "[signals_width] 280")
    yield from (BINARY, f"{top}.clk", f"{top}.rst")
    if info.get("processes"):
        yield from (COMMENT, "-processes")
    yield from processes(info, top, folder)
    groups = {}
    for kind, title in (("inputs", "in"), ("outputs", "out")):
        for p in (p for p in info[kind] if not p.get("unread")):
            groups.setdefault((group_of(p["c"]) or title), []).append(p)
    for title, ports in groups.items():
        yield from (COMMENT, f"-{title}")
        for p in ports:
            yield from signal(top, p["name"], p["width"] * p["count"])
    own = [p for p in info["state"] if not p["c"].startswith("out.") and "." not in p["name"]]
    if own:
        yield from (COMMENT, "-registers")
    for p in own[:REGISTERS]:
        yield from signal(top, p["name"] + "_q", p["width"] * p["count"])


def main():
    if len(sys.argv) != 4:
        sys.exit("usage: wave.py MODULE.json FILE.fst FOLDER")
    with open(sys.argv[1], encoding="utf-8") as file:
        info = json.load(file)
    print("\n".join(lines(info, *sys.argv[2:])))


if __name__ == "__main__":
    main()
