// SPDX-License-Identifier: Apache-2.0
/*
 * channel.c - the cable: a ring of symbols that is written at `clock` and read per lane `delay` plus
 * skew clocks behind; errors are flipped in as symbols enter.
 */
#include "tb/models/channel.h"

#include <string.h>

static void draw(struct channel *c)
{
    c->next_error = rng_skip(&c->rng, c->config.ber);
    c->next_burst = rng_skip(&c->rng, c->config.burst_rate);
}

void channel_start(struct channel *c, const struct channel_config *config,
                   const struct channel *reverse, uint64_t seed)
{
    memset(c, 0, sizeof *c);
    golden_lanes_start(&c->follow);
    rng_seed(&c->rng, seed);
    c->config = *config;
    c->reverse = reverse;
    draw(c);
}

void channel_change(struct channel *c, const struct channel_config *config)
{
    c->config = *config;
    draw(c);
}

void channel_lane(struct channel *c, unsigned lane, enum lane_state state)
{
    c->lane[lane] = state;
}

void channel_inject(struct channel *c, const struct golden_micropacket *pattern)
{
    c->pattern = *pattern;
    c->armed = true;
}

/* This clock's part of a pattern, in data mode. */
static void add_pattern(struct channel *c, uint16_t error[CHANNEL_LANES])
{
    const struct golden_lanes *g = &c->follow;
    for (unsigned i = 0; i < g->lanes; i++) {
        const unsigned chunk = (g->chunk + i) % GOLDEN_CHUNKS;
        if (chunk == 0) {
            c->injecting = c->armed;
            c->armed = false;
        }
        if (c->injecting)
            error[g->lane[i]] ^= golden_chunk(&c->pattern, chunk);
    }
}

/* Independent bit errors: walks from one flipped bit to the next. */
static void add_bit_errors(struct channel *c, uint16_t error[CHANNEL_LANES])
{
    const uint64_t bits = CHANNEL_LANES * CHANNEL_LANE_BITS;
    while (c->next_error < bits) {
        const uint64_t lane = c->next_error / CHANNEL_LANE_BITS;
        if (!(c->config.spared >> lane & 1)) {
            error[lane] ^= (uint16_t)(1u << c->next_error % CHANNEL_LANE_BITS);
            c->bit_errors++;
        }
        const uint64_t skip = rng_skip(&c->rng, c->config.ber);
        if (skip > UINT64_MAX - bits - 1) {
            c->next_error = UINT64_MAX;
            return;
        }
        c->next_error += 1 + skip;
    }
    c->next_error -= bits;
}

static void start_burst(struct channel *c)
{
    const struct channel_config *k = &c->config;
    struct channel_burst *b = &c->burst;
    b->left = k->burst_min + rng_below(&c->rng, k->burst_max - k->burst_min + 1);
    b->across = k->burst_across && rng_below(&c->rng, 2);
    b->lane = rng_below(&c->rng, CHANNEL_LANES);
    b->place = rng_below(&c->rng, CHANNEL_LANE_BITS * (b->across ? CHANNEL_LANES : 1));
    b->first = true;
    c->bursts++;
    c->next_burst = rng_skip(&c->rng, k->burst_rate);
}

/* The first and the last bit of a burst are flipped, those between them half of the time. */
static void add_burst(struct channel *c, uint16_t error[CHANNEL_LANES])
{
    struct channel_burst *b = &c->burst;
    const unsigned end = CHANNEL_LANE_BITS * (b->across ? CHANNEL_LANES : 1);
    const uint64_t coin = rng_next(&c->rng);
    for (; b->place < end && b->left > 0; b->place++, b->left--) {
        const unsigned lane = b->across ? b->place / CHANNEL_LANE_BITS : b->lane;
        if (b->first || b->left == 1 || coin >> b->place & 1)
            error[lane] ^= (uint16_t)(1u << b->place % CHANNEL_LANE_BITS);
        b->first = false;
    }
    b->place = 0;
}

uint16_t lane_data(enum lane_state state, uint16_t data, struct rng *rng)
{
    switch (state) {
    case LANE_DOWN:
    case LANE_ZERO:
        return 0;
    case LANE_ONE:
        return 0xffff;
    case LANE_NOISE:
        return (uint16_t)rng_next(rng);
    default:
        return data;
    }
}

/*
 * The number that stands for an ack which is outside the peer's window for certain: beyond what the
 * peer has sent now by more than it can send until this arrives, and by less than half of the
 * numbers. Returns 0 where the cable is too long for that.
 */
static unsigned beyond_window(struct channel *c)
{
    enum { CLOCKS_PER_MICROPACKET = 10, PIPELINE = 10, WINDOW = 64 };
    const unsigned longest = c->config.delay + CHANNEL_MAX_SKEW;
    const unsigned least = longest / CLOCKS_PER_MICROPACKET + PIPELINE;
    return least < WINDOW ? least + rng_below(&c->rng, WINDOW - least) : 0;
}

