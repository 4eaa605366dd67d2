// SPDX-License-Identifier: Apache-2.0
/*
 * test_lcb_link.c - lcb_link alone against the rules of the README's "Bring-up, re-initialisation, death": states, lane
 * maps, epochs, round trip, and the outputs to the other blocks, clock by clock.
 *
 * The rules are kept here as dates and counts, and read the frames by a table of their own. First the inputs are whatever happens
 * to a link, at rates that change from era to era; then what takes long: limits to the clock, a round trip of any length, progress
 * that makes up for all re-initialisations.
 */
#include "tb/base/harness.h"
#include "hls/link/lcb_link.h"

#include <inttypes.h>
#include <string.h>

enum {
    ERAS = 4000,
    PATIENCE = 512,   /* clocks that lanes which are not good yet are waited for */
    PROGRESS = 256,   /* good micropackets */
    ROUND_TRIP = 1024 /* until it is measured */
};
enum { HOLD = 24, TRIP_MOST = 4095 };

static struct lcb_link dut;
static struct lcb_link_in in;
static struct rng r;
static uint64_t now;
static unsigned wrong, first_wrong_state;
static uint64_t first_wrong;

/* The peer's frame, and ours: fields by name. */
struct frame {
    unsigned epoch, rx_map, tx_map, fresh, used, ping, pong, shared;
    unsigned chip, port;
};
static struct frame peer;

/* What was heard of it: the rules see it a clock later. */
static struct {
    struct frame frame;
    bool agreed;
    struct link_identity identity; /* ours, as it was then */
} heard;

/* What the rules say. */
static struct due {
    enum link_state state;
    unsigned epoch, goal, rx_map, tx_map, shared;
    bool fresh, used, sent, flush;
    uint64_t began;     /* the first clock of this bring-up */
    unsigned waited;    /* clocks with a good lane, and nothing but lanes to look at */
    unsigned bad;       /* CRC errors in a row */
    unsigned good;      /* micropackets in this bring-up */
    unsigned retries;   /* re-initialisations that nothing made up for */
    bool broken, spent; /* trouble enough, or too many of these: each known a clock later */
    unsigned ping, pong;
    unsigned echoes; /* pings that came back since the reset */
    uint64_t echoed; /* when the last ping came back; UINT64_MAX: none in this bring-up */
    unsigned trip, hold;
    bool late; /* this bring-up has used up its time */
    bool measured, reinit, died, clear;
    unsigned chip, port; /* the peer's, as it last agreed */
} due;

static struct {
    uint64_t entered[7], waited, others, forgiven, died, reinits, withdrawn;
} seen;

static bool runs(void)
{
    return due.state == LINK_START || due.state == LINK_RUN;
}

static bool silent(void)
{
    return due.state == LINK_DEAD || due.state == LINK_FLUSH;
}

static bool rests(void)
{
    return silent() || due.state == LINK_LOOP;
}

static bool hunts(void)
{
    return !silent() && due.state != LINK_RUN;
}

/* The frames are our own; or those were, with which data began. */
static bool own(void)
{
    const unsigned chip = hunts() ? heard.frame.chip : due.chip,
                   port = hunts() ? heard.frame.port : due.port;
    return (hunts() ? heard.agreed : runs()) && heard.identity.chip != 0 &&
           chip == heard.identity.chip && port == heard.identity.port && !in.loopback;
}

static void due_training(void)
{
    due.state = LINK_TRAIN;
    due.rx_map = due.tx_map = 0;
    due.began = now + 1;
    due.waited = due.bad = due.good = 0;
    due.echoed = UINT64_MAX;
    due.measured = false;
    due.late = due.broken = false;
}

static void due_death(void)
{
    due_training();
    due.state = LINK_DEAD;
    due.flush = due.died = true;
}

static void due_flush(unsigned goal)
{
    due.state = LINK_FLUSH;
    due.flush = true;
    due.goal = goal & 15;
}

static void due_restart(void)
{
    due_training();
    due_flush(due.epoch + 1);
}

static void due_failure(const struct due *before)
{
    seen.forgiven += due.retries == 0 && due.good >= PROGRESS;
    due.reinit = !before->fresh;
    seen.reinits += due.reinit;
    if (!before->fresh && before->spent) {
        due_death();
        return;
    }
    due.retries += !before->fresh;
    due_training();
}

/* Ping and pong, while frames are looked for. */
static void due_trip(void)
{
    const bool back = heard.agreed && heard.frame.pong == due.ping;
    if (heard.agreed)
        due.pong = heard.frame.ping;
    if (back && due.echoed != UINT64_MAX) {
        const uint64_t clocks = now - due.echoed;
        const unsigned trip = clocks < TRIP_MOST ? (unsigned)clocks : TRIP_MOST;
        due.trip = !due.measured || trip < due.trip ? trip : due.trip;
        due.measured = true;
    }
    if (back) {
        due.ping = (due.ping + 1) % 4;
        due.echoes++;
        due.echoed = now;
    }
}

