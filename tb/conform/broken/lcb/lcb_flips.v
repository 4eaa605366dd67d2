// breaks: bodies
// Bit 17 of one body flit in 1000 is inverted on its way up.
    reg [9:0] flits;
    wire struck = own_rx_valid && !own_rx_head && flits == 1000;
    always @(posedge clk)
        if (rst || struck)
            flits <= 0;
        else if (own_rx_valid && flits < 1000)
            flits <= flits + 1;
    assign new_rx_flit = own_rx_flit ^ (struck ? 48'h20000 : 48'd0);
