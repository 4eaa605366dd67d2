// SPDX-License-Identifier: Apache-2.0
/*
 * piece.c - runs one piece of a campaign; piece.h says what that is.
 */
#include "tb/system/link/piece.h"

#include <string.h>

enum {
    UP_LIMIT = 100000,
    DRAIN_LIMIT = 2000000,
    MOST_DELAY = 250,
    LEAST_DEAD = 2000, /* clocks that a lane stays dead */
    MOST_DEAD = 40000,
    SHAKE = 800, /* clocks of noise that make a link look for lanes again */
};

uint64_t piece_seed(uint64_t campaign_seed, uint64_t n)
{
    struct rng r;
    rng_seed(&r, campaign_seed * UINT64_C(0x9E3779B97F4A7C15) + n);
    return rng_next(&r);
}

/* ---- what is drawn ------------------------------------------------------------------------------ */

static void draw_traffic(struct traffic_config *t, struct rng *r)
{
    t->vcs = rng_below(r, 4) ? 0xff : (uint8_t)(1u << rng_below(r, 8));
    t->load = rng_below(r, 5) ? 1 : 0.02;
    t->bubble = rng_below(r, 8) ? 0 : 0.05;
    t->drain = rng_below(r, 5) ? 1 : 0.5;
    t->mark = rng_below(r, 4) ? 0 : 0.02;
    t->min_length = 1 + rng_below(r, 3);
    t->max_length = t->min_length + rng_below(r, GOLDEN_MOST_FLITS - 2);
}

static void draw_cable(struct channel_config *k, const struct piece_config *config, double ber,
                       struct rng *r)
{
    k->ber = ber;
    k->burst_rate = config->burst_rate;
    k->burst_across = true;
    k->ack_loss = rng_below(r, 2) ? config->ack_loss : 0;
    k->ack_forge = rng_below(r, 2) ? config->ack_forge : 0;
    k->delay = rng_below(r, 2) ? rng_below(r, 40) : rng_below(r, MOST_DELAY);
    for (unsigned l = 0; l < CHANNEL_LANES; l++)
        k->skew[l] = rng_below(r, 2) ? rng_below(r, CHANNEL_MAX_SKEW + 1) : 0;
}

static struct bench_config draw(const struct piece_config *config, struct rng *r)
{
    static const double rates[] = {1e-7, 1e-6, 1e-5, 1e-4, 1e-3};
    struct bench_config drawn = bench_defaults();
    const double ber = config->ber >= 0 ? config->ber : rates[rng_below(r, 5)];
    drawn.cosim = config->cosim;
    for (unsigned i = 0; i < 2; i++) {
        draw_traffic(&drawn.traffic[i], r);
        draw_cable(&drawn.cable[i], config, ber, r);
    }
    return drawn;
}

/* ---- lanes that die and come back --------------------------------------------------------------- */

struct reaper {
    double rate;
    uint64_t next; /* clock of the next death */
    uint64_t back; /* clock at which all lanes are good again, 0 if they are */
    unsigned from; /* direction in which lanes are dead */
    bool shaking;
    uint64_t deaths;
};

static unsigned lanes_good(const struct channel *c)
{
    unsigned good = 0;
    for (unsigned l = 0; l < CHANNEL_LANES; l++)
        good += c->lane[l] == LANE_GOOD;
    return good;
}

static void kill_lane(struct reaper *k, struct bench *b, struct rng *r)
{
    if (k->back == 0)
        k->from = rng_below(r, 2);
    struct channel *c = &b->cable[k->from];
    unsigned lane = rng_below(r, CHANNEL_LANES);
    while (c->lane[lane] != LANE_GOOD)
        lane = (lane + 1) % CHANNEL_LANES;
    channel_lane(c, lane, (enum lane_state)(LANE_DOWN + rng_below(r, LANE_STATES - LANE_DOWN)));
    k->deaths++;
    k->back = b->clock + LEAST_DEAD + rng_below(r, MOST_DEAD);
}

