// SPDX-License-Identifier: Apache-2.0
// sv_user.sv - a design of somebody else with a module of rtlgen in it, by the types and enumerators of its package.
`default_nettype none
module sv_user
    import sv_types_pkg::*;
(
    input  wire clk,
    input  wire rst,
    input  wire sv_types_kind_t kind,
    output wire is_last,
    output wire signed [6:0] sum
);
    sv_types_lane_in_t to_lane;
    sv_types_lane_out_t from_lane;

    always_comb begin
        to_lane = '0;
        to_lane.row.note = '{valid: 1'b1, kind: kind, level: -5'sd3, side: '{SV_LEFT, SV_RIGHT, SV_LEFT}};
        to_lane.steps[1] = 6'd7;
    end

    sv_types_lane lane (.clk, .rst, .in(to_lane), .out(from_lane));

    assign is_last = from_lane.held.note.kind == SV_LAST;
    assign sum = from_lane.sum;
endmodule
`default_nettype wire
