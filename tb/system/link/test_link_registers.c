// SPDX-License-Identifier: Apache-2.0
/*
 * test_link_registers.c - the register bus: status, limits, commands, counters, first error.
 *
 * Counters are compared with what the channel knows it did and what the golden flows saw, not with
 * events of the design.
 *
 * Built for aries: san. Recorded for lcb.
 */
#include <inttypes.h>

#include "tb/system/link/link_bench.h"

enum { UP_LIMIT = 20000, DEATH_LIMIT = 100000, DRAIN_LIMIT = 400000, UNUSED = 0x0b };
enum { TRAIN = LCB_TRAIN_LIMIT << 16 }; /* in LIMITS */

static struct bench b;

static bool up(const struct bench_config *config, uint64_t seed)
{
    bench_start(&b, config, seed);
    return bench_await(&b, LINK_RUN, UP_LIMIT);
}

static uint64_t counter(unsigned end, enum lcb_counter c)
{
    return bench_read(&b, end, LCB_REG_COUNTERS + c);
}

static void expect(const char *what, uint64_t got, uint64_t due)
{
    tap_why("reads %" PRIx64 ", due is %" PRIx64, got, due);
    tap_ok(got == due, "%s", what);
}

static void values(uint64_t seed)
{
    const struct bench_config config = bench_defaults();
    const bool runs = up(&config, seed);
    const uint64_t status = bench_read(&b, 0, LCB_REG_STATUS);
    tap_ok(runs, "the link runs");
    expect("STATUS: state", status & 7, LINK_RUN);
    expect("STATUS: lane maps and lanes up", status >> 3 & 0x1ff, 0x1ff);
    expect("STATUS: epoch", status >> 12 & 15, 0);
    expect("LIMITS after reset", bench_read(&b, 0, LCB_REG_LIMITS),
           LCB_BAD_LIMIT | LCB_RETRY_LIMIT << 8 | LCB_TRAIN_LIMIT << 16);
    expect("TIMEOUT after reset", bench_read(&b, 0, LCB_REG_TIMEOUT),
           LCB_TIMEOUT | LCB_SHARED << 16);
    expect("CONTROL after reset", bench_read(&b, 0, LCB_REG_CONTROL), 0x70);
    expect("FIRST_ERROR after reset", bench_read(&b, 0, LCB_REG_FIRST_ERROR), 0);
    bench_write(&b, 0, LCB_REG_LIMITS, 0x12345678);
    expect("LIMITS written", bench_read(&b, 0, LCB_REG_LIMITS), 0x12345678);
    bench_write(&b, 0, LCB_REG_TIMEOUT, ~UINT64_C(0));
    expect("TIMEOUT has its bits, and no more shared space than there is",
           bench_read(&b, 0, LCB_REG_TIMEOUT), UINT64_C(92) << 16 | 0xfff);
    bench_write(&b, 0, LCB_REG_STATUS, ~UINT64_C(0));
    expect("STATUS cannot be written", bench_read(&b, 0, LCB_REG_STATUS) & 7, LINK_RUN);
    bench_write(&b, 0, UNUSED, ~UINT64_C(0));
    expect("an unused address reads 0", bench_read(&b, 0, UNUSED), 0);
    uint64_t others = 0;
    for (unsigned bit = 5; bit < 16; bit++)
        others |= bench_read(&b, 0, 1u << bit | LCB_REG_LIMITS);
    expect("so do those that differ from a register's in one bit", others, 0);
    bench_free(&b);
}

