#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# test_hand.sh [clocks] - holds each hand-written block and, where its C stands beside it, the one that
# rtlgen makes against the C: the C is recorded on random traffic, Icarus plays the recording to the
# Verilog, a fifth of the clocks for the smaller blocks, whose bench is generated. Prints TAP. Works in build/hand.
set -euo pipefail

clocks=${1:-30000}
seed=${SEED:-1}
if [[ ! $clocks =~ ^[1-9][0-9]*$ ]]; then
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
args=() # what reads the recorders' command lines
for source in sim/base/args sim/base/program; do
    gcc -std=c11 -D_GNU_SOURCE -O2 -Wall -Wextra -Werror -I. -c -o "$out/${source##*/}.o" "$source.c"
    args+=("$out/${source##*/}.o")
done

# play NAME WHAT BENCH FILE.v: one test
play() {
    local result
    number=$((number + 1))
    iverilog -g2005 -Wall -Wno-timescale -y "$(dirname "$4")" -o "$out/$1.vvp" "$3" "$4"
    result=$(vvp -n "$out/$1.vvp" "+vectors=$out/$module.txt")
    if [[ $result == "PASS $run clocks" ]]; then
        echo "ok $number - $module, $2, agrees with the C for $run clocks"
    else
        echo "not ok $number - $module, $2 # $result"
        failed=1
    fi
}

for record in "$here"/*_record.c; do
    module=$(basename "$record" _record.c)
    generated=build/rtl/test/hand/$module/$module.v
    run=$clocks
    [[ ! -e $here/$module.c ]] || run=$(((clocks + 4) / 5))
    clang-19 -std=c23 -g -O1 -Wall -Wextra -Werror -fstrict-flex-arrays=3 -fsanitize=address,undefined -I. -Ihls \
        -o "$out/${module}_record" "$record" "${args[@]}"
    "$out/${module}_record" --clocks "$run" --seed "$seed" >"$out/$module.txt"
    if [[ -e $here/$module.c ]]; then
        bench=$out/${module}_tb.v
        "$here/bench.sh" "$module" "$here/$module.v" >"$bench"
        play "generated_$module" generated "$bench" "$generated"
    else
        bench=$here/${module}_tb.v
    fi
    play "$module" "by hand" "$bench" "$here/$module.v"
done
echo "1..$number"
exit "$failed"
