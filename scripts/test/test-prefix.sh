#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# test-prefix.sh - rtlgen --prefix: the lcb of two machines in one design, which Verilator and Yosys take; files, JSON and
# shim have the prefix; and prefixes that are no names are refused. Prints TAP.
set -euo pipefail

cd "$(dirname "$0")/../.."
rtlgen=${RTLGEN:-build/bin/rtlgen}
out=build/test/prefix
number=0
failed=0

verdict() {
    number=$((number + 1))
    if [[ $1 -eq 0 ]]; then
        echo "ok $number - $2"
    else
        failed=1
        echo "not ok $number - $2 # $3"
    fi
}

# lower SET FLAG...: the lcb of a machine into $out/SET
lower() {
    local set=$1
    shift
    mapfile -t link < <(scripts/room.sh link)
    "$rtlgen" -Ihls --top lcb -o "$out/$set" "$@" "${link[@]}"
}

# one_design SET SET MODULE MODULE: a design with a module of each set; what the tools say in $out/log
one_design() {
    local top=$out/top.v status=0 files
    mapfile -t files < <(find "$out/$1" "$out/$2" -name '*.v' ! -name '*_tb.v' | sort)
    printf 'module top;\n    wire clk = 0;\n    %s one (.clk(clk));\n    %s two (.clk(clk));\nendmodule\n' "$3" "$4" >"$top"
    verilator --lint-only -Wno-PINMISSING -Wno-fatal --top-module top "$top" "${files[@]}" >"$out/log" 2>&1 ||
        status=1
    grep -q MODDUP "$out/log" && status=1
    yosys -q -p "read_verilog $top ${files[*]}; hierarchy -check -top top" >>"$out/log" 2>&1 || status=1
    return $status
}

rm -rf "$out"
mkdir -p "$out"
lower a --prefix heddle_aries_
lower p --prefix heddle_proto_ -DMACHINE_PROTO=1
status=0
one_design a p heddle_aries_lcb heddle_proto_lcb || status=1
verdict $status "two machines in one design" "$(head -n 1 "$out/log")"

lower plain
lower other -DMACHINE_PROTO=1
status=0
one_design plain other lcb lcb || status=1
verdict $((status == 0)) "without a prefix they are none" "nothing is said of two modules lcb"

stray=$(find "$out/a" -type f ! -name 'heddle_aries_*' | head -n 1)
stray+=$(sed 's/^heddle_aries_//' "$out/a/heddle_aries_lcb.f" | diff - "$out/plain/lcb.f" | head -n 1 || true)
verdict $((${#stray} > 0)) "files and file lists" "$stray"

stray=$(sed 's/heddle_aries_//g' "$out/a/heddle_aries_lcb.json" | diff - "$out/plain/lcb.json" | head -n 1 || true)
grep -q '"module":"heddle_aries_lcb_rx"' "$out/a/heddle_aries_lcb.json" || stray+="no instance heddle_aries_lcb_rx"
verdict $((${#stray} > 0)) "JSON, of the module and its instances" "$stray"

status=0
clang-19 -std=c23 -fsyntax-only -Ihls -I. -I"$out/a" "$out/a/heddle_aries_lcb_shim.c" 2>"$out/log" || status=1
grep -q 'heddle_aries_lcb_cosim = {' "$out/a/heddle_aries_lcb_shim.c" || status=1
grep -q '"Vheddle_aries_lcb.h"' "$out/a/heddle_aries_lcb_raw.cpp" || status=1
verdict $status "shim" "$(head -n 1 "$out/log")"

for prefix in "" 9x_ a__ 'a$'; do
    status=0
    "$rtlgen" -Ihls --prefix "$prefix" -o "$out/none" hls/example/debounce.c 2>"$out/log" || status=$?
    [[ $status -eq 1 && $(grep -c '^rtlgen: --prefix' "$out/log") -eq 1 && ! -e $out/none ]] && status=0
    verdict $status "--prefix '$prefix'" "$(head -n 1 "$out/log")"
done

echo "1..$number"
exit $failed
