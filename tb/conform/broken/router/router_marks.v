// breaks: marks
// One packet in 64 is marked bad at port 0.
    reg [5:0] packets;
    always @(posedge clk)
        packets <= rst ? 6'd0 : packets + {5'd0, own_to_link_valid[0] && from_link_ready[0] && own_to_link_tail[0]};
    assign new_to_link_bad = own_to_link_bad | {3'd0, &packets && own_to_link_tail[0]};
