// SPDX-License-Identifier: Apache-2.0
/*
 * test_inq_store.c - inq_store alone, clock by clock: which flit goes to staging when, what is freed and reported; resets under
 * way; wrong bits in the block numbers of a shared queue.
 *
 * A flit can leave one clock after it came, if staging has room for its VC and one place more. The VC read last goes on until
 * its tail or a gap, then comes the one whose turn it is, which is determined a clock before. An illegal packet does not
 * enter, and the clock after each of its flits gives its place back instead of reading.
 *
 * Built for aries, proto: san. Recorded for inq_store.
 */
#include "tb/base/harness.h"
#include "tb/blocks/router/input/input_bench.h"
#include "router/input/inq_store.h"

#include <string.h>

enum { ALL = (1 << VCS) - 1, LIVES = 200 };

struct flit {
    uint64_t data;
    bool bad, tail;
};

/* Flits of a VC in the queue, and in staging behind it; of these the store counts one a clock later. */
struct vc {
    struct flit flit[WAITING];
    unsigned in, out, staged, counted;
};

/* How things go; rates of 16. */
struct manners {
    unsigned vcs, longest, brings, frees, holds, illegal;
};

static struct inq_store store;
static struct rng r;
static uint64_t now;
static struct manners how;
static struct vc vc[VCS];
static unsigned taken[NAMES]; /* places of each VC, as the link believes */
static struct head head;      /* of the packet that comes in */
static unsigned left;         /* its flits to come */
static bool legal, named, refund;
static unsigned refund_vc, last_vc, next_vc, link_vc, wipes;
static bool last_read, last_tail;

static struct {
    struct misses read, order, content, freed, incoming, start;
    unsigned flits, refused, runs, full, corrected, fatal;
} seen;

static bool often(unsigned rate)
{
    return rng_below(&r, 16) < rate;
}

/* ---- the link and staging ------------------------------------------------------------------------ */

/* A packet begins, if there is room for all of it. */
static bool begin(void)
{
    const bool wrong = often(how.illegal);

    head = (struct head){.vc = rng_bit(&r, how.vcs),
                         .length = 1 + rng_below(&r, how.longest),
                         .rest = (unsigned)rng_next(&r)};
    if (wrong && rng_below(&r, 2))
        /* holds store.stranger */
        head.vc = VCS + rng_below(&r, NAMES - VCS + 1);
    else if (wrong)
        head.length = RTR_PACKET + 1 + rng_below(&r, 16 - RTR_PACKET);
    named = head.vc < VCS;
    legal = named && head.length <= RTR_PACKET;
    if (head.vc == NAMES || !often(how.brings))
        return false;
    if (named && input_room(taken, head.vc) < head.length) {
        seen.full++;
        return false;
    }
    left = head.length;
    return true;
}

static void bring(struct inq_store_in *in)
{
    const bool first = left == 0;

    in->flit = (rtr_flit)rng_next(&r);
    if (first ? !begin() : !often(how.brings))
        return;
    left--;
    in->valid = 1;
    in->flit = first ? (rtr_flit)put_head(&head) : in->flit;
    in->bad = rng_below(&r, 8) == 0;
    taken[head.vc]++;
}

static void free_staging(struct inq_store_in *in)
{
    const unsigned v = rng_below(&r, VCS);

    in->staging_freed.vc = (rtr_vc)v;
    if (wipes == 0 && vc[v].counted > 0 && often(how.frees)) {
        in->staging_freed.valid = 1;
    }
}

/* ---- what must be -------------------------------------------------------------------------------- */

/* What the store can do in this clock: go on with the last VC, or turn to another. */
struct choice {
    bool on, turn;
    unsigned others; /* those that may be next then */
};

static struct choice look(void)
{
    unsigned vcs = 0, room = 0;

