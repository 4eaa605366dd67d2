// SPDX-License-Identifier: Apache-2.0
/*
 * test_router_registers.c - what software sees of a router: counters against what the golden router saw, first
 * error, writes to one tile and to all, requests that nobody answers.
 *
 * Built for aries: san. Recorded for router, tile of proto.
 */
#include <inttypes.h>

#include "tb/system/router/router_bench.h"

enum { CLOCKS = 3000, DRAIN = 20000, ABSENT = 7, FEW = 11 };

static struct router_bench b;

static uint64_t counter(unsigned port, unsigned number)
{
    return router_bench_read(&b, router_bench_address(port, RTR_REG_COUNTERS + number));
}

static void test_incoming(void)
{
    struct misses wrong = {0};
    for (unsigned p = 0; p < RTR_PORTS; p++)
        for (unsigned vc = 0; vc < RTR_VCS; vc++)
            must_equal(&wrong, counter(p, RTR_INCOMING_FLIT_VC0 + vc), b.golden.flits_in_vc[p][vc],
                       "port %u, VC %u: flits", p, vc);
    tap_misses(&wrong, "every tile counts the flits that came, by VC");
}

static void test_errors(void)
{
    uint64_t illegal = 0, no_route = 0;
    for (unsigned p = 0; p < RTR_PORTS; p++) {
        illegal += counter(p, RTR_ILLEGAL);
        no_route += counter(p, RTR_NO_ROUTE);
    }
    struct misses counts = {0}, wrong = {0};
    must_equal(&counts, illegal, b.golden.illegal, "illegal heads");
    must_equal(&counts, no_route, b.golden.no_route, "packets without a route");
    must(&counts, illegal > 0 && no_route > 0,
         "%" PRIu64 " illegal, %" PRIu64 " without a route: none of one kind came", illegal,
         no_route);
    tap_misses(&counts, "refused and dropped packets are counted");

    unsigned captured = 0;
    for (unsigned p = 0; p < RTR_PORTS; p++) {
        const uint64_t first = router_bench_read(&b, router_bench_address(p, RTR_REG_FIRST_ERROR));
        const unsigned events = (unsigned)first & 0xffff;
        const bool has = counter(p, RTR_ILLEGAL) + counter(p, RTR_NO_ROUTE) > 0;
        captured += first >> 63;
        must_equal(&wrong, first >> 63, has, "tile %u: FIRST_ERROR is valid", p);
        must(&wrong, !has || (events & (1u << RTR_ILLEGAL | 1u << RTR_NO_ROUTE)) != 0,
             "tile %u: FIRST_ERROR has events %#x", p, events);
        must_at_most(&wrong, first >> 16 & 0xffffffff, b.clock, "tile %u: clock of FIRST_ERROR", p);
    }
    must_at_least(&wrong, captured, 1, "tiles with an error");
    tap_misses(&wrong, "a tile with an error has captured the first, no other has");
}

static void test_clear(void)
{
    router_bench_write(&b, router_bench_address(0, RTR_REG_CONTROL), 1);
    router_bench_run(&b, 2 * TILE_COUNTERS);
    uint64_t sum = 0, others = 0;
    for (unsigned n = 0; n < TILE_COUNTERS; n++) {
        sum += counter(0, n);
        others += counter(1, n);
    }
    struct misses wrong = {0};
    must_equal(&wrong, sum, 0, "all counters of tile 0");
    must_at_least(&wrong, others, 1, "all counters of tile 1");
    tap_misses(&wrong, "clearing one tile leaves the others alone");
    tap_equal(router_bench_read(&b, router_bench_address(0, RTR_REG_FIRST_ERROR)) >> 63, 0,
              "and forgets its first error");
    router_bench_write(&b, RTR_REG_ALL | RTR_REG_CONTROL, 1);
    router_bench_run(&b, 2 * TILE_COUNTERS);
    struct misses left = {0};
    for (unsigned p = 0; p < RTR_PORTS; p++)
        for (unsigned n = 0; n < TILE_COUNTERS; n++)
            must_equal(&left, counter(p, n), 0, "tile %u, counter %u", p, n);
    tap_misses(&left, "a write to all tiles reaches all");
}

/*
 * Heads in nearly every clock, and the bus never still: each write to the memories of all tiles is done when the next
 * one comes (route.c assumes it). The entries belong to a type of port that no table names.
 */
static void test_hurry(struct router_bench_config *config, uint64_t seed)
{
    enum { EVERY = 4 };
    unsigned writes = 0;
    for (unsigned p = 0; p < RTR_PORTS; p++) {
        config->source[p].illegal = 0;
        config->source[p].min_length = config->source[p].max_length = 1;
    }
    router_bench_start(&b, config, seed);
    for (unsigned clock = 0; clock < CLOCKS; clock++) {
        const uint64_t kind = writes % 3, index = kind == ROUTE_VC_MAP ? 3u << 5 : 0;
        b.in.bus = (struct reg_request){.valid = 1,
                                        .write = 1,
                                        .addr = RTR_REG_ALL | RTR_REG_ROUTE,
                                        .wdata = (u64)(kind << 61 | index << 48)};
        router_bench_step(&b);
        writes += b.out->bus.ready;
    }
    b.in.bus = (struct reg_request){0};
    tap_why("%u writes", writes);
    tap_ok(router_bench_drain(&b, DRAIN) && router_bench_clean(&b) && writes >= CLOCKS / EVERY - 2,
           "%u writes on end between single flits", writes);
    router_bench_free(&b);
}

