#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# wave.sh [--list] [FILE.fst] - opens a waveform in gtkwave with a list of its signals: that file, or the one the demo left. --list
# prints the list instead. lcb.gtkw is for the two LCBs of the demo; for others, of the demo or of lockstep
# (build/cosim/SET/MODULE.fst), the list is made of the module's ports.
set -euo pipefail

cd "$(dirname "$0")/.."
. scripts/given.sh
only_list=
[[ ${1:-} != --list ]] || { only_list=yes && shift; }
fst=${1:-build/demo/lcb.fst}
plain_paths "$fst"
if [[ ! -e $fst ]]; then
    there=$({ find build/demo build/cosim build/reports -name '*.fst' 2>/dev/null || true; } | sort | paste -sd ' ')
    echo "wave: there is no waveform $fst; make demo leaves some, and make cosim where C and RTL differ; there are:" \
        "${there:-none}" >&2
    exit 1
fi

module=$(basename "$fst" .fst)
list=build/wave/$module.gtkw
case $fst in
*build/demo/lcb.fst | *build/demo/peer.fst) json= ;;
*build/demo/*) json=build/rtl/proto/$module.json ;;
*build/cosim/*) json=build/rtl/$(basename "$(dirname "$fst")")/$module.json ;;
*) json=none ;;
esac
mkdir -p build/wave
if [[ -z $json ]]; then
    sed "s,^\[dumpfile\].*,[dumpfile] \"$fst\"," scripts/lcb.gtkw >"$list"
elif [[ -e $json ]]; then
    scripts/wave.py "$json" "$fst" build/wave >"$list"
else
    printf '[dumpfile] "%s"\n' "$fst" >"$list"
fi
if [[ -n $only_list ]]; then
    cat "$list"
    exit 0
fi
if ! command -v gtkwave >/dev/null; then
    echo "wave: gtkwave is not installed; as root run: apt-get install -y gtkwave" >&2
    exit 1
fi
exec gtkwave "$fst" "$list"
