// SPDX-License-Identifier: Apache-2.0
/*
 * test_chip_clock.c - from the time of one chip over a link to interrupts of both: the second chip's clock follows the first's by
 * registers alone, HPETs of both NICs show it, and their timers and pulses come together.
 *
 * Built for proto: fast.
 */
#include <inttypes.h>

#include "hls/link/lcb_map.h"
#include "tb/system/chip/chip_bench.h"

enum {
    PORT = 0, /* of both, joined by a cable */
    PPM100 = 1678,
    PULSE = 13,
    PERIOD = 1 << PULSE,
    LOCK_MOST = 400000,
    APART = 4 + 6, /* clocks of both, and an interrupt behind its match */
    ROUNDS = 6
};

#define TIMER (UINT64_C(1) << 40)
#define BEAT  (UINT64_C(1) << 43)

static struct nic_bench *b;

static uint64_t on_bus(struct reg_request *bus, const struct reg_reply *reply, struct reg_request r)
{
    *bus = r;
    for (unsigned n = 0; n < 40 && (n == 0 || !reply->ready); n++) {
        nic_bench_clock(b);
    }
    const uint64_t value = reply->ready && !reply->error ? (uint64_t)reply->rdata : UINT64_MAX;

    *bus = (struct reg_request){0};
    nic_bench_clock(b);
    return value;
}

static uint64_t clock_read(unsigned i, unsigned reg)
{
    struct chip_end *e = &chip_network(b)->end[i];

    return on_bus(&e->in.clock_bus, &e->chip->out.clock_bus,
                  (struct reg_request){.valid = 1, .addr = (u16)reg});
}

static void clock_write(unsigned i, unsigned reg, uint64_t value)
{
    struct chip_end *e = &chip_network(b)->end[i];

    on_bus(&e->in.clock_bus, &e->chip->out.clock_bus,
           (struct reg_request){.valid = 1, .write = 1, .addr = (u16)reg, .wdata = value});
}

/* came - sent of the last snapshot that a chip got, both of it. */
static uint64_t one_way(unsigned i)
{
    struct chip_end *e = &chip_network(b)->end[i];
    struct reg_request *bus = &e->in.manage[PORT].bus;
    const struct reg_reply *reply = &e->chip->out.status[PORT].bus;
    const struct reg_request sent = {.valid = 1, .addr = LCB_REG_PEER_SENT},
                             came = {.valid = 1, .addr = LCB_REG_PEER_CAME};
    uint64_t first, then;

    do {
        first = on_bus(bus, reply, sent);
        then = on_bus(bus, reply, came);
    } while (on_bus(bus, reply, sent) != first);
    return then - first;
}

/* Software of the second chip: measures the cable, then follows. Whether it has locked. */
static bool follow(void)
{
    for (unsigned n = 0; n < 5000; n++) {
        nic_bench_clock(b);
    }
    clock_write(1, CLK_REG_DELAY, (one_way(0) + one_way(1)) * 256 / 2);
    clock_write(0, CLK_REG_CLOCK, 1 << CLK_REG_CLOCK_VALID_AT | 1 << CLK_REG_CLOCK_ROOT_AT);
    clock_write(1, CLK_REG_CLOCK, 1 << CLK_REG_CLOCK_VALID_AT | PORT);
    for (unsigned n = 0; n < LOCK_MOST && (clock_read(1, CLK_REG_STATUS) & 1) == 0; n += 40) {
        for (unsigned k = 0; k < 38; k++) {
            nic_bench_clock(b);
        }
    }
    return clock_read(1, CLK_REG_STATUS) & 1;
}

/* A periodic timer, on the global time, its first interrupt at `first`. */
static void start_timer(unsigned node, uint64_t first)
{
    nic_bench_write(b, node, NR_HPET_TIMER,
                    1 << NR_HPET_TIMER_INTERRUPTS_AT | 1 << NR_HPET_TIMER_PERIODIC_AT |
                        1 << NR_HPET_TIMER_SET_VALUE_AT);
    nic_bench_write(b, node, NR_HPET_TIMER + 1, first);
    nic_bench_write(b, node, NR_HPET_TIMER + 1, PERIOD);
    nic_bench_write(b, node, NR_HPET_CONFIG,
                    1 << NR_HPET_CONFIG_ENABLE_AT | 1 << NR_HPET_CONFIG_CLOCK_USE_AT);
    nic_bench_write(b, node, NR_IRQ_PENDING, ~UINT64_C(0));
}

/* Runs until both interrupt wires are 1: how many clocks one was before the other; UINT64_MAX if one stays away. */
static uint64_t apart(void)
{
    uint64_t since[CHIPS] = {0, 0};

    for (unsigned n = 0; n < 2 * PERIOD; n++) {
        nic_bench_clock(b);
        for (unsigned i = 0; i < CHIPS; i++) {
            if (chip_network(b)->end[i].chip->out.irq[0] && since[i] == 0) {
                since[i] = b->clock;
            }
        }
        if (since[0] != 0 && since[1] != 0) {
            return since[0] > since[1] ? since[0] - since[1] : since[1] - since[0];
        }
    }
    return UINT64_MAX;
}

/* Some interrupts of one kind, cleared each time. */
static uint64_t most_apart(uint64_t kind)
{
    uint64_t most = 0;

    for (unsigned node = 0; node < CHIPS; node++) {
        nic_bench_write(b, node * CHIP_NICS, NR_IRQ_MASK, kind);
    }
    for (unsigned round = 0; round < ROUNDS; round++) {
        for (unsigned node = 0; node < CHIPS; node++) {
            nic_bench_write(b, node * CHIP_NICS, NR_IRQ_PENDING, ~UINT64_C(0));
        }
        const uint64_t now = apart();
        most = now > most ? now : most;
    }
    return most;
}

int main(int argc, char **argv)
{
    const uint64_t seed = test_seed(argc, argv);
    const struct channel_config cable = {.delay = 12, .ber = 1e-6};

    b = chip_bench_new(seed, NULL, &cable, NULL);
    harness_clock = &b->clock;
    clock_write(1, CLK_REG_RATE, PPM100);
    const bool locked = follow();
    tap_why("status %" PRIx64, clock_read(1, CLK_REG_STATUS));
    tap_ok(locked, "the second chip follows the first");
    const uint64_t first = (clock_read(0, CLK_REG_NOW) / PERIOD + 2) * PERIOD + PERIOD / 2;
    for (unsigned i = 0; i < CHIPS; i++) {
        start_timer(i * CHIP_NICS, first);
        clock_write(i, CLK_REG_PULSE_PERIOD, PULSE);
    }
    const uint64_t timers = most_apart(TIMER);
    tap_ok(timers <= APART, "timers of both NICs fire together, %" PRIu64 " clocks apart at most",
           timers);
    const uint64_t pulses = most_apart(BEAT);
    tap_ok(pulses <= APART,
           "pulses of both chips interrupt together, %" PRIu64 " clocks apart at most", pulses);
    const uint64_t before = nic_bench_read(b, 0, NR_HPET_COUNTER);
    tap_ok(before >= first, "the main counter shows the global time");
    nic_bench_free(b);
    return tap_done();
}
