#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# net-bias.sh [CLOCKS [NETWORK [LOAD [KINDS]]]] - which bias is right, with a network as the judge: what it accepts of uniform traffic and of traffic
# from each group to the next, offered LOAD (0.5) per processor port, for biases from 0 to 127; and of uniform traffic without
# adaptive routing, which none should be below. CLOCKS (1000) are measured for each, NETWORK is dragonfly:33x1x8x4. With KINDS, as
# ",processor=16,global=10", packets that come by these ports keep a bias of their own.
#
# Writes build/reports/net-bias.json and net-bias.svg.
set -euo pipefail

clocks=${1:-1000} network=${2:-dragonfly:33x1x8x4} load=${3:-0.5} kinds=${4-}
. scripts/given.sh
numbers "$clocks"
wanted 'a network is wanted, as dragonfly:9x1x4x2' '^[a-z0-9]+:[0-9.x]+$' "$network"
wanted 'a load is wanted, from 0 to 1' '^(0(\.[0-9]+)?|1)$' "$load"
wanted 'biases of kinds are wanted, as ,processor=16,global=10' '^(,[a-z]+=[0-9]+)*$' "$kinds"
out=build/bench/net-bias
mkdir -p "$out" build/reports

# accepted OPTION...: flits per clock and processor port
accepted() {
    build/bin/netsim --clocks "$clocks" --loads "$load" --json "$out/run.json" --svg "$out/run.svg" --html "$out/run.html" \
        "$@" "$network" >"$out/run.log" || { cat "$out/run.log" >&2 && exit 1; }
    sed -n 's/.*"accepted": \([0-9.]*\).*/\1/p' "$out/run.json"
}

minimal=$(accepted --mode minimal)
printf '%s, offered %s; minimal, uniform: %s\n%6s %9s %9s\n' "$network" "$load" "$minimal" bias uniform neighbour
: >"$out/rows"
for bias in 0 4 8 10 12 14 16 18 20 24 28 34 48 127; do
    uniform=$(accepted --bias "$bias$kinds")
    neighbour=$(accepted --bias "$bias$kinds" --pattern neighbour)
    echo "$bias $uniform $neighbour" >>"$out/rows"
    printf '%6s %9s %9s\n' $bias "$uniform" "$neighbour"
done
{
    printf '{"network": "%s", "offered": %s, "clocks": %s, "kinds": "%s", "minimal": %s, "biases": [\n' "$network" "$load" "$clocks" "${kinds#,}" "$minimal"
    awk '{ printf "%s  {\"bias\": %s, \"uniform\": %s, \"neighbour\": %s}", (NR > 1 ? ",\n" : ""), $1, $2, $3 } END { print "\n]}" }' "$out/rows"
} >build/reports/net-bias.json.part
mv build/reports/net-bias.json.part build/reports/net-bias.json
gnuplot <<END
set terminal svg size 640,400 font "sans,12" background "white"
set output "build/reports/net-bias.svg.part"
set title "$network, offered $load: accepted over bias${kinds:+ (others: ${kinds#,})}"
set xlabel "bias, flits that a non-minimal route must save"
set ylabel "flits per clock and processor port"
set yrange [0:*]
set grid
set key bottom right
plot "$out/rows" using 1:2 with linespoints title "uniform, adaptive", $minimal dt 2 title "uniform, minimal", \
     "$out/rows" using 1:3 with linespoints title "to the next group, adaptive"
END
mv build/reports/net-bias.svg.part build/reports/net-bias.svg
printf '%s\n' build/reports/net-bias.json build/reports/net-bias.svg
