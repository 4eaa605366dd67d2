#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# seeds.sh JOBS COUNT PROGRAM... - all that make test runs (test-list.sh: programs, lockstep, scripts), with COUNT seeds that nobody
# has tried: from the clock, or FIRST=<seed> and the ones behind it. Environment besides: as test-list.sh. What fails is named
# with its seed. Leaves build/reports/seeds.json: `programs`, `seeds`, `failures`, `failed` (program and seed of each); exit status 1 if there are any.
set -euo pipefail

cd "$(dirname "$0")/../.."
. scripts/given.sh
jobs=$1
count=$2
shift 2
first=${FIRST:-$(date +%s)}
numbers "$jobs" "$count" "$first"
list=build/test/seeds-list
failed=()
mkdir -p build/test build/reports

report() {
    printf '{"programs": %d, "seeds": %d, "first_seed": %d, "failures": %d, "failed": [' "$programs" $((seed - first)) "$first" ${#failed[@]}
    printf '%s' "${failed[*]/%/,}" | sed 's/,$//'
    printf ']}\n'
}

echo "seeds: $count from $first on (FIRST=$first repeats them)"
for ((seed = first; seed < first + count; seed++)); do
    SEED=$seed scripts/test/test-list.sh "$@" >"$list"
    programs=$(wc -l <"$list")
    SEED=$seed scripts/test/run-tests.sh -j "$jobs" "$list" >build/test/seeds.log || true
    while read -r name; do
        failed+=("{\"program\": \"$name\", \"seed\": $seed}")
        echo "  FAILED  $name with seed $seed"
        cp "build/test/$name.tap" "build/test/$name.$seed.tap"
    done < <(sed -n 's/^  FAILED  \([^:]*\):.*/\1/p' build/test/seeds.log)
    echo "  seed $seed: $(tail -n 1 build/test/seeds.log)"
done
report >build/reports/seeds.json.part
mv build/reports/seeds.json.part build/reports/seeds.json
echo "seeds: ${#failed[@]} failures of $programs programs with $count seeds; build/reports/seeds.json"
[[ ${#failed[@]} -eq 0 ]]
