// SPDX-License-Identifier: Apache-2.0
/*
 * test_tile_valve.c - when the valve of a tile's output has a tick: one tile with a packet that finds no room, and a clock that stands where the
 * test wants it.
 *
 * Built for aries: san.
 */
#include "router/flit/rtr_ecc.h"
#include "router/tile.h"
#include "tb/base/harness.h"

enum { SETTLE = 40 };

static struct tile dut;
static uint64_t clocks;

static void step(struct tile_in *in, uint32_t now)
{
    in->now = now;
    tile(&dut, in);
    clocks++;
}

/* Packets dropped when, behind a packet of one flit that waits, the time is twice a multiple of 2^bit and of no higher power. */
static unsigned drops(unsigned patience, bool processor, unsigned bit)
{
    struct tile_in in = {.processor = processor, .from_link.ready = 1};
    unsigned dropped = 0;

    tile_reset(&dut);
    for (unsigned i = 0; i < SETTLE; i++)
        step(&in, 1);
    in.bus = (struct reg_request){
        .valid = 1, .write = 1, .addr = RTR_REG_OUTPUT, .wdata = (u64)patience << 8};
    step(&in, 1);
    in.bus.valid = 0;
    in.column_in[0] = (struct column_flit){.valid = 1, .tail = 1, .code = rtr_encode(0, 0)};
    step(&in, 1);
    in.column_in[0].valid = 0;
    for (unsigned tick = 0; tick < 2; tick++) {
        for (unsigned i = 0; i < SETTLE; i++, dropped += (unsigned)dut.mux.out.dropped)
            step(&in, 1);
        if (dropped != 0)
            return 2; /* too early */
        step(&in, (uint32_t)(2 * tick + 1) << bit);
    }
    for (unsigned i = 0; i < SETTLE; i++, dropped += (unsigned)dut.mux.out.dropped)
        step(&in, 1);
    return dropped;
}

int main(int argc, char **argv)
{
    test_no_options(argc, argv);
    static const unsigned least[] = {20, 12, 16};
    unsigned right = 0, cases = 0;

    harness_clock = &clocks;
    for (unsigned patience = 0; patience < 4; patience++)
        for (unsigned processor = 0; processor < 2; processor++)
            for (unsigned bit = 8; bit < 24; bit++) {
                const bool due =
                    patience < 3 && bit >= least[patience] && (patience != 0 || processor);

                right += drops(patience, processor, bit) == due;
                cases++;
            }
    /* holds valve.ticks */
    tap_ok(right == cases,
           "%u of %u: a tick every 2^20 clocks at processors, 2^12 or 2^16 as `output` says, else "
           "none",
           right, cases);
    return tap_done();
}
