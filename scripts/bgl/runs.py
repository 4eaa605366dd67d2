# SPDX-License-Identifier: Apache-2.0
"""Runs of bglsim for the experiments: several at once, each report read once it is there; what an experiment finds, and its plots."""
import concurrent.futures
import json
import os
import pathlib
import shlex
import subprocess
import sys
import time

OUT = pathlib.Path("build/experiments/bgl")


class Failed(Exception):
    """A run has ended with an error; its line."""


class Runner:
    """bglsim with one seed, so many at once; tori as large as the published ones, or those that a whole series has time for."""

    def __init__(self, jobs, seed, large):
        self.jobs, self.seed, self.large = jobs, seed, large
        self.done = 0
        self.processor = 0  # seconds
        OUT.mkdir(parents=True, exist_ok=True)

    def one(self, name, arguments, count):
        """The report of a run, one of so many."""
        begin = time.monotonic()
        path = OUT / f"{name}.json"
        words = ["build/bin/bglsim", "--seed", str(self.seed), "--json", str(path), *shlex.split(arguments)]
        with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as run:
            said = run.stderr.read()
            _, status, usage = os.wait4(run.pid, 0)
            run.returncode = os.waitstatus_to_exitcode(status)
        if run.returncode != 0:
            raise Failed(f"{' '.join(words)}: {said.strip().splitlines()[-1:] or run.returncode}")
        report = json.loads(path.read_text(encoding="utf-8"))
        self.done += 1
        self.processor += usage.ru_utime + usage.ru_stime
        print(f"  {self.done} of {count}: {arguments}: {report['clocks']} clocks, {time.monotonic() - begin:.0f} s, {usage.ru_utime:.1f} s of a processor", file=sys.stderr, flush=True)
        return report

    def all(self, number, runs):
        """Reports of {key: arguments}, by key."""
        self.done = 0
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            begun = {key: pool.submit(self.one, f"{number}-{i}", arguments, len(runs)) for i, (key, arguments) in enumerate(runs.items())}
            return {key: future.result() for key, future in begun.items()}


class Found:
    """Rows and plots of an experiment."""

    def __init__(self, number, title):
        self.number, self.title = number, title
        self.rows, self.plots = [], []

    def row(self, what, torus, seed_figure, measured, wanted, clocks, digits=3):
        """A figure; wanted is (least, most), None for no bound, or a text where `measured` is whether it holds."""
        if isinstance(wanted, str):
            met, text, shown = bool(measured), wanted, "yes" if measured else "no"
        else:
            least, most = wanted
            met = (least is None or measured >= least) and (most is None or measured <= most)
            text = f"{least} to {most}" if None not in wanted else f"at least {least}" if most is None else f"at most {most}"
            text = "-" if wanted == (None, None) else text
            shown = round(measured, digits)
        self.rows.append({"experiment": f"{self.number}: {what}", "torus": torus, "seed_figure": seed_figure, "measured": shown,
                          "wanted": text, "met": met, "clocks": clocks})

    def plot(self, title, x_title, y_title, series, more=""):
        """A plot of {name: [(x, y)]}, by gnuplot."""
        path = OUT / f"{self.number}-plot{len(self.plots)}.svg"
        blocks = "\n\n\n".join("\n".join(f"{x} {y}" for x, y in points) for points in series.values())
        lines = ", ".join(f'"{path.with_suffix(".dat")}" index {i} using 1:2 with linespoints pointsize 0.4 title "{name}"' for i, name in enumerate(series))
        path.with_suffix(".dat").write_text(blocks + "\n", encoding="utf-8")
        script = (f'set terminal svg size 760,420 font "sans,12" background "white" noenhanced\nset title "{title}"\nset xlabel "{x_title}"\n'
                  f'set ylabel "{y_title}"\nset grid\nset key below\n{more}\nplot {lines}\n')
        path.write_bytes(subprocess.run(["gnuplot"], input=script.encode(), capture_output=True, check=True).stdout)
        self.plots.append(path)


def named(names):
    """Marks of an axis for points 1, 2, ..."""
    marks = ", ".join(f'"{name}" {i + 1}' for i, name in enumerate(names))
    return f"set xtics ({marks})\nset xrange [0.5:{len(names)}.5]"


def escape(report):
    """Share of hops on the escape."""
    return report["escape"] / report["hops"]


def rates(report, value=lambda point: point["delivered"], drop=1):
    """[(clock, a value of it for a node and 1,000 clocks)] of the series; the last point is not whole."""
    points = report["series"]
    step = points[1]["clock"] - points[0]["clock"]
    return [(p["clock"], value(p) / report["nodes"] / step * 1000) for p in points[:len(points) - drop]]
