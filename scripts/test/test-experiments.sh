#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# test-experiments.sh - each experiment of sim/experiments/ is complete; what is missing in one is told; the two that take seconds
# print what is recorded. Prints TAP.
# shellcheck disable=SC2016,SC2317 # patterns of sed; check calls them
set -euo pipefail

work=build/test/experiments
. scripts/test/tap.sh
rm -rf "$work"
mkdir -p "$work"

# complete: its own TAP becomes comments
complete() {
    scripts/experiment.py --check | sed -n '/^ok\|^1\.\./!s/^#* */# /p'
    return "${PIPESTATUS[0]}"
}
check "each experiment has its fields, commands, recorded rows and answer" complete

# spoilt NAME PATTERN SED: with this edit of port-shares the check says so
spoilt() {
    mkdir -p "$work/port-shares"
    sed -E "$3" sim/experiments/port-shares/README.md >"$work/port-shares/README.md"
    expect "$1" 1 "$2" scripts/experiment.py --check --house "$work"
}
spoilt "a question is missing" 'the first line is' '1s/: .*//'
spoilt "units are missing" 'the field "units" is missing' '/^- units/d'
spoilt "a field that there is not" '"unit" is no field' 's/^- units/- unit/'
spoilt "an answer is missing" 'the section "Answer" is missing' '/^## Answer/,$d'
spoilt "a command of another program" 'the command begins with one of' 's/`netsim/`rm/'
spoilt "a file that is not there" 'there is no nowhere' 's/--pattern anywhere/--pattern file:nowhere/'
spoilt "a run that nobody recorded" 'no row "torus:4x4x2"' '/^\| torus:4x4x2 \| [0-9]/d'
spoilt "a recorded row of no command" 'row "torus:9x9x9" is of no command' 's/^\| torus:4x4x2 (\| [0-9])/| torus:9x9x9 \1/'

# repeated NAME: the table is the recorded one
repeated() {
    scripts/experiment.py "$1" >"$work/$1.log" 2>&1 || return 1
    sed -n '/^## Recorded/,/^## Answer/{/^|/p}' "sim/experiments/$1/README.md" | sed 's/---/-/g; s/ROW/run/' >"$work/$1.recorded"
    sed -n '/^|/{s/---/-/g;s/ROW/run/;p}' "build/experiments/$1/table.md" >"$work/$1.table"
    diff "$work/$1.recorded" "$work/$1.table" | sed 's/^/# /' && cmp -s "$work/$1.recorded" "$work/$1.table"
}
check "hop prints what is recorded" repeated hop
check "full-link prints what is recorded" repeated full-link
check "and makes a plot" grep -q '<svg' build/experiments/full-link/plot.svg
echo "1..$number"
exit "$failed"
