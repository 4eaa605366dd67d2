// SPDX-License-Identifier: Apache-2.0
/*
 * episode_acts.c - everything that may happen to two links and their cable, as a table of acts.
 */
#include "tb/system/link/episode/episode_acts.h"

#include <inttypes.h>

/* What management writes after a reset: the register map of hls/link/README.md. */
static const struct {
    unsigned addr;
    uint64_t data;
} defaults[] = {
    {LCB_REG_CONTROL, 7 << 4},
    {LCB_REG_LIMITS, 16 | 8 << 8 | 4096 << 16},
    {LCB_REG_TIMEOUT, 2560 | 63 << 16},
};

enum { KILL = 7 << 4 | 2, RESTART = 7 << 4 | 1 };

/* ---- what is drawn --------------------------------------------------------------------------- */

/* From 0 to about 2^most, small numbers as often as great ones. */
static unsigned draw_clocks(struct rng *r, unsigned most)
{
    const unsigned scale = 1u << rng_below(r, most);
    return scale - 1 + rng_below(r, scale);
}

static void draw_traffic(struct traffic_config *t, struct rng *r)
{
    t->vcs = rng_below(r, 4) ? 0xff : (uint8_t)(1u << rng_below(r, 8));
    t->load = rng_below(r, 4) ? 1 : 0.05;
    t->bubble = rng_below(r, 8) ? 0 : 0.05;
    t->drain = rng_below(r, 5) ? 1 : 0.5;
    t->mark = rng_below(r, 4) ? 0 : 0.02;
    t->min_length = 1 + rng_below(r, 3);
    t->max_length = t->min_length + rng_below(r, 14);
    t->shared = TRAFFIC_SHARED;
}

static void draw_cable(struct channel_config *k, struct rng *r)
{
    *k = (struct channel_config){.burst_min = 1, .burst_max = CHANNEL_MAX_BURST};
    k->delay = 1 + draw_clocks(r, 8);
    for (unsigned l = 0; l < CHANNEL_LANES; l++)
        k->skew[l] = rng_below(r, 2) ? rng_below(r, CHANNEL_MAX_SKEW / 2) : 0;
}

void episode_begin(struct episode *ep, uint64_t seed)
{
    struct rng *r = &ep->rng;
    struct traffic_config traffic[EPISODE_ENDS];
    const bool saying = ep->saying;
    rng_seed(r, seed);
    for (unsigned i = 0; i < EPISODE_ENDS; i++) {
        draw_traffic(&traffic[i], r);
        draw_cable(&ep->cable[i], r);
    }
    ep->peer = 1;
    ep->keeper = rng_below(r, 3) ? 1u << (4 + rng_below(r, 8)) : 0;
    ep->scribbled = ep->shares_scribbled = false;
    ep->saying = saying;
    ep->resets = ep->restarts = 0;
    const unsigned ends = rng_below(r, 4) ? 2 : 3;
    episode_bench_start(&ep->bench, ends, traffic, ep->cable, rng_next(r));
    ep->nameless = rng_below(r, 8) == 0;
    ep->confused = false;
    for (unsigned i = 0; i < ends && !ep->nameless; i++)
        ep->bench.end[i].identity =
            (struct link_identity){.chip = (u16)(1 + rng_below(r, 2)), .port = (u6)(3 * i + 1)};
    /* Ends have a past: so many restarts with nobody there leave this epoch, and nothing else. */
    for (unsigned i = 0; i < ends; i++)
        if (rng_below(r, 2))
            ep->bench.end[i].lcb.link.out.epoch = (u4)rng_next(r);
}

/* ---- management ------------------------------------------------------------------------------ */

static void restart_dead(struct episode *ep)
{
    for (unsigned i = 0; i < ep->bench.ends; i++) {
        struct episode_end *e = &ep->bench.end[i];
        e->in.restart = e->lcb.out.state == LINK_DEAD;
        ep->restarts += e->in.restart;
    }
}

