// SPDX-License-Identifier: Apache-2.0
// mutate-cut.v - techmap for mutate-equal.sh: registers and memories become pins of the module, one bit each.
// What a register or memory gives is an input, what it takes, its clock too, an output; a word that is not written may be any.

(* blackbox *) module cut_to(input A);
endmodule

(* blackbox *) module cut_from(output Y);
endmodule

(* techmap_celltype = "$dff" *)
module cut_dff #(parameter WIDTH = 1, parameter CLK_POLARITY = 1) (input CLK, input [WIDTH-1:0] D, output [WIDTH-1:0] Q);
    genvar i;
    cut_to clock (.A(CLK == CLK_POLARITY));
    for (i = 0; i < WIDTH; i = i + 1) begin : b
        cut_to to (.A(D[i]));
        cut_from from (.Y(Q[i]));
    end
endmodule

(* techmap_celltype = "$memrd" *)
module cut_read #(parameter WIDTH = 1, parameter ABITS = 1, parameter MEMID = "", parameter CLK_ENABLE = 0,
                  parameter CLK_POLARITY = 0, parameter TRANSPARENT = 0)
                 (input CLK, input EN, input [ABITS-1:0] ADDR, output [WIDTH-1:0] DATA);
    wire _TECHMAP_FAIL_ = CLK_ENABLE;
    genvar i;
    for (i = 0; i < ABITS; i = i + 1) begin : a
        cut_to to (.A(ADDR[i]));
    end
    for (i = 0; i < WIDTH; i = i + 1) begin : b
        cut_from from (.Y(DATA[i]));
    end
endmodule

(* techmap_celltype = "$memwr_v2" *)
module cut_write #(parameter WIDTH = 1, parameter ABITS = 1, parameter MEMID = "", parameter CLK_ENABLE = 0,
                   parameter CLK_POLARITY = 0, parameter PORTID = 0, parameter PRIORITY_MASK = 0)
                  (input CLK, input [WIDTH-1:0] EN, input [ABITS-1:0] ADDR, input [WIDTH-1:0] DATA);
    genvar i;
    cut_to clock (.A(CLK == CLK_POLARITY));
    for (i = 0; i < ABITS; i = i + 1) begin : a
        cut_to to (.A(ADDR[i] && |EN));
    end
    for (i = 0; i < WIDTH; i = i + 1) begin : b
        cut_to en (.A(EN[i]));
        cut_to to (.A(DATA[i] && EN[i]));
    end
endmodule
