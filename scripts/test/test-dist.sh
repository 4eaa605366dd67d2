#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# test-dist.sh - what make dist makes, as a user of FuseSoC has it: two machines in one design pass Verilator, below ports that are called as variables of the C are; a core is simulated against
# recorded clocks, and a broken one is found; it is synthesised; the archive is the same each time. Wants build/cosim/aries/axil_regs.
set -euo pipefail

cd "$(dirname "$0")/../.."
dir=$PWD/build/test/dist
rm -rf "$dir"
mkdir -p "$dir/user"
number=0

# check NAME COMMAND...: one line of TAP
check() {
    local name=$1 result=ok
    shift
    number=$((number + 1))
    "$@" >"$dir/$number.log" 2>&1 || result="not ok"
    echo "$result $number - $name"
}

scripts/python.sh >&2
for machine in aries gemini; do
    make SETUP=no MACHINE=$machine PREFIX=heddle_${machine}_ rtl >"$dir/$machine.log" 2>&1
    RECORDED=$([[ $machine != aries ]] || echo axil_regs) MACHINE=$machine scripts/dist.sh >>"$dir/$machine.log"
    archive=$(sed -n 's/^dist: \(.*\.gz\),.*/\1/p' "$dir/$machine.log")
    cp "$archive" "$dir/$machine.tar.gz"
    tar -C "$dir" -xzf "$archive"
done

cat >"$dir/user/two.v" <<'END_OF_VERILOG'
module two (input wire clk, input wire rst, input wire [6:0] data, output wire [4:0] row);
    heddle_aries_tile a (.clk(clk), .rst(rst), .from_link_peer_load(data), .to_link_freed_vc(row[2:0]));
    heddle_gemini_tile b (.clk(clk), .rst(rst), .from_link_peer_load(data), .to_link_freed_vc(row[4:3]));
endmodule
END_OF_VERILOG
cat >"$dir/user/two.core" <<'END_OF_CORE'
CAPI=2:
name: user:tests:two:1.0.0
filesets:
  rtl:
    file_type: verilogSource-2005
    files: [two.v]
    depend: [heddle:aries:tile, heddle:gemini:tile]
targets:
  default: {filesets: [rtl], toplevel: two}
  lint:
    filesets: [rtl]
    toplevel: two
    flow: lint
    flow_options: {tool: verilator, verilator_options: [-Wall, -Wno-PINMISSING, -Wno-UNUSED, -fno-const-bit-op-tree]}
END_OF_CORE

# fuse TARGET CORE, with its files below $dir
fuse() {
    (cd "$dir/user" && "$OLDPWD/build/python/bin/fusesoc" --cores-root "$dir" run --target="$1" "$2")
}

differs() {
    sed -i 's/wire serves_d = serves_q ?/wire serves_d = !serves_q ?/' "$dir"/heddle-aries-*/rtl/heddle_aries_axil_regs.v
    fuse sim heddle:aries:axil_regs | grep "FAIL heddle_aries_axil_regs: clock"
}

again() {
    RECORDED=axil_regs MACHINE=aries scripts/dist.sh && cmp "$archive_of_aries" "$dir/aries.tar.gz"
}
archive_of_aries=$(sed -n 's/^dist: \(.*\.gz\),.*/\1/p' "$dir/aries.log")

check "two machines in one design, by Verilator" fuse lint user:tests:two
simulated() {
    fuse sim heddle:aries:axil_regs | grep "PASS heddle_aries_axil_regs: 500 clocks"
}
check "a core against its recorded clocks, in Icarus" simulated
check "a core is synthesised" fuse synth heddle:aries:axil_regs
check "each core has one file of Verilog" test "$(grep -h -c 'rtl/heddle' "$dir"/heddle-aries-*/tile.core)" = 1
check "the file list of a tile names what stands below it" grep -q rtl/heddle_aries_route.v "$dir"/heddle-aries-*/tile.f
check "a broken core is found" differs
# each target that a README names is one of that core
named() {
    local target core
    grep -ho -e '--target=[a-z]* heddle:[a-z]*:[a-z_]*' "$dir"/heddle-*/README.md | tr ':' ' ' >"$dir/named"
    [ -s "$dir/named" ]
    while read -r target _ machine core; do
        grep -q "^  ${target#--target=}:" "$dir"/heddle-"$machine"-*/"$core".core || return 1
    done <"$dir/named"
}
check "the READMEs name targets that there are" named
check "the same bytes again" again
echo "1..$number"
