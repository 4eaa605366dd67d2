# SPDX-License-Identifier: Apache-2.0
"""clock.py - clock rates as tables: of what make pnr, make test and figures.json say, per machine and per module.

Rows are of plain values; report.py makes HTML of them.
"""
import re

MODULES = ["machine", "module", "device", "MHz", "of seeds", "wanted", "levels of rtlgen", "levels of nextpnr", "ns",
           "its path", "levels of rtlgen end at", "LUT4", "flip-flops", "block RAMs"]
MACHINES = ["machine", "clocked by", "device", "levels of rtlgen", "MHz", "clocks of a head through an idle router", "ns"]


def wanted(config, name):
    """What figures.json wants of the median in a report."""
    for figure in config["figures"]:
        if figure.get("report") == f"{name}.json" and figure.get("key") == "fmax_median":
            return figure.get("wanted")
    return None


def names_of(path):
    """Names along a path whose steps are "1.23 ns name", each once in a row."""
    found = [re.sub(r"^[\d.]+ ns ", "", step) for step in path]
    return " > ".join(name for i, name in enumerate(found) if i == 0 or name != found[i - 1])


def module_rows(config, placed):
    """One row for each report of make pnr."""
    return [[p["set"], p["module"], p["device"], p["fmax_median"], ", ".join(str(f) for f in p["fmax_mhz"]), wanted(config, p["report"]),
             p.get("levels"), p.get("path_levels"), 1000 / p["fmax_median"], names_of(p["path"]), p.get("levels_at"),
             p["lut"], p["ff"], p["bram"]]
            for p in sorted(placed, key=lambda p: (p["set"], p["module"], p["device"]))]


def machine_rows(placed, latencies):
    """A router is clocked by its slowest tile: per machine and device the tile's rate, or the whole router's where it was placed."""
    rows = []
    for machine, clocks in sorted((found["machine"], found["head_latency_clocks"]) for found in latencies):
        for device in sorted({p["device"] for p in placed}):
            found = {p["module"]: p for p in placed if p["set"] == machine and p["device"] == device}
            router = found.get("router") or found.get("tile")
            if router:
                rows.append([machine, router["module"], device, router.get("levels"), router["fmax_median"], clocks,
                             clocks * 1000 / router["fmax_median"]])
    return rows
