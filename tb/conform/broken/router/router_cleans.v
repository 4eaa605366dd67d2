// breaks: marks
// A mark is only seen with a head.
    reg [15:0] left;
    reg [3:0] head;
    integer p;
    always @*
        for (p = 0; p < 4; p = p + 1)
            head[p] = left[4*p +: 4] == 0;
    always @(posedge clk)
        for (p = 0; p < 4; p = p + 1)
            if (rst)
                left[4*p +: 4] <= 0;
            else if (from_link_valid[p])
                left[4*p +: 4] <= (head[p] ? from_link_flit[48*p + 41 +: 4] : left[4*p +: 4]) - 4'd1;
    assign new_from_link_bad = from_link_bad & head;