/* Data is exchanged: is there a reason to begin again? It is acted on a clock later. */
static void due_troubles(bool withdrawn)
{
    due.retries = due.good >= PROGRESS ? 0 : due.retries;
    due.good += in.rx_good;
    due.bad = in.rx_good ? 0 : due.bad + in.rx_crc_error;
    due.broken = due.bad >= in.bad_limit || in.overflow || in.tx_ecc_fatal ||
                 (due.rx_map & ~in.lane_up) || withdrawn;
}

static void due_lanes(void)
{
    const unsigned usable = (unsigned)(in.good & in.lanes);
    due.waited = usable ? due.waited + 1 : 0;
    if (usable && (usable == in.lanes || due.waited == PATIENCE)) {
        seen.waited += usable != in.lanes;
        due.rx_map = usable;
        due.state = LINK_READY;
    }
}

/*
 * The peer's frames: younger epochs win, who forgot is joined in the next one, consent starts. What this end remembers for that
 * is what it did a clock ago.
 */
static void due_consent(const struct due *before)
{
    const unsigned ahead = (heard.frame.epoch - due.epoch) & 15;
    const bool younger = heard.agreed && ((ahead >= 1 && ahead <= 7) ||
                                          (ahead == 8 && heard.frame.epoch > due.epoch));
    const bool same = heard.agreed && ahead == 0;
    const bool other = heard.identity.chip && !before->fresh && heard.frame.chip && due.chip &&
                       (heard.frame.chip != due.chip || heard.frame.port != due.port);
    const bool forgot = same && ((before->used && heard.frame.fresh) ||
                                 (other && (before->used || heard.frame.used)));
    /* after a reset, what was sent before it is still on the cable: two pings may come back from there */
    const bool match =
        same && !forgot && !(before->fresh && heard.frame.used) && before->echoes >= 3;
    if (match)
        due.tx_map = heard.frame.rx_map;
    if (younger && due.fresh)
        due.epoch = heard.frame.epoch;
    else if (younger)
        due_flush(heard.frame.epoch);
    else if (forgot) {
        seen.others += other;
        due_flush(due.epoch + 1);
    } else if (due.state == LINK_TRAIN)
        due_lanes();
    else if (match && heard.frame.rx_map && heard.frame.tx_map == due.rx_map) {
        due.shared = due.sent ? due.shared : heard.frame.shared;
        due.chip = heard.frame.chip;
        due.port = heard.frame.port;
        due.state = LINK_START;
    }
}

/* What is left of the old epoch is put away, then the next one begins. */
static void due_rest(void)
{
    if (due.flush) {
        due.flush = !in.tx_flushing;
    } else if (!in.tx_flushing && in.rx_closed && in.drained) {
        due_training();
        due.epoch = due.goal;
        due.clear = due.fresh = true;
        due.used = due.sent = false;
        due.retries = 0;
    }
}

/* It agreed, and by its frames it has begun anew. */
static bool due_withdrawal(void)
{
    const bool listens = heard.frame.rx_map != 0 && heard.frame.epoch == due.epoch;
    return due.state == LINK_START && heard.agreed &&
           !(listens && heard.frame.tx_map == due.rx_map);
}

static void due_step(void)
{
    const struct due before = due;
    const bool looks = hunts(), itself = own(), withdrawn = due_withdrawal();
    due.spent = due.retries >= in.retry_limit;
    bool broken = due.broken;
    if (runs())
        due_troubles(withdrawn);
    seen.withdrawn += withdrawn;
    due.reinit = due.died = due.clear = false;
    due.used |= in.rx_accepted || in.tx_acked || (in.tx_took && !rests());
    due.fresh &= !in.data && !due.used;
    due.sent |= in.data;
    broken |= looks && due.state != LINK_LOOP && due.late;
    if (looks && due.state != LINK_LOOP)
        due.late = now + 1 - due.began >= in.train_limit;
    due.hold = due.trip + HOLD < TRIP_MOST ? due.trip + HOLD : TRIP_MOST;
    if (looks)
        due_trip();
    if (in.kill && due.state != LINK_DEAD)
        due_death();
    else if ((in.restart && due.state != LINK_FLUSH) || (in.rx_lost && !rests()))
        due_restart();
    else if (itself && due.state != LINK_LOOP) {
        due_training();
        due.state = LINK_LOOP;
        due.flush = true;
    } else if (broken)
        due_failure(&before);
    else if (due.state == LINK_FLUSH)
        due_rest();
    else if (due.state == LINK_LOOP && (in.good == 0 || (heard.agreed && !itself)))
        due_flush(due.epoch + 1);
    else if (due.state == LINK_START)
        due.state = in.started && in.data ? LINK_RUN : LINK_START;
    else if (due.state == LINK_TRAIN || due.state == LINK_READY)
        due_consent(&before);
    seen.died += due.died;
}

static bool frames_as_due(void)
{
    const unsigned info0 = (unsigned)dut.out.info0, info1 = (unsigned)dut.out.info1;
    return info0 == (due.epoch << 12 | due.rx_map << 9 | due.tx_map << 6) &&
           info1 == ((unsigned)due.fresh << 15 | (unsigned)due.used << 14 | due.ping << 12 |
                     due.pong << 10 | (unsigned)in.shared);
}