/* Whenever an end enters another state or epoch. */
static void say_states(struct episode *ep)
{
    static const char *const name[] = {"DEAD", "TRAIN", "READY", "START", "RUN", "FLUSH"};
    for (unsigned i = 0; i < ep->bench.ends; i++) {
        const struct lcb *lcb = &ep->bench.end[i].lcb;
        const unsigned now = (unsigned)lcb->out.epoch << 4 | (unsigned)lcb->out.state;
        if (now == ep->said[i])
            continue;
        ep->said[i] = now;
        tap_note("  clock %" PRIu64 ": end %u %s, epoch %u; numbers %u to %u, expects %u",
                 ep->bench.clock, i, name[lcb->out.state], (unsigned)lcb->out.epoch,
                 (unsigned)lcb->tx.base, (unsigned)lcb->tx.next, (unsigned)lcb->rx.out.expected);
    }
}

void episode_go(struct episode *ep, uint64_t clocks)
{
    for (uint64_t n = 0; n < clocks; n++) {
        if (ep->keeper && ep->bench.clock % ep->keeper == 0)
            restart_dead(ep);
        episode_bench_step(&ep->bench);
        if (ep->saying)
            say_states(ep);
        for (unsigned i = 0; i < ep->bench.ends; i++)
            ep->bench.end[i].in.restart = 0;
    }
}

/* ---- cables ---------------------------------------------------------------------------------- */

/* Ends 0 and `peer` on one cable, the third one, if there is one, on none. */
static void join(struct episode *ep, unsigned peer)
{
    struct episode_bench *b = &ep->bench;
    ep->peer = peer;
    for (unsigned i = 0; i < b->ends; i++) {
        const unsigned other = i == 0 ? peer : i == peer ? 0 : EPISODE_NOBODY;
        b->end[i].plug = episode_plug_into(other);
        b->end[i].cable.reverse = other == EPISODE_NOBODY ? NULL : &b->end[other].cable;
    }
}

static void heal(struct episode *ep)
{
    join(ep, ep->peer);
    for (unsigned i = 0; i < ep->bench.ends; i++) {
        struct episode_end *e = &ep->bench.end[i];
        channel_change(&e->cable, &ep->cable[i]);
        for (unsigned l = 0; l < CHANNEL_LANES; l++)
            channel_lane(&e->cable, l, LANE_GOOD);
        e->sink.config.drain = e->traffic.drain;
    }
}

void episode_mend(struct episode *ep)
{
    heal(ep);
    ep->keeper = 64;
    for (unsigned i = 0; i < ep->bench.ends; i++) {
        struct episode_end *e = &ep->bench.end[i];
        e->source.config.load = 1;
        for (unsigned n = 0; ep->scribbled && n < sizeof defaults / sizeof *defaults; n++)
            episode_bench_write(&ep->bench, i, defaults[n].addr, defaults[n].data);
    }
}

/* ---- acts ------------------------------------------------------------------------------------ */

/* One of the two ends that are joined, or both: as bits. */
static unsigned draw_ends(struct episode *ep)
{
    const unsigned which = rng_below(&ep->rng, 3);
    return (which != 1 ? 1u : 0) | (which != 0 ? 1u << ep->peer : 0);
}

static unsigned draw_end(struct episode *ep)
{
    return rng_below(&ep->rng, 2) ? ep->peer : 0;
}

/* Every end of the mask. */
#define EACH(i, ends)                                                                              \
    for (unsigned i = 0; i < EPISODE_ENDS; i++)                                                    \
        if ((ends) >> i & 1)

static void act_nothing(struct episode *ep)
{
    episode_go(ep, 256u << rng_below(&ep->rng, 3));
}

static void act_reset(struct episode *ep)
{
    EACH(i, draw_ends(ep))
    {
        episode_bench_reset(&ep->bench, i);
        ep->resets++;
        episode_go(ep, rng_below(&ep->rng, 2) ? 0 : draw_clocks(&ep->rng, 9));
    }
}

/* An end is reset again and again. */
static void act_storm(struct episode *ep)
{
    const unsigned end = draw_end(ep), period = 4 + draw_clocks(&ep->rng, 10);
    for (unsigned n = 1 + rng_below(&ep->rng, 10); n > 0; n--) {
        episode_bench_reset(&ep->bench, end);
        ep->resets++;
        episode_go(ep, period);
    }
}

static void act_kill(struct episode *ep)
{
    EACH(i, draw_ends(ep))
    episode_bench_write(&ep->bench, i, LCB_REG_CONTROL, KILL);
}

