#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# pnr.sh SET MODULE DEVICE SEEDS [PLACER] - places and routes a module of build/rtl/SET, and prints its clock rate for each seed,
# its size, and the longest path in names of the C.
#
# The module is synthesised within a wrapper (wrapper.awk) and counted without it. Placement is a lottery: the clock
# rate is the median over the seeds, an odd number of them; the path is that of its run. Leaves
# build/reports/pnr-<module>-<device>.json, for other sets than aries pnr-<set>-<module>-<device>.json:
#
#   fmax_mhz   by seed                     lut, ff, bram   of the module alone, counted as in synth.sh
#   path       of the median run, nets with the nanosecond at which each is there
#   path_levels  cells that it passes through
#   seconds    of synthesis and all runs   tools           their versions
#   placer     of nextpnr, see tools.sh
#   levels     of logic between two registers, as rtlgen --report counts them, and levels_at, where they end in the C: it
#              counts one for each operation of the C, a chain of choices one by one; synthesis makes trees of many
set -euo pipefail

fail() {
    echo "pnr.sh: $module: $*" >&2
    exit 1
}

[[ $# -eq 4 || $# -eq 5 ]] || { echo "usage: pnr.sh SET MODULE DEVICE SEEDS [PLACER]" >&2 && exit 1; }
cd "$(dirname "$0")/../.."
. scripts/given.sh
. scripts/pnr/tools.sh
set=$1
module=$2
seeds=$4
placer=${5:-heap}
paths_of_names "$set" "$module"
numbers "$seeds"
[[ ", $PLACERS," == *", $placer,"* ]] || fail "unknown placer $placer; there are $PLACERS"
[[ $((seeds % 2)) -eq 1 ]] || fail "SEEDS=$seeds: an odd number is wanted, so that the median is one of them"
mapfile -t files < <(verilog "$set" "$module")
[[ ${#files[@]} -gt 0 ]] || fail "no such module in build/rtl/$set"
device "$3"
[[ $placer == heap || $family == ecp5 ]] || fail "nextpnr for $3 has no $placer placer"

name=$module-$3
[[ $set == aries ]] || name=${set//\//-}-$name
work=build/placed/$name
report=build/reports/pnr-$name.json
rm -rf "$work"
mkdir -p "$work" build/reports
start=$SECONDS

echo "pnr.sh: $module of $set on $3, logs in $work"
synthesise "$work/ports.log" \
    "read_verilog ${files[*]}; hierarchy -top $module; tee -q -o $work/ports.txt portlist $module"
awk -v module="$module" -f scripts/pnr/wrapper.awk "$work/ports.txt" >"$work/wrapper.v" ||
    fail "no ports but clk found, see $work/ports.txt"
synthesise "$work/yosys.log" "read_verilog ${files[*]} $work/wrapper.v
    hierarchy -top wrapper; setattr -mod -set keep_hierarchy 1 $module; synth_$family $options -top wrapper
    tee -q -o $work/stat.json stat -json -top wrapper
    setattr -mod -unset keep_hierarchy $module; flatten; opt_clean -purge; write_json $work/netlist.json"
mapfile -t sources < <(sed -n 's/^ "file": "\(.*\)",$/\1/p' "${files[@]/%.v/.json}" | sort -u)
[[ $family != ecp5 ]] || scripts/pnr/clock_reset.py "$work/netlist.json" wrapper
machine=()
[[ $set == aries || $set == */* || $set == example || $set == lib ]] || machine=(-D "MACHINE_${set^^}=1")
build/bin/rtlgen -Ihls "${machine[@]}" --report --top "$module" -o "$work" "${sources[@]}" >"$work/levels.txt" ||
    fail "rtlgen --report failed"
for ((seed = 1; seed <= seeds; seed++)); do
    route "$work/netlist.json" "$work/seed$seed" --freq "$target" --timing-allow-fail --seed "$seed" --placer "$placer"
    echo "pnr.sh: seed $seed: $(scripts/pnr/pnr_report.py --rate "$work/seed$seed.json") MHz"
done
scripts/pnr/pnr_report.py --set "$set" --module "$module" --device "$3" --seconds $((SECONDS - start)) --placer "$placer" \
    --tools "$(versions)" \
    --levels "$work/levels.txt" --stat "$work/stat.json" --out "$report" "$work"/seed*.json
echo "report: $report"
