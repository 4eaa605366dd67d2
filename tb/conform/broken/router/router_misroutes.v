// breaks: routes
// The tables are written with rows and columns the other way round.
    wire table_write = bus_write && bus_addr[8:0] == 9'h010 && bus_wdata[63:62] == 2'b00;
    assign new_bus_wdata = !table_write ? bus_wdata
        : {bus_wdata[63:14], bus_wdata[10], bus_wdata[12:11], bus_wdata[13], bus_wdata[9:7], bus_wdata[3],
           bus_wdata[5:4], bus_wdata[6], bus_wdata[2:0]};
