// The same NIC behind registers: at the tiles 3 clocks at what comes in, 7 at what goes out, 5 at places given back; at the
// ports of AXI a queue of 4 in each channel of requests, 3 clocks at memory's answers, 9 at irq.
    reg [3*110-1:0] comes;
    reg [5*8-1:0] freed;
    reg [7*100-1:0] goes;
    reg [8:0] irqs;
    always @(posedge clk) begin
        comes <= rst ? 330'd0 : {comes[2*110-1:0], from_tile_valid, from_tile_bad, from_tile_head, from_tile_tail,
                                 from_tile_start_valid, from_tile_start_vc, 2'd0, from_tile_flit};
        freed <= rst ? 40'd0 : {freed[4*8-1:0], from_tile_freed_valid, from_tile_freed_vc};
        goes <= rst ? 700'd0 : {goes[6*100-1:0], own_to_tile_valid, own_to_tile_bad, own_to_tile_flit};
        irqs <= rst ? 9'd0 : {irqs[7:0], own_irq};
    end
    wire [1:0] unused;
    assign {new_from_tile_valid, new_from_tile_bad, new_from_tile_head, new_from_tile_tail, new_from_tile_start_valid,
            new_from_tile_start_vc, unused, new_from_tile_flit} = comes[3*110-1:2*110];
    assign {new_from_tile_freed_valid, new_from_tile_freed_vc} = freed[5*8-1:4*8];
    assign {new_to_tile_valid, new_to_tile_bad, new_to_tile_flit} = goes[7*100-1:6*100];
    assign new_irq = irqs[8];

    // requests to memory: AW, W, AR
    localparam A = 65, W = 145;
    reg [A-1:0] aw [0:3], ar [0:3];
    reg [W-1:0] wd [0:3];
    reg [2:0] aw_in, aw_out, ar_in, ar_out, w_in, w_out;
    assign new_m_axi_awready = aw_in != {!aw_out[2], aw_out[1:0]};
    assign new_m_axi_arready = ar_in != {!ar_out[2], ar_out[1:0]};
    assign new_m_axi_wready = w_in != {!w_out[2], w_out[1:0]};
    assign new_m_axi_awvalid = aw_in != aw_out;
    assign new_m_axi_arvalid = ar_in != ar_out;
    assign new_m_axi_wvalid = w_in != w_out;
    assign {new_m_axi_awid, new_m_axi_awaddr, new_m_axi_awlen, new_m_axi_awsize, new_m_axi_awburst} = aw[aw_out[1:0]];
    assign {new_m_axi_arid, new_m_axi_araddr, new_m_axi_arlen, new_m_axi_arsize, new_m_axi_arburst} = ar[ar_out[1:0]];
    assign {new_m_axi_wdata, new_m_axi_wstrb, new_m_axi_wlast} = wd[w_out[1:0]];
    always @(posedge clk)
        if (rst) begin
            {aw_in, aw_out, ar_in, ar_out, w_in, w_out} <= 0;
        end else begin
            if (own_m_axi_awvalid && new_m_axi_awready)
                aw[aw_in[1:0]] <= {own_m_axi_awid, own_m_axi_awaddr, own_m_axi_awlen, own_m_axi_awsize, own_m_axi_awburst};
            if (own_m_axi_arvalid && new_m_axi_arready)
                ar[ar_in[1:0]] <= {own_m_axi_arid, own_m_axi_araddr, own_m_axi_arlen, own_m_axi_arsize, own_m_axi_arburst};
            if (own_m_axi_wvalid && new_m_axi_wready)
                wd[w_in[1:0]] <= {own_m_axi_wdata, own_m_axi_wstrb, own_m_axi_wlast};
            aw_in <= aw_in + {2'd0, own_m_axi_awvalid && new_m_axi_awready};
            ar_in <= ar_in + {2'd0, own_m_axi_arvalid && new_m_axi_arready};
            w_in <= w_in + {2'd0, own_m_axi_wvalid && new_m_axi_wready};
            aw_out <= aw_out + {2'd0, new_m_axi_awvalid && m_axi_awready};
            ar_out <= ar_out + {2'd0, new_m_axi_arvalid && m_axi_arready};
            w_out <= w_out + {2'd0, new_m_axi_wvalid && m_axi_wready};
        end

    // its answers, which are always taken
    reg [3*7-1:0] b;
    reg [3*137-1:0] r;
    assign new_m_axi_bready = 1'b1;
    assign new_m_axi_rready = 1'b1;
    always @(posedge clk) begin
        b <= rst ? 21'd0 : {b[2*7-1:0], m_axi_bvalid, m_axi_bid, m_axi_bresp};
        r <= rst ? 411'd0 : {r[2*137-1:0], m_axi_rvalid, m_axi_rid, m_axi_rresp, m_axi_rlast, m_axi_ruser, m_axi_rdata};
    end
    assign {new_m_axi_bvalid, new_m_axi_bid, new_m_axi_bresp} = b[3*7-1:2*7];
    assign {new_m_axi_rvalid, new_m_axi_rid, new_m_axi_rresp, new_m_axi_rlast, new_m_axi_ruser, new_m_axi_rdata} = r[3*137-1:2*137];

    // registers: a queue of 4 at AR
    reg [18:0] rar [0:3];
    reg [2:0] rar_in, rar_out;
    assign new_s_axil_arready = rar_in != {!rar_out[2], rar_out[1:0]};
    assign new_s_axil_arvalid = rar_in != rar_out;
    assign new_s_axil_araddr = rar[rar_out[1:0]];
    always @(posedge clk)
        if (rst) begin
            {rar_in, rar_out} <= 0;
        end else begin
            if (s_axil_arvalid && new_s_axil_arready)
                rar[rar_in[1:0]] <= s_axil_araddr;
            rar_in <= rar_in + {2'd0, s_axil_arvalid && new_s_axil_arready};
            rar_out <= rar_out + {2'd0, new_s_axil_arvalid && own_s_axil_arready};
        end
