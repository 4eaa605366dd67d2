// SPDX-License-Identifier: Apache-2.0
/*
 * rr_arbiter_record.c - runs rr_arbiter.c on random traffic and records inputs and outputs of every clock.
 * Requests are none, one, few, many or all; a request that was granted often stays.
 */
#include "record.h"

#include "rr_arbiter.c"

static struct rr_arbiter_in stimulus(unsigned long clock, const struct rr_arbiter *dut)
{
    u64 request = (u64)record_draw();

    (void)dut;
    for (unsigned long i = 0; i < clock / 64 % 8; i++) {
        request &= (u64)record_draw();
    }
    if (record_chance(50)) {
        request = record_chance(512) ? (u64)0 : ~(u64)0;
    }
    if (record_chance(100)) {
        request = (u64)1 << (u6)record_draw();
    }
    return (struct rr_arbiter_in){.request = request, .enable = record_chance(900)};
}

static void record(const struct rr_arbiter_in *in, const struct rr_arbiter_out *out)
{
    record_put(in->request, 64);
    record_put(in->enable, 1);
    putchar(' ');
    record_put(out->valid, 1);
    record_put(out->grant, 6);
    putchar('\n');
}

int main(int argc, char **argv)
{
    static struct rr_arbiter dut;
    const unsigned long clocks = record_start(argc, argv);

    rr_arbiter_reset(&dut);
    for (unsigned long clock = 0; clock < clocks; clock++) {
        const struct rr_arbiter_in in = stimulus(clock, &dut);
        rr_arbiter(&dut, &in);
        record(&in, &dut.out);
    }
    return 0;
}
