// SPDX-License-Identifier: Apache-2.0
/*
 * test_router_join.c - what joins the tiles of a router: loads broadcast in turn, dead ports, time, the configuration bus. Without
 * traffic.
 *
 * Built for aries, proto: fast. Recorded for router of proto.
 */
#include "tb/base/harness.h"
#include "tb/blocks/router/input/input_bench.h"
#include "router/router.h"

#include <string.h>

enum {
    PATIENCE = 64,
    ANSWER = 20,
    ABSENT = 7,
    SOON = 1,
    CLASSES = 2,
    MOST = 63,           /* a load as all tiles know it */
    TURN = RTR_COLS + 2, /* clocks of a turn of the columns, and on to a route */
    OLDEST = 10
};

static_assert(TURN <= OLDEST, "a load is older");

static struct router matrix;
static struct router_in in;
static struct rng r;
static uint64_t clocks;

static void step(void)
{
    router(&matrix, &in);
    clocks++;
}

static void start(void)
{
    router_reset(&matrix);
    memset(&in, 0, sizeof in);
    clocks = 0;
    for (unsigned p = 0; p < RTR_PORTS; p++) {
        in.from_link[p].ready = 1;
        in.from_link[p].room = (rtr_vcs)-1;
    }
}

/* ---- loads and dead ports ------------------------------------------------------------------------- */

/* What a tile's route knows of a port: of a class, the load. */
static unsigned known(unsigned tile, unsigned port, unsigned class)
{
    const unsigned row = port / RTR_COLS, col = port % RTR_COLS;
    const route_column column = matrix.tile[tile].queue.route.columns[col];

    return (unsigned)(column >> (class ? ROUTE_RESPONSES_AT(row) : ROUTE_REQUESTS_AT(row))) & MOST;
}

/* And whether it is dead. */
static bool is_dead(unsigned tile, unsigned port)
{
    return matrix.tile[tile].queue.route.columns[port % RTR_COLS] >> port / RTR_COLS & 1;
}

static void estimate(unsigned port, unsigned class, unsigned load)
{
    struct port_in *link = &in.from_link[port];

    *(class == 0 ? &link->far_request : &link->far_response) = (rtr_far)load;
}

/* An idle port's load is what its link says of the class, saturated; every clock the next column is broadcast, from column 0 on. */
static void test_loads(void)
{
    struct misses wrong = {0};
    unsigned turn = 0;

    start();
    step();
    for (unsigned round = 0; round < 40; round++) {
        for (unsigned i = 0; i < CLASSES * RTR_PORTS; i++)
            estimate(i / CLASSES, i % CLASSES, rng_below(&r, MOST + 1));
        for (unsigned n = 0; n < 3 * RTR_COLS; n++) {
            step();
            turn = (turn + 1) % RTR_COLS;
            must_equal(&wrong, matrix.load.col, turn, "column that broadcasts");
            for (unsigned row = 0; row < RTR_ROWS; row++) {
                const struct port_in *link = &in.from_link[row * RTR_COLS + turn];

                if (n < 2)
                    continue;
                must_equal(&wrong, matrix.load.request[row], link->far_request,
                           "port at row %u, column %u: load of requests", row, turn);
                must_equal(&wrong, matrix.load.response[row], link->far_response,
                           "port at row %u, column %u: load of responses", row, turn);
            }
        }
    }
    /* holds router.load_turns */
    tap_misses(&wrong, "join: one column after the other broadcasts its loads, of each class");
}

/* What a port says is more than six bits: 63 flits of a class there and 127 here, half of which count. */
static void test_saturated(void)
{
    struct misses wrong = {0};

    start();
    for (unsigned n = 0; n < 200; n++) {
        const unsigned port = rng_below(&r, RTR_PORTS), flits = rng_below(&r, 128);
        const unsigned far[CLASSES] = {rng_below(&r, MOST + 1), rng_below(&r, MOST + 1)};

        matrix.tile[port].mux.flits = (typeof(matrix.tile[port].mux.flits))flits;
        for (unsigned class = 0; class < CLASSES; class ++)
            estimate(port, class, far[class]);
        for (unsigned clocks = 0; clocks < TURN; clocks++)
            step();
        for (unsigned class = 0; class < CLASSES; class ++) {
            const unsigned load = flits / 2 + far[class], tile = rng_below(&r, RTR_PORTS);

            must_equal(&wrong, known(tile, port, class), load > MOST ? MOST : load,
                       "port %u with %u flits and %u behind the link, class %u: load at tile %u",
                       port, flits, far[class], class, tile);
        }
    }
    /* holds router.load_bits */
    tap_misses(&wrong, "join: a load above %u is told as %u", MOST, MOST);
}

