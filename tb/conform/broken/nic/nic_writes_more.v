// breaks: accesses
// One write in 8 that ends inside of a beat takes the byte behind its end along.
    reg [2:0] ends;
    wire inside = own_m_axi_wvalid && own_m_axi_wlast && &own_m_axi_wstrb[3:0] && !own_m_axi_wstrb[15] && own_m_axi_wstrb != 16'h00FF;
    always @(posedge clk)
        ends <= rst ? 3'd0 : ends + {2'd0, inside && m_axi_wready};
    assign new_m_axi_wstrb = own_m_axi_wstrb | (inside && &ends ? {own_m_axi_wstrb[14:0], 1'b0} : 16'd0);