static bool as_due(void)
{
    const struct lcb_link_out *o = &dut.out;
    return o->state == due.state && o->quiet == silent() && o->close == rests() &&
           o->run == runs() && o->arm == (runs() || (due.state == LINK_READY && due.tx_map)) &&
           o->hunt == hunts() && o->flush == due.flush && o->clear == due.clear &&
           o->reinit == due.reinit && o->died == due.died && o->rx_map == due.rx_map &&
           o->tx_map == due.tx_map && o->epoch == due.epoch && o->peer_shared == due.shared &&
           o->round_trip == due.trip && o->hold == due.hold;
}

/* One clock of both. */
static void step(void)
{
    const enum link_state before = due.state;
    in.peer_info0 = (u16)(peer.epoch << 12 | peer.rx_map << 9 | peer.tx_map << 6);
    in.peer_info1 =
        (u16)(peer.fresh << 15 | peer.used << 14 | peer.ping << 12 | peer.pong << 10 | peer.shared);
    in.peer = (struct link_identity){(u16)peer.chip, (u6)peer.port};
    lcb_link(&dut, &in);
    due_step();
    heard.frame = peer;
    heard.agreed = in.agreed;
    heard.identity = in.identity;
    seen.entered[due.state] += due.state != before;
    if (!as_due() || !frames_as_due()) {
        first_wrong = wrong ? first_wrong : now;
        first_wrong_state = wrong ? first_wrong_state : before;
        wrong++;
    }
    now++;
}

/* After it the link looks for lanes, in epoch 0, and nobody listens yet. */
static void reset(void)
{
    lcb_link_reset(&dut);
    memset(&due, 0, sizeof due);
    memset(&heard, 0, sizeof heard);
    due_training();
    due.began = now;
    due.fresh = true;
    due.trip = ROUND_TRIP;
    wrong += dut.out.quiet || dut.out.run || dut.out.arm || dut.out.clear || dut.out.flush;
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
    in.shared = (u9)rng_next(&r);
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
    in.data = runs() && often(rate.data);
    in.rx_good = often(rate.good);
    in.rx_crc_error = !in.rx_good && often(rate.bad);
    in.rx_accepted = in.rx_good && runs() && often(300);
    in.tx_acked = runs() && often(rate.good / 4);
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
    wrong += dut.out.hold != (clocks < TRIP_MOST - HOLD ? clocks + HOLD : TRIP_MOST);
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
    wrong += dut.out.reinit; /* fresh */
    return clocks;
}

static void long_ones(void)
{
    unsigned late = chosen_after(1, 3000), joined = chosen_after(5, 300);
    tap_why("after %u and %u clocks", late, joined);
    tap_ok(late == PATIENCE && joined == 301, "other lanes are waited for, %d clocks at most",
           PATIENCE);
    tap_ok(dies_after(0) && dies_after(PROGRESS - 1) && !dies_after(PROGRESS) && !dies_after(3000),
           "%d good micropackets make up for re-initialisations, one less does not", PROGRESS);
    bool pass = true;
    for (unsigned limit = 1; limit < 256; limit++)
        pass = pass && counts_errors(limit);
    tap_ok(pass, "as many wrong CRCs in a row as the limit says begin it again, up to 255");
    pass = true;
    for (unsigned limit = 0; limit < 256; limit += 1 + limit / 8)
        pass = pass && counts_retries(limit);
    tap_ok(pass, "as many re-initialisations as the limit says are made before it is dead");
    unsigned equal = 0;
    static const unsigned trips[] = {2,    3,    100,  1023, 1365, 2730,
                                     3500, 4070, 4071, 4072, 4094, 4095};
    for (unsigned i = 0; i < sizeof trips / sizeof *trips; i++)
        equal += measured(trips[i]) == trips[i];
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
    tap_why("%u clocks wrong, the first is %" PRIu64 ", in state %u", wrong, first_wrong,
            first_wrong_state);
    tap_ok(wrong == 0, "states, maps, epochs and the outputs to the others, %" PRIu64 " clocks",
           now);
    tap_note("entered: dead %" PRIu64 ", train %" PRIu64 ", ready %" PRIu64 ", start %" PRIu64
             ", run %" PRIu64 ", flush %" PRIu64 ", loop %" PRIu64 "; %" PRIu64
             " re-initialisations, %" PRIu64 " forgiven; lanes waited for %" PRIu64
             " times, others heard %" PRIu64 ", withdrawn %" PRIu64,
             seen.entered[0], seen.entered[1], seen.entered[2], seen.entered[3], seen.entered[4],
             seen.entered[5], seen.entered[6], seen.reinits, seen.forgiven, seen.waited,
             seen.others, seen.withdrawn);
    bool all = seen.waited > 1 && seen.forgiven > 50 && seen.died > 50 && seen.reinits > 50 &&
               seen.others > 10 && seen.withdrawn > 50;
    for (unsigned state = 0; state < 7; state++)
        all = all && seen.entered[state] > 50;
    tap_ok(all, "all of them often");
    wrong = 0;
    long_ones();
    tap_ok(wrong == 0, "and the outputs to the others meanwhile");
    return tap_done();
}
