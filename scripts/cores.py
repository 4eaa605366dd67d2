#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""
cores.py MACHINE PREFIX VERSION DIR - FuseSoC core files (CAPI2) and file lists of what stands in DIR/rtl.

A core has its own file and depends on the cores of its instances, and of functions of the C that are modules in the Verilog
("keeps"), so two blocks, or two machines, fit into one design. Targets, by
FuseSoC's flow API: lint (Verilator), synth (Yosys, ECP5) and, where DIR/vectors/MODULE.txt has recorded clocks, sim (Icarus: the
module must have those registers, clock by clock). DIR/json has what rtlgen says of the modules.
"""

import json
import pathlib
import sys


def below(info):
    """Names of the modules that stand in one."""
    return sorted({i["module"] for i in info["instances"]} | set(info["keeps"]))


def leaves_first(modules, name, seen):
    """All modules below one, each once, itself last."""
    if name in seen:
        return []
    seen.add(name)
    found = []
    for module in below(modules[name]):
        found += leaves_first(modules, module, seen)
    return found + [name]


def core(machine, prefix, version, info, vectors):
    """Lines of a core file."""
    name = info["module"]
    short = name.removeprefix(prefix)
    yield from ("CAPI=2:", f"name: heddle:{machine}:{short}:{version}")
    yield f"description: {json.dumps(info['doc'] or short)}"
    yield from ("filesets:", "  rtl:", "    file_type: verilogSource-2005", f"    files: [rtl/{name}.v]")
    parts = [m.removeprefix(prefix) for m in below(info)]
    if parts:
        yield f"    depend: [{', '.join(f'heddle:{machine}:{m}:{version}' for m in parts)}]"
    if vectors:
        yield from ("  bench:", "    file_type: verilogSource-2005")
        yield f"    files: [bench/{name}_tb.v, vectors/{short}.txt: {{file_type: user, copyto: vectors.txt}}]"
    yield from ("targets:", "  default: &default", "    filesets: [rtl]", f"    toplevel: {name}")
    yield from ("  lint:", "    <<: *default", "    flow: lint", "    flow_options:", "      tool: verilator")
    yield "      verilator_options: [-Wall, -fno-const-bit-op-tree]"
    yield from ("  synth:", "    <<: *default", "    flow: generic", "    flow_options:", "      tool: yosys")
    yield "      arch: ecp5"
    if vectors:
        yield from ("  sim:", "    filesets: [rtl, bench]", f"    toplevel: {name}_tb", "    flow: sim", "    flow_options:")
        yield from ("      tool: icarus", "      iverilog_options: [-g2005, -DHLS_STATE]", "    parameters: [vectors=vectors.txt]")
        yield from ("parameters:", "  vectors:", "    datatype: file", "    paramtype: plusarg")


def main():
    if len(sys.argv) != 5:
        sys.exit("usage: cores.py MACHINE PREFIX VERSION DIR")
    machine, prefix, version, where = sys.argv[1:]
    where = pathlib.Path(where)
    modules = {}
    for path in sorted((where / "json").glob("*.json")):
        info = json.loads(path.read_text(encoding="utf-8"))
        modules[info["module"]] = info
    for name in {k for info in modules.values() for k in info["keeps"]}:
        modules[name] = {"module": name, "doc": None, "instances": [], "keeps": []}
    for name, info in modules.items():
        short = name.removeprefix(prefix)
        files = [f"rtl/{m}.v" for m in leaves_first(modules, name, set())]
        (where / f"{short}.f").write_text("\n".join(files) + "\n", encoding="utf-8")
        lines = core(machine, prefix, version, info, (where / "vectors" / f"{short}.txt").exists())
        (where / f"{short}.core").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
