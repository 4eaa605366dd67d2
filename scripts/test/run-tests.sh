#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# run-tests.sh [-j N] LIST - runs test programs that print TAP, N at a time.
#
# LIST has one test program per line: "name|command". The output of each goes to
# build/test/<name>.tap; a line is printed when it ends, with the failed checks under it. Those that took longest last time begin
# first (build/test/<name>.seconds), new ones before them in the order of the list. A program
# that ends early (no plan, fewer checks than planned, an exit status without a failed check)
# counts as one failed check more. Ends with "N passed, M failed"; exit status 1 if any failed.
set -euo pipefail

out=build/test

# Runs one program; prints its report and leaves "passed failed" in <name>.count.
run_one() {
    local name=${1%%|*} command=${1#*|}
    local tap=$out/$name.tap status=0 started=$SECONDS
    mkdir -p "$(dirname "$tap")"
    rm -f "$out/$name.count"
    bash -c "$command" >"$tap" 2>&1 || status=$?

    local passed failed plan why=
    passed=$(grep -c '^ok ' "$tap" || true)
    failed=$(grep -c '^not ok ' "$tap" || true)
    plan=$(sed -n 's/^1\.\.\([0-9]*\).*/\1/p' "$tap" | tail -n 1)
    if [ -z "$plan" ]; then
        why="ended without a plan"
    elif [ "$plan" -ne $((passed + failed)) ]; then
        why="$((passed + failed)) checks made, $plan planned"
    elif [ "$status" -ne 0 ] && [ "$failed" -eq 0 ]; then
        why="exit status $status"
    fi
    [ -z "$why" ] || failed=$((failed + 1))

    {
        if [ "$failed" -eq 0 ]; then
            printf '  ok      %s: %d, %d s\n' "$name" "$passed" $((SECONDS - started))
        else
            printf '  FAILED  %s: %d of %d, see %s\n' "$name" "$failed" $((passed + failed)) "$tap"
            grep '^not ok ' "$tap" | head -n 5 | sed 's/^/            /' || true
            if [ -n "$why" ]; then
                printf '            %s; its last words:\n' "$why"
                tail -n 5 "$tap" | sed 's/^/            /'
            fi
        fi
    } | cut -c1-200
    echo "$passed $failed" >"$out/$name.count"
    echo $((SECONDS - started)) >"$out/$name.seconds"
}

if [ "${1:-}" = --one ]; then
    run_one "$2"
    exit 0
fi

jobs=1
if [ "${1:-}" = -j ]; then
    jobs=$2
    shift 2
fi
. "$(dirname "$0")/../given.sh"
numbers "$jobs"
list=${1:?usage: run-tests.sh [-j N] LIST}
if [ ! -s "$list" ]; then
    echo "run-tests: no tests in $list" >&2
    exit 1
fi

# The list, longest of the last run first
longest_first() {
    local line seconds
    while read -r line; do
        seconds=100000
        [ ! -e "$out/${line%%|*}.seconds" ] || read -r seconds <"$out/${line%%|*}.seconds"
        echo "$seconds $line"
    done <"$list" | sort -s -n -r -k 1,1 | cut -d ' ' -f 2-
}

echo "running $(wc -l <"$list") test programs, seed ${SEED:-1}"
longest_first | xargs -d '\n' -n 1 -P "$jobs" "$0" --one

passed=0
failed=0
while IFS='|' read -r name _; do
    p=0 f=1 # a program whose runner was killed
    if [ -e "$out/$name.count" ]; then
        read -r p f <"$out/$name.count"
    fi
    passed=$((passed + p))
    failed=$((failed + f))
done <"$list"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
