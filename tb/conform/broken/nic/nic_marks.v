// breaks: packets
// One flit in 256 goes out marked bad.
    reg [7:0] flits;
    always @(posedge clk)
        flits <= rst ? 8'd0 : flits + {7'd0, own_to_tile_valid[0]};
    assign new_to_tile_bad = own_to_tile_bad | {1'b0, own_to_tile_valid[0] && &flits};
