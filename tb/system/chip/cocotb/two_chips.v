// SPDX-License-Identifier: Apache-2.0
//
// two_chips.v - two chips of proto back to back: link l of one is joined to link l of the other, lane to lane.
module two_chips;
    reg clk = 0;
    reg rst = 1;
    wire [95:0] lane_a;
    wire [95:0] lane_b;
    wire  [5:0] state_a;
    wire  [5:0] state_b;

    always #5 clk = !clk;

    node a (
        .clk (clk),
        .rst (rst),
        .number (16'd1),
        .lane_in (lane_b),
        .lane_out (lane_a),
        .state (state_a)
    );

    node b (
        .clk (clk),
        .rst (rst),
        .number (16'd2),
        .lane_in (lane_a),
        .lane_out (lane_b),
        .state (state_b)
    );
endmodule
