// SPDX-License-Identifier: Apache-2.0
/*
 * test_link_blocks.c - first test of the blocks of hls/link: helpers one by one, then two LCBs back
 * to back.
 *
 * The cable here is as plain as can be: a delay per lane, bit errors, lanes that fall silent. Flits
 * are numbered, so order, loss and repetition show at once. The thorough tests, with the golden link
 * and the full channel, are the other test_link_*.c.
 *
 * Built for aries: fast.
 */
#include "tb/base/harness.h"
#include "link/lane/lanes.h"
#include "link/lcb.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RING = 1024 };

/* One direction: from what an end sends to what the other one receives. */
struct cable {
    uint16_t ring[RING][LANES];
    unsigned delay[LANES];
    double ber;
    uint64_t skip; /* bits until the next error */
    unsigned dead; /* lanes that carry zeros */
    unsigned down; /* of these, lanes that say so */
};

struct side {
    struct lcb lcb;
    struct cable cable; /* towards this side */
    bool idle;          /* offers nothing */
    bool restart;
    uint64_t sent; /* flits taken by the LCB */
    uint64_t got;  /* flits handed up */
    uint64_t reported;
    struct misses wrong; /* flits and reports out of order */
    uint64_t filler;
    uint64_t first_report;
    unsigned left; /* flits of the packet that is offered */
    u3 vc;
    uint64_t taken_at[256];
    uint64_t latency;
};

struct pair {
    struct side side[2];
    uint64_t clock;
    struct rng rng;
};

static uint64_t now;

static void pair_start(struct pair *p, uint64_t seed)
{
    memset(p, 0, sizeof *p);
    rng_seed(&p->rng, seed);
    for (int i = 0; i < 2; i++) {
        lcb_reset(&p->side[i].lcb);
        p->side[i].cable.skip = UINT64_MAX;
        for (int lane = 0; lane < LANES; lane++) {
            p->side[i].cable.delay[lane] = 1;
        }
    }
}

static void set_ber(struct pair *p, double ber)
{
    for (int i = 0; i < 2; i++) {
        p->side[i].cable.ber = ber;
        p->side[i].cable.skip = ber > 0 ? rng_skip(&p->rng, ber) : UINT64_MAX;
    }
}

static void set_delay(struct pair *p, unsigned delay, unsigned skew)
{
    for (int i = 0; i < 2; i++) {
        for (int lane = 0; lane < LANES; lane++) {
            p->side[i].cable.delay[lane] = delay + (lane == 1 ? skew : 0);
        }
    }
}

static uint16_t corrupt(struct cable *c, struct rng *rng, uint16_t word)
{
    uint64_t bit = 0;

    while (c->skip < 16 - bit) {
        bit += c->skip;
        word ^= (uint16_t)(1u << bit);
        bit++;
        c->skip = rng_skip(rng, c->ber);
    }
    c->skip -= c->skip == UINT64_MAX ? 0 : 16 - bit;
    return word;
}

/* Flit number n of a side; heads carry a VC and a length of 1 to 14. */
static u48 make_flit(struct side *s, bool head, struct rng *rng)
{
    u48 mark = 0;

    if (head) {
        s->left = 1 + rng_below(rng, 14);
        s->vc = (u3)rng_below(rng, 8);
        mark = ((u48)s->vc << 45) | ((u48)s->left << 41);
    }
    return mark | (u48)(s->sent & 0x1FFFFFFFFFF);
}

static void check_flit(struct side *s, struct side *peer, uint64_t clock)
{
    if (!s->lcb.out.rx_valid) {
        return;
    }
    if (s->lcb.out.rx_bad || (s->lcb.out.rx_flit == 0 && s->got != 0)) {
        s->filler++;
        return;
    }
    must_equal(&s->wrong, s->lcb.out.rx_flit & 0x1FFFFFFFFFF, s->got, "number of a flit");
    uint64_t latency = clock - peer->taken_at[s->got % 256];
    s->latency = latency > s->latency ? latency : s->latency;
    s->got++;
}

static bool in_order(const struct pair *p)
{
    return misses_why(&p->side[0].wrong) && misses_why(&p->side[1].wrong);
}

