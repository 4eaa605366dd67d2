#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: Apache-2.0
"""experiment.py [--check | [--needs] [--seed N] NAME] - repeats an experiment of sim/experiments/: its commands, table and plot go to build/experiments/NAME/.

--check   every experiment has all that sim/experiments/README.md asks for, and its commands are understood: TAP
--needs   the programs of its commands, for make
--seed N  instead of the one that is recorded
--house F look for experiments in this folder
"""
import argparse
import json
import pathlib
import re
import shlex
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
HOUSE = ROOT / "sim" / "experiments"
FIELDS = ("units", "seed", "length", "key", "plot", "recorded")
PROGRAMS = {"netsim": "loads", "deadlock": None, "nethop": None, "netspeed": None}
SECTIONS = ("Commands", "Recorded", "Answer")


class Wrong(Exception):
    """What is wrong with an experiment, in one line."""


def rows_of(text):
    """Rows of the first table of a section, as lists of cells; the line of dashes is left out."""
    lines = [line.strip() for line in text.splitlines() if line.strip().startswith("|")]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return [row for row in rows if not all(re.fullmatch("-+", cell) for cell in row)]


class Experiment:
    """README.md of sim/experiments/<name>/."""

    def __init__(self, house, name):
        self.name = name
        self.path = house / name / "README.md"
        text = self.path.read_text()
        head, *parts = re.split(r"^## ", text, flags=re.M)
        self.section = {part.split("\n", 1)[0].strip(): part.split("\n", 1)[1] for part in parts}
        title = re.match(r"# (\S+): (.+\?)\n", head)
        self.question = title[2] if title and title[1] == name else None
        self.field = dict(re.findall(r"^- (\w+): (.+)$", head, flags=re.M))
        self.rows = [r.strip() for r in self.field.get("rows", "").split(";") if r.strip()]
        self.keys = [k.strip() for k in self.field.get("key", "").split(",")]
        self.commands = [(row[0], row[1].strip("`")) for row in rows_of(self.section.get("Commands", ""))[1:]]
        self.recorded = rows_of(self.section.get("Recorded", ""))

    def faults(self):
        """All that is missing or not understood, a line each."""
        if not self.question:
            yield f'the first line is "# {self.name}: QUESTION?"'
        yield from (f'the field "{f}" is missing' for f in FIELDS if f not in self.field)
        yield from (f'the section "{s}" is missing' for s in SECTIONS if not self.section.get(s, "").strip())
        yield from (f'"{key}" is no field' for key in self.field if key not in FIELDS + ("rows",))
        if not re.fullmatch(r"\d+", self.field.get("seed", "")):
            yield "the seed is a number"
        if self.rows and len(self.keys) != 1:
            yield "an experiment with rows has one key"
        if not self.commands:
            yield "there is no command"
        for run, command in self.commands:
            words = shlex.split(command)
            if not words or words[0] not in PROGRAMS:
                yield f"{run}: the command begins with one of {', '.join(PROGRAMS)}"
            elif self.rows and "ROW" not in command:
                yield f"{run}: ROW does not stand in the command"
            yield from (f"{run}: there is no {path}" for path in re.findall(r"file:(\S+)", command) if not (ROOT / path).is_file())
        yield from self.misrecorded()

    def misrecorded(self):
        """Rows and columns of what is recorded that no command prints, and those that are missing."""
        names = self.rows or [run for run, _ in self.commands]
        columns = [run for run, _ in self.commands] if self.rows else self.keys
        if not self.recorded:
            return
        head, *body = self.recorded
        yield from (f'recorded: no column "{c}"' for c in columns if c not in head)
        yield from (f'recorded: no row "{n}"' for n in names if n not in [row[0] for row in body])
        yield from (f'recorded: row "{row[0]}" is of no command' for row in body if row[0] not in names)
        yield from (f'recorded: row "{row[0]}" has {len(row)} cells, not {len(head)}' for row in body if len(row) != len(head))

    def runs(self, seed, out):
        """(row, column, words) of each command to run."""
        for row in self.rows or [None]:
            for run, command in self.commands:
                words = shlex.split(command.replace("ROW", row or ""))
                report = out / f"{len(list(out.glob('*.json')))}.json"
                more = ["--seed", str(seed)] if words[0] == "netsim" and "--seed" not in words else []
                more += ["--svg", "/dev/null", "--html", "/dev/null"] if words[0] == "netsim" else []
                at = next((i for i, w in enumerate(words) if i and ":" in w and not w.startswith(("-", "file:"))), len(words))
                yield row, run, [str(ROOT / "build" / "bin" / words[0]), *words[1:at], *more, "--json", str(report), *words[at:]], report


def points(program, report):
    """The points that a report holds: a list of objects."""
    value = json.loads(report.read_text())
    if PROGRAMS[program]:
        value = value[PROGRAMS[program]]
    return value if isinstance(value, list) else [value]


def found(point, key):
    """The value of "port.least" or "hops.0.ns" in a point."""
    for part in key.split("."):
        point = point[int(part) if part.isdigit() else part]
    return point


def shown(value):
    """As tables have it."""
    return "-" if value is None else f"{value:.3f}" if isinstance(value, float) else str(value)


