// breaks: credits
// Two flits of one VC freed in a row count as one.
    reg freed;
    reg [2:0] vc;
    always @(posedge clk) begin
        freed <= !rst && freed_valid;
        vc <= freed_vc;
    end
    assign new_freed_valid = freed_valid && !(freed && vc == freed_vc);
