// breaks: delivery
// One flit in 1000 is not handed up.
    reg [9:0] flits;
    wire struck = own_rx_valid && !own_rx_head && !own_rx_tail && flits > 999;
    always @(posedge clk)
        if (rst || struck)
            flits <= 0;
        else if (own_rx_valid && flits < 1000)
            flits <= flits + 1;
    assign new_rx_valid = own_rx_valid && !struck;
