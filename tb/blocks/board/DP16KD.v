// SPDX-License-Identifier: Apache-2.0
//
// DP16KD.v - the block RAM of ECP5, as far as netlists of ours use it: for simulation, Yosys has a black box.
//
// From Lattice FPGA-TN-02204, ECP5 and ECP5-5G Memory User Guide: two ports of 1, 2, 4, 9 or 18 bits into 18,432 bits, with
// 18 bits the low two address bits enable the bytes, in the three write modes; or, pseudo dual port, writes of 36 bits at A
// and reads of any width at B, with the high half of data on the pins of B and the low half on those of A. No output
// registers. A synchronous reset makes a port read zeros, with or without its clock enable (RSTB both halves of 36 bits);
// a port that is reset must not write. Of 1, 2 and 4 bits the ninth bit of a byte is left out. What a port reads in the
// clock in which the other one writes that word is unknown: here it is inverted, so that whoever uses it is found. Anything
// else ends the simulation.
module DP16KD #(
    parameter DATA_WIDTH_A = 18,
    parameter DATA_WIDTH_B = 18,
    parameter REGMODE_A = "NOREG",
    parameter REGMODE_B = "NOREG",
    parameter RESETMODE = "SYNC",
    parameter ASYNC_RESET_RELEASE = "SYNC",
    parameter WRITEMODE_A = "NORMAL",
    parameter WRITEMODE_B = "NORMAL",
    parameter CSDECODE_A = "0b000",
    parameter CSDECODE_B = "0b000",
    parameter CLKAMUX = "CLKA",
    parameter CLKBMUX = "CLKB",
    parameter GSR = "DISABLED",
    parameter [319:0] INITVAL_00 = 320'd0,
    parameter [319:0] INITVAL_01 = 320'd0,
    parameter [319:0] INITVAL_02 = 320'd0,
    parameter [319:0] INITVAL_03 = 320'd0,
    parameter [319:0] INITVAL_04 = 320'd0,
    parameter [319:0] INITVAL_05 = 320'd0,
    parameter [319:0] INITVAL_06 = 320'd0,
    parameter [319:0] INITVAL_07 = 320'd0,
    parameter [319:0] INITVAL_08 = 320'd0,
    parameter [319:0] INITVAL_09 = 320'd0,
    parameter [319:0] INITVAL_0A = 320'd0,
    parameter [319:0] INITVAL_0B = 320'd0,
    parameter [319:0] INITVAL_0C = 320'd0,
    parameter [319:0] INITVAL_0D = 320'd0,
    parameter [319:0] INITVAL_0E = 320'd0,
    parameter [319:0] INITVAL_0F = 320'd0,
    parameter [319:0] INITVAL_10 = 320'd0,
    parameter [319:0] INITVAL_11 = 320'd0,
    parameter [319:0] INITVAL_12 = 320'd0,
    parameter [319:0] INITVAL_13 = 320'd0,
    parameter [319:0] INITVAL_14 = 320'd0,
    parameter [319:0] INITVAL_15 = 320'd0,
    parameter [319:0] INITVAL_16 = 320'd0,
    parameter [319:0] INITVAL_17 = 320'd0,
    parameter [319:0] INITVAL_18 = 320'd0,
    parameter [319:0] INITVAL_19 = 320'd0,
    parameter [319:0] INITVAL_1A = 320'd0,
    parameter [319:0] INITVAL_1B = 320'd0,
    parameter [319:0] INITVAL_1C = 320'd0,
    parameter [319:0] INITVAL_1D = 320'd0,
    parameter [319:0] INITVAL_1E = 320'd0,
    parameter [319:0] INITVAL_1F = 320'd0,
    parameter [319:0] INITVAL_20 = 320'd0,
    parameter [319:0] INITVAL_21 = 320'd0,
    parameter [319:0] INITVAL_22 = 320'd0,
    parameter [319:0] INITVAL_23 = 320'd0,
    parameter [319:0] INITVAL_24 = 320'd0,
    parameter [319:0] INITVAL_25 = 320'd0,
    parameter [319:0] INITVAL_26 = 320'd0,
    parameter [319:0] INITVAL_27 = 320'd0,
    parameter [319:0] INITVAL_28 = 320'd0,
    parameter [319:0] INITVAL_29 = 320'd0,
    parameter [319:0] INITVAL_2A = 320'd0,
    parameter [319:0] INITVAL_2B = 320'd0,
    parameter [319:0] INITVAL_2C = 320'd0,
    parameter [319:0] INITVAL_2D = 320'd0,
    parameter [319:0] INITVAL_2E = 320'd0,
    parameter [319:0] INITVAL_2F = 320'd0,
    parameter [319:0] INITVAL_30 = 320'd0,
    parameter [319:0] INITVAL_31 = 320'd0,
    parameter [319:0] INITVAL_32 = 320'd0,
    parameter [319:0] INITVAL_33 = 320'd0,
    parameter [319:0] INITVAL_34 = 320'd0,
    parameter [319:0] INITVAL_35 = 320'd0,
    parameter [319:0] INITVAL_36 = 320'd0,
    parameter [319:0] INITVAL_37 = 320'd0,
    parameter [319:0] INITVAL_38 = 320'd0,
    parameter [319:0] INITVAL_39 = 320'd0,
    parameter [319:0] INITVAL_3A = 320'd0,
    parameter [319:0] INITVAL_3B = 320'd0,
    parameter [319:0] INITVAL_3C = 320'd0,
    parameter [319:0] INITVAL_3D = 320'd0,
    parameter [319:0] INITVAL_3E = 320'd0,
    parameter [319:0] INITVAL_3F = 320'd0
) (
    input  CLKA, CEA, OCEA, WEA, RSTA, CSA0, CSA1, CSA2,
    input  ADA0, ADA1, ADA2, ADA3, ADA4, ADA5, ADA6, ADA7, ADA8, ADA9, ADA10, ADA11, ADA12, ADA13,
    input  DIA0, DIA1, DIA2, DIA3, DIA4, DIA5, DIA6, DIA7, DIA8, DIA9, DIA10, DIA11, DIA12, DIA13, DIA14, DIA15, DIA16, DIA17,
    output DOA0, DOA1, DOA2, DOA3, DOA4, DOA5, DOA6, DOA7, DOA8, DOA9, DOA10, DOA11, DOA12, DOA13, DOA14, DOA15, DOA16, DOA17,
    input  CLKB, CEB, OCEB, WEB, RSTB, CSB0, CSB1, CSB2,
    input  ADB0, ADB1, ADB2, ADB3, ADB4, ADB5, ADB6, ADB7, ADB8, ADB9, ADB10, ADB11, ADB12, ADB13,
    input  DIB0, DIB1, DIB2, DIB3, DIB4, DIB5, DIB6, DIB7, DIB8, DIB9, DIB10, DIB11, DIB12, DIB13, DIB14, DIB15, DIB16, DIB17,
    output DOB0, DOB1, DOB2, DOB3, DOB4, DOB5, DOB6, DOB7, DOB8, DOB9, DOB10, DOB11, DOB12, DOB13, DOB14, DOB15, DOB16, DOB17
);
    reg [17:0] memory [0:1023];
    reg [17:0] read_a, read_b;

    wire [13:0] address_a = {ADA13, ADA12, ADA11, ADA10, ADA9, ADA8, ADA7, ADA6, ADA5, ADA4, ADA3, ADA2, ADA1, ADA0};
    wire [13:0] address_b = {ADB13, ADB12, ADB11, ADB10, ADB9, ADB8, ADB7, ADB6, ADB5, ADB4, ADB3, ADB2, ADB1, ADB0};
    wire [17:0] data_a = {DIA17, DIA16, DIA15, DIA14, DIA13, DIA12, DIA11, DIA10, DIA9, DIA8, DIA7, DIA6, DIA5, DIA4, DIA3, DIA2, DIA1, DIA0};
    wire [17:0] data_b = {DIB17, DIB16, DIB15, DIB14, DIB13, DIB12, DIB11, DIB10, DIB9, DIB8, DIB7, DIB6, DIB5, DIB4, DIB3, DIB2, DIB1, DIB0};
    assign {DOA17, DOA16, DOA15, DOA14, DOA13, DOA12, DOA11, DOA10, DOA9, DOA8, DOA7, DOA6, DOA5, DOA4, DOA3, DOA2, DOA1, DOA0} = read_a;
    assign {DOB17, DOB16, DOB15, DOB14, DOB13, DOB12, DOB11, DOB10, DOB9, DOB8, DOB7, DOB6, DOB5, DOB4, DOB3, DOB2, DOB1, DOB0} = read_b;

    // the place of a narrow word's lowest bit among the 18
    function [4:0] place(input [3:0] low, input integer width);
        case (width)
        18: place = 5'd0;
        9: place = low[3] ? 5'd9 : 5'd0;
        4: place = {1'b0, low[3], 3'd0} + {4'd0, low[3]} + {2'd0, low[2], 2'd0};
        2: place = {1'b0, low[3], 3'd0} + {4'd0, low[3]} + {2'd0, low[2:1], 1'd0};
        default: place = {1'b0, low[3], 3'd0} + {4'd0, low[3]} + {2'd0, low[2:0]};
        endcase
    endfunction

    localparam through_a = WRITEMODE_A == "WRITETHROUGH", through_b = WRITEMODE_B == "WRITETHROUGH";
    localparam holds_a = WRITEMODE_A == "NORMAL", holds_b = WRITEMODE_B == "NORMAL";

    function [17:0] ones(input integer width);
        ones = ~(18'h3ffff << width);
    endfunction

    // the bits that a write changes
    function [17:0] mask(input [3:0] low, input integer width);
        mask = width == 18 ? {{9{low[1]}}, {9{low[0]}}} : ones(width) << place(low, width);
    endfunction

    wire write_a = CEA && WEA;
    wire write_b = CEB && WEB;

    // the bits of a word that a port changes
    function [17:0] changed(input [9:0] word, input write, input [13:0] address, input integer width);
        if (!write)
            changed = 18'd0;
        else if (width == 36)
            changed = word[9:1] != address[13:5] ? 18'd0 :
                      word[0] ? {{9{address[3]}}, {9{address[2]}}} : {{9{address[1]}}, {9{address[0]}}};
        else
            changed = word != address[13:4] ? 18'd0 : mask(address[3:0], width);
    endfunction

    wire [9:0] word_a = address_a[13:4];
    wire [9:0] word_b = address_b[13:4];
    wire [17:0] old_a = memory[word_a];
    wire [17:0] old_b = memory[word_b];
    wire [17:0] a_by_a = changed(word_a, write_a, address_a, DATA_WIDTH_A);
    wire [17:0] a_by_b = changed(word_a, write_b, address_b, DATA_WIDTH_B);
    wire [17:0] b_by_a = changed(word_b, write_a, address_a, DATA_WIDTH_A);
    wire [17:0] b_by_b = changed(word_b, write_b, address_b, DATA_WIDTH_B);
    wire [17:0] new_a = (old_a & ~a_by_a) | ((data_a << place(address_a[3:0], DATA_WIDTH_A)) & a_by_a);
    wire [17:0] new_b = (old_b & ~b_by_b) | ((data_b << place(address_b[3:0], DATA_WIDTH_B)) & b_by_b);
    wire [17:0] seen_a = (through_a ? new_a : old_a) ^ a_by_b;
    wire [17:0] seen_b = (through_b ? new_b : old_b) ^ b_by_a;

    // a word of 36 bits: its low half is even
    wire [9:0] low_a = {address_a[13:5], 1'b0};
    wire [9:0] high_a = {address_a[13:5], 1'b1};
    wire [9:0] low_b = {address_b[13:5], 1'b0};
    wire [9:0] high_b = {address_b[13:5], 1'b1};
    wire [17:0] low_mask = changed(low_a, write_a, address_a, DATA_WIDTH_A);
    wire [17:0] high_mask = changed(high_a, write_a, address_a, DATA_WIDTH_A);

    generate
        if (DATA_WIDTH_A == 36) begin : wide_write
            always @(posedge CLKA)
                if (write_a) begin
                    memory[low_a] <= (memory[low_a] & ~low_mask) | (data_a & low_mask);
                    memory[high_a] <= (memory[high_a] & ~high_mask) | (data_b & high_mask);
                end
        end else begin : port_a
            always @(posedge CLKA) begin
                if (write_a) memory[word_a] <= new_a;
                if (RSTA)
                    read_a <= 18'd0;
                else if (CEA && !(WEA && holds_a))
                    read_a <= (seen_a >> place(address_a[3:0], DATA_WIDTH_A)) & ones(DATA_WIDTH_A);
            end
        end
        if (DATA_WIDTH_B == 36) begin : wide_read
            always @(posedge CLKB)
                if (RSTB) begin
                    read_a <= 18'd0;
                    read_b <= 18'd0;
                end else if (CEB) begin
                    read_a <= memory[low_b] ^ changed(low_b, write_a, address_a, DATA_WIDTH_A);
                    read_b <= memory[high_b] ^ changed(high_b, write_a, address_a, DATA_WIDTH_A);
                end
        end else begin : port_b
            always @(posedge CLKB) begin
                if (write_b) memory[word_b] <= new_b;
                if (RSTB)
                    read_b <= 18'd0;
                else if (CEB && !(WEB && holds_b))
                    read_b <= (seen_b >> place(address_b[3:0], DATA_WIDTH_B)) & ones(DATA_WIDTH_B);
            end
        end
    endgenerate

    always @(posedge CLKA)
        if ((RSTA && (write_a || RESETMODE != "SYNC")) || (RSTB && (write_b || RESETMODE != "SYNC")) ||
                CSA0 || CSA1 || CSA2 || CSB0 || CSB1 || CSB2 || (b_by_a & b_by_b) != 18'd0) begin
            $display("DP16KD: an asynchronous reset, a write in reset, chip select or two writes to one word: not in this model");
            $finish;
        end

    localparam [20479:0] INIT = {
        INITVAL_3F, INITVAL_3E, INITVAL_3D, INITVAL_3C, INITVAL_3B, INITVAL_3A, INITVAL_39, INITVAL_38,
        INITVAL_37, INITVAL_36, INITVAL_35, INITVAL_34, INITVAL_33, INITVAL_32, INITVAL_31, INITVAL_30,
        INITVAL_2F, INITVAL_2E, INITVAL_2D, INITVAL_2C, INITVAL_2B, INITVAL_2A, INITVAL_29, INITVAL_28,
        INITVAL_27, INITVAL_26, INITVAL_25, INITVAL_24, INITVAL_23, INITVAL_22, INITVAL_21, INITVAL_20,
        INITVAL_1F, INITVAL_1E, INITVAL_1D, INITVAL_1C, INITVAL_1B, INITVAL_1A, INITVAL_19, INITVAL_18,
        INITVAL_17, INITVAL_16, INITVAL_15, INITVAL_14, INITVAL_13, INITVAL_12, INITVAL_11, INITVAL_10,
        INITVAL_0F, INITVAL_0E, INITVAL_0D, INITVAL_0C, INITVAL_0B, INITVAL_0A, INITVAL_09, INITVAL_08,
        INITVAL_07, INITVAL_06, INITVAL_05, INITVAL_04, INITVAL_03, INITVAL_02, INITVAL_01, INITVAL_00
    };
    integer word;
    initial begin
        if (REGMODE_A != "NOREG" || REGMODE_B != "NOREG" || CSDECODE_A != "0b000" || CSDECODE_B != "0b000" ||
                CLKAMUX != "CLKA" || CLKBMUX != "CLKB" || (DATA_WIDTH_B == 36 && DATA_WIDTH_A != 36)) begin
            $display("DP16KD: parameters that this model does not have");
            $finish;
        end
        for (word = 0; word < 1024; word = word + 1)
            memory[word] = INIT[word * 20 +: 18];
        read_a = 18'd0;
        read_b = 18'd0;
    end
endmodule
