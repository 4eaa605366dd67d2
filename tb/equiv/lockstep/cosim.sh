#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# cosim.sh [sv/]SET/MODULE CLOCKS SEED [RECORDER...] - lockstep of one module, C against Verilator: random inputs, and from half
# of the clocks on variations of what the recorders (record.h: build/cosim/SET/record-MODULE and the like) write down.
# With sv/ against its SystemVerilog.
# Reads build/cosim/SET/MODULE; writes build/reports/cosim-SET-MODULE.json and, at a difference, a waveform. Prints TAP.
set -euo pipefail

[[ $# -ge 3 ]] || { echo "usage: cosim.sh SET/MODULE CLOCKS SEED [RECORDER...]" >&2 && exit 1; }
cd "$(dirname "$0")/../../.."
. scripts/given.sh
paths_of_names "$1"
numbers "$2" "$3"
name=$1
clocks=$2
seed=$3
shift 3
language=
[[ $name != sv/* ]] || language=sv-
set=${name#sv/}
set=${set%%/*}
record=build/cosim/$name.inputs
options=()

# RECORDER...: all they write down, in one file
for recorder in "$@"; do
    "$recorder" --record "$record.part" --seed "$seed" >"$record.log" 2>&1 ||
        { echo "cosim.sh: $recorder fails, see $record.log" >&2 && exit 1; }
    [[ ${#options[@]} -gt 0 ]] || : >"$record"
    cat "$record.part" >>"$record"
    rm "$record.part"
    options=(--half "$record")
done

mkdir -p build/reports
same=(--info "build/rtl/$name.json" --machine "$set" --cycles "$clocks" --seed "$seed" "${options[@]}")
status=0
"build/cosim/$name" "${same[@]}" --json "build/reports/cosim-$language$set-${name##*/}.json" || status=$?
[[ $status -eq 1 ]] || exit $status

# C and RTL differ. Models for tests have no code for waveforms: the run again, with one that has.
echo "# makes a model that writes waveforms ..."
env -u MAKEFLAGS make SETUP=no "build/cosim/$name-waves" >"$record.log" 2>&1 ||
    { echo "cosim.sh: no waveform: build/cosim/$name-waves cannot be made, see $record.log" >&2 && exit $status; }
"build/cosim/$name-waves" "${same[@]}" --fst "build/cosim/$name.fst" | grep '^# waveform' || true
exit $status
