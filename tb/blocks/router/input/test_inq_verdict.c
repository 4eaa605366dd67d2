// SPDX-License-Identifier: Apache-2.0
/*
 * test_inq_verdict.c - inq_store where the end frames a packet: copies with transmit errors, wrong heads, full parts.
 *
 * The bench is the link and its peer. The peer sends each packet until a copy is good, and is charged for it once. What the store
 * gives out is judged by VC, against a list of what went in: good and soft packets whole and in order; of a copy nothing, or what came
 * of it up to a poisoned end. A head may name a VC that the peer has no credit for. Credit that is given back must be that of good
 * packets, no more than is charged, and in the end all of it.
 *
 * Built for gemini, yarc: san. Recorded for inq_store of gemini.
 */
#include "tb/base/harness.h"
#include "router/input/inq_store.h"

#include <string.h>

enum {
    VCS = RTR_VCS,
    PART = 1 << (RTR_INQ_LOG2 - RTR_VC_BITS), /* places of a VC */
    LENT = (PART - RTR_PACKET) / 8 * 8,
    PACKETS = 4 * PART, /* of a VC in the list; a power of two */
    MOST = 40,          /* flits of a packet that is too long */
    CLOCKS = 60000,
};

/* A packet as it went in, or a copy of one. */
struct entry {
    uint64_t flit[RTR_PACKET];
    unsigned flits;
    bool copy, bad, whole;
};

/* How things go; rates of 16, but cut of 100. */
struct manners {
    unsigned vcs, shortest, longest, brings, frees, holds, cut, wrong, bad, over, beyond;
    unsigned copy;   /* flits of each copy, if not 0 */
    uint64_t damage; /* of its head */
};

static struct inq_store store;
static struct rng r;
static uint64_t now;
static struct manners how;

static struct {
    struct entry list[PACKETS];
    unsigned in, out; /* entries */
    uint64_t flit[RTR_PACKET];
    unsigned at; /* flits of a packet that came out */
    unsigned charged, staged, counted;
} vc[VCS];

/* What is on its way in. */
static struct {
    uint64_t flit[MOST];
    unsigned length, sent, vc, named; /* named: by the head of this copy */
    unsigned copy;                    /* flits of the copy; 0: this is the packet */
    bool open, credit;                /* the peer has credit for it */
    uint64_t damage;
    struct entry entry;
} p;

static struct {
    struct misses order, credit;
    unsigned good, copies, rolled, truncated, over, refused, lies, full;
} seen;

static bool often(unsigned rate)
{
    return rng_below(&r, 16) < rate;
}

/* ---- the peer ------------------------------------------------------------------------------------ */

static void draw_copy(void)
{
    const unsigned most = p.length < RTR_PACKET ? p.length : RTR_PACKET;
    p.copy = rng_below(&r, 100) < how.cut ? 2 + rng_below(&r, most - 1) : 0;
    p.copy = how.copy ? how.copy : p.copy;
    p.damage =
        p.copy && often(how.wrong) ? UINT64_C(1) << rng_below(&r, RTR_FLIT_BITS) : how.damage;
    p.sent = 0;
}

/* A packet for which there is credit, or now and then one of a peer that lies. */
static bool begin(void)
{
    const bool over = often(how.over);
    p.vc = rng_bit(&r, how.vcs);
    p.length = over ? RTR_PACKET + 1 + rng_below(&r, MOST - RTR_PACKET)
                    : how.shortest + rng_below(&r, how.longest - how.shortest + 1);
    p.credit = vc[p.vc].charged + p.length <= LENT;
    seen.full += !p.credit;
    if (!p.credit && !often(how.beyond))
        return false;
    for (unsigned i = 0; i < p.length; i++)
        p.flit[i] = rng_next(&r) >> (64 - RTR_FLIT_BITS);
    p.flit[0] = (p.flit[0] & ((UINT64_C(1) << (RTR_FLIT_BITS - RTR_HEAD_VC_BITS)) - 1)) |
                (uint64_t)p.vc << (RTR_FLIT_BITS - RTR_HEAD_VC_BITS);
    vc[p.vc].charged += p.credit ? p.length : 0;
    p.open = true;
    draw_copy();
    return true;
}

/* The entry of the copy or packet that has just ended; a packet that is too long has the flit behind the longest as its end. */
static void end_entry(void)
{
    struct entry *e = &p.entry;
    const unsigned v = p.named;
    e->copy = p.copy > 0;
    e->bad |= e->copy || p.length > RTR_PACKET;
    vc[v].list[vc[v].in++ % PACKETS] = *e;
    seen.copies += e->copy;
    seen.over += p.length > RTR_PACKET && !e->copy;
}

