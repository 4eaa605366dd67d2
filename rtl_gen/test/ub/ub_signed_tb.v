// SPDX-License-Identifier: Apache-2.0
// ub_signed_tb.v - drives ub_signed alone with numbers at the ends of their ranges and checks the fixed answers: the
// exact result, computed in 128 bits, cut. Prints TAP.
`timescale 1ns / 1ps
module ub_signed_tb;
    reg clk = 0, rst = 1;
    reg signed [31:0] a = 0, b = 0;
    reg signed [5:0] s = 0, t = 0;
    reg [2:0] by = 0;
    wire [31:0] sum, difference, product, negative, absolute, shifted, quotient, remainder;
    wire [5:0] ssum, sdifference, sproduct, snegative, sshifted, squotient, sremainder, next;
    reg signed [127:0] wa, wb, ws, wt;
    integer tests = 0, seed = 1, i, j;

    ub_signed dut (.clk(clk), .rst(rst), .a(a), .b(b), .s(s), .t(t), .by(by), .sum(sum),
                   .difference(difference), .product(product), .negative(negative),
                   .absolute(absolute), .shifted(shifted), .quotient(quotient),
                   .remainder(remainder), .ssum(ssum), .sdifference(sdifference),
                   .sproduct(sproduct), .snegative(snegative), .sshifted(sshifted),
                   .squotient(squotient), .sremainder(sremainder), .next(next));

    function signed [31:0] awkward(input integer k);
        case (k)
            0: awkward = 32'h80000000;
            1: awkward = 32'h80000001;
            2: awkward = -1;
            3: awkward = 0;
            4: awkward = 1;
            5: awkward = 32'h7fffffff;
            6: awkward = 32'h40000000;
            default: awkward = $random(seed);
        endcase
    endfunction

    task step;
        begin
            #1 clk = 1;
            #1 clk = 0;
        end
    endtask

    task check(input [80 * 8:1] what, input [31:0] got, input [31:0] want);
        begin
            tests = tests + 1;
            if (got === want) begin
                $display("ok %0d - %0s", tests, what);
            end else begin
                $display("not ok %0d - %0s of %0d, %0d or %0d, %0d # %h, expected %h", tests, what,
                         a, b, s, t, got, want);
            end
        end
    endtask

    task check6(input [80 * 8:1] what, input [5:0] got, input [5:0] want);
        check(what, {26'd0, got}, {26'd0, want});
    endtask

    initial begin
        step;
        rst = 0;
        for (i = 0; i < 8; i = i + 1) begin
            for (j = 0; j < 8; j = j + 1) begin
                a = awkward(i);
                b = awkward(j);
                s = i == 0 ? -32 : i == 1 ? 31 : $random(seed);
                t = j == 2 ? -1 : j == 1 ? -32 : $random(seed);
                by = i + j;
                wa = a;
                wb = b;
                ws = s;
                wt = t;
                step;
                check("sum", sum, wa + wb);
                check("difference", difference, wa - wb);
                check("product", product, wa * wb);
                check("negation", negative, -wa);
                check("absolute value", absolute, wa < 0 ? -wa : wa);
                check("left shift", shifted, wa << by);
                check("quotient", quotient, b == 0 ? 0 : wa / wb);
                check("remainder", remainder, b == 0 ? 0 : wa % wb);
                check6("sum of 6 bits", ssum, ws + wt);
                check6("difference of 6 bits", sdifference, ws - wt);
                check6("product of 6 bits", sproduct, ws * wt);
                check6("negation of 6 bits", snegative, -ws);
                check6("left shift of 6 bits", sshifted, by < 6 ? ws << by : 0);
                check6("quotient of 6 bits", squotient, t == 0 ? 0 : ws / wt);
                check6("remainder of 6 bits", sremainder, t == 0 ? 0 : ws % wt);
                check6("increment of 6 bits", next, ws + 1);
            end
        end
        $display("1..%0d", tests);
        $finish;
    end
endmodule
