#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# dist.sh - a tarball for users without LLVM: the Verilog of MACHINE with all modules called heddle_MACHINE_..., and for each of them a file
# list and a FuseSoC core (scripts/cores.py); recorded clocks of some, to simulate against; licence, changelog.
# Deterministic: the same commit gives the same bytes. Wants make rtl PREFIX=heddle_MACHINE_ and lockstep of the recorded ones.
set -euo pipefail

cd "$(dirname "$0")/.."
. scripts/given.sh
machine=${MACHINE:-aries}
names "$machine"
prefix=heddle_${machine}_
rtl=build/prefixed/$machine/$prefix
clocks=500
version=$(git describe --tags --match 'v*' --dirty 2>/dev/null ||
    echo "v0.0.$(git rev-list --count HEAD)-g$(git describe --always --dirty)")
version=${version#v}
number=$(grep -o '^[0-9]*\.[0-9]*\(\.[0-9]*\)\?' <<<"$version")
name=heddle-$machine-$version
work=build/dist/$name
archive=build/dist/$name.tar.gz

rm -rf "$work"
mkdir -p "$work/rtl" "$work/json" "$work/bench" "$work/vectors"
cp LICENSE CHANGELOG.md "$work/"
cp "$rtl"/*.json "$work/json/"
for file in "$rtl"/*.v; do
    [[ $file == *_tb.v ]] || cp "$file" "$work/rtl/"
done
for module in ${RECORDED:-}; do
    "build/cosim/$machine/$module" --info "build/rtl/$machine/$module.json" --machine "$machine" --cycles $clocks --seed 1 \
        --record "$work/vectors/$module.txt" >/dev/null
    cp "$rtl/$prefix${module}_tb.v" "$work/bench/"
done
python3 -B scripts/cores.py "$machine" "$prefix" "$number" "$work"

# the examples of the README name what this machine has
recorded=${RECORDED:-}
shown=${recorded##* }
[[ " $recorded " != *" lcb "* ]] || shown=lcb
shown=${shown:-tile}
cat >"$work/README.md" <<END
# Heddle, Verilog of $machine, version $version

Verilog-2005, one module per file under rtl/; generated, so change the C instead. All modules are called $prefix..., so
two machines fit into one design. <module>.f lists the files of a module, leaves first; <module>.core is the same for FuseSoC:

    fusesoc library add heddle .
    fusesoc run --target=lint heddle:$machine:$shown      # Verilator
    fusesoc run --target=synth heddle:$machine:$shown     # Yosys, ECP5
$(for module in $recorded; do
    echo "    fusesoc run --target=sim heddle:$machine:$module       # Icarus, $clocks recorded clocks; prints PASS or the first difference"
done)

json/ has the ports, registers and memories of each module with their comments. Clock clk, reset rst (synchronous, active high); all
outputs are registers. -DHLS_ASSERT adds the assertions to a simulation, -DFORMAL to proofs. With Verilator 5.006 pass
-fno-const-bit-op-tree.
END

tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$(git log -1 --format=%ct)" \
    -C build/dist -cf - "$name" | gzip -n >"$archive.part"
mv "$archive.part" "$archive"
rm -rf "$work"
echo "dist: $archive, $(tar -tzf "$archive" | grep -c '\.v$') Verilog files"
