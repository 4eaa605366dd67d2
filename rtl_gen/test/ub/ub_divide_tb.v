// SPDX-License-Identifier: Apache-2.0
// ub_divide_tb.v - drives ub_divide alone and checks: with a divisor the quotient towards zero and
// its remainder, without one zero and zero. Prints TAP.
`timescale 1ns / 1ps
module ub_divide_tb;
    reg clk = 0, rst = 1;
    reg [6:0] a = 0, b = 0;
    reg signed [8:0] s = 0, t = 0;
    reg [39:0] c = 0, d = 0;
    wire [6:0] quotient, remainder;
    wire signed [8:0] squotient, sremainder;
    wire [39:0] wquotient, wremainder;
    integer tests = 0, seed = 1, i;

    ub_divide dut (.clk(clk), .rst(rst), .a(a), .b(b), .s(s), .t(t), .c(c), .d(d),
                   .quotient(quotient), .remainder(remainder), .squotient(squotient),
                   .sremainder(sremainder), .wquotient(wquotient), .wremainder(wremainder));

    task step;
        begin
            #1 clk = 1;
            #1 clk = 0;
        end
    endtask

    task check(input [80 * 8:1] what, input integer x, input integer y, input integer got,
               input integer want);
        begin
            tests = tests + 1;
            if (got === want) begin
                $display("ok %0d - %0s of %0d by %0d", tests, what, x, y);
            end else begin
                $display("not ok %0d - %0s of %0d by %0d # %0d, expected %0d", tests, what, x, y,
                         got, want);
            end
        end
    endtask

    initial begin
        step;
        rst = 0;
        for (i = 0; i < 200; i = i + 1) begin
            a = $random(seed);
            b = i % 3 == 0 ? 0 : $random(seed);
            s = $random(seed);
            t = i % 3 == 1 ? 0 : $random(seed);
            c = {9'd0, $random(seed)} >> 1;
            d = i % 3 == 2 ? 0 : {8'd0, $random(seed)} >> 7;
            if (i % 50 == 7) begin
                s = -256;
                t = -1;
            end
            step;
            check("quotient", a, b, quotient, b == 0 ? 0 : a / b);
            check("remainder", a, b, remainder, b == 0 ? 0 : a % b);
            check("signed quotient", s, t, squotient,
                  t == 0 ? 0 : s == -256 && t == -1 ? -256 : s / t);
            check("signed remainder", s, t, sremainder, t == 0 ? 0 : s % t);
            check("wide quotient", c, d, wquotient, d == 0 ? 0 : c / d);
            check("wide remainder", c, d, wremainder, d == 0 ? 0 : c % d);
        end
        $display("1..%0d", tests);
        $finish;
    end
endmodule
