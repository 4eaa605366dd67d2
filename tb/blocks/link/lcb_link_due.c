// SPDX-License-Identifier: Apache-2.0
/*
 * lcb_link_due.c - the rules of bring-up, re-initialisation and death (hls/link/README.md) as dates and counts.
 */
#include "tb/blocks/link/lcb_link_due.h"

#include <string.h>

struct due due;
struct due_seen due_seen;

static struct lcb_link_in in; /* of this clock */
static uint64_t now;

/* What was heard of it: the rules see it a clock later. */
static struct {
    struct frame frame;
    bool agreed;
    struct link_identity identity; /* ours, as it was then */
} heard;

bool due_runs(void)
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

/* By its frames the peer hears us, as far as we have a name. */
static bool echoed(void)
{
    return heard.identity.chip == 0 || heard.frame.echo == due_fold(heard.identity);
}

/* The frames are our own; or those were, with which data began. */
static bool own(void)
{
    const unsigned chip = hunts() ? heard.frame.chip : due.chip,
                   port = hunts() ? heard.frame.port : due.port;
    return (hunts() ? heard.agreed : due_runs()) && heard.identity.chip != 0 &&
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
    due_seen.forgiven += due.retries == 0 && due.good >= PROGRESS;
    due.reinit = !before->fresh;
    due_seen.reinits += due.reinit;
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
        due_seen.waited += usable != in.lanes;
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
        same && echoed() && !forgot && !(before->fresh && heard.frame.used) && before->echoes >= 3;
    due_seen.crossed += same && !echoed();
    if (match)
        due.tx_map = heard.frame.rx_map;
    if (younger && due.fresh)
        due.epoch = heard.frame.epoch;
    else if (younger)
        due_flush(heard.frame.epoch);
    else if (forgot) {
        due_seen.others += other;
        due_flush(due.epoch + 1);
    } else if (due.state == LINK_TRAIN)
        due_lanes();
    else if (match && heard.frame.rx_map && heard.frame.tx_map == due.rx_map) {
        due.shared = due.sent ? due.shared : heard.frame.shared;
        due.chip = heard.frame.chip;
        due.port = heard.frame.port;
        due.state = LINK_START;
        due.agreed = now;
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

/* It agreed, and by its frames it has begun anew, or they are of another than it: told from the second clock on. */
static bool due_withdrawal(void)
{
    const bool other = heard.identity.chip && heard.frame.chip && due.chip &&
                       (heard.frame.chip != due.chip || heard.frame.port != due.port);
    const bool late = other && now > due.agreed + 1;
    const bool listens = heard.frame.rx_map != 0 && heard.frame.epoch == due.epoch;
    const bool agreed = due.state == LINK_START && heard.agreed;
    const bool begins = !listens || heard.frame.tx_map != due.rx_map || !echoed();
    due_seen.strangers += agreed && late && !begins;
    return agreed && (begins || late);
}

static void due_clock(void)
{
    const struct due before = due;
    const bool looks = hunts(), itself = own(), withdrawn = due_withdrawal();
    due.spent = due.retries >= in.retry_limit;
    bool broken = due.broken;
    if (due_runs())
        due_troubles(withdrawn);
    due_seen.withdrawn += withdrawn;
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
    due_seen.died += due.died;
}

#define MUST_BE(member, expected)                                                                  \
    must_equal(m, o->member, expected, #member " in state %u", (unsigned)due.state)

static void frames_must_equal(struct misses *m, const struct lcb_link_out *o, unsigned shared)
{
    MUST_BE(info0, due.epoch << 12 | due.rx_map << 9 | due.tx_map << 6);
    MUST_BE(info1, (unsigned)due.fresh << 15 | (unsigned)due.used << 14 | due.ping << 12 |
                       due.pong << 10 | shared);
}

void due_must_equal(struct misses *m, const struct lcb_link_out *o,
                    const struct lcb_link_in *inputs)
{
    frames_must_equal(m, o, (unsigned)inputs->shared_space);
    MUST_BE(state, due.state);
    MUST_BE(quiet, silent());
    MUST_BE(close, rests());
    MUST_BE(run, due_runs());
    MUST_BE(arm, due_runs() || (due.state == LINK_READY && due.tx_map));
    MUST_BE(hunt, hunts());
    MUST_BE(flush, due.flush);
    MUST_BE(clear, due.clear);
    MUST_BE(reinit, due.reinit);
    MUST_BE(died, due.died);
    MUST_BE(rx_map, due.rx_map);
    MUST_BE(tx_map, due.tx_map);
    MUST_BE(epoch, due.epoch);
    MUST_BE(peer_shared, due.shared);
    MUST_BE(round_trip, due.trip);
    MUST_BE(hold, due.hold);
}

unsigned due_fold(struct link_identity who)
{
    const unsigned chip = (unsigned)who.chip, port = (unsigned)who.port;
    unsigned fold = chip % 1024 ^ chip / 1024;
    for (unsigned bit = 0; bit < 6; bit++)
        if (port >> bit & 1)
            fold ^= 512u >> bit;
    return chip ? fold : 0;
}

void due_step(const struct lcb_link_in *inputs, const struct frame *peer, uint64_t clock)
{
    const enum link_state before = due.state;
    in = *inputs;
    now = clock;
    due_clock();
    heard.frame = *peer;
    heard.agreed = in.agreed;
    heard.identity = in.identity;
    due_seen.entered[due.state] += due.state != before;
}

void due_reset(uint64_t clock)
{
    memset(&due, 0, sizeof due);
    memset(&heard, 0, sizeof heard);
    due_training();
    due.began = clock;
    due.fresh = true;
    due.trip = ROUND_TRIP;
}
