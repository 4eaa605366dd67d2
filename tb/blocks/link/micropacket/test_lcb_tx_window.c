// SPDX-License-Identifier: Apache-2.0
/*
 * test_lcb_tx_window.c - lcb_tx alone, word by word and event by event, against the sequence rules with numbers that do not wrap.
 *
 * Random flits, marks and bubbles; acknowledgements and naks of every distance, or none; a pace of any kind; the link goes
 * down in the middle of a micropacket, new epochs begin and resets come, each after anything. Death is test_lcb_tx's.
 *
 * Built for aries: san. Recorded for lcb_tx.
 */
#include "tb/golden/link/link.h"
#include "tb/base/harness.h"
#include "hls/link/micropacket/lcb_tx.h"

#include <inttypes.h>

enum {
    TAIL = GOLDEN_SLOTS - 1,
    DECIDES = TAIL - 3, /* the slot in which it is decided what comes after this micropacket */
    WINDOW = 64,
    NUMBERS = 128,
    TURNS = 32,
    LIVES = 60,
    DOWN = 4 /* clocks at least that the link is down */
};

struct micropacket {
    uint64_t flit[TAIL];
    unsigned count;
    bool marked; /* its last flit */
};

/* What came of the peer; it is acted on a clock later. */
struct heard {
    bool came, nak;
    unsigned ack, next; /* next: the next new one when it came */
};

/* What a sender knows. Numbers count from the beginning of the epoch. */
struct sender {
    struct micropacket kept[WINDOW]; /* by number */
    struct micropacket open;         /* the one that goes out */
    unsigned base, next, resend;     /* oldest without ack, next new one, next to go out */
    unsigned back, hold; /* where it went back to last, slots for which the same nak is no news */
    unsigned silent;     /* slots without progress */
    unsigned number, fetch; /* of this micropacket, of the repeated one behind it */
    unsigned slot, turn;
    bool go, away, repeats, repeats_next, takes, urgent;
    struct heard heard;
    uint64_t word[GOLDEN_SLOTS], last; /* of this micropacket; the one that went out last */
};

/* What must come out. */
struct output {
    uint64_t word;
    bool valid, ready, credit, clock, acked, replayed, naked, late, outside, idle, waits;
};

struct manners {
    unsigned advances, offers, marks, acks, naks, strays, gaps, hushes; /* rates of 16 */
    unsigned hold;
};

static struct lcb_tx tx;
static struct lcb_tx_in in;
static struct rng r;
static uint64_t now, first;
static struct sender s;
static struct manners how;
static struct {
    unsigned words, events, ready, numbered, idle, repeated, naked, late, outside;
} seen;

static bool often(unsigned rate)
{
    return rng_below(&r, 16) < rate;
}

/* ---- what must be ------------------------------------------------------------------------------- */

static void go_back(unsigned number)
{
    s.resend = s.back = number;
    s.hold = (unsigned)in.hold;
    s.silent = 0;
}

/* An acknowledgement, a nak, or none for too long. */
static void acknowledge(struct output *o)
{
    const unsigned ahead = (s.heard.ack + NUMBERS - s.base % NUMBERS) % NUMBERS;
    const unsigned number = s.base + ahead;
    const bool inside = s.heard.came && number <= s.heard.next;
    o->outside = s.heard.came && !inside;
    if (inside) {
        o->naked = s.heard.nak && number < s.resend && (s.hold <= 1 || number != s.back);
        o->acked = ahead > 0;
        s.base = number;
        s.resend = s.resend > number ? s.resend : number;
    }
    o->late = in.run && !o->naked && !o->acked && s.base != s.next && s.silent == in.timeout;
    o->waits = s.base != s.next;
}

/* Slots that pass. */
static void count_slots(const struct output *o)
{
    const unsigned slot = s.go;
    s.hold -= s.hold != 0 ? slot : 0;
    if (o->naked || o->late)
        go_back(s.base);
    s.silent = slot + (o->acked || !o->waits ? 0 : s.silent);
}