static void pair_step(struct pair *p)
{
    struct lcb_in in[2] = {};
    bool took[2];

    for (int i = 0; i < 2; i++) {
        struct side *s = &p->side[i];
        struct side *peer = &p->side[!i];
        bool head = s->left == 0;
        unsigned was_left = s->left;
        u3 was_vc = s->vc;
        struct rng before = p->rng;

        in[i].flit = make_flit(s, head, &p->rng);
        in[i].flit_valid = !(s->idle && head) && (!head || (u1)(s->lcb.out.room >> s->vc));
        took[i] = in[i].flit_valid && s->lcb.out.flit_ready;
        if (took[i]) {
            s->taken_at[s->sent % 256] = p->clock;
            s->sent++;
            s->left--;
        } else {
            p->rng = head && !in[i].flit_valid ? p->rng : before;
            s->left = was_left;
            s->vc = was_vc;
        }
        for (int lane = 0; lane < LANES; lane++) {
            struct cable *c = &s->cable;

            c->ring[p->clock % RING][lane] = peer->lcb.out.tx_lane[lane];
            uint16_t word = c->ring[(p->clock - (c->delay[lane] - 1)) % RING][lane];
            in[i].rx_lane[lane] = c->dead >> lane & 1 ? 0 : corrupt(c, &p->rng, word);
        }
        in[i].rx_lane_valid = 7;
        in[i].rx_lane_up = (u3)~s->cable.down;
        in[i].now = (lcb_time)p->clock;
        in[i].restart = s->restart;
        in[i].freed_valid = s->lcb.out.rx_valid;
    }
    for (int i = 0; i < 2; i++) {
        struct side *s = &p->side[i];

        /* The input queue frees a flit as soon as it comes; the VC is that of the packet. */
        static u3 packet_vc[2];
        if (s->lcb.out.rx_valid && s->lcb.out.rx_head) {
            packet_vc[i] = (u3)(s->lcb.out.rx_flit >> 45);
        }
        in[i].freed_vc = packet_vc[i];
    }
    for (int i = 0; i < 2; i++) {
        lcb(&p->side[i].lcb, &in[i]);
    }
    p->clock++;
    now = p->clock;
    for (int i = 0; i < 2; i++) {
        struct side *s = &p->side[i];

        check_flit(s, &p->side[!i], p->clock);
        if (s->lcb.out.report_valid) {
            uint64_t number = (uint64_t)(s->lcb.out.report_flit & 0x1FFFFFFFFFF);

            s->first_report = s->reported == 0 ? number : s->first_report;
            must_equal(&s->wrong, number, s->first_report + s->reported, "number of a report");
            s->reported++;
        }
    }
}

static void run(struct pair *p, uint64_t clocks)
{
    for (uint64_t i = 0; i < clocks; i++) {
        pair_step(p);
    }
}

static bool await(struct pair *p, enum link_state state, uint64_t limit)
{
    for (uint64_t i = 0; i < limit; i++) {
        if (p->side[0].lcb.out.state == state && p->side[1].lcb.out.state == state) {
            return true;
        }
        pair_step(p);
    }
    return false;
}

static bool drain(struct pair *p)
{
    p->side[0].idle = p->side[1].idle = true;
    for (int i = 0; i < 200000; i++) {
        pair_step(p);
        if (p->side[0].got == p->side[1].sent && p->side[1].got == p->side[0].sent &&
            p->side[0].left == 0 && p->side[1].left == 0) {
            break;
        }
    }
    p->side[0].idle = p->side[1].idle = false;
    return p->side[0].got == p->side[1].sent && p->side[1].got == p->side[0].sent;
}

static uint64_t count(const struct pair *p, enum lcb_counter counter)
{
    return p->side[0].lcb.regs.counter[counter] + p->side[1].lcb.regs.counter[counter];
}

static double rate(struct pair *p, uint64_t clocks)
{
    uint64_t before = p->side[0].got + p->side[1].got;

    run(p, clocks);
    return (double)(p->side[0].got + p->side[1].got - before) / (double)(2 * clocks);
}

