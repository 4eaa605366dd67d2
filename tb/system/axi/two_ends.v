// SPDX-License-Identifier: Apache-2.0
//
// two_ends.v - two lcb_bytes, lane to lane.
module two_ends (
    input wire clk,
    input wire rst
);
    wire [47:0] ab;
    wire [47:0] ba;
    wire  [2:0] state_a;
    wire  [2:0] state_b;

    link_end a (.clk(clk), .rst(rst), .lane_in(ba), .lane_out(ab), .state(state_a));
    link_end b (.clk(clk), .rst(rst), .lane_in(ab), .lane_out(ba), .state(state_b));
endmodule
