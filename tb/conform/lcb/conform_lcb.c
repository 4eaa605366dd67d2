// SPDX-License-Identifier: Apache-2.0
/*
 * conform_lcb.c - what is checked of somebody's link control block, and the runs that do it.
 *
 * Each run is played twice: with our own LCB at the other end, and with the design at both.
 */
#include <inttypes.h>

#include "tb/base/harness.h"
#include "tb/conform/conform.h"
#include "tb/conform/lcb/checks.h"
#include "tb/conform/lcb/lcb_bench.h"

enum { OURS, SAME };
enum { UP_LIMIT = 20000, AGAIN_LIMIT = 40000, DEATH_LIMIT = 150000 };

static const struct conform_check checks[LCB_CHECKS] = {
    [LCB_BRING_UP] = {"bring-up", "both ends run soon after power-up, on lanes with skew, too"},
    [LCB_FRAMES] =
        {"frames",
         "discovery frames are whole and the same on all lanes; lanes outside the map are silent"},
    [LCB_CRC] = {"crc", "micropackets on the wire have the right CRC"},
    [LCB_MICROPACKETS] = {"micropackets", "slots without a flit are zero"},
    [LCB_SEQUENCE] = {"sequence",
                      "numbers go on by one; what is sent again is the same; at most 64 wait"},
    [LCB_ACKS] = {"acks", "acks are due, never go back, and a gap is named"},
    [LCB_DELIVERY] = {"delivery", "each flit comes once, or is reported"},
    [LCB_ORDER] = {"order", "flits come in the order in which they were taken"},
    [LCB_BODIES] = {"bodies", "flits come unchanged"},
    [LCB_MARKS] = {"marks", "flits that are marked bad come so, and no others"},
    [LCB_FRAMING] = {"framing",
                     "heads and tails are where the lengths say; a cut packet is closed"},
    [LCB_CREDITS] = {"credits", "nobody overruns an input queue, and all room comes back"},
    [LCB_RECOVERY] = {"recovery", "bit errors and noise are survived, without a restart and soon"},
    [LCB_LANES] = {"lanes", "all good lanes are used, and two or one when others die"},
    [LCB_REPORTS] = {"reports", "a dead link reports what was not delivered"},
    [LCB_EPOCHS] = {"epochs", "it comes up again after resets, deaths and restarts, of either end"},
    [LCB_SIDEBAND] = {"sideband", "load and time of the peer come, fresh and right"},
    [LCB_REGISTERS] = {"registers", "the register map is answered as documented"},
    [LCB_EXACT] = {"exact", "every output is ours, clock by clock"},
};

enum {
    ON_THE_WIRE =
        1 << LCB_FRAMES | 1 << LCB_CRC | 1 << LCB_MICROPACKETS | 1 << LCB_SEQUENCE | 1 << LCB_ACKS,
    FLITS = 1 << LCB_DELIVERY | 1 << LCB_ORDER | 1 << LCB_BODIES | 1 << LCB_FRAMING,
    CLEAN = 1 << LCB_BRING_UP | ON_THE_WIRE | FLITS | 1 << LCB_CREDITS,
};

static struct lcb_bench b;

static bool up(const struct lcb_bench_config *config, uint64_t seed)
{
    lcb_bench_start(&b, config, seed);
    return lcb_bench_up(&b, LCB_BRING_UP, UP_LIMIT);
}

static void finish(void)
{
    lcb_bench_finish(&b);
    lcb_bench_free(&b);
}

/* ---- a good cable ------------------------------------------------------------------------------------ */

static uint64_t delivered(void)
{
    return b.end[0].flow.delivered + b.end[1].flow.delivered;
}

