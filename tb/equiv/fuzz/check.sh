#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# check.sh KIND FILE - exit status 0 if FILE, whose module is named like the file, fails in the way KIND says: crash, hang,
# refused=TEXT (of the message), undefined, native, verilator, outputs, assertion, icarus, netlist. Cheap things first: the
# reducer calls this a few hundred times. Environment: compare.sh.
set -euo pipefail

cd "$(dirname "$0")/../../.."
. tb/equiv/fuzz/compare.sh
kind=$1 file=$2 name=$(basename "$2" .c) status=0
names "$name"
dir=${FUZZ_WORK:-build/fuzz}/check-$$
trap 'rm -rf "$dir"' EXIT
mkdir -p "$dir/src" "$dir/rtl"
cp "$file" "$dir/src/"
echo "$name" >"$dir/names"

lower_within "$patience" "$dir/rtl" "$file" "$dir/log" || status=$?
case $kind in
crash) exit $((status != 2)) ;;
hang) exit $((status != 3)) ;;
refused=*)
    [[ $status -eq 1 ]] && grep -qF -- "${kind#*=}" "$dir/log"
    exit
    ;;
esac
[[ $status -eq 0 ]] || exit 1

# with vectors for Icarus and netlists
"$bin/fuzzglue" --folder "$dir" --clocks "$clocks" --net-clocks "$clocks" --netlists 0 "$name"
compile_native "$dir" 1
found=$(run_programs "$dir" "$bin/fuzzrun" --clocks "$clocks" --record "$clocks" --folder "$dir")
if [[ $kind == undefined || $kind == native ]]; then
    grep -q "^FAIL $kind " <<<"$found"
    exit
fi
[[ -z $found ]] || exit 1 # the C is not defined

case $kind in
icarus) found=$(play "$dir" bench 'w[0-9]*.v') ;;
netlist)
    netlists_of "$dir" 0
    found=$(play "$dir" net_bench 'net_[0-9]*.v')
    ;;
*)
    compile_model "$dir"
    found=$(run_programs "$dir" "$dir/fuzz" --clocks "$clocks" "$dir")
    ;;
esac
grep -q "^FAIL $kind [a-z0-9_]* clock" <<<"$found"
