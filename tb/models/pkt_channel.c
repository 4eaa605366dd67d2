// SPDX-License-Identifier: Apache-2.0
/*
 * pkt_channel.c - the cable of packet mode; pkt_channel.h says what it does.
 */
#include "tb/models/pkt_channel.h"

#include <string.h>

static void draw(struct pkt_channel *c)
{
    c->next_error = rng_skip(&c->rng, c->config.ber);
    c->next_burst = rng_skip(&c->rng, c->config.burst_rate);
}

void pkt_channel_start(struct pkt_channel *c, const struct pkt_channel_config *config,
                       uint64_t seed)
{
    memset(c, 0, sizeof *c);
    golden_lanes_start(&c->follow);
    rng_seed(&c->rng, seed);
    c->config = *config;
    draw(c);
}

void pkt_channel_change(struct pkt_channel *c, const struct pkt_channel_config *config)
{
    c->config = *config;
    draw(c);
}

static void add_bit_errors(struct pkt_channel *c, uint16_t error[CHANNEL_LANES])
{
    const uint64_t bits = CHANNEL_LANES * CHANNEL_LANE_BITS;
    while (c->next_error < bits) {
        error[c->next_error / CHANNEL_LANE_BITS] ^=
            (uint16_t)(1u << c->next_error % CHANNEL_LANE_BITS);
        c->bit_errors++;
        const uint64_t skip = rng_skip(&c->rng, c->config.ber);
        c->next_error =
            skip > UINT64_MAX - bits - 1 - c->next_error ? UINT64_MAX : c->next_error + 1 + skip;
    }
    c->next_error -= c->next_error == UINT64_MAX ? 0 : bits;
}

/* The first and the last bit of a burst are flipped, those between them half of the time; bit 15 of a word goes first. */
static void add_burst(struct pkt_channel *c, uint16_t error[CHANNEL_LANES])
{
    unsigned place = CHANNEL_LANE_BITS;
    if (c->burst_left == 0) {
        if (c->next_burst > 0) {
            c->next_burst--;
            return;
        }
        c->burst_left =
            c->config.burst_min + rng_below(&c->rng, c->config.burst_max - c->config.burst_min + 1);
        c->burst_lane = rng_below(&c->rng, CHANNEL_LANES);
        c->burst_first = true;
        c->bursts++;
        place = 1 + rng_below(&c->rng, CHANNEL_LANE_BITS);
        c->next_burst = rng_skip(&c->rng, c->config.burst_rate);
    }
    const uint64_t coin = rng_next(&c->rng);
    for (; place > 0 && c->burst_left > 0; c->burst_left--) {
        place--;
        if (c->burst_first || c->burst_left == 1 || (coin >> place & 1))
            error[c->burst_lane] ^= (uint16_t)(1u << place);
        c->burst_first = false;
    }
}

/* ---- errors that aim --------------------------------------------------------------------------- */

static bool is_hold(uint32_t phit)
{
    return golden_phit_get(phit, IN_PHIT_KIND) == PHIT_OF_IDLE &&
           (phit & GOLDEN_CONTENT) == GOLDEN_HOLD;
}

/* The bits of a phit that an error of this aim may flip; 0 if it is none of its phits. */
static uint32_t target_bits(enum pkt_target t, uint32_t phit, uint32_t before)
{
    const unsigned kind = golden_phit_get(phit, IN_PHIT_KIND);
    const bool record = kind == PHIT_OF_IDLE && golden_phit_get(phit, IN_PHIT_RECORD);
    const bool second = golden_phit_get(before, IN_PHIT_KIND) == PHIT_OF_IDLE &&
                        golden_phit_get(before, IN_PHIT_RECORD);
    const uint32_t kinds = 3u << GOLDEN_CONTENT_BITS;
    switch (t) {
    case HIT_HEAD_KIND:
        return kind == PHIT_OF_HEAD ? kinds : 0;
    case HIT_HEAD_VC:
        return kind == PHIT_OF_HEAD ? 1u << (GOLDEN_CONTENT_BITS - 1) : 0;
    case HIT_HEAD:
        return kind == PHIT_OF_HEAD ? GOLDEN_CONTENT : 0;
    case HIT_BODY_KIND:
        return kind == PHIT_OF_BODY ? kinds : 0;
    case HIT_BODY:
        return kind == PHIT_OF_BODY ? GOLDEN_CONTENT : 0;
    case HIT_END_KIND:
        return kind == PHIT_OF_END && !second ? kinds : 0;
    case HIT_END_UPPER:
        return kind == PHIT_OF_END && !second ? 0x3f0000 : 0;
    case HIT_END:
        return kind == PHIT_OF_END && !second ? GOLDEN_CONTENT : 0;
    case HIT_RECORD_KIND:
        return record || (second && kind == PHIT_OF_END) ? kinds : 0;
    case HIT_RECORD:
        return record || (second && kind == PHIT_OF_END) ? GOLDEN_CONTENT : 0;
    case HIT_HOLD_KIND:
        return is_hold(phit) ? kinds : 0;
    case HIT_HOLD:
        return is_hold(phit) ? GOLDEN_CONTENT : 0;
    default:
        return golden_phit_get(before, IN_PHIT_KIND) == PHIT_OF_END ? kinds : 0;
    }
}

