# SPDX-License-Identifier: Apache-2.0
#
# wrapper.awk -v module=M - from M's port list, as Yosys' portlist prints it, a Verilog module "wrapper" of three pins
# around M, so that any module fits any package and only its own paths count: every input but clk is fed by a stage of
# one shift register, every output is caught in a register and shifted out. Exit status 1 if there are no such ports.

/^(input|output)/ {
    gsub(/[;,]/, "")
    width = 1
    name = $NF
    if (match($0, /\[[0-9]+:/))
        width = substr($0, RSTART + 1, RLENGTH - 2) + 1
    if (name == "clk")
        next
    if ($1 == "input") {
        connect = connect sprintf(",\n        .%s(in_q[%d:%d])", name, in_bits + width - 1, in_bits)
        in_bits += width
    } else {
        connect = connect sprintf(",\n        .%s(out[%d:%d])", name, out_bits + width - 1, out_bits)
        out_bits += width
    }
}

END {
    if (!in_bits || !out_bits)
        exit 1
    printf "module wrapper (input wire clk, input wire si, output wire so);\n"
    printf "    reg  [%d:0] in_q;\n    reg  [%d:0] out_q;\n", in_bits, out_bits - 1
    printf "    wire [%d:0] out;\n", out_bits - 1
    printf "    always @(posedge clk) begin\n        in_q <= {in_q[%d:0], si};\n", in_bits - 1
    printf "        out_q <= in_q[%d] ? out : {out_q[%d:0], 1%sb0};\n    end\n", in_bits, out_bits - 2, "\047"
    printf "    assign so = out_q[%d];\n", out_bits - 1
    printf "    %s dut (\n        .clk(clk)%s\n    );\nendmodule\n", module, connect
}
