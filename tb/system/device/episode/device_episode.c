// SPDX-License-Identifier: Apache-2.0
/*
 * device_episode.c - an episode of two devices from power-up to its verdict.
 */
#include "tb/system/device/episode/device_episode.h"

#include <inttypes.h>
#include <stdio.h>

#include "tb/system/device/episode/device_episode_bench.h"

enum {
    FLOW = 600,       /* clocks of traffic over every link that count as running */
    QUIET = 6000,     /* clocks in which all credits come back */
    PATIENCE = 20000, /* clocks that sources, queues and credits are waited for */
    KILL = 7 << 4 | 2,
    RESTART = 7 << 4 | 1,
};

/* ---- acts: device i, link l ------------------------------------------------------------------ */

static unsigned draw_clocks(struct rng *r, unsigned most)
{
    const unsigned scale = 1u << rng_below(r, most);
    return scale - 1 + rng_below(r, scale);
}

static void act_reset(struct device_episode *ep, unsigned i, unsigned l)
{
    (void)l;
    device_episode_reset(ep, i);
}

static void act_kill(struct device_episode *ep, unsigned i, unsigned l)
{
    device_episode_write(ep, i, l, LCB_REG_CONTROL, KILL);
}

static void act_restart(struct device_episode *ep, unsigned i, unsigned l)
{
    device_episode_write(ep, i, l, LCB_REG_CONTROL, RESTART);
    ep->restarts++;
}

static void act_kills(struct device_episode *ep, unsigned i, unsigned l)
{
    for (unsigned n = 1 + rng_below(&ep->rng, 6); n > 0; n--) {
        act_kill(ep, i, l);
        device_episode_go(ep, draw_clocks(&ep->rng, 8));
        act_restart(ep, i, l);
        device_episode_go(ep, draw_clocks(&ep->rng, 8));
    }
}

static void act_scribble(struct device_episode *ep, unsigned i, unsigned l)
{
    ep->scribbled = true;
    for (unsigned n = 1 + rng_below(&ep->rng, 4); n > 0; n--)
        device_episode_write(ep, i, l, rng_below(&ep->rng, 8), rng_next(&ep->rng));
}

static void act_noise(struct device_episode *ep, unsigned i, unsigned l)
{
    ep->end[i].plug[l].noisy = true;
}

static void act_lane(struct device_episode *ep, unsigned i, unsigned l)
{
    channel_lane(&ep->end[i].cable[l], rng_below(&ep->rng, CHANNEL_LANES),
                 (enum lane_state)rng_below(&ep->rng, LANE_STATES));
}

static void act_down(struct device_episode *ep, unsigned i, unsigned l)
{
    for (unsigned lane = 0; lane < CHANNEL_LANES; lane++)
        channel_lane(&ep->end[i].cable[l], lane, LANE_DOWN);
}

static void act_copy(struct device_episode *ep, unsigned i, unsigned l)
{
    struct channel_config k = ep->good;
    k.delay = 1 + draw_clocks(&ep->rng, 9);
    channel_change(&ep->end[i].cable[l], &k);
}

static void act_loop(struct device_episode *ep, unsigned i, unsigned l)
{
    ep->end[i].plug[l].loop = true;
}

static void act_swap(struct device_episode *ep, unsigned i, unsigned l)
{
    for (unsigned lane = 0; lane < CHANNEL_LANES; lane++)
        ep->end[i].plug[l].lane[lane] = (uint8_t)rng_below(&ep->rng, CHANNEL_LANES);
}

static void act_flap(struct device_episode *ep, unsigned i, unsigned l)
{
    ep->end[i].plug[l].flaps = true;
}

static void act_errors(struct device_episode *ep, unsigned i, unsigned l)
{
    static const double rates[] = {1e-4, 1e-3, 1e-2, 5e-2};
    struct channel_config k = ep->good;
    k.ber = rates[rng_below(&ep->rng, 4)];
    k.burst_rate = rng_below(&ep->rng, 2) ? 1e-3 : 0;
    channel_change(&ep->end[i].cable[l], &k);
}

