// breaks: answers
// One acknowledgement in 16 of tile 0 is not sent; its place is given back all the same.
    wire [47:0] flit = own_to_tile_flit[47:0];
    reg [3:0] left, acks;
    reg owes;
    wire ack = own_to_tile_valid[0] && left == 0 && flit[44:41] == 1;
    wire struck = ack && &acks && !owes;
    always @(posedge clk)
        if (rst) begin
            {left, acks, owes} <= 0;
        end else begin
            if (own_to_tile_valid[0])
                left <= (left == 0 ? flit[44:41] : left) - 4'd1;
            acks <= acks + {3'd0, ack};
            owes <= struck || (owes && from_tile_freed_valid[0]);
        end
    assign new_to_tile_valid = own_to_tile_valid & {1'b1, !struck};
    assign new_from_tile_freed_valid = from_tile_freed_valid | {1'b0, owes};
    assign new_from_tile_freed_vc = {from_tile_freed_vc[5:3], from_tile_freed_valid[0] ? from_tile_freed_vc[2:0] : 3'd1};
