#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# mutate-c.sh - the share of errors in a module's C that tests against the golden models catch.
#
# Each error that tb/mutate.c can make in hls/link/MODULE.c (all, or N drawn by the seed) is
# compiled natively and the link's test programs run on it, until the first one that fails, crashes or
# exceeds its time. RTL takes no part. Errors that do not compile, or give the same object code, are no
# mutants: the latter is the proof that they change nothing. Works in build/mutate/c, prints the
# survivors and writes build/reports/mutation-MODULE-c.json:
# {module, kind, seed, mutants, killed, tests, kinds: {name: [mutants, killed]}, survivors}.
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
# quick ones first
# TESTS in the environment names others
read -ra tests <<<"${TESTS:-link_sideband link_ecc link_registers link_death link_axis link_patterns link_lanes link_blocks link_delivery link_rate}"
limit=60 # seconds of processor time for one test
[[ -e $source ]] || { echo "mutate-c.sh: there is no $source" >&2 && exit 1; }
work=build/mutate/c/$module
report=build/reports/mutation-$module-c.json
rm -rf "$work"
mkdir -p "$work" build/reports

flags=(-std=c23 -D_GNU_SOURCE -w -O1 -I. -Ihls -Itb)
mutate=build/bin/mutate
bench=(harness link_bench dut traffic channel link lane)
others=()
for file in hls/link/*.c; do
    [[ $file == "$source" ]] || others+=("build/mutate/c/$(basename "$file" .c).o")
done

# compile FILE.c OBJECT, when it is older
compile() {
    [[ $2 -nt $1 ]] || clang-19 "${flags[@]}" -c "$1" -o "$2"
}

gcc -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -O2 -o "$mutate" tb/mutate.c
for object in "${others[@]}"; do
    compile "hls/link/$(basename "$object" .o).c" "$object"
done
for name in "${bench[@]}" "${tests[@]/#/test_}"; do
    file=tb/$name.c
    [[ -e $file ]] || file=tb/golden/$name.c
    compile "$file" "build/mutate/c/tb_$name.o"
done

# caught OBJECT: some test fails
caught() {
    local test name
    for test in "${tests[@]}"; do
        name=build/mutate/c/tb_
        clang-19 -o "$work/test" "$1" "${others[@]}" "${bench[@]/#/$name}" "${name}test_$test" -lcjson -lm 2>/dev/null
        (ulimit -t "$limit" && exec "$work/test") >"$work/test.log" 2>&1 || return 0
    done
    return 1
}
bench=("${bench[@]/%/.o}")
tests=("${tests[@]/%/.o}")

compile "$source" "$work/original.o"
! caught "$work/original.o" || { echo "mutate-c.sh: a test fails without an error" >&2 && exit 1; }

"$mutate" "$source" >"$work/all.txt"
if [[ $mutants == all ]]; then
    cp "$work/all.txt" "$work/list.txt"
else
    awk -v seed="$seed" 'BEGIN { srand(seed) } { print rand(), $0 }' "$work/all.txt" | sort -n |
        head -n "$mutants" | cut -d' ' -f2- | sort -n >"$work/list.txt"
fi

made=0
killed=0
declare -A kind_made kind_killed
survivors=()
while read -r number kind rest; do
    "$mutate" "$source" "$number" >"$work/mutant.c"
    clang-19 "${flags[@]}" -Ihls/link -c "$work/mutant.c" -o "$work/mutant.o" 2>/dev/null || continue
    ! cmp -s "$work/mutant.o" "$work/original.o" || continue
    made=$((made + 1))
    kind_made[$kind]=$((${kind_made[$kind]:-0} + 1))
    if caught "$work/mutant.o"; then
        killed=$((killed + 1))
        kind_killed[$kind]=$((${kind_killed[$kind]:-0} + 1))
    else
        survivors+=("$kind $rest")
        echo "survives: $kind $rest"
    fi
    [[ $((made % 20)) -ne 0 ]] || echo "# $made mutants, $killed killed"
done <"$work/list.txt"

kinds=()
for kind in "${!kind_made[@]}"; do
    kinds+=("\"$kind\": [${kind_made[$kind]}, ${kind_killed[$kind]:-0}]")
done
printf '{"module": "%s", "kind": "c", "seed": %d, "mutants": %d, "killed": %d, "tests": "%s", "kinds": {%s}, "survivors": [%s]}\n' \
    "$module" "$seed" "$made" "$killed" "${tests[*]%.o}" "$(IFS=,; echo "${kinds[*]}")" \
    "$(for s in "${survivors[@]}"; do printf '%s\n' "$s"; done | sed 's/[\\"]/\\&/g; s/.*/"&"/' | paste -sd,)" >"$report.part"
mv "$report.part" "$report"
echo "$module: $killed of $made mutants of the C killed; report: $report"
