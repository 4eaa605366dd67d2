#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# test-report.sh - the page of make report, from small reports made here: values, verdicts, what is missing, what is broken;
# the page is well-formed and needs no other file. Prints TAP.
# Works in build/test/report.
# shellcheck disable=SC2317 # expect calls them
set -euo pipefail

work=build/test/report
. scripts/test/tap.sh

# figures FIGURE...: figures.json with these; report: the page of it
figures() {
    local list
    list=$(IFS=,; echo "$*")
    cat >"$work/figures.json" <<END
{"reports": [{"file": "link.json", "title": "A link", "command": "make demo"}, {"file": "tile-*.json", "title": "Tiles", "command": "make synth"},
             {"file": "gone.json", "title": "What nobody made", "command": "make prove"}],
 "figures": [$list],
 "plots": [{"title": "Rates", "report": "link.json", "rows": "lanes[*]", "label": "name", "value": "rate"}]}
END
    report
}

report() {
    scripts/report/report.py --reports "$work" --tests "$work/tests" --figures "$work/figures.json" --out "$work/page.html"
}

figure() {
    printf '{"group": "G", "figure": "F", %s}' "$1"
}

# row KEY...: what the page says of one figure
row() {
    figures "$(figure "$1")" >/dev/null && sed -n 's/<tr><td>F<.td>//p' "$work/page.html"
}

# absent FIGURE: the part of the page that lists what was not measured, by command
absent() {
    figures "$(figure "$1")" >/dev/null && sed -n '/figures that were not measured/,/<.details>/p' "$work/page.html"
}

# well_formed FILE: every tag that is opened is closed, and nothing is fetched from elsewhere
well_formed() {
    python3 - "$1" <<'END'
import html.parser
import sys

class Check(html.parser.HTMLParser):
    stack, void = [], ("meta", "br", "img")

    def handle_starttag(self, tag, attrs):
        if tag not in self.void:
            self.stack.append(tag)
        for name, value in attrs:
            if name in ("src", "href") and not value.startswith("data:"):
                sys.exit(f"{tag} fetches {value}")

    def handle_endtag(self, tag):
        if not self.stack or self.stack.pop() != tag:
            sys.exit(f"line {self.getpos()[0]}: </{tag}> closes another one")

check = Check()
check.feed(open(sys.argv[1], encoding="utf-8").read())
check.close()
if check.stack:
    sys.exit(f"open: {check.stack}")
END
}

rm -rf "$work"
mkdir -p "$work/tests/tb"
cat >"$work/link.json" <<'END'
{"lost": 0, "twice": 1, "rate": 0.9, "name": "<b>", "none": null, "lanes": [{"name": "one, alone", "rate": 0.3, "most": 0.5},
 {"name": "two", "rate": 0.5, "most": 1.0}], "by": {"1": 2, "2": 3}}
END
echo '{"lut": 7}' >"$work/tile-a.json"
echo '{"lut": 9, "ok": true}' >"$work/tile-b.json"
printf 'ok 1 - one\nok 2 - 12 clocks\nnot ok 3 - 15 clocks\n# a <note>\n1..3\n' >"$work/tests/tb/test_x.tap"
echo 'tb/test_x|build/tb/test_x' >"$work/tests/list"

expect "a field that is as wanted" 0 '>0</td>.*>met<.*make demo' row '"wanted": "== 0", "report": "link.json", "key": "lost"'
expect "one that is not" 0 ">1</td>.*missed'>missed<" row '"wanted": "== 0", "report": "link.json", "key": "lost + twice"'
expect "at least" 0 '>0.9</td>.*>met<' row '"wanted": ">= 0.9", "report": "link.json", "key": "rate"'
expect "at most" 0 '>missed<' row '"wanted": "<= 0.8", "report": "link.json", "key": "rate"'
expect "nothing wanted" 0 '>stated<' row '"report": "link.json", "key": "rate"'
expect "null is not measured" 0 '1 figures that were not measured.*<td>F</td>' absent '"wanted": "== 0", "report": "link.json", "key": "none"'
expect "all fields of an object" 0 '>5</td>' row '"report": "link.json", "key": "by.*"'
expect "an element with a comma in its name" 0 '>0.3</td>' row '"report": "link.json", "key": "lanes[name=one, alone].rate"'
expect "the least ratio, one by one" 0 '>0.5</td>' row '"report": "link.json", "of": "min", "key": "lanes[*].rate", "over": "lanes[*].most"'
expect "a ratio of sums" 0 '>0.5333</td>' row '"report": "link.json", "key": "lanes[*].rate", "over": "lanes[*].most"'
expect "several files" 0 '>9</td>' row '"report": "tile-*.json", "of": "max", "key": "[*].lut"'
expect "those that have a field" 0 '>1</td>' row '"report": "tile-*.json", "of": "count", "key": "[ok=true]"'
expect "a missing report is named with its command" 0 'not measured.*make prove.*<td>F</td>' absent '"wanted": "== 0", "report": "gone.json", "key": "x"'
expect "a figure from a test" 0 '>15</td>.*>missed<.*make test' \
    row '"wanted": "<= 14", "test": "tb/test_x", "of": "max", "match": "- ([0-9]+) clocks"'
