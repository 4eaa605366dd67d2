// SPDX-License-Identifier: Apache-2.0
/*
 * test_device_manage.c - what management sees and does at each link of a device: registers, lane maps, round trip, restart.
 *
 * Built for proto: san.
 */
#include "tb/system/device/device_bench.h"
#include "link/lcb_regs.h"

enum { UP = 20000, DEATH = 200000, SETTLE = 4000, CLOCKS = 10000, ANSWER = 40, LINKS = RTR_LINKS };

static struct device_bench b;

static bool begin(unsigned delay, double load, uint64_t seed)
{
    struct device_bench_config config = device_bench_defaults();
    config.cable.delay = delay;
    config.cable.ber = config.cable.burst_rate = 0;
    config.load = load;
    device_bench_start(&b, &config, seed);
    return device_bench_await(&b, UP);
}

static uint64_t request(unsigned end, unsigned link, struct reg_request r)
{
    const struct reg_reply *reply = &b.end[end].device->out.status[link].bus;
    b.end[end].in.manage[link].bus = r;
    for (unsigned n = 0; n < ANSWER && (n == 0 || !reply->ready); n++)
        device_bench_run(&b, 1);
    const uint64_t value = reply->ready ? (uint64_t)reply->rdata : UINT64_MAX;
    b.end[end].in.manage[link].bus = (struct reg_request){0};
    device_bench_run(&b, 2);
    return value;
}

static uint64_t get(unsigned end, unsigned link, unsigned reg)
{
    return request(end, link, (struct reg_request){.valid = 1, .addr = (u16)reg});
}

/* Each link of each device has registers of its own. */
static void test_registers(uint64_t seed)
{
    struct misses wrong = {0};
    must_equal(&wrong, begin(12, 0, seed), 1, "all links up");
    for (unsigned i = 0; i < 2 * LINKS; i++)
        request(i / LINKS, i % LINKS,
                (struct reg_request){
                    .valid = 1, .write = 1, .addr = LCB_REG_LIMITS, .wdata = 0x20304050 + i});
    for (unsigned i = 0; i < 2 * LINKS; i++) {
        must_equal(&wrong, get(i / LINKS, i % LINKS, LCB_REG_LIMITS), 0x20304050 + i,
                   "LIMITS of link %u of device %u", i % LINKS, i / LINKS);
        must_equal(&wrong, get(i / LINKS, i % LINKS, LCB_REG_STATUS) & 0x1ff,
                   LINK_RUN | 7 << 3 | 7 << 6, "STATUS of link %u of device %u", i % LINKS,
                   i / LINKS);
    }
    tap_misses(&wrong, "manage: every link has registers of its own");
    device_bench_free(&b);
}

/* Each link knows how long its cable is, and the time of its first error. */
static void test_time(uint64_t seed)
{
    enum { SHORT = 10, LONG = 50, FRAME = 6 };
    struct misses wrong = {0}, when = {0};
    unsigned trip[2][2 * LINKS];
    for (unsigned n = 0; n < 2; n++) {
        must_equal(&wrong, begin(n ? LONG : SHORT, 0, seed), 1, "all links up");
        for (unsigned i = 0; i < 2 * LINKS; i++)
            trip[n][i] = get(i / LINKS, i % LINKS, LCB_REG_STATUS) >> 16 & 0xfff;
        for (unsigned l = 0; l < LINKS; l++) {
            const uint64_t from = b.clock;
            channel_lane(&b.end[1 - n].cable[l], 2, LANE_ZERO);
            device_bench_run(&b, SETTLE);
            const uint64_t time = get(n, l, LCB_REG_FIRST_TIME);
            must_at_least(&when, time, from, "FIRST_TIME of link %u of device %u", l, n);
            must_at_most(&when, time, from + SETTLE, "FIRST_TIME of link %u of device %u", l, n);
        }
        device_bench_free(&b);
    }
    for (unsigned i = 0; i < 2 * LINKS; i++) {
        const unsigned longer = trip[1][i] - trip[0][i];
        must_at_least(&wrong, longer + 2 * FRAME, 2 * (LONG - SHORT),
                      "clocks more than over the short cable, and two frames, link %u", i);
        must_at_most(&wrong, longer, 2 * (LONG - SHORT) + 2 * FRAME,
                     "clocks more than over the short cable, link %u", i);
    }
    tap_misses(&wrong, "manage: round trips of %u and %u clocks over cables of %d and %d",
               trip[0][0], trip[1][0], SHORT, LONG);
    tap_misses(&when, "manage: each link has the time of its first error");
}

