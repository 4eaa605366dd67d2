#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# synth.sh - area of a module by Yosys, and its clock rate where place and route exists.
#
# Reads build/rtl/SET/MODULE.f, or rtl_gen/test/hand/MODULE.v for the set "hand", prints a table and
# writes build/reports/synth-MACHINE-MODULE-TARGET.json, where MACHINE is SET up to a slash. How
# cells are counted:
#
#   target   lut                                    bram              lutram
#   ecp5     LUT4 + 2 CCU2C + 4 DPR16X4             DP16KD            DPR16X4
#   ice40    SB_LUT4                                SB_RAM40_4K       none in the family
#   xilinx   LUT1-6 + RAM cells and shift registers RAMB18 + 2 RAMB36 RAM and SRL cells
# On ECP5 without multiplexers between LUTs (-nowidelut): Yosys 0.23 otherwise builds XOR trees of
# LUT6 and LUT7 and pays four and eight LUT4 for each, which says more about luck than about logic.
#
# path_ps, on ECP5 alone, is the longest path through cells (scripts/ecp5_path.awk).
#
# The clock rate is that of scripts/fmax.sh on iCE40 HX8K; null for other targets, with --seeds 0,
# and for what does not fit.
set -euo pipefail

usage() {
    cat <<'END'
usage: synth.sh [--seeds N] SET MODULE TARGET

  SET        aries or another folder of build/rtl; "hand" takes the hand-written Verilog
  MODULE     a module lowered to build/rtl/SET, or one of rtl_gen/test/hand
  TARGET     ecp5, ice40 or xilinx
  --seeds N  place-and-route runs for the clock rate on ice40, default 9, 0 for none
END
}

fail() {
    echo "synth.sh: $*" >&2
    exit 1
}

seeds=9
while [[ ${1:-} == --* ]]; do
    case $1 in
    --seeds) seeds=${2:-} && shift 2 ;;
    --help) usage && exit 0 ;;
    *) usage >&2 && exit 1 ;;
    esac
done
[[ $# -eq 3 ]] || { usage >&2 && exit 1; }
set=$1
module=$2
target=$3
machine=${set%%/*}
cd "$(dirname "$0")/.."
. scripts/given.sh
numbers "$seeds"
paths_of_names "$set" "$module" "$target"

case $target in
ecp5 | ice40 | xilinx) ;;
*) fail "unknown target $target; there are ecp5, ice40 and xilinx" ;;
esac

# The Verilog files of the module, one per line.
sources() {
    if [[ $set == hand ]]; then
        ls "rtl_gen/test/hand/$module.v"
    else
        local folder=build/rtl/$set file
        while read -r file; do
            [[ -z $file ]] || { [[ -f $file ]] && echo "$file"; } || echo "$folder/$file"
        done <"$folder/$module.f"
    fi
}

# Names of the modules that exist in this set.
known() {
    local none=" none, run make rtl" file suffix=f folder=build/rtl/$set
    [[ $set == hand ]] && suffix=v folder=rtl_gen/test/hand
    shopt -s nullglob
    for file in "$folder"/*."$suffix"; do
        file=$(basename "$file" ".$suffix")
        [[ $file == *_tb ]] || printf ' %s' "$file"
        none=
    done
    printf '%s' "$none"
}

mapfile -t files < <(sources 2>/dev/null)
[[ ${#files[@]} -gt 0 ]] ||
    fail "no module $module in set $set; there are:$(known)"

ulimit -v 8000000
options=-flatten
name=$machine-$module-$target
work=build/synth/$name
report=build/reports/synth-$name.json
mkdir -p "$work" build/reports
[[ $target == ecp5 ]] && options="-flatten -nowidelut"
echo "synth.sh: $module of $set on $target, log in $work/yosys.log"
if ! yosys -q -l "$work/yosys.log" \
    -p "read_verilog ${files[*]}; synth_$target $options -top $module; tee -q -o $work/stat.txt stat; write_blif $work/netlist.blif" \
    >/dev/null 2>&1; then
    memory=$(sed -n 's/^ERROR: no valid mapping found for memory //p' "$work/yosys.log")
    [[ -z $memory ]] || fail "$target has no memory of the kind of $memory (LUTRAM); take ecp5 or xilinx"
    fail "Yosys failed: $(grep -m1 ERROR "$work/yosys.log")"
fi

# "TYPE COUNT" lines of the last block of stat.
awk '/Number of cells:/ { delete n } NF == 2 && $2 ~ /^[0-9]+$/ { n[$1] = $2 }
     END { for (t in n) print t, n[t] }' "$work/stat.txt" >"$work/cells.txt"

# Sum of the cells whose type matches, each times a weight: count REGEX WEIGHT ...
count() {
    local total=0 part
    while [[ $# -gt 0 ]]; do
        part=$(awk -v type="^($1)\$" -v weight="$2" '$1 ~ type { s += $2 * weight } END { print s + 0 }' \
            "$work/cells.txt")
        total=$((total + part))
        shift 2
    done
    echo "$total"
}

case $target in
ecp5)
    lut=$(count LUT4 1 CCU2C 2 TRELLIS_DPR16X4 4)
    ff=$(count TRELLIS_FF 1)
    bram=$(count DP16KD 1)
    lutram=$(count TRELLIS_DPR16X4 1)
    ;;
ice40)
    lut=$(count SB_LUT4 1)
    ff=$(count 'SB_DFF.*' 1)
    bram=$(count 'SB_RAM40_4K.*' 1)
    lutram=0
    ;;
xilinx)
    shared='RAM(32M|64M)|RAM128X1D'
    single='SRL16E|SRLC32E'
    double='RAM(32|64)X1D'
    lut=$(count 'LUT[1-6]' 1 "$single" 1 "$double" 2 "$shared" 4)
    ff=$(count 'FD[RSCP]E(_1)?' 1)
    bram=$(count RAMB18E1 1 RAMB36E1 2)
    lutram=$(count "$single|$double|$shared" 1)
    ;;
esac

path=null
[[ $target != ecp5 ]] || path=$(awk -f scripts/ecp5_path.awk "$work/netlist.blif")

fmax=null
if [[ $target == ice40 && $seeds -gt 0 ]]; then
    echo "synth.sh: place and route, $seeds seeds"
    if results=$(scripts/fmax.sh --seeds "$seeds" "$work/fmax" "$module" "${files[@]}" 2>"$work/fmax.txt"); then
        fmax=$(head -n 1 <<<"$results")
    else
        echo "synth.sh: no clock rate: $(head -n 1 "$work/fmax.txt")"
    fi
fi

printf '{"machine": "%s", "module": "%s", "target": "%s", "lut": %d, "ff": %d, "bram": %d, "lutram": %d, "path_ps": %s, "fmax_mhz": %s, "yosys": "%s"}\n' \
    "$machine" "$module" "$target" "$lut" "$ff" "$bram" "$lutram" "$path" "$fmax" \
    "$(yosys -V | cut -d' ' -f2)" >"$report.part"
mv "$report.part" "$report"

printf '%-24s %-7s %7s %7s %6s %7s %7s %9s\n' module target lut ff bram lutram path_ps fmax_mhz
printf '%-24s %-7s %7d %7d %6d %7d %7s %9s\n' "$module" "$target" "$lut" "$ff" "$bram" "$lutram" "$path" "$fmax"
echo "report: $report"
