#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# wave.sh [FILE.fst] - opens a waveform in gtkwave: that file, or the one the demo left, with its
# prepared list of signals.
set -euo pipefail

fst=${1:-build/demo/lcb.fst}
if [ ! -e "$fst" ]; then
    echo "wave: there is no waveform $fst; make demo leaves one" >&2
    exit 1
fi
if ! command -v gtkwave >/dev/null; then
    echo "wave: gtkwave is not installed; as root run: apt-get install -y gtkwave" >&2
    exit 1
fi
exec gtkwave "$fst" scripts/lcb.gtkw
