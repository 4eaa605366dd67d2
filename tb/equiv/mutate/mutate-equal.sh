#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# mutate-equal.sh WORK MODULE NUMBER... - which mutants of a netlist change nothing, by proof.
#
# Called by mutate-rtl.sh, which leaves WORK/netlist.ys (commands that read the module) and
# WORK/list.txt (line n is mutant n). Registers, memories and instances of both the module and the mutant become pins
# (mutate-cut.v); what an instance takes is a pin where something in it reads that bit, and what it gives where that
# is not a constant in it. SAT then looks for values of all
# inputs and registers for which the two differ in any output, next register value, word written or address. There are
# none: the mutant is the same circuit. Prints the numbers of those.
set -euo pipefail

work=$1
module=$2
shift 2
limit=60 # seconds for one
[[ $# -gt 0 ]] || exit 0

children=()
for file in "$work"/source/*.v; do
    name=$(basename "$file" .v)
    ! grep -qE "^ +$name [^ ]+ \($" "$work/source/$module.v" || children+=("$name")
done

# Input bits of each child that anything in it reads, as "name[bit]", and what is left of it without constants.
: >"$work/children.v"
for child in "${children[@]}"; do
    yosys -q -l "$work/read.log" -p "read_verilog $work/source/*.v; hierarchy -top $child; proc; flatten; opt_clean -purge
        splitnets -ports; opt_clean; cd $child; select -write $work/read.txt i:* t:* %ci1 %i; cd ..
        delete t:\$meminit_v2; opt -full; write_rtlil $work/read.il" >/dev/null
    awk -v child="$child" -f tb/equiv/mutate/mutate-child.awk "$work/read.txt" "$work/read.il" "$work/source/$child.v" \
        >>"$work/children.v"
done

{
    cat "$work/netlist.ys"
    echo "delete t:\$meminit_v2"
    for child in "${children[@]}"; do
        echo "blackbox $child"
    done
    for n in "$@"; do
        echo "copy $module gate_$n"
        sed -n "${n}s/-module $module /-module gate_$n /p" "$work/list.txt"
    done
    echo "dffunmap; opt_clean"
    echo "read_verilog tb/equiv/mutate/mutate-cut.v; techmap -map $work/children.v; techmap -map tb/equiv/mutate/mutate-cut.v"
    echo "write_rtlil $work/cut.il"
} >"$work/cut.ys"
yosys -q -l "$work/cut.log" -s "$work/cut.ys" >/dev/null
# expose makes pins of those instances alone whose names are the user's
sed -i 's/^  cell \\cut_\(to\|from\) \$/  cell \\cut_\1 \\$/' "$work/cut.il"

# prove NUMBER...: for one mutant after the other; stops at one that has lost a register of the module, or an instance
prove() {
    local n
    echo "read_rtlil $work/cut.il"
    echo "select -set cells t:\$* %n */c:* %i"
    echo "expose -evert @cells"
    for n in "$@"; do
        echo "log mutant $n"
        echo "miter -equiv -flatten $module gate_$n miter_$n"
        echo "opt_expr miter_$n; opt_merge -share_all miter_$n; opt_clean miter_$n"
        echo "sat -timeout $limit -prove trigger 0 miter_$n"
        echo "delete miter_$n gate_$n"
    done
}

while [[ $# -gt 0 ]]; do
    prove "$@" >"$work/equal.ys"
    if yosys -l "$work/equal.log" -s "$work/equal.ys" >/dev/null 2>&1; then
        done_with=${!#}
    else
        done_with=$(awk '$1 == "mutant" { n = $2 } END { print n }' "$work/equal.log")
        grep -q 'ERROR: No matching port' "$work/equal.log" || { tail -n 3 "$work/equal.log" >&2 && exit 1; }
    fi
    awk '$1 == "mutant" { n = $2 } /SAT proof finished - no model found: SUCCESS/ { print n }' "$work/equal.log"
    while [[ $1 != "$done_with" ]]; do
        shift
    done
    shift
done
