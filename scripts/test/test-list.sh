#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# test-list.sh PROGRAM... - prints the list of test programs for run-tests.sh: the given ones (test
# benches of tb/), those of rtlgen and of the build, and for every module in TESTED ("aries/lcb_tx") a
# lockstep run and a replay of recorded vectors in Icarus, for LOADED ("aries/loaded-tile") a lockstep run under
# traffic; PLAYED are recorders of some of TESTED; SV_TESTED, SV_LINTED are modules in SystemVerilog; TOGETHER are modules of rtl_gen/test. Long ones first. Environment: TESTED,
# LOADED, PLAYED, SV_TESTED, SV_LINTED, TOGETHER, CYCLES, SEED.
set -euo pipefail

cycles=${CYCLES:-200000}
seed=${SEED:-1}
. "$(dirname "$0")/../given.sh"
numbers "$cycles" "$seed"
plain_paths "$@"
loaded=${LOADED:-}
played=${PLAYED:-}
# shellcheck disable=SC2086 # words of a list
paths_of_names ${TESTED:-} ${SV_TESTED:-} ${SV_LINTED:-} ${TOGETHER:-} ${loaded//-/_} ${played//-/_}

echo "build/conform|scripts/test/test-conform.sh bad-input lcb_late lcb_loses lcb_overdraws lcb_wire_noise" \
    "router_flips_body router_no_room"
echo "build/dist|scripts/test/test-dist.sh"
echo "axi/cocotb|scripts/test/test-cocotb.sh bytes 200 $seed"
echo "example/cocotb|scripts/test/test-cocotb.sh mean 300 $seed"
for port in axil_regs pio nic_regs; do
    echo "axi/cocotb-$port|scripts/test/test-cocotb.sh $port 200 $seed"
done
for program in "$@"; do
    echo "${program#build/}|$program"
done

# recorders SET/MODULE: the recorders of this module
recorders() {
    local recorder
    for recorder in $played; do
        case $recorder in
        "${1%/*}/record-${1##*/}" | "${1%/*}/unit-${1##*/}"/*) printf ' build/cosim/%s' "$recorder" ;;
        esac
    done
}

for name in ${TESTED:-}; do
    module=${name##*/}
    clocks=$cycles
    case $module in # they also run under traffic, in a tile or a chip, or are lcb with a door
    nic | nic_initiator | nic_memory | nic_target | netlink | lcb_axis | lcb_bytes | link_port) clocks=$((cycles / 4)) ;;
    *) [[ -z $(find hls/router -name "$module.c") ]] || clocks=$((cycles / 4)) ;;
    esac
    # Icarus takes 10 ms for a clock of a NIC
    played_to=500
    case $module in nic | nic_initiator | nic_memory | nic_target | netlink | nl_*) played_to=200 ;; esac
    echo "cosim/$name|tb/equiv/lockstep/cosim.sh $name $clocks $seed$(recorders "$name")"
    echo "icarus/$name|scripts/test/test-icarus.sh $name $played_to $seed"
    # random resets come sooner than a NIC has wiped its memories: what it gets in its test, as it was
    [[ $module != nic ]] || for recorder in $(recorders "$name"); do
        echo "cosim/$name-replayed|$recorder --record $recorder.replay --seed $seed >$recorder.replay.log &&" \
            "build/cosim/$name --info build/rtl/$name.json --replay $recorder.replay"
    done
done

for name in ${SV_TESTED:-}; do
    echo "cosim/sv/$name|tb/equiv/lockstep/cosim.sh sv/$name $((cycles / 10)) $seed"
done
echo "rtlgen/sv|scripts/test/test-sv.sh ${SV_LINTED:-}"

# a router or one of its tiles under traffic; where the whole router is not among them, all tiles at once
for name in $loaded; do
    machine=${name%%/*}
    module=${name##*-}
    clocks=$((cycles / 4))
    [[ $name != aries/loaded-router ]] || clocks=$((cycles / 40))
    [[ $name != */loaded-chip ]] || clocks=$((cycles / 8))
    run="build/cosim/$name --seed $seed --info build/rtl/$machine/$module.json"
    echo "cosim/$name|$run --cycles $clocks --json build/reports/cosim-$machine-$module.json"
    [[ $module != tile || " $loaded " == *" $machine/loaded-router "* ]] ||
        echo "cosim/$name-all|$run --cycles $((cycles / 40)) --tile all --json build/reports/cosim-$machine-tiles.json"
done

echo "rtlgen/fuzz|if tb/equiv/fuzz/fuzz.sh --programs 60 --seed 2000 --netlists 30 --icarus 40 --reduce 0 --jobs 2;" \
    "then echo 'ok 1 - 60 random programs'; else echo 'not ok 1 - 60 random programs'; fi; echo 1..1"
echo "rtlgen/modules|scripts/test/test-modules.sh $seed ${TOGETHER:-}"
echo "rtlgen/invalid|if tb/equiv/fuzz/fuzz.sh --invalid --programs 40 --seed 3000 --clocks 0 --reduce 0 --jobs 1;" \
    "then echo 'ok 1 - 40 mutants'; else echo 'not ok 1 - 40 mutants'; fi; echo 1..1"
echo "rtlgen/fuzz-time|scripts/test/test-fuzz.sh"
echo "rtlgen/division|scripts/test/test-division.sh"
echo "rtlgen/golden|scripts/test/test-rtlgen.sh golden"
echo "rtlgen/bounds|scripts/test/test-bounds.sh"
echo "rtlgen/output|scripts/test/test-output.sh"
echo "rtlgen/small-change|scripts/test/test-small-change.sh"
echo "rtlgen/prefix|scripts/test/test-prefix.sh"
echo "rtlgen/errors|scripts/test/test-rtlgen.sh errors"
echo "rtlgen/ub|rtl_gen/test/ub/run.sh build/bin/rtlgen build/test/ub"
echo "rtlgen/words|scripts/test/test-words.sh"
echo "build/layers|scripts/test/test-layers.sh"
echo "rtlgen/prove|scripts/test/test-prove.sh"
echo "rtlgen/names|if scripts/names.sh; then echo 'ok 1 - names'; else echo 'not ok 1 - names'; fi; echo 1..1"
echo "rtlgen/hand|rtl_gen/test/hand/test_hand.sh"
echo "build/lockstep|scripts/test/test-lockstep.sh"
echo "build/mutate|scripts/test/test-mutate.sh"
echo "build/registers|scripts/test/test-registers.sh"
echo "build/docs|scripts/test/test-docs.sh"
echo "build/board|scripts/test/test-board.sh 100000"
echo "build/bitstream|scripts/test/test-bitstream.sh"
echo "build/contracts|scripts/test/contracts.py"
echo "build/readme|scripts/test/test-readme.sh"
echo "bgl/experiments|scripts/test/test-bgl-experiments.sh"
echo "build/experiments|scripts/test/test-experiments.sh"
echo "build/args|scripts/test/test-args.sh"
echo "build/report|scripts/test/test-report.sh"
echo "build/make|scripts/test/test-make.sh"
echo "host/programs|scripts/test/test-host.sh"
