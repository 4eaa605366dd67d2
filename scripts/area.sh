#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# area.sh - generated against hand-written Verilog of the same function, in the same flow.
#
# For each pair runs scripts/synth.sh on both for ECP5, prints the figures and their ratios, generated
# over hand-written, and writes build/reports/area.json: a list of
#
#   {module, lut_ratio, ff_ratio, mem_ratio, path_ratio, fmax_ratio, met, generated, hand}
#
# mem is the size of the memory cells in bits (18,432 a DP16KD, 64 a DPR16X4); path is the
# longest path through cells in picoseconds (scripts/ecp5_path.awk). "met": none of these four ratios is above 1.
# fmax is the clock rate after place and route on iCE40 HX8K, null if not asked for or if it does not fit there.
set -euo pipefail

usage() {
    cat <<'END_OF_USAGE'
usage: area.sh [--seeds N] [MODULE ...]

  MODULE     a block of rtl_gen/test/hand; default all
  --seeds N  place-and-route runs per clock rate on iCE40, default 0: none
END_OF_USAGE
}

fail() {
    echo "area.sh: $*" >&2
    exit 1
}

seeds=0
while [[ ${1:-} == --* ]]; do
    case $1 in
    --seeds) seeds=${2:-} && shift 2 ;;
    --help) usage && exit 0 ;;
    *) usage >&2 && exit 1 ;;
    esac
done
cd "$(dirname "$0")/.."
. scripts/given.sh
numbers "$seeds"
names "$@"

modules=("$@")
if [[ $# -eq 0 ]]; then
    for file in rtl_gen/test/hand/*.v; do
        [[ $file == *_tb.v ]] || modules+=("$(basename "$file" .v)")
    done
fi
for module in "${modules[@]}"; do
    [[ -e rtl_gen/test/hand/$module.v ]] || fail "there is no rtl_gen/test/hand/$module.v"
done

# Where rtlgen's output of a module is: build/rtl/SET. Its C stands beside the hand-written one, in
# the tests of rtlgen, or in hls/link.
set_of() {
    if [[ -e rtl_gen/test/hand/$1.c ]]; then
        echo "test/hand/$1"
    elif [[ -n $(find rtl_gen/test -name "$1.c") ]]; then
        echo "test/$1"
    else
        echo aries
    fi
}

# One figure of a synth report: figure SET MODULE TARGET KEY
figure() {
    sed -n "s/.*\"$4\": \([0-9.]*\|null\)[,}].*/\1/p" "build/reports/synth-${1%%/*}-$2-$3.json"
}

# No memory on both sides is a ratio of 1.
ratio() {
    awk -v a="$1" -v b="$2" 'BEGIN { if (a == "null" || b == "null") print "null"
                                     else if (b + 0 == 0) print a + 0 == 0 ? "1.000" : "null"
                                     else printf "%.3f\n", a / b }'
}

# The five figures of one side, in the array values.
measure() {
    local bits
    scripts/synth.sh "$1" "$2" ecp5 >/dev/null
    bits=$(($(figure "$1" "$2" ecp5 bram) * 18432 + $(figure "$1" "$2" ecp5 lutram) * 64))
    values=("$(figure "$1" "$2" ecp5 lut)" "$(figure "$1" "$2" ecp5 ff)" "$bits"
        "$(figure "$1" "$2" ecp5 path_ps)" null)
    if [[ $seeds -gt 0 ]] && scripts/synth.sh --seeds "$seeds" "$1" "$2" ice40 >/dev/null 2>&1; then
        values[4]=$(figure "$1" "$2" ice40 fmax_mhz)
    fi
}

object() {
    printf '{"lut": %s, "ff": %s, "mem": %s, "path": %s, "fmax_mhz": %s}' "$@"
}

mkdir -p build/reports
report=build/reports/area.json
row='%-13s %-10s %6s %6s %7s %6s %9s\n'
entries=()
# shellcheck disable=SC2059
printf "$row" module '' lut ff mem path fmax_mhz
for module in "${modules[@]}"; do
    measure "$(set_of "$module")" "$module"
    generated=("${values[@]}")
    measure hand "$module"
    hand=("${values[@]}")
    ratios=()
    for i in 0 1 2 3 4; do
        ratios+=("$(ratio "${generated[$i]}" "${hand[$i]}")")
    done
    met=$(printf '%s\n' "${ratios[@]:0:4}" | awk '$1 == "null" || $1 > 1 { over = 1 }
                                                  END { print over ? "false" : "true" }')
    # shellcheck disable=SC2059
    {
        printf "$row" "$module" generated "${generated[@]}"
        printf "$row" '' hand "${hand[@]}"
        printf "$row" '' ratio "${ratios[@]}"
    }
    entries+=("$(printf '{"module": "%s", "lut_ratio": %s, "ff_ratio": %s, "mem_ratio": %s, "path_ratio": %s, "fmax_ratio": %s, "met": %s, "generated": %s, "hand": %s}' \
        "$module" "${ratios[@]}" "$met" "$(object "${generated[@]}")" "$(object "${hand[@]}")")")
done
printf '[%s]\n' "$(IFS=,; echo "${entries[*]}")" >"$report.part"
mv "$report.part" "$report"
echo "wanted: lut, ff, mem and path at most 1; report: $report"
