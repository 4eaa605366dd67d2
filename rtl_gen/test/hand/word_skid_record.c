// SPDX-License-Identifier: Apache-2.0
/*
 * word_skid_record.c - runs word_skid.c on random traffic and records inputs and outputs of every clock.
 */
#include "word_skid.c"

#include "record_stream.h"

int main(int argc, char **argv)
{
    static struct word_skid dut;
    struct word_skid_in in = {};
    const unsigned long clocks = record_start(argc, argv);

    word_skid_reset(&dut);
    for (unsigned long clock = 0; clock < clocks; clock++) {
        stream_stimulus(clock, dut.out.s_axis.tready, &in.s_axis, &in.m_axis);
        word_skid(&dut, &in);
        stream_record(&in.s_axis, &in.m_axis, &dut.out.s_axis, &dut.out.m_axis);
        putchar('\n');
    }
    return 0;
}
