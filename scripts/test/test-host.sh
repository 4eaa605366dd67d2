#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# test-host.sh - a user's program on a machine: the example, its waveform and log; the same on Verilated chips; what run.sh and machined say to wrong input. Prints TAP.
set -euo pipefail
cd "$(dirname "$0")/../.."
. scripts/test/tap.sh

work=build/test/host
mkdir -p "$work"
run=scripts/clients/run.sh

expect "the example: a word from node 0 to node 1" 0 'node 1: 0x1234 from node 0' "$run" --trace "$work/word.fst" --log "$work/word.log" build/bin/put_word
check "its waveform has the clocks of both nodes" test "$(stat -c %s "$work/word.fst")" -gt 4000
check "its log: two programs attach and end" test "$(grep -c 'attaches\|has ended' "$work/word.log")" -eq 4
expect "a report: what node 0 sent has come to node 1" 0 '"request_bytes_received": [1-9]' sh -c "$run --quiet --report $work/report.json build/bin/put_word && cat $work/report.json"
counters() { sed -n '/"nodes/,$p' "$1"; }
expect "the same on Verilated chips" 0 'node 1: 0x1234 from node 0' "$run" --quiet --rtl --report "$work/rtl.json" build/bin/put_word
check "they are Verilated" grep -q '"chips": "Verilated"' "$work/rtl.json"
check "their NICs count what those of the C count" test "$(counters "$work/report.json")" = "$(counters "$work/rtl.json")"
expect "the chips run at so many clocks a second" 0 'clocks, [0-9]* a second' "$run" build/bin/put_word
expect "a program's status is that of run.sh" 1 'another version\|no such node\|GNI_RC' "$run" env HEDDLE_NODE=9 build/bin/put_word
expect "no program" 1 'a program is wanted' "$run"
expect "an option without its value" 1 'wants a value' "$run" --nodes
expect "more nodes than a machine has" 1 'nodes' build/bin/machined --socket "$work/m" --nodes 5
expect "no socket" 1 'HEDDLE_MACHINE.*wanted' env -u HEDDLE_MACHINE build/bin/machined
expect "a socket that cannot be" 1 '/nowhere' build/bin/machined --socket /nowhere/m
expect "a trace that cannot be written" 1 'cannot be written' build/bin/machined --socket "$work/m" --trace /nowhere/w.fst
expect "a machine where one runs" 1 'a machine runs there' "$run" --quiet sh -c "build/bin/machined --socket \$HEDDLE_MACHINE"

echo "1..$number"
exit "$failed"
