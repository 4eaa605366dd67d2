// SPDX-License-Identifier: Apache-2.0
// ub_memory_tb.v - writes through every index of the memories of ub_memory and reads all back: an index out of range has a word of
// its own, but of 20 x 20 the one of the element that it comes to. Prints TAP.
`timescale 1ns / 1ps
module ub_memory_tb;
    reg clk = 0, rst = 1, write = 0;
    reg [9:0] at = 0;
    reg [4:0] row = 0, column = 0, line = 0, place = 0;
    reg [15:0] data = 0;
    wire [15:0] word, field, other;
    reg [15:0] near_was [0:511];
    integer tests = 0, wrong, i, j;

    ub_memory dut (.clk(clk), .rst(rst), .write(write), .at(at), .row(row), .column(column), .line(line),
                   .place(place), .data(data), .word(word), .field(field), .other(other));

    task step;
        begin
            #1 clk = 1;
            #1 clk = 0;
        end
    endtask

    task check(input [80 * 8:1] what, input integer bad);
        begin
            tests = tests + 1;
            if (bad === 0) $display("ok %0d - %0s", tests, what);
            else $display("not ok %0d - %0s # %0d wrong", tests, what, bad);
        end
    endtask

    initial begin
        step;
        rst = 0;
        write = 1;
        for (i = 0; i < 1024; i = i + 1) begin
            at = i;
            {row, column} = i;
            {line, place} = i;
            data = 16'h4000 ^ 37 * i;
            near_was[(line * 20 + place) % 512] = data;
            step;
        end
        write = 0;
        wrong = 0;
        for (i = 0; i < 1024; i = i + 1) begin
            at = i;
            step;
            wrong = wrong + (word !== (16'h4000 ^ 16'd37 * i));
        end
        check("600 words: a word for each of 1024 addresses", wrong);
        wrong = 0;
        for (i = 0; i < 32; i = i + 1)
            for (j = 0; j < 32; j = j + 1) begin
                row = i;
                column = j;
                step;
                wrong = wrong + (field !== (16'h4000 ^ 16'd37 * (32 * i + j)));
            end
        check("20 x 30: a word for each of 32 x 32", wrong);
        wrong = 0;
        for (i = 0; i < 32; i = i + 1)
            for (j = 0; j < 32; j = j + 1) begin
                line = i;
                place = j;
                step;
                wrong = wrong + (other !== near_was[(20 * i + j) % 512]);
            end
        check("20 x 20: the word of row * 20 + column, modulo 512", wrong);
        $display("1..%0d", tests);
        $finish;
    end
endmodule
