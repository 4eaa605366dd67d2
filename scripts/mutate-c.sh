#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# mutate-c.sh - the share of errors in a module's C that tests against the golden models catch.
#
# Each error that tb/mutate.c can make in hls/link/MODULE.c (all, or N drawn by the seed) is compiled
# natively, as a library that the link's test programs are linked with; they run on it until the first one that
# fails a check, crashes or exceeds its time. RTL takes no part. Errors that do not compile, or give the same object code or
# the same Verilog, are no mutants: the latter two are the proof that they change nothing. Nor are those that no test finds
# and rtlgen refuses (a register that the reset leaves out). Needs build/bin/rtlgen, works in build/mutate/c, prints the
# survivors and writes build/reports/mutation-MODULE-c.json: {module, kind, seed, mutants, killed, equivalent, tests,
# kinds: {name: [mutants, killed]}, survivors}.
set -euo pipefail

usage() {
    echo "usage: mutate-c.sh MODULE [MUTANTS [SEED]]    defaults: 200 1; MUTANTS=all takes every one" >&2
    exit 1
}

[[ $# -ge 1 && $# -le 3 ]] || usage
cd "$(dirname "$0")/.."
module=$1
mutants=${2:-200}
seed=${3:-1}
source=hls/link/$module.c
# quick ones first; TESTS in the environment names others
read -ra tests <<<"${TESTS:-link_tx link_rx link_axis link_patterns link_ecc link_registers link_sideband link_reset link_death link_lanes link_delivery link_blocks}"
limit=20 # seconds of processor time for one test; the longest takes 4
[[ -e $source ]] || { echo "mutate-c.sh: there is no $source" >&2 && exit 1; }
objects=build/mutate/c
work=$objects/$module
report=build/reports/mutation-$module-c.json
rm -rf "$work"
mkdir -p "$work/rtl" build/reports

flags=(-std=c23 -D_GNU_SOURCE -w -O1 -fPIC -I. -Ihls -Itb)
mutate=build/bin/mutate

# What the tests are made of besides the module, compiled anew: minutes are lost otherwise, not here.
prepare() {
    local file name bench=(harness link_bench dut traffic channel golden/link golden/lane) parts=()
    gcc -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -O2 -o "$mutate" tb/mutate.c
    for file in hls/link/*.c "${bench[@]/#/tb/}"; do
        [[ $file != "$source" ]] || continue
        name=$objects/$(basename "$file" .c).o
        clang-19 "${flags[@]}" -c "${file%.c}.c" -o "$name"
        parts+=("$name")
    done
    compile "$source" "$work/original.o"
    library "$work/original.o"
    for name in "${tests[@]}"; do
        clang-19 "${flags[@]}" "tb/test_$name.c" "${parts[@]}" -L"$work" -lmutant -lcjson -lm -o "$work/test_$name"
    done
}

# compile FILE.c OBJECT
compile() {
    clang-19 "${flags[@]}" -Ihls/link -c "$1" -o "$2" 2>/dev/null
}

# library OBJECT: what the tests run on from now on
library() {
    clang-19 -shared -o "$work/libmutant.so" "$1"
}

# fails TEST: a check fails, and then it is stopped, or its exit status is not 0
fails() {
    local pid output
    exec {output}< <(ulimit -t "$limit" && LD_LIBRARY_PATH=$work exec stdbuf -oL "$work/test_$1" 2>&1)
    pid=$!
    if grep -q '^not ok' <&"$output"; then
        kill "$pid" 2>/dev/null || true
        exec {output}<&-
        return 0
    fi
    exec {output}<&-
    ! wait "$pid"
}

# caught: some test fails
caught() {
    local test
    for test in "${tests[@]}"; do
        ! fails "$test" || return 0
    done
    return 1
}

# verilog FILE.c: without comments; fails if rtlgen refuses it
verilog() {
    rm -f "$work"/rtl/*
    build/bin/rtlgen -Ihls -Ihls/link -o "$work/rtl" --top "$module" "$1" >"$work/rtlgen.log" 2>&1 || return 1
    sed 's| *//.*||; /HLS_CHECK/,/text")/d' "$work/rtl/$module.v"
}

prepare
! caught || { echo "mutate-c.sh: a test fails without an error" >&2 && exit 1; }
verilog "$source" >"$work/original.v"

"$mutate" "$source" >"$work/all.txt"
if [[ $mutants == all ]]; then
    cp "$work/all.txt" "$work/list.txt"
else
    awk -v seed="$seed" 'BEGIN { srand(seed) } { print rand(), $0 }' "$work/all.txt" | sort -n |
        sed -n "1,${mutants}p" | cut -d' ' -f2- | sort -n >"$work/list.txt"
fi

made=0
killed=0
equivalent=0
declare -A kind_made kind_killed
survivors=()
while read -r number kind rest; do
    "$mutate" "$source" "$number" >"$work/mutant.c"
    compile "$work/mutant.c" "$work/mutant.o" || continue
    if cmp -s "$work/mutant.o" "$work/original.o"; then
        equivalent=$((equivalent + 1))
        continue
    fi
    library "$work/mutant.o"
    if caught; then
        killed=$((killed + 1))
        kind_killed[$kind]=$((${kind_killed[$kind]:-0} + 1))
    elif ! verilog "$work/mutant.c" >"$work/mutant.v"; then
        echo "refused by rtlgen: $number $kind $rest"
        continue
    elif cmp -s "$work/mutant.v" "$work/original.v"; then
        equivalent=$((equivalent + 1))
        continue
    else
        survivors+=("$kind $rest")
        echo "survives: $number $kind $rest"
    fi
    made=$((made + 1))
    kind_made[$kind]=$((${kind_made[$kind]:-0} + 1))
    [[ $((made % 20)) -ne 0 ]] || echo "# $made mutants, $killed killed"
done <"$work/list.txt"

kinds=()
for kind in "${!kind_made[@]}"; do
    kinds+=("\"$kind\": [${kind_made[$kind]}, ${kind_killed[$kind]:-0}]")
done
printf '{"module": "%s", "kind": "c", "seed": %d, "mutants": %d, "killed": %d, "equivalent": %d, "tests": "%s", "kinds": {%s}, "survivors": [%s]}\n' \
    "$module" "$seed" "$made" "$killed" "$equivalent" "${tests[*]}" "$(IFS=,; echo "${kinds[*]}")" \
    "$(for s in "${survivors[@]}"; do printf '%s\n' "$s"; done | sed 's/[\\"]/\\&/g; s/.*/"&"/' | paste -sd,)" >"$report.part"
mv "$report.part" "$report"
echo "$module: $killed of $made mutants of the C killed, $equivalent more the same; report: $report"
