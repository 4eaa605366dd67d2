#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# bgl-speed.sh [SHARE] - how fast bglsim is: all-to-all of one of SHARE (4) pairs on 8x8x8, and a 16,384th of all pairs on 64x32x32, by one thread; a 64th of
# all pairs on 16x16x16 by one thread, by two, and by two runs side by side, which share caches and memory as threads do; the memory of 64K nodes. And how
# fast the hardware's own C is: 64 native nodes under traffic.
#
# Writes build/reports/bgl-speed.json: node_clocks_per_second (one thread, 8x8x8, of processor time), node_clocks_per_second_64k, megabytes_64k,
# two_threads_over_one, two_threads_over_two_runs (elapsed time), native_node_clocks_per_second (of processor time).
# A minute; threads want two cores for themselves.
set -euo pipefail

share=${1:-4}
. scripts/given.sh
numbers "$share"
out=build/bench/bgl-speed
mkdir -p "$out" build/reports

# run NAME ARGUMENT...: what bglsim prints goes to $out/NAME.txt, its elapsed seconds and kilobytes to $out/NAME.time
run() {
    /usr/bin/env python3 - "$out/$1" "${@:2}" <<'END'
import resource
import subprocess
import sys
import time

begin = time.monotonic()
with open(sys.argv[1] + ".txt", "w", encoding="utf-8") as text:
    subprocess.run(["build/bin/bglsim", "--json", sys.argv[1] + ".json", *sys.argv[2:]], stdout=text, stderr=subprocess.DEVNULL, check=True)
with open(sys.argv[1] + ".time", "w", encoding="utf-8") as text:
    print(time.monotonic() - begin, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=text)
END
}

# rate NAME: node-clocks per second of processor time
rate() {
    awk '/node-clocks/ { printf "%.0f", $1 }' "$out/$1.txt"
}

build/tb/test_bgl_torus-bgl --clocks 20000 >"$out/native.txt"
native=$(awk '/node-clocks/ { print $2 }' "$out/native.txt")
run midplane --share "$share" 8x8x8
run large --share 16384 64x32x32
run one --share 64 16x16x16
run two --share 64 --threads 2 16x16x16
run a --share 64 16x16x16 &
run b --share 64 16x16x16
wait
# seconds NAME
seconds() {
    cut -d ' ' -f 1 "$out/$1.time"
}
over=$(awk -v one="$(seconds one)" -v two="$(seconds two)" 'BEGIN { printf "%.3f", one / two }')
beside=$(awk -v a="$(seconds a)" -v b="$(seconds b)" -v two="$(seconds two)" 'BEGIN { printf "%.3f", (a > b ? a : b) / 2 / two }')
megabytes=$(awk '{ printf "%.0f", $2 / 1024 }' "$out/large.time")
printf '{"node_clocks_per_second": %s, "node_clocks_per_second_64k": %s, "megabytes_64k": %s, "two_threads_over_one": %s, "two_threads_over_two_runs": %s, "native_node_clocks_per_second": %s}\n' \
    "$(rate midplane)" "$(rate large)" "$megabytes" "$over" "$beside" "$native" >build/reports/bgl-speed.json.part
mv build/reports/bgl-speed.json.part build/reports/bgl-speed.json
cat build/reports/bgl-speed.json
