// breaks: room
// It takes no flit for 1,200 clocks, once.
    reg [12:0] clocks;
    always @(posedge clk)
        clocks <= rst ? 13'd0 : clocks + {12'd0, !&clocks};
    wire rests = clocks > 13'd3000 && clocks < 13'd4200;
    assign new_to_tile_ready = own_to_tile_ready & {2{!rests}};
    assign new_from_tile_valid = from_tile_valid & {2{!rests}};
