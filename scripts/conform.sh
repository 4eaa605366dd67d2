#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# conform.sh BLOCK [FILE.v...] - golden models against somebody's Verilog behind the ports of BLOCK (lcb, router);
# tb/conform/README.md. Without files it prints the ports. Needs build/conform/MACHINE/BLOCK.a, cxx. Writes
# build/reports/conform.json and, if something does not hold, build/reports/conform-TOP.fst.
# Environment: TOP (BLOCK), MACHINE, SEED, EXACT=yes, and for tests REPORT (conform), PATIENCE (seconds that a hang may
# take), OBJECTS (linked, too: models of our own blocks inside the design, whose assertions then end nothing).
set -euo pipefail

cd "$(dirname "$0")/.."
. scripts/given.sh
block=${1:-}
machine=${MACHINE:-aries}
top=${TOP:-$block}
report=${REPORT:-conform}
names "${block:-none}" "$machine" "${top:-none}" "${EXACT:-no}"
numbers "${SEED:-1}" "${PATIENCE:-60}"
plain_paths "$report"
shift
json=build/rtl/$machine/$block.json
work=build/conform/$machine/work/$report-$top

stop() { echo "conform: $1" >&2 && exit 1; }

[[ $block == lcb || $block == router ]] || stop "BLOCK=$block: lcb and router can be checked"
[[ -e $json ]] || stop "machine $machine has no $block"
if [[ $# -eq 0 ]]; then
    tb/conform/ports.py list "$json"
    exit 0
fi
# foreign Verilog is one model: with 48 or 64 tiles nobody has waited for Verilator and g++
[[ $block != router || ! $machine =~ ^(aries|gemini|yarc)$ ]] ||
    stop "MACHINE=$machine: its router has too many tiles for one model; check the router as MACHINE=proto, 2 x 2"
plain_paths "$@"
options=()
for file in "$@"; do
    [[ -f $file && -r $file ]] || stop "$file: there is no such file"
    options+=("-I$(dirname "$file")")
done

# The first complaint of a tool, else all of its last line.
first_error() { grep -m 1 '^%Error' "$1" || tail -n 1 "$1"; }

# warnings are for make lint; constant bit-op trees: Verilator 5.006 computes some of them wrong
verilated() {
    verilator "$@" --no-timing -Wno-lint -Wno-style -Wno-fatal -fno-const-bit-op-tree --timescale 1ns/1ps \
        --Mdir "$work" "${options[@]}" >"$work/log" 2>&1
}

rm -rf "$work" "build/reports/$report.json" "build/reports/$report-$top.fst"
mkdir -p "$work" build/reports
verilated --xml-only --xml-output "$work/top.xml" --top-module "$top" "$@" || stop "$(first_error "$work/log")"
tb/conform/ports.py check "$json" "$top" "$work/top.xml"
tb/conform/ports.py wrap "$json" "$top" >"$work/conform_dut.v"
verilated --cc --trace-fst --prefix Vconform_dut --top-module conform_dut "$work/conform_dut.v" "$@" ||
    stop "$(first_error "$work/log")"
{
    echo "#include \"$PWD/tb/conform/foreign.cpp\""
    for file in "$work"/Vconform_dut*.cpp; do
        echo "#include \"${file##*/}\""
    done
} >"$work/all.cpp"
read -r -a cxx <build/conform/cxx
read -r -a objects <<<"${OBJECTS:-}"
"${cxx[@]}" -O1 -I. -I"$work" -c "$work/all.cpp" -o "$work/model.o" 2>"$work/log" || stop "$(first_error "$work/log")"
g++ "$work/model.o" "${objects[@]}" "build/conform/$machine/$block.a" build/verilated/libverilated.a \
    -lcjson -lm -lz -lpthread -o "$work/conform"

status=0
"$work/conform" TOP="$top" SEED="${SEED:-1}" EXACT="${EXACT:-no}" PATIENCE="${PATIENCE:-60}" \
    FINISH="${OBJECTS:+ignored}" JSON="build/reports/$report.json" FST="build/reports/$report-$top.fst" || status=$?
[[ $status -lt 128 ]] || stop "the simulation of $top broke off (signal $((status - 128)))"
exit "$status"
