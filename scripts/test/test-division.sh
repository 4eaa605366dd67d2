#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# test-division.sh - what hls/lib/div.inc leaves is quotient and remainder: its steps by induction at 32 bits, the rest for
# integers of any size; and a step that is wrong is noticed. Wants build/bin/rtlgen. Prints TAP.
set -euo pipefail

cd "$(dirname "$0")/../.."
work=$PWD/build/test/division
number=0
failed=0
rm -rf "$work"
mkdir -p "$work"

verdict() {
    number=$((number + 1))
    [ -n "$2" ] || { echo "ok $number - $1" && return; }
    failed=1
    echo "not ok $number - $1 # $2"
}

# steps HLS: proves them in that tree; its exit status
steps() {
    HLS=$1 PROOFS=$work/proofs tb/equiv/prove/prove.sh division >"$work/log" 2>&1
}

verdict "the steps of a division keep dividend = quotient * divisor + remainder, by induction" \
    "$(steps hls || tail -n 2 "$work/log" | head -n 1)"
answers=$(z3 tb/equiv/prove/division.smt2 | tr '\n' ' ')
verdict "so it has the only quotient, for integers of any size" "${answers#unsat unsat unsat }"

# broken WHAT EXPRESSION: of sed, in div.inc
broken() {
    rm -rf "$work/hls"
    cp -r hls "$work/hls"
    sed -i "$2" "$work/hls/lib/div.inc"
    verdict "$1 is noticed" "$(if cmp -s hls/lib/div.inc "$work/hls/lib/div.inc"; then echo "nothing was broken"; elif steps "$work/hls"; then echo "proved"; fi)"
}
broken "a remainder that may be the divisor" 's/u1 fits = .*/u1 fits = !(difference >> DIV_N) \&\& difference != 0;/'
broken "a divisor of one taken for zero" 's/by_zero = fits \&\& .*/by_zero = fits;/'
broken "a step too few" 's/left = DIV_CLOCKS - 1;/left = DIV_CLOCKS - 2;/'
echo "1..$number"
exit "$failed"