    for (unsigned v = 0; v < VCS; v++) {
        vcs |= vc[v].in != vc[v].out ? 1u << v : 0;
        room |= vc[v].counted < VC_ROOM - 1 ? 1u << v : 0;
    }
    const bool on = vcs & room & 1u << last_vc;
    const bool turn = next_vc != last_vc && (vcs & room & 1u << next_vc);
    if (last_read) /* that it has no more shows too late */
        vcs |= 1u << last_vc;
    return (struct choice){on, turn, vcs & room & ~(1u << (turn ? next_vc : last_vc))};
}

static unsigned behind(unsigned v, unsigned vcs)
{
    if (vcs == 0)
        return link_vc;
    do
        v = (v + 1) % VCS;
    while (!(vcs >> v & 1));
    return v;
}

/* The flit that was read is the next of its VC. */
static void check_flit(unsigned v)
{
    const struct flit *want = &vc[v].flit[vc[v].out++ % WAITING];
    const uint64_t data = (uint64_t)store.out.word & ((UINT64_C(1) << RTR_FLIT_BITS) - 1);
    const bool bad = (uint64_t)(store.out.word >> RTR_FLIT_BITS) & 1;
    const unsigned tail = (unsigned)(store.out.word >> RTR_CODE_BITS) & 15;

    must_equal(&seen.content, data, want->data, "VC %u, flit %u: data", v, vc[v].out - 1);
    must_equal(&seen.content, bad, want->bad, "VC %u, flit %u: bad", v, vc[v].out - 1);
    must_equal(&seen.content, tail, want->tail ? 15 : 0, "VC %u, flit %u: tail", v, vc[v].out - 1);
    vc[v].staged++;
    taken[v]--;
    seen.flits++;
    seen.runs += last_read && last_vc == v && !last_tail;
    last_tail = want->tail;
    last_vc = v;
}

static void check_notes(const struct inq_store_in *in, bool first, bool read)
{
    const struct inq_store_out *out = &store.out;

    must_equal(&seen.freed, out->freed.valid, refund || read, "a place is freed, VC %u",
               refund ? refund_vc : last_vc);
    if (out->freed.valid)
        must_equal(&seen.freed, out->freed.vc, refund ? refund_vc : last_vc,
                   "VC of the place freed");
    must_equal(&seen.incoming, out->incoming.valid, in->valid && named, "a flit comes in, VC %u",
               head.vc);
    if (out->incoming.valid)
        must_equal(&seen.incoming, out->incoming.vc, head.vc, "VC of the flit that comes in");
    must_equal(&seen.incoming, out->illegal, in->valid && first && !legal,
               "illegal, VC %u, %u flits", head.vc, head.length);
    seen.refused += out->illegal;
    seen.corrected += out->corrected;
    seen.fatal += out->fatal;
}

static void step(void)
{
    struct inq_store_in in = {.hold = often(how.holds)};
    const bool first = left == 0;
    const struct choice can = look();

    if (wipes == 0)
        /* holds store.wipe */
        bring(&in);
    free_staging(&in);
    in.wipe = wipes > 0;
    in.wipe_vc = (rtr_vc)(VCS - wipes);
    if (in.valid && first)
        link_vc = named ? head.vc : 0;
    const bool reads = (can.on || can.turn) && !refund && !in.hold && wipes == 0;
    const bool goes_on = can.on && ((last_read && !last_tail) || !can.turn);
    const unsigned v = goes_on ? last_vc : next_vc;
    vc[last_vc].counted += last_read;
    if (!can.turn || (reads && !goes_on))
        next_vc = behind(next_vc, can.others);
    inq_store(&store, &in);
    now++;
    must_equal(&seen.read, store.out.read, reads, "a flit is read, of VC %u", v);
    if (reads)
        must_equal(&seen.order, store.out.vc, v, "VC that is read, behind VC %u", last_vc);
    if (reads)
        check_flit(v);
    check_notes(&in, first, reads);
    if (refund)
        taken[refund_vc]--;
    last_read = reads;
    refund = in.valid && !legal;
    refund_vc = head.vc;
    if (in.valid && legal)
        vc[head.vc].flit[vc[head.vc].in++ % WAITING] =
            (struct flit){(uint64_t)in.flit, in.bad, left == 0};
    if (in.staging_freed.valid) {
        vc[in.staging_freed.vc].staged--;
        vc[in.staging_freed.vc].counted--;
    }
    wipes -= wipes > 0;
}

