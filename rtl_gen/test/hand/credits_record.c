// SPDX-License-Identifier: Apache-2.0
/*
 * credits_record.c - runs credits.c on random traffic and records inputs and outputs of every clock.
 * It knows how many credits are out and gives back no more than these; phases of few and of many.
 */
#include "record.h"

#include "credits.c"

static struct credits_in stimulus(unsigned long clock, const struct credits *dut)
{
    const unsigned rate = clock / 1024 % 2 ? 40 : 300;
    struct credits_in in = {
        .spend = record_chance(900),
        .spend_vc = (u3)(record_draw() >> (clock / 2048 % 4)),
    };

    if (clock / 512 % 8 == 0) {
        in.spend_vc = 5;
    }
    for (int i = 0; i < 8; i++) {
        u8 count = (u8)(u1)(dut->out.ready >> i) << 7 | dut->low[i];
        u1 more = count < 255 && record_chance(rate);

        in.back |= (u8)more << i;
    }
    return in;
}

static void record(const struct credits_in *in, const struct credits_out *out)
{
    record_put(in->spend, 1);
    record_put(in->spend_vc, 3);
    record_put(in->back, 8);
    putchar(' ');
    record_put(out->ready, 8);
    record_put(out->refused, 1);
    putchar('\n');
}

int main(int argc, char **argv)
{
    static struct credits dut;
    const unsigned long clocks = record_start(argc, argv);

    credits_reset(&dut);
    for (unsigned long clock = 0; clock < clocks; clock++) {
        const struct credits_in in = stimulus(clock, &dut);
        credits(&dut, &in);
        record(&in, &dut.out);
    }
    return 0;
}
