#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""
wave.py MODULE.json FILE.fst - a list of signals for gtkwave, on standard output: clock and reset, then the module's ports by
the struct that they come from, then its registers.

Reads what rtlgen says of the module. A waveform of lockstep has the module as <module>.<module>.
"""

import json
import sys

HEX, BINARY, COMMENT = "@22", "@28", "@200"
REGISTERS = 40  # at most; the tree beside has the others


def signal(top, name, bits):
    """A port or register with its format."""
    return [BINARY, f"{top}.{name}"] if bits == 1 else [HEX, f"{top}.{name}[{bits - 1}:0]"]


def group_of(c):
    """The struct of a port: s_axil of out.s_axil.awready."""
    parts = c.removeprefix("out.").split(".")
    return parts[0] if len(parts) > 1 else ""


def lines(info, fst):
    top = f"{info['module']}.{info['module']}"
    yield from (f'[dumpfile] "{fst}"', "[sst_width] 240", "[signals_width] 280")
    yield from (BINARY, f"{top}.clk", f"{top}.rst")
    groups = {}
    for kind, title in (("inputs", "in"), ("outputs", "out")):
        for p in info[kind]:
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
    if len(sys.argv) != 3:
        sys.exit("usage: wave.py MODULE.json FILE.fst")
    with open(sys.argv[1], encoding="utf-8") as file:
        info = json.load(file)
    print("\n".join(lines(info, sys.argv[2])))


if __name__ == "__main__":
    main()
