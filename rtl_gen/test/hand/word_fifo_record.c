// SPDX-License-Identifier: Apache-2.0
/*
 * word_fifo_record.c - runs word_fifo.c on random traffic and records inputs and outputs of every clock.
 */
#include "word_fifo.c"

#include "record_stream.h"

int main(int argc, char **argv)
{
    static struct word_fifo dut;
    struct word_fifo_in in = {};
    const unsigned long clocks = record_start(argc, argv);

    word_fifo_reset(&dut);
    for (unsigned long clock = 0; clock < clocks; clock++) {
        stream_stimulus(clock, dut.out.s_axis.tready, &in.s_axis, &in.m_axis);
        word_fifo(&dut, &in);
        stream_record(&in.s_axis, &in.m_axis, &dut.out.s_axis, &dut.out.m_axis);
        record_put(dut.out.highest, 5);
        putchar('\n');
    }
    return 0;
}
