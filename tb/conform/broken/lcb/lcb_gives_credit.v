// breaks: credits
// When nothing is freed, now and then the last one is freed again.
    reg [5:0] idle;
    always @(posedge clk)
        idle <= rst || freed_valid || own_state != 3'd4 ? 6'd0 : idle + 6'd1;
    reg [2:0] vc;
    always @(posedge clk)
        if (freed_valid)
            vc <= freed_vc;
    assign new_freed_valid = freed_valid || idle == 6'd3;
    assign new_freed_vc = freed_valid ? freed_vc : vc;
