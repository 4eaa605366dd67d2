// breaks: registers
// Counters show what they had before the last event.
    reg counter;
    always @(posedge clk)
        if (bus_valid)
            counter <= bus_addr[8:4] == 5'h02;
    assign new_bus_rdata = counter && own_bus_ready && own_bus_rdata != 0 ? own_bus_rdata - 64'd1 : own_bus_rdata;
