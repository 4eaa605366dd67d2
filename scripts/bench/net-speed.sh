#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# net-speed.sh [SECONDS [NETWORK]] - how fast a network of 264 routers and 1,056 nodes, or another, is simulated, half loaded: by one thread, by two ranks,
# and by two runs side by side, which share caches and memory as ranks do; each measured for SECONDS (10).
#
# Writes build/reports/net-speed.json: what netspeed reports of one thread, and two_ranks_over_one, two_ranks_over_two_runs (elapsed
# time; null without MPI), instructions_per_flit_hop (of a network of 40 routers by valgrind, if there is one and the processor's
# counter cannot be read). A minute; ranks want two cores for themselves.
set -euo pipefail

seconds=${1:-10}
network=${2:-dragonfly16:33x1x8x4}
. scripts/given.sh
numbers "$seconds"
out=build/bench/net-speed
mkdir -p "$out" build/reports

# speed NAME OPTION...: one run, its report $out/NAME.json
speed() {
    build/bin/netspeed --load 0.5 --seconds "$seconds" --json "$out/$1.json" "${@:2}" "$network"
}

# rate NAME: router-cycles per second of elapsed time
rate() {
    sed -n 's/.*"router_cycles_per_second_elapsed": \([0-9]*\).*/\1/p' "$out/$1.json"
}

# counted: instructions per flit-hop
counted() {
    objcopy --strip-debug build/bin/netspeed "$out/netspeed"
    valgrind --tool=callgrind --callgrind-out-file="$out/callgrind" --toggle-collect=measured "$out/netspeed" \
        --load 0.5 --clocks 20 --json "$out/counted.json" dragonfly16:5x1x8x4 >"$out/counted.log" 2>&1
    awk '/Collected/ { n = $NF } /"flit_hops"/ { sub(/.*"flit_hops": /, ""); printf "%.0f", n / ($0 + 0) }' \
        "$out/counted.log" "$out/counted.json"
}

over() {
    awk -v a="$1" -v b="$2" 'BEGIN { printf "%.3f", a / b }'
}

speed one
if grep -q '"instructions_per_flit_hop": null' "$out/one.json" && command -v valgrind >/dev/null; then
    instructions=$(counted)
    printf '%12s instructions per flit-hop of dragonfly16:5x1x8x4, by valgrind\n' "$instructions"
    sed -i 's/"instructions_per_flit_hop": null/"instructions_per_flit_hop": '"$instructions/" "$out/one.json"
fi
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
