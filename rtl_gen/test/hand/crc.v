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

    wire t0 = w[11] ^ w[42];
    wire t1 = w[12] ^ w[43];
    wire t2 = w[13] ^ w[44];
    wire t3 = w[14] ^ w[46];
    wire t4 = w[20] ^ w[45];
    wire t5 = w[22] ^ w[47];
    wire t6 = w[3] ^ w[30];
    wire t7 = w[9] ^ w[28];
    wire t8 = w[7] ^ w[37];
    wire t9 = w[8] ^ w[38];
    wire t10 = w[10] ^ w[29];
    wire t11 = w[16] ^ w[41];
    wire t12 = w[27] ^ w[36];
    wire t13 = w[15] ^ w[39];
    wire t14 = w[19] ^ w[31];
    wire t15 = w[21] ^ w[33];
    wire t16 = w[23] ^ w[35];
    wire t17 = w[5] ^ w[32];
    wire t18 = w[17] ^ w[34];
    wire t19 = w[1] ^ w[40];
    wire t20 = w[0] ^ w[47];
    wire t21 = w[4] ^ w[42];
    wire t22 = w[6] ^ w[45];
    wire t23 = w[18] ^ w[40];
    wire t24 = w[21] ^ w[39];
    wire t25 = w[25] ^ w[38];
    wire t26 = w[0] ^ w[46];
    wire t27 = w[2] ^ w[29];
    wire t28 = w[4] ^ w[46];
    wire t29 = w[6] ^ w[42];
    wire t30 = w[8] ^ w[28];
    wire t31 = w[12] ^ w[40];
    wire t32 = w[15] ^ w[44];
    wire t33 = w[17] ^ w[43];
    wire t34 = w[27] ^ w[34];
    wire t35 = w[18] ^ w[26];
    wire t36 = w[24] ^ t2;
    wire t37 = t0 ^ t6;
    wire t38 = t1 ^ t5;
    wire t39 = w[10] ^ t3;
    wire t40 = w[25] ^ t4;
    wire t41 = w[27] ^ t9;
    wire t42 = t8 ^ t11;
    wire t43 = t14 ^ t38;
    wire t44 = w[3] ^ w[14];
    wire t45 = w[2] ^ t17;
    wire t46 = w[7] ^ t12;
    wire t47 = w[16] ^ t10;
    wire t48 = w[19] ^ t15;
    wire t49 = w[23] ^ t11;
    wire t50 = t2 ^ t7;
    wire t51 = t4 ^ t16;
    wire t52 = t7 ^ t13;
    wire t53 = w[13] ^ t42;
    wire t54 = t0 ^ t36;
    wire t55 = w[15] ^ w[26];
    wire t56 = w[17] ^ w[24];
    wire t57 = w[1] ^ t1;
    wire t58 = w[5] ^ t18;
    wire t59 = w[9] ^ t10;
    wire t60 = w[17] ^ t3;
    wire t61 = w[22] ^ t10;
    wire t62 = w[23] ^ t3;
    wire t63 = w[32] ^ t12;
    wire t64 = t4 ^ t15;
    wire t65 = t5 ^ t23;
    wire t66 = t7 ^ t16;
    wire t67 = t9 ^ t21;
    wire t68 = t19 ^ t26;
    wire t69 = t20 ^ t56;
    wire t70 = t29 ^ t35;
    wire t71 = w[0] ^ t37;
    wire t72 = w[4] ^ t39;
    wire t73 = w[19] ^ t47;
    wire t74 = w[25] ^ t48;
    wire t75 = w[36] ^ t37;
    wire t76 = w[41] ^ t51;
    wire t77 = t12 ^ t45;
    wire t78 = t18 ^ t39;
    wire t79 = t22 ^ t36;
    wire t80 = t24 ^ t50;
    wire t81 = t35 ^ t46;
    wire t82 = t38 ^ t64;
    wire t83 = t40 ^ t70;
    wire t84 = t41 ^ t60;
    wire t85 = w[20] ^ t43;
    wire t86 = t28 ^ t54;

    wire [19:0] next;
    assign next[0] = w[18] ^ w[31] ^ t44 ^ t46 ^ t47 ^ t52 ^ t57 ^ t67 ^ t69;
    assign next[1] = w[14] ^ t8 ^ t14 ^ t20 ^ t25 ^ t31 ^ t36 ^ t37 ^ t77;
    assign next[2] = w[33] ^ t53 ^ t59 ^ t63 ^ t69 ^ t83;
    assign next[3] = w[1] ^ w[28] ^ w[30] ^ w[43] ^ t0 ^ t8 ^ t35 ^ t41 ^ t74 ^ t78;
    assign next[4] = w[11] ^ w[35] ^ w[44] ^ t9 ^ t27 ^ t34 ^ t35 ^ t52 ^ t85;
    assign next[5] = t6 ^ t31 ^ t51 ^ t63 ^ t73 ^ t80;
    assign next[6] = w[9] ^ w[18] ^ t13 ^ t37 ^ t41 ^ t53 ^ t68 ^ t82;
    assign next[7] = w[2] ^ t19 ^ t43 ^ t49 ^ t67 ^ t78 ^ t80;
    assign next[8] = t13 ^ t33 ^ t44 ^ t45 ^ t54 ^ t59 ^ t65 ^ t76;
    assign next[9] = w[24] ^ t1 ^ t22 ^ t23 ^ t32 ^ t49 ^ t72 ^ t74 ^ t75;
    assign next[10] = t40 ^ t42 ^ t43 ^ t55 ^ t58 ^ t86;
    assign next[11] = w[16] ^ w[21] ^ w[47] ^ t1 ^ t2 ^ t16 ^ t17 ^ t83 ^ t84;
    assign next[12] = t3 ^ t5 ^ t33 ^ t48 ^ t52 ^ t79 ^ t81;
    assign next[13] = t8 ^ t30 ^ t32 ^ t34 ^ t40 ^ t62 ^ t65 ^ t73;
    assign next[14] = t14 ^ t24 ^ t57 ^ t71 ^ t72 ^ t76 ^ t81;
    assign next[15] = w[15] ^ w[21] ^ w[37] ^ t19 ^ t30 ^ t77 ^ t85 ^ t86;
    assign next[16] = w[6] ^ w[37] ^ t17 ^ t25 ^ t27 ^ t44 ^ t49 ^ t50 ^ t82;
    assign next[17] = w[7] ^ w[26] ^ w[38] ^ t6 ^ t13 ^ t15 ^ t18 ^ t21 ^ t61 ^ t62
                    ^ t79;
    assign next[18] = w[12] ^ w[45] ^ t25 ^ t58 ^ t61 ^ t66 ^ t68 ^ t75;
    assign next[19] = w[2] ^ w[6] ^ t53 ^ t55 ^ t66 ^ t71 ^ t84;

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
