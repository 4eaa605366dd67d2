#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# test-docs.sh - the pages of make docs, for two blocks: diagrams show the Verilog's instances and what was recorded; a port or
# a clock that does not exist is refused. Wants build/rtl/aries and lockstep of axil_regs with the recorder of its test.
set -euo pipefail

cd "$(dirname "$0")/../.."
dir=build/test/docs
rm -rf $dir
mkdir -p $dir
. scripts/test/tap.sh

# blocks PORT VALUE: two blocks, one with a write of the register bus from where PORT is VALUE
blocks() {
    cat <<BLOCKS
[{"module": "lcb_bytes", "set": "aries", "title": "bytes", "read": ["hls/axi/README.md"], "may_wait": [], "timing": []},
 {"module": "axil_regs", "set": "aries", "title": "registers", "read": [], "may_wait": ["none <or> some"], "registers": "lcb",
  "timing": [{"title": "A write", "test": "test_axil_regs", "from": {"$1": $2}, "nth": 2, "before": 2, "clocks": 9,
              "signals": ["bus_valid", "bus_addr", "s_axil_bvalid"]},
             {"title": "Strobes", "test": "test_axil_regs", "from": {"$1": $2}, "nth": 2, "before": 1, "clocks": 2,
              "signals": ["bus_addr"]}]}]
BLOCKS
}

# refused WORD: exit status 1 and one line with WORD
refused() {
    local status=0
    scripts/docs/docs.sh $dir/blocks.json $dir/out >$dir/log 2>$dir/err || status=$?
    [ $status -ne 0 ] && grep -q "docs.py: .*$1" $dir/err && ! grep -q Traceback $dir/err
}

# What was recorded, read here once more: inputs are 180 bits, bus.valid the first register behind the 205 bits of s_axil
drawn() {
    build/python/bin/python - $dir/out <<'PYTHON'
import json, sys
sys.path.insert(0, "scripts/docs")
import record
info = json.load(open("build/rtl/aries/axil_regs.json"))
r = record.Record(f"{sys.argv[1]}/record/axil_regs-test_axil_regs.txt", info)
at = r.find({"bus_valid": 1, "bus_write": 1}, 2)
place = next(p for p in info["state"] if p["c"] == "out.bus.valid")["lsb"]
lines = [line.split() for line in open(f"{sys.argv[1]}/record/axil_regs-test_axil_regs.txt")]
now = [int(lines[t][2], 16) >> place & 1 for t in range(at - 3, at + 6)]
wave = r.wave("bus_valid", at - 2, 9)["wave"]
shown = []
for c in wave:
    shown.append(shown[-1] if c == "." else int(c))
sys.exit(shown != now or len(set(shown)) != 2)
PYTHON
}

made() {
    scripts/docs/docs.sh $dir/blocks.json $dir/out >$dir/log
}

blocks bus_write 1 >$dir/blocks.json
check "pages are made" made
for instance in axil_regs byte_pack byte_unpack lcb_axis; do
    check "the diagram of lcb_bytes has $instance" grep -q "$instance</text>" $dir/out/lcb_bytes.html
done
check "and what runs from the packer to the LCB" grep -q 'pack&#45;&gt;axis' $dir/out/lcb_bytes.html
check "the timing diagram has its signals" grep -q 's_axil_bvalid' $dir/out/axil_regs.html
check "and shows what was recorded" drawn
check "a signal that does not change has its value beside its name" grep -q 'bus_addr = [0-9a-f]*<' $dir/out/axil_regs.html
check "the index says where to begin" grep -q 'Where to begin' $dir/out/index.html
check "words are escaped" grep -q 'none &lt;or&gt; some' $dir/out/axil_regs.html
check "registers have pages" test -s $dir/out/registers/chip/index.html
blocks no_port 1 >$dir/blocks.json
check "a port that does not exist is refused" refused no_port
blocks bus_write 7 >$dir/blocks.json
check "a clock that does not come is refused" refused "is not recorded"
mkdir -p $dir/build/cosim/aries $dir/build/cosim/example
touch $dir/build/cosim/aries/axil_regs.fst
scripts/wave.sh --list $dir/build/cosim/aries/axil_regs.fst >$dir/list
check "a waveform's list has its ports" grep -q '^axil_regs.axil_regs.s_axil_awaddr\[18:0\]' $dir/list
check "and its registers" grep -q '^axil_regs.axil_regs.have_aw_q' $dir/list
touch $dir/build/cosim/example/lanes.fst
scripts/wave.sh --list $dir/build/cosim/example/lanes.fst >$dir/list
check "a process has a filter of its states" grep -q "^10 LANES_WRITE$" build/wave/lanes-lane_at.states
check "and a list its bits, of an element of an array" grep -qF '#{lane<3>.at} (0)lanes.lanes.lane_at_q[7:0] (1)' $dir/list
no_wave() {
    ! scripts/wave.sh --list $dir/none.fst 2>$dir/err && grep -q "there is no waveform" $dir/err
}
check "a waveform that is not there is refused" no_wave
echo "1..$number"
