#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# cells.sh [MACHINE] - generic cells of a router by Yosys, per port, to compare with routers of other projects.
#
# The router and each module under it are synthesised once, unflattened, to two-input gates, multiplexers and flip-flops
# (abc -g simple) and counted as often as they stand in the router. Memories stay memories and are counted in bits.
# Reads build/rtl/MACHINE (default p16); writes build/reports/cells-MACHINE.json.
set -euo pipefail

machine=${1:-p16}
cd "$(dirname "$0")/.."
. scripts/given.sh
names "$machine"
rtl=build/rtl/$machine
work=build/synth/$machine-cells
report=build/reports/cells-$machine.json
[[ -f $rtl/router.f ]] || {
    echo "cells.sh: no router in $rtl; make rtl MACHINE=$machine" >&2
    exit 1
}
ulimit -v 8000000
mkdir -p "$work" build/reports
mapfile -t files < <(sed "s|^|$rtl/|" "$rtl/router.f")
yosys -q -l "$work/yosys.log" -p "read_verilog ${files[*]}; hierarchy -top router; proc; opt_clean;
    tee -q -o $work/memories.txt stat -top router; synth -top router -run begin:fine; opt -fast -full;
    techmap; opt -fast; abc -g simple; opt -fast; tee -q -o $work/stat.txt stat -top router" >/dev/null

# The last block of stat is the whole hierarchy.
bits=$(awk '/Number of memory bits:/ { bits = $5 } END { print bits }' "$work/memories.txt")
read -r cells ffs memories < <(awk '
    /Number of cells:/ { cells = $4; ffs = mems = 0 }
    $1 ~ /^\$_.*DFF/ { ffs += $2 }
    $1 ~ /^\$mem/ { mems += $2 }
    END { print cells, ffs, mems }' "$work/stat.txt")
ports=$(sed -n 's/^    output wire *\[\([0-9]*\):0\] to_link_valid,.*/\1/p' "$rtl/router.v")
ports=$((ports + 1))
logic=$((cells - memories))

printf '{"machine": "%s", "ports": %d, "cells": %d, "ff": %d, "memory_bits": %d, "cells_per_port": %d, "memory_bits_per_port": %d}\n' \
    "$machine" "$ports" "$logic" "$ffs" "$bits" $((logic / ports)) $((bits / ports)) >"$report.part"
mv "$report.part" "$report"
printf '%-8s %5s %9s %9s %12s %15s %21s\n' machine ports cells ff memory_bits cells_per_port memory_bits_per_port
printf '%-8s %5d %9d %9d %12d %15d %21d\n' "$machine" "$ports" "$logic" "$ffs" "$bits" \
    $((logic / ports)) $((bits / ports))
echo "report: $report"
