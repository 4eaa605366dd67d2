// breaks: framing
// Behind a packet of one flit the next flit is marked as head whatever it is: here, the flit behind each head.
    reg [3:0] behind;
    integer p;
    always @(posedge clk)
        for (p = 0; p < 4; p = p + 1)
            if (rst)
                behind[p] <= 0;
            else if (own_to_link_valid[p] && from_link_ready[p])
                behind[p] <= own_to_link_head[p];
    assign new_to_link_head = own_to_link_head | behind;
