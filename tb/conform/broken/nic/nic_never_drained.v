// breaks: whole
// STATUS.drained is never 1.
    reg [18:0] last;
    always @(posedge clk)
        if (s_axil_arvalid && own_s_axil_arready)
            last <= s_axil_araddr;
    assign new_s_axil_rdata = own_s_axil_rdata & ~(last[18:3] == 16'd1 ? 64'd2 : 64'd0);
