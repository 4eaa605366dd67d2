// SPDX-License-Identifier: Apache-2.0
//
// crc_replay_tb.v - holds crc_replay.v against the clocks recorded by crc_replay_record, one line
// per clock: six inputs, then the five outputs after the edge. +vectors=FILE names the recording.
// Stops at the first difference. out_flit is compared where out_valid is high.

`timescale 1ns / 1ps
`default_nettype none

module crc_replay_tb;

    reg         clk = 1'b0;
    reg         rst = 1'b1;
    reg         in_valid, ack_valid, ack_nak;
    reg  [47:0] in_flit;
    reg  [20:0] sideband;
    reg  [6:0]  ack_seq;
    wire        in_ready, out_valid, out_last, ack_bad;
    wire [47:0] out_flit;

    reg         want_ready, want_valid, want_last, want_bad;
    reg  [47:0] want_flit;
    reg  [1023:0] name;
    integer     file, got, clock;

    crc_replay dut (
        .clk(clk), .rst(rst), .in_valid(in_valid), .in_flit(in_flit), .sideband(sideband),
        .ack_valid(ack_valid), .ack_nak(ack_nak), .ack_seq(ack_seq), .in_ready(in_ready),
        .out_valid(out_valid), .out_last(out_last), .out_flit(out_flit), .ack_bad(ack_bad)
    );

    wire same = in_ready === want_ready && out_valid === want_valid && out_last === want_last
             && ack_bad === want_bad && (!want_valid || out_flit === want_flit);

    task edge_of_clock;
        begin
            #1 clk = 1'b1;
            #1 clk = 1'b0;
        end
    endtask

    initial begin
        if (!$value$plusargs("vectors=%s", name)) begin
            $display("not ok 1 - crc_replay # name a recording with +vectors=FILE");
            $finish;
        end
        file = $fopen(name, "r");
        {in_valid, ack_valid, ack_nak, in_flit, sideband, ack_seq} = 79'd0;
        edge_of_clock;
        rst = 1'b0;
        got = 11;
        clock = 0;
        while (got == 11) begin
            got = $fscanf(file, "%h %h %h %h %h %h %h %h %h %h %h", in_valid, in_flit, sideband,
                          ack_valid, ack_nak, ack_seq, want_ready, want_valid, want_last,
                          want_flit, want_bad);
            if (got == 11) begin
                edge_of_clock;
                if (!same) begin
                    $display("not ok 1 - crc_replay # clock %0d: ready %b/%b valid %b/%b last %b/%b flit %h/%h bad %b/%b (got/want)",
                             clock, in_ready, want_ready, out_valid, want_valid, out_last,
                             want_last, out_flit, want_flit, ack_bad, want_bad);
                    $finish;
                end
                clock = clock + 1;
            end
        end
        if (clock > 0)
            $display("ok 1 - crc_replay by hand agrees with its C for %0d clocks", clock);
        else
            $display("not ok 1 - crc_replay # the recording is empty");
        $finish;
    end

endmodule

`default_nettype wire