static void bring(struct inq_store_in *in)
{
    if (!often(how.brings) || (!p.open && !begin()))
        return;
    const unsigned flits = p.copy ? p.copy : p.length;
    const bool last = p.sent + 1 == flits;
    if (p.sent == 0) {
        p.entry = (struct entry){.whole = p.credit && !p.damage};
        p.named = (unsigned)((p.flit[0] ^ p.damage) >> (RTR_FLIT_BITS - RTR_HEAD_VC_BITS));
    }
    const uint64_t flit = last && p.copy ? rng_next(&r) >> (64 - RTR_FLIT_BITS)
                                         : p.flit[p.sent] ^ (p.sent == 0 ? p.damage : 0);
    const unsigned soft = last && !p.copy && often(how.bad), marked = often(how.bad) && !last;
    in->valid = 1;
    in->flit = (rtr_flit)flit;
    in->bad = marked != 0;
    in->tail = last;
    in->ok = !last ? (u2)rng_below(&r, 4) : p.copy ? OK_CUT : soft ? OK_SOFT : OK_GOOD;
    if (p.sent <= RTR_PACKET) {
        p.entry.flit[p.sent < RTR_PACKET ? p.sent : RTR_PACKET - 1] = flit;
        p.entry.flits = p.sent < RTR_PACKET ? p.sent + 1 : RTR_PACKET;
        p.entry.bad |= soft || (marked && (p.sent != RTR_PACKET - 1 || last));
    }
    p.sent++;
    if (p.copy ? last : p.sent == RTR_PACKET + 1 || (last && p.sent <= RTR_PACKET))
        end_entry();
    if (!last)
        return;
    if (p.copy)
        draw_copy();
    else
        p.open = false;
}

/* ---- what must be -------------------------------------------------------------------------------- */

/* Whether these flits are this entry: all of it, or of one that may be cut its begin and its end. */
static bool fits(const struct entry *e, const uint64_t *flit, unsigned flits)
{
    const bool all = flits == e->flits, may = e->copy || !e->whole;
    return (all || (may && flits < e->flits)) &&
           memcmp(flit, e->flit, (flits - 1) * sizeof *flit) == 0 &&
           flit[flits - 1] == e->flit[e->flits - 1];
}

/* A packet came out: the next of its VC, but for copies, and what a peer without credit sent. */
static void check_packet(unsigned v, bool bad)
{
    const struct entry *e = &vc[v].list[vc[v].out % PACKETS];
    while (vc[v].out != vc[v].in && !fits(e, vc[v].flit, vc[v].at) && (e->copy || !e->whole)) {
        seen.rolled += e->copy;
        e = &vc[v].list[++vc[v].out % PACKETS];
    }
    if (!must(&seen.order, vc[v].out != vc[v].in && fits(e, vc[v].flit, vc[v].at),
              "VC %u: a packet of %u flits, %#llx, expected one of %u, %#llx", v, vc[v].at,
              (unsigned long long)vc[v].flit[0], e->flits, (unsigned long long)e->flit[0]))
        return;
    /* what a peer sends without credit may fit all the same */
    must(&seen.order, vc[v].at < e->flits ? bad : bad == e->bad || !(e->copy || e->whole),
         "VC %u: its end is marked %u", v, bad);
    seen.good += !e->copy && e->whole;
    seen.truncated += e->copy;
    vc[v].out++;
}

static void check_flit(unsigned v, uint64_t flit, bool bad, bool tail)
{
    if (!must(&seen.order, vc[v].at < RTR_PACKET, "VC %u: more flits than the longest packet", v))
        vc[v].at = 0;
    vc[v].flit[vc[v].at++] = flit;
    if (!tail)
        return;
    check_packet(v, bad);
    vc[v].at = 0;
}

static bool marked[VCS];

