#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# bench-compile.sh - time and memory of rtlgen:
#
#   hls/                       each set that is lowered in one call, and all of them together
#   100 ... 100,000 lines      made by bench/describe.awk: many small modules in files of 2,000 lines, and one module of
#                              up to 10,000 lines, as larger ones take more than rtlgen's 2,000 MB; per line, against
#                              1,000 lines of the same
#
# Processor time of rtlgen and the clang it starts, best of 3 (of 1 from 10,000 lines on); memory of the
# larger process. Writes build/reports/bench-compile.json, a list of {name, value, unit, against, ratio}.
# Environment: RTLGEN, LINES_OF_C ("100 1000 10000 100000").
set -euo pipefail

rtlgen=${RTLGEN:-build/bin/rtlgen}
read -ra sizes <<<"${LINES_OF_C:-100 1000 10000 100000}"
. scripts/given.sh
numbers "${sizes[@]}"
out=build/bench/compile
report=build/reports/bench-compile.json
rows=()

row() {
    rows+=("{\"name\": \"$1\", \"value\": $2, \"unit\": \"$3\", \"against\": \"$4\", \"ratio\": $5}")
    printf '  %-46s %10s %-8s %8s  %s\n' "$1" "$2" "$3" "$5" "$4"
}

divide() {
    awk -v a="$1" -v b="$2" 'BEGIN { printf "%.3f\n", a / b }'
}

# lower RUNS ARGUMENT...: sets seconds and megabytes
lower() {
    local runs=$1 i
    shift
    for ((i = 0; i < runs; i++)); do
        rm -rf "$out/rtl"
        mkdir -p "$out/rtl"
        /usr/bin/time -f '%U %S %M' -o "$out/time" "$rtlgen" -Ihls -o "$out/rtl" "$@" 2>"$out/log" ||
            { cat "$out/log" >&2 && exit 1; }
        tail -n 1 "$out/time"
    done >"$out/times"
    seconds=$(awk '{ s = $1 + $2; if (NR == 1 || s < least) least = s } END { printf "%.2f", least }' "$out/times")
    megabytes=$(awk '{ m = $3 > m ? $3 : m } END { printf "%.0f", m / 1024 }' "$out/times")
}

bench_hls() {
    local folder files
    for folder in link router; do
        mapfile -t files < <(scripts/room.sh "$folder")
        lower 3 "${files[@]}"
        row "rtlgen, hls/$folder" "$seconds" s "" null
    done
    mapfile -t files < <(scripts/room.sh link router && printf 'hls/chip/%s.c\n' device link_port global_clock)
    lower 3 "${files[@]}"
    row "rtlgen, all of aries" "$seconds" s "at most 10 s" "$(divide "$seconds" 10)"
    row "rtlgen, all of aries, memory" "$megabytes" MB "at most 1000 MB" "$(divide "$megabytes" 1000)"
}

# describe SHAPE LINES: files in $out/c
describe() {
    local shape=$1 lines=$2 part=2000 first
    rm -rf "$out/c"
    mkdir -p "$out/c"
    [[ $shape == many && $lines -gt $part ]] || part=$lines
    for ((first = 0; first < lines; first += part)); do
        awk -v shape="$shape" -v lines="$part" -v first="$((first / 20))" -f scripts/bench/describe.awk \
            >"$out/c/part$first.c"
    done
}

bench_sizes() {
    local shape=$1 lines base=0 count
    for lines in "${sizes[@]}"; do
        [[ $shape == many || $lines -le 10000 ]] || continue
        describe "$shape" "$lines"
        count=$(cat "$out"/c/*.c | wc -l)
        lower $((lines < 10000 ? 3 : 1)) "$out"/c/*.c
        [[ $lines -ne 1000 ]] || base=$(awk -v s="$seconds" -v n="$count" 'BEGIN { print s / n }')
        row "rtlgen, $2, $count lines" "$seconds" s "per line, against 1,000 lines" \
            "$(awk -v s="$seconds" -v n="$count" -v b="$base" 'BEGIN { if (b) printf "%.2f", s / n / b; else print "null" }')"
        row "rtlgen, $2, $count lines, memory" "$megabytes" MB "" null
    done
}

mkdir -p "$out" build/reports
echo "bench-compile: seconds of processor time; rtlgen and clang"
bench_hls
bench_sizes many "modules of 60 lines"
bench_sizes one "one module"
{
    printf '[\n'
    for ((i = 0; i < ${#rows[@]}; i++)); do
        printf '  %s%s\n' "${rows[i]}" "$([ "$i" -eq $((${#rows[@]} - 1)) ] || echo ,)"
    done
    printf ']\n'
} >"$report.part"
mv "$report.part" "$report"
echo "bench-compile: $report"
