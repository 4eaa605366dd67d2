// SPDX-License-Identifier: Apache-2.0
/*
 * traffic.c - packets for a link and a queue at its other end; traffic.h says how they behave.
 */
#include "tb/models/traffic.h"

#include <string.h>

#include "tb/golden/link/link.h"

/* ---- source ---------------------------------------------------------------------------------- */

void source_start(struct traffic_source *s, const struct traffic_config *config, uint64_t seed)
{
    memset(s, 0, sizeof *s);
    s->config = *config;
    rng_seed(&s->rng, seed);
}

/* A permutation of the numbers of so many bits: odd multiplication and folding both can be undone. */
static uint64_t mix(uint64_t n, unsigned bits)
{
    const uint64_t mask = ~UINT64_C(0) >> (64 - bits);
    n = n * 0x9E3779B97F4A7C15 & mask;
    n ^= n >> bits / 2;
    n = n * 0xC2B2AE3D27D4EB4F & mask;
    return (n ^ n >> bits / 2) & mask;
}

static unsigned pick_vc(struct traffic_source *s, unsigned allowed)
{
    unsigned pick = rng_below(&s->rng, (unsigned)__builtin_popcount(allowed));
    while (pick-- > 0)
        allowed &= allowed - 1;
    return (unsigned)__builtin_ctz(allowed);
}

static void draw_mark(struct traffic_source *s)
{
    s->marked = s->config.mark > 0 && rng_chance(&s->rng, s->config.mark);
}

static void begin_packet(struct traffic_source *s, unsigned allowed)
{
    enum { HEAD_MARKS = 7 };
    const unsigned span = s->config.max_length - s->config.min_length + 1;
    s->vc = pick_vc(s, allowed);
    s->left = s->config.min_length + rng_below(&s->rng, span);
    uint64_t head =
        mix(s->flits + 1, GOLDEN_FLIT_BITS - HEAD_MARKS); /* so that heads differ, too */
    head = golden_set(head, FIELD_HEAD_VC, s->vc);
    s->flit = golden_set(head, FIELD_HEAD_LENGTH, s->left);
    draw_mark(s);
    s->offering = s->head = true;
    s->packets++;
}

bool source_offers(struct traffic_source *s, unsigned room)
{
    if (s->offering)
        return !s->head || (room >> s->vc & 1); /* room may go before the head is taken */
    if (s->left > 0) {
        if (s->config.bubble > 0 && rng_chance(&s->rng, s->config.bubble))
            return false;
        s->flit = mix(s->flits + 1, GOLDEN_FLIT_BITS);
        draw_mark(s);
        s->offering = true;
        s->head = false;
        return true;
    }
    const unsigned allowed = room & s->config.vcs;
    if (s->stopped || !allowed || (s->config.load < 1 && !rng_chance(&s->rng, s->config.load)))
        return false;
    begin_packet(s, allowed);
    return true;
}

void source_taken(struct traffic_source *s)
{
    s->offering = false;
    s->left--;
    s->flits++;
}

/* ---- sink ------------------------------------------------------------------------------------ */

void sink_start(struct traffic_sink *s, const struct traffic_config *config, uint64_t seed)
{
    memset(s, 0, sizeof *s);
    s->config = *config;
    rng_seed(&s->rng, seed);
}

void sink_arrived(struct traffic_sink *s, uint64_t flit)
{
    if (s->left == 0) {
        s->left = golden_length(flit);
        s->vc = (unsigned)golden_get(flit, FIELD_HEAD_VC);
    }
    s->left--;
    s->arrived[s->vc]++;
    s->total++;
    if (++s->queued[s->vc] > TRAFFIC_GUARANTEED)
        s->shared++;
    s->overflows += s->shared > s->config.shared;
    if (s->shared > s->most_shared)
        s->most_shared = s->shared;
}

bool sink_frees(struct traffic_sink *s, unsigned *vc)
{
    if (s->total == 0 || (s->config.drain < 1 && !rng_chance(&s->rng, s->config.drain)))
        return false;
    unsigned v = s->next;
    while (s->queued[v] == 0)
        v = (v + 1) % TRAFFIC_VCS;
    s->next = (v + 1) % TRAFFIC_VCS;
    if (s->queued[v]-- > TRAFFIC_GUARANTEED)
        s->shared--;
    s->total--;
    *vc = v;
    return true;
}

void sink_empty(struct traffic_sink *s)
{
    memset(s->queued, 0, sizeof s->queued);
    s->total = s->shared = s->left = 0;
}
