#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# long-list.sh MACHINE... - prints the list for run-tests.sh of the long runs of routers: for each machine one tile under
# traffic for 1,000,000 clocks and the whole router for 10,000, C against RTL; each of TESTED for 1,000,000; two devices of aries; 1,000,000 clocks at offered 1.0 and as many with
# everything that can happen, natively; programs of NICs; walks of a table; what conform must name; netlists of boards; place and route of a link; networks at offered 1.0. Environment: SEED, TESTED, PLAYED
# (scripts/test/test-list.sh).
set -euo pipefail

. "$(dirname "$0")/../given.sh"
seed=${SEED:-1}
numbers "$seed"
names "$@"

for machine in "$@"; do
    suffix=${machine/#aries/}
    suffix=${suffix:+-$suffix}
    for run in tile:1000000 router:10000; do
        module=${run%:*}
        echo "long/$machine-$module|build/cosim/$machine/loaded-$module --cycles ${run#*:} --seed $seed" \
            "--info build/rtl/$machine/$module.json --json build/reports/cosim-$machine-$module.json"
    done
    for case in 0 15; do
        echo "long/$machine-soak-$case|build/bin/router-soak$suffix --case $case --clocks 1000000 --seed $seed" \
            "--json build/reports/router-soak-$machine-$case.json"
    done
done

# shares of an output: all pairs of lengths, VCs and numbers of rows of p16, and a thousand drawn loads of each machine
echo "long/shares-p16|build/bin/router-shares-p16 --pairs --cases 1000 --clocks 100000 --seed $seed"
for machine in "" -a16 -gemini -yarc; do
    echo "long/shares$machine|build/bin/router-shares$machine --cases 1000 --clocks 100000 --seed $seed"
done

for machine in proto proto24; do
    echo "long/$machine-chip|build/cosim/$machine/loaded-chip --cycles 100000 --seed $seed --info build/rtl/$machine/chip.json" \
        "--json build/reports/cosim-$machine-chip.json"
done
echo "long/aries-device|build/cosim/aries/loaded-device --cycles 10000 --seed $seed --info build/rtl/aries/device.json" \
    "--json build/reports/cosim-aries-device.json"
# whole devices inside tests: two chips of gemini with their NICs, three chips of yarc that are booted by packets
echo "long/gemini-device|build/cosim/gemini/within-test_chip --transactions 60 --seed $seed"
echo "long/yarc-device|build/cosim/yarc/within-test_boot --seed $seed"

# the programs of make bench take what it gives them
echo "long/bench|LINES_OF_C='100 1000' scripts/bench/bench-compile.sh && build/bin/router-speed --clocks 100 --load 0 && echo 'ok 1 - bench' && echo 1..1"

# all at once, six kinds of hosts and channels: 1,020,000 transactions of programs, block transfers, messages, page tables; with reductions
echo "long/nic-soak|build/bin/nic-soak --transactions 170000 --seed $seed"
echo "long/nic-soak-aries|build/bin/nic-soak-aries --transactions 20000 --seed $seed"
# a million transactions of which most want an event at their target
echo "long/nic-events|build/bin/nic-events --transactions 1000000 --seed $seed"
# every history with more of each fault
echo "long/nic-states|build/tb/test_nic_states-proto --errors 1 --full 2 --early 2 --seed $seed"
# resets, cables, hosts, drivers, nonsense and hostile peers under traffic, each sequence with a good end
echo "long/nic-abuse|build/bin/nic-abuse --episodes 20000 --seed $seed"
echo "long/nic-abuse-aries|build/bin/nic-abuse-aries --episodes 300 --seed $seed --json build/reports/nic-episodes-aries.json"
# a hundred thousand messages each way over cables that spoil a packet of a hundred; HPC Challenge on four ranks, where its package is
echo "long/ugni-messages|build/tb/test_ugni_messages --messages 100000 --seed $seed"
if command -v hpcc >/dev/null; then
    echo "long/hpcc|if scripts/clients/ucx.sh plugin && scripts/clients/hpcc.sh; then echo 'ok 1 - HPC Challenge over the NICs'; else echo 'not ok 1 - hpcc'; fi; echo 1..1"
fi
# a hundred thousand reductions of eight, in any order of arrival; trees that are wrong
echo "long/nic-ce|build/tb/test_ce --reductions 100000 --seed $seed"
echo "long/nic-ce-trees|build/tb/test_ce_errors --trees 5000 --seed $seed"
echo "long/nic-atomic|build/tb/test_nic_atomic-proto --operations 1000000 --seed $seed"
echo "long/lanes|build/tb/test_lanes --operations 1000000 --seed $seed"
echo "long/block-transfers|build/tb/test_bte --all --seed $seed"
echo "long/walker|build/tb/test_walker --operations 1000000 --seed $seed"
echo "long/chip-programs|build/bin/chip-soak --transactions 450000 --seed $seed"
# tests of make test, longer: more resets, ways for micropackets to lie, changed bits; failover with link control blocks
echo "long/chip-reset|build/tb/test_chip_reset-proto --rounds 60 --step 17 --seed $seed"
echo "long/iommu|build/tb/test_iommu --rounds 10000 --seed $seed"
echo "long/link-rate|build/tb/test_link_rate --lags 5 --delays 4 --seed $seed"
echo "long/chip-bits|build/tb/test_chip_bits-proto --clocks 10000 --every 1 --seed $seed"
echo "long/failover-lcb|build/tb/test_sim_failover --lcb --seed $seed"
echo "long/attack-lcb|build/tb/test_sim_attack --lcb --seed $seed"
echo "long/failover-random|build/tb/test_sim_random --sequences 2000 --seed $seed"
# each module, C against RTL, five times as long as in make test
CYCLES=1000000 SEED=$seed LOADED='' scripts/test/test-list.sh | sed -n 's|^cosim/|long/cosim-|p'
# cables pulled, a chip reset, a host that never answers: two chips of aries
echo "long/chip-resets|build/bin/chip-resets --rounds 20 --step 301 --seed $seed"
echo "long/chip-attacks|build/bin/chip-attacks --seed $seed"
echo "long/chip-cocotb|scripts/test/test-cocotb.sh chip 1000 $seed"

echo "long/conform|scripts/test/test-conform.sh"
# its environment is 300 MB that are downloaded
echo "long/pnr|if scripts/pnr/pnr.sh aries lcb ecp5 3; then echo 'ok 1 - a link is placed and routed'; else echo 'not ok 1 - make pnr'; fi; echo 1..1"
echo "long/board|scripts/test/test-board.sh 100000 link_bist/netlist device_bist/netlist"
for network in torus:2x2x2 dragonfly:2x1x2x2; do
    name=${network%:*}
    for traffic in "" --responses; do # requests that cause responses: nothing may wait for itself through a node
        report=build/reports/netsim-soak-$name${traffic#-}
        echo "long/network-$name${traffic#-}|if build/bin/netsim $traffic --loads 1 --clocks 1000000 --seed $seed" \
            "--json $report.json --svg $report.svg --html $report.html $network; then echo 'ok 1 - $network at offered 1.0';" \
            "else echo 'not ok 1 - $network'; fi; echo 1..1"
    done
done
# requests that cause responses on all levels of VCs, packets in transit first and all alike
for traffic in "adaptive --bias 0 --priority transit" "nonminimal --priority transit" "nonminimal --priority none"; do
    name=dragonfly-${traffic%% *}-${traffic##* }
    report=build/reports/netsim-soak-$name
    echo "long/network-$name|if build/bin/netsim --responses --mode $traffic --loads 1 --clocks 250000 --seed $seed" \
        "--json $report.json --svg $report.svg --html $report.html dragonfly:3x2x2x2; then" \
        "echo 'ok 1 - requests and responses, $traffic, at offered 1.0'; else echo 'not ok 1 - $traffic'; fi; echo 1..1"
done
# 1,000,000 clocks of routers, in eight networks
echo "long/network-fast|build/tb/test_sim_fast --clocks 125000 --seed $seed"
echo "long/network-compare|if build/bin/netcompare --clocks 5000 --jobs 2 --seed $seed;" \
    "then echo 'ok 1 - networks that BookSim2 has run, too'; else echo 'not ok 1 - netcompare'; fi; echo 1..1"
echo "long/network-failover|if build/bin/failover --seed $seed dragonfly:33x1x8x4 dragonfly:3x6x16;" \
    "then echo 'ok 1 - parts of networks die and come back'; else echo 'not ok 1 - failover'; fi; echo 1..1"

# SeaStar: programs on four chips in both modes; all rules and lists; two chips in lockstep
echo "long/seastar-programs|build/bin/seastar-soak --messages 1000000 --seed $seed"
echo "long/seastar-rules|build/tb/test_ss_rules-seastar2 --long --seed $seed"
echo "long/seastar-cocotb|scripts/test/test-cocotb.sh seastar 100 $seed"
echo "long/seastar-lockstep|if build/bin/demo-seastar --cycles 100000 --seed $seed;" \
    "then echo 'ok 1 - two chips and their programs in lockstep'; else echo 'not ok 1 - demo-seastar'; fi; echo 1..1"

# Blue Gene/L: states of rings of four; episodes; graphs of channels; all-to-all round three dead nodes; the published experiments, one after the other
echo "long/bgl-states|build/tb/test_bgl_states-bgl --long --seed $seed"
echo "long/bgl-cocotb|scripts/test/test-cocotb.sh torus 1000 $seed"
echo "long/bgl-lockstep|if build/bin/demo-bgl --cycles 100000 --seed $seed;" \
    "then echo 'ok 1 - a node of eight under traffic in lockstep'; else echo 'not ok 1 - demo-bgl'; fi; echo 1..1"
echo "long/bgl-torus|build/tb/test_bgl_torus-bgl --clocks 1000000 --seed $seed"
echo "long/bgl-agree|build/tb/test_bgl_agree-bgl --long --seed $seed"
echo "long/bgl-errors|build/tb/test_bgl_errors-bgl --packets 100000 --seed $seed"
echo "long/bgl-bits|build/tb/test_bgl_bits-bgl --flips 100000 --seed $seed"
echo "long/bgl-episodes|build/tb/test_bgl_episodes-bgl --episodes 100000 --seed $seed"
for torus in 8x8x8 64x32x32; do
    echo "long/deadlock-bgl-$torus|if build/bin/deadlock --json build/reports/deadlock-bgl-$torus.json bgl:$torus;" \
        "then echo 'ok 1 - bgl:$torus has no cycle between rings'; else echo 'not ok 1 - bgl:$torus'; fi; echo 1..1"
done
echo "long/bgl-dead|{ echo 1,1,1; echo 3,4,5; echo 6,2,7; } >build/test/bgl-dead; if build/bin/bglsim --seed $seed --dead build/test/bgl-dead --json" \
    "build/reports/bglsim-dead.json 8x8x8; then echo 'ok 1 - all pairs of the living heard of'; else echo 'not ok 1 - bglsim --dead'; fi; echo 1..1"
for experiment in 1 2 3 4 5 6 7 8 9 10 11 12; do
    echo "long/bgl-experiment-$experiment|if scripts/bgl/experiments.py --jobs 1 --seed $seed $experiment;" \
        "then echo 'ok 1 - experiment $experiment'; else echo 'not ok 1 - experiment $experiment'; fi; echo 1..1"
done

# every destination of the largest machines that there were: no cycle; of the Cray XC by symmetry; with heads that bit errors made
for network in "--fold xc:241" "--any-head torus:25x16x24" "--any-head clos:3.5x4x16x16x32" torus:25x16x24 torus:23x24x24 clos:3x32x16x32 clos:3.5x4x16x16x32; do
    name=${network#--fold }
    name=${name//[: .]/-}
    name=${name#--}
    report=build/reports/deadlock-$name.json
    echo "long/deadlock-$name|if build/bin/deadlock --json $report $network;" \
        "then echo 'ok 1 - $network is free of deadlock'; else echo 'not ok 1 - $network'; fi; echo 1..1"
done
