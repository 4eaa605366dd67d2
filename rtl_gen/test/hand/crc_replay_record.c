// SPDX-License-Identifier: Apache-2.0
/*
 * crc_replay_record.c - runs ../crc_replay.c on random traffic and prints, per clock, its inputs and
 * its outputs as hexadecimal words for crc_replay_tb.v, which holds crc_replay.v against them.
 *
 * The stimulus plays the receiver: it counts the micropackets that come out, acknowledges them after
 * a random time, naks at random, and now and then sends an ack from outside the window. Phases with
 * few acks fill the window.
 *
 * Usage: crc_replay_record clocks seed
 */
#include "../crc_replay.c"

#include <stdio.h>
#include <stdlib.h>

void hls_checked(enum hls_check_kind kind, const char *text, const char *file, int line)
{
    if (kind == HLS_CHECK_COVER)
        return;
    fprintf(stderr, "%s:%d: failed: %s\n", file, line, text);
    exit(1);
}

static unsigned long long state;

/* splitmix64 */
static unsigned long long draw(void)
{
    unsigned long long z = state += 0x9E3779B97F4A7C15;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    return z ^ z >> 31;
}

static bool chance(unsigned in_1024)
{
    return draw() % 1024 < in_1024;
}

static struct crc_replay_in stimulus(unsigned long clock, u7 received)
{
    const unsigned ack_rate = clock / 4096 % 3 == 0 ? 1 : 100;
    struct crc_replay_in in = {
        .in_valid = chance(clock / 16384 % 2 ? 1024 : 700),
        .in_flit = (u48)draw(),
        .sideband = (u21)draw(),
        .ack_valid = chance(ack_rate),
        .ack_nak = chance(200),
        .ack_seq = received - (u7)(draw() % 4),
    };
    if (chance(20))
        in.ack_seq = (u7)draw();
    return in;
}

int main(int argc, char **argv)
{
    static struct crc_replay dut;
    if (argc != 3) {
        fputs("usage: crc_replay_record clocks seed\n", stderr);
        return 1;
    }
    const unsigned long clocks = strtoul(argv[1], nullptr, 10);
    state = strtoull(argv[2], nullptr, 10);
    crc_replay_reset(&dut);
    for (unsigned long clock = 0; clock < clocks; clock++) {
        const struct crc_replay_in in = stimulus(clock, dut.high_seq);
        crc_replay(&dut, &in);
        printf("%x %llx %x %x %x %x  %x %x %x %llx %x\n", (unsigned)in.in_valid,
               (unsigned long long)in.in_flit, (unsigned)in.sideband, (unsigned)in.ack_valid,
               (unsigned)in.ack_nak, (unsigned)in.ack_seq, (unsigned)dut.out.in_ready,
               (unsigned)dut.out.out_valid, (unsigned)dut.out.out_last,
               (unsigned long long)dut.out.out_flit, (unsigned)dut.out.ack_bad);
    }
    return 0;
}
