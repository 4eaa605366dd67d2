#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# test-icarus.sh SET/M [CLOCKS] [SEED] - a second simulator: so many clocks of lockstep are recorded and played
# to the same Verilog in Icarus, whose registers must be the recorded ones on each clock.
set -euo pipefail

. "$(dirname "$0")/../given.sh"
name=$1
paths_of_names "$name"
clocks=${2:-500} seed=${3:-1}
numbers "$clocks" "$seed"
rtl=build/rtl/$(dirname "$name")
module=$(basename "$name")
out=build/test/icarus/$name
mkdir -p "$(dirname "$out")"

"build/cosim/$name" --info "$rtl/$module.json" --cycles "$clocks" --seed "$seed" \
    --record "$out.txt" >/dev/null
iverilog -g2005 -Wall -DHLS_STATE -y "$rtl" -o "$out.vvp" "$rtl/${module}_tb.v" "$rtl/$module.v"
result=$(vvp -n "$out.vvp" "+vectors=$out.txt")
echo "# $result"
if [[ $result == PASS* ]]; then
    echo "ok 1 - $module in Icarus"
else
    echo "not ok 1 - $module in Icarus # $result"
fi
echo "1..1"
