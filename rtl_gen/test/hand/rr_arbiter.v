// SPDX-License-Identifier: Apache-2.0
//
// rr_arbiter.v - round robin among 64 requests, one decision per clock, written by hand as the
// yardstick for what rtlgen makes of the same function in C. The contract is in README.md.
//
// Eight rows of eight. The winner stands in the row of the last one, above it; or in the next row
// that has a request, that of the last one coming last: there its lowest one.

`default_nettype none

module rr_arbiter (
    input  wire        clk,
    input  wire        rst,        // synchronous
    input  wire [63:0] request,
    input  wire        enable,     // decide in this clock
    output reg         valid,      // some request was granted
    output reg  [5:0]  grant       // who: held while valid is low
);

    // The lowest one; 7 when there is none.
    function [2:0] lowest;
        input [7:0] x;
        begin
            lowest[2] = !(x[0] || x[1] || x[2] || x[3]);
            lowest[1] = !(x[0] || x[1]) && (x[2] || x[3] || !(x[4] || x[5]));
            lowest[0] = !x[0] && (x[1] || !x[2] && (x[3] || !x[4] && (x[5] || !x[6])));
        end
    endfunction

    wire [7:0] any = {|request[63:56], |request[55:48], |request[47:40], |request[39:32],
                      |request[31:24], |request[23:16], |request[15:8],  |request[7:0]};

    wire [7:0] above_row   = 8'hFE << grant[5:3];
    wire [7:0] above_place = 8'hFE << grant[2:0];

    wire [7:0] same_row  = request[{grant[5:3], 3'd0} +: 8] & above_place;
    wire [7:0] later     = any & above_row;
    wire       stay      = |same_row;
    wire [2:0] next_row  = lowest(|later ? later : any);
    wire [7:0] other_row = request[{next_row, 3'd0} +: 8];

    always @(posedge clk)
        if (rst) begin
            valid <= 1'b0;
            grant <= 6'd63;
        end else if (enable) begin
            valid <= |any;
            if (|any)
                grant <= stay ? {grant[5:3], lowest(same_row)} : {next_row, lowest(other_row)};
        end

endmodule

`default_nettype wire
