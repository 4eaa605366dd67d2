// SPDX-License-Identifier: Apache-2.0
//
// two_nodes.v - a ring of two nodes: x+ of each is joined to x- of the other, byte to byte.
module two_nodes (
    input wire clk,
    input wire rst
);
    wire [15:0] from_a;
    wire [15:0] from_b;

    torus_node a (
        .clk (clk),
        .rst (rst),
        .rx ({from_b[7:0], from_b[15:8]}),
        .tx (from_a),
        .irq ()
    );

    torus_node b (
        .clk (clk),
        .rst (rst),
        .rx ({from_a[7:0], from_a[15:8]}),
        .tx (from_b),
        .irq ()
    );
endmodule
