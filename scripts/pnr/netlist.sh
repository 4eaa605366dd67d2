#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# netlist.sh TOP OUT.v [YOSYS] - the netlist of a top of hls/board/ on ECP5, as Verilog for simulation: by YOSYS, which is
# Debian's if it is not given. OUT.v is left alone when it is made of the same Verilog.
set -euo pipefail

fail() {
    echo "netlist.sh: $*" >&2
    exit 1
}

[[ $# -ge 2 ]] || { echo "usage: netlist.sh TOP OUT.v [YOSYS]" >&2 && exit 1; }
cd "$(dirname "$0")/../.."
. scripts/given.sh
. scripts/pnr/tools.sh
names "$1"
plain_paths "$2"
mapfile -t files < <(verilog proto "$1")
[[ ${#files[@]} -gt 0 ]] || fail "no top $1 in build/rtl/proto"
yosys=${3:-yosys}
mkdir -p "$(dirname "$2")"
# the Verilog is written anew more often than it changes
made_of=$(cat "${files[@]}" "$0" | sha256sum)
[[ ! -f $2 || ! -f $2.made-of || $made_of != "$(cat "$2.made-of")" ]] || exit 0
synthesise "$2.log" "read_verilog ${files[*]}; synth_ecp5 -nodsp -top $1; write_verilog -noattr $2.part"
mv "$2.part" "$2"
echo "$made_of" >"$2.made-of"