static void test_helpers(struct rng *rng)
{
    bool single = true, twice = true, steps = true;

    for (int n = 0; n < 200; n++) {
        u48 flit = (u48)rng_next(rng);
        lcb_stored word = secded_encode(flit);
        struct secded_result clean = secded_decode(word);

        single &= clean.data == flit && !clean.corrected && !clean.fatal;
        for (int i = 0; i < LCB_STORED_BITS; i++) {
            lcb_stored one = word ^ ((lcb_stored)1 << i);
            struct secded_result r = secded_decode(one);

            single &= r.data == flit && r.corrected && !r.fatal;
            for (int j = 0; j < i; j++) {
                r = secded_decode(one ^ ((lcb_stored)1 << j));
                twice &= r.fatal && !r.corrected;
            }
        }
    }
    tap_ok(single, "every single bit error in a stored flit is corrected");
    tap_ok(twice, "every double bit error in a stored flit is detected");

    u23 state = scrambler_seed[0];
    for (int n = 0; n < 1000; n++) {
        u23 slow = state;
        u16 word = 0;

        for (int i = 0; i < 16; i++) {
            u1 out = (u1)(slow >> 22);
            slow = (u23)(slow << 1) | (u23)(out ^ (u1)(slow >> 17));
            word = (u16)(word << 1) | out;
        }
        steps &= word == scrambler_word(state) && slow == scrambler_step(state);
        state = slow;
    }
    tap_ok(steps, "sixteen scrambler steps at once equal sixteen single ones");
}

static void test_rates(uint64_t seed)
{
    static struct pair p;
    static const double lanes_rate[4] = {0, 0.3, 0.6, 0.9};

    for (unsigned dead = 0; dead < 3; dead++) {
        pair_start(&p, seed);
        set_delay(&p, 1, dead == 0 ? 0 : 16);
        for (int i = 0; i < 2; i++) {
            p.side[i].cable.dead = dead == 0 ? 0 : dead == 1 ? 2 : 6;
        }
        bool up = await(&p, LINK_RUN, 20000);
        uint64_t when = p.clock;
        run(&p, 1000);
        double flits = rate(&p, 20000);
        double want = lanes_rate[3 - dead];

        tap_note("%u lanes: up after %llu clocks, %.4f flits per clock, latency at most %llu, "
                 "round trip %u",
                 3 - dead, (unsigned long long)when, flits, (unsigned long long)p.side[0].latency,
                 (unsigned)p.side[0].lcb.link.out.round_trip);
        tap_ok(up && flits > want * 0.99 && flits < want * 1.01,
               "%u lanes carry %.1f flits per clock", 3 - dead, want);
        tap_ok(in_order(&p) && drain(&p), "all in order");
    }
}

/*
 * Clocks from the first word of a micropacket to that of the first one that can know of its
 * acknowledgement: what to send is decided three slots before.
 */
static double round_trip(struct pair *p, uint64_t clocks)
{
    struct lcb_tx *tx = &p->side[0].lcb.tx;
    uint64_t began[128] = {}, sum = 0, trips = 0, start = p->clock;

    for (uint64_t i = 0; i < clocks; i++) {
        lcb_seq base = tx->base;

        pair_step(p);
        if (tx->slot == 1) {
            began[tx->seq] = p->clock;
        }
        for (; base != tx->base; base++) {
            if (began[base] > start) {
                unsigned slot = (unsigned)tx->slot;

                sum += p->clock - began[base] + (slot <= 7 ? 10 : 20) - slot + 1;
                trips++;
            }
        }
    }
    return (double)sum / (double)trips;
}

