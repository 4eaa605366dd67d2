#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# test-list.sh PROGRAM... - prints the list of test programs for run-tests.sh: the given ones (test
# benches of tb/), those of rtlgen and of the build, and for every module in TESTED ("aries/lcb_tx") a
# lockstep run and a replay of recorded vectors in Icarus. Long ones first. Environment: TESTED,
# CYCLES (a tenth of it for machines other than aries), SEED.
set -euo pipefail

cycles=${CYCLES:-1000000}
seed=${SEED:-1}

for program in "$@"; do
    echo "${program#build/}|$program"
done

for name in ${TESTED:-}; do
    set=${name%%/*}
    module=${name##*/}
    json=build/rtl/$name.json
    clocks=$cycles
    [[ $name == gemini/* || $name == yarc/* || $name == proto/* ]] && clocks=$((cycles / 10))
    echo "cosim/$name|build/cosim/$name --info $json --machine $set --cycles $clocks --seed $seed" \
        "--fst build/cosim/$name.fst --json build/reports/cosim-$set-$module.json"
    echo "icarus/$name|scripts/test-icarus.sh $name $seed"
done

echo "rtlgen/golden|scripts/test-rtlgen.sh golden"
echo "rtlgen/errors|scripts/test-rtlgen.sh errors"
echo "rtlgen/ub|rtl_gen/test/ub/run.sh build/bin/rtlgen build/test/ub"
echo "rtlgen/hand|rtl_gen/test/hand/test_hand.sh"
echo "build/lockstep|scripts/test-lockstep.sh"
echo "build/make|scripts/test-make.sh"