static uint64_t tail(struct output *o)
{
    const bool other = s.turn % 2 == 1 && (s.urgent || !in.gap) && !s.open.marked;
    uint64_t word = 0;
    o->clock = other && s.turn == TURNS - 1;
    o->credit = other && !o->clock;
    o->replayed = s.repeats;
    word = golden_set(word, FIELD_SEQUENCE, s.number % NUMBERS);
    o->idle = s.open.count == 0;
    word = golden_set(word, FIELD_COUNT, o->idle && in.empty ? 15 : s.open.count);
    word = golden_set(word, FIELD_TYPE,
                      s.open.marked ? GOLDEN_BAD
                      : o->clock    ? GOLDEN_CLOCK
                      : o->credit   ? GOLDEN_CREDIT
                                    : GOLDEN_ACK);
    if (o->clock) {
        word = golden_set(word, FIELD_PART, (uint64_t)(in.clock_part >> 8));
        word = golden_set(word, FIELD_TIME, (uint64_t)(in.clock_part & 0xff));
    } else if (o->credit) {
        word = golden_set(word, FIELD_VC, (uint64_t)in.credit_vc);
        word = golden_set(word, FIELD_STEPS, (uint64_t)in.credit_steps);
    } else {
        word = golden_set(word, FIELD_ACK, (uint64_t)in.expected);
        word = golden_set(word, FIELD_NAK, (uint64_t)in.gap);
        word = golden_set(word, FIELD_LOAD_LOW, (uint64_t)in.load);
    }
    word = golden_set(word, FIELD_LOAD_HIGH, (uint64_t)in.load >> 3);
    s.turn = other ? (s.turn + 1) % TURNS : s.turn | 1;
    s.urgent = in.gap || s.open.marked;
    return word;
}

/* A new micropacket with flits gets its number. When a replay was due, it is part of that. */
static void keep(bool due)
{
    if (s.repeats || s.open.count == 0)
        return;
    s.kept[s.next % WINDOW] = s.open;
    s.resend += !due && s.resend == s.next;
    s.next++;
}

/* Behind the tail: a repeated micropacket, or a new one, idle if the window was full before this clock or a mark was before it. */
static void begin(unsigned base)
{
    const bool marked = s.open.marked;
    s.repeats = s.repeats_next;
    s.number = s.repeats ? s.fetch : s.next;
    s.open = s.repeats ? s.kept[s.fetch % WINDOW] : (struct micropacket){};
    s.takes = !s.repeats && s.next - base < WINDOW && !marked && !in.hush;
}

/* One word; before this clock `base` was the oldest without ack, and a replay due or not. */
static void send(struct output *o, bool take, unsigned base, bool due)
{
    o->valid = true;
    if (take) {
        s.open.flit[s.open.count++] = (uint64_t)in.flit;
        s.open.marked = in.flit_bad;
    }
    s.takes = s.takes && take && !in.flit_bad;
    if (s.slot == TAIL) {
        s.word[TAIL] = tail(o);
        golden_micropacket_close(s.word);
        keep(due);
        begin(base);
    } else {
        s.word[s.slot] = s.slot < s.open.count ? s.open.flit[s.slot] : 0;
    }
    s.last = s.word[s.slot];
    s.slot = (s.slot + 1) % GOLDEN_SLOTS;
}

/* What comes behind this micropacket is decided by what was known before this clock: `resend`, and a replay due or not. */
static void decide(unsigned resend, bool due, bool back)
{
    if (!s.go || s.slot != DECIDES)
        return;
    s.repeats_next = due;
    s.fetch = resend;
    s.resend += due && !back && s.resend == resend;
}

/* The link went down: all without ack is sent again, behind an idle micropacket. */
static void put_away(void)
{
    keep(true);
    s.resend = s.base;
    s.number = s.next;
    s.open = (struct micropacket){};
    s.repeats = s.repeats_next = s.takes = false;
    s.slot = 0;
    s.away = true;
}

static void restart(uint64_t last)
{
    s = (struct sender){.away = true, .last = last};
}

static struct output expected(bool take)
{
    struct output o = {};
    const unsigned base = s.base, resend = s.resend;
    const bool due = s.resend != s.next;
    const struct heard heard = {in.run && in.ack_valid, in.nak, (unsigned)in.ack, s.next};
    acknowledge(&o);
    decide(resend, due, o.naked || o.late);
    count_slots(&o);
    s.heard = heard;
    if (s.go)
        send(&o, take, base, due);
    else if (!in.run && !s.away)
        put_away();
    s.away = s.away && !in.run;
    if (in.clear)
        restart(s.last);
    s.go = in.run && in.advance;
    o.word = s.last;
    o.ready = s.go && s.takes && s.slot != TAIL;
    return o;
}

/* ---- what happens ------------------------------------------------------------------------------- */

static void inputs(void)
{
    const unsigned under_way = s.next - s.base + 1;
    in.advance = often(how.advances);
    in.flit_valid = often(how.offers);
    in.flit_bad = often(how.marks);
    in.flit = (lcb_flit)rng_next(&r);
    in.ack_valid = often(how.acks);
    in.nak = often(how.naks);
    in.ack = (lcb_seq)(s.base + rng_below(&r, often(how.strays) ? NUMBERS : under_way));
    in.gap = often(1) ? often(how.gaps) : in.gap;
    in.expected = (lcb_seq)rng_next(&r);
    in.load = (lcb_load)rng_next(&r);
    in.empty = often(8);
    in.hush = often(how.hushes);
    in.credit_vc = (lcb_vc)rng_next(&r);
    in.credit_steps = (lcb_steps)rng_next(&r);
    in.clock_part = (lcb_body)rng_next(&r);
    in.hold = (u12)how.hold;
}

