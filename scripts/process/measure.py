#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What processes cost: natively, in LUT4, and in number. `make process`; build/reports/process.json

1. native: a process against a switch by hand (by_hand.c), nanoseconds a clock, median of 9
2. area:   LUT4 that Yosys makes of a process for ECP5 as rtlgen chooses, against the smaller of `--states arms` and `--states group`
3. states: 200 and 342 of them in a row, with ways back, without and with sums to one register (shapes.py): seconds of rtlgen and
           of the proof, which gets 30, lines for each state, levels of the longest path

Reads build/bin/rtlgen, build/bin/prove and build/process/by_hand. A figure that is missed is said to be; nothing fails for it.
"""
import json
import os
import re
import statistics
import subprocess
import sys
import time

WORK = "build/process"
REPORT = "build/reports/process.json"
ROUNDS = 9
PATIENCE = 30  # seconds of a proof
TESTS = "rtl_gen/test/processes"
NATIVE = ("gcd", "matrix", "predictor")
MODULES = [f"{TESTS}/{x}.c" for x in NATIVE] + ["hls/example/walker.c", "hls/example/lanes.c"]
SHAPES = [("tails", 4), ("tails", 8), ("tails", 16), ("waits", 8), ("waits", 16), ("waits", 32)]
LIMIT = {"native": 1.1, "area": 1.05, "sum": 1.0, "seconds": 1.0, "lines": 10.0, "levels": 12, "proof": 10.0}


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def verdict(value, limit):
    return "" if value <= limit else f"   missed: at most {limit}"


def native(module):
    times = [line.split() for line in run(f"{WORK}/by_hand", module, str(ROUNDS)).splitlines()]
    process, by_hand = (statistics.median(float(t[k]) for t in times) for k in (0, 1))
    entry = {"module": module, "process_ns": process, "switch_ns": by_hand, "ratio": round(process / by_hand, 3)}
    print(f"native {module:12} {process:7.2f} ns, by hand {by_hand:7.2f} ns, {entry['ratio']:.2f}"
          f"{verdict(entry['ratio'], LIMIT['native'])}", flush=True)
    return entry


def shape(kind, n):
    """The C of shapes.py as a file."""
    file = f"{WORK}/{kind}-{n}.c"
    with open(file, "w", encoding="utf-8") as out:
        out.write(run("scripts/process/shapes.py", kind, str(n)))
    return file


def lower(file, way):
    """The folder with the Verilog, what --report says, and seconds of the processor."""
    out = f"{WORK}/{os.path.basename(file)[:-2]}-{way}"
    before = os.times()
    report = run("build/bin/rtlgen", "-Ihls", "--report", "-o", out, *([] if way == "chosen" else ["--states", way]), file)
    after = os.times()
    return out, report, after.children_user + after.children_system - before.children_user - before.children_system


def lut4(folder, top):
    """As scripts/synth.sh counts: a carry cell is two."""
    with open(f"{folder}/{top}.f", encoding="utf-8") as names:
        files = " ".join(f"{folder}/{name}" for name in names.read().split())
    stat = run("yosys", "-p", f"read_verilog {files}; synth_ecp5 -nowidelut -top {top}; stat")
    cells = dict(re.findall(r"(LUT4|CCU2C) +(\d+)", stat))  # the last count stands
    return int(cells.get("LUT4", 0)) + 2 * int(cells.get("CCU2C", 0))


def text(folder, top):
    with open(f"{folder}/{top}.v", encoding="utf-8") as file:
        return file.read()


def area(file, top):
    folders = {way: lower(file, way)[0] for way in ("chosen", "arms", "group")}
    luts = {way: lut4(folders[way], top) for way in ("arms", "group")}
    same = [way for way in luts if text(folders[way], top) == text(folders["chosen"], top)]
    chosen = luts[same[0]] if same else lut4(folders["chosen"], top)
    name = os.path.basename(file)[:-2]
    entry = {"module": name, "lut4": chosen, **luts, "ratio": round(chosen / min(luts.values()), 3)}
    print(f"area   {name:12} {chosen:5} LUT4, arms {luts['arms']:5}, group {luts['group']:5}, {entry['ratio']:.2f}"
          f"{verdict(entry['ratio'], LIMIT['area'])}", flush=True)
    return entry


def proof(file, folder):
    """Seconds of the processor, those of z3 included, and whether it is proved."""
    net = f"{folder}/netlist.json"
    run("yosys", "-q", "-p", f"read_verilog {folder}/shape.v; hierarchy -top shape; proc -norom; flatten; opt_clean; "
                             f"memory_collect; opt_clean; write_json {net}")
    before = os.times()
    done = subprocess.run(["build/bin/prove", "--module", "shape", "--netlist", net, "--out", folder, "--set", "test",
                           "--limit", str(PATIENCE), "-Ihls", file], check=False, capture_output=True)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system, done.returncode == 0


def states(kind, n):
    file = shape(kind, n)
    folder, report, seconds = lower(file, "chosen")
    lines = text(folder, "shape").count("\n") / n
    levels = int(re.search(r"longest path (\d+) levels", report)[1])
    took, proved = proof(file, folder)
    entry = {"shape": kind, "states": n, "rtlgen_s": round(seconds, 3), "lines_per_state": round(lines, 2), "levels": levels,
             "proof_s": round(took, 2), "proved": proved}
    missed = [what for what, value in (("seconds", seconds), ("lines", lines), ("levels", levels if n == 200 else 0),
                                       ("proof", took)) if value > LIMIT[what]] + ([] if proved else [f"not proved in {PATIENCE} s"])
    print(f"states {kind:5} {n}: rtlgen {seconds:.2f} s, {lines:.1f} lines a state, {levels} levels, proof {took:.1f} s"
          f"{'   missed: ' + ', '.join(missed) if missed else ''}", flush=True)
    return entry


def main():
    start = time.monotonic()
    os.makedirs(WORK, exist_ok=True)
    rows = {"native": [native(m) for m in NATIVE]}
    rows["area"] = [area(file, os.path.basename(file)[:-2]) for file in MODULES]
    rows["area"] += [area(shape(*s), "shape") for s in SHAPES]
    smaller = sum(min(e["arms"], e["group"]) for e in rows["area"])
    rows["area_sum_ratio"] = round(sum(e["lut4"] for e in rows["area"]) / smaller, 3)
    print(f"area   of all    {rows['area_sum_ratio']:.2f}{verdict(rows['area_sum_ratio'], LIMIT['sum'])}")
    rows["states"] = [states(kind, n) for kind in ("ways", "sums") for n in (200, 342)]
    rows["seconds"] = round(time.monotonic() - start, 1)
    with open(REPORT, "w", encoding="utf-8") as file:
        json.dump(rows, file, indent=1)
    print(f"# {rows['seconds']} s; report: {REPORT}")


sys.exit(main())
