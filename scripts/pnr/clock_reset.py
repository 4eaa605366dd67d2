#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: Apache-2.0
"""clock_reset.py - puts the reset of a large ECP5 design onto a clock network.

usage: clock_reset.py NETLIST.json TOP

nextpnr gives clocks alone such a network. Without one a reset of 22,000 pins, in an LFE5U-85F that is two thirds full,
makes the wires a tenth longer, and with one of 6,300 pins router1 may come to no end; one of 2,000 does better without.
A net that drives more than 5,000 reset pins gets a DCCA, behind which they are; its other pins stay where they were,
for a LUT that is reached from a clock network may lose an input. Rewrites the netlist if there is such a net.
"""
import collections
import itertools
import json
import pathlib
import sys

RESETS = ("LSR", "RSTA", "RSTB")
MANY = 5000


def reset_pins(cells):
    """The pins of cells that each net resets, as (connections of the cell, pin)."""
    pins = collections.defaultdict(list)
    for cell in cells.values():
        for pin in RESETS:
            for net in cell["connections"].get(pin, []):
                if isinstance(net, int):
                    pins[net].append((cell["connections"], pin))
    return pins


def buffer_of(net, behind):
    """A DCCA from one net to the other."""
    return {"hide_name": 0, "type": "DCCA", "parameters": {}, "attributes": {},
            "port_directions": {"CLKI": "input", "CLKO": "output", "CE": "input"},
            "connections": {"CLKI": [net], "CLKO": [behind], "CE": ["1"]}}


def main():
    """Command line."""
    if len(sys.argv) != 3:
        sys.exit("usage: clock_reset.py NETLIST.json TOP")
    path = pathlib.Path(sys.argv[1])
    netlist = json.loads(path.read_text())
    top = netlist["modules"][sys.argv[2]]
    large = {net: pins for net, pins in reset_pins(top["cells"]).items() if len(pins) > MANY}
    if not large:
        return
    free = 1 + max(bit for net in top["netnames"].values() for bit in net["bits"] if isinstance(bit, int))
    for net, behind in zip(large, itertools.count(free)):
        name = f"reset_buffer_{behind}"
        for connections, pin in large[net]:
            connections[pin] = [behind]
        top["cells"][name] = buffer_of(net, behind)
        top["netnames"][name] = {"hide_name": 0, "bits": [behind], "attributes": {}}
    path.write_text(json.dumps(netlist))


if __name__ == "__main__":
    main()
