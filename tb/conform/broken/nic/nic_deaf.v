// breaks: axi
// From its 24th register access on it takes none.
    reg [8:0] reads;
    wire over = reads >= 9'd24;
    always @(posedge clk)
        reads <= rst ? 9'd0 : reads + {8'd0, !over && s_axil_awvalid && own_s_axil_awready};
    assign new_s_axil_awready = own_s_axil_awready && !over;
    assign new_s_axil_awvalid = s_axil_awvalid && !over;
