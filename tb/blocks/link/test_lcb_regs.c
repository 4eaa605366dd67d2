// SPDX-License-Identifier: Apache-2.0
/*
 * test_lcb_regs.c - lcb_regs alone, against the register map: what reads give, what writes do and that they do it once,
 * counters, first error, clearing, and all of it after a reset at any moment.
 *
 * Built for aries: san. Recorded for lcb_regs.
 */
#include "tb/base/harness.h"
#include "hls/link/lcb_regs.h"

#include <inttypes.h>

enum {
    ROUNDS = 3000,
    SETTLE = 40, /* clocks in which all events that wait are counted */
    WIPE = 17,
    MOST_SHARED = 92, /* eights of the input queue of aries */
    /* what is no error: traffic, and what the lanes are blamed for */
    ORDINARY = 1 << COUNT_GOOD | 1 << COUNT_ACCEPTED | 1 << COUNT_REPEATED | 1 << COUNT_LANE0 |
               1 << COUNT_LANE1 | 1 << COUNT_LANE2 | 1 << COUNT_REPLAYS | 1 << COUNT_NAKS,
};

static struct lcb_regs regs;
static struct rng r;
static uint64_t now;
static struct misses wrong;

/* What the map says is in the registers. */
static struct {
    uint64_t stuck, lanes, loopback, limits, timeout, shared, first, first_time, came;
    uint32_t counter[16];
} due;

static void reset(void)
{
    lcb_regs_reset(&regs);
    due = (typeof(due)){.lanes = 7,
                        .limits = LCB_BAD_LIMIT | LCB_RETRY_LIMIT << 8 | LCB_TRAIN_LIMIT << 16,
                        .timeout = LCB_TIMEOUT,
                        .shared = LCB_SHARED};
}

static uint64_t who(struct link_identity identity)
{
    return (uint64_t)identity.port << 16 | (uint64_t)identity.chip;
}

static uint64_t read_due(const struct lcb_regs_in *in)
{
    const unsigned addr = in->bus.addr;
    const uint64_t status[] = {in->state, in->tx_map, in->rx_map, in->lane_up, in->epoch};
    static const unsigned at[] = {0, 3, 6, 9, 12};
    uint64_t sum = (uint64_t)in->round_trip << 16;
    for (unsigned i = 0; i < 5; i++)
        sum |= status[i] << at[i];
    return addr == 0                    ? sum
           : addr == 1                  ? due.lanes << 4 | due.loopback << 7
           : addr == 2                  ? due.limits
           : addr == 3                  ? due.shared << 16 | due.timeout
           : addr == 4                  ? due.first
           : addr == 5                  ? due.first_time
           : addr == 6                  ? who(in->identity)
           : addr == 7                  ? who(in->peer)
           : addr == 8                  ? due.stuck & 0xffff
           : addr == 10                 ? (uint64_t)in->peer_now
           : addr == 11                 ? due.came
           : addr >= 0x10 && addr <= 31 ? due.counter[addr - 0x10]
                                        : 0;
}

static void write_due(unsigned addr, uint64_t data)
{
    if (addr == 1) {
        due.lanes = data >> 4 & 7;
        due.loopback = data >> 7 & 1;
        for (unsigned i = 0; i < 16 && (data & 4); i++)
            due.counter[i] = due.stuck = 0;
        due.first &= data & 4 ? ~(UINT64_C(1) << 63) : ~UINT64_C(0);
    } else if (addr == 2) {
        due.limits = data & 0xffffffff;
    } else if (addr == 3) {
        due.timeout = data & 0xfff;
        due.shared = (data >> 16 & 511) > MOST_SHARED ? MOST_SHARED : data >> 16 & 511;
    }
}

