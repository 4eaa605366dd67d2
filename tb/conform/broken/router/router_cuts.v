// breaks: framing
// One body flit in 128 does not leave at port 3.
    reg [6:0] flits;
    wire body = own_to_link_valid[3] && !own_to_link_head[3] && !own_to_link_tail[3];
    wire struck = body && flits == 127;
    always @(posedge clk)
        flits <= rst || struck ? 7'd0 : flits + {6'd0, body && from_link_ready[3]};
    assign new_to_link_valid = own_to_link_valid & {!struck, 3'd7};
    assign new_from_link_ready = from_link_ready | {struck, 3'd0};
