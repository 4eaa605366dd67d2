// SPDX-License-Identifier: Apache-2.0
/*
 * test_packet_abuse.c - packet mode with neighbours that break the rules: a router above that sends packets without end, too long, too
 * late or of one flit; bits of the replay buffer that flip; a peer that acknowledges what it should not; a queue whose front
 * stands still while the same packet comes again and again with an error.
 *
 * Built for proto24: san.
 */
#include <inttypes.h>
#include <string.h>

#include "tb/system/link/pkt_bench.h"

enum { UP_LIMIT = 30000, DRAIN_LIMIT = 400000, HOLD_LIMIT = 2048 };

static struct pkt_bench b;

static bool start(uint64_t seed)
{
    struct pkt_bench_config config = pkt_bench_defaults();
    for (unsigned i = 0; i < 2; i++)
        config.cable[i].delay = 20;
    pkt_bench_start(&b, &config, seed);
    return pkt_bench_await(&b, LINK_RUN, UP_LIMIT);
}

/* ---- a router above that breaks the rules ------------------------------------------------------ */

struct sent {
    unsigned flits, tail; /* the flit that is the tail, or none */
    unsigned gap_at, gap; /* clocks without a flit in front of that one */
    const char *name;
};

/* End 0 hands in one such packet, then goes on as it should. */
static void hand_in(const struct sent *s, unsigned clip, uint64_t seed)
{
    bool up = start(seed);
    b.end[0].stopped = b.end[1].stopped = true;
    pkt_bench_run(&b, 3000);
    for (unsigned i = 0; i < 2 && clip != LCB_CLIP; i++) {
        pkt_bench_write(&b, i, LCB_REG_PACKET, clip | 128 << 8 | 64 << 16);
        b.end[i].traffic.max_length = b.end[i].reader.clip = clip;
    }
    b.end[1].stopped = false;
    struct pkt_end *e = &b.end[0];
    e->by_hand = true;
    const uint64_t soft = e->ledger.soft;
    uint32_t flit[64];
    const unsigned cut = s->flits < 2          ? 2
                         : s->flits > clip     ? clip
                         : s->gap > HOLD_LIMIT ? s->gap_at + 1
                                               : s->flits;
    for (unsigned i = 0; i < s->flits; i++)
        flit[i] = (uint32_t)rng_next(&e->rng) & GOLDEN_CONTENT & ~(i ? 0u : 7u << 18);
    /* what has to come: its flits up to where it is cut, and an end */
    for (unsigned i = 0; i < cut; i++)
        golden_handed(&e->ledger, flit[i], i == 0, i + 1 == cut, true);
    for (unsigned i = 0; i < s->flits; i++) {
        for (unsigned n = i == s->gap_at ? s->gap : 0; n > 0; n--)
            pkt_bench_step(&b);
        e->in.flit_valid = 1;
        e->in.flit = (lcb_flit)flit[i];
        e->in.flit_head = i == 0;
        e->in.flit_tail = i == s->tail;
        for (unsigned n = 0; n < 5000 && !e->lcb->out.flit_ready; n++)
            pkt_bench_step(&b);
        pkt_bench_step(&b);
        e->in.flit_valid = 0;
    }
    e->by_hand = false;
    e->stopped = false;
    pkt_bench_run(&b, 5000);
    const bool drained = pkt_bench_drain(&b, DRAIN_LIMIT), came = e->ledger.soft > soft;
    if (pkt_bench_clean(&b))
        tap_why("up %d, drained %d, came %d", up, drained, came);
    /* holds packet.clipped */
    tap_ok(up && drained && came && pkt_bench_clean(&b) && b.end[0].ledger.good > 100,
           "abuse: %s: its end is made by the sender, soft, and what follows is good", s->name);
    pkt_bench_free(&b);
}

/* ---- the replay buffer ------------------------------------------------------------------------- */