/* Clocks in which packets wait for the row bus, or for room, by class: some tiles' counters that are 0. Nothing goes to port 0. */
static unsigned without_stall(struct router_bench_config *config, bool stuck, uint64_t seed)
{
    static const unsigned kinds[] = {RTR_ROWBUS_STALL, RTR_COLBUF_STALL_REQUEST,
                                     RTR_COLBUF_STALL_RESPONSE};
    unsigned zeros = 0;
    for (unsigned p = 0; p < RTR_PORTS; p++) {
        config->source[p].load = stuck ? 1.0 : 0.0;
        config->sink[p].drain = stuck ? 0.0 : 1.0;
        config->sink[p].shared = 0;
    }
    router_bench_start(&b, config, seed);
    router_bench_run(&b, CLOCKS / 4);
    for (unsigned p = 1; p < RTR_PORTS; p += FEW)
        for (unsigned k = 0; k < 3; k++)
            zeros += counter(p, kinds[k]) == 0;
    router_bench_free(&b);
    return zeros;
}

static void test_addresses(void)
{
    struct misses wrong = {0}, absent = {0};
    for (unsigned p = 0; p < RTR_PORTS; p++)
        must_equal(&wrong, router_bench_read(&b, router_bench_address(p, RTR_REG_CONTROL)),
                   p / RTR_COLS << 3 | p % RTR_COLS, "place of tile %u", p);
    tap_misses(&wrong, "every tile knows where it is");
    if (RTR_ROWS <= ABSENT || RTR_COLS <= ABSENT) {
        const unsigned nobody = ABSENT << 13 | ABSENT << 10 | RTR_REG_CONTROL;
        const uint64_t start = b.clock, value = router_bench_read(&b, nobody);
        must_equal(&absent, value, 0, "what is read");
        must(&absent, b.refused, "no error");
        must_at_most(&absent, b.clock - start, 69, "clocks");
        /* holds axil_regs.absent: with the two clocks of the bus on either side */
        tap_misses(&absent, "a tile that is not there: 0 and an error after 64 clocks");
    }
}

/* The bus refuses what REGISTERS.md does not have, reads of ROUTE and writes of read-only registers. */
static void test_refused(void)
{
    struct misses wrong = {0};
    for (unsigned addr = 0; addr < RTR_REG_ALL; addr++) {
        const bool counts = addr >= 0x20 && addr < 0x30;
        const bool reads = addr < 4 || counts, writes = addr == 0 || addr == 2 || addr == 0x10;
        (void)router_bench_read(&b, router_bench_address(1, addr));
        const bool read_error = b.refused;
        router_bench_write(&b, router_bench_address(1, addr), 0);
        const bool write_error = b.refused;
        must_equal(&wrong, read_error, !reads, "read of %#x: error", addr);
        must_equal(&wrong, write_error, !writes, "write of %#x: error", addr);
    }
    router_bench_write(&b, RTR_REG_ALL | RTR_REG_FIRST_ERROR, 0);
    must(&wrong, b.refused, "write of FIRST_ERROR of all tiles: no error");
    tap_misses(&wrong, "errors of the bus: all addresses of a tile");
}

int main(int argc, char **argv)
{
    static struct router_bench_config config;
    router_bench_defaults(&config);
    router_bench_route(&config.plan, 0)->minimal = 0; /* nothing leads to destination 0 */
    for (unsigned p = 0; p < RTR_PORTS; p++)
        config.source[p].illegal = p % 2 ? 0.02 : 0;
    const uint64_t seed = test_seed(argc, argv);
    router_bench_start(&b, &config, seed);
    router_bench_run(&b, CLOCKS);
    tap_ok(router_bench_drain(&b, DRAIN) && router_bench_clean(&b), "traffic ran");
    test_incoming();
    test_errors();
    test_clear();
    test_addresses();
    test_refused();
    router_bench_free(&b);
    const unsigned all = 3 * ((RTR_PORTS + FEW - 2) / FEW);
    const unsigned busy = without_stall(&config, true, seed);
    const unsigned idle = without_stall(&config, false, seed);
    struct misses stalls = {0};
    must_equal(&stalls, busy, 0, "counters that are 0 when nothing is taken");
    must_equal(&stalls, idle, all, "counters that are 0 without traffic");
    tap_misses(&stalls,
               "of %u counters of stalls %u are 0 when nothing is taken, %u without traffic", all,
               busy, idle);
    router_bench_defaults(&config);
    test_hurry(&config, seed);
    return tap_done();
}