static void test_goodput(uint64_t seed)
{
    static struct pair p;
    static const double bers[] = {1e-6, 1e-5, 1e-4};
    static const unsigned delays[] = {1, 40, 200};

    for (unsigned d = 0; d < 3; d++) {
        for (unsigned b = 0; b < 3; b++) {
            pair_start(&p, seed);
            set_delay(&p, delays[d], 0);
            await(&p, LINK_RUN, 20000);
            run(&p, 2000);
            double window = round_trip(&p, 5000) / LCB_SLOTS;
            set_ber(&p, bers[b]);
            double rate_seen = rate(&p, 300000) / 0.9;
            double bad = 1 - pow(1 - bers[b], 480);
            double formula = (1 - bad) / (1 + (window - 1) * bad);

            uint64_t blamed =
                count(&p, COUNT_LANE0) + count(&p, COUNT_LANE1) + count(&p, COUNT_LANE2);

            tap_note("delay %u, W %.2f, BER %g: goodput %.4f, formula %.4f, ratio %.4f, naks %llu, "
                     "crc %llu, replays %llu, timeouts %llu, reinits %llu, lanes %llu",
                     delays[d], window, bers[b], rate_seen, formula, rate_seen / formula,
                     (unsigned long long)count(&p, COUNT_NAKS),
                     (unsigned long long)count(&p, COUNT_CRC),
                     (unsigned long long)count(&p, COUNT_REPLAYS),
                     (unsigned long long)count(&p, COUNT_TIMEOUTS),
                     (unsigned long long)count(&p, COUNT_REINITS), (unsigned long long)blamed);
            tap_ok((double)blamed * 2 > (double)count(&p, COUNT_CRC) * rate_seen &&
                       blamed <= count(&p, COUNT_CRC),
                   "bad copies are compared with their replays");
            tap_ok(rate_seen / formula > 0.93 && rate_seen / formula < 1.07,
                   "goodput at BER %g and delay %u is what go-back-N gives", bers[b], delays[d]);
            set_ber(&p, 0);
            tap_ok(in_order(&p) && drain(&p), "all in order");
        }
    }
}

/* Both lanes whole again, both ends restarted; numbers begin anew with the epoch. */
static void restart(struct pair *p)
{
    for (int i = 0; i < 2; i++) {
        p->side[i].cable.dead = p->side[i].cable.down = 0;
        p->side[i].restart = true;
        p->side[i].idle = true;
    }
    pair_step(p);
    p->side[0].restart = p->side[1].restart = false;
    for (int i = 0; i < 20000 && !(p->side[0].lcb.out.epoch != 0 && p->side[1].lcb.out.epoch != 0);
         i++) {
        pair_step(p);
    }
    for (int i = 0; i < 2; i++) {
        p->side[i].sent = p->side[i].got = 0;
        p->side[i].idle = false;
    }
}

/* Bit errors at the worst rate, over replays and re-initialisations. */
static void test_noise(uint64_t seed)
{
    static struct pair p;

    pair_start(&p, seed);
    set_delay(&p, 10, 5);
    set_ber(&p, 1e-3);
    bool up = await(&p, LINK_RUN, 100000);
    run(&p, 1000000);
    uint64_t sent = p.side[0].sent + p.side[1].sent;
    tap_note("sent %llu, crc errors %llu, naks %llu, re-initialisations %llu, deaths %llu",
             (unsigned long long)sent, (unsigned long long)count(&p, COUNT_CRC),
             (unsigned long long)count(&p, COUNT_NAKS),
             (unsigned long long)count(&p, COUNT_REINITS),
             (unsigned long long)count(&p, COUNT_DEATHS));
    tap_ok(up && sent > 100000 && in_order(&p) && drain(&p),
           "all in order at a bit error rate of 1e-3");
}

/* Flips bits of the replay buffer: one is corrected, two bring a re-initialisation. */
static void test_ecc(uint64_t seed)
{
    static struct pair p;

    pair_start(&p, seed);
    set_delay(&p, 50, 0);
    await(&p, LINK_RUN, 20000);
    set_ber(&p, 1e-5);
    for (int i = 0; i < 20000; i++) {
        struct lcb_tx *tx = &p.side[rng_below(&p.rng, 2)].lcb.tx;
        unsigned place = rng_below(&p.rng, 1024);

        tx->buffer[place] ^= (lcb_stored)1 << rng_below(&p.rng, LCB_STORED_BITS);
        run(&p, 10);
        /* Never two in one word: what is not used is made whole again. */
        tx->buffer[place] = secded_encode(secded_decode(tx->buffer[place]).data);
    }
    tap_note("corrected %llu", (unsigned long long)count(&p, COUNT_CORRECTED));
    tap_ok(count(&p, COUNT_CORRECTED) > 0 && count(&p, COUNT_FATAL) == 0 && in_order(&p),
           "single bit errors of the replay buffer are corrected");

    struct lcb_tx *tx = &p.side[0].lcb.tx;
    for (unsigned slot = 0; slot < 9; slot++) {
        tx->buffer[((unsigned)tx->next & 63) * 16 - 16 + slot & 1023] ^= 3;
    }
    p.side[1].cable.dead = 7; /* so that it must be sent again */
    run(&p, 1000);
    p.side[1].cable.dead = 0;
    bool died = await(&p, LINK_DEAD, 500000);
    tap_ok(died && count(&p, COUNT_FATAL) > 0 && misses_why(&p.side[1].wrong),
           "double bit errors re-initialise and in the end kill the link");
}

