// SPDX-License-Identifier: Apache-2.0
/*
 * test_link_reset.c - after a reset two LCBs do what they did after power-up, clock by clock, whatever they did before.
 *
 * What they do is what their ports say, words of the lanes and all, in bring-up, traffic and a replay. Before the
 * reset comes something different every time: bring-up cut short, traffic with bit errors, a gap, a link that died.
 * Memories keep what they had.
 *
 * Built for aries: san.
 */
#include "tb/base/harness.h"
#include "hls/link/lcb.h"

#include <inttypes.h>
#include <string.h>

enum {
    CLOCKS = 4000,    /* compared */
    LOST_FROM = 2500, /* in these clocks all words of one direction are corrupted */
    LOST_TO = 2530,
    LIVES = 60,
};

static struct lcb end[2];
static uint64_t now, replayed, power_up[CLOCKS];

struct life {
    struct rng rng;
    unsigned left[2]; /* flits of the open packets */
    u48 offered[2];
    u3 vc[2];   /* of the packet that comes */
    double ber; /* of words, both directions */
    u3 dead;    /* lanes of both directions */
};

/* One clock of both, each on the lanes of the other; `lost` corrupts what end 1 gets. */
static void step(struct life *l, bool lost)
{
    struct lcb_in in[2] = {};
    for (unsigned i = 0; i < 2; i++) {
        const struct lcb_out *own = &end[i].out, *peer = &end[!i].out;
        if (l->left[i] == 0)
            l->offered[i] = (u48)(rng_next(&l->rng) >> 16);
        in[i].flit = l->offered[i];
        in[i].flit_valid = l->left[i] != 0 || (own->room >> (unsigned)(l->offered[i] >> 45) & 1);
        if (in[i].flit_valid && own->flit_ready) {
            const unsigned length = (unsigned)(l->offered[i] >> 41) & 15;
            l->left[i] = (l->left[i] ? l->left[i] : length ? length : 16) - 1;
            l->offered[i] = (u48)(rng_next(&l->rng) >> 16);
        }
        in[i].load = (u7)now;
        in[i].now = (lcb_time)now;
        if (own->rx_valid && own->rx_head)
            l->vc[i] = (u3)(own->rx_flit >> 45);
        in[i].freed_valid = own->rx_valid;
        in[i].freed_vc = l->vc[i];
        in[i].rx_lane_valid = 7;
        in[i].rx_lane_up = 7;
        for (unsigned lane = 0; lane < LANES; lane++) {
            const bool flip = rng_chance(&l->rng, l->ber) || (lost && i == 1);
            in[i].rx_lane[lane] = l->dead >> lane & 1 ? 0 : (u16)(peer->tx_lane[lane] ^ flip);
        }
    }
    lcb(&end[0], &in[0]);
    lcb(&end[1], &in[1]);
    now++;
    replayed += end[0].tx.out.replayed;
}

static void mix(uint64_t *sum, uint64_t value)
{
    *sum = (*sum ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    *sum ^= *sum >> 29;
}

/* Everything at the ports that means something. */
static uint64_t seen(void)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < 2; i++) {
        const struct lcb_out *o = &end[i].out;
        mix(&sum, o->flit_ready);
        mix(&sum, o->room);
        mix(&sum, o->rx_valid);
        if (o->rx_valid)
            mix(&sum, (uint64_t)o->rx_flit ^ (uint64_t)(o->rx_head + 2 * o->rx_tail + 4 * o->rx_bad)
                                                 << 48);
        mix(&sum, (uint64_t)(o->report_valid + 2 * o->peer_now_valid));
        if (o->report_valid)
            mix(&sum, (uint64_t)o->report_flit ^ (uint64_t)o->report_bad << 48);
        if (o->peer_now_valid)
            mix(&sum, (uint64_t)o->peer_now);
        mix(&sum, (uint64_t)o->state << 16 ^ (uint64_t)o->tx_map << 8 ^ (uint64_t)o->rx_map);
        mix(&sum, (uint64_t)o->peer_load << 8 ^ (uint64_t)o->epoch);
        for (unsigned lane = 0; lane < LANES; lane++)
            mix(&sum, o->tx_lane[lane]);
    }
    return sum;
}

static void reset_both(void)
{
    lcb_reset(&end[0]);
    lcb_reset(&end[1]);
}

/* The same after every reset: the first clock that differs from power-up, CLOCKS if there is none. */
static unsigned compared(uint64_t seed, bool first)
{
    struct life l = {};
    unsigned different = CLOCKS;
    rng_seed(&l.rng, seed);
    now = 0;
    for (unsigned clock = 0; clock < CLOCKS; clock++) {
        step(&l, clock >= LOST_FROM && clock < LOST_TO);
        const uint64_t sum = seen();
        if (first)
            power_up[clock] = sum;
        else if (sum != power_up[clock] && different == CLOCKS)
            different = clock;
    }
    return different;
}

/* Something else before the next reset. */
static void live(struct rng *r)
{
    struct life l = {.ber = rng_below(r, 2) ? 0 : 1e-3};
    const unsigned most = 1u << (4 + rng_below(r, 11)), clocks = 1 + rng_below(r, most);
    rng_seed(&l.rng, rng_next(r));
    now = rng_next(r) >> 40;
    for (unsigned i = 0; i < clocks; i++)
        step(&l, rng_chance(r, 0.001));
    if (rng_below(r, 4) == 0) {
        l.dead = 7;
        for (unsigned i = 0; i < 60000 && end[0].out.state != LINK_DEAD; i++)
            step(&l, false);
        for (unsigned i = rng_below(r, 100); i > 0; i--)
            step(&l, false);
    }
}

/* Nothing is counted while there is no link. */
static bool quiet(uint64_t seed)
{
    struct life l = {};
    unsigned counted = 0;
    rng_seed(&l.rng, seed);
    for (unsigned clock = 0; clock < 100; clock++)
        step(&l, false);
    for (unsigned i = 0; i < 2; i++)
        for (unsigned c = 0; c < sizeof end[i].regs.counter / sizeof *end[i].regs.counter; c++)
            counted += end[i].regs.counter[c] != 0;
    return counted == 0 && end[0].out.state == LINK_TRAIN;
}

int main(int argc, char **argv)
{
    const uint64_t seed = test_seed(argc, argv);
    struct rng r;
    unsigned same = 0;

    harness_clock = &now;
    rng_seed(&r, seed);
    reset_both();
    tap_ok(quiet(seed), "without a link nothing is counted");
    reset_both();
    compared(seed, true);
    const bool up = end[0].out.state == LINK_RUN && end[1].out.state == LINK_RUN;
    tap_ok(up && replayed > 0, "up in %d clocks, %" PRIu64 " micropackets sent again", CLOCKS,
           replayed);
    for (unsigned life = 0; life < LIVES; life++) {
        live(&r);
        reset_both();
        const unsigned different = compared(seed, false);
        same += different == CLOCKS;
        if (different < CLOCKS)
            tap_why("life %u: clock %u differs", life, different);
    }
    tap_ok(same == LIVES, "%d resets in the middle of something: all as after power-up", LIVES);
    return tap_done();
}
