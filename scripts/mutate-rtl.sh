#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# mutate-rtl.sh - the share of errors in a module's netlist that lockstep with its C catches.
#
# Yosys' mutate puts errors into the netlist: a pin stuck, inverted, or mixed with another. All of them go into
# one Verilated model, which an input of its own chooses from. Each is run in lockstep on random
# input until the first difference, at most CYCLES clocks. Children of the module stay as they are. Needs
# build/cosim/SET/MODULE (make cosim), works in build/mutate/SET/MODULE, prints the survivors with
# their lines of Verilog and writes build/reports/mutation-MODULE-rtl.json:
# {module, kind, seed, mutants, killed, survivors}.
set -euo pipefail

usage() {
    echo "usage: mutate-rtl.sh SET MODULE [MUTANTS [CYCLES [SEED]]]    defaults: 200 100000 1" >&2
    exit 1
}

[[ $# -ge 2 && $# -le 5 ]] || usage
cd "$(dirname "$0")/.."
set=$1
module=$2
mutants=${3:-200}
cycles=${4:-100000}
seed=${5:-1}
rtl=build/rtl/$set
work=build/mutate/$set/$module
report=build/reports/mutation-$module-rtl.json
[[ -e build/cosim/$set/$module ]] || { echo "mutate-rtl.sh: make cosim MODULE=$module first" >&2 && exit 1; }
rm -rf "$work"
mkdir -p "$work/rtl" build/reports
ulimit -v 8000000

# The module with all mutants, "mutant" choosing one. What memories hold at power-up is no logic.
files=()
while read -r file; do
    [[ -e $file ]] || file=$rtl/$file
    files+=("$file")
done <"$rtl/$module.f"
netlist="read_verilog -DHLS_STATE ${files[*]}; hierarchy -top $module; proc; opt -fine; wreduce; opt_clean"
yosys -q -l "$work/list.log" -p "$netlist; mutate -list $mutants -seed $seed -ctrl mutant 16 1 \
    -o $work/list.txt $module/t:* $module/t:\$mem* %d" >/dev/null
{
    tr ';' '\n' <<<"$netlist"
    cat "$work/list.txt"
    echo "rename $module mutated"
    echo "select mutated"
    echo "write_verilog -noattr -selected $work/rtl/mutated.v"
} >"$work/mutate.ys"
yosys -q -l "$work/mutate.log" -s "$work/mutate.ys" >/dev/null
count=$(wc -l <"$work/list.txt")

# Yosys keeps vectors whose bits depend on each other.
sed -i '1i /* verilator lint_off UNOPTFLAT */' "$work/rtl/mutated.v"

# It stands beside the module as it is, whose assertions and assumptions say what the C's say.
sed "s/^module $module /module kept /" "$rtl/$module.v" >"$work/rtl/kept.v"
awk '/^module/ { header = 1 }
     header && /^\);/ {
         print ", input [15:0] mutant);\n    mutated mutated (.*);\n    kept kept (" inputs ");\nendmodule"
         exit
     }
     header { print }
     header && /^ *input / {
         sub(/ *\/\/.*/, "")
         gsub(/,|.*[ \]]/, "")
         inputs = inputs (inputs == "" ? "." : ", .") $0
     }' "$rtl/$module.v" >"$work/rtl/$module.v"
for child in "${files[@]}"; do
    [[ $child == */$module.v ]] || cp "$child" "$work/rtl/"
done

# The lockstep runner of the module with this model; the shim's C++ sets the input once.
sed "s/^    r->top = new .*/&\n    r->top->mutant = std::getenv(\"MUTANT\") ? std::atoi(std::getenv(\"MUTANT\")) : 0;/" \
    "$rtl/${module}_raw.cpp" | sed 's/^#include <cstring>/&\n#include <cstdlib>/' >"$work/rtl/${module}_raw.cpp"
verilator=/usr/share/verilator/include
scripts/verilate.sh "$work/model" "$work/rtl/$module.v" -- g++ -std=gnu++17 -O1 -faligned-new \
    -fcf-protection=none -DVL_USER_FINISH -DVM_TRACE=1 -DVM_TRACE_FST=1 -DVM_COVERAGE=0 -DVM_SC=0 \
    -isystem $verilator -isystem $verilator/vltstd >"$work/verilate.log" 2>&1
g++ build/tb/cosim/{lockstep,stimulus,memwatch}.o "build/shim/$set/$module.o" "$work/model/model.o" \
    "build/native/$set.a" build/verilated/libverilated.a -o "$work/run" -lcjson -lz -lpthread \
    "-Wl,--defsym=cosim_module=${module}_cosim"

# agrees MUTANT: lockstep finds no difference
agrees() {
    MUTANT=$1 timeout 600 "$work/run" --info "$rtl/$module.json" --cycles "$cycles" --seed "$seed" \
        >"$work/run.log" 2>&1
}

agrees 0 || { echo "mutate-rtl.sh: $module without a mutant does not agree with its C" >&2 && exit 1; }
killed=0
survivors=()
for ((i = 1; i <= count; i++)); do
    if agrees "$i"; then
        line=$(sed -n "${i}s|.* -mode \([a-z0-9]*\) .*-cell \([^ ]*\) -port \([^ ]*\) -portbit \([0-9]*\).*|\1 \2 \3[\4]|p" "$work/list.txt")
        survivors+=("$i: $line")
        echo "survives $i: $line"
    else
        killed=$((killed + 1))
    fi
    [[ $((i % 50)) -ne 0 ]] || echo "# $i of $count, $killed killed"
done
printf '{"module": "%s", "kind": "rtl", "seed": %d, "clocks": %d, "mutants": %d, "killed": %d, "survivors": %s}\n' \
    "$module" "$seed" "$cycles" "$count" "$killed" \
    "$(for s in "${survivors[@]}"; do printf '%s\n' "$s"; done | sed 's/[\\"]/\\&/g; s/.*/"&"/' | paste -sd, | sed 's/.*/[&]/')" \
    >"$report.part"
mv "$report.part" "$report"
echo "$module: $killed of $count mutants of the netlist killed; report: $report"
