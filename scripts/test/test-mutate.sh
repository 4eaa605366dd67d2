#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# test-mutate.sh - what the mutation score says of the example: enough clocks of lockstep catch every mutant that is not
# proved equal, too few leave some and name them, and what is proved equal does not depend on that. And errors in the
# memories of a module's children are seen by lockstep. Prints TAP.
set -euo pipefail

out=build/test/mutate
report=build/reports/mutation-debounce-rtl.json
number=0
failed=0
mkdir -p "$out"
unset MAKEFLAGS MAKELEVEL

# check WHAT COMMAND...
check() {
    local what=$1
    shift
    number=$((number + 1))
    if "$@"; then
        echo "ok $number - $what"
    else
        failed=1
        echo "not ok $number - $what # see $out"
    fi
}

# figure LOG NAME: a number of the report
figure() {
    sed -n "s/.*\"$2\": \([0-9]*\).*/\1/p" "$out/$1.json"
}

for clocks in 20000 20; do
    tb/equiv/mutate/mutate-rtl.sh example debounce 60 "$clocks" 1 >"$out/$clocks.log" 2>&1 || true
    mv "$report" "$out/$clocks.json"
done
all=$(figure 20000 mutants)
few=$(figure 20 killed)
check "all $all mutants of the example are caught" [ "$all" -gt 50 -a "$(figure 20000 killed)" = "$all" ]
check "20 clocks catch $few of them" [ "$few" -gt 0 -a "$few" -lt "$all" -a "$(figure 20 mutants)" = "$all" ]
check "and the others are named" [ "$(grep -c '^survives' "$out/20.log")" = $((all - few)) ]

# output_mux has several of column_buffer, and no row_buffer; its C with errors, its Verilog without
for memory in column_buffer.codes row_buffer.codes; do
    build/cosim/aries/output_mux --info build/rtl/aries/output_mux.json --cycles 20000 --noise " $memory " \
        >"$out/$memory.log" 2>&1 || true
done
check "errors in a child's memory are seen" grep -q 'C and RTL differ' "$out/column_buffer.codes.log"
check "none are made in memories that are not named" grep -q '^ok 1' "$out/row_buffer.codes.log"
echo "1..$number"
exit "$failed"