/* The bus refuses what REGISTERS.md does not have, and writes of read-only registers; IDENTITY is its parent's to refuse. */
static void errors(uint64_t seed)
{
    enum { WRITABLE = 1 << 1 | 1 << 2 | 1 << 3 | 1 << 6, ADDRESSES = 1 << 12 };
    const struct bench_config config = bench_defaults();
    struct misses wrong = {0};
    bench_start(&b, &config, seed);
    for (unsigned n = 0; n < ADDRESSES + 11; n++) {
        const unsigned addr = n < ADDRESSES ? n : 1u << (n - ADDRESSES + 5) | LCB_REG_LIMITS;
        const bool there = addr < 9 || addr == 10 || addr == 11 || (addr >= 16 && addr < 32);
        const bool read = bench_bus_error(&b, 0, false, addr, 0);
        const bool write = bench_bus_error(&b, 0, true, addr, bench_read(&b, 0, addr));
        const bool writable = addr < 9 && WRITABLE >> addr & 1;
        must_equal(&wrong, read, !there, "error of a read of %x", addr);
        must_equal(&wrong, write, !writable, "error of a write of %x", addr);
    }
    /* holds lcb_regs.error */
    tap_misses(&wrong, "errors of the bus: %d addresses read and written", ADDRESSES);
    bench_free(&b);
}

/* STATUS has the round trip in clocks: what the cables are longer, both ways, but for the steps of frames. */
static void round_trip(uint64_t seed)
{
    enum { LONGER = 40, FRAME = 6 };
    unsigned clocks[2];
    for (unsigned i = 0; i < 2; i++) {
        struct bench_config config = bench_defaults();
        config.cable[0].delay += i * LONGER;
        config.cable[1].delay += i * LONGER;
        const bool runs = up(&config, seed);
        clocks[i] = runs ? bench_read(&b, 0, LCB_REG_STATUS) >> 16 & 0xfff : 0;
        bench_free(&b);
    }
    tap_why("%u and %u clocks", clocks[0], clocks[1]);
    tap_ok(clocks[0] >= 2 * FRAME && clocks[1] + FRAME >= clocks[0] + 2 * LONGER &&
               clocks[1] <= clocks[0] + 2 * LONGER + FRAME,
           "STATUS: the round trip, %u and %u clocks", clocks[0], clocks[1]);
}

/* No more errors, and everything that is under way arrives. */
static bool settle(void)
{
    for (unsigned i = 0; i < 2; i++) {
        struct channel_config quiet = b.config.cable[i];
        quiet.ber = quiet.ack_forge = quiet.ack_loss = 0;
        bench_cable(&b, i, &quiet);
    }
    const bool drained = bench_drain(&b, DRAIN_LIMIT);
    bench_run(&b, 200);
    return drained && bench_clean(&b);
}

static void counters(uint64_t seed)
{
    struct bench_config config = bench_defaults();
    bool pass = up(&config, seed);
    for (unsigned i = 0; i < 2; i++) {
        config.cable[i].ber = 3e-5;
        config.cable[i].ack_forge = 0.1;
        bench_cable(&b, i, &config.cable[i]);
    }
    bench_run(&b, 60000);
    pass = settle() && pass;
    tap_ok(pass, "a run with errors and forged acks is delivered");
    for (unsigned i = 0; i < 2; i++) {
        const struct channel *to = &b.cable[i];
        const unsigned end = 1 - i;
        const uint64_t bad = counter(end, COUNT_CRC), good = counter(end, COUNT_GOOD);
        expect("crc: micropackets with errors", bad, to->errored);
        tap_why("%" PRIu64 " good, %" PRIu64 " bad, %" PRIu64 " sent", good, bad, to->follow.sent);
        tap_ok(good + bad <= to->follow.sent && good + bad + 8 >= to->follow.sent,
               "good and crc together: all that was sent but what is in the cable");
        const uint64_t flits = b.end[i].flow.delivered, accepted = counter(end, COUNT_ACCEPTED);
        tap_why("%" PRIu64 " accepted for %" PRIu64 " flits", accepted, flits);
        tap_ok(accepted * 9 >= flits && accepted <= flits,
               "accepted micropackets carried the flits");
        const uint64_t refused = counter(end, COUNT_ACK_BAD);
        tap_why("%" PRIu64 " refused, %" PRIu64 " forged", refused, to->acks_forged);
        /* a forged ack that is corrupted besides is not seen */
        tap_ok(refused <= to->acks_forged && refused * 20 >= to->acks_forged * 18,
               "acks outside the window: those that the channel forged");
        const uint64_t naks = counter(i, COUNT_NAKS), replays = counter(i, COUNT_REPLAYS);
        expect("replays: micropackets that went over the cable again", replays, to->follow.repeats);
        tap_why("%" PRIu64 " naks, %" PRIu64 " errored", naks, to->errored);
        /* one per gap: errors before the replay begins share it */
        tap_ok(naks > 0 && naks <= to->errored && 2 * naks > to->errored,
               "naks: about one per error");
    }
    bench_write(&b, 0, LCB_REG_CONTROL, 0x74);
    bench_run(&b, 20);
    expect("counters cleared", counter(0, COUNT_CRC), 0);
    tap_ok(counter(0, COUNT_GOOD) < 10, "and counting on");
    expect("first error cleared", bench_read(&b, 0, LCB_REG_FIRST_ERROR) >> 63, 0);
    bench_free(&b);
}

