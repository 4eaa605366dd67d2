#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# fmax.sh - clock rate of a Verilog module on an iCE40 HX8K, by nextpnr-ice40.
#
# The module's ports are folded into the shift wrapper of pnr/wrapper.awk, made from the port list that Yosys gives.
# Placement is a lottery, so the figure is the median over several seeds. Prints one line with
# the median in MHz, then the single results; everything else goes to FOLDER.
set -euo pipefail

usage() {
    cat <<'END'
usage: fmax.sh [--seeds N] FOLDER MODULE FILE.v ...

  FOLDER    where wrapper, netlist and logs go (made if missing)
  --seeds N number of place-and-route runs, default 9; odd, so that the median is one of them
END
}

fail() {
    echo "fmax.sh: $*" >&2
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
[[ $# -ge 3 ]] || { usage >&2 && exit 1; }
. "$(dirname "$0")/given.sh"
numbers "$seeds"
[[ $seeds -gt 0 ]] || fail "--seeds 0 would find no clock rate"
folder=$1
module=$2
names "$module"
shift 2
plain_paths "$folder" "$@"

ulimit -v 8000000
mkdir -p "$folder"
ports=$folder/ports.txt
wrapper=$folder/wrapper.v
netlist=$folder/netlist.json

# Yosys prints the ports as "input [47:0] in_flit" lines.
yosys -q -p "read_verilog $*; hierarchy -top $module; tee -q -o $ports portlist $module" \
    >"$folder/yosys.log" 2>&1 || fail "$module: Yosys cannot read it, see $folder/yosys.log"

awk -v module="$module" -f "$(dirname "$0")/pnr/wrapper.awk" "$ports" >"$wrapper" ||
    fail "$module: no ports but clk found, see $ports"

yosys -q -p "read_verilog $* $wrapper; synth_ice40 -top wrapper -json $netlist" \
    >"$folder/yosys.log" 2>&1 || fail "$module: synthesis failed, see $folder/yosys.log"

results=()
for ((seed = 1; seed <= seeds; seed++)); do
    log=$folder/seed$seed.log
    nextpnr-ice40 --hx8k --package ct256 --pcf-allow-unconstrained --freq 200 --seed "$seed" \
        --timing-allow-fail --json "$netlist" >"$log" 2>&1 ||
        fail "$module does not place and route on HX8K: $(grep -m1 ERROR "$log"), see $log"
    results+=("$(awk '/Max frequency for clock/ { for (i = 1; i < NF; i++)
                          if ($(i + 1) == "MHz") { mhz = $i; break } } END { print mhz }' "$log")")
done
printf '%s\n' "${results[@]}" | sort -n | sed -n "$((seeds / 2 + 1))p"
echo "${results[*]}"
