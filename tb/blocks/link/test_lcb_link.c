// SPDX-License-Identifier: Apache-2.0
/*
 * test_lcb_link.c - lcb_link alone against the rules of lcb_link_due.c: states, lane maps, epochs, round trip, and the
 * outputs to the other blocks, clock by clock.
 *
 * First the inputs are whatever happens to a link, at rates that change from era to era; then what takes long: limits to
 * the clock, a round trip of any length, progress that makes up for all re-initialisations.
 *
 * Built for aries: san. Recorded for lcb_link.
 */
#include "tb/base/harness.h"
#include "tb/blocks/link/lcb_link_due.h"

enum { ERAS = 4000 };

static struct lcb_link dut;
static struct lcb_link_in in;
static struct rng r;
static uint64_t now;
static struct misses wrong;

static struct frame peer;

/* One clock of both. */
static void step(void)
{
    in.peer_info0 = (u16)(peer.epoch << 12 | peer.rx_map << 9 | peer.tx_map << 6);
    in.peer_info1 =
        (u16)(peer.fresh << 15 | peer.used << 14 | peer.ping << 12 | peer.pong << 10 | peer.shared);
    in.peer = (struct link_identity){(u16)peer.chip, (u6)peer.port};
    in.peer_echo = (u10)peer.echo;
    lcb_link(&dut, &in);
    due_step(&in, &peer, now);
    due_must_equal(&wrong, &dut.out, &in);
    now++;
}

static void reset(void)
{
    lcb_link_reset(&dut);
    due_reset(now);
    must(&wrong, !(dut.out.quiet || dut.out.run || dut.out.arm || dut.out.clear || dut.out.flush),
         "after a reset it is quiet, runs, arms, clears or flushes");
}

/* ---- whatever happens ---------------------------------------------------------------------------- */

/* How often, in this era, in 1024. */
static struct {
    unsigned frames, agreed, wild, loop, echo, lanes, lane_loss, data, good, bad, trouble, kill,
        requests;
} rate;

static bool often(unsigned in_1024)
{
    return rng_below(&r, 1024) < in_1024;
}

static unsigned one_of(const unsigned *list, unsigned n)
{
    return list[rng_below(&r, n)];
}

#define ONE_OF(...)                                                                                \
    one_of((const unsigned[]){__VA_ARGS__}, sizeof(unsigned[]){__VA_ARGS__} / sizeof(unsigned))

static void new_rates(void)
{
    rate.frames = ONE_OF(1024, 100, 10);
    rate.agreed = ONE_OF(1024, 1000, 500, 0);
    rate.wild = ONE_OF(0, 0, 30, 500);
    rate.loop = ONE_OF(0, 0, 0, 0, 0, 0, 5, 200);
    rate.echo = ONE_OF(10, 300, 1024);
    rate.lanes = ONE_OF(0, 0, 1, 50, 500);
    rate.lane_loss = ONE_OF(0, 0, 0, 2, 50);
    rate.data = ONE_OF(300, 20, 1);
    rate.good = ONE_OF(500, 100, 0);
    rate.bad = ONE_OF(0, 0, 100, 900);
    rate.trouble = ONE_OF(0, 0, 1, 20);
    rate.kill = ONE_OF(0, 0, 0, 2);
    rate.requests = ONE_OF(500, 50, 10);
}

/* What takes long and is rare in other eras: lanes are waited for, and a link that runs makes up for what went wrong before. */
static void calm_rates(void)
{
    rate.frames = rate.agreed = rate.echo = 1024;
    rate.wild = rate.loop = rate.lanes = rate.lane_loss = 0;
    rate.bad = rate.trouble = rate.kill = 0;
    rate.good = 1000;
    rate.data = 300;
    rate.requests = 500;
}

