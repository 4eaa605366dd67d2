// breaks: framing
// The tail of a packet of 14 flits is not marked.
    reg [15:0] flits;
    reg [3:0] longest;
    integer p;
    always @(posedge clk)
        for (p = 0; p < 4; p = p + 1)
            if (own_to_link_valid[p] && from_link_ready[p])
                flits[4*p +: 4] <= own_to_link_head[p] ? 4'd1 : flits[4*p +: 4] + 4'd1;
    always @*
        for (p = 0; p < 4; p = p + 1)
            longest[p] = flits[4*p +: 4] == 13 && !own_to_link_head[p];
    assign new_to_link_tail = own_to_link_tail & ~longest;
