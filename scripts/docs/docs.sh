#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# docs.sh [BLOCKS.json [OUT]] - pages of the blocks and of all registers: build/docs/index.html. Records the clocks that
# the timing diagrams show, with the tests of the modules (BLOCKS.json names them: scripts/docs/blocks.json), as far as they are not
# recorded from the same Verilog.
set -euo pipefail

cd "$(dirname "$0")/../.."
. scripts/given.sh
blocks=${1:-scripts/docs/blocks.json}
out=${2:-build/docs}
plain_paths "$blocks" "$out"
scripts/python.sh
python=build/python/bin/python
mkdir -p "$out/record"

# what is to be recorded: SET MODULE TEST CLOCKS
wanted=$($python -c '
import json, sys
for b in json.load(open(sys.argv[1])):
    for t in dict.fromkeys(t["test"] for t in b["timing"]):
        print(b["set"], b["module"], t, b.get("recorded", 6000))' "$blocks")
mapfile -t wanted <<<"$wanted"

targets=()
for line in "${wanted[@]}"; do
    read -r set module test _ <<<"$line"
    targets+=("build/cosim/$set/unit-$module/$test" "build/cosim/$set/$module")
done
"${MAKE:-make}" SETUP=no -j"${J:-2}" build/rtl/aries/done build/rtl/proto/done "${targets[@]}"

for line in "${wanted[@]}"; do
    read -r set module test clocks <<<"$line"
    record=$out/record/$module-$test
    if [[ $record.txt -nt build/cosim/$set/$module && $record.txt -nt build/cosim/$set/unit-$module/$test ]]; then
        continue
    fi
    "build/cosim/$set/unit-$module/$test" --record "$record.inputs" --seed 1 >"$record.log" 2>&1 ||
        { echo "docs.sh: $test fails, see $record.log" >&2 && exit 1; }
    "build/cosim/$set/$module" --info "build/rtl/$set/$module.json" --replay "$record.inputs" --cycles "$clocks" \
        --record "$record.part" >"$record.log" 2>&1 ||
        { echo "docs.sh: $module differs from its Verilog, see $record.log" >&2 && exit 1; }
    rm "$record.inputs"
    mv "$record.part" "$record.txt"
    echo "  record  $record.txt"
done

$python -B scripts/docs/docs.py "$blocks" "$out"
find hls -mindepth 2 -name "*.rdl" | sort | while read -r file; do
    name=$(basename "$file" .rdl)
    $python scripts/rdl.py --html "$out/registers/$name" "$file"
done
echo "docs: $out/index.html"
