// breaks: order
// Of two packets of one flit that come at port 0 one behind the other the second may go first: everything else is a clock
// or two later there.
    reg [49:0] first, second;
    reg [3:0] left;
    wire [49:0] comes = {from_link_valid[0], from_link_bad[0], from_link_flit[47:0]};
    wire head = comes[49] && left == 0;
    wire single = head && comes[44:41] == 1;
    reg first_single;
    wire struck = single && first_single && comes[47:45] == first[47:45];
    always @(posedge clk)
        if (rst) begin
            {first, second, left, first_single} <= 0;
        end else begin
            if (comes[49])
                left <= (head ? comes[44:41] : left) - 4'd1;
            first <= struck ? first : comes;
            first_single <= single && !struck;
            second <= struck ? comes : first;
        end
    assign new_from_link_valid = {from_link_valid[3:1], second[49]};
    assign new_from_link_bad = {from_link_bad[3:1], second[48]};
    assign new_from_link_flit = {from_link_flit[191:48], second[47:0]};
