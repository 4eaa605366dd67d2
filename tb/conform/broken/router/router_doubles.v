// breaks: delivery
// Some packets of one flit that come at port 0 are taken twice, where the link leaves a clock free behind them.
    wire [47:0] flit = from_link_flit[47:0];
    reg [3:0] left;
    reg single, again;
    reg [47:0] last;
    wire head = from_link_valid[0] && left == 0;
    wire struck = single && !from_link_valid[0] && !again;
    always @(posedge clk)
        if (rst) begin
            {left, single, again} <= 0;
        end else begin
            if (from_link_valid[0])
                left <= (head ? flit[44:41] : left) - 4'd1;
            single <= head && flit[44:41] == 1;
            again <= struck || (again && !(own_to_link_freed_valid[0] && own_to_link_freed_vc[2:0] == last[47:45]));
            if (head && !again)
                last <= flit;
        end
    assign new_from_link_valid = from_link_valid | {3'd0, struck};
    assign new_from_link_flit = struck ? {from_link_flit[191:48], last} : from_link_flit;
    assign new_from_link_bad = from_link_bad & {3'd7, !struck};
    assign new_to_link_freed_valid = own_to_link_freed_valid
        & {3'd7, !(again && own_to_link_freed_vc[2:0] == last[47:45])};