static void act_restart(struct episode *ep)
{
    EACH(i, draw_ends(ep))
    {
        if (rng_below(&ep->rng, 2))
            episode_bench_write(&ep->bench, i, LCB_REG_CONTROL, RESTART);
        else
            ep->bench.end[i].in.restart = 1;
        ep->restarts++;
        episode_go(ep, 1);
    }
}

/* Killed and restarted again and again, with hardly any time between. */
static void act_kills(struct episode *ep)
{
    const unsigned end = draw_end(ep);
    for (unsigned n = 1 + rng_below(&ep->rng, 10); n > 0; n--) {
        episode_bench_write(&ep->bench, end, LCB_REG_CONTROL, KILL);
        episode_go(ep, draw_clocks(&ep->rng, 8));
        episode_bench_write(&ep->bench, end, LCB_REG_CONTROL, RESTART);
        ep->restarts++;
        episode_go(ep, draw_clocks(&ep->rng, 8));
    }
}

static uint64_t draw_data(struct rng *r)
{
    const uint64_t data = rng_next(r);
    return rng_below(r, 2) ? data : data & rng_next(r) & rng_next(r);
}

static void act_scribble(struct episode *ep)
{
    for (unsigned n = 1 + rng_below(&ep->rng, 6); n > 0; n--) {
        const unsigned end = draw_end(ep);
        const unsigned addr =
            rng_below(&ep->rng, 4) ? rng_below(&ep->rng, 8) : (uint16_t)rng_next(&ep->rng);
        ep->scribbled = true;
        ep->shares_scribbled |= addr == LCB_REG_TIMEOUT;
        episode_bench_write(&ep->bench, end, addr, draw_data(&ep->rng));
        episode_go(ep, draw_clocks(&ep->rng, 8));
    }
}

/* Noise, zeros or ones instead of what comes. */
static void act_noise(struct episode *ep)
{
    const enum plug_noise noise = (enum plug_noise)(PLUG_NOISE + rng_below(&ep->rng, 3));
    const uint8_t lanes = rng_below(&ep->rng, 2) ? 7 : (uint8_t)(1 + rng_below(&ep->rng, 7));
    EACH(i, draw_ends(ep))
    {
        ep->bench.end[i].plug.noise = noise;
        ep->bench.end[i].plug.noisy = lanes;
    }
}

static void act_lane(struct episode *ep)
{
    EACH(i, draw_ends(ep))
    channel_lane(&ep->bench.end[i].cable, rng_below(&ep->rng, CHANNEL_LANES),
                 (enum lane_state)rng_below(&ep->rng, LANE_STATES));
}

static void act_down(struct episode *ep)
{
    EACH(i, draw_ends(ep))
    for (unsigned l = 0; l < CHANNEL_LANES; l++)
        channel_lane(&ep->bench.end[i].cable, l, LANE_DOWN);
}

/*
 * A longer way, then a shorter one: what was on it comes again, or never. Not so much that a whole bring-up comes again,
 * from before a reset: nobody could tell that from the peer.
 */
static void act_copy(struct episode *ep)
{
    const unsigned ends = draw_ends(ep);
    for (unsigned n = 1 + rng_below(&ep->rng, 4); n > 0; n--) {
        EACH(i, ends)
        {
            struct channel_config k = ep->cable[i];
            k.delay = 1 + draw_clocks(&ep->rng, 9);
            channel_change(&ep->bench.end[i].cable, &k);
        }
        episode_go(ep, draw_clocks(&ep->rng, 9));
    }
}

/* One lane loses words, or gets some twice. */
static void act_slip(struct episode *ep)
{
    EACH(i, draw_ends(ep))
    {
        struct channel_config k = ep->cable[i];
        k.skew[rng_below(&ep->rng, CHANNEL_LANES)] = rng_below(&ep->rng, CHANNEL_MAX_SKEW);
        channel_change(&ep->bench.end[i].cable, &k);
    }
}

static void act_loop(struct episode *ep)
{
    ep->confused |= ep->nameless;
    EACH(i, draw_ends(ep))
    ep->bench.end[i].plug.from = i;
}

static void act_lanes_swapped(struct episode *ep)
{
    EACH(i, draw_ends(ep))
    for (unsigned l = 0; l < CHANNEL_LANES; l++)
        ep->bench.end[i].plug.lane[l] = (uint8_t)rng_below(&ep->rng, CHANNEL_LANES);
}

