// SPDX-License-Identifier: Apache-2.0
//
// end.v - an lcb_bytes with its user's signals, which cocotb drives and reads here by their conventional names.
module link_end (
    input  wire        clk,
    input  wire        rst,
    input  wire [47:0] lane_in,
    output wire [47:0] lane_out,
    output wire  [2:0] state
);
    reg         s_axis_tvalid = 0;
    reg  [63:0] s_axis_tdata = 0;
    reg   [7:0] s_axis_tkeep = 0;
    reg         s_axis_tlast = 0;
    reg  [37:0] s_axis_tuser = 0;
    reg         m_axis_tready = 0;
    reg  [18:0] s_axil_awaddr = 0;
    reg   [2:0] s_axil_awprot = 0;
    reg         s_axil_awvalid = 0;
    reg  [63:0] s_axil_wdata = 0;
    reg   [7:0] s_axil_wstrb = 0;
    reg         s_axil_wvalid = 0;
    reg         s_axil_bready = 0;
    reg  [18:0] s_axil_araddr = 0;
    reg   [2:0] s_axil_arprot = 0;
    reg         s_axil_arvalid = 0;
    reg         s_axil_rready = 0;
    wire        s_axis_tready;
    wire        m_axis_tvalid;
    wire [63:0] m_axis_tdata;
    wire  [7:0] m_axis_tkeep;
    wire        m_axis_tlast;
    wire [37:0] m_axis_tuser;
    wire        s_axil_awready;
    wire        s_axil_wready;
    wire  [1:0] s_axil_bresp;
    wire        s_axil_bvalid;
    wire        s_axil_arready;
    wire [63:0] s_axil_rdata;
    wire  [1:0] s_axil_rresp;
    wire        s_axil_rvalid;
    wire        refused;

    reg  [51:0] now = 0;
    always @(posedge clk) now <= now + 1;

    lcb_bytes dut (
        .clk(clk), .rst(rst),
        .s_axis_tvalid(s_axis_tvalid), .s_axis_tdata(s_axis_tdata), .s_axis_tkeep(s_axis_tkeep),
        .s_axis_tlast(s_axis_tlast), .s_axis_tuser(s_axis_tuser), .s_axis_tready(s_axis_tready),
        .m_axis_tvalid(m_axis_tvalid), .m_axis_tdata(m_axis_tdata), .m_axis_tkeep(m_axis_tkeep),
        .m_axis_tlast(m_axis_tlast), .m_axis_tuser(m_axis_tuser), .m_axis_tready(m_axis_tready),
        .s_axil_awaddr(s_axil_awaddr), .s_axil_awvalid(s_axil_awvalid), .s_axil_awready(s_axil_awready),
        .s_axil_wdata(s_axil_wdata), .s_axil_wstrb(s_axil_wstrb), .s_axil_wvalid(s_axil_wvalid),
        .s_axil_wready(s_axil_wready), .s_axil_bresp(s_axil_bresp), .s_axil_bvalid(s_axil_bvalid),
        .s_axil_bready(s_axil_bready), .s_axil_araddr(s_axil_araddr), .s_axil_arvalid(s_axil_arvalid),
        .s_axil_arready(s_axil_arready), .s_axil_rdata(s_axil_rdata), .s_axil_rresp(s_axil_rresp),
        .s_axil_rvalid(s_axil_rvalid), .s_axil_rready(s_axil_rready),
        .rx_lane_valid(3'd7), .rx_lane_up(3'd7), .rx_lane(lane_in), .tx_lane(lane_out),
        .now(now), .restart(1'b0), .state(state), .refused(refused),
        .report_valid(), .report_bad(), .report_flit(), .peer_now_valid(), .peer_now(), .peer_age()
    );
endmodule
