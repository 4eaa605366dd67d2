// SPDX-License-Identifier: Apache-2.0
//
// lcb_tx_tb.v - holds lcb_tx.v against the recording of lcb_tx_record: one line per clock, bits to
// flip in the replay buffer, the inputs, and all outputs after the edge. +vectors=FILE names the
// recording. Stops at the first difference.

`timescale 1ns / 1ps
`default_nettype none

module lcb_tx_tb;

    reg           clk = 1'b0;
    reg           rst = 1'b1;
    reg  [9:0]    flip_address;
    reg  [54:0]   flip_mask;
    reg  [64:0]   flip;
    reg  [125:0]  in;
    reg  [63:0]   want;
    wire [63:0]   out;
    reg  [1023:0] name;
    integer       file, got, clock;

    lcb_tx dut (
        .clk(clk), .rst(rst),
        .flit_valid(in[125]), .flit_bad(in[124]), .flit(in[123:76]), .advance(in[75]), .run(in[74]), .flush(in[73]),
        .clear(in[72]), .ack_valid(in[71]), .ack(in[70:64]), .nak(in[63]), .expected(in[62:56]),
        .gap(in[55]), .load(in[54:48]), .empty(in[47]), .hush(in[46]), .credit_vc(in[45:43]), .credit_steps(in[42:35]),
        .clock_part(in[34:24]), .hold(in[23:12]), .timeout(in[11:0]),
        .flit_ready(out[63]), .valid(out[62]), .report(out[61]), .report_bad(out[60]),
        .word(out[59:12]), .flushing(out[11]), .credit_sent(out[10]), .clock_sent(out[9]),
        .waits(out[8]), .idle(out[7]), .acked(out[6]), .replayed(out[5]), .nak_taken(out[4]), .timed_out(out[3]),
        .ack_bad(out[2]), .ecc_corrected(out[1]), .ecc_fatal(out[0])
    );

    task clock_edge;
        begin
            #1 clk = 1'b1;
            #1 clk = 1'b0;
        end
    endtask

    task flip_bits;
        begin
            {flip_address, flip_mask} = flip;
            if (flip_mask != 55'd0)
                dut.buffer[flip_address] = dut.buffer[flip_address] ^ flip_mask;
        end
    endtask

    initial begin
        if (!$value$plusargs("vectors=%s", name)) begin
            $display("name a recording with +vectors=FILE");
            $finish;
        end
        file = $fopen(name, "r");
        for (clock = 0; clock < 1024; clock = clock + 1)
            dut.buffer[clock] = 55'd0;
        in = 126'd0;
        clock_edge;
        rst = 1'b0;
        clock = 0;
        got = $fscanf(file, "%b %b %b", flip, in, want);
        while (got == 3) begin
            flip_bits;
            clock_edge;
            if (out !== want) begin
                $display("clock %0d: {ready, valid, report, bad} word {flushing, events}: got %b %h %b, want %b %h %b",
                         clock, out[63:60], out[59:12], out[11:0], want[63:60], want[59:12],
                         want[11:0]);
                $finish;
            end
            clock = clock + 1;
            got = $fscanf(file, "%b %b %b", flip, in, want);
        end
        if (clock > 0)
            $display("PASS %0d clocks", clock);
        else
            $display("the recording is empty");
        $finish;
    end

endmodule

`default_nettype wire
