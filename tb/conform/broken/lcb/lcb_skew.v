// breaks: bring-up
// Lane 1 comes 40 clocks late, which is more than the deskew buffer holds.
    reg [639:0] late;
    always @(posedge clk)
        late <= {late[623:0], rx_lane[31:16]};
    assign new_rx_lane = {rx_lane[47:32], late[639:624], rx_lane[15:0]};