/* Also to less than what is counted already. */
static void new_limits(void)
{
    in.lanes = (u3)(rng_below(&r, 4) ? 7 : rng_below(&r, 8));
    in.shared_space = (u9)rng_next(&r);
    in.identity = (struct link_identity){(u16)ONE_OF(0, 1, 2, 3, 4), (u6)rng_below(&r, 2)};
    in.loopback = rng_below(&r, 4) == 0;
    in.bad_limit = (u8)ONE_OF(16, 1, 3, 255);
    in.retry_limit = (u8)ONE_OF(0, 1, 2, 3, 8);
    in.train_limit = (u16)ONE_OF(4096, 4096, 4096, 4096, 4096, 700, 40, 3);
}

/* Mostly a peer that shares our epoch and listens to what we say; a wild one says anything. */
static void new_frame(void)
{
    const bool wild = often(rate.wild);
    if (due.state == LINK_START && !wild && rng_below(&r, 32))
        return; /* who has agreed mostly stays with it */
    peer.epoch = wild ? rng_below(&r, 16) : due.epoch;
    peer.rx_map = rng_below(&r, 8);
    peer.tx_map = rng_below(&r, 3) ? due.rx_map : rng_below(&r, 8);
    peer.fresh = wild ? rng_below(&r, 2) : !due.used;
    peer.used = wild ? rng_below(&r, 2) : !due.fresh;
    peer.ping = rng_below(&r, 4);
    peer.shared = rng_below(&r, 512);
    const bool loop = often(rate.loop);
    peer.chip = loop ? (unsigned)in.identity.chip : wild ? rng_below(&r, 8) : 7;
    peer.port = loop ? (unsigned)in.identity.port : wild ? rng_below(&r, 2) : 1;
    peer.echo =
        due_fold(in.identity) ^ (wild && rng_below(&r, 4) == 0 ? 1u << rng_below(&r, 10) : 0);
}

static void happen(void)
{
    if (often(rate.frames))
        new_frame();
    in.agreed = often(rate.agreed);
    peer.pong = often(rate.echo) ? due.ping : (due.ping + 1 + rng_below(&r, 3)) & 3;
    if (often(rate.lanes))
        in.good = (u3)rng_below(&r, 8);
    in.lane_up = (u3)(often(rate.lane_loss) ? rng_below(&r, 8) : 7);
    in.started = often(rate.data);
    in.data = due_runs() && often(rate.data);
    in.rx_good = often(rate.good);
    in.rx_crc_error = !in.rx_good && often(rate.bad);
    in.rx_accepted = in.rx_good && due_runs() && often(300);
    in.tx_acked = due_runs() && often(rate.good / 4);
    in.tx_took = often(rate.good / 8);
    in.overflow = often(rate.trouble);
    in.tx_ecc_fatal = often(rate.trouble);
    in.kill = often(rate.kill);
    in.restart = often(due.state == LINK_DEAD ? rate.requests : rate.kill);
    in.rx_lost = often(rate.kill);
    in.tx_flushing = often(1024 - rate.requests);
    in.rx_closed = often(rate.requests);
    in.drained = often(rate.requests);
    step();
}

static void eras(void)
{
    reset();
    for (unsigned era = 0; era < ERAS; era++) {
        const bool is_calm = rng_below(&r, 16) == 0;
        new_rates();
        if (is_calm)
            calm_rates();
        if (rng_below(&r, 3) == 0)
            new_limits();
        if (rng_below(&r, 2))
            in.good = in.lanes;
        else if (is_calm)
            in.good = (u3)rng_below(&r, 8);
        if (rng_below(&r, is_calm ? 4 : 50) == 0)
            reset();
        unsigned clocks = is_calm ? 2 * PATIENCE : rng_below(&r, 1u << (4 + rng_below(&r, 7)));
        while (clocks-- > 0)
            happen();
    }
}

/* ---- what takes long ----------------------------------------------------------------------------- */