static void step(void)
{
    struct inq_store_in in = {.hold = often(how.holds)};
    const unsigned s = rng_below(&r, VCS);
    bring(&in);
    in.staging_freed = (struct vc_note){vc[s].counted > 0 && often(how.frees), (rtr_vc)s};
    for (unsigned v = 0; v < VCS; v++)
        vc[v].counted = vc[v].staged;
    vc[s].staged -= in.staging_freed.valid;
    vc[s].counted -= in.staging_freed.valid;
    inq_store(&store, &in);
    now++;
    if (store.out.read) {
        const unsigned v = store.out.vc;
        const bool bad = (uint64_t)(store.out.word >> RTR_FLIT_BITS) & 1;
        const bool tail = (uint64_t)(store.out.word >> RTR_CODE_BITS) & 1;
        marked[v] |= bad;
        check_flit(v, (uint64_t)store.out.word & ((UINT64_C(1) << RTR_FLIT_BITS) - 1), marked[v],
                   tail);
        marked[v] &= !tail;
        vc[v].staged++;
    }
    seen.refused += store.out.illegal;
    seen.lies += store.out.refused;
    if (store.out.freed.valid && how.beyond == 0) {
        const unsigned v = store.out.freed.vc;
        must(&seen.credit, vc[v].charged > 0, "VC %u: credit that nobody was charged for", v);
        vc[v].charged -= vc[v].charged > 0;
    }
}

static void reset(void)
{
    inq_store_reset(&store);
    memset(vc, 0, sizeof vc);
    memset(&p, 0, sizeof p);
    memset(marked, 0, sizeof marked);
    for (unsigned v = 0; v < VCS; v++) {
        const struct inq_store_in in = {.wipe = 1, .wipe_vc = (rtr_vc)v};
        inq_store(&store, &in);
    }
}

/* Runs, lets all of it out, and looks that all credit is back. */
static void run(const struct manners *m, unsigned clocks)
{
    how = *m;
    for (unsigned i = 0; i < clocks || p.open; i++) {
        if (i == clocks)
            how.vcs = m->vcs, how.cut = 0;
        if (i >= clocks && !p.open)
            break;
        step();
    }
    how.brings = 0;
    how.holds = 0;
    how.frees = 16;
    for (unsigned i = 0; i < 40 * PART; i++)
        step();
    for (unsigned v = 0; v < VCS; v++) {
        while (vc[v].out != vc[v].in && vc[v].list[vc[v].out % PACKETS].copy)
            vc[v].out++;
        must_equal(&seen.order, vc[v].in, vc[v].out, "VC %u: packets that came out", v);
        must_equal(&seen.credit, vc[v].charged, 0, "VC %u: charged and not given back", v);
    }
}

/* ---- tests --------------------------------------------------------------------------------------- */

enum { ALL = (1 << VCS) - 1 };

static void test_random(void)
{
    static const unsigned rates[] = {1, 4, 12, 16, 16};
    memset(&seen, 0, sizeof seen);
    for (unsigned i = 0; i < 40; i++) {
        const unsigned shortest = 2 + rng_below(&r, RTR_PACKET - 1);
        const struct manners m = {.vcs = i % 4 ? ALL : 1u << rng_below(&r, VCS),
                                  .shortest = i % 3 ? 2 : shortest,
                                  .longest = i % 3 ? RTR_PACKET : shortest,
                                  .brings = rates[rng_below(&r, 5)],
                                  .frees = rates[rng_below(&r, 5)],
                                  .holds = rng_below(&r, 8),
                                  .cut = i % 5 ? rng_below(&r, 80) : 0,
                                  .wrong = i % 2 ? rng_below(&r, 17) : 0,
                                  .bad = rng_below(&r, 3),
                                  .over = i % 7 ? 0 : 2};
        reset();
        run(&m, CLOCKS / 40);
    }
    tap_note("%u good packets, %u copies: %u truncated, %u too long, %u times no credit", seen.good,
             seen.copies, seen.truncated, seen.over, seen.full);
    must_at_least(&seen.order, seen.good, 1000, "good packets");
    must_at_least(&seen.order, seen.truncated, 100, "truncated copies");
    must_at_least(&seen.order, seen.rolled, 100, "copies rolled back");
    must_equal(&seen.order, seen.refused, seen.over, "packets that are too long, reported");
    must_equal(&seen.order, seen.lies, 0, "peers that lie");
    /* holds store.rolls, store.truncates */
    tap_misses(&seen.order, "good packets whole and in order; copies not at all, or poisoned");
    /* holds store.held, store.mute */
    tap_misses(&seen.credit, "credit of each packet once, of its copies none");
}

