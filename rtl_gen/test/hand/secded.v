// SPDX-License-Identifier: Apache-2.0
//
// secded.v - single error correction, double error detection over 64 bits, written by hand as the
// yardstick for what rtlgen makes of the same function in C. The contract is in README.md.
//
// A code of odd columns (Hsiao) in which the data stands in eight rows of eight. A column is {h, l}:
// h, of the row, is 0 or has an even number of ones, l, of the place in the row, an odd one. So
// the upper check bits are sums of row parities and the lower ones sums of place parities, and
// what is wrong is found by decoding h and l apart. Row 0 has h = 0; its places with a single one in l are columns
// of check bits, so the data bits there (0, 1, 2, 4) have {1 << k, 3} in their stead.

`default_nettype none

module secded (
    input  wire        clk,
    input  wire        rst,         // synchronous
    input  wire [63:0] write_data,
    input  wire [71:0] read_code,   // {check bits, data}
    output reg  [71:0] write_code,
    output reg  [63:0] read_data,   // with one wrong bit put right
    output reg         corrected,   // one bit was wrong
    output reg         fatal        // two bits were wrong
);

    // l of places 0 to 7: 1 2 4 7 8 B D E; h of rows 0 to 7: 0 3 5 6 9 A C F.
    function [7:0] check;
        input [63:0] d;
        reg [7:0] row, place;
        reg       extra;
        integer   i;
        begin
            for (i = 0; i < 8; i = i + 1) begin
                row[i]   = ^d[8 * i +: 8];
                place[i] = d[8 + i] ^ d[16 + i] ^ d[24 + i] ^ d[32 + i] ^ d[40 + i] ^ d[48 + i] ^ d[56 + i];
            end
            place[3] = place[3] ^ d[3];
            place[7:5] = place[7:5] ^ d[7:5];
            extra    = d[0] ^ d[1] ^ d[2] ^ d[4];
            check[0] = place[0] ^ place[3] ^ place[5] ^ place[6] ^ extra;
            check[1] = place[1] ^ place[3] ^ place[5] ^ place[7] ^ extra;
            check[2] = place[2] ^ place[3] ^ place[6] ^ place[7];
            check[3] = place[4] ^ place[5] ^ place[6] ^ place[7];
            check[4] = row[1] ^ row[2] ^ row[4] ^ row[7] ^ d[0];
            check[5] = row[1] ^ row[3] ^ row[5] ^ row[7] ^ d[1];
            check[6] = row[2] ^ row[3] ^ row[6] ^ row[7] ^ d[2];
            check[7] = row[4] ^ row[5] ^ row[6] ^ row[7] ^ d[4];
        end
    endfunction

    // Number n of the sixteen, as eight of them are used.
    function [15:0] one_hot;
        input [3:0] n;
        one_hot = 16'd1 << n;
    endfunction

    wire [7:0]  syndrome = check(read_code[63:0]) ^ read_code[71:64];
    wire [15:0] h        = one_hot(syndrome[7:4]);
    wire [15:0] l        = one_hot(syndrome[3:0]);
    wire        odd      = ^syndrome;
    wire [7:0]  places   = {l[14], l[13], l[11], l[8], l[7], l[4], l[2], l[1]};
    wire [7:0]  single   = {3'b0, h[8], 1'b0, h[4], h[2], h[1]} & {8{l[3]}};
    wire [63:0] flip     = {places & {8{h[15]}}, places & {8{h[12]}}, places & {8{h[10]}},
                            places & {8{h[9]}},  places & {8{h[6]}},  places & {8{h[5]}},
                            places & {8{h[3]}},  places & {8{h[0]}} & 8'hE8 | single};

    always @(posedge clk)
        if (rst) begin
            write_code <= 72'd0;
            read_data  <= 64'd0;
            corrected  <= 1'b0;
            fatal      <= 1'b0;
        end else begin
            write_code <= {check(write_data), write_data};
            read_data  <= read_code[63:0] ^ flip;
            corrected  <= odd;
            fatal      <= syndrome != 8'd0 && !odd;
        end

endmodule

`default_nettype wire
