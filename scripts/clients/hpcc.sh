#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# hpcc.sh [LIMIT] - HPC Challenge of Debian's package, as it is, on four ranks over four NICs: PTRANS, RandomAccess, FFT, each checked by itself, within LIMIT (3000) seconds.
#
# Its part of latency and bandwidth sends 700 MB a rank, whatever its input: the program is ended there. Without Open MPI's monitoring, which reads
# persistent requests as those of another layer and ends with a signal; every byte that NICs sent has come, and UCX names ugni alone. Its clock is the
# wall's: the machine's stands while no rank sends, and STREAM waits for its next tick.
set -euo pipefail
cd "$(dirname "$0")/../.."

readonly FOLDER=build/clients/hpcc

fail() { echo "hpcc: $*" >&2; exit 1; }

# what WORDS LEAST: so many lines of its result have these words
has() { [ "$(grep -c -- "$1" "$FOLDER/hpccoutf.txt")" -ge "$2" ] || fail "its result has no $2 lines of: $1 ($FOLDER/hpccoutf.txt)"; }
hasnt() { ! grep -- "$1" "$FOLDER/hpccoutf.txt" >&2 || fail "its result has: $1 ($FOLDER/hpccoutf.txt)"; }

command -v hpcc >/dev/null || fail "there is no hpcc: package hpcc brings it"
rm -rf "$FOLDER" && mkdir -p "$FOLDER"
# the package's example, smaller: a matrix of 128 in blocks of 32, ranks two by two
sed -e 's/^1000 /128 /' -e 's/^80 /32 /' /usr/share/doc/hpcc/examples/_hpccinf.txt >"$FOLDER/hpccinf.txt"
scripts/clients/mpi.sh --nodes 4 --limit "${1:-3000}" --folder "$FOLDER" --wall --uncounted --until '^Begin of LatencyBandwidth' hpcc
has '^Found 0 errors' 4
has 'PASSED' 10
hasnt 'FAILED'
hasnt 'with error [1-9]'
echo "hpcc: $(grep -c '^End of' "$FOLDER/hpccoutf.txt") parts have ended, none has found an error"
