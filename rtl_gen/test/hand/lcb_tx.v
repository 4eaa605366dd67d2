// SPDX-License-Identifier: Apache-2.0
//
// lcb_tx.v - the sending half of the link control block, written by hand as the yardstick for what
// rtlgen makes of hls/link/micropacket/lcb_tx.c. Ports and clock-by-clock behaviour: hls/link/README.md,
// "lcb_tx, clock by clock"; sizes: hls/config/aries.h.
//
// A slot lasts until the next clock with `go` high; ten slots are a micropacket, the last one its
// tail. New flits pass from the port to the output register and into the replay buffer; a replay
// comes out of the buffer through three registers (read, stored, fixed), so its reads run three slots ahead.
// `flushing` is also the state "words go to the report port".

`default_nettype none

module lcb_tx (
    input  wire        clk,
    input  wire        rst,            // synchronous
    input  wire        flit_valid,
    input  wire        flit_bad,       // marked: the last one of its micropacket
    input  wire [47:0] flit,
    input  wire        advance,        // emit a word in the next clock
    input  wire        run,            // data mode
    input  wire        flush,          // the link is dead: report
    input  wire        clear,          // a new epoch begins
    input  wire        ack_valid,
    input  wire [6:0]  ack,
    input  wire        nak,
    input  wire [6:0]  expected,       // what the tail carries
    input  wire        gap,
    input  wire [6:0]  load,
    input  wire        empty,          // idle tails say that nothing of the peer's is held
    input  wire        hush,           // the next new micropacket is idle
    input  wire [2:0]  credit_vc,
    input  wire [7:0]  credit_steps,
    input  wire [10:0] clock_part,
    input  wire [11:0] hold,           // slots until the same nak counts again
    input  wire [11:0] timeout,        // slots without progress before a replay
    output reg         flit_ready,
    output reg         valid,
    output reg         report,
    output reg         report_bad,
    output reg  [47:0] word,
    output reg         flushing,
    output reg         credit_sent,
    output reg         clock_sent,
    output reg         waits,
    output reg         idle,
    output reg         acked,
    output reg         replayed,
    output reg         nak_taken,
    output reg         timed_out,
    output reg         ack_bad,
    output reg         ecc_corrected,
    output reg         ecc_fatal
);

    localparam [3:0] TAIL  = 4'd9;
    localparam [3:0] FETCH = 4'd6;      // the slot that decides what is sent next

    localparam [1:0] SIDE_ACK    = 2'd0;
    localparam [1:0] SIDE_CREDIT = 2'd1;
    localparam [1:0] SIDE_CLOCK  = 2'd2;
    localparam [1:0] SIDE_BAD    = 2'd3; // an ack, and the last flit is marked

    // 20 ones in front of the message: x^480 times this is 0xFFFFF times x^460.
    localparam [19:0] CRC_START = 20'h34DAF;

    // The remainder of {crc, word} divided by x^20 + 0xC4047, one mask per bit. The tail ends in
    // twenty zeros here, which makes the last remainder the CRC of the 460 bits before them.
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

    // Check bits: six of the Hamming code, then the parity over flit and these six.
    function [6:0] secded;
        input [47:0] data;
        begin
            secded[0] = ^(data & 48'h555556AAAD5B);
            secded[1] = ^(data & 48'h99999B33366D);
            secded[2] = ^(data & 48'hE1E1E3C3C78E);
            secded[3] = ^(data & 48'h01FE03FC07F0);
            secded[4] = ^(data & 48'hFE0003FFF800);
            secded[5] = ^(data & 48'hFFFFFC000000);
            secded[6] = ^(data & 48'hD2D32DA65CB7);
        end
    endfunction

    // ---- registers ----------------------------------------------------------------------------

    reg [6:0]  base, resend, next;      // base <= resend <= next
    reg [6:0]  went_back_to;
    reg [11:0] holding, timer;

    reg        heard, heard_nak;        // what the peer said a clock ago
    reg [6:0]  heard_ack, heard_step, heard_span;

    reg        go, closed;
    reg [3:0]  slot;
    reg [4:0]  turn;
    reg        reported;                // gap of the last tail, or a mark

    reg        replay, open, poison;    // of the micropacket being sent
    reg        bad;                     // its last flit is marked
    reg [3:0]  count;
    reg [6:0]  seq;
    reg [19:0] crc;
    reg [3:0]  left;                    // flits of the packet still to be taken

    reg        replay_next;
    reg [6:0]  fetch;
    reg [54:0] read, stored;
    reg [47:0] fixed;
    reg        fixed_corrected, fixed_fatal;

    // ---- acknowledgement and timeout ----------------------------------------------------------

    // What came is acted on in the clock after; distances from base are those behind that clock.
    wire       ack_good     = heard && heard_step <= heard_span;
    wire [6:0] resend_ahead = resend - base;
    wire       progress     = ack_good && heard_step != 7'd0;
    wire       overtaken    = ack_good && resend_ahead < heard_step;
    wire       nak_acts     = ack_good && heard_nak && resend_ahead > heard_step
                           && (holding <= 12'd1 || heard_ack != went_back_to);
    wire       moved        = progress || nak_acts;
    wire       expired      = run && !moved && base != next && timer == timeout;
    wire       back         = nak_acts || expired;

    wire [6:0] base_now     = ack_good ? heard_ack : base;
    wire       waits_now    = ack_good ? heard_ack != next : base != next;

    // ---- what this clock does -----------------------------------------------------------------

    wire tail        = slot == TAIL;
    wire tail_now    = go && tail;
    wire payload_now = go && !tail;
    wire take        = flit_valid && flit_ready;
    wire again       = payload_now && replay && slot < count;
    wire last        = slot + 4'd1 == count;
    wire close       = !go && !run && !closed;
    wire numbered    = !replay && count != 4'd0 && (tail_now && !flushing || close);
    wire decide      = go && slot == FETCH;
    wire pending     = resend != next;
    wire sends       = pending ? decide : numbered;

    wire [6:0] next_now = next + {6'd0, numbered};
    wire [3:0] slot_now = close || tail_now ? 4'd0 : slot + {3'd0, go};
    wire [3:0] packet   = left != 4'd0 ? left : flit[44:41];
    wire [3:0] left_now = take ? packet - 4'd1 : left;

    wire open_now  = tail_now ? !replay_next && !bad && !hush
                                && (flushing || next_now != {~base[6], base[5:0]})
                              : open && !close && (take && !flit_bad || !payload_now);
    wire flush_end = tail_now && !flush && !replay_next && !pending && left == 4'd0;
    wire flush_now = flush && !run && (closed || close) || flushing && !flush_end;
    wire go_now    = flush_now || run && advance;

    // ---- window -------------------------------------------------------------------------------

    always @(posedge clk)
        if (rst || clear) begin
            base         <= 7'd0;
            resend       <= 7'd0;
            next         <= 7'd0;
            went_back_to <= 7'd0;
            holding      <= 12'd0;
            timer        <= 12'd0;
        end else begin
            base   <= base_now;
            resend <= close || back || overtaken ? base_now : resend + {6'd0, sends};
            next   <= next_now;
            if (back)
                went_back_to <= base_now;
            holding <= back ? hold : holding - {11'd0, go && holding != 12'd0};
            timer   <= {11'd0, go} + (progress || back || !waits_now ? 12'd0 : timer);
        end

    always @(posedge clk)
        if (rst)
            heard <= 1'b0;
        else
            heard <= run && ack_valid;

    always @(posedge clk) begin
        heard_nak  <= nak;
        heard_ack  <= ack;
        heard_step <= ack_good ? ack - heard_ack : ack - base;
        heard_span <= ack_good ? next - heard_ack : next - base;
    end

    always @(posedge clk)
        if (rst) begin
            waits     <= 1'b0;
            acked     <= 1'b0;
            nak_taken <= 1'b0;
            timed_out <= 1'b0;
            ack_bad   <= 1'b0;
        end else begin
            waits     <= waits_now;
            acked     <= progress;
            nak_taken <= nak_acts;
            timed_out <= expired;
            ack_bad   <= heard && !ack_good;
        end

    // ---- schedule -----------------------------------------------------------------------------

    always @(posedge clk)
        if (rst) begin
            go         <= 1'b0;
            closed     <= 1'b1;
            slot       <= 4'd0;
            flushing   <= 1'b0;
            flit_ready <= 1'b0;
            open       <= 1'b0;
            left       <= 4'd0;
        end else begin
            go         <= go_now;
            closed     <= !run && (closed || close);
            slot       <= slot_now;
            flushing   <= flush_now;
            flit_ready <= go_now && open_now && slot_now != TAIL
                       && (!flush_now || flush || left_now != 4'd0);
            open       <= open_now;
            left       <= left_now;
        end

    // ---- the micropacket being sent -----------------------------------------------------------

    always @(posedge clk)
        if (rst) begin
            replay <= 1'b0;
            count  <= 4'd0;
            poison <= 1'b0;
            bad    <= 1'b0;
        end else if (tail_now) begin
            replay <= replay_next;
            count  <= replay_next ? fixed[3:0] : 4'd0;
            poison <= replay_next && fixed_fatal;
            bad    <= replay_next && fixed[4];
        end else if (close) begin
            replay <= 1'b0;
            count  <= 4'd0;
            poison <= 1'b0;
            bad    <= 1'b0;
        end else begin
            if (take) begin
                count <= count + 4'd1;
                bad   <= flit_bad;
            end
            if (again && fixed_fatal)
                poison <= 1'b1;
        end

    always @(posedge clk)
        if (rst || clear)
            seq <= 7'd0;
        else if (tail_now || close)
            seq <= tail_now && replay_next ? fetch : next_now;

    // A mark, or a gap that the last tail did not tell, makes this tail an ack; what it displaces is
    // sent next: behind a mark the micropacket is idle.
    wire other = turn[0] && (reported || !gap) && !bad;

    always @(posedge clk)
        if (rst || clear)
            turn <= 5'd0;
        else if (tail_now && !flushing)
            turn <= {turn[4:1] + {3'd0, other}, !other};

    always @(posedge clk)
        if (rst || clear)
            reported <= 1'b0;
        else if (tail_now && !flushing)
            reported <= gap || bad;

    // ---- replay buffer ------------------------------------------------------------------------

    // Never read and written at one address: the read index is two slots ahead of the write's.
    (* no_rw_check *)
    reg [54:0] buffer [0:1023];

    wire        write       = take && !flushing || numbered;
    wire [47:0] write_flit  = take ? flit : {43'd0, bad, count};
    wire [3:0]  write_index = close ? TAIL : slot;
    wire [5:0]  from        = slot == FETCH ? resend[5:0] : fetch[5:0];
    wire [3:0]  read_index  = slot >= 4'd7 ? slot - 4'd7 : slot + 4'd3;

    always @(posedge clk)
        if (write)
            buffer[{next[5:0], write_index}] <= {secded(write_flit), write_flit};

    always @(posedge clk)
        if (go)
            read <= buffer[{from, read_index}];

    wire [6:0] check = secded(stored[47:0]) ^ stored[54:48];
    wire       odd   = check[6] ^ (^check[5:0]);

    // What to flip. Check bits have the powers of two as their columns, data bits the rest from 3.
    wire [6:0]  high = {6'd0, odd} << check[5:3];
    wire [7:0]  low  = 8'd1 << check[2:0];
    wire [47:0] flip = {low[6:0] & {7{high[6]}}, low & {8{high[5]}}, low[7:1] & {7{high[4]}},
                        low & {8{high[3]}}, low[7:1] & {7{high[2]}}, low[7:1] & {7{high[1]}},
                        {low[7:5], low[3]} & {4{high[0]}}};

    always @(posedge clk)
        if (go) begin
            stored          <= read;
            fixed           <= stored[47:0] ^ flip;
            fixed_corrected <= odd;
            fixed_fatal     <= !odd && check[5:0] != 6'd0;
        end

    always @(posedge clk)
        if (rst) begin
            replay_next <= 1'b0;
            fetch       <= 7'd0;
        end else if (decide && pending) begin
            replay_next <= 1'b1;
            fetch       <= resend;
        end else if (tail_now || close)
            replay_next <= 1'b0;

    // ---- words --------------------------------------------------------------------------------

    wire [1:0]  side_type = bad ? SIDE_BAD : !other ? SIDE_ACK : turn == 5'd31 ? SIDE_CLOCK : SIDE_CREDIT;
    wire [10:0] body      = !other ? {expected, gap, load[2:0]}
                          : turn == 5'd31 ? clock_part : {credit_vc, credit_steps};
    wire [27:0] side      = {seq, side_type, count | {4{empty && count == 4'd0}}, load[6:3], body};
    wire [47:0] data      = tail  ? {side, 20'd0}
                          : take  ? flit
                          : again ? fixed : 48'd0;
    wire [19:0] crc_now   = crc_step({crc, data});

    always @(posedge clk)
        if (rst || close || tail_now)
            crc <= CRC_START;
        else if (go)
            crc <= crc_now;

    always @(posedge clk)
        if (rst)
            word <= 48'd0;
        else if (go)
            word <= {data[47:20], data[19:0] | (tail ? crc_now ^ {19'd0, poison} : 20'd0)};

    always @(posedge clk)
        if (rst) begin
            valid         <= 1'b0;
            report        <= 1'b0;
            report_bad    <= 1'b0;
            credit_sent   <= 1'b0;
            clock_sent    <= 1'b0;
            replayed      <= 1'b0;
            idle          <= 1'b0;
            ecc_corrected <= 1'b0;
            ecc_fatal     <= 1'b0;
        end else begin
            valid         <= go && !flushing;
            report        <= flushing && (take || again);
            report_bad    <= flushing && (again ? fixed_fatal || poison || bad && last : take && flit_bad);
            credit_sent   <= tail_now && !flushing && side_type == SIDE_CREDIT;
            clock_sent    <= tail_now && !flushing && side_type == SIDE_CLOCK;
            replayed      <= tail_now && !flushing && replay;
            idle          <= tail_now && !flushing && count == 4'd0;
            ecc_corrected <= (again || tail_now && replay_next) && fixed_corrected;
            ecc_fatal     <= (again || tail_now && replay_next) && fixed_fatal && !flushing;
        end

endmodule

`default_nettype wire
