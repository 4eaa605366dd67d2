#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# test-registers.sh - what is committed of the register description is what the description says, and a description
# that is wrong is refused.
set -euo pipefail

cd "$(dirname "$0")/../.."
scripts/python.sh >&2
python=build/python/bin/python
dir=build/test/registers
rm -rf $dir
mkdir -p $dir
. scripts/test/tap.sh

# refused FILE WORD: exit status 1, WORD among the messages, no Python traceback
refused() {
    local status=0
    $python scripts/rdl.py --header "$1" >$dir/out 2>$dir/err || status=$?
    [ $status -eq 1 ] && grep -q "$2" $dir/err && ! grep -q Traceback $dir/err && [ ! -s $dir/out ]
}

same() {
    diff -u "$1" "$2" >&2
}

mkdir -p $dir/broken/room # registers.rdl is one folder or two above
cp hls/registers.rdl $dir
cp hls/registers.rdl $dir/broken
for source in hls/link/lcb.rdl hls/link/lane/lcb4.rdl hls/nic/regs/nic.rdl hls/router/tile.rdl hls/chip/clock.rdl hls/chip/maint/supervisor.rdl hls/bgl/host/bgl.rdl hls/seastar/host/seastar.rdl; do
    name=${source%.rdl}
    $python scripts/rdl.py --header "$source" >$dir/regs.h
    $python scripts/rdl.py --table "$source" >$dir/table.md
    check "${name}_map.h is what scripts/rdl.py --header makes" same "${name}_map.h" $dir/regs.h
    check "$(dirname "$source")/REGISTERS.md is what --table makes" same "$(dirname "$source")/REGISTERS.md" $dir/table.md
    sed '0,/{ desc =/s/desc = .*"; /desc = "no end; /' "$source" >$dir/broken/room/one.rdl
    check "a broken $source is refused" refused $dir/broken/room/one.rdl "unmatched\|token recognition error\|extraneous"
done
$python scripts/rdl.py --header hls/router/reg_port.rdl >$dir/regs.h
check "hls/router/reg_port_map.h is what scripts/rdl.py --header makes" same hls/router/reg_port_map.h $dir/regs.h

# whole_chip: pages without a message, and registers of tiles, links, clock and NICs among them
whole_chip() {
    $python scripts/rdl.py --html $dir/html hls/chip/chip.rdl 2>$dir/err && [ ! -s $dir/err ] || return 1
    local name
    for name in colbuf_stall_request first_error round_trip netlink_wrong holdover; do
        grep -q "$name" $dir/html/data/*.json || return 1
    done
}
check "the map of a whole chip has tiles, links, clock and NICs" whole_chip
check "a file that is not there is refused" refused $dir/none.rdl "no file"
sed 's/0x008;/0x000;/' hls/nic/regs/nic.rdl >$dir/broken/room/overlap.rdl
check "two registers at one address are refused" refused $dir/broken/room/overlap.rdl overlap
echo "1..$number"
