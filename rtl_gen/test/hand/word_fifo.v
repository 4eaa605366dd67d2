// SPDX-License-Identifier: Apache-2.0
//
// word_fifo - 16 beats of 17 bits in LUT memory and one in the output register, with the most that the memory held.
`default_nettype none
module word_fifo (
    input  wire        clk,
    input  wire        rst,
    input  wire [15:0] s_axis_tdata,
    input  wire        s_axis_tlast,
    input  wire        s_axis_tvalid,
    input  wire        m_axis_tready,
    output reg         s_axis_tready,
    output reg  [15:0] m_axis_tdata,
    output reg         m_axis_tlast,
    output reg         m_axis_tvalid,
    output reg   [4:0] highest
);
    reg [16:0] memory [0:15];
    reg [3:0] rd, wr;
    reg [4:0] fill;

    wire push = s_axis_tvalid && s_axis_tready;
    wire stays = m_axis_tvalid && !m_axis_tready;
    wire load = fill != 5'd0 && !stays;
    wire [4:0] next = fill + push - load;

    always @(posedge clk) begin
        if (push)
            memory[wr] <= {s_axis_tlast, s_axis_tdata};
        if (push)
            wr <= wr + 4'd1;
        if (load) begin
            {m_axis_tlast, m_axis_tdata} <= memory[rd];
            rd <= rd + 4'd1;
        end
        m_axis_tvalid <= stays || load;
        fill <= next;
        s_axis_tready <= !next[4];
        if (fill > highest)
            highest <= fill;
        if (rst) begin
            s_axis_tready <= 1'b1;
            m_axis_tvalid <= 1'b0;
            m_axis_tdata <= 16'd0;
            m_axis_tlast <= 1'b0;
            highest <= 5'd0;
            rd <= 4'd0;
            wr <= 4'd0;
            fill <= 5'd0;
        end
    end
endmodule
`default_nettype wire