/* A peer that agrees, and nothing that goes wrong. */
static void calm(void)
{
    in = (struct lcb_link_in){.lane_up = 7, .agreed = 1, .lanes = 7, .bad_limit = 16};
    in.retry_limit = 1;
    in.train_limit = 50000;
    peer = (struct frame){.rx_map = 7, .tx_map = 7, .fresh = 1, .pong = 3};
}

static bool to_run(void)
{
    in.good = in.started = in.data = 1;
    in.good = 7;
    for (unsigned clock = 0; clock < 8; clock++) {
        peer.pong = due.ping;
        peer.epoch = due.epoch;
        peer.fresh = due.fresh;
        step();
    }
    return dut.out.state == LINK_RUN;
}

/* Some lanes get good, the others later or not at all: so long until they are chosen. */
static unsigned chosen_after(unsigned good, unsigned others_after)
{
    unsigned clocks = 0;
    calm();
    reset();
    for (unsigned none = rng_below(&r, 10); none < 10; none++)
        step();
    in.good = (u3)good;
    while (dut.out.state == LINK_TRAIN && clocks < 2000) {
        in.good |= (u3)(clocks == others_after ? 7 : 0);
        step();
        clocks++;
    }
    return clocks;
}

/* So many good micropackets between two re-initialisations of which one is allowed: is it dead after them? */
static bool dies_after(unsigned good)
{
    calm();
    reset();
    bool pass = to_run();
    for (unsigned i = 0; i < 2; i++) {
        in.rx_good = 1;
        for (unsigned n = 0; n < (i ? good : 10); n++)
            step();
        in.rx_good = 0;
        step(); /* what was counted counts later, by two clocks */
        step();
        in.overflow = 1;
        step();
        in.overflow = 0;
        step(); /* acted on a clock later */
        pass = pass && dut.out.reinit && (i || (!dut.out.died && to_run()));
    }
    return pass && dut.out.died;
}

/* Wrong CRCs in a row, one less than the limit and then, behind a good one, as many: only those begin it again. */
static bool counts_errors(unsigned limit)
{
    calm();
    reset();
    bool pass = to_run();
    in.bad_limit = (u8)limit;
    in.rx_crc_error = 1;
    for (unsigned n = 1; n < limit; n++)
        step();
    in.rx_crc_error = 0;
    in.rx_good = 1;
    step();
    in.rx_good = 0;
    in.rx_crc_error = 1;
    for (unsigned n = 0; n < limit; n++) {
        pass = pass && dut.out.run;
        step();
    }
    in.rx_crc_error = 0;
    step(); /* what was counted is seen a clock later */
    return pass && dut.out.reinit && !dut.out.died;
}

/* Broken again and again: so many re-initialisations, and then it is dead. */
static bool counts_retries(unsigned limit)
{
    calm();
    reset();
    in.retry_limit = (u8)limit;
    bool pass = true;
    for (unsigned n = 0; n <= limit; n++) {
        pass = pass && to_run();
        in.overflow = 1;
        step();
        in.overflow = 0;
        step(); /* acted on a clock later */
        pass = pass && dut.out.reinit && dut.out.died == (n == limit);
    }
    return pass;
}

/* The peer echoes after so many clocks: what is measured in the end. */
static unsigned measured(unsigned clocks)
{
    calm();
    reset();
    for (unsigned n = 0; n < 3; n++)
        for (unsigned clock = 0; clock < clocks; clock++) {
            peer.pong = clock == clocks - 1 ? due.ping : (due.ping + 2) & 3;
            step();
        }
    for (unsigned clock = 0; clock < 2; clock++) { /* it is heard, and makes the hold time */
        peer.pong = (due.ping + 2) & 3;
        step();
    }
    must_equal(&wrong, dut.out.hold, clocks < TRIP_MOST - HOLD ? clocks + HOLD : TRIP_MOST,
               "hold time for a round trip of %u", clocks);
    return (unsigned)dut.out.round_trip;
}