static void run(unsigned clocks)
{
    while (clocks-- > 0)
        step();
}

/* ---- what is tried ------------------------------------------------------------------------------- */

/* The registers begin anew, the memories keep what they hold. */
static void reset(void)
{
    inq_store_reset(&store);
    memset(vc, 0, sizeof vc);
    memset(taken, 0, sizeof taken);
    left = 0;
    refund = last_read = last_tail = false;
    last_vc = next_vc = link_vc = 0;
    wipes = VCS;
    const struct inq_store_out *out = &store.out;
    must(&seen.start,
         !(out->read || out->freed.valid || out->incoming.valid || out->illegal || out->corrected ||
           out->fatal),
         "after a reset: read %u, freed %u, incoming %u, illegal %u, corrected %u, fatal %u, "
         "expected 0",
         (unsigned)out->read, (unsigned)out->freed.valid, (unsigned)out->incoming.valid,
         (unsigned)out->illegal, (unsigned)out->corrected, (unsigned)out->fatal);
}

static void change_manners(void)
{
    static const unsigned rates[] = {1, 4, 12, 16, 16};
    const unsigned all[] = {ALL, ALL, 1u << rng_below(&r, VCS), 1 + rng_below(&r, ALL)};

    how = (struct manners){.vcs = all[rng_below(&r, 4)],
                           .longest = rng_below(&r, 3) ? RTR_PACKET : 1 + rng_below(&r, RTR_PACKET),
                           .brings = rates[rng_below(&r, 5)],
                           .frees = rates[rng_below(&r, 5)],
                           .holds = rng_below(&r, 3) ? 0 : rng_below(&r, 17),
                           .illegal = rng_below(&r, 3) ? 0 : rng_below(&r, 17)};
}

static void live(void)
{
    reset();
    for (unsigned i = 1 + rng_below(&r, 12); i > 0; i--) {
        change_manners();
        run(rng_below(&r, rng_below(&r, 3) ? 60 : 1200));
    }
}

#if RTR_INQ_SHARED

/* The word that this clock wrote into the buffer, or -1. */
static int written(const inq_word *before)
{
    for (int i = 0; i < 1 << RTR_INQ_LOG2; i++)
        if (store.buffer[i] != before[i])
            return i;
    return -1;
}

static bool has_next(int place)
{
    return place >= 0 && place % (1 << INQ_BLOCK_LOG2) == (1 << INQ_BLOCK_LOG2) - 2;
}

/* Block numbers that came back and are not in use again. */
static unsigned listed(void)
{
    return (unsigned)(uint(INQ_BLOCK_BITS))(store.list_wr - store.list_rd) + store.listed_valid +
           store.spare_valid;
}

/* One wrong bit in the number of the next block, in each word that has one, or in each number in the list of free blocks. */
static void test_corrected(bool in_list)
{
    static inq_word before[1 << RTR_INQ_LOG2];
    unsigned flips = 0;

    reset();
    seen.corrected = seen.fatal = 0;
    for (unsigned i = 0; i < 12000; i++) {
        const unsigned list_wr = (unsigned)store.list_wr;
        const unsigned bit = rng_below(&r, INQ_NEXT_BITS);
        how = (struct manners){ALL, RTR_PACKET, 16, i / 1024 % 2 ? 16 : 1, 0, 0};
        memcpy(before, store.buffer, sizeof before);
        step();
        const int place = written(before);
        if (in_list && store.list_wr != list_wr) {
            store.list[list_wr] ^= (inq_block_ecc_word)1 << bit;
            flips++;
        } else if (!in_list && has_next(place)) {
            store.buffer[place] ^= (inq_word)1 << (INQ_NEXT_AT + bit);
            flips++;
        }
    }
    const unsigned left_over = in_list ? listed() : 0;
    how = (struct manners){ALL, 1, 0, 16, 0, 0};
    run(4000);
    tap_why("%u reported, expected %u; %u fatal, expected 0; more than 100 flips", seen.corrected,
            flips - left_over, seen.fatal);
    tap_ok(seen.corrected == flips - left_over && seen.fatal == 0 && flips > 100,
           "store: %u block numbers with a single-bit error %s are corrected, each reported once",
           flips, in_list ? "in the list" : "in their blocks");
}

