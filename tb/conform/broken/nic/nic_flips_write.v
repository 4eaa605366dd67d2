// breaks: accesses
// A bit of one whole beat of data in 16 is inverted on its way to memory.
    reg [3:0] beats;
    wire whole = own_m_axi_wvalid && &own_m_axi_wstrb;
    always @(posedge clk)
        beats <= rst ? 4'd0 : beats + {3'd0, whole && m_axi_wready};
    assign new_m_axi_wdata = own_m_axi_wdata ^ {127'd0, whole && &beats};
