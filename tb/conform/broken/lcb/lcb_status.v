// breaks: registers
// STATUS shows the lanes that are not sent on.
    reg status;
    always @(posedge clk)
        if (bus_valid)
            status <= bus_addr == 16'd0;
    assign new_bus_rdata = own_bus_rdata ^ (status && own_bus_ready ? 64'h38 : 64'h0);