/* Lanes die one after another under load, silently or with lane up falling. */
static void test_dying_lanes(uint64_t seed)
{
    static struct pair p;

    for (unsigned up = 0; up < 2; up++) {
        pair_start(&p, seed);
        set_delay(&p, 30, 16);
        await(&p, LINK_RUN, 20000);
        run(&p, 5000);
        for (unsigned dead = 1; dead <= 3; dead++) {
            unsigned lanes = dead == 1 ? 2 : dead == 2 ? 3 : 7;

            p.side[dead & 1].cable.dead = lanes;
            p.side[dead & 1].cable.down = up ? lanes : 0;
            if (dead == 3) {
                break;
            }
            run(&p, 20000);
            tap_ok(p.side[0].lcb.out.state == LINK_RUN && p.side[1].lcb.out.state == LINK_RUN &&
                       in_order(&p),
                   "%u lane dead, up says %u: runs on, maps %u and %u", dead, up,
                   (unsigned)p.side[0].lcb.out.rx_map, (unsigned)p.side[1].lcb.out.rx_map);
        }
        bool died = await(&p, LINK_DEAD, 200000);
        run(&p, 20000);
        bool settled = p.side[0].lcb.rx.out.closed && p.side[1].lcb.rx.out.closed;
        tap_ok(died && settled, "without lanes the link is dead and both ends have closed");
        for (int i = 0; i < 2; i++) {
            struct side *s = &p.side[i];
            struct side *peer = &p.side[!i];

            tap_note("side %d: sent %llu, reported %llu from %llu, peer got %llu, filler %llu", i,
                     (unsigned long long)s->sent, (unsigned long long)s->reported,
                     (unsigned long long)s->first_report, (unsigned long long)peer->got,
                     (unsigned long long)peer->filler);
            /* holds link.reports */
            tap_ok(misses_why(&s->wrong) && s->reported > 0 && s->first_report <= peer->got &&
                       s->first_report + s->reported == s->sent,
                   "delivered and reported together are what was sent");
        }
        restart(&p);
        bool again = await(&p, LINK_RUN, 200000);
        run(&p, 5000);
        tap_ok(again && drain(&p) && in_order(&p),
               "a restart begins a new epoch and all is delivered");
    }
}

/* A timeout far below the round trip and no hold time repeat much, but break nothing. */
static void test_impatience(uint64_t seed)
{
    static struct pair p;

    pair_start(&p, seed);
    set_delay(&p, 60, 3);
    for (int i = 0; i < 2; i++) {
        p.side[i].lcb.regs.out.timeout = 30;
    }
    await(&p, LINK_RUN, 20000);
    set_ber(&p, 1e-4);
    for (int n = 0; n < 200000; n++) {
        p.side[0].lcb.link.out.hold = p.side[1].lcb.link.out.hold = 0;
        pair_step(&p);
    }
    tap_ok(count(&p, COUNT_TIMEOUTS) > 1000 && in_order(&p) && drain(&p),
           "impatient senders: all in order");
}

int main(int argc, char **argv)
{
    uint64_t seed = test_seed(argc, argv);
    struct rng rng;

    harness_clock = &now;
    rng_seed(&rng, seed);
    test_helpers(&rng);
    test_rates(seed);
    test_goodput(seed);
    test_dying_lanes(seed);
    test_noise(seed);
    test_ecc(seed);
    test_impatience(seed);
    const unsigned covers = harness_covers("hls/link/micropacket/lcb_tx.c") +
                            harness_covers("hls/link/micropacket/lcb_rx.c");
    tap_ok(covers == 6, "all covers of lcb_tx and lcb_rx are hit (%u)", covers);
    return tap_done();
}