/* Dead lanes come back for a link only when it looks for them: noise on all lanes makes it look. */
static void bring_back(struct reaper *k, struct bench *b)
{
    struct channel *c = &b->cable[k->from];
    for (unsigned l = 0; l < CHANNEL_LANES; l++)
        channel_lane(c, l, k->shaking ? LANE_GOOD : LANE_NOISE);
    k->back = k->shaking ? 0 : b->clock + SHAKE;
    k->shaking = !k->shaking;
}

static void reap(struct reaper *k, struct bench *b, struct rng *r)
{
    if (b->clock >= k->next && k->next != UINT64_MAX) {
        const uint64_t skip = rng_skip(r, k->rate);
        k->next = skip < UINT64_MAX - b->clock ? b->clock + 1 + skip : UINT64_MAX;
        if (!k->shaking && lanes_good(&b->cable[k->from]) > 1)
            kill_lane(k, b, r);
    }
    if (k->back != 0 && b->clock >= k->back)
        bring_back(k, b);
}

/* ---- the run ------------------------------------------------------------------------------------ */

static uint64_t on_the_wire(const struct bench *b)
{
    return b->cable[0].follow.sent + b->cable[1].follow.sent;
}

/* A dead link is restarted: what it reported counts as reported. */
static void revive(struct bench *b)
{
    for (unsigned i = 0; i < 2; i++)
        b->end[i].in.restart = b->end[i].lcb->out.state == LINK_DEAD;
}

/*
 * True at the end of its micropackets, false at an escape. A link that is broken for good carries
 * none: the piece ends in any case.
 */
static bool go_on(struct bench *b, const struct piece_config *config, struct rng *r,
                  struct reaper *k)
{
    const uint64_t limit = UP_LIMIT + 200 * config->micropackets;
    while (on_the_wire(b) < config->micropackets && b->clock < limit) {
        for (unsigned n = 0; n < 64; n++) {
            reap(k, b, r);
            bench_step(b);
            if (bench_escapes(b) > 0)
                return false;
        }
        revive(b);
    }
    return true;
}

/* Lets everything arrive, on good lanes but with the errors going on. False at an escape. */
static bool let_arrive(struct bench *b)
{
    for (unsigned i = 0; i < 2; i++)
        for (unsigned l = 0; l < CHANNEL_LANES; l++)
            channel_lane(&b->cable[i], l, LANE_GOOD);
    b->end[0].source.stopped = b->end[1].source.stopped = true;
    for (unsigned n = 0; n < DRAIN_LIMIT && bench_escapes(b) == 0; n++) {
        if (bench_drain(b, 0))
            return true;
        revive(b);
        bench_step(b);
    }
    return bench_escapes(b) == 0;
}

static void collect_flow(const struct bench_end *e, bool whole, struct piece_result *p)
{
    const struct golden_flow *f = &e->flow;
    p->flits_sent += f->sent;
    p->flits_delivered += f->delivered;
    p->flits_reported += f->reported;
    p->lost += whole ? golden_lost(f) : f->skipped.count;
    p->duplicated += f->duplicated;
    p->reordered += f->reordered;
    p->corrupt += f->corrupt;
    p->wrong += f->wrong + e->sink.overflows + e->early_epochs + e->times.count;
    p->native_seconds += e->dut.native_seconds;
    p->rtl_seconds += e->dut.rtl_seconds;
    if (!golden_clean(f) && !p->first_error[0])
        memcpy(p->first_error, f->first_error, sizeof p->first_error);
}

