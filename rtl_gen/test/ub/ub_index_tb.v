// SPDX-License-Identifier: Apache-2.0
// ub_index_tb.v - drives ub_index alone through every index and checks the fixed answers: the read
// value below the bound, zero from it on; a write reaches its own element or none. Prints TAP.
`timescale 1ns / 1ps
module ub_index_tb;
    reg clk = 0, rst = 1, write = 0;
    reg [3:0] at = 0;
    reg [2:0] row = 0, col = 0;
    reg [7:0] data = 8'h5b;
    wire [7:0] read, below, stacked;
    wire [4:0] value;
    wire [3:0] element, child;
    wire [5:0] entry;
    wire [79:0] word;
    wire [14:0] item_tag;
    wire [24:0] item_value;
    wire [59:0] grid;
    integer tests = 0, failed = 0, i, j;
    reg [79:0] word_was;
    reg [24:0] value_was;
    reg [59:0] grid_was;

    ub_index dut (.clk(clk), .rst(rst), .write(write), .at(at), .row(row), .col(col), .data(data),
                  .read(read), .below(below), .stacked(stacked), .value(value), .element(element),
                  .entry(entry), .child(child), .word(word), .item_tag(item_tag),
                  .item_value(item_value), .grid(grid));

    function [5:0] table_at(input integer k);
        case (k)
            0: table_at = 11;
            1: table_at = 22;
            2: table_at = 33;
            3: table_at = 44;
            4: table_at = 55;
            5: table_at = 63;
            6: table_at = 1;
            default: table_at = 0;
        endcase
    endfunction

    task step;
        begin
            #1 clk = 1;
            #1 clk = 0;
        end
    endtask

    task check(input [80 * 8:1] what, input integer a, input integer b, input [79:0] got,
               input [79:0] want);
        begin
            tests = tests + 1;
            if (got === want) begin
                $display("ok %0d - %0s %0d %0d", tests, what, a, b);
            end else begin
                failed = failed + 1;
                $display("not ok %0d - %0s %0d %0d # %h, expected %h", tests, what, a, b, got, want);
            end
        end
    endtask

    initial begin
        step;
        rst = 0;
        for (i = 0; i < 16; i = i + 1) begin
            at = i;
            step;
            check("read of 10 at", i, 0, read, i < 10 ? 100 + i : 0);
            check("read of 10 at less 5", i, 0, below, i >= 5 && i < 15 ? 95 + i : 0);
            check("local of 6 at", i, 0, stacked, i < 6 ? 8'h5b : 0);
            check("field of 5 at", i, 0, value, i < 5 ? 20 + i : 0);
            check("table of 7 at", i, 0, entry, table_at(i));
            check("child of 3 at", i, 0, child, i >= 3 ? 0 : i == 0 ? 9 : 11);
        end
        for (i = 0; i < 8; i = i + 1) begin
            for (j = 0; j < 8; j = j + 1) begin
                row = i;
                col = j;
                step;
                check("read of 3 x 5 at", i, j, element, i < 3 && j < 5 ? 1 + 5 * i + j : 0);
            end
        end
        write = 1;
        for (i = 0; i < 16; i = i + 1) begin
            at = i;
            row = 7;
            data = 8'h81 + 2 * i;
            word_was = word;
            value_was = item_value;
            grid_was = grid;
            if (i < 10) begin
                word_was[8 * i +: 8] = data;
            end
            if (i < 5) begin
                value_was[5 * i +: 5] = data;
            end
            step;
            check("write of 10 at", i, 0, word, word_was);
            check("write of field of 5 at", i, 0, item_value, value_was);
            check("neighbouring field after write at", i, 0, item_tag, 15'h7fff);
            check("write of no row at", i, 0, grid, grid_was);
        end
        for (i = 0; i < 8; i = i + 1) begin
            for (j = 0; j < 8; j = j + 1) begin
                row = i;
                col = j;
                data = data + 2;
                grid_was = grid;
                if (i < 3 && j < 5) begin
                    grid_was[4 * (5 * i + j) +: 4] = data;
                end
                step;
                check("write of 3 x 5 at", i, j, grid, grid_was);
            end
        end
        $display("1..%0d", tests);
        $finish;
    end
endmodule
