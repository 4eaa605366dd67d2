#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# bitstream.sh BOARD TOP - build/board/BOARD-TOP/board.bit, of a top of hls/board/ in build/rtl/proto, or of hls/example/.
#
# The board is described by constraints/BOARD.board and its pins by constraints/BOARD.lpf. The PLL makes the rate that the
# table names; nextpnr must meet it with one of three seeds, else there is no bitstream. Prints rate and size; leaves
# build/reports/board-BOARD-TOP.json with keys as in pnr.sh and `wanted_mhz`.
#
# What is made of the same Verilog, constraints, scripts and tools is not made twice: a bitstream that is there is left alone, and a
# run that was interrupted goes on behind its last whole step, in next/. The bitstream of before stays until a new one is whole.
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
set=proto
[[ -f build/rtl/proto/$top.f ]] || set=example
mapfile -t files < <(verilog "$set" "$top")

serial=115200
work=build/board/$board-$top
next=$work/next
report=build/reports/board-$board-$top.json
mkdir -p "$next" build/reports
start=$SECONDS
hertz=$(awk -v mhz="$rate" 'BEGIN { printf "%d", mhz * 1000000 }')
made_of=$(cat "${files[@]}" scripts/pnr/* constraints/pnr.txt "constraints/$board".* | sha256sum)

# same FOLDER: what is there was made of the same
same() { [[ -f $1/made-of && $(<"$1/made-of") == "$made_of" ]]; }

if same "$work" && [[ -f $work/board.bit ]]; then
    echo "bitstream: $work/board.bit is made of this Verilog already; rm -r $work makes it again"
    exit 0
fi
if ! same "$next"; then
    rm -rf "$next"
    mkdir -p "$next"
    echo "$made_of" >"$next/made-of"
fi

echo "bitstream.sh: $top for $board at $rate MHz, logs in $next"
if [[ -f $next/netlist.json ]]; then
    echo "bitstream.sh: synthesised before"
else
    build/pnr/bin/yowasp-ecppll --clkin "$clock" --clkout0 "$rate" --module pll --file "$next/pll.v" >"$next/pll.log" 2>&1 ||
        fail "no PLL from $clock to $rate MHz: $(tail -n 1 "$next/pll.log")"
    synthesise "$next/yosys.log" "read_verilog -DTOP=$top ${files[*]} $next/pll.v scripts/pnr/board.v
        chparam -set BIT $((hertz / serial - 1)) -set SECOND $((hertz - 1)) -set LED_LOW $led_low -set BUTTON_LOW $button_low board
        hierarchy -top board; synth_$family $options -top board; tee -q -o $next/stat.json stat -json -top board; write_json $next/netlist.part"
    [[ $family != ecp5 ]] || scripts/pnr/clock_reset.py "$next/netlist.part" board
    mv "$next/netlist.part" "$next/netlist.json"
fi
for seed in 1 2 3; do
    if [[ ! -f $next/seed$seed.config ]]; then
        route "$next/netlist.json" "$next/seed$seed" --lpf "constraints/$board.lpf" --freq "$rate" --timing-allow-fail \
            --textcfg "$next/seed$seed.part" --seed "$seed"
        mv "$next/seed$seed.part" "$next/seed$seed.config"
    fi
    reached=$(scripts/pnr/pnr_report.py --rate "$next/seed$seed.json")
    echo "bitstream.sh: seed $seed: $reached MHz"
    awk -v reached="$reached" -v rate="$rate" 'BEGIN { exit reached < rate }' || continue
    build/pnr/bin/yowasp-ecppack --compress --input "$next/seed$seed.config" --bit "$next/board.bit" >"$next/pack.log" 2>&1 ||
        fail "ecppack failed: $(tail -n 1 "$next/pack.log")"
    scripts/pnr/pnr_report.py --set "$set" --module board --device "$board" --wanted "$rate" --seconds $((SECONDS - start)) \
        --tools "$(versions)" --stat "$next/stat.json" --out "$report" "$next/seed$seed.json"
    rm -f "$work/made-of"
    mv "$next"/*.log "$work/"
    mv "$next/board.bit" "$work/board.bit"
    mv "$next/made-of" "$work/made-of"
    rm -rf "$next"
    echo "bitstream: $work/board.bit"
    exit 0
done
fail "timing is not met at $rate MHz with any of three seeds; take a lower rate in constraints/$board.board"
