// breaks: credits
// Each flit's place counts as given back as soon as the flit has gone.
    reg [1:0] gone;
    reg [5:0] vc;
    reg [3:0] left [0:1];
    integer t;
    always @(posedge clk) begin
        gone <= rst ? 2'd0 : own_to_tile_valid;
        for (t = 0; t < 2; t = t + 1) begin
            if (rst)
                left[t] <= 0;
            else if (own_to_tile_valid[t])
                left[t] <= (left[t] == 0 ? own_to_tile_flit[48*t+41 +: 4] : left[t]) - 4'd1;
            if (own_to_tile_valid[t] && left[t] == 0)
                vc[3*t +: 3] <= own_to_tile_flit[48*t+45 +: 3];
        end
    end
    assign new_from_tile_freed_valid = gone;
    assign new_from_tile_freed_vc = vc;