/* The tail of a good micropacket is going by on all lanes: changes ack and nak and closes it again. */
static void forge_ack(struct channel *c, uint16_t lane[CHANNEL_LANES])
{
    const unsigned beyond = beyond_window(c);
    if (beyond == 0 || c->follow.lanes != CHANNEL_LANES || !c->reverse ||
        !golden_micropacket_good(c->follow.plain.slot))
        return;
    struct golden_micropacket forged = c->follow.plain;
    uint64_t *tail = &forged.slot[GOLDEN_SLOTS - 1];
    const uint64_t before = *tail;
    *tail = golden_set(*tail, FIELD_ACK, c->reverse->follow.next + beyond);
    *tail = golden_set(*tail, FIELD_NAK, rng_below(&c->rng, 2));
    golden_micropacket_close(forged.slot);
    const uint64_t flip = before ^ *tail;
    for (unsigned l = 0; l < CHANNEL_LANES; l++)
        lane[l] ^= (uint16_t)(flip >> CHANNEL_LANE_BITS * l);
    golden_lanes_forge(&c->follow, flip);
    c->acks_forged++;
}

/* Faults that need to know what is being sent. */
static void tamper(struct channel *c, uint16_t lane[CHANNEL_LANES], uint16_t error[CHANNEL_LANES])
{
    const struct channel_config *k = &c->config;
    if (!c->follow.complete || (k->ack_forge <= 0 && k->ack_loss <= 0))
        return;
    if (!golden_has_ack(c->follow.plain.slot[GOLDEN_SLOTS - 1]))
        return;
    if (rng_chance(&c->rng, k->ack_forge))
        forge_ack(c, lane);
    if (rng_chance(&c->rng, k->ack_loss)) {
        error[c->follow.lane[0]] ^= 1;
        c->acks_lost++;
    }
}

/*
 * Whether patterns of this kind can escape at all: an even weight, of at least 6 or 4, spread over more
 * bits than a burst that the CRC sees for certain.
 */
static bool can_escape(const struct golden_micropacket *m)
{
    enum { SEEN_BURST = GOLDEN_DEGREE };
    unsigned ones = 0, first = GOLDEN_BITS, last = 0;
    for (unsigned s = 0; s < GOLDEN_SLOTS; s++) {
        if (!m->slot[s])
            continue;
        const unsigned end = (s + 1) * GOLDEN_FLIT_BITS - 1;
        ones += (unsigned)__builtin_popcountll(m->slot[s]);
        last = end - (unsigned)__builtin_ctzll(m->slot[s]);
        if (first == GOLDEN_BITS)
            first = end - (63 - (unsigned)__builtin_clzll(m->slot[s]));
    }
    return ones >= GOLDEN_LEAST_WEIGHT && ones % 2 == 0 && last - first >= SEEN_BURST;
}

static bool any_error(const struct golden_micropacket *m)
{
    uint64_t any = 0;
    for (unsigned s = 0; s < GOLDEN_SLOTS; s++)
        any |= m->slot[s];
    return any;
}

/* A micropacket is whole: is its pattern one that the receiver cannot see? */
static void judge(struct channel *c)
{
    if (!any_error(&c->follow.error))
        return;
    c->errored++;
    c->blind += can_escape(&c->follow.error);
    c->escapes += golden_escapes(c->follow.error.slot);
}

void channel_step(struct channel *c, const uint16_t in[CHANNEL_LANES],
                  struct channel_symbol out[CHANNEL_LANES])
{
    uint16_t lane[CHANNEL_LANES], error[CHANNEL_LANES] = {0};
    memcpy(lane, in, sizeof lane);
    const bool data = golden_lanes_symbols(&c->follow, lane);
    if (data) {
        add_pattern(c, error);
        tamper(c, lane, error);
    }
    add_bit_errors(c, error);
    if (c->burst.left > 0)
        add_burst(c, error);
    else if (c->next_burst == 0)
        start_burst(c);
    else
        c->next_burst--;

    for (unsigned l = 0; l < CHANNEL_LANES; l++) {
        struct channel_symbol *entering = &c->ring[c->clock % CHANNEL_ROOM][l];
        entering->data = lane_data(c->lane[l], lane[l] ^ error[l], &c->rng);
        entering->valid = 1;
        entering->up = c->lane[l] != LANE_DOWN;
        error[l] = entering->data ^ lane[l];
        const uint64_t behind = c->config.delay + c->config.skew[l];
        out[l] = c->ring[(c->clock - behind) % CHANNEL_ROOM][l];
    }
    c->clock++;
    if (data) {
        golden_lanes_errors(&c->follow, error);
        if (c->follow.complete)
            judge(c);
    }
}
