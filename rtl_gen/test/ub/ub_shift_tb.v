// SPDX-License-Identifier: Apache-2.0
// ub_shift_tb.v - drives ub_shift alone with every amount and checks: below the width the shifted
// value, from it on zero. Prints TAP.
`timescale 1ns / 1ps
module ub_shift_tb;
    reg clk = 0, rst = 1;
    reg [7:0] octet = 8'hb7;
    reg [32:0] word = 33'h1_9e3779b9;
    reg signed [11:0] number = -12'sd1111;
    reg [99:0] wide = 100'h9_e3779b97f4a7c15f39cc0605;
    reg [9:0] amount = 0;
    wire [7:0] byte_left, byte_right;
    wire [32:0] word_left, word_right;
    wire [11:0] number_right;
    wire [99:0] wide_left, wide_right;
    wire [31:0] plain;
    reg signed [11:0] shifted;
    integer tests = 0, i, k;

    ub_shift dut (.clk(clk), .rst(rst), .octet(octet), .word(word), .number(number), .wide(wide),
                  .amount(amount), .byte_left(byte_left), .byte_right(byte_right),
                  .word_left(word_left), .word_right(word_right), .number_right(number_right),
                  .wide_left(wide_left), .wide_right(wide_right), .plain(plain));

    task step;
        begin
            #1 clk = 1;
            #1 clk = 0;
        end
    endtask

    task check(input [80 * 8:1] what, input [99:0] got, input [99:0] want);
        begin
            tests = tests + 1;
            if (got === want) begin
                $display("ok %0d - %0s by %0d", tests, what, amount);
            end else begin
                $display("not ok %0d - %0s by %0d # %h, expected %h", tests, what, amount, got,
                         want);
            end
        end
    endtask

    initial begin
        step;
        rst = 0;
        for (i = 0; i < 1024; i = i < 140 ? i + 1 : i + 29) begin
            amount = i;
            step;
            shifted = number >>> i;
            check("u8 left", byte_left, i < 8 ? (octet << i) & 8'hff : 0);
            check("u8 right", byte_right, i < 8 ? octet >> i : 0);
            check("u33 left", word_left, i < 33 ? (word << i) & 33'h1_ffffffff : 0);
            check("u33 right", word_right, i < 33 ? word >> i : 0);
            check("sint(12) right", number_right, i < 12 ? {88'd0, shifted} : 100'd0);
            check("uint(100) left", wide_left, i < 100 ? wide << i : 0);
            check("uint(100) right", wide_right, i < 100 ? wide >> i : 0);
            check("unsigned left", plain, i < 32 ? 32'd1 << i : 0);
        end
        $display("1..%0d", tests);
        $finish;
    end
endmodule
