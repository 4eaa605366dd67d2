#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: Apache-2.0
"""pnr_report.py - what nextpnr reports of several runs as one report, with the longest path in names of the C.

usage: pnr_report.py --rate RUN.json
       pnr_report.py --set S --module M --device D --seconds N [--placer P] --tools TEXT [--levels LEVELS.txt] --stat STAT.json --out REPORT.json RUN.json...

Without --rate: writes REPORT.json, whose keys pnr.sh lists, and prints a table and the path.
"""
import argparse
import json
import pathlib
import re

# cells that a resource is made of, and how many of it each is worth
CELLS = {
    "lut": {r"LUT4": 1, r"CCU2C": 2, r"TRELLIS_DPR16X4": 4, r"SB_LUT4": 1},
    "ff": {r"TRELLIS_FF": 1, r"SB_DFF.*": 1},
    "bram": {r"DP16KD": 1, r"SB_RAM40_4K.*": 1},
}
# what synthesis puts behind the name of the net that it began with
PRIMITIVE = re.compile(r"_(LUT4|CCU2C|PFUMX|L6MUX21|TRELLIS_\w+|DP16KD|SB_\w+|O)_.*|\$.*|_O(_\d+)?$")


def rate(run):
    """MHz of a run: that of its only clock."""
    return round(min(clock["achieved"] for clock in run["fmax"].values()), 2)


def name_of(net):
    """A net in names of the C: instances with dots between them, without what tools have appended."""
    name = PRIMITIVE.sub("", net.removeprefix("dut.").removeprefix("top."))
    name = re.sub(r"\[\d+\]$", "", name)
    return re.sub(r"_[qd]$", "", name)


def longest(run):
    """Steps of the longest path within the clock."""
    inside = [p["path"] for p in run["critical_paths"] if p["from"] == p["to"]]
    return max(inside, key=lambda path: sum(step["delay"] for step in path))


def levels_on(run):
    """Cells that the longest path passes through between its registers."""
    return sum(step["type"] == "logic" for step in longest(run))


def path_of(run):
    """The longest path: when a net is there, and its name; one entry for nets of one name in a row."""
    steps, now, last = [], 0.0, None
    for step in longest(run):
        now += step["delay"]
        if "net" not in step:
            continue
        name = name_of(step["net"]) or last
        if name != last:
            steps.append([name, 0])
            last = name
        steps[-1][1] = now
    return [f"{ns:.2f} ns {name}" for name, ns in steps]


def sizes(stat, module):
    """lut, ff and bram of a module in Yosys' statistics."""
    count = stat["modules"]["\\" + module]["num_cells_by_type"]
    return {what: sum(n * weight for pattern, weight in cells.items() for cell, n in count.items() if re.fullmatch(pattern, cell))
            for what, cells in CELLS.items()}


def levels_of(text):
    """The most levels between two registers in what rtlgen --report prints of all modules, and where they end in the C."""
    most, at, module = 0, "", ""
    found = None
    for line in text.splitlines():
        words = line.split()
        if line.startswith("module "):
            module = words[1]
        elif line.startswith("  longest path "):
            found = int(words[2])
        elif found is not None:
            # of a module of instances alone: 0 levels, and no line of it
            most, at = max((most, at), (found, words[1] if words and words[0].isdigit() else module))
            found = None
        elif line.startswith("  instance "):
            ahead, inside = (int(n) for n in re.findall(r"(\d+) (?:levels|inside)", line))
            most, at = max((most, at), (ahead + inside, f"{module}.{words[1].rstrip(':')}"))
    return most, at


def main():
    """Command line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rate", action="store_true")
    for option in ("set", "module", "device", "placer", "tools"):
        parser.add_argument(f"--{option}")
    parser.add_argument("--seconds", type=int)
    parser.add_argument("--wanted", type=float, help="MHz, of a board")
    parser.add_argument("--levels", type=pathlib.Path, help="what rtlgen --report printed")
    parser.add_argument("--stat", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("runs", type=pathlib.Path, nargs="+")
    given = parser.parse_args()
    runs = [json.loads(p.read_text()) for p in given.runs]
    if given.rate:
        print(rate(runs[0]))
        return
    median = sorted(runs, key=rate)[len(runs) // 2]
    wanted = {} if given.wanted is None else {"wanted_mhz": given.wanted}
    levels, ends = levels_of(given.levels.read_text()) if given.levels else (None, None)
    of_c = {"levels": levels, "levels_at": ends} if given.levels else {}
    report = {"set": given.set, "module": given.module, "device": given.device, **wanted, "fmax_mhz": [rate(r) for r in runs],
              "fmax_median": rate(median), "path_levels": levels_on(median), **sizes(json.loads(given.stat.read_text()), given.module), "seconds": given.seconds, **of_c,
              "path": path_of(median), **({"placer": given.placer} if given.placer else {}), "tools": given.tools}
    part = given.out.with_suffix(".part")
    part.write_text(json.dumps(report, indent=1) + "\n")
    part.replace(given.out)
    for step in report["path"]:
        print(f"  {step}")
    print(f"{given.module} on {given.device}: {report['fmax_median']} MHz, median of {report['fmax_mhz']}; "
          f"{report['lut']} LUT4, {report['ff']} flip-flops, {report['bram']} block RAMs"
          + (f"; {levels} levels to {ends}" if given.levels else ""))


if __name__ == "__main__":
    main()
