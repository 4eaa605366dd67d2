// breaks: drops
// The counter of packets with a wrong code always reads 0.
    reg [18:0] last;
    always @(posedge clk)
        if (s_axil_arvalid && own_s_axil_arready)
            last <= s_axil_araddr;
    assign new_s_axil_rdata = last[18:3] == 16'h00BB ? 64'd0 : own_s_axil_rdata;