/* Flips bits of words that wait for a replay; `kinds` ones or those of the content. */
static void flip_bits(unsigned bits, bool kinds, uint64_t seed)
{
    struct pkt_bench_config config = pkt_bench_defaults();
    struct rng r;
    rng_seed(&r, seed);
    for (unsigned i = 0; i < 2; i++) {
        config.cable[i].delay = 20;
        config.cable[i].ber = 1e-4;
    }
    pkt_bench_start(&b, &config, seed);
    bool up = pkt_bench_await(&b, LINK_RUN, UP_LIMIT);
    b.end[0].maybe_soft = bits == 2;
    for (unsigned n = 0; n < 300; n++) {
        pkt_bench_run(&b, 100);
        struct pkt_tx *tx = &b.end[0].lcb->tx;
        const unsigned used = (unsigned)(lcb_seq)(tx->next - tx->base);
        if (used == 0)
            continue;
        const unsigned at = ((unsigned)tx->base + rng_below(&r, used)) % (1 << LCB_WINDOW_LOG2);
        const unsigned one = kinds ? 28 + rng_below(&r, 8) : rng_below(&r, 28);
        unsigned two = one;
        while (two == one)
            two = kinds ? 28 + rng_below(&r, 8) : rng_below(&r, 28);
        tx->buffer[at] ^= (phit_stored)1 << one;
        if (bits == 2)
            tx->buffer[at] ^= (phit_stored)1 << two;
    }
    pkt_bench_run(&b, 30000); /* a new epoch has time to come */
    up = up && pkt_bench_await(&b, LINK_RUN, UP_LIMIT);
    const bool drained = pkt_bench_drain(&b, DRAIN_LIMIT);
    const uint64_t hit = pkt_bench_count(&b, 0,
                                         bits == 1 ? COUNT_CORRECTED
                                         : kinds   ? COUNT_ACK_BAD
                                                   : COUNT_FATAL);
    if (pkt_bench_clean(&b))
        tap_why("up %d, drained %d, %" PRIu64 " seen, epoch %u", up, drained, hit,
                (unsigned)b.epoch);
    /* holds packet.border */
    tap_ok(up && drained && hit > 3 && pkt_bench_clean(&b) && (bits == 2 || b.epoch == 0),
           "abuse: %u bits of %s in the replay buffer: %s", bits, kinds ? "kinds" : "contents",
           bits == 1 ? "corrected"
           : kinds   ? "a new epoch, no border moves"
                     : "a soft error, or of a head a new epoch");
    tap_note("%" PRIu64 " seen, %" PRIu64 " soft, %" PRIu64 " reported", hit, b.end[0].ledger.soft,
             b.end[0].ledger.died);
    pkt_bench_free(&b);
}

/* ---- a queue that stands ----------------------------------------------------------------------- */

/* The front of the queue stands still while one packet comes `times` times, with an error at each of its places in turn. */
static void stands(unsigned times, uint64_t seed)
{
    bool up = start(seed);
    struct pkt_end *e = &b.end[1], *sender = &b.end[0];
    e->queue.stands = true;
    pkt_bench_run(&b, 60); /* some packets: each VC has a front, and credit for more */
    sender->stopped = true;
    pkt_bench_run(&b, 3000);
    const unsigned waits = (unsigned)(e->queue.vc[0].written - e->queue.vc[0].read +
                                      e->queue.vc[1].written - e->queue.vc[1].read);
    sender->traffic.min_length = 32;
    sender->stopped = false;
    const uint64_t packets = sender->packets, before = e->queue.rolled_back;
    unsigned hits = 0;
    for (unsigned n = 0; n < times * 2000 && (hits < times || b.cable[0].hit_phit); n++) {
        if (!b.cable[0].hit_phit && hits < times && e->queue.rolled_back - before == hits)
            b.cable[0].hit_phit = 1 + hits++ % 32;
        sender->stopped = sender->packets + (sender->at < sender->length) > packets;
        pkt_bench_step(&b);
    }
    pkt_bench_run(&b, 1000);
    const uint64_t copies = e->queue.rolled_back - before;
    e->queue.stands = false;
    pkt_bench_run(&b, 2000);
    const bool drained = pkt_bench_drain(&b, DRAIN_LIMIT);
    pkt_bench_run(&b, 2000);
    if (pkt_bench_clean(&b))
        tap_why("up %d, drained %d, %u hits, %" PRIu64 " copies, %u waited", up, drained, hits,
                copies, waits);
    tap_ok(up && drained && pkt_bench_clean(&b) && hits == times && copies == times && waits > 0 &&
               e->lcb->credit.held == 0,
           "abuse: a packet in error %u times while the queue's front stands still: no overflow, "
           "no credit too many or too few",
           times);
    for (unsigned v = 0; v < LCB_VCS; v++)
        tap_at_most((uint64_t)sender->lcb->credit.filled[v], 7,
                    "abuse: the sender's account of VC %u is empty but for a step", v);
    tap_note("%u hits, %" PRIu64 " copies rolled back, %u flits waited", hits, copies, waits);
    pkt_bench_free(&b);
}

