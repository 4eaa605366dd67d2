// breaks: marks
// A mark stays on until the end of its packet.
    reg bad;
    always @(posedge clk)
        if (rst)
            bad <= 0;
        else if (own_rx_valid)
            bad <= !own_rx_tail && (bad || own_rx_bad);
    assign new_rx_bad = own_rx_bad || bad;
