#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: Apache-2.0
"""report.py - one HTML page of all that is measured.

usage: report.py [--reports DIR] [--tests DIR] [--figures FILE] [--out FILE]

Reads the JSON reports of DIR (build/reports) and the output of the last make test (build/test), and what figures.json
says of them: figures with what is wanted, plots, and which command makes a report that is missing. Writes
build/reports/index.html, which needs no other file. Exit status 1 if a report is no JSON or has no longer the key that
a figure names; a figure that is not met is shown, and is no error.

Python, as yosys and verilator bring it along, and its standard library has JSON and HTML; plots by gnuplot, as everywhere here.
"""
import argparse
import base64
import datetime
import html
import pathlib
import subprocess
import sys

import clock
import figures as fig
import mutants

HERE = pathlib.Path(__file__).parent
STYLE = """
body { font: 15px/1.45 sans-serif; max-width: 72em; margin: 2em auto; padding: 0 1em; color: #222 }
table { border-collapse: collapse; margin: 0.5em 0 1.5em } th, td { text-align: left; padding: 0.2em 0.8em; border-bottom: 1px solid #ddd }
td.s { white-space: nowrap } td.n { text-align: right; font-variant-numeric: tabular-nums } th { background: #f2f4f7 }
.yes { color: #1a7f37 } .missed { color: #b42318; font-weight: bold } .none { color: #777 }
summary { cursor: pointer } h2 { margin-top: 2em } code { background: #f2f4f7; padding: 0 0.2em } img { display: block; margin: 1em 0 }
"""
TOOLS = (
    ("clang-19", "--version"),
    ("gcc", "--version"),
    ("verilator", "--version"),
    ("yosys", "-V"),
    ("iverilog", "-V"),
    ("z3", "--version"),
    ("nextpnr-ice40", "--version"),
    ("gnuplot", "--version"),
    ("git", "describe", "--always", "--dirty"),
)


def text_of(value):
    """A number or text as it stands in a table."""
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and not value.is_integer():
        return f"{value:.4g}"
    if isinstance(value, (int, float)):
        return f"{int(value):,}" if abs(value) < 1e15 else f"{value:.3g}"
    return str(value)


def cell(value):
    """A cell of a table; lists and objects inside in their own words."""
    if isinstance(value, (list, dict)):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        inner = "<br>".join(html.escape(text_of(v) if isinstance(value, list) else f"{k}: {text_of(v)}") for k, v in items)
        return f"<td>{inner}</td>"
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return f'<td{" class=n" if number else ""}>{html.escape(text_of(value))}</td>'.replace("class=n", 'class="n"')


def table(head, rows):
    """Rows are lists of finished cells."""
    cells = "".join(f"<th>{html.escape(h)}</th>" for h in head)
    body = "\n".join(f"<tr>{''.join(row)}</tr>" for row in rows)
    return f"<table>\n<tr>{cells}</tr>\n{body}\n</table>\n"


def data_table(data):
    """Any report: a list of objects row by row, an object field by field, lists of objects in it as tables of their own."""
    if isinstance(data, list):
        columns = list(dict.fromkeys(k for row in data for k in row))
        return table(columns, [[cell(row[c]) if c in row else "<td></td>" for c in columns] for row in data])
    inner = {k: v for k, v in data.items() if isinstance(v, list) and v and isinstance(v[0], dict)}
    plain = [[cell(k), cell(v)] for k, v in data.items() if k not in inner]
    return table(["", ""], plain) + "".join(f"<p>{html.escape(k)}</p>\n{data_table(v)}" for k, v in inner.items())


class Reports:
    """The reports of a folder, read once each; files that a pattern stands for are one list, each with its name."""

    def __init__(self, folder, tests):
        self.folder, self.tests, self.known = folder, tests, {}

    def paths(self, pattern):
        """The files that are there."""
        return sorted(self.folder.glob(pattern))

    def get(self, pattern):
        """The data, None if there is none."""
        if pattern not in self.known:
            found = self.paths(pattern)
            if "*" in pattern:
                data = [{"report": p.stem, **fig.read_json(p)} for p in found]
            else:
                data = fig.read_json(found[0]) if found else None
            self.known[pattern] = data or None
        return self.known[pattern]

    def output(self, test):
        """What a test has printed, None if it did not run."""
        path = self.tests / f"{test}.tap"
        return path.read_text(errors="replace") if path.exists() else None


def measure(figure, reports):
    """The figure's value; None if its report, or its test's output, is not there."""
    try:
        if "test" in figure:
            output = reports.output(figure["test"])
            return None if output is None else fig.matched(figure, output)
        data = reports.get(figure["report"])
        return None if data is None else fig.measured(figure, data)
    except fig.Broken as why:
        where = figure.get("test") or figure.get("report")
        raise fig.Broken(f'"{figure["figure"]}": {where}: {why}') from why


