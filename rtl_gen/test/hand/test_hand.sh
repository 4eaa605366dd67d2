#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# test_hand.sh - holds each hand-written block against its C: the C is recorded on random traffic,
# Icarus plays the recording to the Verilog. Prints TAP. Works in build/hand.
set -euo pipefail

clocks=${1:-100000}
seed=${SEED:-1}
if [[ ! $clocks =~ ^[0-9]+$ ]]; then
    echo "usage: test_hand.sh [clocks]     (environment: SEED=n)" >&2
    exit 1
fi

cd "$(dirname "$0")/../../.."
here=rtl_gen/test/hand
out=build/hand
mkdir -p "$out"
echo "# seed $seed"

number=0
failed=0
for record in "$here"/*_record.c; do
    module=$(basename "$record" _record.c)
    clang-19 -std=c23 -g -O1 -Wall -Wextra -Werror -fsanitize=address,undefined -Ihls \
        -o "$out/${module}_record" "$record"
    "$out/${module}_record" "$clocks" "$seed" >"$out/$module.txt"
    iverilog -g2005 -Wall -Wno-timescale -o "$out/$module.vvp" \
        "$here/${module}_tb.v" "$here/$module.v"
    number=$((number + 1))
    result=$(vvp -n "$out/$module.vvp" "+vectors=$out/$module.txt")
    echo "${result/ok 1 /ok $number }"
    [[ $result == ok* ]] || failed=1
done
echo "1..$number"
exit "$failed"
