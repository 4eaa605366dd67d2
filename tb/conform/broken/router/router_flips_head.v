// breaks: bodies
// Bit 3 of one head in 64, of those that belong to the packet's owner, is inverted at port 2.
    reg [5:0] packets;
    wire goes = own_to_link_valid[2] && from_link_ready[2] && own_to_link_head[2];
    always @(posedge clk)
        packets <= rst ? 6'd0 : packets + {5'd0, goes};
    assign new_to_link_flit = own_to_link_flit ^ ({191'd0, &packets && own_to_link_head[2]} << (96 + 3));