def command_of(figure, config):
    """What prints the figure."""
    if "command" in figure:
        return figure["command"]
    if "test" in figure:
        return "make test"
    made = [r["command"] for r in config["reports"] if pathlib.PurePath(figure["report"]).match(r["file"])]
    if not made:
        raise fig.Broken(f'"{figure["figure"]}": no report {figure["report"]} in the list')
    return made[0]


def figure_rows(config, reports):
    """What was measured, a table for each group; what was not, folded, by the command that measures it; how many are met, missed and not measured."""
    groups, absent, count = {}, {}, {"met": 0, "missed": 0, "not measured": 0, "stated": 0}
    for figure in config["figures"]:
        value, command = measure(figure, reports), command_of(figure, config)
        verdict = fig.met(figure, value)
        word = "not measured" if value is None else "stated" if verdict is None else "met" if verdict else "missed"
        count[word] += 1
        wanted = f"<td class='s'>{html.escape(figure.get('wanted', ''))}</td>"
        if value is None:
            absent.setdefault(command, []).append([cell(figure["figure"]), wanted])
            continue
        style = {"met": "yes", "missed": "missed"}.get(word, "none")
        groups.setdefault(figure["group"], []).append(
            [cell(figure["figure"]), wanted, cell(value), f"<td class='s {style}'>{word}</td>", f"<td class='s'><code>{html.escape(command)}</code></td>"])
    shown = "" if groups else "<p>Nothing was measured here yet; <code>make test</code> measures about half of all figures in a few minutes.</p>\n"
    shown += "".join(f"<h3>{html.escape(g)}</h3>\n{table(['figure', 'wanted', 'measured', '', 'command'], rows)}" for g, rows in groups.items())
    folded = "".join(f"<h3><code>{html.escape(c)}</code></h3>\n{table(['figure', 'wanted'], rows)}" for c, rows in absent.items())
    if folded:
        shown += (f"<details><summary>{count['not measured']} figures that were not measured here yet, by the command that measures them</summary>\n"
                  f"{folded}</details>\n")
    return shown, count


def image(svg):
    """An SVG inside the page; as an image, since the names in two of gnuplot's SVGs are the same."""
    return f'<img alt="plot" src="data:image/svg+xml;base64,{base64.b64encode(svg).decode()}">\n'


