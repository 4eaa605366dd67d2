// SPDX-License-Identifier: Apache-2.0
// ub_value_tb.v - drives ub_value alone and checks the fixed answers: as many zeros as there are bits, the lowest bit of
// a bool, the bytes that are there, and as if the path went on. Prints TAP.
`timescale 1ns / 1ps
module ub_value_tb;
    reg clk = 0, rst = 1;
    reg [4:0] a = 0;
    reg [2:0] at = 0;
    reg [7:0] flag = 0;
    wire [5:0] leading, trailing, narrow;
    wire [7:0] chosen, other;
    wire [15:0] misaligned;
    integer tests = 0, i, k, low, high;

    ub_value dut (.clk(clk), .rst(rst), .a(a), .at(at), .flag(flag), .leading(leading),
                  .trailing(trailing), .narrow(narrow), .chosen(chosen), .misaligned(misaligned),
                  .other(other));

    task step;
        begin
            #1 clk = 1;
            #1 clk = 0;
        end
    endtask

    task check(input [80 * 8:1] what, input integer of, input integer got, input integer want);
        begin
            tests = tests + 1;
            if (got === want) begin
                $display("ok %0d - %0s of %0d", tests, what, of);
            end else begin
                $display("not ok %0d - %0s of %0d # %0d, expected %0d", tests, what, of, got, want);
            end
        end
    endtask

    initial begin
        step;
        rst = 0;
        for (i = 0; i < 256; i = i + 1) begin
            a = i;
            at = i;
            flag = i;
            low = 32;
            high = 5;
            for (k = 0; k < 5; k = k + 1) begin
                if (a[4 - k]) begin
                    low = 4 - k;
                end
                if (a[k]) begin
                    high = 4 - k;
                end
            end
            step;
            check("leading zeros", a, leading, a == 0 ? 32 : 27 + high);
            check("trailing zeros", a, trailing, low);
            check("leading zeros in 5 bits", a, narrow, high);
            check("choice by a bool", flag, chosen, flag[0] ? 7 : 9);
            check("word at", at, misaligned, at + 1 + 256 * (at + 2));
            check("number, also where not to be reached,", at, other, at);
        end
        $display("1..%0d", tests);
        $finish;
    end
endmodule
