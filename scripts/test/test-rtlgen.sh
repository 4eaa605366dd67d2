#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# test-rtlgen.sh golden|errors|--accept - what rtlgen writes for rtl_gen/test, against what is
# expected there.
#
#   golden    <room>/x.c: every module it describes gives the Verilog in <room>/<module>.v; two builds of rtlgen
#             (gcc; clang with sanitizers) write the same bytes
#             those of <room> systemverilog with --sv <x>_pkg what is in <module>.sv and <x>_pkg.sv, too;
#             and `--report` of x says what report/x.txt has
#   errors    err/x.c, called there as `rtlgen -I../../../hls x.c`, or err/x.args, which holds the
#             arguments: exit status 1, the message in x.err, nothing written
#   --accept  the expected files are written from what rtlgen says now
set -euo pipefail

tests=rtl_gen/test
out=build/test/rtlgen
rtlgen=build/bin/rtlgen-test
export ASAN_OPTIONS=detect_leaks=0:malloc_context_size=2 # its memory lives until it exits
number=0
failed=0

ok() {
    number=$((number + 1))
    echo "ok $number - $1"
}

not_ok() {
    number=$((number + 1))
    failed=1
    echo "not ok $number - $1 # $2"
}

# lower FILE FOLDER FLAG...: into a fresh folder; messages beside it in .log
lower() {
    local file=$1 dir=$2
    shift 2
    rm -rf "$dir" "$dir.log"
    mkdir -p "$dir"
    "$rtlgen" -Ihls -o "$dir" "$@" "$file" 2>"$dir.log"
}

is_systemverilog() {
    [[ ${room[$1]} == */systemverilog ]]
}

first_difference() {
    diff "$1" "$2" | sed -n 2p | cut -c1-100
}

# golden X LANGUAGE [sv/]: its Verilog or SystemVerilog (v, sv)
golden() {
    local x=$1 language=$2 dir=$out/$3$1 file expected package=()
    [[ $language == v ]] || package=(--sv "${x}_pkg")
    if ! lower "${room[$x]}/$x.c" "$dir" "${package[@]}"; then
        not_ok "$x" "$(head -n 1 "$dir.log")"
        return
    fi
    for file in "$dir"/*."$language"; do
        [[ $file != *_tb.v ]] || continue
        expected=${room[$x]}/${file##*/}
        if [ ! -e "$expected" ]; then
            not_ok "$x: ${file##*/}" "there is no $expected; see make golden"
        elif ! cmp -s "$expected" "$file"; then
            not_ok "$x: ${file##*/}" "$(first_difference "$expected" "$file")"
        else
            ok "$x: ${file##*/}"
        fi
    done
    if diff -rq -x "done" "$dir" "build/rtl/$3test/$x" >"$dir.log" 2>&1; then
        ok "$x: two builds, the same bytes"
    else
        not_ok "$x: two builds, the same bytes" "$(head -n 1 "$dir.log")"
    fi
}

# ends X: the other Verilog of a process, which is not kept, can be made
ends() {
    local x=$1 way
    for way in arms group; do
        if lower "${room[$x]}/$x.c" "$out/ends-$x" --states "$way"; then
            ok "$x: --states $way"
        else
            not_ok "$x: --states $way" "$(grep -m1 error "$out/ends-$x.log" || echo "it has crashed")"
        fi
    done
}

# Runs a refusal in its folder, so that messages name files as x.err has them
refuse() {
    local here=$PWD words=("-I../../../hls" "$1.c")
    rm -rf "$2" "$2.log"
    mkdir -p "$2"
    cd "$tests/err"
    if [ -e "$1.args" ]; then read -ra words <"$1.args"; fi
    status=0
    "$here/$rtlgen" -o "$here/$2" "${words[@]}" 2>"$here/$2.log" || status=$?
    cd "$here"
}

error() {
    local x=$1 dir=$out/err/$1 status
    refuse "$x" "$dir"
    if [ "$status" -ne 1 ]; then
        not_ok "err/$x" "exit status $status; $(head -n 1 "$dir.log")"
    elif ! cmp -s "$tests/err/$x.err" "$dir.log"; then
        not_ok "err/$x" "$(first_difference "$tests/err/$x.err" "$dir.log")"
    elif [ -n "$(ls -A "$dir")" ]; then
        not_ok "err/$x" "left files behind"
    else
        ok "err/$x"
    fi
}

report() {
    local x=$1 log=$out/$1.report
    rm -rf "$log.rtl"
    "$rtlgen" -Ihls -o "$log.rtl" --report "${room[$x]}/$x.c" >"$log" 2>&1 || true
    if cmp -s "$tests/report/$x.txt" "$log"; then
        ok "report of $x"
    else
        not_ok "report of $x" "$(first_difference "$tests/report/$x.txt" "$log")"
    fi
}

accept() {
    local x dir file status
    for x in "${features[@]}"; do
        dir=$out/$x
        lower "${room[$x]}/$x.c" "$dir" || { cat "$dir.log" >&2 && continue; }
        for file in "$dir"/*.v; do
            [[ $file == *_tb.v ]] || cp "$file" "${room[$x]}/"
        done
        is_systemverilog "$x" || continue
        lower "${room[$x]}/$x.c" "$dir" --sv "${x}_pkg" || { cat "$dir.log" >&2 && continue; }
        cp "$dir"/*.sv "${room[$x]}/"
    done
    for x in "${refusals[@]}"; do
        refuse "$x" "$out/err/$x"
        [ "$status" -eq 1 ] || { echo "err/$x is not refused: exit status $status" >&2 && continue; }
        cp "$out/err/$x.log" "$tests/err/$x.err"
    done
    for x in "${reports[@]}"; do
        "$rtlgen" -Ihls -o "$out/$x" --report "${room[$x]}/$x.c" >"$tests/report/$x.txt"
    done
    git --no-pager diff --stat -- "$tests" 2>/dev/null || true
}

shopt -s nullglob
declare -A room
features=()
for file in "$tests"/*/*.c; do
    [[ ! $file =~ /(err|hand|ub|words)/ ]] || continue
    features+=("$(basename "$file" .c)")
    room[$(basename "$file" .c)]=${file%/*}
done
refusals=("$tests"/err/*.c "$tests"/err/*.args)
refusals=("${refusals[@]##*/}")
refusals=("${refusals[@]%.*}")
reports=("$tests"/report/*.txt)
reports=("${reports[@]##*/}")
reports=("${reports[@]%.txt}")
mkdir -p "$out/err" "$out/sv"

case ${1:-} in
golden)
    for x in "${features[@]}"; do
        golden "$x" v ""
        ! is_systemverilog "$x" || golden "$x" sv sv/
        [[ ${room[$x]} != */processes ]] || ends "$x"
    done
    for x in "${reports[@]}"; do report "$x"; done
    ;;
errors)
    for x in "${refusals[@]}"; do error "$x"; done
    ;;
--accept)
    rtlgen=build/bin/rtlgen
    [[ -x $rtlgen ]] || { echo "test-rtlgen.sh: there is no $rtlgen; make golden builds it" >&2 && exit 1; }
    accept
    exit 0
    ;;
*)
    echo "usage: test-rtlgen.sh golden|errors|--accept" >&2
    exit 1
    ;;
esac
echo "1..$number"
exit "$failed"
