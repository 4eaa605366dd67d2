#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# net-peer.sh BOOKSIM [SECONDS] - speed beside BookSim2, one after the other in one run: 264 routers of 16 ports, 1,056 nodes, uniform traffic, half of what a node
# can send, packets of 8 flits (netspeed: 2 to 14). BOOKSIM is the user's: the program, or the folder src of its sources, where it is named booksim. netspeed measures for
# SECONDS (20). Router-cycles per second of processor time, and the compiler flags of both.
#
# Writes build/reports/net-peer.json.
set -euo pipefail

. scripts/given.sh
peer=${1:-} seconds=${2:-20}
numbers "$seconds"
[ -n "$peer" ] || { echo "net-peer.sh: BookSim2 is wanted: its program, or the folder it was built in" >&2 && exit 1; }
[ -d "$peer" ] && peer=$peer/booksim
if [ ! -f "$peer" ] || [ ! -x "$peer" ]; then
    echo "net-peer.sh: $peer: no program; build BookSim2 there first" >&2
    exit 1
fi
routers=264
out=build/bench/net-peer
mkdir -p "$out" build/reports

# k 4: groups of 8 routers with 4 nodes and 4 global links each, 33 groups
cat >"$out/config" <<END
topology = dragonflynew;
k = 4;
n = 1;
routing_function = ugal;
num_vcs = 3;
vc_buf_size = 256;
wait_for_tail_credit = 0;
vc_allocator = separable_input_first;
sw_allocator = separable_input_first;
traffic = uniform;
injection_rate_uses_flits = 1;
injection_rate = 0.5;
packet_size = 8;
sim_type = throughput;
warmup_periods = 1;
sample_period = 1000;
max_samples = 3;
END

# flags of a Makefile beside the program, as far as it says
flags=$(sed -n 's/^CPPFLAGS *[+:?]*= *//p' "$(dirname "$peer")/Makefile" 2>/dev/null | tr -c '[:alnum:]=+./_-' ' ' | sed 's/  *$//')
TIMEFORMAT='%U'
echo "BookSim2, flags ${flags:-not known}"
{ time "$peer" "$out/config" >"$out/peer.log" 2>&1; } 2>"$out/peer.time" || {
    echo "net-peer.sh: $peer failed; the end of $out/peer.log:" >&2
    tail -3 "$out/peer.log" >&2
    exit 1
}
cycles=$(sed -n 's/^Time taken is \([0-9]*\) cycles.*/\1/p' "$out/peer.log" | tail -1)
[ -n "$cycles" ] || { echo "net-peer.sh: $out/peer.log does not say \"Time taken is N cycles\": no BookSim2, or it ended early" >&2 && exit 1; }
theirs=$(awk -v c="$cycles" -v r=$routers 'NR == 1 { printf "%.0f", ($1 > 0) ? c * r / $1 : 0 }' "$out/peer.time")

ours_flags=$(cat build/sim/a16.flags)
echo "netspeed, flags $ours_flags"
build/bin/netspeed --load 0.5 --seconds "$seconds" --json "$out/ours.json" dragonfly16:33x1x8x4 >"$out/ours.log"
ours=$(sed -n 's/.*"router_cycles_per_second": \([0-9]*\).*/\1/p' "$out/ours.json")
ratio=$(awk -v a="$ours" -v b="$theirs" 'BEGIN { printf "%.2f", (b > 0) ? a / b : 0 }')
printf '%12s router-cycles/s of BookSim2, %s cycles\n%12s of netspeed\n%12s times\n' "$theirs" "$cycles" "$ours" "$ratio"
cat >"$out/report" <<END
{"booksim2": $theirs, "booksim2_flags": "$flags", "netspeed": $ours, "netspeed_flags": "$ours_flags", "ratio": $ratio}
END
mv "$out/report" build/reports/net-peer.json
echo build/reports/net-peer.json
