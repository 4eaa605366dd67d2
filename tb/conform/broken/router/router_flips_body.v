// breaks: bodies
// Bit 17 of one body flit in 256 is inverted at port 1.
    reg [7:0] flits;
    wire goes = own_to_link_valid[1] && from_link_ready[1] && !own_to_link_head[1];
    always @(posedge clk)
        flits <= rst ? 8'd0 : flits + {7'd0, goes};
    assign new_to_link_flit = own_to_link_flit ^ ({191'd0, flits == 255 && !own_to_link_head[1]} << (48 + 17));