static void act_no_acks(struct device_episode *ep, unsigned i, unsigned l)
{
    struct channel_config k = ep->good;
    k.ack_loss = 1;
    channel_change(&ep->end[i].cable[l], &k);
    device_episode_go(ep, 2560 + rng_below(&ep->rng, 1000));
}

static void act_nothing(struct device_episode *ep, unsigned i, unsigned l)
{
    (void)i, (void)l;
    device_episode_go(ep, 512);
}

static const struct {
    const char *name;
    void (*act)(struct device_episode *ep, unsigned i, unsigned l);
} acts[] = {
    {"reset", act_reset},   {"kill", act_kill},          {"restart", act_restart},
    {"kills", act_kills},   {"scribble", act_scribble},  {"noise", act_noise},
    {"lane", act_lane},     {"down", act_down},          {"copy", act_copy},
    {"loop", act_loop},     {"lanes swapped", act_swap}, {"flap", act_flap},
    {"errors", act_errors}, {"no acks", act_no_acks},    {"nothing", act_nothing},
};

static void begin(struct device_episode *ep, uint64_t seed)
{
    struct rng *r = &ep->rng;
    struct channel_config good = {.burst_min = 1, .burst_max = CHANNEL_MAX_BURST};
    rng_seed(r, seed);
    good.delay = 1 + rng_below(r, 80);
    ep->links = 1 + rng_next(r) % ((UINT64_C(1) << EPISODE_LINKS) - 1);
    ep->keeper = rng_below(r, 3) ? 1u << (4 + rng_below(r, 8)) : 0;
    ep->scribbled = false;
    device_episode_start(ep, &good);
}

static void disorder(struct device_episode *ep)
{
    enum { MOST = 4 };
    device_episode_go(ep, draw_clocks(&ep->rng, 11));
    for (unsigned n = 1 + rng_below(&ep->rng, MOST); n > 0; n--) {
        const unsigned act = rng_below(&ep->rng, sizeof acts / sizeof *acts);
        const unsigned ends = 1 + rng_below(&ep->rng, 3), l = rng_bit(&ep->rng, ep->links);
        if (ep->saying)
            tap_note("clock %" PRIu64 ": %s, devices %u, link %u", ep->clock, acts[act].name, ends,
                     l);
        for (unsigned i = 0; i < 2; i++)
            if (ends >> i & 1)
                acts[act].act(ep, i, l);
        device_episode_go(ep, draw_clocks(&ep->rng, 11));
        if (rng_below(&ep->rng, 4))
            device_episode_heal(ep);
    }
}

/* What management must: the reset values of registers that were scribbled on. */
static void mend(struct device_episode *ep)
{
    device_episode_heal(ep);
    ep->keeper = 64;
    for (unsigned n = 0; ep->scribbled && n < 2 * EPISODE_LINKS; n++) {
        device_episode_write(ep, n / EPISODE_LINKS, n % EPISODE_LINKS, LCB_REG_CONTROL, 7 << 4);
        device_episode_write(ep, n / EPISODE_LINKS, n % EPISODE_LINKS, LCB_REG_LIMITS,
                             16 | 8 << 8 | 4096 << 16);
        device_episode_write(ep, n / EPISODE_LINKS, n % EPISODE_LINKS, LCB_REG_TIMEOUT,
                             2560 | LCB_SHARED << 16);
    }
}

/* ---- coming back ----------------------------------------------------------------------------- */

enum stage { COMES_UP, FLOWS, DRAINS, RETURNS, DONE };

struct recovery {
    enum stage stage;
    uint64_t began, since, last_bad;
    uint64_t crossed[2 * EPISODE_LINKS];
    u4 epoch[2 * EPISODE_LINKS];
};

