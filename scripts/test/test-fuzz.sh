#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# test-fuzz.sh - time alone makes no failure: a mutant that rtlgen does not end with at the first attempt, but at the
# second, is reported; one that it ends with at neither is a hang. Prints TAP.
set -euo pipefail

out=$PWD/build/test/fuzz
number=0
failed=0
rm -rf "$out"
mkdir -p "$out"
export FUZZ_WORK=$out RTLGEN=$out/rtlgen

# stopped NAME STATUS PATTERN CONDITION: four mutants, whose rtlgen is stopped as by the clock under this condition
stopped() {
    local name=$1 status=0
    cat >"$RTLGEN" <<END
#!/bin/sh
echo >>"$out/calls"
! [ $4 ] || exit 124
exec build/bin/rtlgen "\$@"
END
    chmod +x "$RTLGEN"
    : >"$out/calls"
    tb/equiv/fuzz/fuzz.sh --invalid --programs 4 --seed 3000 --clocks 0 --reduce 0 --jobs 1 --report "$out/report.json" \
        >"$out/log" 2>&1 || status=$?
    number=$((number + 1))
    if [[ $status -eq $2 ]] && grep -q "$3" "$out/log"; then
        echo "ok $number - $name"
    else
        failed=1
        echo "not ok $number - $name # status $status: $(tail -n 1 "$out/log")"
    fi
}

stopped "what does not repeat is reported, not failed" 0 '^# slow: .*at the second attempt' \
    "\$((\$(wc -l <'$out/calls') % 2)) -eq 1"
stopped "what repeats is a failure" 1 'hang' 1
echo "1..$number"
exit "$failed"
