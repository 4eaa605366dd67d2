// SPDX-License-Identifier: Apache-2.0
//
// crc_replay_tb.v - holds crc_replay.v against the recording of crc_replay_record: one line per
// clock, the inputs and then the outputs after the edge. +vectors=FILE names the recording. Stops
// at the first difference. out_flit is compared where out_valid is high.

`timescale 1ns / 1ps
`default_nettype none

module crc_replay_tb;

    reg           clk = 1'b0;
    reg           rst = 1'b1;
    reg  [78:0]   in;
    reg  [51:0]   want;
    wire [51:0]   out;
    reg  [1023:0] name;
    integer       file, got, clock;

    crc_replay dut (
        .clk(clk), .rst(rst),
        .in_valid(in[78]), .in_flit(in[77:30]), .sideband(in[29:9]),
        .ack_valid(in[8]), .ack_nak(in[7]), .ack_seq(in[6:0]),
        .in_ready(out[51]), .out_valid(out[50]), .out_last(out[49]), .ack_bad(out[48]),
        .out_flit(out[47:0])
    );

    wire same = out[51:48] === want[51:48] && (!want[50] || out[47:0] === want[47:0]);

    task clock_edge;
        begin
            #1 clk = 1'b1;
            #1 clk = 1'b0;
        end
    endtask

    initial begin
        if (!$value$plusargs("vectors=%s", name)) begin
            $display("name a recording with +vectors=FILE");
            $finish;
        end
        file = $fopen(name, "r");
        in = 79'd0;
        clock_edge;
        rst = 1'b0;
        clock = 0;
        got = $fscanf(file, "%b %b", in, want);
        while (got == 2) begin
            clock_edge;
            if (!same) begin
                $display("clock %0d: {ready, valid, last, bad}, flit: got %b %h, want %b %h",
                         clock, out[51:48], out[47:0], want[51:48], want[47:0]);
                $finish;
            end
            clock = clock + 1;
            got = $fscanf(file, "%b %b", in, want);
        end
        if (clock > 0)
            $display("PASS %0d clocks", clock);
        else
            $display("the recording is empty");
        $finish;
    end

endmodule

`default_nettype wire
