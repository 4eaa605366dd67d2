// breaks: pages
// STATUS of a descriptor does not say how many stores were dropped.
    assign new_s_axi_rdata = own_s_axi_rdata & ~128'hFFFF0000;