static struct link_port *link_of(struct device_episode *ep, unsigned n)
{
    return &ep->end[n / EPISODE_LINKS].device.link[n % EPISODE_LINKS];
}

static void enter(struct device_episode *ep, struct recovery *r, enum stage stage)
{
    r->stage = stage;
    r->since = ep->clock;
    for (unsigned n = 0; n < 2 * EPISODE_PORTS; n++)
        ep->end[n / EPISODE_PORTS].source[n % EPISODE_PORTS].stopped = stage >= DRAINS;
}

static bool running(struct device_episode *ep, struct recovery *r)
{
    bool good = true;
    for (unsigned n = 0; n < 2 * EPISODE_LINKS; n++) {
        const struct lcb_out *out = &link_of(ep, n)->lcb.out;
        good &= out->state == LINK_RUN && out->epoch == r->epoch[n];
        r->epoch[n] = out->epoch;
    }
    return good;
}

static bool carried(const struct device_episode *ep, const struct recovery *r)
{
    bool all = true;
    for (unsigned n = 0; n < 2 * EPISODE_LINKS; n++)
        all &= ep->end[n / EPISODE_LINKS].crossed[n % EPISODE_LINKS] != r->crossed[n];
    return all;
}

/* Packets of which a flit is not accounted for. */
static uint64_t open_packets(const struct device_episode *ep)
{
    const struct ledger *l = &ep->ledger;
    uint32_t last[EPISODE_SOURCES] = {0};
    uint64_t packets = 0;
    for (uint32_t n = 0; n < l->count; n++) {
        const struct ledger_flit *f = &l->flit[n];
        uint32_t *of = &last[f->packet % EPISODE_SOURCES];
        if (f->delivered || f->reported || f->forgotten || *of == f->packet)
            continue;
        *of = f->packet;
        packets++;
    }
    return packets;
}

/* Everything arrived, was reported or was dropped and counted. */
static bool accounted(const struct device_episode *ep)
{
    return open_packets(ep) <= device_episode_dropped(ep);
}

static bool drained(const struct device_episode *ep)
{
    bool all = true;
    for (unsigned n = 0; n < 2 * EPISODE_PORTS; n++)
        all &= ep->end[n / EPISODE_PORTS].source[n % EPISODE_PORTS].left == 0 &&
               ep->end[n / EPISODE_PORTS].sink[n % EPISODE_PORTS].total == 0;
    return all && ep->clock % 32 == 0 && accounted(ep);
}

/* Flits that an account of a link or of a processor still believes to be in the queue behind it. */
static uint64_t owed(struct device_episode *ep)
{
    uint64_t sum = 0;
    for (unsigned n = 0; n < 2 * EPISODE_LINKS; n++) {
        const struct lcb_credit *c = &link_of(ep, n)->lcb.credit;
        for (unsigned vc = 0; vc < LCB_VCS; vc++)
            sum += (lcb_steps)((c->charged[vc] >> LCB_STEP_LOG2) - c->known[vc]);
    }
    for (unsigned n = 0; n < 2 * EPISODE_PORTS; n++)
        sum += credit_used(&ep->end[n / EPISODE_PORTS].source[n % EPISODE_PORTS].credits);
    return sum;
}

static void recover_step(struct device_episode *ep, struct recovery *r)
{
    device_episode_go(ep, 1);
    const uint64_t in_stage = ep->clock - r->since;
    if (!running(ep, r)) {
        r->last_bad = ep->clock;
        enter(ep, r, COMES_UP);
    } else if (r->stage == COMES_UP) {
        for (unsigned n = 0; n < 2 * EPISODE_LINKS; n++)
            r->crossed[n] = ep->end[n / EPISODE_LINKS].crossed[n % EPISODE_LINKS];
        enter(ep, r, FLOWS);
    } else if (r->stage == FLOWS && in_stage >= FLOW && carried(ep, r)) {
        enter(ep, r, DRAINS);
    } else if (r->stage == DRAINS && drained(ep)) {
        enter(ep, r, RETURNS);
    } else if (r->stage == RETURNS && (owed(ep) == 0 || in_stage > QUIET)) {
        enter(ep, r, DONE);
    }
}

