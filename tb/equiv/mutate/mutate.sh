#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# mutate.sh SET MODULE [MUTANTS [SEED]] - mutation score of a module: its netlist against lockstep, and,
# if it stands in a room of machines or tb/blocks/processes/ has a test of it, its C against the tests with golden models. make report shows all
# modules so far as a table. Environment: MUTANT_CYCLES, clocks of lockstep, default 500000.
set -euo pipefail

[[ $# -ge 2 && $# -le 4 ]] || { echo "usage: mutate.sh SET MODULE [MUTANTS [SEED]]" >&2 && exit 1; }
cd "$(dirname "$0")/../../.."
. scripts/given.sh
paths_of_names "$1" "$2"
numbers "${@:3}" "${MUTANT_CYCLES:-500000}"
tb/equiv/mutate/mutate-rtl.sh "$1" "$2" "${3:-200}" "${MUTANT_CYCLES:-500000}" "${4:-1}"
[[ -z $(find hls/{common,axi,link,router,nic,chip,example} -name "$2.c") && ! -e tb/blocks/processes/test_$2.c ]] || tb/equiv/mutate/mutate-c.sh "$2" "${3:-200}" "${4:-1}"
