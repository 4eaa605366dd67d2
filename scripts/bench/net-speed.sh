#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# net-speed.sh [SECONDS] - how fast a network of 264 routers and 1,056 nodes is simulated, half loaded: by one thread, by two ranks,
# and by two runs side by side, which share caches and memory as ranks do; each measured for SECONDS (10).
#
# Writes build/reports/net-speed.json: what netspeed reports of one thread, and two_ranks_over_one, two_ranks_over_two_runs (elapsed
# time; null without MPI), messages.
set -euo pipefail

seconds=${1:-10}
. scripts/given.sh
numbers "$seconds"
out=build/bench/net-speed
mkdir -p "$out" build/reports

# speed NAME OPTION...: one run, its report $out/NAME.json
speed() {
    build/bin/netspeed --load 0.5 --seconds "$seconds" --json "$out/$1.json" "${@:2}" dragonfly16:33x1x8x4
}

# rate NAME: router-cycles per second of elapsed time
rate() {
    sed -n 's/.*"router_cycles_per_second_elapsed": \([0-9]*\).*/\1/p' "$out/$1.json"
}

over() {
    awk -v a="$1" -v b="$2" 'BEGIN { printf "%.3f", a / b }'
}

speed one
ratio=null beside=null
if [ -x build/bin/netspeed-mpi ]; then
    speed a >/dev/null &
    speed b >/dev/null
    wait
    speed two --ranks 2
    two=$(rate two)
    ratio=$(over "$two" "$(rate one)")
    beside=$(over "$two" "$(($(rate a) + $(rate b)))")
    printf '%12s two ranks over one, elapsed time\n%12s two ranks over two runs side by side\n' "$ratio" "$beside"
fi
sed "\$s/}\$/, \"two_ranks_over_one\": $ratio, \"two_ranks_over_two_runs\": $beside}/" "$out/one.json" >build/reports/net-speed.json.part
mv build/reports/net-speed.json.part build/reports/net-speed.json
echo build/reports/net-speed.json
