// breaks: credits
// A place of port 1 is given back a second time when no other is for 32 clocks.
    reg [5:0] idle;
    always @(posedge clk)
        idle <= rst || own_to_link_freed_valid[1] ? 6'd0 : idle + {5'd0, idle != 63};
    assign new_to_link_freed_valid = own_to_link_freed_valid | {2'd0, idle == 32, 1'b0};
