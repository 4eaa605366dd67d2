#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# nicbench.sh [OPTION...] - nicbench with its options, and its curve beside the figures of the field's machines: build/reports/nic-bench.json, nicbench.svg.
set -euo pipefail
cd "$(dirname "$0")/../.."

readonly JSON=build/reports/nic-bench.json CURVE=build/nicbench.curve
[ -x build/bin/nicbench ] || { echo "nicbench.sh: there is no build/bin/nicbench: make ugni" >&2 && exit 1; }
mkdir -p build/reports
build/bin/nicbench "$@" --json "$JSON"
python3 -c '
import json, sys
for row in json.load(open(sys.argv[1]))["bytes_per_clock"]:
    print(row["bytes"], row["put"], row["get"])' "$JSON" >"$CURVE"

# 10 Gbyte/s at 800 MHz are 12.5 bytes a clock
gnuplot <<PLOT
set terminal svg size 760,440 font "sans,11" background "white" noenhanced
set output "build/reports/nicbench.svg"
set title "Puts and gets of eight issuers between the NICs of two native chips"
set logscale x 2
set xlabel "bytes of a transaction"
set ylabel "bytes per clock"
set xrange [6:6000]
set yrange [0:14]
set key outside bottom
set grid x y
set arrow from 128, graph 0 to 128, graph 1 nohead dt 2 lc rgb "#999999"
set label "Aries: half of the peak at 128 bytes" at 128, graph 0.96 left offset 0.5,0
plot "$CURVE" using 1:2 with linespoints pt 7 ps 0.4 lc rgb "#336699" title "puts", \
    "$CURVE" using 1:3 with linespoints pt 7 ps 0.4 lc rgb "#cc6633" title "gets", \
    12.5 with lines dt 2 lc rgb "#336699" title "Aries: 10 Gbyte/s, one way, at 800 MHz"
PLOT
echo "nicbench: build/reports/nicbench.svg"