static void saturated(uint64_t seed, unsigned variant)
{
    enum { WARM = 2000, CLOCKS = 12000 };
    const struct lcb_bench_config config = lcb_bench_defaults(variant == SAME);
    if (up(&config, seed)) {
        lcb_bench_run(&b, WARM);
        const uint64_t before = delivered();
        lcb_bench_run(&b, CLOCKS);
        if (!b.over)
            conform_figure(variant == SAME ? "flits_per_clock_with_itself"
                                           : "flits_per_clock_with_ours",
                           (double)(delivered() - before) / (2.0 * CLOCKS));
        if (b.cable[0].follow.repeats > 0)
            conform_fails(LCB_ACKS, b.clock,
                          "on a good cable %" PRIu64 " micropackets are sent twice",
                          b.cable[0].follow.repeats);
        if (b.end[0].times == 0)
            conform_fails(LCB_SIDEBAND, b.clock, "the design never tells the time of its peer");
        if (b.end[1].times == 0)
            conform_fails(LCB_SIDEBAND, b.clock, "the peer never gets the time of the design");
    }
    finish();
}

/* Marks, bubbles, skew, a long cable, a queue that is small and slow. */
static void uneven(uint64_t seed, unsigned variant)
{
    struct lcb_bench_config config = lcb_bench_defaults(variant == SAME);
    for (unsigned i = 0; i < 2; i++) {
        config.traffic[i].mark = 0.03;
        config.traffic[i].bubble = 0.05;
        config.traffic[i].load = 0.3;
        config.traffic[i].drain = 0.7;
        config.traffic[i].shared = 16;
        config.cable[i].delay = 60 + 10 * i;
        config.cable[i].skew[i] = 11;
        config.cable[i].skew[2] = 5;
    }
    if (up(&config, seed))
        lcb_bench_run(&b, 12000);
    finish();
}

/* Packets of one VC and of one flit, queues that take nothing for a while: all room is used up. */
static void full_queues(uint64_t seed, unsigned variant)
{
    struct lcb_bench_config config = lcb_bench_defaults(variant == SAME);
    for (unsigned i = 0; i < 2; i++) {
        config.traffic[i].shared = 32;
        config.traffic[i].max_length = i ? 1 : 14;
        config.traffic[i].vcs = i ? 0x11 : 0xff;
        config.traffic[i].drain = 0.4;
    }
    if (up(&config, seed)) {
        lcb_bench_run(&b, 3000);
        for (unsigned i = 0; i < 2; i++)
            b.end[i].sink.config.drain = 0;
        lcb_bench_run(&b, 3000);
        for (unsigned i = 0; i < 2; i++)
            b.end[i].sink.config.drain = 0.8;
        lcb_bench_run(&b, 3000);
    }
    finish();
}

/* ---- errors ------------------------------------------------------------------------------------------ */

static void bit_errors(double ber, uint64_t seed, unsigned variant)
{
    struct lcb_bench_config config = lcb_bench_defaults(variant == SAME);
    for (unsigned i = 0; i < 2; i++) {
        config.traffic[i].mark = 0.01;
        config.cable[i].delay = 20;
        config.cable[i].ber = ber;
        config.cable[i].ack_loss = 0.01;
    }
    if (up(&config, seed)) {
        lcb_bench_run(&b, 20000);
        if (b.epochs > 0)
            conform_fails(LCB_RECOVERY, b.clock, "bit errors at a rate of %g end in a new epoch",
                          ber);
    }
    finish();
}

static void few_errors(uint64_t seed, unsigned variant)
{
    bit_errors(1e-5, seed, variant);
}

static void some_errors(uint64_t seed, unsigned variant)
{
    bit_errors(1e-4, seed, variant);
}

static void many_errors(uint64_t seed, unsigned variant)
{
    bit_errors(5e-4, seed, variant);
}

/* Corrupts the next micropacket of this direction; whether it had flits, which must be sent again then. */
static bool corrupt(unsigned from)
{
    enum { LIMIT = 100 };
    const struct golden_micropacket pattern = {.slot = {[1] = 3, [4] = UINT64_C(1) << 40}};
    const struct channel *k = &b.cable[from];
    const uint64_t errored = k->errored;
    channel_inject(&b.cable[from], &pattern);
    for (unsigned n = 0; n < LIMIT && k->errored == errored && !b.over; n++)
        lcb_bench_step(&b);
    return golden_flits(k->follow.plain.slot[GOLDEN_SLOTS - 1]) > 0;
}

static void await_growth(const uint64_t *count, unsigned check, const char *what)
{
    enum { SOON = 600 };
    const uint64_t before = *count, began = b.clock;
    while (*count == before && !b.over && b.clock < began + SOON)
        lcb_bench_step(&b);
    if (*count == before && !b.over)
        conform_fails(check, began, "a micropacket was corrupted here, and %u clocks later %s",
                      SOON, what);
}

