#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# verilate.sh [--waves] OUT.o M.v|M.sv [PART...] -- clang++ flags... - Verilator model of M and its children in one object.
#
# With M.sv it is SystemVerilog: the files of M.f, and concurrent assertions.
#
# Children are found beside M.v by their names. The model and M_raw.cpp are compiled as one file:
# for small models most of the time goes into reading Verilator's headers. A large model is made again with
# its modules kept apart instead of once per instance. Leaves OUT.o and, in OUT.o.d, the Verilog files it was made of that stay.
#
# --waves: a model that can write waveforms, of which the code is a third of what is compiled; two levels deep in a large one.
# Without it the flags have -DVM_TRACE=0.
#
# Every model also has M_part_new and M_part_step, by which another one calls it over DPI. With PARTs, modules that
# stand in M many times or are large, M is made of those modules' own models, which must be ../PART/model.o beside OUT.o:
# compiled once instead of written out for each instance. Every output of a module is a register, so one call a clock is
# all it takes.
set -euo pipefail

waves=()
[[ $1 != --waves ]] || { waves=(--trace-fst) && shift; }
object=$1
verilog=$2
parts=()
shift 2
while [[ $1 != -- ]]; do parts+=("$1") && shift; done
shift
module=$(basename "${verilog%.*}")
rtl=$(dirname "$verilog")
work=${object%.o}.work
sources=("$verilog")
if [[ $verilog == *.sv ]]; then
    mapfile -t sources < <(sed "s|^|$rtl/|" "${verilog%.sv}.f")
    sources+=(--assert)
fi
rm -rf "$work" "$object"
mkdir -p "$work/rtl"

# warnings are for make lint
# constant bit-op trees: Verilator 5.006 computes some of them wrong (issues 4059, 4832, 4857 ...)
model() {
    verilator --cc "${waves[@]}" -Wno-lint -Wno-style -fno-const-bit-op-tree -DHLS_STATE -DHLS_ASSERT --MMD \
        -y "$work/rtl" -y "$rtl" --prefix "V$module" --top-module "$module" --Mdir "$work" "$@" "${sources[@]}"
}

# Verilog with the ports of $1.v that hands them to a model of it. Inputs stand as in $1.json, where fields without a port are zeros here;
# registers are numbered as in $1_raw.cpp: from the first port on, outputs first.
front() {
    awk -v module="$1" '
        function width(text) { return text ~ /\[/ ? substr(text, index(text, "[") + 1) + 1 : 1 }
        function value(key) { return match($0, "\"" key "\":\"?[a-z_A-Z0-9]+") ? substr($0, RSTART + length(key) + 3, RLENGTH - length(key) - 3) : "" }
        FILENAME ~ /json$/ {
            if (/^ "/) inputs = /^ "inputs"/
            else if (inputs && /^  \{/) {
                name = value("name")
                sub(/^"/, "", name)
                bits = value("width") * value("count")
                ins = (value("unread") == "true" ? bits "\047d0" : name) (ins == "" ? "" : ", ") ins
                in_bits += bits
            }
            next
        }
        /^module/ { header = 1 }
        header { print }
        header && /^ *output / {
            line = $0
            sub(/ *\/\/.*/, "", line)
            bits = width(line)
            name = line
            gsub(/,|.*[ \]]/, "", name)
            if (name == "hls_state") states = bits
            else { outs = name (outs == "" ? "" : ", ") outs; out_bits += bits }
        }
        header && /^\);/ { exit }
        END {
            printf "    import \"DPI-C\" function chandle %s_part_new();\n", module
            printf "    import \"DPI-C\" function void %s_part_step(input chandle part, input bit rst,\n", module
            printf "        input bit [%d:0] in, output bit [%d:0] state);\n", in_bits - 1, states - 1
            printf "    chandle front_part;\n    bit [%d:0] front_next;\n    reg [%d:0] front_state;\n", states - 1, states - 1
            printf "    initial front_part = %s_part_new();\n", module
            printf "    always @(posedge clk) begin\n"
            printf "        %s_part_step(front_part, rst, {%s}, front_next);\n        front_state <= front_next;\n    end\n", module, ins
            printf "    assign {%s} = front_state[%d:0];\n    assign hls_state = front_state;\nendmodule\n", outs, out_bits - 1
        }' "$rtl/$1.json" "$rtl/$1.v"
}

# The model's side of a front. Each model has a context of its own, the caller's is put back.
part_functions() {
    cat <<END
extern "C" void *${module}_part_new()
{
    VerilatedContext *caller = Verilated::threadContextp();
    void *part = ${module}_raw_new(nullptr);
    Verilated::threadContextp(caller);
    return part;
}

extern "C" void ${module}_part_step(void *part, unsigned char rst, const uint32_t *in, uint32_t *state)
{
    VerilatedContext *caller = Verilated::threadContextp();
    static_cast<model *>(part)->top->rst = rst;
    if (${module}_raw_step(part, in, state))
        caller->gotFinish(true);
    Verilated::threadContextp(caller);
}
END
}

large=4000000 # bytes of C++
if ((${#parts[@]} > 0)); then
    for part in "${parts[@]}"; do front "$part" >"$work/rtl/$part.sv"; done
    model -fno-inline ${waves:+--trace-depth 1}
else
    model
    if (($(cat "$work"/*.cpp | wc -c) > large)); then
        rm -rf "$work"
        mkdir -p "$work/rtl"
        model -fno-inline ${waves:+--trace-depth 2}
    fi
fi

# what is run seldom: of a large model in a file of its own, as clang takes long for functions of many thousand lines unless it
# optimises nothing
objects=()
part=
if (($(cat "$work"/*Slow.cpp "$work"/*__Trace__*.cpp 2>/dev/null | wc -c) > large / 4)); then
    part=often
    scripts/unity.sh "$work" seldom >"$work/seldom.cxx"
    flags=("$@")
    for i in "${!flags[@]}"; do
        # what is precompiled is for the other level
        [[ ${flags[i]-} != -include-pch ]] || unset "flags[i]" "flags[i + 1]"
    done
    "${flags[@]}" -O0 -I"$work" -c "$work/seldom.cxx" -o "$work/seldom.o"
    objects+=("$work/seldom.o")
fi
{
    echo "#include \"$PWD/$rtl/${module}_raw.cpp\""
    part_functions
    scripts/unity.sh "$work" $part
} >"$work/all.cxx"
"$@" -I"$work" -c "$work/all.cxx" -o "$work/all.o"
for part in "${parts[@]}"; do objects+=("$(dirname "$object")/../$part/model.o"); done
ld -r "$work/all.o" "${objects[@]}" -o "$object.part"

# each file is a target, too: one that there is no more is no error
tr ' ' '\n' <"$work/V${module}__ver.d" | grep -E '\.s?v$' | grep -vF "$work/" | sort -u >"$work/files"
{
    echo "$object:" "$(tr '\n' ' ' <"$work/files")"
    sed 's/$/:/' "$work/files"
} >"$object.d"
rm -rf "$work"
mv "$object.part" "$object"
