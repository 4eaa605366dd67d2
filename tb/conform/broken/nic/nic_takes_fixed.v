// breaks: pages
// A burst of any kind counts as INCR.
    assign new_s_axi_awburst = 2'd1;