/* ---- a peer that lies -------------------------------------------------------------------------- */

/* End 0 hears an ACK with a right CRC that its peer did not send. */
static void forge(uint32_t content)
{
    uint32_t record[2] = {content, (uint32_t)PHIT_OF_END << 22 | 2u << 16};
    record[1] |= golden_link_crc(record, 2, true, 0);
    b.end[0].forged = golden_word(record[0], record[1]);
    for (unsigned n = 0; n < 2000 && b.end[0].forged; n++)
        pkt_bench_step(&b);
}

static void lies(bool inside, uint64_t seed)
{
    bool up = start(seed);
    struct rng r;
    rng_seed(&r, seed);
    for (unsigned n = 0; n < 40 && up; n++) {
        up = pkt_bench_await(&b, LINK_RUN, UP_LIMIT);
        pkt_bench_run(&b, 200);
        const struct pkt_tx *tx = &b.end[0].lcb->tx;
        const unsigned used = (unsigned)(lcb_seq)(tx->next - tx->base);
        const unsigned ahead = inside ? rng_below(&r, used + 1) : 600 + rng_below(&r, 300);
        const unsigned ack = ((unsigned)tx->base + ahead) % GOLDEN_POSITIONS;
        b.end[0].lied_to =
            inside; /* what it acknowledges in its place may be lost: the ledger of that end counts no more */
        forge(1u << 21 | ack << 10 | 1u << 9);
        pkt_bench_run(&b, 1500);
    }
    up = up && pkt_bench_await(&b, LINK_RUN, UP_LIMIT);
    pkt_bench_run(&b, 5000);
    const uint64_t bad = pkt_bench_count(&b, 0, COUNT_ACK_BAD);
    const uint64_t before = b.end[1].flits_up;
    pkt_bench_run(&b, 5000);
    const bool goes = b.end[1].flits_up > before + 1000;
    const bool drained = inside || (pkt_bench_drain(&b, DRAIN_LIMIT) && pkt_bench_clean(&b));
    if (pkt_bench_clean(&b) || inside)
        tap_why("up %d, drained %d, %" PRIu64 " bad acks, goes %d", up, drained, bad, goes);
    tap_ok(up && drained && goes && bad > 3, "abuse: acks %s: %s",
           inside ? "inside a packet" : "outside the window",
           inside ? "a new epoch, and the link goes on" : "ignored, nothing lost");
    pkt_bench_free(&b);
}

int main(int argc, char **argv)
{
    const uint64_t seed = test_seed(argc, argv);
    static const struct sent packets[] = {
        {.flits = 40, .tail = 39, .gap_at = 64, .name = "a packet of 40"},
        {.flits = 33, .tail = 32, .gap_at = 64, .name = "a packet of 33"},
        {.flits = 1, .tail = 0, .gap_at = 64, .name = "a packet of one flit"},
        {.flits = 20, .tail = 19, .gap_at = 5, .gap = 2200, .name = "a packet that waits"},
        {.flits = 20,
         .tail = 19,
         .gap_at = 1,
         .gap = 5000,
         .name = "a packet that waits behind its head"},
    };
    for (unsigned i = 0; i < sizeof packets / sizeof *packets; i++)
        hand_in(&packets[i], LCB_CLIP, seed + i);
    const struct sent shorter = {
        .flits = 24, .tail = 23, .gap_at = 64, .name = "a packet of 24 with CLIP 19"};
    hand_in(&shorter, 19, seed + 8);
    flip_bits(1, false, seed + 10);
    flip_bits(1, true, seed + 11);
    flip_bits(2, false, seed + 12);
    flip_bits(2, true, seed + 13);
    stands(100, seed + 20);
    lies(false, seed + 30);
    lies(true, seed + 31);
    return tap_done();
}
