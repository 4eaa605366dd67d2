// breaks: answers
// One acknowledgement in 16 of tile 0 is sent again, in a clock in which nothing else goes; what that takes is not given back.
    wire [47:0] flit = own_to_tile_flit[47:0];
    reg [3:0] left, acks;
    reg [47:0] kept;
    reg owes, swallows;
    wire ack = own_to_tile_valid[0] && left == 0 && flit[44:41] == 1;
    wire again = owes && !own_to_tile_valid[0] && left == 0;
    wire swallowed = swallows && from_tile_freed_valid[0] && from_tile_freed_vc[2:0] == 3'd1;
    always @(posedge clk)
        if (rst) begin
            {left, acks, owes, swallows} <= 0;
        end else begin
            if (own_to_tile_valid[0])
                left <= (left == 0 ? flit[44:41] : left) - 4'd1;
            acks <= acks + {3'd0, ack};
            if (ack && &acks)
                kept <= flit;
            owes <= (ack && &acks) || (owes && !again);
            swallows <= again || (swallows && !swallowed);
        end
    assign new_to_tile_valid = own_to_tile_valid | {1'b0, again};
    assign new_to_tile_flit = {own_to_tile_flit[95:48], again ? kept : flit};
    assign new_from_tile_freed_valid = from_tile_freed_valid & {1'b1, !swallowed};
