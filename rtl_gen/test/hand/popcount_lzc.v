// SPDX-License-Identifier: Apache-2.0
//
// popcount_lzc.v - ones and leading zeros of 64 bits, written by hand as the yardstick for what
// rtlgen makes of the same function in C. The contract is in README.md.

`default_nettype none

module popcount_lzc (
    input  wire        clk,
    input  wire        rst,     // synchronous
    input  wire [63:0] x,
    output reg  [6:0]  ones,
    output reg  [6:0]  zeros    // above the highest one; 64 when there is none
);

    // Seven bits are three: four full adders, of two LUTs each.
    function [2:0] count7;
        input [6:0] b;
        reg [1:0] low, high;
        reg       carry;
        begin
            low    = {b[0] && b[1] || b[2] && (b[0] || b[1]), ^b[2:0]};
            high   = {b[3] && b[4] || b[5] && (b[3] || b[4]), ^b[5:3]};
            carry  = low[0] && high[0] || b[6] && (low[0] || high[0]);
            count7 = {low[1] && high[1] || carry && (low[1] || high[1]),
                      low[1] ^ high[1] ^ carry, low[0] ^ high[0] ^ b[6]};
        end
    endfunction

    // From here on every sum of two has a bit more to carry in.
    function [3:0] count15;
        input [14:0] b;
        count15 = {1'b0, count7(b[6:0])} + {1'b0, count7(b[13:7])} + {3'd0, b[14]};
    endfunction

    wire [4:0] low   = count15(x[14:0]) + count15(x[29:15]) + x[60];
    wire [4:0] high  = count15(x[44:30]) + count15(x[59:45]) + x[61];
    wire [5:0] most  = low + high + x[62];
    wire [6:0] count = most + x[63];

    // Leading zeros: a nibble, among four nibbles, among four of those.
    function [1:0] leading;     // of four bits that are not all zero
        input [3:0] b;
        leading = {!b[3] && !b[2], !b[3] && (b[2] || !b[1])};
    endfunction

    function [3:0] pick;        // number `at` from above of four nibbles
        input [15:0] w;
        input [1:0]  at;
        pick = w[{~at, 2'd0} +: 4];
    endfunction

    wire [15:0] any;            // the nibbles that have a one
    wire [3:0]  any4;
    genvar i;
    generate
        for (i = 0; i < 16; i = i + 1) begin : nibble
            assign any[i] = |x[4 * i +: 4];
        end
        for (i = 0; i < 4; i = i + 1) begin : four
            assign any4[i] = |any[4 * i +: 4];
        end
    endgenerate

    wire [1:0] at16 = leading(any4);
    wire [1:0] at4  = leading(pick(any, at16));
    wire [3:0] last = x[{~at16, ~at4, 2'd0} +: 4];

    always @(posedge clk)
        if (rst) begin
            ones  <= 7'd0;
            zeros <= 7'd64;
        end else begin
            ones  <= count;
            zeros <= any4 == 4'd0 ? 7'd64 : {1'b0, at16, at4, leading(last)};
        end

endmodule

`default_nettype wire
