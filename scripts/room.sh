#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# room.sh ROOM... - prints the C of these rooms of hls/ and of those in them, a file a line: room.sh link router. Without provers, and
# without packet mode, which machines in micropackets do not have.
set -euo pipefail

[[ $# -gt 0 ]] || { echo "usage: room.sh ROOM...    the C of rooms of hls/: room.sh link router" >&2 && exit 1; }
cd "$(dirname "$0")/.."
. scripts/given.sh
paths_of_names "$@"
for room in "$@"; do
    [[ -d hls/$room ]] || { echo "room.sh: there is no room hls/$room" >&2 && exit 1; }
    find "hls/$room" -name '*.c' ! -path '*/formal/*' ! -path 'hls/link/packet/*' | sort
done
