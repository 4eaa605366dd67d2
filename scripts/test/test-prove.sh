#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# test-prove.sh - the prover proves small modules, and finds what is wrong in Verilog broken on purpose: each edit
# stands for a bug of the emitter and must be found in the right place. Prints TAP.
set -euo pipefail

out=build/test/prove
number=0
failed=0
export PROVE=build/bin/prove-test ENTRIES=$out/entry REPORT=$out/prove.json SECONDS_EACH=10
export ASAN_OPTIONS=detect_leaks=0 # its memory lives until it exits
rm -rf "$out"
mkdir -p "$out"

report() {
    number=$((number + 1))
    if [ "$1" = ok ]; then
        echo "ok $number - $2"
    else
        failed=1
        echo "not ok $number - $2 # see $3"
    fi
}

# proved SET/MODULE...
proved() {
    local name log
    for name in "$@"; do
        log=$out/${name##*/}.log
        if tb/equiv/prove/prove-rtl.sh "$name" >"$log" 2>&1 && grep -q "^${name##*/}: proved" "$log"; then
            report ok "$name is proved"
        else
            report bad "$name is proved" "$log"
        fi
    done
}

# edited NAME SET/MODULE EDIT: a copy of the Verilog with the edit, in $out/NAME
edited() {
    local module=$2 file=$out/$1/$2.v
    mkdir -p "$(dirname "$file")"
    cp "build/rtl/${module%/*}"/*.v "build/rtl/${module%/*}"/*.json "$(dirname "$file")"
    sed -i -E "$3" "$file"
    ! cmp -s "$file" "build/rtl/$module.v" || { report bad "$1: the edit no longer fits the Verilog" "$file" && return 1; }
}

# broken NAME SET/MODULE EDIT TARGET: the edit is found, at that target and with two values
broken() {
    local name=$1 module=$2 target=$4 log=$out/$1.log
    edited "$1" "$2" "$3" || return 0
    if RTL=$out/$name tb/equiv/prove/prove-rtl.sh "$module" >"$log" 2>&1; then
        report bad "$name is found" "$log"
    elif grep -qE "^# ${module##*/}: $target differs: .*C 0.*Verilog 0" "$log"; then
        report ok "$name is found: $(grep -m 1 "differs" "$log" | cut -c1-120)"
    else
        report bad "$name is found at $target" "$log"
    fi
}

# refused NAME SET/MODULE EDIT REASON: what the edit leaves is not compared, with that reason
refused() {
    local name=$1 log=$out/$1.log
    edited "$1" "$2" "$3" || return 0
    if ! RTL=$out/$name tb/equiv/prove/prove-rtl.sh "$2" >"$log" 2>&1 && grep -qE "NOT proved: $4" "$log"; then
        report ok "$name is refused: $(grep -m 1 "NOT proved" "$log" | cut -c1-120)"
    else
        report bad "$name is refused" "$log"
    fi
}

# Without time nothing is proved: a failure unless the module is listed.
no_time() {
    local log=$out/no-time.log list=$out/open.txt what="without time a module is not proved, which only a listed one may be"
    export OPEN=$list SECONDS_MODULE=0
    : >"$list"
    if tb/equiv/prove/prove-rtl.sh example/debounce >"$log" 2>&1; then
        report bad "$what" "$log"
    else
        echo "example/debounce no time" >"$list"
        if tb/equiv/prove/prove-rtl.sh example/debounce >>"$log" 2>&1; then report ok "$what"; else report bad "$what" "$log"; fi
    fi
    unset SECONDS_MODULE
    if tb/equiv/prove/prove-rtl.sh example/debounce >"$log" 2>&1; then
        report bad "a listed one that is proved is a failure" "$log"
    else
        report ok "a listed one that is proved is a failure"
    fi
    unset OPEN
}

# What both sides are written in means what it should
terms() {
    local log=$out/terms.log what="terms, their sums and their bits have the value of the operation"
    if "$PROVE" --check 1 >"$log" 2>&1; then report ok "$what"; else report bad "$what" "$log"; fi
}

# checks_say EXIT_STATUS METHOD WHAT: of the module checks in $out/checks
checks_say() {
    local log=$out/checks-${2//[^a-z]/}.log status=0
    RTL=$out/checks OPEN=$out/open.txt tb/equiv/prove/prove-checks.sh test/checks/checks >"$log" 2>&1 || status=$?
    if [[ $status -eq $1 ]] && grep -qE "6 assertions $2 .* 2 of 2 covers" "$log"; then
        report ok "$3"
    else
        report bad "$3" "$log"
    fi
}

# The assertions of a module: proved, and not when one of them is wrong
checks() {
    local dir=$out/checks/test/checks
    mkdir -p "$dir"
    cp build/rtl/test/checks/checks.{v,f} "$dir"
    : >"$out/open.txt"
    checks_say 0 '(cut|induction)' "assertions of a module are proved, covers reached"
    sed -i 's/\(wire [a-z_]* =\) level\[1:0\] == 2.d0 .*/\1 !level[2];/' "$dir/checks.v"
    ! cmp -s "$dir/checks.v" build/rtl/test/checks/checks.v || { echo "test-prove.sh: nothing was broken in checks.v" >&2; exit 1; }
    checks_say 1 open "an assertion that may fail is no proof"
    echo "test/checks/checks  reason" >"$out/open.txt"
    checks_say 0 open "unless it is listed"
}

no_time
terms
checks
proved example/debounce test/bram_struct/bram_struct test/inst_array_part/inst_array_part test/keep_once/keep_once
broken edges-by-two example/debounce "s/edges \+ 8'd1/edges + 8'd2/" 'next out\.edges'
broken reset-value example/debounce "s/(count\w*) <= 4'd15;/\1 <= 4'd14;/" 'reset count'
broken counts-up example/debounce "s/(count\w*) - 4'd1/\1 + 4'd1/" 'next count'
broken write-enable test/bram_struct/bram_struct 's/push && !level\[6\]/push/' 'next ring\.(last|vc|data)\[\]'
broken lost-assignment test/inst_array_part/inst_array_part 's/^ *sum <= unit_sum;.*$//' 'next out\.sum\[[01]\]'
broken lost-hold test/bram_struct/bram_struct 's/if \(!rst && valid_d\) tx_last/tx_last/' '(next|reset) out\.tx\.last'
broken wrong-slice test/inst_array_part/inst_array_part 's/i \* 7 \+ 14 \+:/i * 7 + 7 +:/' 'port unit\[0\]\.offset'
proved test/unread_input/unread_input test/unread_input/unread_input_pair test/unread_input/unread_input_cell
broken lost-port test/unread_input/unread_input_cell "/input .*config_step,/d;s/^( *)(wire unused)/\1wire [3:0] config_step = 4'd3; \2/" 'next out\.count'
refused port-left-open test/unread_input/unread_input_pair '/\.config_step/d' 'port unit\[0\]\.config\.step has 4 bits in the C and 0 in the Verilog'
refused no-plain-port test/unread_input/unread_input_cell "/input .*spare,/d;s/^( *)(wire unused)/\1wire spare = 1'b0; \2/" 'the Verilog has 3 inputs, the C 4'
echo "1..$number"
exit "$failed"