static uint32_t aim(struct pkt_channel *c, uint32_t phit)
{
    uint32_t error = 0;
    for (unsigned t = 0; t < HIT_TARGETS; t++) {
        const uint32_t bits = c->config.hit[t] > 0 ? target_bits(t, phit, c->before) : 0;
        if (!bits || !rng_chance(&c->rng, c->config.hit[t]))
            continue;
        error |= 1u << rng_bit(&c->rng, bits);
        if (rng_chance(&c->rng, c->config.hit_two))
            error |= 1u << rng_bit(&c->rng, bits);
        c->hits[t]++;
    }
    const unsigned kind = golden_phit_get(phit, IN_PHIT_KIND);
    c->counted = kind == PHIT_OF_HEAD                 ? 1
                 : kind != PHIT_OF_IDLE && c->counted ? c->counted + 1
                                                      : c->counted;
    if (c->hit_phit && c->counted && kind != PHIT_OF_IDLE &&
        (c->counted == c->hit_phit || kind == PHIT_OF_END)) {
        error |= 1u << rng_below(&c->rng, GOLDEN_CONTENT_BITS - 1);
        c->hit_phit = 0;
    }
    c->counted = kind == PHIT_OF_END ? 0 : c->counted;
    c->before = phit;
    return error;
}

/* The word that goes by on three lanes, as it was sent. */
static void follow_word(struct pkt_channel *c, uint16_t error[CHANNEL_LANES])
{
    const unsigned chunk = c->follow.chunk;
    if (c->follow.lanes != CHANNEL_LANES)
        return;
    const uint64_t word = c->follow.plain.slot[chunk / CHANNEL_LANES];
    const uint32_t a = golden_word_phit(word, false), b = golden_word_phit(word, true);
    c->records +=
        golden_phit_get(a, IN_PHIT_KIND) == PHIT_OF_IDLE && golden_phit_get(a, IN_PHIT_RECORD);
    c->phits[golden_phit_get(a, IN_PHIT_KIND)]++;
    c->phits[golden_phit_get(b, IN_PHIT_KIND)]++;
    const uint32_t hit_a = aim(c, a), hit_b = aim(c, b);
    const uint64_t hit = golden_word(hit_a, hit_b);
    for (unsigned l = 0; l < CHANNEL_LANES; l++)
        error[l] ^= (uint16_t)(hit >> CHANNEL_LANE_BITS * l);
}

/* Bits of this clock that flip, for each word that they are of. */
static void count_flips(struct pkt_channel *c, const uint16_t error[CHANNEL_LANES])
{
    const struct golden_lanes *g = &c->follow;
    if (c->sessions != g->sessions) {
        c->sessions = g->sessions;
        c->sent = 0;
    }
    for (unsigned i = 0; i < g->lanes; i++) {
        const unsigned place = (g->chunk + i) % CHANNEL_LANES;
        uint8_t *flipped = &c->flipped[c->sent % PKT_WORDS];
        *flipped = (uint8_t)((place == 0 ? 0 : *flipped) + __builtin_popcount(error[g->lane[i]]));
        c->sent += place + 1 == CHANNEL_LANES;
    }
    golden_lanes_errors(&c->follow, error);
}

void pkt_channel_step(struct pkt_channel *c, bool valid, const uint16_t in[CHANNEL_LANES],
                      struct channel_symbol out[CHANNEL_LANES])
{
    uint16_t error[CHANNEL_LANES] = {0};
    if (valid) {
        c->words++;
        const bool data = golden_lanes_symbols(&c->follow, in);
        if (data) {
            follow_word(c, error);
            error[0] ^= (uint16_t)c->once;
            c->once = 0;
        }
        add_bit_errors(c, error);
        add_burst(c, error);
        if (data)
            count_flips(c, error);
    }
    for (unsigned l = 0; l < CHANNEL_LANES; l++) {
        struct channel_symbol *entering = &c->ring[c->clock % CHANNEL_ROOM][l];
        entering->data = lane_data(c->lane[l], in[l] ^ error[l], &c->rng);
        entering->valid = valid;
        entering->up = c->lane[l] != LANE_DOWN;
        out[l] = c->ring[(c->clock - c->config.delay - c->config.skew[l]) % CHANNEL_ROOM][l];
    }
    c->clock++;
}