expect "a test that did not run" 0 'not measured.*make test.*<td>F</td>' absent '"test": "tb/test_y", "match": "(x)"'

expect "a key that the report has not" 1 '"F": link.json: no "cycles"' row '"report": "link.json", "key": "cycles"'
expect "elements that the report has not" 1 'names nothing' row '"report": "link.json", "key": "lanes[name=six].rate"'
expect "a text is no number" 1 'is no number' row '"report": "link.json", "key": "name"'
expect "words that the test does not say" 1 'is there 0 times' row '"test": "tb/test_x", "match": "([0-9]+) flits"'
expect "words that it says twice" 1 'is there 2 times' row '"test": "tb/test_x", "match": "([0-9]+) clocks"'
expect "a report that nobody lists" 1 'no report other.json in the list' row '"report": "other.json", "key": "x"'
expect "what is wanted makes sense" 1 'wanted "ten"' row '"wanted": "ten", "report": "link.json", "key": "lost"'
echo '{"lut":' >"$work/tile-c.json"
expect "a broken report" 1 'tile-c.json: no JSON' row '"report": "link.json", "key": "lost"'
rm "$work/tile-c.json"

cat >"$work/pnr-proto-tile-ecp5.json" <<'END'
{"set": "proto", "module": "tile", "device": "ecp5", "fmax_mhz": [49.0, 50.0, 80.0], "fmax_median": 50.0, "lut": 5, "ff": 4, "bram": 3, "levels": 11,
 "levels_at": "x.c:1", "path_levels": 12, "path": ["1.00 ns here", "2.50 ns here", "3.00 ns there"]}
END
echo '{"machine": "proto", "head_latency_clocks": 19}' >"$work/router-latency-proto.json"
clock_less() { figures "$(figure '"report": "link.json", "key": "rate"')" && cat "$work/page.html"; }
at_rate='"wanted": ">= 60", "report": "pnr-proto-tile-ecp5.json", "key": "fmax_median", "command": "x"'
clock() { figures "$(figure "$at_rate")" && cat "$work/page.html"; }
# of 19 clocks at 50 MHz
expect "a machine has its rate and latency" 0 '<td>proto</td><td>tile</td><td>ecp5</td><td class="n">11</td><td class="n">50</td><td class="n">19</td><td class="n">380</td>' clock
expect "a module its levels beside the path of place and route" 0 \
    '<td>49.0, 50.0, 80.0</td><td>&gt;= 60</td><td class="n">11</td><td class="n">12</td><td class="n">20</td><td>here &gt; there</td><td>x.c:1</td>' clock
rm "$work/pnr-proto-tile-ecp5.json" "$work/router-latency-proto.json"
clock_less >/dev/null
expect "without place and route nothing is said of it" 1 '' grep 'Clock rate' "$work/page.html"
mutation() { printf '{"module": "%s", "kind": "%s", "mutants": %s, "killed": %s, "survivors": [%s]}' "$@"; }
mutation fifo rtl 40 40 >"$work/mutation-fifo-rtl.json"
mutation fifo c 40 38 '"3 x", "4 y"' >"$work/mutation-fifo-c.json"
mutation gate c 20 18 '"1 x", "2 y"' >"$work/mutation-gate-c.json"
expect "errors put into modules, the ones with too few caught first" 0 \
    '2 modules measured so far, 1 of them below 0.95.*<td>gate</td><td>-</td><td>-</td><td>-</td><td class="n">20</td><td class="n">18</td><td>0.900</td><td class="n">2</td>.*<td>fifo</td><td class="n">40</td><td class="n">40</td><td>1.000</td><td class="n">40</td><td class="n">38</td><td>0.950</td>' clock_less
