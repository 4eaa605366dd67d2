// SPDX-License-Identifier: Apache-2.0
//
// crc.v - a CRC of 20 bits over words of 48 bits, one word per clock, written by hand as the
// yardstick for what rtlgen makes of the same function in C. The contract is in README.md.

`default_nettype none

module crc (
    input  wire        clk,
    input  wire        rst,        // synchronous
    input  wire        valid,      // a word comes
    input  wire        first,      // with valid: it is the first of its message
    input  wire [47:0] word,
    output reg  [19:0] remainder,  // of the words so far
    output reg         match       // the remainder is zero: message and CRC agree
);

    // The remainder of w * x^20 divided by x^20 + 0xC4047: next[j] is the parity of the bits of w that
    // x^j gets. Of the terms that rows have in common these pairs were found by counting, most
    // common first, and first those of a bit of the remainder and one of the word alone: they are a
    // LUT with the choice of the start value inside. Against one mask per bit this takes 33 LUT4
    // less and is half a LUT slower; a loop of 48 steps is three times as slow.

    wire [47:0] w = word ^ {first ? 20'hFFFFF : remainder, 28'd0};
    wire [86:0] t;
    wire [19:0] next;

    assign t[0]  = w[11] ^ w[42];
    assign t[1]  = w[12] ^ w[43];
    assign t[2]  = w[13] ^ w[44];
    assign t[3]  = w[14] ^ w[46];
    assign t[4]  = w[20] ^ w[45];
    assign t[5]  = w[22] ^ w[47];
    assign t[6]  = w[3] ^ w[30];
    assign t[7]  = w[9] ^ w[28];
    assign t[8]  = w[7] ^ w[37];
    assign t[9]  = w[8] ^ w[38];
    assign t[10] = w[10] ^ w[29];
    assign t[11] = w[16] ^ w[41];
    assign t[12] = w[27] ^ w[36];
    assign t[13] = w[15] ^ w[39];
    assign t[14] = w[19] ^ w[31];
    assign t[15] = w[21] ^ w[33];
    assign t[16] = w[23] ^ w[35];
    assign t[17] = w[5] ^ w[32];
    assign t[18] = w[17] ^ w[34];
    assign t[19] = w[1] ^ w[40];
    assign t[20] = w[0] ^ w[47];
    assign t[21] = w[4] ^ w[42];
    assign t[22] = w[6] ^ w[45];
    assign t[23] = w[18] ^ w[40];
    assign t[24] = w[21] ^ w[39];
    assign t[25] = w[25] ^ w[38];
    assign t[26] = w[0] ^ w[46];
    assign t[27] = w[2] ^ w[29];
    assign t[28] = w[4] ^ w[46];
    assign t[29] = w[6] ^ w[42];
    assign t[30] = w[8] ^ w[28];
    assign t[31] = w[12] ^ w[40];
    assign t[32] = w[15] ^ w[44];
    assign t[33] = w[17] ^ w[43];
    assign t[34] = w[27] ^ w[34];
    assign t[35] = w[18] ^ w[26];
    assign t[36] = w[24] ^ t[2];
    assign t[37] = t[0] ^ t[6];
    assign t[38] = t[1] ^ t[5];
    assign t[39] = w[10] ^ t[3];
    assign t[40] = w[25] ^ t[4];
    assign t[41] = w[27] ^ t[9];
    assign t[42] = t[8] ^ t[11];
    assign t[43] = t[14] ^ t[38];
    assign t[44] = w[3] ^ w[14];
    assign t[45] = w[2] ^ t[17];
    assign t[46] = w[7] ^ t[12];
    assign t[47] = w[16] ^ t[10];
    assign t[48] = w[19] ^ t[15];
    assign t[49] = w[23] ^ t[11];
    assign t[50] = t[2] ^ t[7];
    assign t[51] = t[4] ^ t[16];
    assign t[52] = t[7] ^ t[13];
    assign t[53] = w[13] ^ t[42];
    assign t[54] = t[0] ^ t[36];
    assign t[55] = w[15] ^ w[26];
    assign t[56] = w[17] ^ w[24];
    assign t[57] = w[1] ^ t[1];
    assign t[58] = w[5] ^ t[18];
    assign t[59] = w[9] ^ t[10];
    assign t[60] = w[17] ^ t[3];
    assign t[61] = w[22] ^ t[10];
    assign t[62] = w[23] ^ t[3];
    assign t[63] = w[32] ^ t[12];
    assign t[64] = t[4] ^ t[15];
    assign t[65] = t[5] ^ t[23];
    assign t[66] = t[7] ^ t[16];
    assign t[67] = t[9] ^ t[21];
    assign t[68] = t[19] ^ t[26];
    assign t[69] = t[20] ^ t[56];
    assign t[70] = t[29] ^ t[35];
    assign t[71] = w[0] ^ t[37];
    assign t[72] = w[4] ^ t[39];
    assign t[73] = w[19] ^ t[47];
    assign t[74] = w[25] ^ t[48];
    assign t[75] = w[36] ^ t[37];
    assign t[76] = w[41] ^ t[51];
    assign t[77] = t[12] ^ t[45];
    assign t[78] = t[18] ^ t[39];
    assign t[79] = t[22] ^ t[36];
    assign t[80] = t[24] ^ t[50];
    assign t[81] = t[35] ^ t[46];
    assign t[82] = t[38] ^ t[64];
    assign t[83] = t[40] ^ t[70];
    assign t[84] = t[41] ^ t[60];
    assign t[85] = w[20] ^ t[43];
    assign t[86] = t[28] ^ t[54];

    assign next[0]  = w[18] ^ w[31] ^ t[44] ^ t[46] ^ t[47] ^ t[52] ^ t[57] ^ t[67] ^ t[69];
    assign next[1]  = w[14] ^ t[8] ^ t[14] ^ t[20] ^ t[25] ^ t[31] ^ t[36] ^ t[37] ^ t[77];
    assign next[2]  = w[33] ^ t[53] ^ t[59] ^ t[63] ^ t[69] ^ t[83];
    assign next[3]  = w[1] ^ w[28] ^ w[30] ^ w[43] ^ t[0] ^ t[8] ^ t[35] ^ t[41] ^ t[74] ^ t[78];
    assign next[4]  = w[11] ^ w[35] ^ w[44] ^ t[9] ^ t[27] ^ t[34] ^ t[35] ^ t[52] ^ t[85];
    assign next[5]  = t[6] ^ t[31] ^ t[51] ^ t[63] ^ t[73] ^ t[80];
    assign next[6]  = w[9] ^ w[18] ^ t[13] ^ t[37] ^ t[41] ^ t[53] ^ t[68] ^ t[82];
    assign next[7]  = w[2] ^ t[19] ^ t[43] ^ t[49] ^ t[67] ^ t[78] ^ t[80];
    assign next[8]  = t[13] ^ t[33] ^ t[44] ^ t[45] ^ t[54] ^ t[59] ^ t[65] ^ t[76];
    assign next[9]  = w[24] ^ t[1] ^ t[22] ^ t[23] ^ t[32] ^ t[49] ^ t[72] ^ t[74] ^ t[75];
    assign next[10] = t[40] ^ t[42] ^ t[43] ^ t[55] ^ t[58] ^ t[86];
    assign next[11] = w[16] ^ w[21] ^ w[47] ^ t[1] ^ t[2] ^ t[16] ^ t[17] ^ t[83] ^ t[84];
    assign next[12] = t[3] ^ t[5] ^ t[33] ^ t[48] ^ t[52] ^ t[79] ^ t[81];
    assign next[13] = t[8] ^ t[30] ^ t[32] ^ t[34] ^ t[40] ^ t[62] ^ t[65] ^ t[73];
    assign next[14] = t[14] ^ t[24] ^ t[57] ^ t[71] ^ t[72] ^ t[76] ^ t[81];
    assign next[15] = w[15] ^ w[21] ^ w[37] ^ t[19] ^ t[30] ^ t[77] ^ t[85] ^ t[86];
    assign next[16] = w[6] ^ w[37] ^ t[17] ^ t[25] ^ t[27] ^ t[44] ^ t[49] ^ t[50] ^ t[82];
    assign next[17] = w[7] ^ w[26] ^ w[38] ^ t[6] ^ t[13] ^ t[15] ^ t[18] ^ t[21] ^ t[61] ^ t[62]
                      ^ t[79];
    assign next[18] = w[12] ^ w[45] ^ t[25] ^ t[58] ^ t[61] ^ t[66] ^ t[68] ^ t[75];
    assign next[19] = w[2] ^ w[6] ^ t[53] ^ t[55] ^ t[66] ^ t[71] ^ t[84];

    always @(posedge clk)
        if (rst) begin
            remainder <= 20'd0;
            match     <= 1'b0;
        end else if (valid) begin
            remainder <= next;
            match     <= next == 20'd0;
        end

endmodule

`default_nettype wire