/* Clocks from a change of what a port's link estimates, at any time, until all tiles choose by it. */
static void test_age(void)
{
    struct misses wrong = {0};
    unsigned oldest = 0;

    start();
    for (unsigned n = 0; n < 1000; n++) {
        const unsigned port = rng_below(&r, RTR_PORTS), class = rng_below(&r, CLASSES);
        const unsigned load = (known(0, port, class) + 1 + rng_below(&r, 60)) % 64;
        unsigned age = 0, knows = 0;

        estimate(port, class, load);
        for (; knows < RTR_PORTS && age < PATIENCE; age++) {
            step();
            knows = 0;
            for (unsigned t = 0; t < RTR_PORTS; t++)
                knows += known(t, port, class) == load;
        }
        must_at_most(&wrong, age, TURN, "port %u, class %u, load %u, known to %u tiles: clocks",
                     port, class, load, knows);
        oldest = age > oldest ? age : oldest;
        for (unsigned i = rng_below(&r, RTR_COLS); i > 0; i--)
            step();
    }
    /* holds router.load_age */
    must_equal(&wrong, oldest, TURN, "clocks of the oldest load");
    tap_misses(&wrong, "join: where routes are chosen a load is at most %u clocks old", TURN);
}

/* Clocks until all tiles know which ports are dead, and which are alive again. */
static void test_dead(void)
{
    struct misses wrong = {0};
    unsigned oldest = 0;

    start();
    for (unsigned n = 0; n < 1000; n++) {
        const uint64_t some = rng_next(&r), ports = some & rng_next(&r);
        unsigned age = 0, knows = 0;

        for (unsigned p = 0; p < RTR_PORTS; p++)
            in.from_link[p].dead = ports >> p & 1;
        for (; knows < RTR_PORTS * RTR_PORTS && age < PATIENCE; age++) {
            step();
            knows = 0;
            for (unsigned i = 0; i < RTR_PORTS * RTR_PORTS; i++)
                knows += is_dead(i / RTR_PORTS, i % RTR_PORTS) == (ports >> i % RTR_PORTS & 1);
        }
        must_at_most(&wrong, age, RTR_COLS + 1,
                     "dead ports %#llx, %u of %u pairs of a tile and a port right: clocks",
                     (unsigned long long)ports, knows, RTR_PORTS * RTR_PORTS);
        oldest = age > oldest ? age : oldest;
        for (unsigned i = rng_below(&r, RTR_COLS); i > 0; i--)
            step();
    }
    /* holds router.dead_known */
    must_equal(&wrong, oldest, RTR_COLS + 1, "clocks until all know");
    tap_misses(&wrong, "join: all tiles know after %u clocks which ports are dead", RTR_COLS + 1);
}

/*
 * After a reset a port counts as it did before until its column has had its turn, whatever its link has become; after the
 * power comes on it counts as alive.
 */
static void test_dead_reset(void)
{
    struct misses early = {0}, late = {0};

    for (unsigned n = 0; n < 300; n++) {
        const uint64_t some = rng_next(&r), before = n % 3 == 0 ? 0 : some & rng_next(&r);
        const uint64_t after = rng_next(&r);

        if (n % 3 == 0)
            memset(&matrix, 0, sizeof matrix);
        start();
        for (unsigned p = 0; p < RTR_PORTS && n % 3 != 0; p++)
            in.from_link[p].dead = before >> p & 1;
        for (unsigned i = 0; i < PATIENCE && n % 3 != 0; i++)
            step();
        router_reset(&matrix);
        for (unsigned p = 0; p < RTR_PORTS; p++)
            in.from_link[p].dead = after >> p & 1;
        for (unsigned i = 0; i < RTR_PORTS * RTR_PORTS; i++)
            must_equal(&early, is_dead(i / RTR_PORTS, i % RTR_PORTS), before >> i % RTR_PORTS & 1,
                       "tile %u, port %u behind a reset: dead", i / RTR_PORTS, i % RTR_PORTS);
        for (unsigned i = 0; i <= RTR_COLS; i++)
            step();
        for (unsigned i = 0; i < RTR_PORTS * RTR_PORTS; i++)
            must_equal(&late, is_dead(i / RTR_PORTS, i % RTR_PORTS), after >> i % RTR_PORTS & 1,
                       "tile %u, port %u a turn behind a reset: dead", i / RTR_PORTS,
                       i % RTR_PORTS);
    }
    /* holds router.dead_reset */
    tap_misses(&early, "join: after a reset a port counts as before, after the power as alive");
    tap_misses(&late, "join: %u clocks after a reset all know which ports are dead", RTR_COLS + 1);
}

/* ---- configuration bus ----------------------------------------------------------------------------- */

static unsigned address(unsigned port, unsigned reg)
{
    return port / RTR_COLS << 13 | port % RTR_COLS << 10 | reg;
}