/* One micropacket is lost at a time: the receiver says so, the sender begins again there. */
static void lost_micropackets(uint64_t seed, unsigned variant)
{
    const struct lcb_bench_config config = lcb_bench_defaults(variant == SAME);
    if (up(&config, seed)) {
        for (unsigned n = 0; n < 20 && !b.over; n++) {
            const unsigned from = n % 2;
            lcb_bench_run(&b, 300 + 37 * n);
            if (!corrupt(from))
                continue;
            if (from)
                await_growth(&b.end[0].wire.naks, LCB_ACKS, "the design has not named a gap");
            else
                await_growth(&b.cable[0].follow.repeats, LCB_RECOVERY,
                             "the design sends nothing again");
        }
    }
    finish();
}

static void forged_acks(uint64_t seed, unsigned variant)
{
    struct lcb_bench_config config = lcb_bench_defaults(variant == SAME);
    for (unsigned i = 0; i < 2; i++) {
        config.cable[i].ack_forge = 0.1;
        config.cable[i].ack_loss = 0.05;
    }
    if (up(&config, seed))
        lcb_bench_run(&b, 10000);
    finish();
}

/* All lanes of one direction go bad for a while: both begin anew, in the same epoch, and nothing is lost. */
static void noise(uint64_t seed, unsigned variant)
{
    const struct lcb_bench_config config = lcb_bench_defaults(variant == SAME);
    if (up(&config, seed)) {
        for (unsigned n = 0; n < 6 && !b.over; n++) {
            lcb_bench_run(&b, 4000);
            lcb_bench_lanes(&b, n % 2, 7, n % 3 ? LANE_ONE : LANE_DOWN);
            lcb_bench_run(&b, 300 + 31 * n);
            lcb_bench_lanes(&b, n % 2, 7, LANE_GOOD);
            lcb_bench_up(&b, LCB_RECOVERY, UP_LIMIT);
        }
        if (b.epochs > 0)
            conform_fails(LCB_RECOVERY, b.clock,
                          "lanes that were bad for some hundred clocks end in a new epoch");
    }
    finish();
}

/* ---- lanes that die ------------------------------------------------------------------------------------ */

static void expect_lanes(unsigned from, unsigned lanes)
{
    const struct lcb_end *sender = &b.end[from], *receiver = &b.end[1 - from];
    if (b.over)
        return;
    if (receiver->out.rx_map != lanes)
        conform_fails(LCB_LANES, b.clock, "%s listens on lanes %x, good are %x",
                      from ? "the design" : "its peer", (unsigned)receiver->out.rx_map, lanes);
    if (sender->out.tx_map != lanes)
        conform_fails(LCB_LANES, b.clock, "%s sends on lanes %x, good are %x",
                      from ? "its peer" : "the design", (unsigned)sender->out.tx_map, lanes);
}

/* A lane of one direction, then another: the link goes on with those that are left. */
static void lane_death(uint64_t seed, unsigned variant)
{
    const struct lcb_bench_config config = lcb_bench_defaults(variant % 2 == SAME);
    const unsigned from = variant / 2, first = (unsigned)(seed % 3), second = (first + 1) % 3;
    const enum lane_state kinds[] = {LANE_DOWN, LANE_ZERO, LANE_ONE};
    if (up(&config, seed)) {
        expect_lanes(0, 7);
        expect_lanes(1, 7);
        lcb_bench_run(&b, 2000);
        lcb_bench_lanes(&b, from, 1u << first, kinds[seed % 3]);
        lcb_bench_run(&b, 4000);
        lcb_bench_up(&b, LCB_LANES, UP_LIMIT);
        expect_lanes(from, 7u & ~(1u << first));
        expect_lanes(1 - from, 7);
        lcb_bench_run(&b, 2000);
        lcb_bench_lanes(&b, from, 1u << second, LANE_NOISE);
        lcb_bench_run(&b, 4000);
        lcb_bench_up(&b, LCB_LANES, UP_LIMIT);
        expect_lanes(from, 7u & ~(1u << first) & ~(1u << second));
        lcb_bench_run(&b, 3000);
        if (b.epochs > 0)
            conform_fails(LCB_LANES, b.clock, "dead lanes end in a new epoch");
    }
    finish();
}