/* Errors on one lane alone: the block that compares bad copies with their replays must name it. */
static void faulty_lane(unsigned lane, uint64_t seed)
{
    struct bench_config config = bench_defaults();
    bool pass = up(&config, seed);
    config.cable[0].ber = 1e-4;
    config.cable[0].spared = 7u & ~(1u << lane);
    bench_cable(&b, 0, &config.cable[0]);
    bench_run(&b, 60000);
    pass = settle() && pass;
    const uint64_t bad = counter(1, COUNT_CRC), blamed = counter(1, COUNT_LANE0 + lane);
    const uint64_t others =
        counter(1, COUNT_LANE0) + counter(1, COUNT_LANE1) + counter(1, COUNT_LANE2);
    tap_why("%" PRIu64 " CRC errors, %" PRIu64 " blamed on the lane, %" PRIu64 " on all", bad,
            blamed, others);
    /* not compared: errors behind another one, and those in the tail alone (1 in 10) */
    tap_ok(pass && bad > 50 && blamed * 2 > bad && blamed == others,
           "errors on lane %u are its own", lane);
    bench_free(&b);
}

static void first_error(uint64_t seed)
{
    struct bench_config config = bench_defaults();
    bool pass = up(&config, seed);
    bench_run(&b, 500);
    struct channel_config once = config.cable[0];
    once.ack_loss = 1;
    bench_cable(&b, 0, &once);
    for (unsigned i = 0; i < 40 && b.cable[0].errored == 0; i++)
        bench_step(&b);
    bench_cable(&b, 0, &config.cable[0]);
    const struct golden_lanes *g = &b.cable[0].follow;
    const uint64_t tail = g->plain.slot[GOLDEN_SLOTS - 1] ^ g->error.slot[GOLDEN_SLOTS - 1];
    const uint64_t clock = b.clock;
    bench_run(&b, 500);
    const uint64_t first = bench_read(&b, 1, LCB_REG_FIRST_ERROR);
    const uint64_t now = bench_read(&b, 1, LCB_REG_FIRST_TIME);
    const uint64_t when =
        now - (uint64_t)b.end[1].in.now + b.clock - 1; /* in clocks of the bench */
    expect("first error: valid", first >> 63, 1);
    expect("first error: its event is the CRC", first & (1 << COUNT_CRC), 1 << COUNT_CRC);
    expect("first error: the sideband as it came", first >> 16 & 0xfffffff, tail >> 20);
    tap_why("at %" PRIu64 ", corrupted at %" PRIu64, when, clock);
    tap_ok(pass && when >= clock && when <= clock + 16, "first error: its time");
    bench_free(&b);
}

