#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# conform.sh [--known] BLOCK [FILE.v...] - golden models against somebody's Verilog behind the ports of BLOCK (lcb, nic, router);
# tb/conform/README.md. Without files it prints the ports. --known: only whether there are such a block, machine and files,
# which make asks before it spends minutes. Needs build/conform/MACHINE/BLOCK.a, build/verilated/cxx-waves. Writes
# build/reports/conform.json and, if something does not hold, build/reports/conform-TOP.fst.
# Environment: TOP (BLOCK), MACHINE, SEED, EXACT=yes, CONFORM_ON (what there is a bench of: "aries/lcb ..."), and for tests
# REPORT (conform), PATIENCE (seconds that a hang may take), OBJECTS (linked, too: models of our own blocks inside the
# design, whose assertions then end nothing).
set -euo pipefail

cd "$(dirname "$0")/.."
. scripts/given.sh
known=no
[[ ${1:-} != --known ]] || { known=yes && shift; }
block=${1:-}
machine=${MACHINE:-aries}
top=${TOP:-$block}
report=${REPORT:-conform}
names "${block:-none}" "$machine" "${top:-none}" "${EXACT:-no}"
numbers "${SEED:-1}" "${PATIENCE:-60}"
plain_paths "$report"
shift || true
ports=$block
[[ $block != nic ]] || ports=endpoint
json=build/rtl/$machine/$ports.json
work=build/conform/$machine/work/$report-$top

stop() { echo "conform: $1" >&2 && exit 1; }

# machines that there is a bench of this block of
on() { tr ' ' '\n' <<<"$CONFORM_ON" | sed -n "s,/$block\$,,p" | paste -sd ' '; }

[[ $block == lcb || $block == nic || $block == router ]] || stop "BLOCK=$block: lcb, nic and router can be checked"
[[ ${EXACT:-no} == yes || ${EXACT:-no} == no ]] || stop "EXACT=$EXACT: it is yes or no"
[[ -z ${CONFORM_ON:-} || " $CONFORM_ON " == *" $machine/$block "* ]] ||
    stop "MACHINE=$machine: $block can be checked as one of $(on)"
plain_paths "$@"
options=()
for file in "$@"; do
    [[ -f $file && -r $file ]] || stop "$file: there is no such file"
    options+=("-I$(dirname "$file")")
done
[[ $known == no ]] || exit 0
[[ -e $json ]] || stop "machine $machine has no $block"
if [[ $# -eq 0 ]]; then
    tb/conform/ports.py list "$json"
    exit 0
fi

# The first complaint of a tool, else all of its last line.
first_error() { grep -m 1 -e '^%Error' -e ' error: ' "$1" || tail -n 1 "$1"; }

# warnings are for make lint; constant bit-op trees: Verilator 5.006 computes some of them wrong
verilated() {
    verilator "$@" --no-timing -Wno-lint -Wno-style -Wno-fatal -fno-const-bit-op-tree --timescale 1ns/1ps \
        --Mdir "$work" "${options[@]}" >"$work/log" 2>&1
}

# compiled FOLDER SOURCE...: FOLDER/model.o of all C++ that Verilator has left there, and SOURCE
compiled() {
    local folder=$1 file
    {
        for file in "${@:2}"; do echo "#include \"$(realpath "$file")\""; done
        scripts/unity.sh "$folder"
    } >"$folder/all.inc"
    "${cxx[@]}" -O1 -I. -I"$folder" -x c++ -c "$folder/all.inc" -o "$folder/model.o" 2>"$work/log" || stop "$(first_error "$work/log")"
}

rm -rf "$work" "build/reports/$report.json" "build/reports/$report-$top.fst"
mkdir -p "$work" build/reports
verilated --xml-only --xml-output "$work/top.xml" --top-module "$top" "$@" || stop "$(first_error "$work/log")"
tb/conform/ports.py check "$json" "$top" "$work/top.xml"
tb/conform/ports.py wrap "$json" "$top" >"$work/conform_dut.v"
read -r -a cxx <build/verilated/cxx-waves
read -r -a objects <<<"${OBJECTS:-}"

# A design of many tiles is a model of one tile and one of what joins them.
once=()
part=$(tb/conform/ports.py repeated "$work/top.xml")
if [[ -n $part ]]; then
    # shellcheck disable=SC2016 # Verilog's backtick
    printf '`verilator_config\nhier_block -module "%s"\n' "$part" >"$work/part.vlt"
    once=(--hierarchical "$work/part.vlt")
    echo "conform: $top is large; $part is compiled once, and is not in the waveform"
fi
verilated --cc --trace-fst "${once[@]}" --prefix Vconform_dut --top-module conform_dut "$work/conform_dut.v" "$@" ||
    stop "$(first_error "$work/log")"
for wrapper in "$work"/V*/*.sv; do
    [[ -e $wrapper ]] || continue
    compiled "${wrapper%/*}"
    objects+=("${wrapper%/*}/model.o")
done
compiled "$work" tb/conform/foreign.cpp
g++ "$work/model.o" "${objects[@]}" "build/conform/$machine/$block.a" build/verilated/libverilated.a \
    -lcjson -lm -lz -lpthread -o "$work/conform"

status=0
options=(--top "$top" --seed "${SEED:-1}" --patience "${PATIENCE:-60}" --json "build/reports/$report.json" --fst "build/reports/$report-$top.fst")
[[ ${EXACT:-no} == no ]] || options+=(--exact)
[[ -z ${OBJECTS:-} ]] || options+=(--ignore-finish)
"$work/conform" "${options[@]}" || status=$?
[[ $status -lt 128 ]] || stop "the simulation of $top broke off (signal $((status - 128)))"
exit "$status"
