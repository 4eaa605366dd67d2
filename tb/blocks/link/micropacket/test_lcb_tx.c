// SPDX-License-Identifier: Apache-2.0
/*
 * test_lcb_tx.c - what lcb_tx alone promises and two ends of a link hide, as they repair it: micropackets are read off its
 * words with the golden format.
 *
 * A micropacket with a corrupted flit always has a wrong CRC, every other a right one, also after the link went down in the
 * middle of a corrupted one; a wrong bit that is read is reported once. A new epoch is like the first one; a dead link reports all that was
 * not acknowledged, with its marks. Timeouts and the hold after a replay last as many slots as the registers say.
 *
 * Built for aries: san.
 */
#include "tb/golden/link/link.h"
#include "tb/base/harness.h"
#include "hls/link/micropacket/lcb_tx.h"

#include <inttypes.h>
#include <string.h>

enum { DATA_BITS = 48, PASSES = 200, SENT = 12, CORRUPTED = 5 };

static struct lcb_tx tx;
static struct lcb_tx_in in;
static struct rng r;
static uint64_t now, slot[GOLDEN_SLOTS];
static unsigned filled; /* words of the micropacket that is under way */

static void start(void)
{
    memset(&tx, 0, sizeof tx);
    lcb_tx_reset(&tx);
    in = (struct lcb_tx_in){.run = 1, .advance = 1, .timeout = 4095};
    filled = 0;
}

/* Registers of which the contract says what a reset makes of them, whatever they held. */
static void reset_values(void)
{
    memset(&tx, 0xff, sizeof tx);
    lcb_tx_reset(&tx);
    const uint64_t sum =
        (uint64_t)(tx.base | tx.resend | tx.next | tx.went_back_to | tx.seq | tx.fetch) |
        (uint64_t)(tx.holding | tx.timer) | (uint64_t)(tx.slot | tx.count) |
        (uint64_t)(tx.go | tx.dump | tx.was_urgent | tx.replay | tx.replay_next) |
        (uint64_t)(tx.open | tx.poison | tx.bad) | (uint64_t)(tx.turn | tx.left);
    /* holds lcb_tx.reset */
    tap_ok(sum == 0 && tx.closed == 1, "after a reset every register is 0, but closed");
}

/* One clock; true when it brought the last word of a micropacket, which is then in slot[]. */
static bool step(void)
{
    in.expected = (lcb_seq)rng_next(&r);
    in.load = (lcb_load)rng_next(&r);
    in.flit = (lcb_flit)rng_next(&r);
    lcb_tx(&tx, &in);
    now++;
    in.ack_valid = 0;
    if (!tx.out.valid)
        return false;
    slot[filled] = (uint64_t)tx.out.word;
    filled = (filled + 1) % GOLDEN_SLOTS;
    return filled == 0;
}

static void nak(unsigned expected)
{
    in.ack_valid = 1;
    in.ack = (lcb_seq)expected;
    in.nak = 1;
}

/* Fills SENT micropackets, then takes no more flits. */
static void fill(void)
{
    in.flit_valid = 1;
    while (tx.next < SENT)
        step();
    in.flit_valid = 0;
    for (unsigned n = 0; n < 5 * GOLDEN_SLOTS; n++)
        step();
}

static void flip(unsigned place, unsigned a, unsigned b)
{
    tx.buffer[CORRUPTED << LCB_SLOT_LOG2 | place] ^= (lcb_stored)1 << a ^ (lcb_stored)1 << b;
}

/* Sends all again; counts micropackets whose CRC is not as it has to be, and the corrupted ones. */
static void replay(bool corrupted, unsigned clocks, struct misses *wrong, unsigned *seen)
{
    nak(0);
    for (unsigned n = 0; n < clocks; n++) {
        if (!step())
            continue;
        const bool due = corrupted && tx.base != tx.next &&
                         golden_get(slot[9], FIELD_SEQUENCE) == CORRUPTED &&
                         golden_flits(slot[9]) != 0;
        must_equal(wrong, golden_micropacket_good(slot), !due, "right CRC of number %u",
                   (unsigned)golden_get(slot[9], FIELD_SEQUENCE));
        *seen += due;
    }
}

