#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# test-bgl-experiments.sh - an experiment of the Blue Gene/L torus leaves rows, plots and its part of the page, and those of the others as they were; a
# number of none is one line. Prints TAP.
# shellcheck disable=SC2317 # check calls the functions
set -euo pipefail

. scripts/test/tap.sh

ends_well() {
    scripts/bgl/experiments.py --jobs 1 9 >/dev/null 2>build/test/bgl-experiments.log
}

# rows: each row of experiment 9 has all fields, a measured number and clocks; one of another experiment is kept
rows() {
    python3 - <<'END'
import json
rows = json.load(open("build/reports/bgl-experiments.json", encoding="utf-8"))
mine = [r for r in rows if r["experiment"].startswith("9:")]
fields = {"experiment", "torus", "seed_figure", "measured", "wanted", "met", "clocks"}
assert len(mine) == 4 and all(set(r) == fields and r["measured"] > 0 and r["clocks"] > 0 for r in mine), mine
assert [r for r in rows if r["experiment"] == "12: kept"], rows
one, two, three = (r["measured"] for r in mine[:3])
assert one > 262 and abs(two - one - 20) < 0.1 and abs(three - two - 20) < 0.1, mine
END
}

page() {
    grep -q "<h2>9: latency of a message" build/reports/bgl-experiments.html && grep -q "<svg" build/reports/bgl-experiments.html
}

refused() {
    local out status=0
    out=$(scripts/bgl/experiments.py 13 2>&1 >/dev/null) || status=$?
    [ "$status" -eq 1 ] && [ "$out" = "bgl-experiments: 13: an experiment from 1 to 12" ]
}

mkdir -p build/reports build/test
# whatever was measured before comes back behind the test
for file in bgl-experiments.json bgl-experiments.html; do
    rm -f "build/test/$file"
    [ ! -f "build/reports/$file" ] || mv "build/reports/$file" "build/test/$file"
done
row='{"experiment": "12: kept", "torus": "8x8x8", "seed_figure": "-", "measured": 1, "wanted": "-", "met": true, "clocks": 1}'
echo "[$row]" >build/reports/bgl-experiments.json
check "experiment 9 ends well" ends_well
check "its rows are whole, a hop is 20 clocks, rows of another one are kept" rows
check "its table and plot are on the page" page
check "there is no experiment 13" refused
for file in bgl-experiments.json bgl-experiments.html; do
    rm -f "build/reports/$file"
    [ ! -f "build/test/$file" ] || mv "build/test/$file" "build/reports/$file"
done
echo "1..$number"
exit "$failed"