/* Two wrong bits behind a block: reported once, by a store that does nothing else. */
static void test_fatal_next(void)
{
    static inq_word before[1 << RTR_INQ_LOG2];
    bool done = false;

    reset();
    how = (struct manners){1, RTR_PACKET, 16, 16, 16, 0};
    for (unsigned i = 0; i < 200 && !(done && left == 0); i++) {
        memcpy(before, store.buffer, sizeof before);
        how.brings = done && left == 0 ? 0 : 16;
        step();
        const int place = written(before);
        if (has_next(place) && !done) {
            store.buffer[place] ^= (inq_word)3 << INQ_NEXT_AT;
            done = true;
        }
    }
    seen.corrected = seen.fatal = 0;
    how.brings = how.holds = 0;
    run(60);
    /* holds store.next */
    tap_why("%u fatal, expected 1; %u corrected, expected 0", seen.fatal, seen.corrected);
    tap_ok(seen.fatal == 1 && seen.corrected == 0,
           "store: a block number with a double-bit error is reported");
}

/* The same in the list of free blocks; when it was reported nothing comes any more, and nothing more is reported. */
static void test_fatal_listed(void)
{
    reset();
    how = (struct manners){ALL, RTR_PACKET, 16, 16, 0, 0};
    run(4000);
    for (unsigned i = 0; i < 1u << INQ_BLOCK_BITS; i++)
        store.list[i] ^= 3;
    seen.corrected = seen.fatal = 0;
    for (unsigned i = 0; i < 4000 && seen.fatal == 0; i++)
        step();
    how.brings = 0;
    const unsigned reported = seen.fatal;
    how.holds = 16;
    left = 0;
    run(100);
    /* holds store.list */
    tap_why("%u fatal, %u with what follows, expected 1; %u corrected, expected 0", reported,
            seen.fatal, seen.corrected);
    tap_ok(reported == 1 && seen.fatal == 1 && seen.corrected == 0, "store: and in the list");
}

#endif

int main(int argc, char **argv)
{
    rng_seed(&r, test_seed(argc, argv));
    harness_clock = &now;
    for (unsigned i = 0; i < LIVES; i++)
        live();
    tap_misses(&seen.read, "store: a flit is read when one can be, and only then");
    /* holds store.turns */
    tap_misses(&seen.order, "store: of the VC whose turn it is");
    tap_misses(&seen.content, "store: it is the next of its VC, with its marks");
    /* holds store.refund */
    tap_misses(&seen.freed, "store: places are freed of what is read or refused");
    tap_misses(&seen.incoming, "store: what comes in and what is illegal is reported");
    tap_misses(&seen.start, "store: after a reset nothing is reported");
    tap_why("%u corrected, %u fatal, expected 0", seen.corrected, seen.fatal);
    tap_ok(seen.corrected == 0 && seen.fatal == 0, "store: no error where none was made");
    tap_why("expected more than 10000 flits, 3000 behind one of their packet, 200 packets refused, "
            "500 times full");
    tap_ok(
        seen.flits > 10000 && seen.refused > 200 && seen.runs > 3000 && seen.full > 500,
        "store: %llu clocks: %u flits, %u of them behind one of their packet, %u packets refused, "
        "full %u times",
        (unsigned long long)now, seen.flits, seen.runs, seen.refused, seen.full);
#if RTR_INQ_SHARED
    test_corrected(false);
    test_corrected(true);
    test_fatal_next();
    test_fatal_listed();
#endif
    return tap_done();
}