/* Nothing that lasts one clock comes where it must not, and all that must. */
static bool events_right(const struct output *o)
{
    const struct lcb_tx_out *out = &tx.out;
    return out->valid == o->valid && out->credit_sent == o->credit && out->clock_sent == o->clock &&
           out->acked == o->acked && out->replayed == o->replayed && out->nak_taken == o->naked &&
           out->timed_out == o->late && out->idle == o->idle && out->waits == o->waits &&
           out->ack_bad == o->outside && !out->reports && !out->report_bad && !out->flushing &&
           !out->ecc_corrected && !out->ecc_fatal;
}

static void step(void)
{
    inputs();
    const bool take = in.flit_valid && tx.out.flit_ready;
    const bool ends = s.go && s.slot == TAIL, idle = s.open.count == 0;
    const struct output o = expected(take);
    lcb_tx(&tx, &in);
    now++;
    const bool word = (uint64_t)tx.out.word == o.word, events = events_right(&o),
               ready = tx.out.flit_ready == o.ready;
    if (seen.words + seen.events + seen.ready == 0 && !(word && events && ready))
        first = now;
    seen.words += !word;
    seen.events += !events;
    seen.ready += !ready;
    seen.numbered += ends && !idle && !o.replayed;
    seen.idle += ends && idle;
    seen.repeated += o.replayed;
    seen.naked += o.naked;
    seen.late += o.late;
    seen.outside += o.outside;
}

static void run(unsigned clocks)
{
    while (clocks-- > 0)
        step();
}

static unsigned some_rate(void)
{
    static const unsigned rates[] = {0, 1, 2, 8, 15, 16, 16};
    return rates[rng_below(&r, sizeof rates / sizeof *rates)];
}

static void change_manners(void)
{
    static const unsigned holds[] = {0, 1, 25, 300, 4095};
    how = (struct manners){.advances = rng_below(&r, 4) ? 16 : 1 + rng_below(&r, 15),
                           .offers = some_rate(),
                           .marks = rng_below(&r, 2) ? 0 : rng_below(&r, 17),
                           .acks = rng_below(&r, 3),
                           .naks = some_rate(),
                           .strays = rng_below(&r, 2) * rng_below(&r, 4),
                           .gaps = rng_below(&r, 17),
                           .hushes = rng_below(&r, 3) ? 0 : rng_below(&r, 17),
                           .hold = holds[rng_below(&r, sizeof holds / sizeof *holds)]};
}

/* The link is up for a while, then down, and perhaps a new epoch begins. */
static void up_and_down(void)
{
    static const unsigned limits[] = {7, 40, 150, 600, 4095};
    in.run = 1;
    for (unsigned i = 1 + rng_below(&r, 4); i > 0; i--) {
        change_manners();
        run(rng_below(&r, rng_below(&r, 3) ? 100 : 2000));
    }
    in.run = 0;
    run(DOWN + rng_below(&r, 4));
    if (rng_below(&r, 2) == 0)
        return;
    in.clear = 1;
    in.timeout = (u12)limits[rng_below(&r, sizeof limits / sizeof *limits)];
    step();
    in.clear = 0;
}

static void live(void)
{
    lcb_tx_reset(&tx);
    restart(0);
    in = (struct lcb_tx_in){.timeout = 100};
    for (unsigned i = 1 + rng_below(&r, 6); i > 0; i--)
        up_and_down();
}

int main(int argc, char **argv)
{
    rng_seed(&r, test_seed(argc, argv));
    harness_clock = &now;
    for (unsigned i = 0; i < LIVES; i++)
        live();
    tap_why("the first at clock %" PRIu64, first);
    tap_ok(seen.words == 0, "every word, for as long as there is no other (%u wrong)", seen.words);
    tap_why("the first at clock %" PRIu64, first);
    /* holds lcb_tx.events */
    tap_ok(seen.events == 0, "every event, in its clock and no other (%u wrong)", seen.events);
    tap_why("the first at clock %" PRIu64, first);
    tap_ok(seen.ready == 0, "flits are taken where they find a place (%u wrong)", seen.ready);
    tap_ok(
        seen.numbered > 1000 && seen.idle > 1000 && seen.repeated > 1000 && seen.naked > 100 &&
            seen.late > 100 && seen.outside > 100,
        "%" PRIu64
        " clocks: %u new micropackets, %u idle, %u repeated; %u naks, %u timeouts, %u acks outside",
        now, seen.numbered, seen.idle, seen.repeated, seen.naked, seen.late, seen.outside);
    return tap_done();
}
