#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# verilate.sh DIR M.v -- g++ flags... - Verilator model of M and its children in one object.
#
# Children are found beside M.v by their names. The model and M_raw.cpp are compiled as one file:
# for small models most of the time goes into reading Verilator's headers. A large model is made again with
# its modules kept apart instead of once per instance, and traced two levels deep: code for waveforms is
# most of it otherwise. Leaves DIR/model.o and the Verilog files it was made of in DIR/model.o.d.
set -euo pipefail

dir=$1
verilog=$2
shift 3
module=$(basename "$verilog" .v)
rtl=$(dirname "$verilog")
work=$dir/work
rm -rf "$dir"
mkdir -p "$work"

# warnings are for make lint
# constant bit-op trees: Verilator 5.006 computes some of them wrong (issues 4059, 4832, 4857 ...)
model() {
    verilator --cc --trace-fst -Wno-lint -Wno-style -fno-const-bit-op-tree -DHLS_STATE -DHLS_ASSERT --MMD \
        -y "$rtl" --prefix "V$module" --top-module "$module" --Mdir "$work" "$@" "$verilog"
}

large=4000000 # bytes of C++
model
if (($(cat "$work"/*.cpp | wc -c) > large)); then
    rm -rf "$work"
    model -fno-inline --trace-depth 2
    set -- "$@" -O1
fi

{
    echo "#include \"$PWD/$rtl/${module}_raw.cpp\""
    for file in "$work/V$module"*.cpp; do
        echo "#include \"${file##*/}\""
    done
} >"$work/all.cpp"
"$@" -I"$work" -c "$work/all.cpp" -o "$dir/model.o.part"

{
    printf '%s/model.o: ' "$dir"
    tr ' ' '\n' <"$work/V${module}__ver.d" | grep '\.v$' | sort -u | tr '\n' ' '
    echo
} >"$dir/model.o.d"
rm -rf "$work"
mv "$dir/model.o.part" "$dir/model.o"
