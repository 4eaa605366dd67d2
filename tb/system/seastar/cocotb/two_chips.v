// SPDX-License-Identifier: Apache-2.0
//
// two_chips.v - a ring of two chips of seastar2: x+ of each is joined to x- of the other, lane to lane.
module two_chips;
    reg clk = 0;
    reg rst = 1;
    wire [127:0] lane_a;
    wire [127:0] lane_b;

    always #5 clk = !clk;

    host_chip a (
        .clk (clk),
        .rst (rst),
        .number (16'd1),
        .lane_in ({lane_b[63:0], lane_b[127:64]}),
        .lane_out (lane_a)
    );

    host_chip b (
        .clk (clk),
        .rst (rst),
        .number (16'd2),
        .lane_in ({lane_a[63:0], lane_a[127:64]}),
        .lane_out (lane_b)
    );
endmodule