/* ---- epochs ------------------------------------------------------------------------------------------ */

/* The end is reset, in the middle of traffic, again and again. */
static void resets(uint64_t seed, unsigned variant)
{
    struct lcb_bench_config config = lcb_bench_defaults(variant % 2 == SAME);
    config.cable[0].delay = config.cable[1].delay = 10;
    if (up(&config, seed)) {
        for (unsigned n = 0; n < 3 && !b.over; n++) {
            lcb_bench_run(&b, 1500 + 77 * n);
            lcb_bench_reset(&b, variant / 2);
            lcb_bench_run(&b, 300);
            lcb_bench_up(&b, LCB_EPOCHS, AGAIN_LIMIT);
        }
        lcb_bench_run(&b, 2000);
    }
    finish();
}

/* One end comes to power late; the other waits, however long. */
static void late_power(uint64_t seed, unsigned variant)
{
    const struct lcb_bench_config config = lcb_bench_defaults(variant % 2 == SAME);
    const unsigned from = variant / 2;
    lcb_bench_start(&b, &config, seed);
    lcb_bench_lanes(&b, from, 7, LANE_DOWN);
    lcb_bench_run(&b, 30000);
    lcb_bench_lanes(&b, from, 7, LANE_GOOD);
    if (lcb_bench_up(&b, LCB_BRING_UP, AGAIN_LIMIT))
        lcb_bench_run(&b, 1000);
    finish();
}

static void await_dead(void)
{
    if (!lcb_bench_await(&b, LINK_DEAD, DEATH_LIMIT) && !b.over)
        conform_fails(LCB_EPOCHS, b.clock,
                      "without lanes the design is in state %u, its peer in %u; 0 is DEAD",
                      (unsigned)b.end[0].out.state, (unsigned)b.end[1].out.state);
}

/* A dead link has nothing to say on its lanes. */
static void expect_silence(void)
{
    for (unsigned n = 0; n < 100 && !b.over; n++) {
        lcb_bench_step(&b);
        for (unsigned l = 0; l < CHANNEL_LANES; l++)
            if (b.end[0].out.tx_lane[l] != 0)
                conform_fails(LCB_EPOCHS, b.clock, "the design is dead and sends %04x on lane %u",
                              (unsigned)b.end[0].out.tx_lane[l], l);
    }
}

/* The cable is cut in one direction or in both, comes back, and one end after the other is restarted. */
static void cable_cut(uint64_t seed, unsigned variant)
{
    struct lcb_bench_config config = lcb_bench_defaults(variant % 2 == SAME);
    const unsigned first = variant / 2 % 2;
    for (unsigned i = 0; i < 2; i++) {
        config.cable[i].delay = 25;
        config.traffic[i].mark = 0.03;
    }
    if (up(&config, seed)) {
        lcb_bench_run(&b, 3000 + seed % 777);
        lcb_bench_lanes(&b, first, 7, LANE_DOWN);
        if (seed % 2)
            lcb_bench_lanes(&b, 1 - first, 7, LANE_DOWN);
        await_dead();
        lcb_bench_run(&b, 100);
        expect_silence();
        lcb_bench_run(&b, 2000);
        lcb_bench_lanes(&b, 0, 7, LANE_GOOD);
        lcb_bench_lanes(&b, 1, 7, LANE_GOOD);
        lcb_bench_restart(&b, first);
        lcb_bench_run(&b, 50);
        lcb_bench_restart(&b, 1 - first);
        if (lcb_bench_up(&b, LCB_EPOCHS, AGAIN_LIMIT))
            lcb_bench_run(&b, 3000);
        if (!b.over && b.epochs == 0)
            conform_fails(LCB_EPOCHS, b.clock, "it died, was restarted, and there is no new epoch");
    }
    finish();
}