/* The request stands until its reply; its clocks. */
static unsigned request(bool write, unsigned addr, uint64_t data, uint64_t *value)
{
    unsigned waits = 0;

    in.bus =
        (struct reg_request){.valid = 1, .write = write, .addr = (u16)addr, .wdata = (u64)data};
    do {
        step();
        waits++;
    } while (!matrix.out.bus.ready && waits < 2 * PATIENCE);
    *value = (uint64_t)matrix.out.bus.rdata;
    in.bus = (struct reg_request){};
    return waits;
}

/* Without a request nothing is answered. */
static void pause_for(unsigned n, struct misses *stray)
{
    while (n-- > 0) {
        step();
        must_equal(stray, matrix.out.bus.ready, 0, "bus without a request: ready");
    }
}

/* Nothing leaves a router that was reset. */
static void check_start(struct misses *m)
{
    must_equal(m, matrix.out.bus.ready, 0, "bus after a reset: ready");
    must_equal(m, matrix.out.bus.rdata, 0, "bus after a reset: data");
    for (unsigned p = 0; p < RTR_PORTS; p++) {
        must_equal(m, matrix.out.to_link[p].valid, 0, "port %u after a reset: a flit", p);
        must_equal(m, matrix.out.to_link[p].freed.valid, 0, "port %u after a reset: freed", p);
        must_equal(m, matrix.out.to_link[p].start.valid, 0, "port %u after a reset: start", p);
    }
}

static void test_bus(void)
{
    struct misses time = {0}, wrong = {0}, stray = {0};
    unsigned absent = 0;

    start();
    check_start(&stray);
    for (unsigned n = 0; n < 300; n++) {
        const unsigned port = rng_below(&r, RTR_PORTS),
                       there = port / RTR_COLS << 3 | port % RTR_COLS;
        const bool nobody = (RTR_ROWS <= ABSENT || RTR_COLS <= ABSENT) && rng_below(&r, 8) == 0;
        const unsigned at = nobody ? ABSENT << 13 | ABSENT << 10 : address(port, RTR_REG_CONTROL);
        uint64_t value;
        const unsigned waits = request(false, at, 0, &value);
        if (nobody)
            must_at_least(&time, waits, PATIENCE, "read of %#x, no tile: clocks", at);
        must_at_most(&time, waits, nobody ? PATIENCE + 4 : ANSWER, "read of %#x%s: clocks", at,
                     nobody ? ", no tile" : "");
        absent += nobody;
        must_equal(&wrong, value, nobody ? 0 : there, "read of %#x%s", at,
                   nobody ? ", no tile" : "");
        if (n > 100)
            pause_for(1 + rng_below(&r, 100), &stray);
    }
    tap_misses(&time, "join: a tile answers soon, for %u that are not there the router does",
               absent);
    tap_misses(&wrong, "join: with the register of that tile, or 0");
    tap_misses(&stray, "join: nobody answers what was not asked, nor after a reset");
}

/* Illegal heads at one port after the other: each tile has the clock of its own. */
static void test_time(void)
{
    const struct head illegal = {.vc = 0, .length = 16 % (1u << RTR_LENGTH_BITS)};
    uint64_t came[RTR_PORTS], value;
    struct misses wrong = {0};
    unsigned first = 0;

    start();
    pause_for(100, &wrong);
    for (unsigned p = 0; p < RTR_PORTS; p++) {
        in.from_link[p].valid = 1;
        in.from_link[p].flit = (rtr_flit)put_head(&illegal);
        came[p] = clocks;
        step();
        in.from_link[p].valid = 0;
        pause_for(rng_below(&r, 50), &wrong);
    }
    for (unsigned p = 0; p < RTR_PORTS; p++) {
        request(false, address(p, RTR_REG_FIRST_ERROR), 0, &value);
        const unsigned after = (unsigned)(value >> 16) - (unsigned)came[p];
        first = p == 0 ? after : first;
        must_equal(&wrong, value >> 63, 1, "port %u: first error valid", p);
        must_equal(&wrong, (value & 0xffff) >> RTR_ILLEGAL, 1, "port %u: illegal, alone", p);
        must_equal(&wrong, after, first, "port %u: clocks after the flit, as at port 0", p);
        must_at_most(&wrong, after, SOON, "port %u: clocks after the flit", p);
    }
    tap_misses(&wrong, "join: errors have the clock in which they came, and %u", first);
}

int main(int argc, char **argv)
{
    rng_seed(&r, test_seed(argc, argv));
    harness_clock = &clocks;
    test_loads();
    test_saturated();
    test_age();
    test_dead();
    test_dead_reset();
    test_bus();
    test_time();
    return tap_done();
}
