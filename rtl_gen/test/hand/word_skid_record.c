// SPDX-License-Identifier: Apache-2.0
/*
 * word_skid_record.c - runs word_skid.c on random traffic and records inputs and outputs of every clock. Both ends have rates that change,
 * so that it fills, empties and runs at full speed; a beat that is offered stays until it is taken.
 */
#include "record.h"

#include "word_skid.c"

static void stimulus(unsigned long clock, const struct word_skid *dut, struct word_skid_in *in)
{
    static const unsigned rate[4] = {100, 500, 900, 1024};
    static u1 held; /* the beat of the clock before was not taken */

    if (!held) {
        in->s_axis.tvalid = record_chance(rate[clock / 512 % 4]);
        in->s_axis.tdata = (u16)record_draw();
        in->s_axis.tlast = (u1)record_draw();
    }
    in->m_axis.tready = record_chance(rate[clock / 2048 % 4]);
    held = in->s_axis.tvalid && !dut->out.s_axis.tready;
}

static void record(const struct word_skid_in *in, const struct word_skid_out *out)
{
    record_put(in->s_axis.tdata, 16);
    record_put(in->s_axis.tlast, 1);
    record_put(in->s_axis.tvalid, 1);
    record_put(in->m_axis.tready, 1);
    putchar(' ');
    record_put(out->s_axis.tready, 1);
    record_put(out->m_axis.tdata, 16);
    record_put(out->m_axis.tlast, 1);
    record_put(out->m_axis.tvalid, 1);
    putchar('\n');
}

int main(int argc, char **argv)
{
    static struct word_skid dut;
    struct word_skid_in in = {};
    const unsigned long clocks = record_start(argc, argv);

    word_skid_reset(&dut);
    for (unsigned long clock = 0; clock < clocks; clock++) {
        stimulus(clock, &dut, &in);
        word_skid(&dut, &in);
        record(&in, &dut.out);
    }
    return 0;
}