/* The link goes down for some clocks and comes up again. */
static void down(void)
{
    in.run = 0;
    for (unsigned n = 0; n < 6; n++)
        step();
    in.run = 1;
    filled = 0;
}

static void corrupted_flits(void)
{
    enum { ALL = (SENT + 3) * GOLDEN_SLOTS };
    struct misses wrong = {0}, after = {0};
    unsigned seen = 0, unused = 0;
    start();
    fill();
    for (unsigned pass = 0; pass < PASSES; pass++) {
        const unsigned place = rng_below(&r, 9), a = rng_below(&r, DATA_BITS),
                       b = (a + 1 + rng_below(&r, DATA_BITS - 1)) % DATA_BITS;
        flip(place, a, b);
        replay(true, ALL, &wrong, &seen);
        replay(true, CORRUPTED * GOLDEN_SLOTS + rng_below(&r, 20), &wrong, &seen);
        down();
        flip(place, a, b);
        replay(false, ALL, &after, &unused);
    }
    must_at_least(&wrong, seen, PASSES, "micropackets with a corrupted flit");
    tap_misses(&wrong, "%u micropackets with a corrupted flit: each with a wrong CRC, no other",
               seen);
    tap_misses(&after, "the link was down: right CRCs from the first micropacket on");
}

/* A single- or double-bit error in any word of the replay buffer: reported once when it is sent again, and then only. */
static void wrong_bits(void)
{
    enum { ALL = (SENT + 3) * GOLDEN_SLOTS };
    struct misses wrong = {0};
    start();
    fill();
    for (unsigned pass = 0; pass < 2 * PASSES; pass++) {
        const unsigned two = pass % 2, place = rng_below(&r, GOLDEN_SLOTS),
                       a = rng_below(&r, LCB_STORED_BITS), b = (a + two) % LCB_STORED_BITS;
        lcb_stored *corrupted = &tx.buffer[CORRUPTED << LCB_SLOT_LOG2 | place];
        const lcb_stored was = *corrupted;
        unsigned corrected = 0, fatal = 0;
        *corrupted ^= (lcb_stored)1 << a | (lcb_stored)1 << b;
        nak(0);
        for (unsigned n = 0; n < ALL; n++) {
            step();
            corrected += tx.out.ecc_corrected;
            fatal += tx.out.ecc_fatal;
        }
        *corrupted = was;
        must_equal(&wrong, corrected, !two, "corrected, bits %u and %u of word %u", a, b, place);
        must_equal(&wrong, fatal, two, "uncorrectable, bits %u and %u of word %u", a, b, place);
    }
    tap_misses(&wrong, "a single- or double-bit error, %d times: each reported once", 2 * PASSES);
}

enum { MOST_TAKEN = 1000 };

struct report {
    lcb_flit taken[MOST_TAKEN];
    bool marked[MOST_TAKEN];
    unsigned n_taken, n_reported;
    struct misses wrong;
    unsigned left; /* flits until the packet that is being taken ends */
};

/* One clock in which flits may be taken and reported. */
static void step_reporting(struct report *p)
{
    const bool takes = in.flit_valid && tx.out.flit_ready;
    in.flit_bad = rng_below(&r, 8) == 0;
    step();
    if (takes) {
        p->left = (p->left ? p->left : golden_length((uint64_t)in.flit)) - 1;
        p->marked[p->n_taken % MOST_TAKEN] = in.flit_bad;
        p->taken[p->n_taken++ % MOST_TAKEN] = in.flit;
    }
    const unsigned due = p->n_reported % MOST_TAKEN;
    if (tx.out.reports) {
        must(&p->wrong, p->n_reported < p->n_taken, "more reports than the %u flits taken",
             p->n_taken);
        must_equal(&p->wrong, tx.out.word, p->taken[due], "report %u", p->n_reported);
        must_equal(&p->wrong, tx.out.report_bad, p->marked[due], "mark of report %u",
                   p->n_reported);
    }
    p->n_reported += tx.out.reports;
}

