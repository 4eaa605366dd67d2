#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Transitions of processes that no lockstep took, searched for from reset on: search.py [DEPTH]

Reads build/reports/process-cover.json (cover.py). A transition is a cover of its module's Verilog with any inputs; yosys-smtbmc and z3 look
for it within DEPTH (25) clocks. Adds to each process of the report what was found, "transitions_found", and what was not,
"transitions_not_found": those nobody has seen. A module whose Verilog is not there is left out, and said to be.
"""
import glob
import json
import os
import re
import subprocess
import sys

REPORT = "build/reports/process-cover.json"
WORK = "build/process/search"
SECONDS = 120  # of each module, for z3
TOP = """module top (input wire clk);
    reg rst = 1'b1;
    always @(posedge clk) rst <= 1'b0;
    {module} dut (.clk(clk), .rst(rst));
endmodule
"""
YOSYS = """read_verilog -formal {files}
hierarchy -check -top top; proc; flatten; setundef -undriven -anyseq; opt -full
memory -nordff -nomap; memory_map t:$mem_v2 r:SIZE<=16 %i; delete t:$mem*; setundef -undriven -anyseq; opt -fast; dffunmap
write_smt2 -wires {smt2}
"""


def folder_of(module):
    """The folder with its Verilog and JSON, or None."""
    found = [f"build/rtl/test/{module}/{module}.json"] + glob.glob(f"build/rtl/*/{module}.json") + glob.glob(f"build/rtl/test/*/{module}.json")
    return next((os.path.dirname(f) for f in found if os.path.exists(f)), None)


def covers(info, name, transitions):
    """Verilog of a cover for each: the state before a clock and the one behind it."""
    process = next(p for p in info["processes"] if p["c"].replace("[]", f"[{p['element']}]") == name)
    value = {s["name"]: s["value"] for s in process["states"]}
    width, low = process["width"], process["element"] * process["width"]
    now = f"{process['name']}_q" + (f"[{low + width - 1}:{low}]" if "[]" in process["c"] else "")
    was = re.sub(r"\W", "_", f"search_{name}")
    yield f"reg [{width - 1}:0] {was}; reg {was}_runs = 1'b0;"
    yield f"always @(posedge clk) begin {was} <= {now}; {was}_runs <= !rst; end"
    for what in transitions:
        a, b = what.split(" to ")
        yield f"always @* if ({was}_runs && {was} == {value[a]} && {now} == {value[b]}) cover (1);"


def search(module, processes, depth):
    """For each transition of these processes whether it is reached; None without Verilog."""
    folder = folder_of(module)
    if folder is None:
        print(f"# {module}: no Verilog; make rtl")
        return None
    work = f"{WORK}/{module}"
    os.makedirs(work, exist_ok=True)
    with open(f"{folder}/{module}.json", encoding="utf-8") as file:
        info = json.load(file)
    with open(f"{folder}/{module}.f", encoding="utf-8") as file:
        names = file.read().split()
    files = [f"{work}/top.v"] + [f"{work}/{name}" for name in names]
    with open(f"{work}/top.v", "w", encoding="utf-8") as file:
        file.write(TOP.format(module=module))
    lines = [line for p in processes for line in covers(info, p["process"], p["transitions_never"])]
    for name in names:
        with open(f"{folder}/{name}", encoding="utf-8") as file:
            text = file.read()
        if name == f"{module}.v":
            text = text.replace("\nendmodule", "\n" + "\n".join(lines) + "\nendmodule")
        with open(f"{work}/{name}", "w", encoding="utf-8") as file:
            file.write(text)
    smt2 = f"{work}/model.smt2"
    with open(f"{work}/model.ys", "w", encoding="utf-8") as file:
        file.write(YOSYS.format(files=" ".join(files), smt2=smt2))
    subprocess.run(["yosys", "-q", f"{work}/model.ys"], check=True, stdout=subprocess.DEVNULL)
    command = ["timeout", str(SECONDS), "yosys-smtbmc", "-s", "z3", "--unroll", "--noprogress", "-c", "-t", str(depth), smt2]
    log = subprocess.run(command, check=False, capture_output=True, text=True).stdout
    with open(f"{work}/{module}.v", encoding="utf-8") as file:
        order = [n for n, line in enumerate(file, 1) if "cover (1);" in line]
    reached = {int(n) for n in re.findall(r"Reached cover statement.*\.v:(\d+)", log)}
    return [n in reached for n in order]


def is_own(process):
    """Not of a child, which has an entry of its own."""
    folder = folder_of(process["module"])
    if folder is None:
        return True
    with open(f"{folder}/{process['module']}.json", encoding="utf-8") as file:
        return process["process"] in {
            p["c"].replace("[]", f"[{p['element']}]") for p in json.load(file)["processes"] if "." not in p["name"]
        }


def main():
    depth = int(sys.argv[1]) if len(sys.argv) > 1 else 25
    with open(REPORT, encoding="utf-8") as file:
        report = json.load(file)
    modules = {}
    for p in report["processes"]:
        if p["transitions_never"] and is_own(p):
            modules.setdefault(p["module"], []).append(p)
    found = left = 0
    for module, processes in modules.items():
        reached = search(module, processes, depth)
        if reached is None:
            continue
        at = iter(reached)
        for p in processes:
            hits = [next(at) for _ in p["transitions_never"]]
            p["transitions_found"] = [w for w, hit in zip(p["transitions_never"], hits) if hit]
            p["transitions_not_found"] = [w for w, hit in zip(p["transitions_never"], hits) if not hit]
            found += len(p["transitions_found"])
            left += len(p["transitions_not_found"])
            for what in p["transitions_not_found"]:
                print(f"# {module}, {p['process']}: {what} not within {depth} clocks")
    report["total"]["transitions_found"] = found
    with open(REPORT, "w", encoding="utf-8") as file:
        json.dump(report, file, indent=1)
    print(f"# {found} transitions that no lockstep took are reached within {depth} clocks, {left} are not; report: {REPORT}")


main()
