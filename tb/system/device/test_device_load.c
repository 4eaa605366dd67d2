// SPDX-License-Identifier: Apache-2.0
/*
 * test_device_load.c - how old a load is where routes are chosen by it: from the input queue behind a link to all tiles of the
 * router at the other end of its cable.
 *
 * Between two devices without traffic a queue's count of flits is set to anything, in any clock. Every tail tells the upper part
 * of it, which is the part that counts, so all tiles choose by it after the wait for a tail, the way of one, and a turn of the
 * router's bus.
 *
 * Built for aries, proto: fast.
 */
#include "tb/system/device/device_bench.h"

enum {
    UP = 20000,
    ROUNDS = 300,
    LONG = 80,     /* clocks after which all has come */
    FLITS = 508,   /* in the queue; more do not show */
    SHARE = 32,    /* flits that count as one */
    TAIL = 10,     /* clocks from one to the next */
    LCB = 5,       /* from one that is being made to what the peer knows, on a cable of 1 */
    REGISTERS = 2, /* of the two ports */
    BUS = RTR_COLS + 2,
};

static struct device_bench b;
static struct rng r;

/* What a tile's route knows of a port, of requests or of responses. */
static unsigned known(unsigned end, unsigned tile, unsigned port, unsigned class)
{
    const struct tile *t = &b.end[end].device->router.tile[tile];
    const unsigned row = port / RTR_COLS, col = port % RTR_COLS;

    return (unsigned)(t->queue.route.columns[col] >>
                      (class ? ROUTE_RESPONSES_AT(row) : ROUTE_REQUESTS_AT(row))) &
           ((1 << RTR_TOLD_BITS) - 1);
}

/* All tiles know of this load. */
static bool all_know(unsigned end, unsigned port, unsigned load)
{
    bool all = true;

    for (unsigned i = 0; i < 2 * RTR_PORTS; i++)
        all = all && known(end, i / 2, port, i % 2) == load;
    return all;
}

/* Clocks after which a load is known in all tiles, whatever it was before. */
static void change(unsigned delay, unsigned *oldest)
{
    const unsigned end = rng_below(&r, 2), link = rng_below(&r, RTR_LINKS);
    const unsigned flits = rng_below(&r, FLITS + 1);
    struct device *device = b.end[end].dut.self;

    device->link[link].held = (typeof(device->link[link].held))flits;
    for (unsigned age = 1; age <= LONG + delay; age++) {
        device_bench_run(&b, 1);
        *oldest = !all_know(1 - end, link, flits / SHARE) && age > *oldest ? age : *oldest;
    }
    device_bench_run(&b, rng_below(&r, TAIL * BUS));
}

static void test_age(unsigned delay, uint64_t seed)
{
    struct device_bench_config config = device_bench_defaults();
    const unsigned way = LCB + (delay - 1) + REGISTERS + BUS;
    unsigned oldest = 0;

    config.cable.delay = delay;
    config.cable.ber = config.cable.burst_rate = 0;
    config.load = 0;
    device_bench_start(&b, &config, seed);
    const bool up = device_bench_await(&b, UP);
    for (unsigned n = 0; n < ROUNDS; n++)
        change(delay, &oldest);
    tap_why("%sup; known after %u clocks, the way is %u", up ? "" : "not ", oldest, way);
    /* holds router.load_far */
    tap_ok(up && oldest <= way + TAIL && oldest > way,
           "cable of %u clocks: all tiles choose by the load at its other end after %u clocks",
           delay, oldest);
    device_bench_free(&b);
}

int main(int argc, char **argv)
{
    const uint64_t seed = test_seed(argc, argv);

    rng_seed(&r, seed);
    test_age(1, seed);
    test_age(33, seed);
    return tap_done();
}