/* One clock with this request and these events; everything else is random. */
static void step(struct reg_request bus, unsigned events)
{
    const bool stuck = events && rng_below(&r, 16) == 0;
    const struct lcb_regs_in in = {
        .bus = bus,
        .events = (u16)events,
        .stuck = stuck,
        .state = (enum link_state)rng_below(&r, 7),
        .tx_map = (u3)rng_next(&r),
        .rx_map = (u3)rng_next(&r),
        .lane_up = (u3)rng_next(&r),
        .epoch = (u4)rng_next(&r),
        .round_trip = (u12)rng_next(&r),
        .identity = {(u16)rng_next(&r), (u6)rng_next(&r)},
        .peer = {(u16)rng_next(&r), (u6)rng_next(&r)},
        .side = (lcb_side)rng_next(&r),
        .now = (lcb_time)rng_next(&r),
        .peer_now_valid = rng_below(&r, 16) == 0,
        .peer_now = (lcb_time)rng_next(&r),
        .peer_age = (lcb_age)rng_next(&r),
    };
    const bool acts = bus.valid && !regs.out.bus.ready;
    const uint64_t value = read_due(&in),
                   command = acts && bus.write && bus.addr == 1 ? bus.wdata : 0;
    lcb_regs(&regs, &in);
    now++;
    for (unsigned i = 0; i < 16; i++)
        due.counter[i] += events >> i & 1;
    due.stuck += stuck;
    if ((events & ~ORDINARY & 0xffff || stuck) && !(due.first >> 63)) {
        due.first = UINT64_C(1) << 63 | (uint64_t)stuck << 44 | (uint64_t)in.side << 16 | events;
        due.first_time = (uint64_t)in.now;
    }
    if (in.peer_now_valid)
        due.came = ((uint64_t)in.now - (uint64_t)in.peer_age) & 0xfffffffffffff;
    if (acts && bus.write)
        write_due((unsigned)bus.addr, bus.wdata);
    must_be(&wrong, regs.out.bus.ready, acts);
    must_equal(&wrong, acts ? regs.out.bus.rdata : value, value, "address 0x%x",
               (unsigned)bus.addr);
    must_be(&wrong, regs.out.restart, (u1)command);
    must_be(&wrong, regs.out.kill, (u1)(command >> 1));
    must_be(&wrong, regs.out.lanes, due.lanes);
    must_be(&wrong, regs.out.loopback, due.loopback);
    must_be(&wrong, regs.out.timeout, due.timeout);
    must_be(&wrong, regs.out.shared_space, due.shared);
    must_be(&wrong, regs.out.bad_limit, due.limits & 255);
    must_be(&wrong, regs.out.retry_limit, due.limits >> 8 & 255);
    must_be(&wrong, regs.out.train_limit, due.limits >> 16);
}

static void quiet(unsigned clocks)
{
    while (clocks-- > 0)
        step((struct reg_request){}, 0);
}

/* A request, held for a clock after its answer or not. */
static void request(bool write, unsigned addr, uint64_t data)
{
    const struct reg_request bus = {.valid = 1, .write = write, .addr = (u16)addr, .wdata = data};
    step(bus, 0);
    if (rng_below(&r, 2))
        step(bus, 0);
    else
        quiet(1);
}

/* All counters, each address of the map and a random one are read, and some written. */
static void look(void)
{
    for (unsigned addr = 0; addr < 0x22; addr++)
        request(false, addr, rng_next(&r));
    request(rng_below(&r, 2), rng_below(&r, 1u << 16), rng_next(&r));
    request(true, rng_below(&r, 6), rng_next(&r) & ~UINT64_C(4));
}

/* Corrected bits come in clocks on end, all else at most once. */
static void happen(void)
{
    const unsigned clocks = 1 + rng_below(&r, 20), once = rng_below(&r, clocks);
    const bool corrected = rng_below(&r, 2);
    for (unsigned i = 0; i < clocks; i++) {
        const unsigned some = rng_below(&r, 1u << 16),
                       others = i == once ? some & rng_below(&r, 1u << 16) : 0;
        step((struct reg_request){},
             (others & ~(1u << COUNT_CORRECTED)) | (unsigned)corrected << COUNT_CORRECTED);
    }
}

int main(int argc, char **argv)
{
    rng_seed(&r, test_seed(argc, argv));
    harness_clock = &now;
    for (unsigned round = 0; round < ROUNDS; round++) {
        const unsigned kind = rng_below(&r, 8);
        happen();
        if (kind == 0)
            reset();
        else
            quiet(SETTLE);
        if (kind == 0 && rng_below(&r, 2)) /* at once */
            request(false, 4, 0);
        if (kind == 1) {
            request(true, 1, 4 | rng_next(&r));
            must(&wrong, due.first >> 63 == 0, "the first error of round %u is not cleared", round);
        }
        quiet(WIPE);
        look();
    }
    /* holds lcb_regs.bus */
    tap_misses(&wrong, "registers, counters and the first error are what the map says");
    return tap_done();
}