/* A lane of the last link dies on the way from device 0 to device 1. */
static void test_lane(uint64_t seed)
{
    struct misses wrong = {0};
    must_equal(&wrong, begin(12, 0.2, seed), 1, "all links up");
    const struct link_status *from = b.end[0].device->out.status, *to = b.end[1].device->out.status;
    channel_lane(&b.end[0].cable[LINKS - 1], 1, LANE_DOWN);
    device_bench_run(&b, SETTLE);
    must_equal(&wrong, device_bench_await(&b, UP), 1, "all links up again");
    for (unsigned l = 0; l < LINKS; l++) {
        const unsigned map = l == LINKS - 1 ? 5 : 7;
        must_equal(&wrong, from[l].tx_map, map, "tx_map of link %u of device 0", l);
        must_equal(&wrong, to[l].rx_map, map, "rx_map of link %u of device 1", l);
        must_equal(&wrong, from[l].rx_map, 7, "rx_map of link %u of device 0", l);
        must_equal(&wrong, to[l].tx_map, 7, "tx_map of link %u of device 1", l);
    }
    tap_misses(&wrong, "manage: a lane dies, both ends of that link say which");
    device_bench_free(&b);
}

static bool await(enum link_state state, uint64_t limit)
{
    const struct link_status *a = &b.end[0].device->out.status[0],
                             *c = &b.end[1].device->out.status[0];
    while (limit-- > 0 && (a->state != state || c->state != state))
        device_bench_run(&b, 1);
    return a->state == state && c->state == state;
}

static void all_lanes(enum lane_state state)
{
    for (unsigned i = 0; i < 2; i++)
        for (unsigned l = 0; l < CHANNEL_LANES; l++)
            channel_lane(&b.end[i].cable[0], l, state);
}

/* Link 0 dies while packets cross it; restarted it carries packets again, in both directions. */
static void test_restart(uint64_t seed)
{
    const bool up = begin(12, 0.4, seed);
    device_bench_run(&b, CLOCKS);
    all_lanes(LANE_DOWN);
    const bool died = await(LINK_DEAD, DEATH);
    all_lanes(LANE_GOOD);
    device_bench_run(&b, SETTLE);
    const bool stays = await(LINK_DEAD, 1);
    for (unsigned i = 0; i < 2; i++)
        b.end[i].in.manage[0].restart = 1;
    device_bench_run(&b, 1);
    for (unsigned i = 0; i < 2; i++)
        b.end[i].in.manage[0].restart = 0;
    const bool back = await(LINK_RUN, UP);
    unsigned flits[2] = {0};
    for (unsigned n = 0; n < CLOCKS; n++) {
        device_bench_run(&b, 1);
        for (unsigned i = 0; i < 2; i++)
            flits[i] += b.end[i].device->link[0].out.to_router.valid;
    }
    tap_ok(up && died && stays && back, "manage: a dead link stays dead until it is restarted");
    tap_ok(flits[0] > 500 && flits[1] > 500, "manage: then %u and %u flits cross it", flits[0],
           flits[1]);
    device_bench_free(&b);
}

int main(int argc, char **argv)
{
    const uint64_t seed = test_seed(argc, argv);
    test_registers(seed);
    test_time(seed);
    test_lane(seed);
    test_restart(seed);
    return tap_done();
}
