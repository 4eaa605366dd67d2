#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# bench.sh - speeds and sizes, each beside what it is compared with.
#
#   rtlgen            time to lower all of hls/link and of hls/router, against 5 s; lines of Verilog per line of C
#   the model         scripts/bench/lcb_loop.c (two link control blocks and their traffic), natively
#                     and by Verilator built in three ways; equal checksums, one thread, processor time, median of 5
#   the router        aries with its traffic, natively (tb/system/programs/router_speed.c); its 48 tiles natively and as 48 Verilated
#                     tiles beside them (tb/equiv/lockstep/loaded.c)
#
# Writes build/reports/bench.json, a list of {name, value, unit, against, ratio}, and bench.svg.
# Environment: RTLGEN, CLOCKS.
set -euo pipefail

rtlgen=${RTLGEN:-build/bin/rtlgen}
clocks=${CLOCKS:-500000}
runs=5
. scripts/given.sh
numbers "$clocks"
out=build/bench
rtl=$out/rtl
verilator_inc=/usr/share/verilator/include
rows=()

# row NAME VALUE UNIT AGAINST RATIO, RATIO may be null
row() {
    rows+=("{\"name\": \"$1\", \"value\": $2, \"unit\": \"$3\", \"against\": \"$4\", \"ratio\": $5}")
    printf '  %-46s %12s %-10s %8s  %s\n' "$1" "$2" "$3" "$5" "$4"
}

median() {
    sort -g | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}

divide() {
    awk -v a="$1" -v b="$2" 'BEGIN { printf "%.3f\n", a / b }'
}

# Lines that are neither blank nor comment only
code_lines() {
    cat "$@" | awk '
        {
            line = $0
            while (1) {
                if (inside) {
                    end = index(line, "*/")
                    if (end == 0) { line = ""; break }
                    line = substr(line, end + 2)
                    inside = 0
                }
                start = index(line, "/*")
                slash = index(line, "//")
                if (slash && (!start || slash < start)) { line = substr(line, 1, slash - 1); break }
                if (!start) break
                rest = substr(line, start + 2)
                head = substr(line, 1, start - 1)
                end = index(rest, "*/")
                if (end) { line = head substr(rest, end + 2); continue }
                line = head
                inside = 1
                break
            }
            if (line ~ /[^ \t]/) n++
        }
        END { print n + 0 }'
}

# bench_rtlgen FOLDER
mapfile -t link < <(scripts/room.sh link)

bench_rtlgen() {
    local i start c verilog folder=$1 files
    mapfile -t files < <(scripts/room.sh "$folder")
    for ((i = 0; i < runs; i++)); do
        rm -rf "${out:?}/$folder"
        mkdir -p "$out/$folder"
        start=$EPOCHREALTIME
        "$rtlgen" -Ihls -o "$out/$folder" "${files[@]}"
        divide "$((${EPOCHREALTIME/./} - ${start/./}))" 1000000
    done >"$out/rtlgen.times"
    find "hls/$folder" -name formal -prune -o -name '*.[ch]' -exec cat {} + -o -name '*.inc' -exec cat {} + >"$out/$folder.c"
    c=$(code_lines "$out/$folder.c")
    verilog=$(find "$out/$folder" -name '*.v' ! -name '*_tb.v' -exec cat {} + >"$out/$folder.all" &&
        code_lines "$out/$folder.all")
    row "rtlgen, all of hls/$folder" "$(median <"$out/rtlgen.times")" s "at most 5 s" \
        "$(divide "$(median <"$out/rtlgen.times")" 5)"
    row "Verilog of hls/$folder" "$verilog" lines "$c lines of C, at most 5 per line" \
        "$(divide "$verilog" "$c")"
}

build_native() {
    cat >"$out/native.c" <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "scripts/bench/lcb_loop.h"

int main(int argc, char **argv)
{
    long clocks = argc > 1 ? atol(argv[1]) : 0;
    struct lcb_loop *self = calloc(1, sizeof *self);
    struct lcb_loop_in in = {.enable = 1};
    struct timespec a, b;
    lcb_loop_reset(self);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &a);
    for (long i = 0; i < clocks; i++)
        lcb_loop(self, &in);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &b);
    printf("%08x %.0f\n", (unsigned)self->out.checksum,
           clocks / (b.tv_sec - a.tv_sec + (b.tv_nsec - a.tv_nsec) * 1e-9));
    free(self);
}
END
    # one unit for the optimiser, as the Verilated model is one
    clang-19 -std=c23 -D_GNU_SOURCE -O3 -flto -fuse-ld=gold -DHLS_NO_CHECKS -I. -Ihls \
        -o "$out/native" "$out/native.c" scripts/bench/lcb_loop.c "${link[@]}"
}

