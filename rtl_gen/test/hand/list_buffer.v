// SPDX-License-Identifier: Apache-2.0
//
// list_buffer.v - eight queues in one buffer of 64 slots, as linked lists, written by hand as the
// yardstick for what rtlgen makes of the same function in C. The contract is in README.md.
//
// The last slot of a queue is always an empty one, which the next push fills: so only a push
// writes `tail` and only a pop writes `head`, and both fit LUT memory. A queue that was never
// used has its own number as its first slot; `pushed` and `popped` say whose memory counts, since
// memories have no reset. The other 56 slots are given out in order once and from then on by the
// free list, which runs through `link` as the queues do. A pop and a push in one clock hand the
// slot over, so that `link` has one write and one read per clock.

`default_nettype none

module list_buffer (
    input  wire        clk,
    input  wire        rst,         // synchronous
    input  wire        push,        // counts with ready
    input  wire [2:0]  push_queue,
    input  wire [47:0] push_data,
    input  wire        pop,         // counts when filled[pop_queue]
    input  wire [2:0]  pop_queue,
    output wire        ready,       // a slot is free
    output reg  [7:0]  filled,      // the queue holds something
    output reg         popped_valid,
    output reg  [47:0] popped_data  // with popped_valid: what the last clock's pop took
);

    reg [5:0] head [0:7];           // of each queue
    reg [5:0] tail [0:7];
    reg [7:0] popped, pushed;       // head, tail was written
    reg [5:0] link [0:63];          // the slot behind this one
    reg [5:0] free_head;
    reg [6:0] fresh;                // slots from here to 63 were never used; 64: all were
    reg [6:0] room;                 // free slots + 63: the top bit says whether there is one

    // A slot is read when it is filled and written when it is not.
    (* no_rw_check *)
    reg [47:0] data [0:63];

    assign ready = room[6];

    wire       puts = push && ready;
    wire       gets = pop && filled[pop_queue];
    wire [5:0] first = popped[pop_queue]  ? head[pop_queue]  : {3'd0, pop_queue};
    wire [5:0] last  = pushed[push_queue] ? tail[push_queue] : {3'd0, push_queue};

    wire [5:0] behind = link[gets ? first : free_head];
    wire [5:0] spare  = gets ? first : fresh[6] ? free_head : fresh[5:0];
    wire       empty  = gets && behind == tail[pop_queue];   // that it was pushed is sure

    always @(posedge clk)
        if (gets)
            head[pop_queue] <= behind;

    always @(posedge clk)
        if (puts)
            tail[push_queue] <= spare;

    always @(posedge clk)
        if (puts || gets)
            link[puts ? last : first] <= puts ? spare : free_head;

    always @(posedge clk)
        if (puts)
            data[last] <= push_data;

    always @(posedge clk)
        if (gets)
            popped_data <= data[first];

    always @(posedge clk)
        if (rst) begin
            popped       <= 8'd0;
            pushed       <= 8'd0;
            filled       <= 8'd0;
            popped_valid <= 1'b0;
        end else begin
            popped       <= popped | {7'd0, gets} << pop_queue;
            pushed       <= pushed | {7'd0, puts} << push_queue;
            filled       <= filled & ~({7'd0, empty} << pop_queue) | {7'd0, puts} << push_queue;
            popped_valid <= gets;
        end

    always @(posedge clk)
        if (rst) begin
            free_head <= 6'd0;
            fresh     <= 7'd8;
            room      <= 7'd119;
        end else begin
            if (gets != puts) begin
                room <= room + {7{puts}} + {6'd0, gets};
                if (gets)
                    free_head <= first;
                else if (fresh[6])
                    free_head <= behind;
            end
            if (puts && !gets && !fresh[6])
                fresh <= fresh + 7'd1;
        end

endmodule

`default_nettype wire
