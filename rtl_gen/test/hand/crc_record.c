// SPDX-License-Identifier: Apache-2.0
/*
 * crc_record.c - runs crc.c on random traffic and records inputs and outputs of every clock.
 * Now and then a word is the one that brings the remainder to zero.
 */
#include "record.h"

#include "crc.c"

static struct crc_in stimulus(unsigned long clock, const struct crc *dut)
{
    struct crc_in in = {
        .valid = record_chance(900),
        .first = record_chance(100),
        .word = (u48)record_draw(),
    };

    (void)clock;
    if (record_chance(100)) { /* remainder and word cancel, so that nothing is left */
        in.word = (u48)(in.first ? (u20)0xfffff : dut->out.remainder) << 28;
    }
    return in;
}

static void record(const struct crc_in *in, const struct crc_out *out)
{
    record_put(in->valid, 1);
    record_put(in->first, 1);
    record_put(in->word, 48);
    putchar(' ');
    record_put(out->remainder, 20);
    record_put(out->match, 1);
    putchar('\n');
}

int main(int argc, char **argv)
{
    static struct crc dut;
    const unsigned long clocks = record_start(argc, argv);

    crc_reset(&dut);
    for (unsigned long clock = 0; clock < clocks; clock++) {
        const struct crc_in in = stimulus(clock, &dut);
        crc(&dut, &in);
        record(&in, &dut.out);
    }
    return 0;
}
