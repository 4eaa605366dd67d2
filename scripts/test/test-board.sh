#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# test-board.sh CLOCKS FORM... - what the tops of hls/board/ print is the same from their C, for 100,000 clocks, as from
# their Verilog, and for CLOCKS as from what synthesis for ECP5 makes of it: each FORM is TOP/netlist or TOP/netlist70
# (boards.mk). Modules with block RAMs do on ECP5 what their C does. And what people get wrong is reported in one line. Prints TAP.
set -euo pipefail

cd "$(dirname "$0")/../.."
. scripts/given.sh
numbers "$1"
plain_paths "$@"
clocks=$1
shift
work=build/test/board
cells=/usr/share/yosys/ecp5
number=0
failed=0
mkdir -p $work

verdict() {
    number=$((number + 1))
    if [ -z "$1" ]; then
        echo "ok $number - $2"
    else
        failed=1
        echo "not ok $number - $2 # $1"
    fi
}

# same TOP FORM CLOCKS: the first line that differs, or that there is none
same() {
    local clocks=$3
    build/board/"$1"/native --cycles "$clocks" >$work/"$1"-native.txt || echo "native failed"
    build/board/"$1"/"$2" --cycles "$clocks" >$work/"$1"-"$2".txt || echo "$2 failed"
    [ "$(wc -l <$work/"$1"-native.txt)" -ge 3 ] || echo "hardly a line"
    diff $work/"$1"-native.txt $work/"$1"-"$2".txt | head -n 2 | tail -n 1
}

# memory X: of rtl_gen/test, whose netlist, with the model of the block RAM, does with recorded vectors, some of which are
# resets, what its C did
memory() {
    local name=test/$1/$1 out=$work/$1 result seed
    # Yosys' own DP16KD is a black box
    awk '/^module DP16KD\(/ { skip = 1 } !skip { print } /^endmodule/ { skip = 0 }' "$cells/cells_sim.v" >$work/cells.v
    result=$(
        set -e
        for seed in {1..50}; do
            build/cosim/"$name" --info build/rtl/"$name".json --cycles 2000 --seed "$seed" --record "$out.txt" >/dev/null
            [ "$(grep -c '^1 ' "$out.txt")" -lt 4 ] || break
        done
        [ "$seed" -lt 50 ]
        yosys -q -p "read_verilog -DHLS_STATE build/rtl/$name.v; synth_ecp5 -nodsp -top $1; write_verilog -noattr $out.v"
        grep -q DP16KD "$out.v"
        [ "$1" != bram_clear ] || grep -q 'RSTB(rst)' "$out.v"
        iverilog -g2005 -I "$cells" -o "$out.vvp" build/rtl/"$name"_tb.v "$out.v" $work/cells.v tb/blocks/board/DP16KD.v
        vvp -n "$out.vvp" "+vectors=$out.txt"
    ) || result+=" and a step failed"
    [[ $result == PASS* ]] || echo "$result" | head -n 1
}

# refused PATTERN COMMAND...: exit status 1 and one line
refused() {
    local status=0
    "${@:2}" >$work/out 2>&1 || status=$?
    { [ $status -eq 1 ] && [ "$(wc -l <$work/out)" -eq 1 ] && grep -q -e "$1" $work/out; } ||
        echo "status $status: $(head -n 1 $work/out)"
}

for top in link_bist device_bist; do
    verdict "$(same $top rtl 100000)" "$top: its Verilog prints what its C prints, 100,000 clocks"
done
for form in "$@"; do
    verdict "$(same "${form%/*}" "${form#*/}" "$clocks")" "${form%/*}: so does its ${form#*/}, $clocks clocks"
done
for module in bram_plain bram_read_first bram_clear crc_replay; do
    verdict "$(memory $module)" "$module on block RAMs of ECP5 does what its C does"
done
verdict "$(refused 'unknown board x; there are ecp5evn, ulx3s' scripts/pnr/bitstream.sh x link_bist)" "an unknown board lists the boards"
verdict "$(refused 'no top x for ulx3s; there are link_bist, device_bist' scripts/pnr/bitstream.sh ulx3s x)" "an unknown top lists the tops"

# a loader that finds no board, and says so as openFPGALoader does
bitstream=build/board/ulx3s-link_bist/board.bit
mkdir -p $work/loader "${bitstream%/*}"
printf '#!/bin/sh\necho "empty"\necho "unable to open ftdi device: -3 (device not found)" >&2\necho "JTAG init failed with: unable to open ftdi device" >&2\nexit 1\n' \
    >$work/loader/openFPGALoader
chmod +x $work/loader/openFPGALoader
[ -e $bitstream ] || made=$bitstream
[ -z "${made:-}" ] || touch "$made"
verdict "$(refused 'no ulx3s could be loaded, is it connected.*device not found' env PATH="$PWD/$work/loader:$PATH" scripts/pnr/load.sh ulx3s link_bist)" "no board is there"
[ -z "${made:-}" ] || rm "$made"
echo "1..$number"
exit $failed