static void collect(const struct bench *b, bool whole, uint64_t n, struct piece_result *p)
{
    *p = (struct piece_result){.pieces = 1, .micropackets = on_the_wire(b), .clocks = b->clock};
    for (unsigned i = 0; i < 2; i++) {
        const struct channel *c = &b->cable[i];
        collect_flow(&b->end[i], whole, p);
        p->errored += c->errored;
        p->bit_errors += c->bit_errors;
        p->bursts += c->bursts;
        p->acks_lost += c->acks_lost;
        p->acks_forged += c->acks_forged;
    }
    p->escapes = bench_escapes(b);
    p->escapes_expected = bench_escapes_expected(b);
    p->crc_errors = bench_count(b, 2, COUNT_CRC);
    p->replays = bench_count(b, 2, COUNT_REPLAYS);
    p->naks = bench_count(b, 2, COUNT_NAKS);
    p->timeouts = bench_count(b, 2, COUNT_TIMEOUTS);
    p->acks_refused = bench_count(b, 2, COUNT_ACK_BAD);
    p->reinits = bench_count(b, 2, COUNT_REINITS);
    p->deaths = bench_count(b, 2, COUNT_DEATHS);
    p->mismatches = bench_mismatches(b);
    p->failed_checks = harness_take_failures();
    p->first_bad = n;
}

void piece_run(const struct piece_config *config, uint64_t campaign_seed, uint64_t n,
               struct piece_result *result)
{
    static struct bench b;
    struct rng r;
    rng_seed(&r, piece_seed(campaign_seed, n));
    const struct bench_config drawn = draw(config, &r);
    bench_start(&b, &drawn, rng_next(&r));
    struct reaper k = {.rate = config->lane_deaths, .next = rng_skip(&r, config->lane_deaths)};
    const bool up = bench_await(&b, LINK_RUN, UP_LIMIT);
    const bool whole = up && go_on(&b, config, &r, &k) && let_arrive(&b);
    collect(&b, whole || !up, n, result);
    result->lane_deaths = k.deaths;
    result->wrong += !up;
    bench_free(&b);
}

void piece_add(struct piece_result *sum, const struct piece_result *more)
{
    if (piece_good(sum) && !piece_good(more)) {
        sum->first_bad = more->first_bad;
        memcpy(sum->first_error, more->first_error, sizeof sum->first_error);
    }
#define ADD(field) sum->field += more->field
    ADD(pieces), ADD(micropackets), ADD(clocks);
    ADD(flits_sent), ADD(flits_delivered), ADD(flits_reported);
    ADD(lost), ADD(duplicated), ADD(reordered), ADD(corrupt), ADD(wrong);
    ADD(escapes), ADD(escapes_expected);
    ADD(errored), ADD(bit_errors), ADD(bursts), ADD(lane_deaths), ADD(acks_lost), ADD(acks_forged);
    ADD(crc_errors), ADD(replays), ADD(naks), ADD(timeouts), ADD(acks_refused), ADD(reinits);
    ADD(deaths), ADD(mismatches), ADD(failed_checks), ADD(native_seconds), ADD(rtl_seconds);
#undef ADD
}

bool piece_good(const struct piece_result *p)
{
    return p->lost == 0 && p->duplicated == 0 && p->reordered == 0 && p->corrupt == 0 &&
           p->wrong == 0 && p->mismatches == 0 && p->failed_checks == 0;
}

cJSON *piece_json(const struct piece_result *p)
{
    cJSON *json = cJSON_CreateObject();
#define PUT(field) cJSON_AddNumberToObject(json, #field, (double)p->field)
    PUT(micropackets), PUT(pieces), PUT(clocks);
    PUT(flits_sent), PUT(flits_delivered), PUT(flits_reported);
    PUT(lost), PUT(duplicated), PUT(reordered), PUT(corrupt), PUT(wrong);
    PUT(escapes), PUT(escapes_expected);
    PUT(errored), PUT(bit_errors), PUT(bursts), PUT(lane_deaths), PUT(acks_lost), PUT(acks_forged);
    PUT(crc_errors), PUT(replays), PUT(naks), PUT(timeouts), PUT(acks_refused), PUT(reinits);
    PUT(deaths), PUT(mismatches), PUT(failed_checks);
#undef PUT
    return json;
}
