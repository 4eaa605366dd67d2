#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# prove-checks.sh [SET/MODULE ...] - what each module says of itself: its hls_assert, the bounds of its indices and shifts,
# and its hls_cover, with yosys-smtbmc and z3. The module under its own hls_assume, with any other inputs; what memories of more
# than 16 words return is left open. Without arguments: the modules of aries, and those of gemini, where two numbers
# of three bits are no VC, of lib and of example.
#
#   cut         the assertions are inductive whatever the module's children do: they hold in the first STEPS (3)
#               clocks after reset, and whenever they held for STEPS clocks, in the next one
#   induction   the same with its children
#   bounded     they hold in the first DEPTH (20) clocks after reset
#   set         with any inputs they do not; the set of prove.sh that is named says what surrounds the module and proves
#               the invariant behind them
#   open        none of these; tb/equiv/prove/prove-checks.txt has the reason
#
# Covers: how many are reached within DEPTH clocks. Results: a line per module; build/prove/entry/checks-*.json, each
# {module, machine, method, depth, proved, asserts, assumes, covers, covers_reached, set, seconds}, and with all others
# build/reports/prove.json. Exit status 1 when assertions of a module that is not listed are open, or those of a listed one are not.
set -euo pipefail

cd "$(dirname "$0")/../../.."
. scripts/given.sh
rtl=${RTL:-build/rtl}
depth=${DEPTH:-20}
steps=${STEPS:-3}
entries=${ENTRIES:-build/prove/entry}
reasons=${OPEN:-tb/equiv/prove/prove-checks.txt}
numbers "$depth" "$steps" "${SECONDS_EACH:-400}"
paths_of_names "$@"
ulimit -v 8000000

# Sets of prove.sh about what a module needs of its surroundings
declare -A set_of=([lcb_rx]=rx_buffer [lcb_credit]=credit [inq_store]=store)

# count PATTERN SET/MODULE: lines of its Verilog
count() {
    grep -c "$1" "$rtl/$2.v" || true
}

# model SET/MODULE WORK cut|whole: WORK/model.smt2, of the module with its children or without
model() {
    local set=${1%/*} module=${1##*/} work=$2 words=16 children='' file files=()
    [[ $3 == whole ]] || children="delete $module/c:* $module/t:\$* %d"
    # The code over the buffer of lcb_rx costs the solver minutes, and no check speaks of what stands there.
    [[ $module != lcb_rx ]] || words=8
    while read -r file; do
        sed -f tb/equiv/prove/without-zeros.sed "$rtl/$set/$file" >"$work/$file"
        files+=("$work/$file")
    done <"$rtl/$1.f"
    cat >"$work/top.v" <<END
module top (input wire clk);
    reg rst = 1'b1;
    always @(posedge clk) rst <= 1'b0;
    $module dut (.clk(clk), .rst(rst));
endmodule
END
    yosys -q -l "$work/yosys.log" -p "read_verilog -formal -DHLS_ASSERT $work/top.v ${files[*]}
        hierarchy -check -top top; chformal -assert -assume -cover -remove top %n $module %d
        $children; proc; flatten; setundef -undriven -anyseq; opt -full; chformal -early
        memory -nordff -nomap; memory_map t:\$mem_v2 r:SIZE<=$words %i
        delete t:\$mem*; setundef -undriven -anyseq; opt -fast; dffunmap
        write_smt2 -wires $work/model.smt2" >"$work/yosys.out" 2>&1
}

# solve WORK LOG ARGUMENT...: at most SECONDS_EACH of a processor
solve() (
    work=$1 log=$2
    shift 2
    ulimit -t "${SECONDS_EACH:-400}"
    exec yosys-smtbmc -s z3 --logic QF_BV --unroll --noprogress "$@" "$work/model.smt2" >"$work/$log.log" 2>&1
)

inductive() {
    solve "$1" step -i -t "$steps" && solve "$1" base -t "$steps"
}

# decide SET/MODULE WORK: how its assertions are proved, "METHOD DEPTH"; the model of the whole module is left in WORK
decide() {
    if model "$1" "$2" cut && inductive "$2"; then
        echo "cut $steps"
    elif ! model "$1" "$2" whole; then
        echo "open 0"
    elif inductive "$2"; then
        echo "induction $steps"
    elif solve "$2" base -t "$depth"; then
        echo "bounded $depth"
    elif [[ -n ${set_of[${1##*/}]:-} ]]; then
        echo "set 0"
    else
        echo "open 0"
    fi
}

one() {
    local module=${1##*/} work=build/prove/checks/$1 method=none far=0 reached=0 proved=true started=$SECONDS set=
    local n_asserts n_assumes n_covers
    n_asserts=$(count 'HLS_CHECK(assert,' "$1") n_assumes=$(count 'HLS_CHECK(assume,' "$1") n_covers=$(count '^ *cover (' "$1")
    rm -rf "$work"
    mkdir -p "$work"
    [[ $n_asserts -eq 0 ]] || read -r method far <<<"$(decide "$1" "$work")"
    [[ -n $method ]] || method=open far=0 # decide was killed
    [[ $method != set ]] || set=${set_of[$module]}
    [[ $method != open ]] || proved=false
    if [[ $n_covers -gt 0 ]]; then
        model "$1" "$work" whole
        solve "$work" cover -c -t "$depth" || true
        reached=$(grep -c 'Reached cover' "$work/cover.log" || true)
    fi
    echo "{\"module\": \"$module\", \"machine\": \"${1%/*}\", \"method\": \"checks: $method\", \"depth\": $far, \"proved\": $proved, \"asserts\": $n_asserts, \"assumes\": $n_assumes, \"covers\": $n_covers, \"covers_reached\": $reached, \"set\": \"$set\", \"seconds\": $((SECONDS - started))}" >"$entries/checks-${1//\//-}.json"
    printf '%-20s %d assertions %-9s %s%2d; %d assumptions; %d of %d covers within %d clocks; %d s\n' "$1" \
        "$n_asserts" "$method" "$set " "$far" "$n_assumes" "$reached" "$n_covers" "$depth" $((SECONDS - started))
    if grep -q "^$1 " "$reasons"; then
        [[ $method == open ]] || { echo "$1 is proved, though $reasons lists it" && return 1; }
    else
        $proved
    fi
}

mkdir -p "$entries"
modules=("$@")
if [[ $# -eq 0 ]]; then
    for file in "$rtl"/{aries,gemini,lib,example}/*.json; do
        name=${file#"$rtl/"}
        ! grep -qE 'HLS_CHECK\(assert,|^ *cover \(' "${file%.json}.v" || modules+=("${name%.json}")
    done
fi
failed=0
for name in "${modules[@]}"; do
    one "$name" || failed=1
done
tb/equiv/prove/prove-report.sh "$entries"
exit "$failed"
