// breaks: room
// One packet in 128 is not announced at port 0.
    reg [6:0] packets;
    always @(posedge clk)
        packets <= rst ? 7'd0 : packets + {6'd0, own_to_link_start_valid[0]};
    assign new_to_link_start_valid = own_to_link_start_valid & {3'd7, !(&packets)};
