#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# bitstream.sh BOARD TOP - build/board/BOARD-TOP/board.bit, of a top of hls/board/ in build/rtl/proto.
#
# The board is described by constraints/BOARD.board and its pins by constraints/BOARD.lpf. The PLL makes the rate that the
# table names; nextpnr must meet it with one of three seeds, else there is no bitstream. Prints rate and size; leaves
# build/reports/board-BOARD-TOP.json with keys as in pnr.sh and `wanted_mhz`.
set -euo pipefail

fail() {
    echo "bitstream.sh: ${top:-} on ${board:-}: $*" >&2
    exit 1
}

[[ $# -eq 2 ]] || { echo "usage: bitstream.sh BOARD TOP" >&2 && exit 1; }
cd "$(dirname "$0")/../.."
. scripts/given.sh
. scripts/pnr/tools.sh
board=$1
top=$2
names "$board" "$top"
board_facts "$board" "$top"
device "$device"
mapfile -t files < <(verilog proto "$top")

serial=115200
work=build/board/$board-$top
report=build/reports/board-$board-$top.json
rm -rf "$work"
mkdir -p "$work" build/reports
start=$SECONDS

echo "bitstream.sh: $top for $board at $rate MHz, logs in $work"
build/pnr/bin/yowasp-ecppll --clkin "$clock" --clkout0 "$rate" --module pll --file "$work/pll.v" >"$work/pll.log" 2>&1 ||
    fail "no PLL from $clock to $rate MHz: $(tail -n 1 "$work/pll.log")"
hertz=$(awk -v mhz="$rate" 'BEGIN { printf "%d", mhz * 1000000 }')
synthesise "$work/yosys.log" "read_verilog -DTOP=$top ${files[*]} $work/pll.v scripts/pnr/board.v
    chparam -set BIT $((hertz / serial - 1)) -set SECOND $((hertz - 1)) -set LED_LOW $led_low -set BUTTON_LOW $button_low board
    hierarchy -top board; synth_$family $options -top board; tee -q -o $work/stat.json stat -json -top board; write_json $work/netlist.json"
[[ $family != ecp5 ]] || scripts/pnr/clock_reset.py "$work/netlist.json" board
for seed in 1 2 3; do
    route "$work/netlist.json" "$work/seed$seed" --lpf "constraints/$board.lpf" --freq "$rate" --timing-allow-fail \
        --textcfg "$work/seed$seed.config" --seed "$seed"
    reached=$(scripts/pnr/pnr_report.py --rate "$work/seed$seed.json")
    echo "bitstream.sh: seed $seed: $reached MHz"
    awk -v reached="$reached" -v rate="$rate" 'BEGIN { exit reached < rate }' || continue
    scripts/pnr/pnr_report.py --set proto --module board --device "$board" --wanted "$rate" --seconds $((SECONDS - start)) \
        --tools "$(versions)" --stat "$work/stat.json" --out "$report" "$work/seed$seed.json"
    build/pnr/bin/yowasp-ecppack --compress --input "$work/seed$seed.config" --bit "$work/board.bit" >"$work/pack.log" 2>&1 ||
        fail "ecppack failed: $(tail -n 1 "$work/pack.log")"
    echo "bitstream: $work/board.bit"
    exit 0
done
fail "timing is not met at $rate MHz with any of three seeds; take a lower rate in constraints/$board.board"
