// SPDX-License-Identifier: Apache-2.0
//
// host_chip.v - a chip of seastar2 with its host's signals, which cocotb drives and reads here by their conventional names: mailboxes, memory,
// registers; and the lanes of x+ and x-.
module host_chip (
    input  wire         clk,
    input  wire         rst,
    input  wire  [15:0] number,
    input  wire [127:0] lane_in,
    output wire [127:0] lane_out
);
    // mailboxes, memory, registers, interrupt
    reg    [3:0] s_axi_awid = 0;
    reg   [13:0] s_axi_awaddr = 0;
    reg    [7:0] s_axi_awlen = 0;
    reg    [2:0] s_axi_awsize = 0;
    reg    [1:0] s_axi_awburst = 0;
    reg          s_axi_awvalid = 0;
    reg   [63:0] s_axi_wdata = 0;
    reg    [7:0] s_axi_wstrb = 0;
    reg          s_axi_wlast = 0;
    reg          s_axi_wvalid = 0;
    reg          s_axi_bready = 0;
    reg    [3:0] s_axi_arid = 0;
    reg   [13:0] s_axi_araddr = 0;
    reg    [7:0] s_axi_arlen = 0;
    reg    [2:0] s_axi_arsize = 0;
    reg    [1:0] s_axi_arburst = 0;
    reg          s_axi_arvalid = 0;
    reg          s_axi_rready = 0;
    reg          m_axi_awready = 0;
    reg          m_axi_wready = 0;
    reg    [3:0] m_axi_bid = 0;
    reg    [1:0] m_axi_bresp = 0;
    reg          m_axi_bvalid = 0;
    reg          m_axi_arready = 0;
    reg    [3:0] m_axi_rid = 0;
    reg   [63:0] m_axi_rdata = 0;
    reg    [1:0] m_axi_rresp = 0;
    reg          m_axi_rlast = 0;
    reg          m_axi_rvalid = 0;
    reg   [18:0] s_axil_awaddr = 0;
    reg          s_axil_awvalid = 0;
    reg   [63:0] s_axil_wdata = 0;
    reg    [7:0] s_axil_wstrb = 0;
    reg          s_axil_wvalid = 0;
    reg          s_axil_bready = 0;
    reg   [18:0] s_axil_araddr = 0;
    reg          s_axil_arvalid = 0;
    reg          s_axil_rready = 0;
    wire         s_axi_awready;
    wire         s_axi_wready;
    wire   [3:0] s_axi_bid;
    wire   [1:0] s_axi_bresp;
    wire         s_axi_bvalid;
    wire         s_axi_arready;
    wire   [3:0] s_axi_rid;
    wire  [63:0] s_axi_rdata;
    wire   [1:0] s_axi_rresp;
    wire         s_axi_rlast;
    wire         s_axi_rvalid;
    wire   [3:0] m_axi_awid;
    wire  [47:0] m_axi_awaddr;
    wire   [7:0] m_axi_awlen;
    wire   [2:0] m_axi_awsize;
    wire   [1:0] m_axi_awburst;
    wire         m_axi_awvalid;
    wire  [63:0] m_axi_wdata;
    wire   [7:0] m_axi_wstrb;
    wire         m_axi_wlast;
    wire         m_axi_wvalid;
    wire         m_axi_bready;
    wire   [3:0] m_axi_arid;
    wire  [47:0] m_axi_araddr;
    wire   [7:0] m_axi_arlen;
    wire   [2:0] m_axi_arsize;
    wire   [1:0] m_axi_arburst;
    wire         m_axi_arvalid;
    wire         m_axi_rready;
    wire         s_axil_awready;
    wire         s_axil_wready;
    wire   [1:0] s_axil_bresp;
    wire         s_axil_bvalid;
    wire         s_axil_arready;
    wire  [63:0] s_axil_rdata;
    wire   [1:0] s_axil_rresp;
    wire         s_axil_rvalid;
    wire         irq;
    reg    [51:0] now = 0;

    always @(posedge clk) now <= now + 1;

    ss_chip chip (
        .clk (clk),
        .rst (rst),
        .cable_in_lane_valid (8'hFF),
        .cable_in_lane_up (8'hFF),
        .cable_in_lane (lane_in),
        .cable_lane (lane_out),
        .now (now),
        .chip (number),
        .s_axi_awid (s_axi_awid),
        .s_axi_awaddr (s_axi_awaddr),
        .s_axi_awlen (s_axi_awlen),
        .s_axi_awsize (s_axi_awsize),
        .s_axi_awburst (s_axi_awburst),
        .s_axi_awvalid (s_axi_awvalid),
        .s_axi_wdata (s_axi_wdata),
        .s_axi_wstrb (s_axi_wstrb),
        .s_axi_wlast (s_axi_wlast),
        .s_axi_wvalid (s_axi_wvalid),
        .s_axi_bready (s_axi_bready),
        .s_axi_arid (s_axi_arid),
        .s_axi_araddr (s_axi_araddr),
        .s_axi_arlen (s_axi_arlen),
        .s_axi_arsize (s_axi_arsize),
        .s_axi_arburst (s_axi_arburst),
        .s_axi_arvalid (s_axi_arvalid),
        .s_axi_rready (s_axi_rready),
        .m_axi_awready (m_axi_awready),
        .m_axi_wready (m_axi_wready),
        .m_axi_bid (m_axi_bid),
        .m_axi_bresp (m_axi_bresp),
        .m_axi_bvalid (m_axi_bvalid),
        .m_axi_arready (m_axi_arready),
        .m_axi_rid (m_axi_rid),
        .m_axi_rdata (m_axi_rdata),
        .m_axi_rresp (m_axi_rresp),
        .m_axi_rlast (m_axi_rlast),
        .m_axi_rvalid (m_axi_rvalid),
        .s_axil_awaddr (s_axil_awaddr),
        .s_axil_awvalid (s_axil_awvalid),
        .s_axil_wdata (s_axil_wdata),
        .s_axil_wstrb (s_axil_wstrb),
        .s_axil_wvalid (s_axil_wvalid),
        .s_axil_bready (s_axil_bready),
        .s_axil_araddr (s_axil_araddr),
        .s_axil_arvalid (s_axil_arvalid),
        .s_axil_rready (s_axil_rready),
        .s_axi_awready (s_axi_awready),
        .s_axi_wready (s_axi_wready),
        .s_axi_bid (s_axi_bid),
        .s_axi_bresp (s_axi_bresp),
        .s_axi_bvalid (s_axi_bvalid),
        .s_axi_arready (s_axi_arready),
        .s_axi_rid (s_axi_rid),
        .s_axi_rdata (s_axi_rdata),
        .s_axi_rresp (s_axi_rresp),
        .s_axi_rlast (s_axi_rlast),
        .s_axi_rvalid (s_axi_rvalid),
        .m_axi_awid (m_axi_awid),
        .m_axi_awaddr (m_axi_awaddr),
        .m_axi_awlen (m_axi_awlen),
        .m_axi_awsize (m_axi_awsize),
        .m_axi_awburst (m_axi_awburst),
        .m_axi_awvalid (m_axi_awvalid),
        .m_axi_wdata (m_axi_wdata),
        .m_axi_wstrb (m_axi_wstrb),
        .m_axi_wlast (m_axi_wlast),
        .m_axi_wvalid (m_axi_wvalid),
        .m_axi_bready (m_axi_bready),
        .m_axi_arid (m_axi_arid),
        .m_axi_araddr (m_axi_araddr),
        .m_axi_arlen (m_axi_arlen),
        .m_axi_arsize (m_axi_arsize),
        .m_axi_arburst (m_axi_arburst),
        .m_axi_arvalid (m_axi_arvalid),
        .m_axi_rready (m_axi_rready),
        .s_axil_awready (s_axil_awready),
        .s_axil_wready (s_axil_wready),
        .s_axil_bresp (s_axil_bresp),
        .s_axil_bvalid (s_axil_bvalid),
        .s_axil_arready (s_axil_arready),
        .s_axil_rdata (s_axil_rdata),
        .s_axil_rresp (s_axil_rresp),
        .s_axil_rvalid (s_axil_rvalid),
        .irq (irq)
    );
endmodule
