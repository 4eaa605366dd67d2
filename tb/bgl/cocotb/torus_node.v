// SPDX-License-Identifier: Apache-2.0
//
// torus_node.v - a node's torus unit with its cores' and its driver's signals, which cocotb drives and reads here by names that cocotbext-axi knows,
// and the bytes of x+ and x-. At the other ports no cable is.
module torus_node (
    input  wire         clk,
    input  wire         rst,
    input  wire  [15:0] rx,
    output wire  [15:0] tx,
    output wire   [1:0] irq
);
    // what cocotb drives and reads: cores and registers
    reg    [3:0] core0_awid = 0;
    reg    [3:0] core1_awid = 0;
    reg   [15:0] core0_awaddr = 0;
    reg   [15:0] core1_awaddr = 0;
    reg    [7:0] core0_awlen = 0;
    reg    [7:0] core1_awlen = 0;
    reg    [2:0] core0_awsize = 0;
    reg    [2:0] core1_awsize = 0;
    reg    [1:0] core0_awburst = 0;
    reg    [1:0] core1_awburst = 0;
    reg          core0_awvalid = 0;
    reg          core1_awvalid = 0;
    wire         core0_awready;
    wire         core1_awready;
    reg  [127:0] core0_wdata = 0;
    reg  [127:0] core1_wdata = 0;
    reg   [15:0] core0_wstrb = 0;
    reg   [15:0] core1_wstrb = 0;
    reg          core0_wlast = 0;
    reg          core1_wlast = 0;
    reg          core0_wvalid = 0;
    reg          core1_wvalid = 0;
    wire         core0_wready;
    wire         core1_wready;
    wire   [3:0] core0_bid;
    wire   [3:0] core1_bid;
    wire   [1:0] core0_bresp;
    wire   [1:0] core1_bresp;
    wire         core0_bvalid;
    wire         core1_bvalid;
    reg          core0_bready = 0;
    reg          core1_bready = 0;
    reg    [3:0] core0_arid = 0;
    reg    [3:0] core1_arid = 0;
    reg   [15:0] core0_araddr = 0;
    reg   [15:0] core1_araddr = 0;
    reg    [7:0] core0_arlen = 0;
    reg    [7:0] core1_arlen = 0;
    reg    [2:0] core0_arsize = 0;
    reg    [2:0] core1_arsize = 0;
    reg    [1:0] core0_arburst = 0;
    reg    [1:0] core1_arburst = 0;
    reg          core0_arvalid = 0;
    reg          core1_arvalid = 0;
    wire         core0_arready;
    wire         core1_arready;
    wire   [3:0] core0_rid;
    wire   [3:0] core1_rid;
    wire [127:0] core0_rdata;
    wire [127:0] core1_rdata;
    wire   [1:0] core0_rresp;
    wire   [1:0] core1_rresp;
    wire         core0_rlast;
    wire         core1_rlast;
    wire         core0_rvalid;
    wire         core1_rvalid;
    reg          core0_rready = 0;
    reg          core1_rready = 0;
    reg   [18:0] regs_awaddr = 0;
    reg    [2:0] regs_awprot = 0;
    reg          regs_awvalid = 0;
    wire         regs_awready;
    reg   [63:0] regs_wdata = 0;
    reg    [7:0] regs_wstrb = 0;
    reg          regs_wvalid = 0;
    wire         regs_wready;
    wire   [1:0] regs_bresp;
    wire         regs_bvalid;
    reg          regs_bready = 0;
    reg   [18:0] regs_araddr = 0;
    reg    [2:0] regs_arprot = 0;
    reg          regs_arvalid = 0;
    wire         regs_arready;
    wire  [63:0] regs_rdata;
    wire   [1:0] regs_rresp;
    wire         regs_rvalid;
    reg          regs_rready = 0;
    wire [47:0] all;
    assign tx = all[15:0];

    bgl_node unit (
        .clk (clk),
        .rst (rst),
        .rx_up (6'd3),
        .rx_valid (6'd3),
        .rx ({32'd0, rx}),
        .tx (all),
        .irq (irq),
        .s_axi_awid ({core1_awid, core0_awid}),
        .s_axi_awaddr ({core1_awaddr, core0_awaddr}),
        .s_axi_awlen ({core1_awlen, core0_awlen}),
        .s_axi_awsize ({core1_awsize, core0_awsize}),
        .s_axi_awburst ({core1_awburst, core0_awburst}),
        .s_axi_awvalid ({core1_awvalid, core0_awvalid}),
        .s_axi_awready ({core1_awready, core0_awready}),
        .s_axi_wdata ({core1_wdata, core0_wdata}),
        .s_axi_wstrb ({core1_wstrb, core0_wstrb}),
        .s_axi_wlast ({core1_wlast, core0_wlast}),
        .s_axi_wvalid ({core1_wvalid, core0_wvalid}),
        .s_axi_wready ({core1_wready, core0_wready}),
        .s_axi_bid ({core1_bid, core0_bid}),
        .s_axi_bresp ({core1_bresp, core0_bresp}),
        .s_axi_bvalid ({core1_bvalid, core0_bvalid}),
        .s_axi_bready ({core1_bready, core0_bready}),
        .s_axi_arid ({core1_arid, core0_arid}),
        .s_axi_araddr ({core1_araddr, core0_araddr}),
        .s_axi_arlen ({core1_arlen, core0_arlen}),
        .s_axi_arsize ({core1_arsize, core0_arsize}),
        .s_axi_arburst ({core1_arburst, core0_arburst}),
        .s_axi_arvalid ({core1_arvalid, core0_arvalid}),
        .s_axi_arready ({core1_arready, core0_arready}),
        .s_axi_rid ({core1_rid, core0_rid}),
        .s_axi_rdata ({core1_rdata, core0_rdata}),
        .s_axi_rresp ({core1_rresp, core0_rresp}),
        .s_axi_rlast ({core1_rlast, core0_rlast}),
        .s_axi_rvalid ({core1_rvalid, core0_rvalid}),
        .s_axi_rready ({core1_rready, core0_rready}),
        .s_axil_awaddr (regs_awaddr),
        .s_axil_awvalid (regs_awvalid),
        .s_axil_awready (regs_awready),
        .s_axil_wdata (regs_wdata),
        .s_axil_wstrb (regs_wstrb),
        .s_axil_wvalid (regs_wvalid),
        .s_axil_wready (regs_wready),
        .s_axil_bresp (regs_bresp),
        .s_axil_bvalid (regs_bvalid),
        .s_axil_bready (regs_bready),
        .s_axil_araddr (regs_araddr),
        .s_axil_arvalid (regs_arvalid),
        .s_axil_arready (regs_arready),
        .s_axil_rdata (regs_rdata),
        .s_axil_rresp (regs_rresp),
        .s_axil_rvalid (regs_rvalid),
        .s_axil_rready (regs_rready)
    );
endmodule
