#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# area.sh - generated against hand-written Verilog of the same function, in the same flow.
#
# For each pair runs scripts/synth.sh on both (ECP5 for area, iCE40 HX8K for the clock rate), prints
# the figures and their ratios, generated over hand-written, and writes build/reports/area.json:
# a list of {module, generated, hand, ratio, met}. Wanted are at most 1.1 for lut, ff and bram and at
# least 0.95 for the clock rate; "met" says whether a pair is inside.
set -euo pipefail

usage() {
    cat <<'END'
usage: area.sh [--seeds N] [MODULE ...]

  MODULE     lcb_tx, crc_replay; default both
  --seeds N  place-and-route runs per clock rate, default 9
END
}

fail() {
    echo "area.sh: $*" >&2
    exit 1
}

# Where rtlgen's output of a module is: build/rtl/SET.
declare -A set_of=([lcb_tx]=aries [crc_replay]=test/crc_replay)

seeds=9
while [[ ${1:-} == --* ]]; do
    case $1 in
    --seeds) seeds=${2:-} && shift 2 ;;
    --help) usage && exit 0 ;;
    *) usage >&2 && exit 1 ;;
    esac
done
[[ $seeds =~ ^[1-9][0-9]*$ ]] || { usage >&2 && exit 1; }
cd "$(dirname "$0")/.."
modules=("$@")
[[ $# -gt 0 ]] || modules=(lcb_tx crc_replay)
for module in "${modules[@]}"; do
    [[ -n ${set_of[$module]:-} ]] || fail "no pair $module; there are: ${!set_of[*]}"
done

# One figure of a synth report: figure SET MODULE TARGET KEY
figure() {
    sed -n "s/.*\"$4\": \([0-9.]*\|null\)[,}].*/\1/p" "build/reports/synth-${1%%/*}-$2-$3.json"
}

ratio() {
    awk -v a="$1" -v b="$2" 'BEGIN { if (a == "null" || b + 0 == 0) print "null"
                                     else printf "%.3f\n", a / b }'
}

# The four figures of one side as JSON and, in the array values, as numbers.
measure() {
    scripts/synth.sh "$1" "$2" ecp5 >/dev/null
    scripts/synth.sh --seeds "$seeds" "$1" "$2" ice40 >/dev/null
    values=("$(figure "$1" "$2" ecp5 lut)" "$(figure "$1" "$2" ecp5 ff)"
        "$(figure "$1" "$2" ecp5 bram)" "$(figure "$1" "$2" ice40 fmax_mhz)")
}

object() {
    printf '{"lut": %s, "ff": %s, "bram": %s, "fmax_mhz": %s}' "$@"
}

mkdir -p build/reports
report=build/reports/area.json
row='%-12s %-10s %8s %8s %8s %10s\n'
entries=()
# shellcheck disable=SC2059
printf "$row" module '' lut ff bram fmax_mhz
for module in "${modules[@]}"; do
    measure "${set_of[$module]}" "$module"
    generated=("${values[@]}")
    measure hand "$module"
    hand=("${values[@]}")
    ratios=()
    for i in 0 1 2 3; do
        ratios+=("$(ratio "${generated[$i]}" "${hand[$i]}")")
    done
    met=$(awk -v l="${ratios[0]}" -v f="${ratios[1]}" -v b="${ratios[2]}" -v m="${ratios[3]}" \
        'BEGIN { print (l <= 1.1 && f <= 1.1 && b <= 1.1 && m != "null" && m >= 0.95) ? "true" : "false" }')
    # shellcheck disable=SC2059
    {
        printf "$row" "$module" generated "${generated[@]}"
        printf "$row" '' hand "${hand[@]}"
        printf "$row" '' ratio "${ratios[@]}"
    }
    entries+=("{\"module\": \"$module\", \"generated\": $(object "${generated[@]}"), \"hand\": $(object "${hand[@]}"), \"ratio\": $(object "${ratios[@]}"), \"met\": $met}")
done
printf '[%s]\n' "$(IFS=,; echo "${entries[*]}")" >"$report.part"
mv "$report.part" "$report"
echo "wanted: lut, ff, bram at most 1.1, fmax at least 0.95; report: $report"
