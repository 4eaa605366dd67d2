#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# dist.sh - a tarball for users without LLVM: the Verilog of MACHINE, a file list and a FuseSoC core
# file (CAPI2) per module, licence. Deterministic: the same commit gives the same bytes.
set -euo pipefail

cd "$(dirname "$0")/.."
. scripts/given.sh
machine=${MACHINE:-aries}
names "$machine"
rtl=build/rtl/$machine
version=$(git describe --tags --match 'v*' --dirty 2>/dev/null ||
    echo "v0.0.$(git rev-list --count HEAD)-g$(git describe --always --dirty)")
version=${version#v}
number=$(grep -o '^[0-9]*\.[0-9]*\(\.[0-9]*\)\?' <<<"$version")
name=heddle-$machine-$version
work=build/dist/$name
archive=build/dist/$name.tar.gz

rm -rf "$work"
mkdir -p "$work/rtl"
cp LICENSE "$work/"
for file in "$rtl"/*.v; do
    [[ $file == *_tb.v ]] || cp "$file" "$work/rtl/"
done

# core MODULE FILE...
core() {
    local module=$1 file
    shift
    cat <<END
CAPI=2:
name: heddle:$machine:$module:$number
description: $module of Heddle, generated from C
filesets:
  rtl:
    file_type: verilogSource-2005
    files:
END
    for file in "$@"; do
        echo "      - rtl/$file"
    done
    cat <<END
targets:
  default: &default
    filesets: [rtl]
    toplevel: $module
  lint:
    <<: *default
    default_tool: verilator
    tools:
      verilator:
        mode: lint-only
        verilator_options: [-Wall, -fno-const-bit-op-tree]
END
}

for json in "$rtl"/*.json; do
    module=$(basename "$json" .json)
    mapfile -t files <"$rtl/$module.f"
    printf 'rtl/%s\n' "${files[@]}" >"$work/$module.f"
    core "$module" "${files[@]}" >"$work/$module.core"
done

cat >"$work/README.md" <<END
# Heddle, Verilog of $machine, version $version

Verilog-2005, one module per file under rtl/; generated, so change the C instead. <module>.f lists the
files of a module, leaves first; <module>.core is the same for FuseSoC. Clock clk, reset rst (synchronous,
active high); all outputs are registers. -DHLS_ASSERT adds the assertions to a simulation, -DFORMAL to proofs.
With Verilator 5.006 pass -fno-const-bit-op-tree.
END

tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$(git log -1 --format=%ct)" \
    -C build/dist -cf - "$name" | gzip -n >"$archive.part"
mv "$archive.part" "$archive"
rm -rf "$work"
echo "dist: $archive, $(tar -tzf "$archive" | grep -c '\.v$') Verilog files"
