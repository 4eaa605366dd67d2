// SPDX-License-Identifier: Apache-2.0
/*
 * channel.c - the cable: a ring of symbols that is written at `clock` and read per lane `delay` plus
 * skew clocks behind; errors are flipped in as symbols enter.
 */
#include "channel.h"

#include <string.h>

static void draw(struct channel *c)
{
    c->next_error = rng_skip(&c->rng, c->config.ber);
    c->next_burst = rng_skip(&c->rng, c->config.burst_rate);
}

void channel_start(struct channel *c, const struct channel_config *config, uint64_t seed)
{
    memset(c, 0, sizeof *c);
    rng_seed(&c->rng, seed);
    c->config = *config;
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

/* Independent bit errors: walks from one flipped bit to the next. */
static void add_bit_errors(struct channel *c, uint16_t error[CHANNEL_LANES])
{
    const uint64_t bits = CHANNEL_LANES * CHANNEL_LANE_BITS;
    while (c->next_error < bits) {
        error[c->next_error / CHANNEL_LANE_BITS] ^=
            (uint16_t)(1u << c->next_error % CHANNEL_LANE_BITS);
        c->bit_errors++;
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

static uint16_t lane_data(struct channel *c, unsigned lane, uint16_t data)
{
    switch (c->lane[lane]) {
    case LANE_DOWN:
    case LANE_ZERO:
        return 0;
    case LANE_ONE:
        return 0xffff;
    case LANE_NOISE:
        return (uint16_t)rng_next(&c->rng);
    default:
        return data;
    }
}

void channel_step(struct channel *c, const struct channel_symbol in[CHANNEL_LANES],
                  const uint16_t *force, struct channel_symbol out[CHANNEL_LANES],
                  uint16_t error[CHANNEL_LANES])
{
    for (unsigned l = 0; l < CHANNEL_LANES; l++)
        error[l] = force ? force[l] : 0;
    add_bit_errors(c, error);
    if (c->burst.left > 0)
        add_burst(c, error);
    else if (c->next_burst == 0)
        start_burst(c);
    else
        c->next_burst--;

    for (unsigned l = 0; l < CHANNEL_LANES; l++) {
        struct channel_symbol *entering = &c->ring[c->clock % CHANNEL_ROOM][l];
        *entering = in[l];
        entering->data = lane_data(c, l, in[l].data ^ error[l]);
        entering->up = c->lane[l] != LANE_DOWN;
        error[l] = entering->data ^ in[l].data;
        const uint64_t behind = c->config.delay + c->config.skew[l];
        out[l] = c->ring[(c->clock - behind) % CHANNEL_ROOM][l];
    }
    c->clock++;
}
