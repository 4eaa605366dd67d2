#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# test-modules.sh SEED MODULE... - modules of rtl_gen/test side by side in one Verilated model and one bench of Icarus, clock by
# clock against their C: 10,000 clocks, the first 1,000 of them in Icarus, too. The C is compiled with traps
# for undefined behaviour. It is how tb/equiv/fuzz/fuzz.sh compares a batch of random programs: a model of its own for each module
# takes five times as long. Wants build/rtl/test/<module>. Prints TAP.
set -euo pipefail

cd "$(dirname "$0")/../.."
. tb/equiv/fuzz/compare.sh
numbers "${1:-}"
seed=$1
shift
names "$@"
clocks=10000 recorded=1000
dir=build/test/modules
rm -rf "$dir"
mkdir -p "$dir/rtl" "$dir/cover"
for module in "$@"; do
    cp build/rtl/test/"$module"/* "$dir/rtl/"
done
"$bin/fuzzglue" --folder "$dir" --clocks "$recorded" "$@"

# a shim has the C of a module, but for one that is declared in a header of its own
number=0
for module in "$@"; do
    header=$(find rtl_gen/test -name "$module.h")
    [[ -z $header ]] || echo "#include \"${header%.h}.c\"" >>"$dir/native$number.c"
    number=$((number + 1))
done
compile_checked "$dir"
ln "$dir/checked.so" "$dir/plain.so"

differences=$dir/differences
if compile_model "$dir" >"$differences"; then
    run_programs "$dir" "$dir/fuzz" --seed "$seed" --clocks "$clocks" --record "$recorded" --folder "$dir" \
        --cover "$dir/cover" >>"$differences"
    play "$dir" bench 'w[0-9]*.v' >>"$differences"
fi

# check NUMBER WHAT KINDS: of the module named first in WHAT; what ended the batch early ends the check of each
check() {
    local found
    found=$(grep -m 1 -E "^FAIL (($3) ${2%% *}\b|[a-z]+ batch)" "$differences") || { echo "ok $1 - $2" && return; }
    echo "not ok $1 - $2 # ${found#FAIL }"
}

number=0
for module in "$@"; do
    check $((number += 1)) "$module" 'undefined|native|verilator|outputs|assertion'
    check $((number += 1)) "$module in Icarus" icarus
done | tee "$dir/tap"
if compgen -G "$dir/cover/*.json" >/dev/null; then
    scripts/process/cover.py "$dir"/cover/*.json | sed "s/ok 1 /ok $((2 * $# + 1)) /; /^1[.][.]/d" | tee -a "$dir/tap" || true
fi
echo "1..$((2 * $# + 1))"
! grep -q '^not ok' "$dir/tap"
