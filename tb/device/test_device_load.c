// SPDX-License-Identifier: Apache-2.0
/*
 * test_device_load.c - how old a load is where routes are chosen by it: from the input queue behind a link to all tiles of the
 * router at the other end of its cable.
 *
 * Between two devices without traffic a queue's count of flits is set to anything, in any clock. Every tail tells the upper part
 * of it, so all tiles choose by a load that is near it after the wait for a tail, the way of one, and a turn of the router's
 * bus; every second tail tells all of it.
 */
#include "tb/device/device_bench.h"

enum {
    UP = 20000,
    ROUNDS = 300,
    LONG = 80,     /* clocks after which all has come */
    FLITS = 508,   /* in the queue; more do not show */
    NEAR = 4,      /* what the lower part of a load is, halved */
    TAIL = 10,     /* clocks from one to the next */
    LCB = 5,       /* from one that is being made to what the peer knows, on a cable of 1 */
    REGISTERS = 2, /* of the two ports */
    BUS = RTR_COLS + 2,
};

static struct device_bench b;
static struct rng r;

/* What a tile's route knows of a port. */
static unsigned known(unsigned end, unsigned tile, unsigned port)
{
    const struct tile *t = &b.end[end].device->router.tile[tile];
    const unsigned row = port / RTR_COLS, col = port % RTR_COLS;

    return (unsigned)(t->queue.route.loads[col] >> 7 * row) & 127;
}

/* The tile whose load of the port is farthest from this one. */
static unsigned farthest(unsigned end, unsigned port, unsigned load)
{
    unsigned most = 0;

    for (unsigned t = 0; t < RTR_PORTS; t++) {
        const unsigned says = known(end, t, port), apart = says > load ? says - load : load - says;
        most = apart > most ? apart : most;
    }
    return most;
}

/* Clocks after which a load is near it and exact in all tiles, whatever it was before. */
static void change(unsigned delay, unsigned *near, unsigned *exact)
{
    const unsigned end = rng_below(&r, 2), link = rng_below(&r, RTR_LINKS);
    const unsigned flits = rng_below(&r, FLITS + 1);
    struct device *device = b.end[end].dut.self;

    device->link[link].held = (typeof(device->link[link].held))flits;
    for (unsigned age = 1; age <= LONG + delay; age++) {
        device_bench_run(&b, 1);
        const unsigned apart = farthest(1 - end, link, flits / 4 / 2);
        *near = apart > NEAR && age > *near ? age : *near;
        *exact = apart > 0 && age > *exact ? age : *exact;
    }
    device_bench_run(&b, rng_below(&r, TAIL * BUS));
}

static void test_age(unsigned delay, uint64_t seed)
{
    struct device_bench_config config = device_bench_defaults();
    const unsigned way = LCB + (delay - 1) + REGISTERS + BUS;
    unsigned near = 0, exact = 0;

    config.cable.delay = delay;
    config.cable.ber = config.cable.burst_rate = 0;
    config.load = 0;
    device_bench_start(&b, &config, seed);
    const bool up = device_bench_await(&b, UP);
    for (unsigned n = 0; n < ROUNDS; n++)
        change(delay, &near, &exact);
    tap_why("%sup; near after %u clocks, exact after %u, the way is %u", up ? "" : "not ", near,
            exact, way);
    tap_ok(up && near <= way + TAIL && exact <= way + 2 * TAIL && near > way && exact > near,
           "cable of %u clocks: all tiles choose by a load near that at its other end after %u "
           "clocks, by just that after %u",
           delay, near, exact);
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
