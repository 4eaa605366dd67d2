// breaks: timeouts
// The driver's epoch of 4,096 clocks is not kept.
    assign new_s_axil_wdata = s_axil_wdata == 64'h1000 ? 64'h40000000 : s_axil_wdata;