def load(house, name):
    """The experiment of that name; ends with one line if there is none."""
    names = sorted(p.parent.name for p in house.glob("*/README.md"))
    if name in names:
        return Experiment(house, name)
    near = subprocess.run([str(ROOT / "scripts" / "nearest.py"), "--as", "NAME", name, *names, "--"], capture_output=True, text=True, check=True)
    raise Wrong((f'there is no experiment "{name}"; ' if name else "which experiment? ") + near.stdout.strip())


def repeat(experiment, seed):
    """Runs all commands, prints progress, writes table and plot."""
    out = ROOT / "build" / "experiments" / experiment.name
    out.mkdir(parents=True, exist_ok=True)
    for old in out.glob("*"):
        old.unlink()
    print(f"{experiment.name}: {experiment.question}\nseed {seed}; {experiment.field['length']}")
    total = len(experiment.commands) * max(1, len(experiment.rows))
    began, cells, data = time.monotonic(), [], []
    for number, (row, run, words, report) in enumerate(experiment.runs(seed, out), 1):
        print(f"[{number} of {total}, {time.monotonic() - began:.0f} s] {' '.join(words[:-1])}".replace(str(ROOT) + "/", ""), file=sys.stderr)
        done = subprocess.run(words, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)
        if done.returncode != 0:
            raise Wrong(f"{experiment.name}: {run}: exit status {done.returncode}")
        got = points(pathlib.Path(words[0]).name, report)
        cells.append((row, run, [", ".join(shown(found(p, key)) for p in got) for key in experiment.keys]))
        data.append((row, run, [found(p, experiment.keys[0]) for p in got], [p.get("offered") for p in got]))
    table = tabulate(experiment, cells)
    (out / "table.md").write_text(f"{experiment.question} Seed {seed}.\n\n{table}")
    print(table, end="")
    plot(experiment, data, out)
    print(f"build/experiments/{experiment.name}/table.md\nbuild/experiments/{experiment.name}/plot.svg")


def tabulate(experiment, cells):
    """The table as it stands under Recorded."""
    if experiment.rows:
        head = ["ROW"] + [run for run, _ in experiment.commands]
        body = [[row] + [c[2][0] for c in cells if c[0] == row] for row in experiment.rows]
    else:
        head, body = ["run"] + experiment.keys, [[run] + values for _, run, values in cells]
    return "".join("| " + " | ".join(row) + " |\n" for row in [head, ["---"] * len(head), *body])


def plot(experiment, data, out):
    """plot.svg by gnuplot: over offered load or over the rows a line for each command; else a bar for each."""
    series = {}
    over_rows = len(experiment.rows) > 1 and all(re.fullmatch(r"\d+", row) for row in experiment.rows)
    over_load = not experiment.rows and all(None not in x for *_, x in data)
    for i, (row, run, values, offered) in enumerate(data):
        name = run if over_rows or not row else f"{row}: {run}"
        xs = [float(row)] if over_rows else offered if over_load else [i]
        series.setdefault(name, []).extend(zip(xs, values[: len(xs)]))
    blocks = "\n\n\n".join("\n".join(f"{x} {'NaN' if y is None else y}" for x, y in s) for s in series.values())
    (out / "plot.dat").write_text(blocks + "\n")
    style = "linespoints" if over_rows or over_load else "boxes fill solid 0.5"
    lines = ", ".join(f'"{out / "plot.dat"}" index {i} using 1:2 with {style} title "{name}"' for i, name in enumerate(series))
    script = f"""set terminal svg size 800,{400 + 12 * len(series)} font "sans,11" background "white" noenhanced
set output "{out / 'plot.svg'}"
set title "{experiment.name}: {experiment.field['plot']}"
set ylabel "{experiment.keys[0]}"
set yrange [0:*]
set boxwidth 0.8
set grid
set key below
plot {lines}
"""
    (out / "plot.gp").write_text(script)
    subprocess.run(["gnuplot", str(out / "plot.gp")], check=True)


def check(house):
    """TAP: every experiment is complete."""
    names = sorted(p.name for p in house.iterdir() if p.is_dir())
    bad = 0
    for number, name in enumerate(names, 1):
        faults = list(Experiment(house, name).faults()) if (house / name / "README.md").is_file() else ["there is no README.md"]
        bad += bool(faults)
        print(f"{'not ' if faults else ''}ok {number} - {name}" + "".join(f"\n# {fault}" for fault in faults))
    print(f"1..{len(names)}")
    return 1 if bad or not names else 0


def main():
    """Command line."""
    parser = argparse.ArgumentParser(prog="experiment.py")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--needs", action="store_true")
    parser.add_argument("--seed", type=int)
    parser.add_argument("--house", type=pathlib.Path, default=HOUSE)
    parser.add_argument("name", nargs="?", default="")
    args = parser.parse_args()
    if args.check:
        return check(args.house)
    try:
        experiment = load(args.house, args.name)
        for fault in experiment.faults():
            raise Wrong(f"{experiment.path}: {fault}")
        if args.needs:
            print(" ".join(sorted({f"build/bin/{shlex.split(command)[0]}" for _, command in experiment.commands})))
        else:
            repeat(experiment, args.seed if args.seed is not None else int(experiment.field["seed"]))
    except Wrong as wrong:
        print(f"experiment: {wrong}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
