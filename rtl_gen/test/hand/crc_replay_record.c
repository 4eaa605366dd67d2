// SPDX-License-Identifier: Apache-2.0
/*
 * crc_replay_record.c - runs ../crc_replay.c on random traffic and records inputs and outputs of
 * every clock for crc_replay_tb.v, which holds crc_replay.v against them.
 *
 * The stimulus plays the receiver: it acknowledges micropackets after a random time, naks at
 * random, and now and then sends an ack from outside the window. Phases with few acks fill it.
 */
#include "record.h"

#include "../designs/crc_replay.c"

static struct crc_replay_in stimulus(unsigned long clock, u7 sent)
{
    const unsigned ack_rate = clock / 4096 % 3 == 0 ? 1 : 100;
    struct crc_replay_in in = {
        .in_valid = record_chance(clock / 16384 % 2 ? 1024 : 700),
        .in_flit = (u48)record_draw(),
        .sideband = (u21)record_draw(),
        .ack_valid = record_chance(ack_rate),
        .ack_nak = record_chance(200),
        .ack_seq = sent - (u7)(record_draw() % 4),
    };
    if (record_chance(20))
        in.ack_seq = (u7)record_draw();
    return in;
}

static void record(const struct crc_replay_in *in, const struct crc_replay_out *out)
{
    record_put(in->in_valid, 1);
    record_put(in->in_flit, 48);
    record_put(in->sideband, 21);
    record_put(in->ack_valid, 1);
    record_put(in->ack_nak, 1);
    record_put(in->ack_seq, 7);
    putchar(' ');
    record_put(out->in_ready, 1);
    record_put(out->out_valid, 1);
    record_put(out->out_last, 1);
    record_put(out->ack_bad, 1);
    record_put(out->out_flit, 48);
    putchar('\n');
}

int main(int argc, char **argv)
{
    static struct crc_replay dut;
    const unsigned long clocks = record_start(argc, argv);
    crc_replay_reset(&dut);
    for (unsigned long clock = 0; clock < clocks; clock++) {
        const struct crc_replay_in in = stimulus(clock, dut.high_seq);
        crc_replay(&dut, &in);
        record(&in, &dut.out);
    }
    return 0;
}
