// SPDX-License-Identifier: Apache-2.0
/*
 * fifo_record.c - runs fifo.c on random traffic and records inputs and outputs of every clock.
 * Both sides have rates that change, so that it fills, empties and runs at full speed.
 */
#include "record.h"

#include "fifo.c"

static struct fifo_in stimulus(unsigned long clock, const struct fifo *dut)
{
    static const unsigned rate[4] = {100, 500, 900, 1024};

    (void)dut;
    return (struct fifo_in){
        .in_valid = record_chance(rate[clock / 512 % 4]),
        .in_data = (u48)record_draw(),
        .out_taken = record_chance(rate[clock / 2048 % 4]),
    };
}

static void record(const struct fifo_in *in, const struct fifo_out *out)
{
    record_put(in->in_valid, 1);
    record_put(in->in_data, 48);
    record_put(in->out_taken, 1);
    putchar(' ');
    record_put(out->in_ready, 1);
    record_put(out->out_valid, 1);
    record_put(out->out_data, 48);
    putchar('\n');
}

int main(int argc, char **argv)
{
    static struct fifo dut;
    const unsigned long clocks = record_start(argc, argv);

    fifo_reset(&dut);
    for (unsigned long clock = 0; clock < clocks; clock++) {
        const struct fifo_in in = stimulus(clock, &dut);
        fifo(&dut, &in);
        record(&in, &dut.out);
    }
    return 0;
}
