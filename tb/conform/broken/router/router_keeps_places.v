// breaks: drops
// Places of packets on a VC that does not exist are not given back.
    reg [3:0] exists;
    integer p;
    always @*
        for (p = 0; p < 4; p = p + 1)
            exists[p] = own_to_link_freed_vc[3*p +: 3] < 2;
    assign new_to_link_freed_valid = own_to_link_freed_valid & exists;
