#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# test-icarus.sh SET/M [SEED] - a second simulator: 2000 clocks of lockstep are recorded and played
# to the same Verilog in Icarus, whose registers must be the recorded ones on each clock.
set -euo pipefail

. "$(dirname "$0")/../given.sh"
name=$1
paths_of_names "$name"
numbers "${2:-1}"
rtl=build/rtl/$(dirname "$name")
module=$(basename "$name")
out=build/test/icarus/$name
mkdir -p "$(dirname "$out")"

"build/cosim/$name" --info "$rtl/$module.json" --cycles 2000 --seed "${2:-1}" \
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
