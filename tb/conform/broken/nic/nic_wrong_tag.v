// breaks: answers
// One acknowledgement in 16 of tile 0 has another tag, and the right code of that.
    wire [47:0] flit = own_to_tile_flit[47:0];
    reg [3:0] left, acks;
    wire ack = own_to_tile_valid[0] && left == 0 && flit[44:41] == 1;
    always @(posedge clk)
        if (rst) begin
            {left, acks} <= 0;
        end else begin
            if (own_to_tile_valid[0])
                left <= (left == 0 ? flit[44:41] : left) - 4'd1;
            acks <= acks + {3'd0, ack};
        end
    assign new_to_tile_flit = own_to_tile_flit ^ {48'd0, ack && &acks ? 48'h20A : 48'd0};
