#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# load.sh BOARD TOP - loads build/board/BOARD-TOP/board.bit into the board at this computer's USB, by openFPGALoader.
set -euo pipefail

fail() {
    echo "load.sh: $*" >&2
    exit 1
}

[[ $# -eq 2 ]] || { echo "usage: load.sh BOARD TOP" >&2 && exit 1; }
cd "$(dirname "$0")/../.."
. scripts/given.sh
. scripts/pnr/tools.sh
names "$1" "$2"
board_facts "$1" "$2"
bitstream=build/board/$1-$2/board.bit
[[ -f $bitstream ]] || fail "there is no $bitstream: make bitstream BOARD=$1 TOP=$2"
command -v openFPGALoader >/dev/null || fail "openFPGALoader is missing; as root run: apt-get install -y openfpgaloader"
openFPGALoader -b "$loader" "$bitstream" >build/board/load.log 2>&1 ||
    fail "no $1 could be loaded, is it connected? openFPGALoader says: $(grep -m1 -i -E 'error|fail|unable' build/board/load.log || tail -n 1 build/board/load.log)"
echo "load: $2 runs on $1; its console is at 115200 baud, 8N1"
