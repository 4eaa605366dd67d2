// SPDX-License-Identifier: Apache-2.0
//
// credits.v - credit counters of eight virtual channels, written by hand as the yardstick for what
// rtlgen makes of the same function in C. The contract is in README.md.
//
// A counter holds credits + 127 in eight bits, so its top bit says whether there are any: that bit
// is the port `ready`, and no comparison stands behind it.

`default_nettype none

module credits (
    input  wire       clk,
    input  wire       rst,       // synchronous: 64 credits each
    input  wire       spend,     // one credit of channel spend_vc; counts when that one is ready
    input  wire [2:0] spend_vc,
    input  wire [7:0] back,      // one credit comes back, per channel
    output wire [7:0] ready,     // the channel has credits
    output reg        refused    // last clock's spend came to a channel without credits
);

    wire [7:0] spends = {7'd0, spend} << spend_vc & ready;

    genvar i;
    generate
        for (i = 0; i < 8; i = i + 1) begin : vc
            reg [7:0] count;
            always @(posedge clk)
                if (rst)
                    count <= 8'd191;
                else if (spends[i] != back[i])
                    count <= count + {8{spends[i]}} + {7'd0, back[i]};
            assign ready[i] = count[7];
        end
    endgenerate

    always @(posedge clk)
        if (rst)
            refused <= 1'b0;
        else
            refused <= spend && spends == 8'd0;

endmodule

`default_nettype wire
