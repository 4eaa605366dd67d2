#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# board_sim.sh BOARD TOP CYCLES - what the console of a board prints, by the Verilated top.
set -euo pipefail

fail() {
    echo "board_sim.sh: $*" >&2
    exit 1
}

[[ $# -eq 3 ]] || { echo "usage: board_sim.sh BOARD TOP CYCLES" >&2 && exit 1; }
cd "$(dirname "$0")/../.."
. scripts/given.sh
. scripts/pnr/tools.sh
names "$1" "$2"
numbers "$3"
board_facts "$1" "$2"
echo "board-sim: $2 on $1, $3 clocks (TOP=$(awk '$1 == "rate" { print $2 }' "constraints/$1.board" | paste -sd'|'), CYCLES=)"
exec "build/board/$2/rtl" --cycles "$3"
