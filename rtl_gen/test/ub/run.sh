#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# run.sh RTLGEN OUT - lowers each ub_x.c here into OUT, runs it alone against ub_x_tb.v in Icarus,
# and once more with its assertions, which must then speak up. Then traps.c in lockstep, long enough for
# each of its assertions. Prints TAP; exit status 1 if any test failed.
set -euo pipefail

rtlgen=$1
out=$2
here=$(dirname "$0")
mkdir -p "$out"
tests=0
failed=0

# ok NAME or not_ok NAME WHY
ok() {
    tests=$((tests + 1))
    echo "ok $tests - $1"
}
not_ok() {
    tests=$((tests + 1))
    failed=$((failed + 1))
    echo "not ok $tests - $1 # $2"
}

# The bench alone: as many points as it planned, none of them bad.
bench() {
    local name=$1 log=$out/$1.log bad
    if ! iverilog -g2005 -Wall -Wno-timescale -y "$out" -o "$out/$name.vvp" "$here/${name}_tb.v" \
        "$out/$name.v" >"$log" 2>&1 || [ -s "$log" ]; then
        not_ok "$name: compiles" "$(head -n 1 "$log")"
        return
    fi
    vvp -n "$out/$name.vvp" >"$log" 2>&1 || true
    bad=$(grep -c '^not ok' "$log" || true)
    if [ "$bad" != 0 ]; then
        not_ok "$name: fixed answers" "$bad wrong in $log, first: $(grep -m 1 '^not ok' "$log")"
    elif ! grep -qx "1..$(grep -c '^ok' "$log")" "$log"; then
        not_ok "$name: fixed answers" "bench ended early, see $log"
    else
        ok "$name: fixed answers ($(grep -c '^ok' "$log") points)"
    fi
}

# With HLS_ASSERT the same bench stops at a message that names the C line.
assertion() {
    local name=$1 log=$out/$1.assert.log
    if iverilog -g2005 -DHLS_ASSERT -y "$out" -o "$out/$name.assert.vvp" "$here/${name}_tb.v" \
        "$out/$name.v" >"$log" 2>&1; then
        vvp -n "$out/$name.assert.vvp" >>"$log" 2>&1 || true
    fi
    if grep -q "$name.c:[0-9]*:" "$log" && ! grep -q '^1\.\.' "$log"; then
        ok "$name: its assertion fires"
    else
        not_ok "$name: its assertion fires" "see $log"
    fi
}

# Lockstep finds an assertion too many or too few; here none is missing that the Verilog has.
traps() {
    local rtl=build/rtl/test/ub/traps/traps log=$out/traps.log silent
    if ! build/cosim/test/ub/traps/traps --info "$rtl.json" --cycles 20000 --traps 20000 >"$log" 2>&1; then
        not_ok "traps: the RTL fires where the C traps" "see $log"
        return
    fi
    ok "traps: the RTL fires where the C traps ($(grep -c '^traps.traps: ' "$log") times)"
    silent=$(comm -13 <(sed -n 's/^traps.traps: //p' "$log" | sort -u) \
        <(grep -o '"traps\.c:[^"]*"' "$rtl.v" | tr -d '"' | sort -u))
    if [ -z "$silent" ]; then
        ok "traps: all assertions fire ($(grep -o '"traps\.c:[^"]*"' "$rtl.v" | sort -u | wc -l))"
    else
        not_ok "traps: all assertions fire" "silent: $(head -n 1 <<<"$silent")"
    fi
}

for file in "$here"/ub_*.c; do
    name=$(basename "$file" .c)
    if "$rtlgen" -I"$here/../../../hls" -o "$out" "$file" >"$out/$name.log" 2>&1; then
        bench "$name"
        assertion "$name"
    else
        not_ok "$name: lowered" "$(head -n 1 "$out/$name.log")"
    fi
done
traps
echo "1..$tests"
[ "$failed" = 0 ]