static void commands(uint64_t seed)
{
    const struct bench_config config = bench_defaults();
    bool pass = up(&config, seed);
    bench_run(&b, 1000);
    bench_write(&b, 0, LCB_REG_CONTROL, 0x32);
    pass = bench_await(&b, LINK_DEAD, DEATH_LIMIT) && pass;
    tap_ok(pass, "kill: both ends are dead");
    expect("one death counted", counter(0, COUNT_DEATHS), 1);
    bench_run(&b, 2000);
    bench_write(&b, 0, LCB_REG_CONTROL, 0x31);
    bench_write(&b, 1, LCB_REG_CONTROL, 0x71);
    pass = bench_await(&b, LINK_RUN, UP_LIMIT);
    tap_ok(pass, "restart: the link runs again");
    expect("in the next epoch", bench_read(&b, 0, LCB_REG_STATUS) >> 12 & 15, 1);
    expect("end 0 listens on the lanes that it may use", bench_read(&b, 0, LCB_REG_STATUS) >> 6 & 7,
           3);
    expect("end 1 on all", bench_read(&b, 1, LCB_REG_STATUS) >> 6 & 7, 7);
    tap_ok(b.end[0].lcb->out.rx_map == 3 && b.end[1].lcb->out.rx_map == 7 &&
               b.end[0].lcb->out.tx_map == 7 && b.end[1].lcb->out.tx_map == 3,
           "so say the ports");
    bench_run(&b, 2000);
    pass = settle();
    tap_ok(pass, "and delivers");
    bench_free(&b);
}

static void timeout(uint64_t seed)
{
    struct bench_config config = bench_defaults();
    bool pass = up(&config, seed);
    bench_write(&b, 0, LCB_REG_TIMEOUT, 100 | LCB_SHARED << 16);
    config.cable[1].ack_loss = 1;
    bench_cable(&b, 1, &config.cable[1]);
    bench_run(&b, 1500);
    tap_ok(counter(0, COUNT_TIMEOUTS) > 0, "no ack comes back: timeouts");
    pass = settle() && pass;
    tap_ok(pass, "acks come back: all is delivered");
    tap_ok(counter(1, COUNT_REPEATED) > 0, "and what came again was counted as repeated");
    bench_free(&b);
}

/* From now on no ack of end 0 comes through, or no micropacket at all, as lane 2 brings noise. */
static void lose(double acks, double noise)
{
    struct channel_config k = b.config.cable[0];
    k.ack_loss = acks;
    k.ber = noise;
    k.spared = 3;
    bench_cable(&b, 0, &k);
}

/* Clocks until a counter is what it was and so much. */
static uint64_t clocks_until(unsigned end, enum lcb_counter c, uint64_t more)
{
    const uint64_t began = b.clock, due = bench_count(&b, end, c) + more;
    while (bench_count(&b, end, c) < due && b.clock < began + DEATH_LIMIT)
        bench_step(&b);
    return b.clock - began;
}

/* End 1 hears no ack: clocks from one timeout to the next. */
static uint64_t between_timeouts(uint64_t timeout, uint64_t seed)
{
    const struct bench_config config = bench_defaults();
    const bool runs = up(&config, seed);
    bench_write(&b, 1, LCB_REG_TIMEOUT, timeout | LCB_SHARED << 16);
    bench_write(&b, 1, LCB_REG_LIMITS, 255 | TRAIN);
    lose(1, 0);
    clocks_until(1, COUNT_TIMEOUTS, 1);
    const uint64_t gap = clocks_until(1, COUNT_TIMEOUTS, 1);
    bench_free(&b);
    return runs ? gap : 0;
}

/* Nothing comes through: errors until end 1 begins again. */
static uint64_t errors_borne(uint64_t bad_limit, uint64_t seed)
{
    const struct bench_config config = bench_defaults();
    const bool runs = up(&config, seed);
    bench_write(&b, 1, LCB_REG_LIMITS, bad_limit | 255 << 8 | TRAIN);
    lose(0, 0.1);
    clocks_until(1, COUNT_REINITS, 1);
    const uint64_t errors = bench_count(&b, 1, COUNT_CRC);
    bench_free(&b);
    return runs ? errors : 0;
}