# build_verilated NAME FLAG...: the same loop around the Verilated model
build_verilated() {
    local name=$1 dir=$out/$1.verilated
    shift
    rm -rf "$dir"
    verilator --cc -O3 -Wno-lint -Wno-style -fno-const-bit-op-tree --x-assign fast --x-initial fast \
        "$@" -y "$rtl" --prefix Vlcb_loop --top-module lcb_loop --Mdir "$dir" "$rtl/lcb_loop.v"
    cat >"$dir/main.cpp" <<'END'
#include "Vlcb_loop.h"
#include "verilated.h"
#include <cstdio>
#include <cstdlib>
#include <ctime>

int main(int argc, char **argv)
{
    long clocks = argc > 1 ? atol(argv[1]) : 0;
    VerilatedContext context;
    Vlcb_loop top{&context, "lcb_loop"};
    timespec a, b;
    top.clk = 0;
    top.rst = 1;
    top.enable = 1;
    top.eval();
    top.clk = 1;
    top.eval();
    top.rst = 0;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &a);
    for (long i = 0; i < clocks; i++) {
        top.clk = 0;
        top.eval();
        top.clk = 1;
        top.eval();
    }
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &b);
    printf("%08x %.0f\n", (unsigned)top.checksum,
           clocks / (b.tv_sec - a.tv_sec + (b.tv_nsec - a.tv_nsec) * 1e-9));
}
END
    {
        for file in "$dir"/Vlcb_loop*.cpp; do echo "#include \"${file##*/}\""; done
        echo '#include "main.cpp"'
    } >"$dir/all.cpp"
    g++ -std=gnu++17 -O3 -faligned-new -fcf-protection=none -DVL_USER_FINISH -DVM_TRACE=0 \
        -DVM_COVERAGE=0 -DVM_SC=0 -isystem "$verilator_inc" -isystem "$verilator_inc/vltstd" \
        -I"$dir" -x c++ -o "$out/$name" - "$dir/all.cpp" "$verilator_inc/verilated.cpp" \
        "$verilator_inc/verilated_threads.cpp" -lpthread \
        <<<'void vl_finish(const char *, int, const char *) {}'
}

bench_model() {
    local builds=(native verilator verilator-public-flat-rw verilator-no-inline) build i sums best
    mkdir -p "$rtl"
    "$rtlgen" -Ihls -I. --top lcb_loop -o "$rtl" scripts/bench/lcb_loop.c "${link[@]}"
    echo "  building the native model and three Verilator models" >&2
    build_native
    build_verilated verilator
    build_verilated verilator-public-flat-rw --public-flat-rw
    build_verilated verilator-no-inline -fno-inline
    rm -f "$out"/*.speeds
    for ((i = 0; i < runs; i++)); do # in turn, so that a slow moment hits all
        for build in "${builds[@]}"; do
            "$out/$build" "$clocks" >>"$out/$build.speeds"
        done
    done
    sums=$(cat "$out"/*.speeds | cut -d' ' -f1 | sort -u | wc -l)
    if [ "$sums" -ne 1 ]; then
        echo "bench: the models do not agree, see $out/*.speeds" >&2
        exit 1
    fi
    best=0
    for build in "${builds[@]}"; do
        cut -d' ' -f2 "$out/$build.speeds" | median >"$out/$build.median"
        if [ "$build" != native ] && [ "$(cat "$out/$build.median")" -gt "$best" ]; then
            best=$(cat "$out/$build.median")
        fi
    done
    row "two LCBs, native" "$(cat "$out/native.median")" clocks/s \
        "fastest Verilator build, at least 4" "$(divide "$(cat "$out/native.median")" "$best")"
    for build in "${builds[@]:1}"; do
        row "two LCBs, $build" "$(cat "$out/$build.median")" clocks/s "native" \
            "$(divide "$(cat "$out/$build.median")" "$(cat "$out/native.median")")"
    done
}

# Time of the tiles alone, with what the lockstep needs: registers as a port, assertions.
bench_router() {
    local i json=$out/tiles.json native rtl
    echo "  the native router, then its tiles in lockstep" >&2
    for load in 0 0.5 1; do
        for ((i = 0; i < runs; i++)); do build/bin/router-speed --clocks 5000 --load "$load"; done >"$out/router.speeds"
        row "aries router, native, load $load" "$(median <"$out/router.speeds")" clocks/s \
            "aim 100000 to half load" "$(divide "$(median <"$out/router.speeds")" 100000)"
    done
    build/cosim/aries/loaded-tile --tile all --cycles 5000 --json "$json" >/dev/null 2>&1
    native=$(sed -n 's/.*"native_seconds":[^0-9]*\([0-9.]*\).*/\1/p' "$json")
    rtl=$(sed -n 's/.*"rtl_seconds":[^0-9]*\([0-9.]*\).*/\1/p' "$json")
    row "48 tiles under traffic, native" "$(divide 5000 "$native")" clocks/s "Verilator, at least 4" \
        "$(divide "$rtl" "$native")"
}

plot() {
    for build in native verilator verilator-public-flat-rw verilator-no-inline; do
        echo "\"${build/verilator-/verilator\\n}\" $(cat "$out/$build.median")"
    done >"$out/speeds.dat"
    gnuplot <<END
set terminal svg size 640,360 font "sans,12" background "white"
set output "build/reports/bench.svg.part"
set title "Two link control blocks with traffic, one thread: clocks per second"
set style fill solid 0.8
set boxwidth 0.6
set yrange [0:*]
set format y "%.0s %c"
set grid y
unset key
plot "$out/speeds.dat" using 0:2:xtic(1) with boxes lc rgb "#336699", \
     "" using 0:2:(sprintf("%.0f k", \$2 / 1000)) with labels offset 0,0.7
END
    mv build/reports/bench.svg.part build/reports/bench.svg
}

mkdir -p "$out" build/reports
echo "bench: $clocks clocks, $runs runs of each; $(verilator --version | cut -d' ' -f1,2)," \
    "$(clang-19 --version | head -n 1), $(g++ --version | head -n 1)"
bench_rtlgen link
bench_rtlgen router
bench_model
bench_router
plot
{
    printf '[\n'
    for ((i = 0; i < ${#rows[@]}; i++)); do
        printf '  %s%s\n' "${rows[i]}" "$([ "$i" -eq $((${#rows[@]} - 1)) ] || echo ,)"
    done
    printf ']\n'
} >build/reports/bench.json.part
mv build/reports/bench.json.part build/reports/bench.json
echo "bench: build/reports/bench.json, build/reports/bench.svg"