/* A restart of one end in the middle of traffic: the other one follows, and both report what did not come. */
static void restarts(uint64_t seed, unsigned variant)
{
    const struct lcb_bench_config config = lcb_bench_defaults(variant % 2 == SAME);
    if (up(&config, seed)) {
        for (unsigned n = 0; n < 3 && !b.over; n++) {
            const uint64_t epochs = b.epochs;
            lcb_bench_run(&b, 1000 + 77 * n);
            lcb_bench_restart(&b, variant / 2);
            lcb_bench_run(&b, 3000);
            lcb_bench_up(&b, LCB_EPOCHS, AGAIN_LIMIT);
            if (!b.over && b.epochs == epochs)
                conform_fails(LCB_EPOCHS, b.clock, "a restart, and there is no new epoch");
        }
    }
    finish();
}

/* ---- registers --------------------------------------------------------------------------------------- */

static void expect(const char *name, unsigned addr, uint64_t mask, uint64_t due)
{
    if (b.over)
        return;
    const uint64_t got = lcb_bench_read(&b, 0, addr);
    if (!b.over && (got & mask) != due)
        conform_fails(LCB_REGISTERS, b.clock,
                      "%s (%02x) reads %" PRIx64 ", bits %" PRIx64 " of it should be %" PRIx64,
                      name, addr, got, mask, due);
}

static void expect_counter(const char *name, enum lcb_counter c, uint64_t least, uint64_t most)
{
    const uint64_t got = lcb_bench_read(&b, 0, LCB_REG_COUNTERS + c);
    if (!b.over && (got < least || got > most))
        conform_fails(LCB_REGISTERS, b.clock,
                      "counter %s (%02x) reads %" PRIu64 ", it should be %" PRIu64 " to %" PRIu64,
                      name, LCB_REG_COUNTERS + c, got, least, most);
}

enum { LIMITS = LCB_BAD_LIMIT | LCB_RETRY_LIMIT << 8 | LCB_TRAIN_LIMIT << 16 };
#define CAPTURED (UINT64_C(1) << 63)

static void values(void)
{
    const uint64_t all = ~UINT64_C(0);
    expect("STATUS", LCB_REG_STATUS, 0xffff, LINK_RUN | 0x1ff << 3);
    expect("CONTROL", LCB_REG_CONTROL, all, 0x70);
    expect("LIMITS", LCB_REG_LIMITS, all, LIMITS);
    expect("TIMEOUT", LCB_REG_TIMEOUT, all, LCB_TIMEOUT | LCB_SHARED << 16);
    expect("IDENTITY", LCB_REG_IDENTITY, all, LCB_CHIP | LCB_PORT << 16);
    expect("PEER", LCB_REG_PEER, all, (LCB_CHIP + 1) | (LCB_PORT + 1) << 16);
    expect("FIRST_ERROR", LCB_REG_FIRST_ERROR, CAPTURED, 0);
    lcb_bench_write(&b, 0, LCB_REG_LIMITS, 0x12345678);
    expect("LIMITS", LCB_REG_LIMITS, all, 0x12345678);
    lcb_bench_write(&b, 0, LCB_REG_LIMITS, LIMITS);
}

/* Bit errors on the way to the design, and what it counts of them. */
static void counters(void)
{
    const uint64_t errored = b.cable[1].errored;
    struct channel_config errors = b.config.cable[1];
    errors.ber = 3e-5;
    lcb_bench_cable(&b, 1, &errors);
    lcb_bench_run(&b, 8000);
    errors.ber = 0;
    lcb_bench_cable(&b, 1, &errors);
    lcb_bench_run(&b, 500);
    const uint64_t wrong = b.cable[1].errored - errored, sent = b.cable[1].follow.sent;
    expect_counter("crc", COUNT_CRC, wrong, wrong);
    expect_counter("good", COUNT_GOOD, sent - wrong - 60, sent);
    expect_counter("deaths", COUNT_DEATHS, 0, 0);
    expect_counter("replays", COUNT_REPLAYS, b.cable[0].follow.repeats,
                   b.cable[0].follow.repeats + 1);
    expect("FIRST_ERROR", LCB_REG_FIRST_ERROR, CAPTURED | 1 << COUNT_CRC,
           CAPTURED | 1 << COUNT_CRC);
    lcb_bench_write(&b, 0, LCB_REG_CONTROL, 0x74);
    lcb_bench_run(&b, 50);
    expect_counter("crc", COUNT_CRC, 0, 0);
    expect("FIRST_ERROR", LCB_REG_FIRST_ERROR, CAPTURED, 0);
}

