#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# test-lockstep.sh - lockstep has to find a wrong Verilog: breaks that of the example in several
# ways, and expects the right clock line, the right register and a waveform each time. And what was
# recorded is played as it is, to its end. A module that refuses most random inputs is compared all the same, one that
# refuses all is no success, and what was drawn again or never moved is reported. Prints TAP.
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
    model "$program" "$dir/debounce.v" &&
        g++ -o "$program" "${parts[@]}" build/shim/example/debounce.o "$program.model.o" build/native/example.a \
            "${libraries[@]}" -Wl,--defsym=cosim_module=debounce_cosim &&
        "$program" --info "$rtl/debounce.json" --cycles 100000 --fst "$program.fst"
}

parts=(build/tb/lockstep.a)
libraries=(build/verilated/libverilated.a -lcjson -lz -lpthread)

# shellcheck disable=SC2046 # its words
model() {
    scripts/verilate.sh --waves "$1.model.o" "$2" -- $(<build/verilated/cxx-waves)
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

# refusing NAME INPUT OUTPUT BODY: the module of that name with one input, one output and that body, as program and Verilog
refusing() {
    local name=$1 dir=$out/$1
    rm -rf "$dir"
    mkdir -p "$dir"
    cat >"$dir/$name.c" <<END
#include "hls.h"
typedef sint(12) int12_t;
struct ${name}_in { $2; };
struct ${name}_out { $3; };
struct $name { struct ${name}_out out; };
HLS_RESET
void ${name}_reset(struct $name *self) { *self = (struct $name){}; }
HLS_MODULE
void $name(struct $name *self, const struct ${name}_in *in) { $4 }
END
    { build/bin/rtlgen -Ihls -o "$dir" "$dir/$name.c" && build_refusing "$name"; } >"$dir/log" 2>&1 || true
}

# shellcheck disable=SC2046 # its words
build_refusing() {
    local name=$1 dir=$out/$1 trap=-fsanitize=undefined,bounds
    clang-19 -std=c23 -D_GNU_SOURCE -w -O1 -fno-finite-loops $trap ${trap/sanitize/sanitize-trap} -I. -Ihls -I"$dir" \
        -c "$dir/${name}_shim.c" -o "$dir/shim.o" &&
        scripts/verilate.sh "$dir/$name.model.o" "$dir/$name.v" -- $(<build/verilated/cxx) &&
        g++ -o "$dir/run" "${parts[@]}" "$dir/shim.o" "$dir/$name.model.o" "${libraries[@]}" \
            "-Wl,--defsym=cosim_module=${name}_cosim"
}

# endless: a process that natively loses a wait, and then goes round in one clock for ever
endless() {
    local dir=$out/endless status=0
    rm -rf "$dir"
    mkdir -p "$dir"
    cat >"$dir/endless.c" <<END
#include "hls.h"
enum endless_at { E_IDLE, E_RUN };
struct endless_in { u8 x; };
struct endless_out { u8 y; };
struct endless { struct endless_out out; enum endless_at at; };
HLS_RESET
void endless_reset(struct endless *self) { *self = (struct endless){.at = E_IDLE}; }
HLS_MODULE
void endless(struct endless *self, const struct endless_in *in)
{
    HLS_PROCESS(self->at, E_IDLE, E_RUN);
    for (;;) {
        HLS_WAIT(E_IDLE);
        do {
            self->out.y++;
            HLS_WAIT(E_RUN);
        } while (in->x != 9);
    }
}
END
    {
        build/bin/rtlgen -Ihls -o "$dir" "$dir/endless.c" &&
            sed -i 's/HLS_WAIT(E_RUN);/if (in->x < 200 || self->at != E_RUN) HLS_WAIT(E_RUN);/' "$dir/endless.c" &&
            build_refusing endless
    } >"$dir/log" 2>&1 || true
    number=$((number + 1))
    timeout 60 "$dir/run" --info "$dir/endless.json" --cycles 2000 >"$dir/run.log" 2>&1 || status=$?
    if [[ $status -eq 3 ]] && grep -q '^# at is E_RUN (.*endless.c:[0-9]*)$' "$dir/run.log"; then
        echo "ok $number - a call without an end is stopped: $(grep '^# at is' "$dir/run.log")"
    else
        failed=1
        echo "not ok $number - a call without an end is stopped # status $status, see $dir/run.log"
    fi
}

# says WHAT NAME STATUS PATTERN: 2,000 clocks of it in lockstep
says() {
    local what=$1 dir=$out/$2 status=0
    number=$((number + 1))
    "$dir/run" --info "$dir/$2.json" --cycles 2000 >"$dir/run.log" 2>"$dir/checks" || status=$?
    if [[ $status -eq $3 ]] && grep -q "$4" "$dir/run.log"; then
        echo "ok $number - $what: $(grep -m 1 "$4" "$dir/run.log" | cut -c1-140)"
    else
        failed=1
        echo "not ok $number - $what # status $status, see $dir/run.log"
    fi
}

# tied NAME SED: with its outputs tied to a constant by that edit of the Verilog it differs
tied() {
    local dir=$out/$1
    cp "$dir/$1.v" "$dir/kept.v"
    sed -i -E "$2" "$dir/$1.v"
    if ! cmp -s "$dir/$1.v" "$dir/kept.v"; then
        build_refusing "$1" >>"$dir/log" 2>&1 || true
    fi
    says "outputs tied off are found" "$1" 1 '^# clock [0-9]*: out.y\[[1-9][0-9]*\]: C 0x'
}

# waveform: cosim.sh on a broken model leaves one, which it makes a second model for. In a tree of its own, that has the build's files.
waveform() {
    local tree=$PWD/$out/tree log=$PWD/$out/waveform.log result=ok file
    rm -rf "$tree"
    mkdir -p "$tree/build/cosim/example" "$tree/build/verilated" "$tree/build/rtl"
    for file in Makefile hls rtl_gen tb sim scripts; do ln -s "$PWD/$file" "$tree/$file"; done
    for file in native shim tb bin rtlgen; do ln -s "$PWD/build/$file" "$tree/build/$file"; done
    for file in runtime libverilated.a; do ln -s "$PWD/build/verilated/$file" "$tree/build/verilated/$file"; done
    cp -rp "$rtl" "$tree/build/rtl/"
    sed -i -E "s/edges \\+ 8'd1/edges + 8'd2/" "$tree/build/rtl/example/debounce.v"
    (
        cd "$tree"
        make SETUP=no build/cosim/example/debounce
        ! tb/equiv/lockstep/cosim.sh example/debounce 10000 1
    ) >"$log" 2>&1 || result="not ok"
    number=$((number + 1))
    if [[ $result == ok && -s $tree/build/cosim/example/debounce.fst ]] && grep -q '^# waveform of clocks' "$log"; then
        echo "ok $number - cosim.sh leaves a waveform"
    else
        failed=1
        echo "not ok $number - cosim.sh leaves a waveform # see $log"
    fi
}

broken edges-by-two "s/edges \+ 8'd1/edges + 8'd2/" out.edges
broken reset-value "s/(count\w*) <= 4'd15;/\1 <= 4'd14;/" count
broken counts-up "s/(count\w*) - 4'd1/\1 + 4'd1/" count
replayed "a record without an edge is played to its end" '^ok 1 - lockstep debounce: 302 clocks' 0 0 0
replayed "one with an edge finds what is wrong" '^# clock [0-9]*: out.edges: C 0x' 0 1 1
refusing shift "int12_t v[64]" "int y[64]" "for (unsigned i = 0; i < 64; i++) self->out.y[i] = (int)in->v[i] * 4 << 2;"
refusing none "u32 v" "u32 y" 'hls_assume(in->v == 0x12345678); self->out.y = in->v;'
refusing still "u8 v" "u8 y" 'self->out.y = in->v & 0x3f;'
says "most inputs refused: reported, and why" shift 0 '% of the inputs were drawn again.*undefined behaviour'
says "and yet compared" shift 0 '^ok 1 - lockstep shift'
says "all inputs refused: too little compared" none 2 '^not ok .*too few of them compared'
says "no clock of it was" none 2 '^# 0 clocks compared'
says "outputs that never moved are reported" still 0 '^# 2 of 8 output bits never changed.*out.y (2 of 8)'
tied shift "s/^( *(else )?y <= )\{/\12048'hffffffff \& {/"
waveform
endless
echo "1..$number"
exit "$failed"