/* A dead link reports all flits that were not acknowledged and the rest of the open packet, also if it is restarted meanwhile. */
static void death(void)
{
    struct misses wrong = {0};
    unsigned open = 0, reported = 0;
    for (unsigned pass = 0; pass < PASSES; pass++) {
        struct report p = {};
        start();
        in.flit_valid = 1;
        for (unsigned n = 20 + rng_below(&r, 500); n > 0; n--)
            step_reporting(&p);
        in.run = 0;
        for (unsigned n = 0; n < 6; n++)
            step_reporting(&p);
        open += p.left != 0;
        in.flush = 1;
        for (unsigned n = 1 + rng_below(&r, 30); n > 0; n--)
            step_reporting(&p);
        in.flush = 0;
        for (unsigned n = 0; n < 2000 && tx.out.flushing; n++)
            step_reporting(&p);
        step_reporting(&p);
        misses_add(&wrong, &p.wrong);
        must_be(&wrong, p.n_reported, p.n_taken);
        must_be(&wrong, p.left, 0u);
        must_hold(&wrong, !tx.out.flushing);
        reported += p.n_reported;
    }
    must_at_least(&wrong, open, PASSES / 2 + 1, "deaths in the middle of a packet");
    tap_misses(&wrong, "%d deaths, %u in the middle of a packet: each flit reported once (%u)",
               PASSES, open, reported);
}

/* Clocks between two events, the same `times` times; 0 if they are not the same. */
static unsigned spacing(const u1 *event, unsigned times, bool naks)
{
    unsigned last = 0, same = 0;
    for (unsigned n = 0, since = 0; n < 100000 && same < times; n++) {
        if (naks)
            nak(0);
        step();
        since++;
        if (!*event)
            continue;
        if (last != 0 && since != last)
            return 0;
        same += last != 0;
        last = since;
        since = 0;
    }
    return last;
}

/* What goes out in the clocks that follow, with the inputs that this seed gives. */
static uint64_t trace(unsigned clocks)
{
    uint64_t sum = 0;
    rng_seed(&r, clocks);
    in.flit_valid = 1;
    for (unsigned n = 0; n < clocks; n++) {
        in.gap = n / 50 % 2;
        step();
        const struct lcb_tx_out *o = &tx.out;
        sum = (sum ^ (uint64_t)(o->valid ? o->word : 0) ^
               (uint64_t)(o->flit_ready + 2 * o->timed_out) << 48) *
              UINT64_C(0x9e3779b97f4a7c15);
    }
    return sum;
}

/* A new epoch of a link that was down, after anything, is like the first one. */
static void new_epoch(struct rng *other)
{
    enum { CLOCKS = 700, TIMEOUT = 150 };
    struct misses different = {0};
    start();
    in.timeout = TIMEOUT;
    const uint64_t first = trace(CLOCKS);
    for (unsigned n = 0; n < PASSES; n++) {
        in.hold = (u12)rng_below(other, 100);
        for (unsigned clocks = rng_below(other, 300); clocks > 0; clocks--) {
            if (rng_below(other, 40) == 0)
                nak((unsigned)(tx.base + rng_below(other, 4)));
            step();
        }
        down();
        in.run = 0;
        in.clear = 1;
        step();
        in.clear = 0;
        in.run = 1;
        in.hold = 0;
        must_equal(&different, trace(CLOCKS), first, "sum of what goes out in epoch %u", n + 1);
    }
    tap_misses(&different, "%d new epochs go on as after the reset", PASSES);
}

int main(int argc, char **argv)
{
    static const unsigned slots[] = {40, 257, 1000, 4094};
    rng_seed(&r, test_seed(argc, argv));
    harness_clock = &now;
    struct rng other = r;
    reset_values();
    corrupted_flits();
    wrong_bits();
    new_epoch(&other);
    death();
    for (unsigned i = 0; i < sizeof slots / sizeof *slots; i++) {
        start();
        fill();
        in.timeout = (u12)slots[i];
        while (!tx.out.timed_out)
            step();
        const unsigned every = spacing(&tx.out.timed_out, 3, false);
        /* holds lcb_tx.timeout */
        tap_ok(every == slots[i], "without an ack a replay every %u slots: %u", slots[i], every);
        start();
        fill();
        in.hold = (u12)slots[i];
        while (!tx.out.nak_taken)
            nak(0), step();
        const unsigned naks = spacing(&tx.out.nak_taken, 3, true);
        /* holds lcb_tx.hold */
        tap_ok(naks == slots[i], "the same nak counts again after %u slots: %u", slots[i], naks);
    }
    return tap_done();
}
