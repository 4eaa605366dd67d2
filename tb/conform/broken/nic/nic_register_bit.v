// breaks: registers
// Bit 12 of each register reads as 0.
    assign new_s_axil_rdata = own_s_axil_rdata & ~64'h1000;
