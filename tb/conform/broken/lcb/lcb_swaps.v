// breaks: order
// Body flits change places now and then: everything comes two clocks later, but one flit, which comes one clock earlier.
    reg [51:0] first, second;
    reg [9:0] flits;
    wire [51:0] now_up = {own_rx_valid, own_rx_head, own_rx_tail, own_rx_bad, own_rx_flit};
    wire struck = flits == 1000 && now_up[51:49] == 3'b100 && first[51:49] == 3'b100 && !now_up[48] && !first[48];
    always @(posedge clk) begin
        first <= rst ? 52'd0 : struck ? first : now_up;
        second <= rst ? 52'd0 : struck ? now_up : first;
        if (rst || struck)
            flits <= 0;
        else if (own_rx_valid && flits < 1000)
            flits <= flits + 1;
    end
    assign {new_rx_valid, new_rx_head, new_rx_tail, new_rx_bad, new_rx_flit} = second;
