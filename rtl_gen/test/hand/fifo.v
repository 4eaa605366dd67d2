// SPDX-License-Identifier: Apache-2.0
//
// fifo.v - a queue of 32 words of 48 bits with valid and ready on both sides, written by hand as the
// yardstick for what rtlgen makes of the same function in C. The contract is in README.md.
//
// The words stand in LUT memory behind an output register, which holds the head; a word takes two
// clocks from one end to the other. Full and empty are flip-flops of their own, set and cleared by
// what moves: no pointer is wider than its address.

`default_nettype none

module fifo (
    input  wire        clk,
    input  wire        rst,        // synchronous
    input  wire        in_valid,
    input  wire [47:0] in_data,
    input  wire        out_taken,  // out_data is taken, counts with out_valid
    output reg         in_ready,   // the memory has room
    output reg         out_valid,
    output reg  [47:0] out_data
);

    reg [47:0] store [0:31];
    reg [4:0]  write_at, read_at;
    reg        some;               // the memory holds a word

    wire       push      = in_valid && in_ready;
    wire       pop       = some && (!out_valid || out_taken);
    wire [4:0] write_now = write_at + {4'd0, push};
    wire [4:0] read_now  = read_at + {4'd0, pop};
    wire       meet      = write_now == read_now;   // then it is full or empty

    always @(posedge clk)
        if (push)
            store[write_at] <= in_data;

    always @(posedge clk)
        if (rst) begin
            write_at  <= 5'd0;
            read_at   <= 5'd0;
            some      <= 1'b0;
            in_ready  <= 1'b1;
            out_valid <= 1'b0;
        end else begin
            write_at  <= write_now;
            read_at   <= read_now;
            some      <= !meet || push || some && !pop;
            in_ready  <= !meet || pop || in_ready && !push;
            out_valid <= pop || out_valid && !out_taken;
        end

    always @(posedge clk)
        if (rst)
            out_data <= 48'd0;
        else if (pop)
            out_data <= store[read_at];

endmodule

`default_nettype wire
