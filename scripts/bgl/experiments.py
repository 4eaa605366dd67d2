#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: Apache-2.0
"""experiments.py [--jobs N] [--seed N] [NUMBER] - the published experiments of the Blue Gene/L torus, or one of them, by bglsim.

Writes build/reports/bgl-experiments.json, a list of experiment, torus, seed_figure (what is published), measured, wanted, met, clocks; of
one experiment its rows are replaced. build/reports/bgl-experiments.html has a table and the plots of all experiments that were run.
Exit status 1 if a figure is missed or a run fails.
"""
import argparse
import fcntl
import html
import json
import os
import pathlib
import re
import sys

import figures
import patterns
import throughput
from runs import OUT, Failed, Runner

ALL = {1: throughput.responses, 2: throughput.buffers, 3: throughput.shortest, 4: throughput.longest, 5: patterns.symmetric, 6: patterns.asymmetric,
       7: throughput.escapes, 8: patterns.logic, 9: patterns.ping_pong, 10: patterns.sizes, 11: patterns.spots, 12: patterns.fills}
REPORTS = pathlib.Path("build/reports")


def whole(path, text):
    """A file that appears whole."""
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    part.write_text(text, encoding="utf-8")
    part.replace(path)


def number_of(row):
    """The experiment of a row."""
    return int(row["experiment"].split(":")[0])


def kept(path, without):
    """Rows of the other experiments."""
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))
        return [r for r in rows if number_of(r) != without]
    except (OSError, ValueError, KeyError, TypeError):
        return []


def table(rows):
    """Rows as HTML."""
    cells = ["experiment", "torus", "seed_figure", "measured", "wanted", "clocks"]
    head = "<tr><th>experiment<th>torus<th>published<th>measured<th>wanted<th>clocks</tr>"
    body = "".join(f"<tr{'' if r['met'] else ' class=missed'}>" + "".join(f"<td>{html.escape(str(r[c]))}" for c in cells) + "</tr>\n" for r in rows)
    return f"<table>{head}\n{body}</table>"


def page(rows):
    """The page: a table and the plots of each experiment."""
    parts = []
    for number, run in ALL.items():
        mine = [r for r in rows if number_of(r) == number]
        plots = sorted(OUT.glob(f"{number}-plot*.svg"))
        if mine:
            said = "".join(f"<p>{html.escape(text)}</p>\n" for text in figures.SAID.get(number, []))
            parts.append(f"<h2>{html.escape(run.__doc__)}</h2>\n{said}{table(mine)}\n" + "\n".join(re.sub(r"^.*?(?=<svg)", "", p.read_text(encoding="utf-8"), flags=re.S) for p in plots))
    return ("<!DOCTYPE html><meta charset=utf-8><title>Blue Gene/L torus: experiments</title><style>body{font-family:sans-serif;max-width:60em;margin:2em auto}"
            "table{border-collapse:collapse}td,th{padding:.2em .6em;border-bottom:1px solid #ccc;text-align:left}.missed td{color:#b00}</style>"
            "<h1>Blue Gene/L torus: the published experiments</h1><p>Figures published for the machine beside those of bglsim; what is missed is red. "
            "Percent of peak: the least time of the pattern by its fullest links over the time to the last delivery.</p>" + "\n".join(parts))


def main():
    """Command line."""
    parser = argparse.ArgumentParser(prog="experiments.py")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("number", nargs="?", default="")
    args = parser.parse_args()
    if args.number and (not args.number.isdigit() or int(args.number) not in ALL):
        print(f"bgl-experiments: {args.number}: an experiment from 1 to {len(ALL)}", file=sys.stderr)
        return 1
    numbers = [int(args.number)] if args.number else list(ALL)
    REPORTS.mkdir(parents=True, exist_ok=True)
    path = REPORTS / "bgl-experiments.json"
    missed = 0
    try:
        for number in numbers:
            print(f"experiment {ALL[number].__doc__}", flush=True)
            runner = Runner(args.jobs, args.seed, bool(args.number))
            found = ALL[number](runner)
            print(f"experiment {number}: {runner.processor:.0f} s of one processor", flush=True)
            for row in found.rows:
                missed += not row["met"]
                print(f"{'' if row['met'] else 'MISSED '}{row['experiment']}, {row['torus']}: {row['measured']} (published {row['seed_figure']}, wanted {row['wanted']})", flush=True)
            with open(OUT / "lock", "w", encoding="utf-8") as lock:  # another experiment may end at the same time
                fcntl.flock(lock, fcntl.LOCK_EX)
                rows = sorted(kept(path, number) + found.rows, key=number_of)
                whole(path, json.dumps(rows, indent=1) + "\n")
                whole(REPORTS / "bgl-experiments.html", page(rows))
    except Failed as failed:
        print(f"bgl-experiments: {failed}", file=sys.stderr)
        return 1
    print(f"{path}\n{REPORTS / 'bgl-experiments.html'}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
