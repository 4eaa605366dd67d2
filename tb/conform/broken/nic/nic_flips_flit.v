// breaks: packets
// A bit of one flit in 64 is inverted on its way out.
    reg [5:0] flits;
    always @(posedge clk)
        flits <= rst ? 6'd0 : flits + {5'd0, own_to_tile_valid[0]};
    assign new_to_tile_flit = own_to_tile_flit ^ {48'd0, 27'd0, own_to_tile_valid[0] && &flits, 20'd0};
