#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# test-cocotb.sh [chip [OPERATIONS [SEED]]] - two chips of proto in Icarus, their hosts played by cocotbext-axi: random puts
# and gets (tb/system/chip/cocotb). test-cocotb.sh bytes [FRAMES [SEED]] - two links with their ports for bytes (tb/system/axi). test-cocotb.sh mean
# [FRAMES [SEED]] - the accelerator of hls/example (tb/blocks/example/stream; wants build/rtl/example).
# test-cocotb.sh torus [PACKETS [SEED]] - two nodes of bgl (tb/bgl/cocotb; wants build/rtl/bgl).
# test-cocotb.sh seastar [OPERATIONS [SEED]] - two chips of seastar2 (tb/system/seastar/cocotb; wants build/rtl/seastar2).
# test-cocotb.sh axil_regs, pio or nic_regs [OPERATIONS [SEED]] - one AXI port by itself, against all that AXI allows (tb/blocks/axi/ports). Wants
# build/rtl/proto, for chips build/bin/chip-tables. Prints TAP.
set -euo pipefail

cd "$(dirname "$0")/../.."
. scripts/given.sh
what=${1:-chip}
count=${2:-1000}
seed=${3:-1}
names "$what"
numbers "$count" "$seed"
out=$PWD/build/test/cocotb-$what
rm -rf "$out"
mkdir -p "$out"
scripts/python.sh >&2
python=build/python/bin/python
export PYTHONDONTWRITEBYTECODE=1 SEED=$seed REGISTERS=$out/registers.json
case $what in
chip)
    $python scripts/rdl.py --json hls/nic/regs/nic.rdl >"$REGISTERS"
    build/bin/chip-tables >"$out/tables"
    export OPERATIONS=$count TABLES=$out/tables
    exec $python tb/base/cocotb_run.py build/rtl/proto chip "$out" tb/system/chip/cocotb two_chips
    ;;
bytes)
    $python scripts/rdl.py --json hls/link/lcb.rdl >"$REGISTERS"
    export FRAMES=$count
    exec $python tb/base/cocotb_run.py build/rtl/proto lcb_bytes "$out" tb/system/axi two_ends
    ;;
torus)
    $python scripts/rdl.py --json hls/bgl/host/bgl.rdl >"$REGISTERS"
    export PACKETS=$count
    exec $python tb/base/cocotb_run.py build/rtl/bgl bgl_node "$out" tb/bgl/cocotb two_nodes
    ;;
seastar)
    $python scripts/rdl.py --json hls/seastar/host/seastar.rdl >"$REGISTERS"
    export OPERATIONS=$count
    exec $python tb/base/cocotb_run.py build/rtl/seastar2 ss_chip "$out" tb/system/seastar/cocotb two_chips
    ;;
mean)
    export FRAMES=$count
    exec $python tb/base/cocotb_run.py build/rtl/example mean "$out" tb/blocks/example/stream mean
    ;;
axil_regs | pio | nic_regs)
    $python scripts/rdl.py --json hls/nic/regs/nic.rdl >"$REGISTERS"
    export OPERATIONS=$count
    exec $python tb/base/cocotb_run.py build/rtl/proto "$what" "$out" tb/blocks/axi/ports "$what"
    ;;
*)
    echo "test-cocotb.sh: no bench $what; there are chip, bytes, torus, seastar, mean, axil_regs, pio and nic_regs" >&2
    exit 1
    ;;
esac