def bars(plot, data):
    """A plot of bars by gnuplot."""
    rows = fig.values(data, plot["rows"])
    value = [r[plot["value"]] / r[plot["over"]] if "over" in plot else r[plot["value"]] for r in rows]
    lines = [f'"{str(r[plot["label"]]).replace(chr(34), "")}" {v}' for r, v in zip(rows, value) if v is not None]
    script = f"""set offsets 0, 0, graph 0.15, 0
set terminal svg size {max(640, 60 + 34 * len(lines))},360 font "sans,11" background "white" noenhanced
set title "{plot["title"]}"
set style fill solid 0.8
set boxwidth 0.6
set yrange [{plot.get("from", 0)}:*]
set grid y
set xtics rotate by -35
unset key
$data << END
{chr(10).join(lines)}
END
plot $data using 0:2:xtic(1) with boxes lc rgb "#336699", "" using 0:2:(sprintf("%.3g", $2)) with labels rotate by 90 left offset 0,0.4
"""
    done = subprocess.run(["gnuplot"], input=script.encode(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if done.returncode != 0:
        raise fig.Broken(f'plot "{plot["title"]}": gnuplot: {done.stderr.decode().strip()}')
    return image(done.stdout)


def plots(config, reports):
    """Those of figures.json whose report is there, and those that others left beside the reports."""
    made = []
    for plot in config["plots"]:
        data = reports.get(plot["report"])
        try:
            made += [bars(plot, data)] if data is not None else []
        except KeyError as key:
            raise fig.Broken(f'plot "{plot["title"]}": {plot["report"]} has no {key}') from key
    made += [f"<p>{p.name}</p>\n{image(p.read_bytes())}" for p in reports.paths("*.svg")]
    return f"<h2>Plots</h2>\n{''.join(made)}" if made else ""


def clock_rates(config, reports):
    """Levels, rate and latency of each machine; levels and path of each module that was placed."""
    placed, latencies = reports.get("pnr-*.json") or [], reports.get("router-latency*.json") or []
    machines, modules = clock.machine_rows(placed, latencies), clock.module_rows(config, placed)
    if not modules:
        return ""
    return ("<h2>Clock rate</h2>\n<p>The median over seeds, after place and route. Levels: as rtlgen counts the operations of the C, "
            "and cells on nextpnr's longest path, a carry chain as one for each two bits.</p>\n"
            f"{table(clock.MACHINES, [[cell(v) for v in row] for row in machines])}"
            f"{table(clock.MODULES, [[cell(v) for v in row] for row in modules])}")


def report_tables(config, reports):
    """All reports in full, and a list of those that are missing."""
    tables, missing = [], []
    for entry in config["reports"]:
        data, found = reports.get(entry["file"]), reports.paths(entry["file"])
        if data is None:
            missing.append([cell(entry["file"]), cell(entry["title"]), f'<td><code>{html.escape(entry["command"])}</code></td>'])
            continue
        dates = sorted(datetime.datetime.fromtimestamp(p.stat().st_mtime) for p in found)
        tables.append(f'<details><summary>{html.escape(entry["title"])}: {html.escape(entry["file"])}, {dates[0]:%Y-%m-%d %H:%M}'
                      f'{f" to {dates[-1]:%Y-%m-%d %H:%M}" if len(dates) > 1 else ""}</summary>\n{data_table(data)}</details>\n')
    if missing:
        tables.append(f"<details><summary>{len(missing)} reports that were not made here yet</summary>\n{table(['report', 'of', 'made by'], missing)}</details>\n")
    return f"<h2>Reports</h2>\n{''.join(tables)}"


def scores(reports):
    """What tests catch of the errors put into each module; the least first, so that what is missed is on top."""
    rows = mutants.rows(reports.get("mutation-*.json") or [])
    if not rows:
        return ""
    cells = [[cell(v) for v in values] for values, met in sorted(rows, key=lambda row: row[1])]
    few = sum(not met for _, met in rows)
    said = f"{len(rows)} modules measured so far, {few} of them below {mutants.WANTED}, which come first."
    return f"<h2>Errors put into modules</h2>\n<p>{said}</p>\n{table(mutants.HEAD, cells)}"


def survivors(path):
    """Why errors that no test catches live: the table that people keep."""
    rows = [line.split("\t") for line in path.read_text().splitlines() if line and not line.startswith("#")]
    head = ["module", "in", "error", "why it lives"]
    return ("<h2>Errors that no test catches</h2>\n"
            f"<details><summary>{len(rows)}, and why each lives</summary>\n{table(head, [[cell(c) for c in r] for r in rows])}</details>\n")


def tests(reports):
    """The checks of the last make test, with the figures in their own words."""
    listed = reports.tests / "list"
    names = [line.split("|")[0] for line in listed.read_text().splitlines()] if listed.exists() else []
    parts = []
    for name in names:
        output = reports.output(name)
        if output is None:
            continue
        lines = [x for x in output.splitlines() if x.startswith(("ok ", "not ok ", "# "))]
        failed = sum(x.startswith("not ok") for x in lines)
        passed = sum(x.startswith("ok") for x in lines)
        verdict = f'<span class="missed">{failed} failed</span>' if failed else f"{passed} passed"
        said = html.escape("\n".join(lines))
        parts.append(f"<details><summary>{html.escape(name)}: {verdict}</summary>\n<pre>{said}</pre></details>\n")
    return f"<h2>Tests</h2>\n{''.join(parts)}\n" if parts else ""


def versions():
    """What the tools call themselves."""
    rows = []
    for tool in TOOLS:
        try:
            done = subprocess.run(tool, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
            line = (done.stdout.decode(errors="replace").strip().splitlines() or [""])[0]
        except FileNotFoundError:
            line = "not here"
        rows.append([cell("heddle" if tool[0] == "git" else tool[0]), cell(line)])
    return f"<h2>Tools</h2>\n{table(['', ''], rows)}"


def page(config, reports):
    """The page, and the line that is printed."""
    rows, count = figure_rows(config, reports)
    said = ", ".join(f"{n} {word}" for word, n in count.items())
    now = datetime.datetime.now().astimezone()
    return (f'<!DOCTYPE html>\n<html lang="en">\n<head><meta charset="utf-8"><title>Heddle: figures</title>\n<style>{STYLE}</style></head>\n<body>\n'
            f"<h1>Heddle: figures</h1>\n<p>{now:%Y-%m-%d %H:%M %Z}; {said}. Each report says when it was made.</p>\n"
            f"<h2>Figures</h2>\n{rows}{plots(config, reports)}{clock_rates(config, reports)}{report_tables(config, reports)}"
            f"{scores(reports)}{survivors(HERE / 'survivors.tsv')}{tests(reports)}{versions()}</body>\n</html>\n"), said


def main():
    """Command line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--reports", type=pathlib.Path, default=pathlib.Path("build/reports"))
    parser.add_argument("--tests", type=pathlib.Path, default=pathlib.Path("build/test"))
    parser.add_argument("--figures", type=pathlib.Path, default=HERE / "figures.json")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("build/reports/index.html"))
    given = parser.parse_args()
    try:
        text, said = page(fig.read_json(given.figures), Reports(given.reports, given.tests))
    except fig.Broken as why:
        sys.exit(f"report: {why}")
    given.out.parent.mkdir(parents=True, exist_ok=True)
    part = given.out.with_suffix(".part")
    part.write_text(text)
    part.replace(given.out)
    print(f"report: {said}; {given.out}")


if __name__ == "__main__":
    main()
