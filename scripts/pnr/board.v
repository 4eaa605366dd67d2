// SPDX-License-Identifier: Apache-2.0
//
// board.v - a top at the pins of a board: its clock from the PLL, its reset, the rates of its serial line and second.
//
// TOP is the name of the top. pll is what ecppll writes; it is not simulated, nor is anything else in here.
module board #(
    parameter BIT = 1,    // clocks of a bit of the serial line, less 1
    parameter SECOND = 1, // clocks of a second, less 1
    parameter LED_LOW = 0,
    parameter BUTTON_LOW = 0
) (
    input  wire       clk,
    input  wire       restart,
    input  wire       rx,
    output wire       tx,
    output wire [7:0] led
);
    wire clock, locked;
    wire [7:0] led_high;
    reg [1:0] pressed;
    reg [15:0] settled = 16'd0; // of clocks without a reason to reset, ones from the low end on

    pll pll (
        .clkin(clk),
        .clkout0(clock),
        .locked(locked)
    );

    always @(posedge clock) begin
        pressed <= {pressed[0], (restart ^ BUTTON_LOW[0]) || !locked};
        settled <= pressed[1] ? 16'd0 : {settled[14:0], 1'b1};
    end

    `TOP top (
        .clk(clock),
        .rst(!settled[15]),
        .bit_clocks(BIT[15:0]),
        .second(SECOND[27:0]),
        .rx(rx),
        .tx(tx),
        .led(led_high)
    );
    assign led = led_high ^ {8{LED_LOW[0]}};
endmodule