static void recover(struct device_episode *ep, struct recovery *r)
{
    *r = (struct recovery){.began = ep->clock, .last_bad = ep->clock};
    enter(ep, r, COMES_UP);
    while (r->stage != DONE && ep->clock - r->began < EPISODE_BOUND + PATIENCE)
        recover_step(ep, r);
}

/* ---- verdict --------------------------------------------------------------------------------- */

static uint64_t escapes(const struct device_episode *ep)
{
    uint64_t sum = 0;
    for (unsigned n = 0; n < 2 * EPISODE_LINKS; n++)
        sum += ep->end[n / EPISODE_LINKS].cable[n % EPISODE_LINKS].escapes;
    return sum;
}

static void count(struct device_episode *ep, struct episode_result *r)
{
    const struct ledger *l = &ep->ledger;
    r->clocks = ep->clock;
    r->taken = l->count;
    r->delivered = l->delivered;
    r->reported = l->reported;
    r->forgotten = l->forgotten;
    r->resets = ep->resets;
    r->restarts = ep->restarts;
    for (unsigned n = 0; n < 2 * EPISODE_LINKS; n++) {
        r->timeouts += link_of(ep, n)->lcb.regs.counter[COUNT_TIMEOUTS];
        r->deaths += link_of(ep, n)->lcb.regs.counter[COUNT_DEATHS];
    }
    r->escaped = escapes(ep) > 0;
    r->failed_checks = harness_take_failures();
    if (r->escaped) {
        r->failed_checks = 0;
        return;
    }
    if (!accounted(ep))
        r->lost_silently = ledger_open(l, 0, true) + ledger_open(l, 1, true);
    r->duplicated = l->duplicated;
    r->corrupt = l->corrupt;
    r->wrong = l->wrong;
    r->credits_missing = owed(ep);
}

static void run(struct device_episode *ep, uint64_t seed, uint64_t n, struct episode_result *r)
{
    struct recovery v;
    begin(ep, episode_seed(seed, n));
    disorder(ep);
    mend(ep);
    recover(ep, &v);
    const uint64_t took = v.last_bad - v.began;
    *r = (struct episode_result){.episodes = 1, .worst_episode = n, .first_bad = n};
    count(ep, r);
    r->not_running = v.stage <= FLOWS || took > EPISODE_BOUND;
    r->worst_recovery_clocks = r->recovery_clocks = took;
    r->bad = !episode_good(r);
    if (!r->bad)
        return;
    int at = snprintf(r->first_error, sizeof r->first_error,
                      "stage %u, lost %" PRIu64 ", twice %" PRIu64 ", corrupt %" PRIu64
                      ", wrong %" PRIu64 ", owed %" PRIu64 ", checks %" PRIu64 ": %s",
                      (unsigned)v.stage, r->lost_silently, r->duplicated, r->corrupt, r->wrong,
                      r->credits_missing, r->failed_checks, ep->ledger.first_error);
    for (unsigned k = 0; k < 2 * EPISODE_LINKS && at > 0 && at < EPISODE_TEXT; k++)
        at += snprintf(r->first_error + at, (size_t)(EPISODE_TEXT - at), " [%u:%u]",
                       (unsigned)link_of(ep, k)->lcb.out.state,
                       (unsigned)link_of(ep, k)->lcb.out.epoch);
}

void device_episode_run(uint64_t seed, uint64_t n, struct episode_result *result)
{
    static struct device_episode ep;
    run(&ep, seed, n, result);
}

void device_episode_tell(uint64_t seed, uint64_t n, struct episode_result *result)
{
    static struct device_episode ep = {.saying = true};
    run(&ep, seed, n, result);
}
