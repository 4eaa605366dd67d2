// breaks: axi
// AWVALID falls for a clock behind one in which it was not taken.
    reg waited;
    always @(posedge clk)
        waited <= !rst && new_m_axi_awvalid && !m_axi_awready;
    assign new_m_axi_awvalid = own_m_axi_awvalid && !waited;
    assign new_m_axi_awready = m_axi_awready && !waited;
