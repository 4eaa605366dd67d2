#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# mutate-rtl.sh - the share of errors in a module's netlist that lockstep with its C catches.
#
# Yosys' mutate puts errors into the netlist: a pin stuck, inverted, or mixed with another. All of them go into
# one Verilated model, which asks mutate-choice.c for the number of its own. Each is run in lockstep until the first
# difference: on random input, with errors in memories that have a code, its children's too, so that it has something to do;
# then on variations of what it gets in tests of its own and inside an LCB or a router under traffic, and on just that, once;
# each without errors and with them.
# What is not caught so may be the same circuit: mutate-equal.sh proves that of some, and these count as no mutants. The
# others get more clocks.
# Children of the module stay as they are. Needs build/cosim/SET/MODULE and, if make knows them,
# build/cosim/SET/unit-MODULE/TEST... and record-MODULE; works in build/mutate/SET/MODULE, prints the survivors with their lines of
# Verilog and writes build/reports/mutation-MODULE-rtl.json: {module, kind, seed, clocks, mutants, killed,
# equivalent, survivors}.
set -euo pipefail

usage() {
    echo "usage: mutate-rtl.sh SET MODULE [MUTANTS [CYCLES [SEED]]]    defaults: 200 500000 1" >&2
    exit 1
}

[[ $# -ge 2 && $# -le 5 ]] || usage
cd "$(dirname "$0")/../../.."
. scripts/given.sh
paths_of_names "$1" "$2"
numbers "${@:3}"
set=$1
module=$2
mutants=${3:-200}
cycles=${4:-500000}
seed=${5:-1}
rtl=build/rtl/$set
work=build/mutate/$set/$module
report=build/reports/mutation-$module-rtl.json
[[ -e build/cosim/$set/$module ]] || { echo "mutate-rtl.sh: make cosim MODULE=$module first" >&2 && exit 1; }
rm -rf "$work"
mkdir -p "$work/source" "$work/rtl" build/reports
ulimit -v 8000000

# memories_of MODULE: "name:width" of those with a code: its block RAMs, the control words of vc_queue.inc, the marks of nl_entry
memories_of() {
    sed -n 's/.*{"name":"\([^"]*\)",.*"width":\([0-9]*\),.*"kind":"bram.*/\1:\2/p
        s/.*{"name":"\(controls\|marks\)",.*"width":\([0-9]*\),.*/\1:\2/p' "$rtl/$1.json" | tr '\n' ' '
}

# corrupt FILE MODULE: wrong bits in words that are written into these memories, as lockstep --noise makes them
corrupt() {
    awk -v memories="$(memories_of "$2")" -f tb/equiv/mutate/mutate-corrupt.awk "$1" >"$work/corrupted.v"
    mv "$work/corrupted.v" "$1"
}

# The files of the module and of those inside it. Their memories hold words to begin with that lockstep --noise makes too.
files=()
memories=" "
while read -r file; do
    [[ -e $file ]] || file=$rtl/$file
    cp "$file" "$work/source/"
    files+=("$work/source/${file##*/}")
    name=$(basename "$file" .v)
    [[ -e $rtl/$name.json ]] || continue
    for memory in $(memories_of "$name"); do
        memory=${memory%:*}
        memories+="$name.$memory "
        sed -i "s/\b${memory}\[k\] = [0-9]*'[bd]0;/${memory}[k] = {({96'd0, k} + 128'd1) * 128'h9e3779b97f4a7c15f39cc0605cedc835} >> 40;/" \
            "$work/source/$name.v"
    done
done <"$rtl/$module.f"

# The list: line n of list.txt is mutant n. The port hls_state is the bench's.
netlist=$work/netlist.ys
echo "read_verilog -DHLS_STATE ${files[*]}; hierarchy -top $module; proc; opt -fine; wreduce; opt_clean" >"$netlist"
yosys -q -l "$work/list.log" -p "script $netlist; mutate -list $((2 * mutants)) -seed $seed \
    -o $work/all.txt $module/t:* $module/t:\$mem* %d" >/dev/null
grep -v -- '-port hls_state ' "$work/all.txt" | head -n "$mutants" >"$work/list.txt" || true
count=$(wc -l <"$work/list.txt")

# The module with all mutants. Bits of one vector that depend on each other would be loops for Verilator: splitnets, but for
# the bench's port of all registers.
{
    cat "$netlist"
    awk '{ $2 = "-ctrl mutant 16 " NR " " $2; print }' "$work/list.txt"
    echo "rename $module mutated"
    echo "select mutated"
    echo "splitnets mutated/w:* mutated/w:*hls_state* %d"
    echo "write_verilog -noattr -selected $work/rtl/mutated.v"
} >"$work/mutate.ys"
yosys -q -l "$work/mutate.log" -s "$work/mutate.ys" >/dev/null
# Verilator takes 40,000 tokens a line.
{
    echo '/* verilator lint_off UNOPTFLAT */'
    awk 'length > 20000 { gsub(/, /, ",\n") } 1' "$work/rtl/mutated.v"
} >"$work/mutated.v"
mv "$work/mutated.v" "$work/rtl/mutated.v"
corrupt "$work/rtl/mutated.v" "$module"

# It stands beside the module as it is, whose assertions and assumptions say what the C's say.
for file in "${files[@]}"; do
    name=$(basename "$file" .v)
    cp "$file" "$work/rtl/"
    [[ $name == "$module" || ! -e $rtl/$name.json ]] || corrupt "$work/rtl/$name.v" "$name"
done
sed "s/^module $module /module kept /" "$work/source/$module.v" >"$work/rtl/kept.v"
corrupt "$work/rtl/kept.v" "$module"
awk '/^module/ { header = 1 }
     header && /^\);/ {
         print ");\n    import \"DPI-C\" function int mutate_number();\n    reg [15:0] mutant;"
         print "    initial mutant = mutate_number();\n    mutated mutated (.*);\n    kept kept (" inputs ");\nendmodule"
         exit
     }
     header { print }
     header && /^ *input / {
         sub(/ *\/\/.*/, "")
         gsub(/,|.*[ \]]/, "")
         inputs = inputs (inputs == "" ? "." : ", .") $0
     }' "$work/source/$module.v" >"$work/rtl/$module.v"

# Its model for the lockstep runners; mutate-choice.c tells it which mutant it is.
cp "$rtl/${module}_raw.cpp" "$work/rtl/"
# shellcheck disable=SC2046 # its words
scripts/verilate.sh "$work/model.o" "$work/rtl/$module.v" -- $(<build/verilated/cxx) >"$work/verilate.log" 2>&1
gcc -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -O1 -c tb/equiv/mutate/mutate-choice.c -o "$work/choice.o"
g++ build/tb/lockstep.a "$work/choice.o" "build/shim/$set/$module.o" "$work/model.o" \
    "build/native/$set.a" build/verilated/libverilated.a -o "$work/run" -lcjson -lz -lpthread \
    "-Wl,--defsym=cosim_module=${module}_cosim"

# recorded MAKER FILE: what it writes down
recorded() {
    local log=$work/${1##*/}.log
    "$1" --record "$2" --seed "$seed" >"$log" 2>&1 || { echo "mutate-rtl.sh: $1 fails, see $log" >&2 && exit 1; }
}

# What is replayed: of tests of its own the short ones first, as not all clocks of the long ones may be.
record=
mkdir "$work/units"
for maker in "build/cosim/$set/unit-$module"/*; do
    [[ ! -e $maker ]] || recorded "$maker" "$work/units/${maker##*/}"
done
for part in $(find "$work/units" -type f -printf '%s %p\n' | sort -n | cut -d ' ' -f 2); do
    record=$work/inputs
    cat "$part" >>"$record"
done
if [[ -e build/cosim/$set/record-$module ]]; then
    record=$work/inputs
    recorded "build/cosim/$set/record-$module" "$work/record"
    cat "$work/record" >>"$record"
fi

# agrees MUTANT CLOCKS: lockstep finds no difference on random input, nor on variations of what was recorded
agrees() {
    with_noise "$1" --cycles "$2" && { [[ -z $record ]] || both "$1" --cycles "$2" --inputs "$record"; }
}

# agrees_once MUTANT: nor in just that, up to twice as many clocks as CYCLES
agrees_once() {
    [[ -z $record ]] || both "$1" --cycles $((2 * cycles)) --replay "$record"
}

# both MUTANT ARGUMENT...: with errors in memories and without, if there are any
both() {
    without "$@" && { [[ $memories == " " ]] || with_noise "$@"; }
}

with_noise() {
    NOISE=1 run "$1" --noise "$memories" "${@:2}"
}

without() {
    run "$1" --words "$memories" "${@:2}"
}

# run MUTANT ARGUMENT...: what takes more than ten minutes (of the processor's: others may want it, too), or compares too
# little (2), has shown nothing
run() {
    (ulimit -S -c 0 -t 600 && MUTANT=$1 exec "$work/run" --info "$rtl/$module.json" --seed "$seed" "${@:2}") \
        >"$work/run.log" 2>&1 || [[ $? =~ ^(2|$((128 + $(kill -l XCPU))))$ ]]
}

if ! agrees 0 "$cycles" || ! agrees_once 0; then
    echo "mutate-rtl.sh: $module without a mutant does not agree with its C, see $work/run.log" >&2
    exit 1
fi
left=()
for ((i = 1; i <= count; i++)); do
    if agrees "$i" $((cycles / 5)) && agrees_once "$i"; then
        left+=("$i")
    fi
done
echo "# $module: ${#left[@]} of $count not caught by the short runs"
tb/equiv/mutate/mutate-equal.sh "$work" "$module" "${left[@]}" >"$work/equal.txt"
equivalent=$(wc -l <"$work/equal.txt")

survivors=()
for i in "${left[@]}"; do
    ! grep -qx "$i" "$work/equal.txt" || continue
    if agrees "$i" "$cycles"; then
        line=$(sed -n "${i}s|.* -mode \([a-z0-9]*\) .*-cell \([^ ]*\) -port \([^ ]*\) -portbit \([0-9]*\).*|\1 \2 \3[\4]|p" "$work/list.txt")
        survivors+=("$i: $line")
        echo "survives $i: $line"
    fi
done
count=$((count - equivalent))
killed=$((count - ${#survivors[@]}))
printf '{"module": "%s", "kind": "rtl", "seed": %d, "clocks": %d, "mutants": %d, "killed": %d, "equivalent": %d, "survivors": [%s]}\n' \
    "$module" "$seed" "$cycles" "$count" "$killed" "$equivalent" \
    "$(for s in "${survivors[@]}"; do printf '%s\n' "$s"; done | sed 's/[\\"]/\\&/g; s/.*/"&"/' | paste -sd,)" >"$report.part"
mv "$report.part" "$report"
echo "$module: $killed of $count mutants of the netlist killed, $equivalent more proved equivalent; report: $report"
