// SPDX-License-Identifier: Apache-2.0
//
// word_skid - two beats of 17 bits between two streams, every output a register.
`default_nettype none
module word_skid (
    input  wire        clk,
    input  wire        rst,
    input  wire [15:0] s_axis_tdata,
    input  wire        s_axis_tlast,
    input  wire        s_axis_tvalid,
    input  wire        m_axis_tready,
    output reg         s_axis_tready,
    output reg  [15:0] m_axis_tdata,
    output reg         m_axis_tlast,
    output reg         m_axis_tvalid
);
    reg [16:0] spare; // the younger beat, while s_axis_tready is 0

    wire stays = m_axis_tvalid && !m_axis_tready;

    always @(posedge clk) begin
        if (s_axis_tready)
            spare <= {s_axis_tlast, s_axis_tdata};
        if (!stays)
            {m_axis_tlast, m_axis_tdata} <= s_axis_tready ? {s_axis_tlast, s_axis_tdata} : spare;
        m_axis_tvalid <= stays || !s_axis_tready || s_axis_tvalid;
        s_axis_tready <= !stays || (s_axis_tready && !s_axis_tvalid);
        if (rst) begin
            s_axis_tready <= 1'b1;
            m_axis_tvalid <= 1'b0;
            m_axis_tdata <= 16'd0;
            m_axis_tlast <= 1'b0;
            spare <= 17'd0;
        end
    end
endmodule
`default_nettype wire
