#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# bench.sh MODULE FILE.v - prints a bench for Icarus that plays a recording to a module: one line per
# clock, the inputs and then the outputs after the edge, in the order of its ports and in binary;
# a "z" among the outputs is not compared. vvp ... +vectors=FILE; stops at the first difference.
set -euo pipefail

[[ $# -eq 2 ]] || { echo "usage: bench.sh MODULE FILE.v" >&2 && exit 1; }

# Yosys prints the ports as "input [47:0] in_flit" lines.
yosys -p "read_verilog $2; portlist $1" | awk -v module="$1" '
    /^(input|output) / && !/ (clk|rst)[;,]?$/ {
        gsub(/[;,]/, "")
        ports++
        name[ports] = $NF
        side[ports] = $1 == "input" ? "in" : "out"
        width[ports] = match($0, /\[[0-9]+:/) ? substr($0, RSTART + 1, RLENGTH - 2) + 1 : 1
        bits[side[ports]] += width[ports]
    }
    END {
        print "`timescale 1ns / 1ps\nmodule bench;"
        printf "    reg [%d:0] in = 0;\n", bits["in"] - 1
        printf "    reg [%d:0] want;\n    wire [%d:0] out;\n", bits["out"] - 1, bits["out"] - 1
        printf "    reg clk = 0, rst = 1;\n    %s dut (.clk(clk), .rst(rst)", module
        for (i = 1; i <= ports; i++) {
            bits[side[i]] -= width[i]
            printf ",\n        .%s(%s[%d +: %d])", name[i], side[i], bits[side[i]], width[i]
        }
        print ");"
    }'
cat <<'END_OF_BENCH'

    reg [2047:0] name;
    integer file, got, clock;
    reg same;

    initial begin
        clock = 0;
        same = 1;
        if (!$value$plusargs("vectors=%s", name)) $display("name a recording with +vectors=FILE");
        file = $fopen(name, "r");
        #1 clk = 1;
        #1 clk = 0;
        rst = 0;
        got = $fscanf(file, "%b %b", in, want);
        while (got == 2 && same) begin
            #1 clk = 1;
            #1 clk = 0;
            same = 0;
            casez (out)
                want: same = 1;
            endcase
            if (!same) $display("clock %0d: got %h, want %h", clock, out, want);
            clock = clock + 1;
            got = $fscanf(file, "%b %b", in, want);
        end
        if (same) $display("PASS %0d clocks", clock);
        $finish;
    end
endmodule
END_OF_BENCH
