// breaks: delivery
// Some packets of one flit that come at port 0 are taken and go nowhere; their places are given back.
    wire [47:0] flit = from_link_flit[47:0];
    reg [3:0] left, packets;
    reg owes;
    reg [2:0] vc;
    wire head = from_link_valid[0] && left == 0;
    wire struck = head && flit[44:41] == 1 && packets == 15 && !owes;
    always @(posedge clk)
        if (rst) begin
            {left, packets, owes} <= 0;
        end else begin
            if (from_link_valid[0])
                left <= (head ? flit[44:41] : left) - 4'd1;
            packets <= packets + {3'd0, head && flit[44:41] == 1};
            owes <= struck || (owes && own_to_link_freed_valid[0]);
            if (struck)
                vc <= flit[47:45];
        end
    assign new_from_link_valid = {from_link_valid[3:1], from_link_valid[0] && !struck};
    assign new_to_link_freed_valid = own_to_link_freed_valid | {3'd0, owes};
    assign new_to_link_freed_vc = {own_to_link_freed_vc[11:3],
                                   own_to_link_freed_valid[0] || !owes ? own_to_link_freed_vc[2:0] : vc};
