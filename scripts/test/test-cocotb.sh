#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# test-cocotb.sh [OPERATIONS [SEED]] - two chips of proto in Icarus, their hosts played by cocotbext-axi: random puts
# and gets (tb/chip/cocotb). Wants build/rtl/proto and build/bin/chip-tables. Prints TAP.
set -euo pipefail

cd "$(dirname "$0")/../.."
. scripts/given.sh
operations=${1:-1000}
seed=${2:-1}
numbers "$operations" "$seed"
out=$PWD/build/test/cocotb
rm -rf "$out"
mkdir -p "$out"
scripts/python.sh >&2
build/python/bin/python scripts/rdl.py --json hls/nic/nic.rdl >"$out/registers.json"
build/bin/chip-tables >"$out/tables"
export PYTHONDONTWRITEBYTECODE=1 OPERATIONS=$operations SEED=$seed REGISTERS=$out/registers.json TABLES=$out/tables
exec build/python/bin/python tb/chip/cocotb/run.py build/rtl/proto "$out"