/* Nobody is there: so many clocks until lanes are looked for anew, shown by the frames' tx map, which goes back to 0. */
static unsigned gives_up_after(unsigned limit)
{
    unsigned clocks = 0;
    calm();
    reset();
    in.train_limit = (u16)limit;
    do {
        peer.pong = due.ping;
        step();
        clocks++;
    } while ((dut.out.tx_map == 7 || clocks < 8) && clocks < 100000);
    must(&wrong, !dut.out.reinit, "a fresh bring-up is counted as another one");
    return clocks;
}

static void long_ones(void)
{
    unsigned late = chosen_after(1, 3000), joined = chosen_after(5, 300);
    tap_why("after %u and %u clocks", late, joined);
    /* holds lcb_link.lanes */
    tap_ok(late == PATIENCE && joined == 301, "other lanes are waited for, %d clocks at most",
           PATIENCE);
    /* holds lcb_link.dead */
    tap_ok(dies_after(0) && dies_after(PROGRESS - 1) && !dies_after(PROGRESS) && !dies_after(3000),
           "%d good micropackets make up for re-initialisations, one less does not", PROGRESS);
    bool pass = true;
    for (unsigned limit = 1; limit < 256; limit++)
        pass = pass && counts_errors(limit);
    /* holds lcb_link.again */
    tap_ok(pass, "as many wrong CRCs in a row as the limit says begin it again, up to 255");
    pass = true;
    for (unsigned limit = 0; limit < 256; limit += 1 + limit / 8)
        pass = pass && counts_retries(limit);
    /* holds lcb_link.limits */
    tap_ok(pass, "as many re-initialisations as the limit says are made before it is dead");
    unsigned equal = 0;
    static const unsigned trips[] = {2,    3,    100,  1023, 1365, 2730,
                                     3500, 4070, 4071, 4072, 4094, 4095};
    for (unsigned i = 0; i < sizeof trips / sizeof *trips; i++)
        equal += measured(trips[i]) == trips[i];
    /* holds lcb_link.trip */
    tap_ok(equal == sizeof trips / sizeof *trips && measured(5000) == TRIP_MOST,
           "round trips up to %d clocks are measured", TRIP_MOST);
    pass = true;
    for (unsigned limit = 10; limit < 65536; limit = 3 * limit + 1)
        pass = pass && gives_up_after(limit) == limit + 1;
    tap_ok(pass, "a bring-up takes as long as the limit says, up to 65,535 clocks");
}

int main(int argc, char **argv)
{
    rng_seed(&r, test_seed(argc, argv));
    harness_clock = &now;
    calm();
    eras();
    /* holds lcb_link.management */
    tap_taken(&wrong, "states, maps, epochs and the outputs to the others, %" PRIu64 " clocks",
              now);
    tap_note("entered: dead %" PRIu64 ", train %" PRIu64 ", ready %" PRIu64 ", start %" PRIu64
             ", run %" PRIu64 ", flush %" PRIu64 ", loop %" PRIu64 "; %" PRIu64
             " re-initialisations, %" PRIu64 " forgiven; lanes waited for %" PRIu64
             " times, others heard %" PRIu64 ", withdrawn %" PRIu64 ", strangers in START %" PRIu64,
             due_seen.entered[0], due_seen.entered[1], due_seen.entered[2], due_seen.entered[3],
             due_seen.entered[4], due_seen.entered[5], due_seen.entered[6], due_seen.reinits,
             due_seen.forgiven, due_seen.waited, due_seen.others, due_seen.withdrawn,
             due_seen.strangers);
    bool all = due_seen.waited > 1 && due_seen.forgiven > 50 && due_seen.died > 50 &&
               due_seen.reinits > 50 && due_seen.others > 10 && due_seen.withdrawn > 50 &&
               due_seen.strangers > 10 && due_seen.crossed > 10;
    for (unsigned state = 0; state < 7; state++)
        all = all && due_seen.entered[state] > 50;
    tap_ok(all, "all of them often");
    long_ones();
    tap_misses(&wrong, "and the outputs to the others meanwhile");
    return tap_done();
}
