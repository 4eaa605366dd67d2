#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# netpipe.sh FILE SVG - NetPIPE's curve, from the file of its -o (bytes, Mbit/s, seconds one way), beside the figures of the field's machines.
set -euo pipefail

[ $# -eq 2 ] || { echo "netpipe.sh: NetPIPE's file and a picture are wanted" >&2 && exit 1; }
[ -s "$1" ] || { echo "netpipe.sh: $1: there is nothing in it" >&2 && exit 1; }

# bytes, microseconds, Mbyte/s (NetPIPE's Mbit has 2^20); the peak, and the least size with half of it
awk 'NF == 3 {print $1, $3 * 1e6, $2 / 8 * 1.048576}' "$1" >"$1.curve"
read -r peak half < <(awk '{size[NR] = $1; rate[NR] = $3; if ($3 > peak) peak = $3}
    END {for (i = 1; i <= NR && !half; i++) if (rate[i] >= peak / 2) half = size[i]; print peak, half}' "$1.curve")
printf 'netpipe: %.2f us one way for 8 bytes, %.0f Mbyte/s at most, half of it from %d bytes on\n' "$(awk '$1 == 8 {print $2}' "$1.curve")" "$peak" "$half"

gnuplot <<PLOT
set terminal svg size 760,440 font "sans,11" background "white" noenhanced
set output "$2"
set title "NetPIPE: Open MPI over UCX over the modelled NIC\n(the machine's time, 1.25 ns a clock: software takes none)"
set logscale x 2
set logscale y
set logscale y2
set xlabel "bytes"
set ylabel "microseconds one way"
set y2label "Mbyte/s"
set ytics nomirror
set y2tics
set xrange [0.8:2e6]
set key outside bottom
set grid x y
set arrow from $half, graph 0 to $half, graph 1 nohead dt 2 lc rgb "#999999"
set label "half of the peak: $half bytes" at $half, graph 0.96 right offset -0.5,0
plot "$1.curve" using 1:2 with linespoints pt 7 ps 0.4 lc rgb "#336699" title "time", \
    "$1.curve" using 1:3 axes x1y2 with linespoints pt 7 ps 0.4 lc rgb "#cc6633" title "rate", \
    "< echo 8 1.3" with points pt 9 ps 1.2 lc rgb "#336699" title "Aries, 8-byte MPI message: 1.3 us", \
    "< echo 8 1.5" with points pt 5 ps 0.9 lc rgb "#336699" title "Gemini, small MPI message: 1.5 us", \
    "< echo 8192 550" axes x1y2 with points pt 11 ps 1.2 lc rgb "#cc6633" title "SeaStar, half of NetPIPE's peak: 550 Mbyte/s at 8 KB"
PLOT
