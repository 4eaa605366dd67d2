// breaks: atomics
// One variable in 8 is fetched with a wrong bit.
    reg [2:0] fetches;
    wire fetched = m_axi_rvalid && m_axi_rid == 4'd1;
    always @(posedge clk)
        fetches <= rst ? 3'd0 : fetches + {2'd0, fetched};
    assign new_m_axi_rdata = m_axi_rdata ^ (fetched && &fetches ? {64'h10, 64'h10} : 128'd0);
