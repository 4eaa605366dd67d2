#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# lint.sh [verilog|c|scripts] - no warning anywhere; without an argument all three.
#
#   verilog   every module under build/rtl through Verilator -Wall, Icarus -Wall and Yosys
#             (hierarchy -check, opt_clean, check -assert), plain and with HLS_STATE and HLS_ASSERT;
#             Yosys with FORMAL too; and no module of more than 800 lines
#             SystemVerilog under build/rtl/sv, of each set what no other module has within it: Verilator -Wall, the same two
#   c         clang-format and clang-tidy over hls, rtl_gen, tb and sim
#   scripts   shellcheck
#
# Prints each warning, then a table; build/reports/lint.json has the counts. Exit status 1 if any.
set -euo pipefail

out=build/lint
jobs=2
mpi=$(mpicc --showme:incdirs 2>/dev/null | cut -d ' ' -f 1) || true

# One module of one folder: verilog_one DIR/M.v
verilog_one() {
    local file=$1 dir module defines
    dir=$(dirname "$file")
    module=$(basename "$file" .v)
    if [ "$(wc -l <"$file")" -gt 800 ]; then
        echo "length: $file: more than 800 lines, take a part of the C into a module of its own"
    fi
    for defines in "" "-DHLS_STATE -DHLS_ASSERT"; do
        # shellcheck disable=SC2086 # several defines
        verilator --lint-only -Wall $defines -y "$dir" --top-module "$module" "$file" 2>&1 |
            grep '^%' | grep -v 'Exiting due to' | sed 's/^/verilator: /' || true
        # shellcheck disable=SC2086
        iverilog -g2005 -Wall $defines -tnull -y "$dir" -s "$module" "$file" 2>&1 |
            sed 's/^/icarus: /' || true
    done
}

# All under one module: sv_one DIR/M.f. In some runs, not in all, Verilator 5.006 takes a variable of a function for one that hides
# a net of another module; slang (test-sv.sh) knows better.
sv_one() {
    local dir module defines files
    dir=$(dirname "$1")
    module=$(basename "$1" .f)
    mapfile -t files < <(sed "s|^|$dir/|" "$1")
    for defines in "" "--assert -DHLS_STATE -DHLS_ASSERT"; do
        # shellcheck disable=SC2086 # several words
        verilator --lint-only -Wall -Wno-VARHIDDEN $defines --top-module "$module" "${files[@]}" 2>&1 |
            grep '^%' | grep -v 'Exiting due to' | sed 's/^/verilator: /' || true
    done
}

# All modules of one folder at once: yosys_one DIR
yosys_one() {
    local dir=$1 defines files status
    files=$(find "$dir" -maxdepth 1 -name '*.v' ! -name '*_tb.v' | sort | tr '\n' ' ')
    for defines in "" "-DHLS_STATE" "-formal -DFORMAL -DHLS_ASSERT"; do
        status=0
        (
            ulimit -v 8000000
            yosys -q -p "read_verilog $defines $files; hierarchy -check; proc; opt_clean; check -assert"
        ) 2>&1 | grep -v '^ *$' | sed "s|^|yosys: $dir: |" || status=$?
        [ "$status" -le 1 ] || echo "yosys: $dir: exit status $status"
    done
}

c_one() {
    local file=$1 flags
    if ! clang-format-19 --dry-run -Werror "$file" >/dev/null 2>&1; then
        echo "format: $file: run clang-format-19 -i $file"
    fi
    case $file in
    *.h | rtl_gen/test/err/*) return ;; # headers are seen where they are included
    sim/engine/ranks/mpi.c) [ -n "$mpi" ] || return 0 ;; # without MPI it is not built either
    esac
    mapfile -t flags < <(scripts/make/commands.py "$file")
    tidy "$file" "${flags[@]}"
}

# tidy FILE FLAG...: its findings, kept under the hash of what the compiler and clang-tidy read
tidy() {
    local file=$1 kept
    shift
    # the analyzer's default of 225000 states takes twice as long and finds nothing more here
    set -- -Xclang -analyzer-config -Xclang max-nodes=40000 "$@"
    kept=$out/tidy-$({ cat .clang-tidy "$0"; clang-19 -E -CC "$@" "$file" 2>&1 || true; } |
        sha256sum | cut -c 1-32)
    if [ ! -e "$kept" ]; then
        mkdir -p "$out" # --one in a new tree
        clang-tidy-19 --quiet "$file" -- "$@" 2>/dev/null |
            grep -E '(warning|error):' | sed 's/^/tidy: /' >"$kept.part" || true
        mv "$kept.part" "$kept"
    fi
    cat "$kept"
}

scripts_one() {
    shellcheck -x -P .:scripts:scripts/test -f gcc "$1" | sed 's/^/shellcheck: /' || true
}

if [ "${1:-}" = --one ]; then
    "$2_one" "$3"
    exit 0
fi

# each KIND FILE...: the check of that name for every file, several at a time
each() {
    local kind=$1
    shift
    [ $# -eq 0 ] || printf '%s\n' "$@" | xargs -d '\n' -n 1 -P "$jobs" "$0" --one "$kind"
}

# The lists of files under build/rtl/sv whose module is in no other one
sv_tops() {
    local list module
    [[ ! -d build/rtl/sv ]] || find build/rtl/sv -name '*.f' | sort | while read -r list; do
        module=$(basename "$list" .f)
        [[ $(grep -lx "$module.sv" "${list%/*}"/*.f | wc -l) -gt 1 ]] || echo "$list"
    done
}

verilog() {
    local files dirs
    mapfile -t files < <(find build/rtl -name '*.v' ! -name '*_tb.v' | sort)
    mapfile -t dirs < <(printf '%s\n' "${files[@]}" | xargs -n 1 dirname | sort -u)
    echo "lint: ${#files[@]} Verilog modules through Verilator and Icarus" >&2
    each verilog "${files[@]}"
    mapfile -t files < <(sv_tops)
    echo "lint: ${#files[@]} topmost modules of SystemVerilog through Verilator" >&2
    each sv "${files[@]}"
    echo "lint: ${#dirs[@]} folders of Verilog through Yosys" >&2
    each yosys "${dirs[@]}"
}

c() {
    local files
    mapfile -t files < <(find hls rtl_gen scripts sim tb -name '*.[ch]' | sort)
    echo "lint: ${#files[@]} C files through clang-format and clang-tidy" >&2
    each c "${files[@]}"
}

scripts() {
    local files
    mapfile -t files < <(find scripts rtl_gen tb .ci -type f \( -name '*.sh' -o -name run \) | sort)
    echo "lint: ${#files[@]} scripts through shellcheck" >&2
    each scripts "${files[@]}"
}

mkdir -p "$out" build/reports
log=$out/warnings
case ${1:-} in
verilog | c | scripts) "$1" ;;
"") { verilog && c && scripts; } ;;
*) echo "usage: lint.sh [verilog|c|scripts]" >&2 && exit 1 ;;
esac | sort -u >"$log"

cat "$log"
total=$(wc -l <"$log")
{
    printf '{"warnings": %d' "$total"
    for tool in verilator icarus yosys length format tidy shellcheck; do
        printf ', "%s": %d' "$tool" "$(grep -c "^$tool: " "$log" || true)"
    done
    echo '}'
} >build/reports/lint.json.part
mv build/reports/lint.json.part build/reports/lint.json
echo "lint: $total warnings; build/reports/lint.json"
[ "$total" -eq 0 ]