/* The same packet in error a hundred times, while the queue's front stands still; each place of the packet. */
static void test_repeated(void)
{
    memset(&seen, 0, sizeof seen);
    for (unsigned place = 2; place <= RTR_PACKET; place++) {
        for (unsigned truncated = 0; truncated < 2; truncated++) {
            reset();
            how = (struct manners){
                .vcs = 1, .shortest = RTR_PACKET, .longest = RTR_PACKET, .brings = 16};
            if (!truncated) { /* others of its VC stand in front */
                p.open = false;
                while (vc[0].charged + RTR_PACKET <= LENT - RTR_PACKET || p.open)
                    step();
            }
            how.cut = 100;
            for (unsigned i = 0; i < 100; i++)
                do {
                    if (p.open && p.sent == 0)
                        p.copy = place;
                    step();
                } while (!p.open || p.sent != 0);
            how.cut = 0;
            const struct manners m = how;
            p.copy = 0;
            run(&m, 1);
        }
    }
    must_at_least(&seen.order, seen.copies, 200 * (RTR_PACKET - 1), "copies");
    tap_misses(&seen.order, "a packet in error a hundred times, at each place: comes out once");
    tap_misses(&seen.credit, "and its credit comes back once");
}

/* Steps until this many packets or copies more have gone in whole. */
static void send(unsigned count, unsigned length, unsigned copy, uint64_t damage)
{
    how.shortest = how.longest = length;
    how.copy = p.copy = copy;
    how.damage = p.damage = damage;
    for (unsigned sent = 0; sent < count;) {
        const unsigned before = p.open ? p.sent : 0;
        step();
        sent += before > 0 && (!p.open || p.sent == 0);
    }
    how.copy = p.copy = 0;
    how.damage = p.damage = 0;
}

/*
 * A part as full as it may be: staging has one place when a copy comes, of which all but the head stays, and behind it all that is lent. Then
 * copies of another VC's packet whose heads name this one.
 */
static void test_full(void)
{
    memset(&seen, 0, sizeof seen);
    reset();
    how = (struct manners){.vcs = 1, .brings = 16};
    send(2, 15, 0, 0);
    how.brings = 0;
    for (unsigned i = 0; i < PART; i++)
        step();
    how.brings = 16;
    send(1, RTR_PACKET, RTR_PACKET, 0);
    send(LENT / RTR_PACKET, RTR_PACKET, 0, 0);
    const unsigned used = (unsigned)(inq_count)(store.wr[0] - store.rd[0]);
    how.vcs = 2;
    send(20, RTR_PACKET, RTR_PACKET, UINT64_C(1) << (RTR_FLIT_BITS - RTR_HEAD_VC_BITS));
    send(1, RTR_PACKET, 0, 0);
    must_at_least(&seen.order, used + RTR_PACKET, PART, "flits of a full part, and a packet");
    const struct manners m = how;
    run(&m, 1);
    /* holds store.protects */
    tap_misses(&seen.order,
               "a part of %u flits of %u takes no copy that names it: what is there stays", used,
               PART);
    tap_misses(&seen.credit, "and its credit comes back once");
}

/* Heads of a VC without credit, in front of a full part and one without a place; a peer that sends what it has no credit for. */
static void test_protects(void)
{
    const struct manners m = {
        .vcs = ALL, .shortest = 2, .longest = RTR_PACKET, .brings = 16, .cut = 90, .wrong = 16};
    memset(&seen, 0, sizeof seen);
    reset();
    run(&m, CLOCKS / 4);
    must_at_least(&seen.order, seen.copies, 300, "copies");
    tap_misses(&seen.order, "parts that nobody reads, copies with wrong VCs: what is there stays");
    tap_misses(&seen.credit, "and credit comes back once");

    memset(&seen, 0, sizeof seen);
    reset();
    how = (struct manners){
        .vcs = 1, .shortest = RTR_PACKET, .longest = RTR_PACKET, .brings = 16, .beyond = 16};
    for (unsigned i = 0; i < 4 * PART; i++)
        step();
    how.brings = 0;
    const unsigned full = seen.lies;
    how.frees = 16;
    for (unsigned i = 0; i < 40 * PART; i++)
        step();
    tap_misses(&seen.order, "a peer without credit: what has no place is poisoned");
    tap_why("%u lies, in %u packets; %u", full, vc[0].in, seen.good);
    /* holds store.refused */
    tap_ok(full > 2 * PART / RTR_PACKET && seen.good == LENT / RTR_PACKET && vc[0].at == 0,
           "a peer without credit: %u packets reported, %u good ones whole, nothing runs over",
           full, seen.good);
}

int main(int argc, char **argv)
{
    rng_seed(&r, test_seed(argc, argv));
    harness_clock = &now;
    test_random();
    test_repeated();
    test_full();
    test_protects();
    return tap_done();
}
