#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# test-lockstep.sh - lockstep has to find a wrong Verilog: breaks that of the example in several
# ways, and expects the right clock line, the right register and a waveform each time. And what was
# recorded is played as it is, to its end. Prints TAP.
set -euo pipefail

out=build/test/lockstep
rtl=build/rtl/example
number=0
failed=0
unset MAKEFLAGS MAKELEVEL

# broken NAME SED REGISTER: the edit must be found, in that register
broken() {
    local name=$1 edit=$2 register=$3 dir=$out/rtl/$1 log=$out/$1.log
    rm -rf "$dir" "$out/$name.fst"
    mkdir -p "$dir"
    cp "$rtl"/debounce* "$dir/"
    sed -i -E "$edit" "$dir/debounce.v"
    number=$((number + 1))
    if cmp -s "$dir/debounce.v" "$rtl/debounce.v"; then
        failed=1
        echo "not ok $number - $name # the edit no longer fits the Verilog"
        return
    fi
    if build_and_run "$dir" "$out/$name" >"$log" 2>&1; then
        failed=1
        echo "not ok $number - $name # lockstep agreed, see $log"
    elif grep -q "^# clock [0-9]*: $register: C 0x" "$log" &&
        grep -q '^# hls/example/debounce.h:[0-9]*:' "$log" && [ -s "$out/$name.fst" ]; then
        echo "ok $number - $name is found: $(grep '^# clock' "$log")"
    else
        failed=1
        echo "not ok $number - $name # wrong report, see $log"
    fi
}

# The program is that of make cosim, with the broken model in place of the right one.
build_and_run() {
    local dir=$1 program=$2
    scripts/verilate.sh "$program.model" "$dir/debounce.v" -- \
        g++ -std=gnu++17 -O1 -faligned-new -DVL_USER_FINISH -DVM_TRACE=1 -DVM_TRACE_FST=1 \
        -DVM_COVERAGE=0 -DVM_SC=0 -isystem /usr/share/verilator/include \
        -isystem /usr/share/verilator/include/vltstd &&
        g++ -o "$program" build/tb/cosim/lockstep.o build/tb/cosim/stimulus.o build/tb/cosim/memwatch.o build/tb/cosim/memnoise.o \
            build/shim/example/debounce.o "$program.model/model.o" build/native/example.a \
            build/verilated/libverilated.a -lcjson -lz -lpthread \
            -Wl,--defsym=cosim_module=debounce_cosim &&
        "$program" --info "$rtl/debounce.json" --cycles 100000 --fst "$program.fst"
}

# replayed WHAT PATTERN LEVEL...: inputs of 100 clocks at each level, after a reset, for the Verilog that counts edges by two
replayed() {
    local what=$1 pattern=$2 log=$out/replayed.log level clock
    shift 2
    {
        printf '\1\0\0\0\0\0\0\0'
        for level in "$@"; do
            for ((clock = 0; clock < 100; clock++)); do
                printf '%b' "\\0\\0\\0\\0\\0$level\\0\\0\\0"
            done
        done
    } >"$out/record"
    number=$((number + 1))
    "$out/edges-by-two" --info "$rtl/debounce.json" --replay "$out/record" >"$log" 2>&1 || true
    if grep -q "$pattern" "$log"; then
        echo "ok $number - $what"
    else
        failed=1
        echo "not ok $number - $what # see $log"
    fi
}

broken edges-by-two "s/edges \+ 8'd1/edges + 8'd2/" out.edges
broken reset-value "s/(count\w*) <= 4'd15;/\1 <= 4'd14;/" count
broken counts-up "s/(count\w*) - 4'd1/\1 + 4'd1/" count
replayed "a record without an edge is played to its end" '^ok 1 - lockstep debounce: 302 clocks' 0 0 0
replayed "one with an edge finds what is wrong" '^# clock [0-9]*: out.edges: C 0x' 0 1 1
echo "1..$number"
exit "$failed"
