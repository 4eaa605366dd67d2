// SPDX-License-Identifier: Apache-2.0
/*
 * popcount_lzc_record.c - runs popcount_lzc.c on random traffic and records inputs and outputs of every clock.
 * Words have few, half or many ones, and any number of zeros above.
 */
#include "record.h"

#include "popcount_lzc.c"

static struct popcount_lzc_in stimulus(unsigned long clock, const struct popcount_lzc *dut)
{
    u64 x = (u64)record_draw();

    (void)dut;
    if (clock % 3 == 1) {
        x &= (u64)record_draw();
    }
    if (clock % 3 == 2) {
        x |= (u64)record_draw();
    }
    if (record_chance(700)) {
        x >>= (u6)record_draw();
    }
    return (struct popcount_lzc_in){.x = record_chance(10) ? (u64)0 : x};
}

static void record(const struct popcount_lzc_in *in, const struct popcount_lzc_out *out)
{
    record_put(in->x, 64);
    putchar(' ');
    record_put(out->ones, 7);
    record_put(out->zeros, 7);
    putchar('\n');
}

int main(int argc, char **argv)
{
    static struct popcount_lzc dut;
    const unsigned long clocks = record_start(argc, argv);

    popcount_lzc_reset(&dut);
    for (unsigned long clock = 0; clock < clocks; clock++) {
        const struct popcount_lzc_in in = stimulus(clock, &dut);
        popcount_lzc(&dut, &in);
        record(&in, &dut.out);
    }
    return 0;
}
