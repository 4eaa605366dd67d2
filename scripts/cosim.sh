#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# cosim.sh SET/MODULE CLOCKS SEED [RECORDER...] - lockstep of one module, C against Verilator: random inputs, and from half
# of the clocks on variations of what the recorders (record.h: build/cosim/SET/record-MODULE and the like) write down.
# Reads build/cosim/SET/MODULE; writes build/reports/cosim-SET-MODULE.json and, at a difference, a waveform. Prints TAP.
set -euo pipefail

[[ $# -ge 3 ]] || { echo "usage: cosim.sh SET/MODULE CLOCKS SEED [RECORDER...]" >&2 && exit 1; }
cd "$(dirname "$0")/.."
. scripts/given.sh
paths_of_names "$1"
numbers "$2" "$3"
name=$1
clocks=$2
seed=$3
shift 3
set=${name%%/*}
record=build/cosim/$name.inputs
options=()

# RECORDER...: all they write down, in one file
for recorder in "$@"; do
    "$recorder" FILE="$record.part" SEED="$seed" >"$record.log" 2>&1 ||
        { echo "cosim.sh: $recorder fails, see $record.log" >&2 && exit 1; }
    [[ ${#options[@]} -gt 0 ]] || : >"$record"
    cat "$record.part" >>"$record"
    rm "$record.part"
    options=(--half "$record")
done

mkdir -p build/reports
exec "build/cosim/$name" --info "build/rtl/$name.json" --machine "$set" --cycles "$clocks" --seed "$seed" "${options[@]}" \
    --fst "build/cosim/$name.fst" --json "build/reports/cosim-$set-${name##*/}.json"
