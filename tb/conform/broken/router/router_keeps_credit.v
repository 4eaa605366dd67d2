// breaks: credits
// One place in 256 of the input queue of port 2 is not given back.
    reg [7:0] freed;
    always @(posedge clk)
        freed <= rst ? 8'd0 : freed + {7'd0, own_to_link_freed_valid[2]};
    assign new_to_link_freed_valid = own_to_link_freed_valid & {1'b1, !(&freed), 2'b11};