static void act_flap(struct episode *ep)
{
    EACH(i, draw_ends(ep))
    {
        ep->bench.end[i].plug.words_flap = rng_below(&ep->rng, 2);
        ep->bench.end[i].plug.clocks_flap = rng_below(&ep->rng, 2);
    }
}

static void act_errors(struct episode *ep)
{
    static const double rates[] = {1e-4, 1e-3, 1e-2, 5e-2};
    EACH(i, draw_ends(ep))
    {
        struct channel_config k = ep->cable[i];
        k.ber = rates[rng_below(&ep->rng, 4)];
        k.burst_rate = rng_below(&ep->rng, 2) ? 1e-3 : 0;
        k.burst_across = rng_below(&ep->rng, 2);
        channel_change(&ep->bench.end[i].cable, &k);
    }
}

static void act_acks(struct episode *ep)
{
    EACH(i, draw_ends(ep))
    {
        struct channel_config k = ep->cable[i];
        k.ack_forge = 0.3;
        k.ack_loss = 0.3;
        channel_change(&ep->bench.end[i].cable, &k);
    }
}

/* All acknowledgements are lost, so only the timeout goes on; sometimes a short one. */
static void act_no_acks(struct episode *ep)
{
    const unsigned ends = draw_ends(ep), slots = 64 + draw_clocks(&ep->rng, 10);
    EACH(i, ends)
    {
        struct channel_config k = ep->cable[i];
        k.ack_loss = 1;
        channel_change(&ep->bench.end[i].cable, &k);
    }
    if (rng_below(&ep->rng, 2)) {
        ep->scribbled = true;
        EACH(i, (1u | 1u << ep->peer))
        episode_bench_write(&ep->bench, i, LCB_REG_TIMEOUT, slots | 63 << 16);
        episode_go(ep, slots + rng_below(&ep->rng, 1000));
    } else {
        episode_go(ep, 2560 + rng_below(&ep->rng, 1000));
    }
}

/* The other end is exchanged: for one that lived elsewhere, or one that was just powered. */
static void act_peer(struct episode *ep)
{
    if (ep->bench.ends < 3)
        return;
    ep->confused |= ep->nameless;
    join(ep, 3 - ep->peer);
    if (rng_below(&ep->rng, 2)) {
        episode_bench_reset(&ep->bench, ep->peer);
        ep->resets++;
    }
}

static void act_time(struct episode *ep)
{
    EACH(i, draw_ends(ep))
    ep->bench.end[i].time = rng_next(&ep->rng);
}

static void act_stall(struct episode *ep)
{
    EACH(i, draw_ends(ep))
    ep->bench.end[i].sink.config.drain = 0;
}

static const struct {
    const char *name;
    void (*act)(struct episode *ep);
} acts[] = {
    {"nothing", act_nothing},   {"reset", act_reset},
    {"storm", act_storm},       {"kill", act_kill},
    {"restart", act_restart},   {"kills", act_kills},
    {"scribble", act_scribble}, {"noise", act_noise},
    {"lane", act_lane},         {"down", act_down},
    {"copy", act_copy},         {"slip", act_slip},
    {"loop", act_loop},         {"lanes swapped", act_lanes_swapped},
    {"flap", act_flap},         {"errors", act_errors},
    {"acks", act_acks},         {"no acks", act_no_acks},
    {"peer", act_peer},         {"time", act_time},
    {"stall", act_stall},
};

void episode_disorder(struct episode *ep)
{
    enum { MOST = 6 };
    if (rng_below(&ep->rng, 4)) /* the link was up, or is still coming up */
        episode_go(ep, draw_clocks(&ep->rng, 11));
    for (unsigned n = 1 + rng_below(&ep->rng, MOST); n > 0; n--) {
        const unsigned act = rng_below(&ep->rng, sizeof acts / sizeof *acts);
        if (ep->saying)
            tap_note("clock %" PRIu64 ": %s", ep->bench.clock, acts[act].name);
        acts[act].act(ep);
        episode_go(ep, draw_clocks(&ep->rng, 11));
        if (rng_below(&ep->rng, 4)) { /* or the next act comes on top of it */
            heal(ep);
            episode_go(ep, rng_below(&ep->rng, 2) ? draw_clocks(&ep->rng, 10) : 0);
        }
    }
}
