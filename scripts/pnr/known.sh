#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# known.sh device NAME PLACER | known.sh board BOARD TOP - fails in one line if there is no such device, placer, board or
# top: what make asks before it spends minutes on Verilog for it.
set -euo pipefail

fail() {
    echo "$*" >&2
    exit 1
}

cd "$(dirname "$0")/../.."
. scripts/pnr/tools.sh
case ${1:-} in
device)
    [[ ", $DEVICES," == *", ${2:-},"* ]] || fail "pnr.sh: unknown device ${2:-}; there are $DEVICES"
    [[ ", $PLACERS," == *", ${3:-},"* ]] || fail "pnr.sh: unknown placer ${3:-}; there are $PLACERS"
    ;;
board) board_facts "${2:-}" "${3:-}" ;;
*) fail "usage: known.sh device NAME PLACER | known.sh board BOARD TOP" ;;
esac
