// breaks: reports
// Every fifth flit of a report is swallowed.
    reg [2:0] reported;
    always @(posedge clk)
        if (rst)
            reported <= 0;
        else if (own_report_valid)
            reported <= reported == 4 ? 3'd0 : reported + 3'd1;
    assign new_report_valid = own_report_valid && reported != 4;
