// breaks: routes
// The VC map is read with the VC of the next hop as it was written, inverted.
    assign new_bus_wdata = bus_write && bus_addr[8:0] == 9'h010 && bus_wdata[63:61] == 3'd2 ? bus_wdata ^ 64'd1 : bus_wdata;
