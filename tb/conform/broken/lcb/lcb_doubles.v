// breaks: delivery
// One flit in 1000 is handed up twice: again in the next clock that is free.
    reg [9:0] flits;
    reg again;
    reg [47:0] last;
    always @(posedge clk)
        if (rst) begin
            flits <= 0;
            again <= 0;
        end else if (own_rx_valid) begin
            flits <= flits == 999 ? 0 : flits + 1;
            if (flits == 999) begin
                again <= 1;
                last <= own_rx_flit;
            end
        end else begin
            again <= 0;
        end
    assign new_rx_valid = own_rx_valid || again;
    assign new_rx_flit = own_rx_valid ? own_rx_flit : last;
    assign new_rx_head = own_rx_valid && own_rx_head;
    assign new_rx_tail = own_rx_valid && own_rx_tail;
    assign new_rx_bad = own_rx_valid && own_rx_bad;
