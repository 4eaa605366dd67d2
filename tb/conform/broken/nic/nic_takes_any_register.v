// breaks: registers
// A write of no register is answered OKAY.
    assign new_s_axil_bresp = 2'd0;
