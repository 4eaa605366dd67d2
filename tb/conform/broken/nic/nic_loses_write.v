// breaks: events
// One whole beat of data in 16 never comes to memory; the event that tells of it does.
    reg [3:0] beats;
    wire whole = own_m_axi_wvalid && &own_m_axi_wstrb;
    always @(posedge clk)
        beats <= rst ? 4'd0 : beats + {3'd0, whole && m_axi_wready};
    assign new_m_axi_wstrb = whole && &beats ? 16'd0 : own_m_axi_wstrb;