/* And again whenever the link is up: how often end 1 begins again before it is dead. */
static uint64_t attempts(uint64_t retry_limit, uint64_t seed)
{
    const struct bench_config config = bench_defaults();
    bool runs = up(&config, seed);
    unsigned tries = 0;
    bench_write(&b, 0, LCB_REG_LIMITS, LCB_BAD_LIMIT | 255 << 8 | TRAIN);
    bench_write(&b, 1, LCB_REG_LIMITS, 3 | retry_limit << 8 | TRAIN);
    while (runs && bench_count(&b, 1, COUNT_DEATHS) == 0) {
        lose(0, 0.1);
        clocks_until(1, COUNT_REINITS, 1);
        lose(0, 0);
        bench_run(&b, 20); /* events of one clock are counted one after the other */
        runs = bench_count(&b, 1, COUNT_DEATHS) || bench_await(&b, LINK_RUN, UP_LIMIT);
        tries++;
    }
    bench_free(&b);
    return runs ? tries - 1 : 0;
}

/* What stands in the registers is what the link goes by, to the error and the attempt, and to the clock in which it is counted. */
static void limits(uint64_t seed)
{
    static const unsigned limit[] = {5, 10, 21, 42, 85};
    bool timeouts = true, errors = true, retries = true;
    for (unsigned i = 0; i < sizeof limit / sizeof *limit; i++) {
        const uint64_t n = limit[i], clocks = n << 4 | n << 1;
        const uint64_t waited = between_timeouts(clocks, seed);
        timeouts &=
            waited + 1 >= clocks && waited <= clocks + 1; /* an event may wait to be counted */
        errors &= errors_borne(n, seed) == n;
        retries &= attempts(n, seed) == n;
    }
    tap_ok(timeouts, "as long as TIMEOUT says it is waited for an ack");
    tap_ok(errors, "as many wrong CRCs in a row as LIMITS says begin it again");
    tap_ok(retries, "it begins again as often as LIMITS says before it is dead");
}

/* Epoch after epoch: any lanes, any shared space, and what is left of the epoch before leaves slowly. */
static void epochs(uint64_t seed)
{
    struct bench_config config = bench_defaults();
    config.traffic[0].drain = config.traffic[1].drain = 0.1;
    bool pass = up(&config, seed), maps = true;
    for (unsigned lanes = 1; lanes < 8; lanes++) {
        bench_run(&b, 500);
        bench_write(&b, 0, LCB_REG_CONTROL, lanes << 4 | 2);
        bench_write(&b, 1, LCB_REG_CONTROL, 7 << 4 | 2);
        pass = bench_await(&b, LINK_DEAD, DEATH_LIMIT) && pass;
        for (unsigned i = 0; i < 2; i++)
            bench_write(&b, i, LCB_REG_TIMEOUT, LCB_TIMEOUT | (8 + 5 * lanes + i) << 16);
        bench_restart(&b, 0);
        bench_restart(&b, 1);
        pass = bench_await(&b, LINK_RUN, DEATH_LIMIT) && pass;
        maps &= b.end[0].lcb->out.rx_map == lanes && b.end[1].lcb->out.tx_map == lanes;
    }
    tap_ok(pass && maps, "seven epochs, each on other lanes");
    tap_ok(settle(), "and each flit is delivered or reported");
    bench_free(&b);
}

int main(int argc, char **argv)
{
    const uint64_t seed = test_seed(argc, argv);
    values(seed);
    errors(seed);
    round_trip(seed);
    counters(seed);
    for (unsigned lane = 0; lane < CHANNEL_LANES; lane++)
        faulty_lane(lane, seed + lane);
    first_error(seed);
    commands(seed);
    timeout(seed);
    limits(seed);
    epochs(seed);
    return tap_done();
}