/* Killed and restarted by CONTROL. */
static void commands(void)
{
    lcb_bench_write(&b, 0, LCB_REG_CONTROL, 0x72);
    await_dead();
    expect("STATUS", LCB_REG_STATUS, 7, LINK_DEAD);
    expect_counter("deaths", COUNT_DEATHS, 1, 1);
    lcb_bench_restart(&b, 1);
    lcb_bench_write(&b, 0, LCB_REG_CONTROL, 0x71);
    lcb_bench_up(&b, LCB_REGISTERS, AGAIN_LIMIT);
    expect("STATUS", LCB_REG_STATUS, 15 << 12, 1 << 12);
}

static void registers(uint64_t seed, unsigned variant)
{
    const struct lcb_bench_config config = lcb_bench_defaults(variant == SAME);
    if (up(&config, seed)) {
        lcb_bench_run(&b, 200);
        values();
        counters();
        commands();
    }
    finish();
}

/* ---- all of it --------------------------------------------------------------------------------------- */

/* A run with our own at the other end, and one with the design itself. */
#define TWICE(name, checks, play, variant)                                                         \
    {name ", with ours", (checks), play, 2 * (variant) + OURS},                                    \
    {                                                                                              \
        name ", with itself", (checks), play, 2 * (variant) + SAME                                 \
    }

static const struct conform_run runs[] = {
    TWICE("good cable", CLEAN | 1 << LCB_SIDEBAND, saturated, 0),
    TWICE("skew, marks, bubbles, long cables", CLEAN | 1 << LCB_MARKS, uneven, 0),
    TWICE("full queues", CLEAN, full_queues, 0),
    TWICE("bit errors at 1e-5", ON_THE_WIRE | FLITS, few_errors, 0),
    TWICE("bit errors at 1e-4", ON_THE_WIRE | FLITS | 1 << LCB_RECOVERY, some_errors, 0),
    TWICE("bit errors at 5e-4", ON_THE_WIRE | FLITS | 1 << LCB_RECOVERY, many_errors, 0),
    TWICE("single lost micropackets", ON_THE_WIRE | FLITS | 1 << LCB_RECOVERY, lost_micropackets,
          0),
    TWICE("lost and forged acks", FLITS, forged_acks, 0),
    TWICE("all lanes bad for a while", ON_THE_WIRE | FLITS | 1 << LCB_RECOVERY, noise, 0),
    TWICE("lanes to the peer die", ON_THE_WIRE | FLITS | 1 << LCB_LANES, lane_death, 0),
    TWICE("lanes to the design die", ON_THE_WIRE | FLITS | 1 << LCB_LANES, lane_death, 1),
    TWICE("the design is reset", 1 << LCB_EPOCHS, resets, 0),
    TWICE("the peer is reset", 1 << LCB_EPOCHS, resets, 1),
    TWICE("both are reset", 1 << LCB_EPOCHS, resets, 2),
    TWICE("the design is heard late", 1 << LCB_BRING_UP, late_power, 0),
    TWICE("the peer is heard late", 1 << LCB_BRING_UP, late_power, 1),
    TWICE("cable cut, design restarted first", 1 << LCB_EPOCHS | 1 << LCB_REPORTS, cable_cut, 0),
    TWICE("cable cut, peer restarted first", 1 << LCB_EPOCHS | 1 << LCB_REPORTS, cable_cut, 1),
    TWICE("the design is restarted", 1 << LCB_EPOCHS | 1 << LCB_REPORTS, restarts, 0),
    TWICE("the peer is restarted", 1 << LCB_EPOCHS | 1 << LCB_REPORTS, restarts, 1),
    TWICE("registers", 1 << LCB_REGISTERS, registers, 0),
};

int main(int argc, char **argv)
{
    static const struct conform_block block = {.name = "lcb",
                                               .checks = checks,
                                               .n_checks = LCB_CHECKS,
                                               .runs = runs,
                                               .n_runs = sizeof runs / sizeof *runs};
    return conform_main(argc, argv, &block);
}