rm "$work"/mutation-*.json
expect "the line at the end counts" 0 '1 met, 0 missed, 0 not measured' figures "$(figure '"wanted": "== 0", "report": "link.json", "key": "lost"')"
expect "the page is well-formed and whole" 0 '' well_formed "$work/page.html"
expect "reports are there in full, missing ones named" 0 'lut.*gone.json.*make prove.*tb/test_x: .*1 failed' cat "$work/page.html"
expect "plots are inside" 0 'data:image/svg' cat "$work/page.html"
expect "text is escaped" 0 '&lt;b&gt;.*a &lt;note&gt;' cat "$work/page.html"
expect "tools and date" 0 "$(date +%Y-).*clang-19.*clang version" cat "$work/page.html"
# what place and route leaves of a run, and what rtlgen says of three modules, the last of which is instances alone
cat >"$work/run.json" <<'END'
{"fmax": {"clk": {"achieved": 50.0}}, "critical_paths": [{"from": "posedge clk", "to": "posedge clk", "path": [
  {"type": "clk-to-q", "delay": 0.5}, {"type": "routing", "delay": 1.0, "net": "dut.a_q[3]"}, {"type": "logic", "delay": 0.25}, {"type": "setup", "delay": 0.0}]}]}
END
printf '%s\n' '{"modules": {"\\m": {"num_cells_by_type": {"LUT4": 3, "CCU2C": 2, "TRELLIS_FF": 5}}}}' >"$work/stat.json"
printf '%s\n' 'module a' '  longest path 3 levels, from its end backwards' '       3  a.c:7  ADD' 'module b' '  longest path 5 levels, from its end backwards' \
    '       5  b.c:9  EQ AND' '       4  b.c:2  MUX' 'module m' '  longest path 0 levels, from its end backwards' '  from an input to a register 4 levels' >"$work/levels.txt"
placed() {
    scripts/pnr/pnr_report.py --set proto --module m --device ecp5 --seconds 1 --placer heap --tools x --levels "$work/levels.txt" --stat "$work/stat.json" \
        --out "$work/pnr.json" "$work/run.json" && cat "$work/pnr.json"
}
expect "place and route of a module of instances alone" 0 '1.50 ns a m on ecp5: 50.0 MHz.*7 LUT4, 5 flip-flops, 0 block RAMs; 5 levels to b.c:9.*"placer": "heap"' placed
# a netlist of so many flip-flops with one reset, which a LUT takes, too; what drives the reset pins and the LUT afterwards
resets() {
    python3 - "$1" >"$work/netlist.json" <<'END'
import json, sys
cell = lambda kind, **pins: {"type": kind, "port_directions": {p: "input" for p in pins}, "connections": {p: [n] for p, n in pins.items()}}
cells = {f"f{i}": cell("TRELLIS_FF", LSR=2, CLK=3) for i in range(int(sys.argv[1]))} | {"l": cell("LUT4", A=2)}
print(json.dumps({"modules": {"t": {"cells": cells, "netnames": {"rst": {"bits": [2]}, "clk": {"bits": [3]}}}}}))
END
    scripts/pnr/clock_reset.py "$work/netlist.json" t
    python3 - "$work/netlist.json" <<'END'
import json, sys
cells = json.load(open(sys.argv[1]))["modules"]["t"]["cells"].values()
for kind, pin in ("TRELLIS_FF", "LSR"), ("LUT4", "A"), ("DCCA", "CLKI"), ("DCCA", "CLKO"):
    print(pin, *sorted({n for c in cells if c["type"] == kind for n in c["connections"][pin]}), end="; ")
END
}
expect "a large design's reset goes onto a clock network, all but the pin of a LUT" 0 'LSR 4; A 2; CLKI 2; CLKO 4;' resets 5001
expect "a smaller one's stays" 0 'LSR 2; A 2; CLKI; CLKO;' resets 5000
expect "without any report" 0 '0 met, 0 missed' scripts/report/report.py --reports "$work/none" --tests "$work/none" --out "$work/page.html"
expect "and well-formed, too" 0 '' well_formed "$work/page.html"
echo '<p><b>x</p>' >"$work/bad.html"
expect "a tag that is left open would be noticed" 1 'closes another' well_formed "$work/bad.html"
echo '<img src="x.png">' >"$work/bad.html"
expect "so would another file" 1 'fetches x.png' well_formed "$work/bad.html"
echo "1..$number"
exit "$failed"
