// SPDX-License-Identifier: Apache-2.0
//
// crc_replay.v - CRC and replay of a link's sender, written by hand as the yardstick for what
// rtlgen makes of ../crc_replay.c. The clock-by-clock contract is in README.md beside this file.
//
// Write side: flits go into the replay memory at {slot, index}; nine make a micropacket.
// Read side: nine reads and one clock for the sideband, without a gap between micropackets. The
// memory's read register is stage 1, the output register stage 2; CRC and tenth flit are made
// between the two.
//
// Sequence numbers have 7 bits for 64 slots, so a full window (64) and an empty one (0) differ.

`default_nettype none

module crc_replay (
    input  wire        clk,
    input  wire        rst,        // synchronous
    input  wire        in_valid,   // a payload flit is offered; taken when in_ready is high
    input  wire [47:0] in_flit,
    input  wire [20:0] sideband,   // sampled when the tenth flit is put out
    input  wire        ack_valid,
    input  wire        ack_nak,    // with ack_valid: send again from ack_seq
    input  wire [6:0]  ack_seq,    // all micropackets before this one are released
    output reg         in_ready,
    output reg         out_valid,
    output reg         out_last,   // the tenth flit: {sequence 7, sideband 21, CRC 20}
    output reg  [47:0] out_flit,
    output reg         ack_bad     // pulse: an ack outside the window was ignored
);

    localparam [3:0] LAST_PAYLOAD = 4'd8;
    localparam [3:0] SIDEBAND     = 4'd9;

    // 20 ones in front of the message: x^480 times this is 0xFFFFF times x^460.
    localparam [19:0] CRC_START = 20'h34DAF;

    // The remainder of {crc, word} divided by x^20 + 0xC4047. The tenth word ends in twenty zeros,
    // which makes the last remainder the CRC of the 460 bits before them. One mask per bit: the
    // division written as a loop of 48 steps takes 80 LUT4 less and runs at 0.6 of the clock.
    function [19:0] crc_step;
        input [67:0] w;
        begin
            crc_step[0]  = ^(w & 68'h8CD0B907D79B00001);
            crc_step[1]  = ^(w & 68'h9571CB0878AD00002);
            crc_step[2]  = ^(w & 68'hA6332F1726C100004);
            crc_step[3]  = ^(w & 68'h4C665E2E4D8200008);
            crc_step[4]  = ^(w & 68'h98CCBC5C9B0400010);
            crc_step[5]  = ^(w & 68'h319978B9360800020);
            crc_step[6]  = ^(w & 68'hEFE24875BB8B00040);
            crc_step[7]  = ^(w & 68'hDFC490EB771600080);
            crc_step[8]  = ^(w & 68'hBF8921D6EE2C00100);
            crc_step[9]  = ^(w & 68'h7F1243ADDC5800200);
            crc_step[10] = ^(w & 68'hFE24875BB8B000400);
            crc_step[11] = ^(w & 68'hFC490EB7716000800);
            crc_step[12] = ^(w & 68'hF8921D6EE2C001000);
            crc_step[13] = ^(w & 68'hF1243ADDC58002000);
            crc_step[14] = ^(w & 68'h6E98CCBC5C9B04000);
            crc_step[15] = ^(w & 68'hDD319978B93608000);
            crc_step[16] = ^(w & 68'hBA6332F1726C10000);
            crc_step[17] = ^(w & 68'h74C665E2E4D820000);
            crc_step[18] = ^(w & 68'h655C72C21E2B40000);
            crc_step[19] = ^(w & 68'h46685C83EBCD80000);
        end
    endfunction

    // ---- write side ---------------------------------------------------------------------------

    reg [6:0] write_seq;    // micropacket being filled
    reg [3:0] write_index;
    reg [6:0] base_seq;     // oldest micropacket not released

    // No address is read and written in one clock: what is being sent is complete, and a slot that
    // is released while it is sent is refilled behind the reader.
    (* no_rw_check *)
    reg [47:0] replay [0:1023];

    wire       take     = in_valid && in_ready;
    wire       complete = take && write_index == LAST_PAYLOAD;
    wire [6:0] write_seq_next = write_seq + {6'd0, complete};

    always @(posedge clk)
        if (take)
            replay[{write_seq[5:0], write_index}] <= in_flit;

    always @(posedge clk)
        if (rst) begin
            write_seq   <= 7'd0;
            write_index <= 4'd0;
            in_ready    <= 1'b0;
        end else begin
            write_seq <= write_seq_next;
            if (take)
                write_index <= complete ? 4'd0 : write_index + 4'd1;
            in_ready <= write_seq_next != {~base_seq[6], base_seq[5:0]};
        end

    // ---- acks ---------------------------------------------------------------------------------

    reg [6:0] read_seq;     // micropacket being sent, or the next one
    reg [6:0] high_seq;     // one past the newest that was ever started
    reg       rewind;       // go back to base_seq at the next micropacket boundary

    wire [6:0] acked   = ack_seq - base_seq;
    wire [6:0] pending = high_seq - base_seq;
    wire       ack_ok  = ack_valid && acked <= pending;

    always @(posedge clk)
        if (rst) begin
            base_seq <= 7'd0;
            ack_bad  <= 1'b0;
        end else begin
            if (ack_ok)
                base_seq <= ack_seq;
            ack_bad <= ack_valid && !ack_ok;
        end

    // ---- read side ----------------------------------------------------------------------------

    reg       busy;
    reg [3:0] read_index;

    wire       boundary = !busy || read_index == SIDEBAND;
    wire [6:0] after    = busy ? read_seq + 7'd1 : read_seq;
    wire [6:0] distance = after - base_seq;
    wire       behind   = distance[6] && distance[5:0] != 6'd0;   // released while it was sent
    wire [6:0] next_seq = rewind || behind ? base_seq : after;
    wire       start    = boundary && next_seq != write_seq;

    always @(posedge clk)
        if (rst) begin
            busy       <= 1'b0;
            read_index <= 4'd0;
            read_seq   <= 7'd0;
            high_seq   <= 7'd0;
            rewind     <= 1'b0;
        end else begin
            rewind <= (ack_ok && ack_nak) || (rewind && !boundary);
            if (boundary) begin
                busy       <= start;
                read_index <= 4'd0;
                read_seq   <= next_seq;
                if (start && next_seq == high_seq)
                    high_seq <= high_seq + 7'd1;
            end else
                read_index <= read_index + 4'd1;
        end

    // ---- stage 1: the memory's register -------------------------------------------------------

    reg [47:0] read_flit;
    reg        read_valid, read_last;
    reg [6:0]  read_sent;

    always @(posedge clk)
        if (busy)
            read_flit <= replay[{read_seq[5:0], read_index}];

    always @(posedge clk)
        if (rst) begin
            read_valid <= 1'b0;
            read_last  <= 1'b0;
            read_sent  <= 7'd0;
        end else begin
            read_valid <= busy;
            read_last  <= read_index == SIDEBAND;
            read_sent  <= read_seq;
        end

    // ---- stage 2: CRC and output --------------------------------------------------------------

    reg [19:0] crc;

    wire [47:0] word     = read_last ? {read_sent, sideband, 20'd0} : read_flit;
    wire [19:0] crc_next = crc_step({crc, word});

    always @(posedge clk)
        if (rst || !read_valid || read_last)
            crc <= CRC_START;
        else
            crc <= crc_next;

    always @(posedge clk)
        if (rst) begin
            out_valid <= 1'b0;
            out_last  <= 1'b0;
            out_flit  <= 48'd0;
        end else begin
            out_valid <= read_valid;
            out_last  <= read_valid && read_last;
            out_flit  <= {word[47:20], read_last ? crc_next : word[19:0]};
        end

endmodule

`default_nettype wire
