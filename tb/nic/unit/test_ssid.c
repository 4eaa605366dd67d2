// SPDX-License-Identifier: Apache-2.0
/*
 * test_ssid.c - ssid alone: random programs of many channels, answers in any order with any status, cq that stops for long,
 * more transactions than ids, wrong bits in what it keeps, resets under way.
 *
 * The model knows transactions, not ids: each has a number of its own as its event's data. Every event must be one that is
 * wanted, now and once; at the end none is missing. After each clock every id is in one place (I4): free, open or closed, in a
 * list of what is to be reported, or stale.
 */
#include "tb/base/harness.h"
#include "tb/nic/unit/trans_bits.h"
#include "nic/initiator/ssid.h"

#include <string.h>

enum { CHANNELS = NIC_FMAS, IDS = NIC_SSIDS, LIVES = 40, MANY = 1 << 14 };

/* A transaction that has an id. */
struct txn {
    bool closed, over, local_due, end_due;
    unsigned number, channel, wants, queue, ptag, status, outstanding;
    uint64_t reported; /* epoch in which its end was */
    int id;            /* as OPEN was given it; -1: not yet */
};

struct channel {
    bool open, has_id;
    unsigned txn;     /* place in txn[] */
    unsigned orphans; /* notes still to come of transactions without id */
};

/* How things go; rates of 16, those of errors of 256. */
struct manners {
    unsigned channels, opens, closes, beats, answers, takes, refused;
    unsigned fails, timeouts, bad, bad_close, epochs;
    bool overbooks; /* OPEN when no id is left */
};

/* A packet of the stream. */
struct packet {
    struct beat beat[5];
    unsigned beats, next;
    bool passes;
    int txn, opens, refuses, closes; /* places in txn[], or -1 */
};

static struct ssid dut;
static struct rng r;
static uint64_t now, epochs;
static struct manners how;
static struct txn txn[IDS];
static bool used[IDS];
static struct channel channel[CHANNELS];
static unsigned numbers, in_use, freed_ago;
static struct packet packet;
static int out_txn[NIC_TAGS], ripens[2]; /* requests without answer; those of the last two clocks */
static unsigned outs;
static int refuses, closes; /* in the clock before */
static unsigned last_wr;    /* of the list of free ids */

static struct {
    unsigned wrong_event, wrong_note, wrong_beat, wrong_id, wrong_count, not_whole, missing, idle;
    unsigned events, locals, notes, orphans, stale, met, txns;
} seen;
static uint64_t counted[SSID_COUNTS], wanted[SSID_COUNTS];

static bool often(unsigned rate)
{
    return rng_below(&r, 16) < rate;
}

static bool seldom(unsigned rate)
{
    return rng_below(&r, 256) < rate;
}

static beat_word any_word(void)
{
    beat_word w = 0;

    for (unsigned i = 0; i < 3; i++)
        w = (w << 48) | (beat_word)(rng_next(&r) >> 16);
    return w;
}

/* ---- what fma and ntt send --------------------------------------------------------------------- */

static void make_packet(unsigned c, unsigned cmd, unsigned beats)
{
    packet = (struct packet){.beats = beats, .txn = -1, .opens = -1, .refuses = -1, .closes = -1};
    for (unsigned i = 0; i < beats; i++)
        packet.beat[i] =
            (struct beat){.valid = 1, .head = i == 0, .tail = i == beats - 1, .word = any_word()};
    beat_word *head = &packet.beat[0].word;
    *head = with(with(with(*head, AT_CMD, 4, cmd), AT_SSID, 9, c), AT_REFUSED, 1, 0);
    /* The channel and CLOSE in the other two words, too. */
    *head = with(with(*head, 134, 1, cmd == CLOSE), 41, 7, c);
    *head = with(with(*head, 86, 1, cmd == CLOSE), 87, 7, c);
}

/* Two wrong bits in a word of the head. */
static void harm_head(void)
{
    const unsigned word = 48 * rng_below(&r, 3), first = rng_below(&r, 48);
    const unsigned second = (first + 1 + rng_below(&r, 47)) % 48;

    packet.beat[0].bad = 1;
    packet.beat[0].word ^= (beat_word)1 << (word + first) ^ (beat_word)1 << (word + second);
    wanted[SSID_HEAD_LOST]++;
}

static void make_open(unsigned c)
{
    struct channel *ch = &channel[c];
    unsigned n = 0;

    make_packet(c, OPEN, 1);
    ch->open = true;
    ch->has_id = in_use < IDS;
    wanted[ch->has_id ? SSID_OPENED : SSID_NO_ID]++;
    if (!ch->has_id)
        return;
    while (used[n])
        n++;
    used[n] = true;
    in_use++;
    seen.txns++;
    ch->txn = n;
    packet.opens = (int)n;
    txn[n] = (struct txn){.number = numbers++, .channel = c, .id = -1};
}

static void make_close(unsigned c, bool bad_head)
{
    struct channel *ch = &channel[c];
    struct txn *t = &txn[ch->txn];
    const bool bad = seldom(how.bad_close);

    make_packet(c, CLOSE, 3);
    ch->open = false;
    if (!ch->has_id) {
        wanted[SSID_NO_ID]++;
        ch->orphans++;
        return;
    }
    packet.closes = (int)ch->txn;
    beat_word *w = &packet.beat[2].word;
    t->wants = often(12) ? rng_below(&r, 4) : rng_below(&r, 16);
    *w = with(with(*w, AT_WANTS, 4, t->wants), AT_ABORTED, 1, seldom(16));
    *w = with(*w, AT_EVENT, 56, t->number);
    packet.beat[2].bad = bad;
    wanted[SSID_EVENT_LOST] += bad || bad_head;
    t->queue = (unsigned)bits(*w, AT_QUEUE, 10);
    t->ptag = (unsigned)bits(packet.beat[0].word, AT_PTAG, 8);
}

static void make_request(unsigned c, bool bad)
{
    static const unsigned cmds[] = {GET, PUT, PUT, AMO, FAMO, 4, 5};
    struct channel *ch = &channel[c];
    const bool refused = often(how.refused);

    make_packet(c, cmds[rng_below(&r, 7)], 2 + rng_below(&r, 4));
    packet.beat[0].word = with(packet.beat[0].word, AT_REFUSED, 1, refused);
    wanted[SSID_UNREACHABLE] += refused && !bad && !bits(packet.beat[0].word, AT_FATAL, 1);
    wanted[SSID_NO_ID] += !ch->has_id;
    packet.passes = ch->has_id && !refused && !bad;
    packet.txn = packet.passes ? (int)ch->txn : -1;
    packet.refuses = ch->has_id && !packet.passes ? (int)ch->txn : -1;
}

/* Whether a packet begins now; room of orb and limits of fma are kept to, that of ids not always. */
static bool begin(void)
{
    const unsigned c = rng_below(&r, how.channels);
    const bool bad = seldom(how.bad);

    if (outs + 4 > NIC_TAGS)
        return false;
    if (!channel[c].open && bad) { /* an OPEN that nobody sees */
        make_packet(c, OPEN, 1);
        wanted[SSID_NO_ID]++;
    } else if (!channel[c].open) {
        if (!often(how.opens) || freed_ago < 4 || (in_use == IDS && !how.overbooks))
            return false;
        make_open(c);
    } else if (often(how.closes)) {
        make_close(c, bad);
    } else {
        make_request(c, bad);
    }
    if (bad)
        harm_head();
    return true;
}

/* ---- what must be ------------------------------------------------------------------------------ */

static void fail(struct txn *t, unsigned status)
{
    t->status = t->status == OK ? status : t->status;
}

static void end(struct txn *t)
{
    if (!t->closed || t->over || t->outstanding != 0)
        return;
    t->over = true;
    t->end_due = (t->wants & 2) != 0 || (t->status != OK && t->wants != 0);
    t->reported = epochs;
    wanted[SSID_ENDED]++;
    wanted[SSID_FAILED] += t->status != OK;
}

/* What the stream brought in the clock before; the answer of this clock is the first to be counted. */
static void count_stream(int answered)
{
    if (refuses >= 0)
        fail(&txn[refuses], packet.beat[0].bad || bits(packet.beat[0].word, AT_FATAL, 1)
                                ? UNCORRECTABLE
                                : UNREACHABLE);
    if (closes >= 0) {
        struct txn *t = &txn[closes];
        const struct beat *last = &packet.beat[2];

        seen.met += closes == answered;
        t->closed = true;
        if (last->bad || packet.beat[0].bad) {
            t->wants = 0;
            fail(t, UNCORRECTABLE);
        } else if (bits(last->word, AT_ABORTED, 1) || (t->wants & 12) != 0) {
            fail(t, SEQUENCE);
        }
        t->local_due = (t->wants & 1) != 0;
        end(t);
    }
    refuses = closes = -1;
}

static int make_answer(struct ssid_answer *a)
{
    if (outs == 0 || !often(how.answers))
        return -1;
    const unsigned i = rng_below(&r, outs);
    const int n = out_txn[i];

    out_txn[i] = out_txn[--outs];
    a->valid = 1;
    a->ssid = (nic_ssid)txn[n].id;
    a->status =
        seldom(how.fails) ? (nic_status_field)(1 + rng_below(&r, 14)) : (nic_status_field)OK;
    if (seldom(how.timeouts))
        a->status = TIMEOUT;
    txn[n].outstanding--;
    fail(&txn[n], (unsigned)a->status);
    return n;
}

static void check_event(bool room)
{
    const uint64_t word = (uint64_t)dut.out.event.word;
    const unsigned source = (unsigned)(word >> 56 & 7), status = (unsigned)(word >> 59);
    struct txn *t = NULL;

    if (!dut.out.event.valid)
        return;
    for (unsigned n = 0; n < IDS; n++)
        if (used[n] && txn[n].number == (word & 0xFFFFFFFFFFFFFF))
            t = &txn[n];
    seen.events++;
    if (t == NULL || !room || t->queue != dut.out.event.queue || t->ptag != dut.out.event.ptag) {
        seen.wrong_event++;
    } else if (source == 1) {
        seen.wrong_event += !t->local_due || status != OK;
        t->local_due = false;
        seen.locals++;
    } else {
        seen.wrong_event += !t->end_due || t->local_due || status != t->status ||
                            source != (t->status == SEQUENCE ? 2u : 3u);
        t->end_due = false;
        t->reported = epochs;
    }
}

/* The transaction whose id came back in this clock: it must be over and reported, and if it timed out, long enough ago. */
static void check_note(void)
{
    const unsigned c = (unsigned)dut.out.done.channel;
    const unsigned wr = (unsigned)dut.free.wr;

    freed_ago++;
    if (dut.out.done.valid && wr == last_wr && c < CHANNELS && channel[c].orphans > 0) {
        channel[c].orphans--;
        seen.orphans++;
        seen.wrong_note += !dut.out.done.failed;
    } else if (dut.out.done.valid) {
        const int id = (int)dut.free.memory[(wr + IDS - 1) % IDS];
        unsigned n = 0;

        while (n < IDS && !(used[n] && txn[n].id == id))
            n++;
        struct txn *t = &txn[n % IDS];
        seen.notes++;
        seen.wrong_note += n == IDS || wr == last_wr || !t->over || t->channel != c ||
                           t->local_due || t->end_due ||
                           dut.out.done.failed != (t->status != OK && t->wants == 0) ||
                           (t->status == TIMEOUT && epochs < t->reported + 2);
        seen.stale += t->status == TIMEOUT;
        in_use -= used[n % IDS];
        used[n % IDS] = false;
        freed_ago = 0;
    }
    last_wr = wr;
}

/* What goes on to orb is what came in, but for the id, which is its transaction's alone. */
static void check_forward(const struct beat *in)
{
    const struct beat *out = &dut.out.forward;
    const bool passes = in->valid && packet.passes;
    const bool head = passes && in->head;
    beat_word want = in->word;

    if (head) {
        struct txn *t = &txn[packet.txn];
        const int id = (int)bits(out->word, AT_SSID, 9);

        for (unsigned n = 0; n < IDS; n++)
            seen.wrong_id += used[n] && &txn[n] != t && txn[n].id == id;
        seen.wrong_id += id >= IDS || t->id != id;
        t->outstanding++;
        want = with(want, AT_SSID, 9, (uint64_t)id);
    }
    seen.wrong_beat +=
        out->valid != passes || (passes && (out->word != want || out->head != in->head ||
                                            out->tail != in->tail || out->bad != in->bad));
    if (ripens[1] >= 0)
        out_txn[outs++] = ripens[1];
    ripens[1] = ripens[0];
    ripens[0] = head ? packet.txn : -1;
}

/* ---- I4 ---------------------------------------------------------------------------------------- */

static unsigned places[IDS];

static void place(unsigned id)
{
    places[id]++;
}

/* All words of a list. */
#define EACH(list, id_of)                                                                          \
    do {                                                                                           \
        if (dut.list.out.valid)                                                                    \
            place((unsigned)dut.list.out.front id_of);                                             \
        for (unsigned i = (unsigned)dut.list.rd; i != (unsigned)dut.list.wr; i = (i + 1) % IDS)    \
            place((unsigned)dut.list.memory[i] id_of);                                             \
    } while (0)

/* In its lists each id is once, but a closed one that waits may get its local event; the others are open or waiting. */
static void check_whole(void)
{
    unsigned free = 0, listed = 0;

    memset(places, 0, sizeof places);
    EACH(free, );
    EACH(stale, .id);
    EACH(over, .id);
    for (unsigned i = 0; i < IDS; i++) {
        seen.not_whole += places[i] > 1;
        listed += places[i];
    }
    EACH(closed, .id);
    free = (unsigned)dut.free.out.count;
    if (dut.reports)
        place((unsigned)dut.report.id);
    for (unsigned i = 0; i < IDS; i++)
        seen.not_whole += places[i] > 2;
    seen.not_whole += listed > IDS || free + (unsigned)dut.open > IDS;
}

/* ---- a clock ----------------------------------------------------------------------------------- */

static void step(void)
{
    struct ssid_in in = {.room_event = often(how.takes)};
    const int answered = make_answer(&in.answer);

    count_stream(answered);
    if (answered >= 0)
        end(&txn[answered]);
    if (often(how.beats) && (packet.next < packet.beats || begin()))
        in.request = packet.beat[packet.next++];
    in.config.epoch = seldom(how.epochs);
    if (in.request.valid && in.request.head)
        refuses = packet.refuses;
    if (in.request.valid && in.request.tail)
        closes = packet.closes;
    ssid(&dut, &in);
    now++;
    check_event(in.room_event);
    epochs += in.config.epoch;
    check_note();
    if (in.request.valid && in.request.head && packet.opens >= 0)
        txn[packet.opens].id = (int)dut.op.id;
    check_forward(&in.request);
    for (unsigned i = 0; i < SSID_COUNTS; i++)
        counted[i] += (uint64_t)(dut.out.count >> i) & 1;
    if (now % 16 == 0)
        check_whole();
}

static void run(unsigned clocks)
{
    while (clocks-- > 0)
        step();
}

static void reset(void)
{
    struct ssid_in in = {};

    ssid_reset(&dut);
    for (unsigned i = 0; i < 1024; i++) {
        in.wipe = (struct nic_wipe){1, (u13)i};
        ssid(&dut, &in);
    }
    memset(used, 0, sizeof used);
    memset(channel, 0, sizeof channel);
    packet = (struct packet){.txn = -1, .opens = -1, .refuses = -1, .closes = -1};
    outs = in_use = 0;
    freed_ago = 16;
    ripens[0] = ripens[1] = refuses = closes = -1;
    memset(counted, 0, sizeof counted);
    memset(wanted, 0, sizeof wanted);
    epochs = 0;
    last_wr = (unsigned)dut.free.wr;
    in.wipe.valid = 0;
    ssid(&dut, &in);
    ssid(&dut, &in);
    seen.idle += !dut.out.idle;
}

/* ---- what is tried ----------------------------------------------------------------------------- */

static void change_manners(void)
{
    static const unsigned rates[] = {1, 4, 12, 16, 16};

    how = (struct manners){.channels = rng_below(&r, 3) ? CHANNELS : 1 + rng_below(&r, CHANNELS),
                           .opens = rates[rng_below(&r, 5)],
                           .closes = rates[rng_below(&r, 5)] / 2 + 1,
                           .beats = rates[rng_below(&r, 5)],
                           .answers = rates[rng_below(&r, 5)],
                           .takes = rng_below(&r, 4) ? 16 : rng_below(&r, 3),
                           .refused = rng_below(&r, 3) ? 0 : rng_below(&r, 8),
                           .fails = rng_below(&r, 2) ? 0 : rng_below(&r, 64),
                           .timeouts = rng_below(&r, 3) ? 0 : rng_below(&r, 64),
                           .bad = rng_below(&r, 3) ? 0 : 8,
                           .bad_close = rng_below(&r, 3) ? 0 : 16,
                           .epochs = 1 + rng_below(&r, 4),
                           .overbooks = rng_below(&r, 2)};
}

/* Everything is closed and answered: nothing may be left. */
static void drain(void)
{
    unsigned left = 0;

    how = (struct manners){
        .channels = CHANNELS, .closes = 16, .beats = 16, .answers = 16, .takes = 16, .epochs = 8};
    run(CHANNELS * 200 + NIC_TAGS * 4 + IDS * 4 + 2000);
    for (unsigned n = 0; n < IDS; n++)
        left += used[n];
    for (unsigned c = 0; c < CHANNELS; c++)
        left += channel[c].orphans + channel[c].open;
    seen.missing += left;
    seen.idle += !dut.out.idle;
    for (unsigned i = 0; i <= SSID_EVENT_LOST; i++)
        seen.wrong_count += counted[i] != wanted[i];
}

static void live(void)
{
    reset();
    for (unsigned i = 1 + rng_below(&r, 8); i > 0; i--) {
        change_manners();
        run(rng_below(&r, 4000));
    }
    if (rng_below(&r, 4))
        drain();
}

/* ---- rates, and rows of errors ----------------------------------------------------------------- */

/* One transaction: OPEN, a PUT of 8 bytes, CLOSE with both events, answered at once. */
static void test_rate(void)
{
    reset();
    how = (struct manners){.channels = CHANNELS,
                           .opens = 16,
                           .closes = 8,
                           .beats = 16,
                           .answers = 16,
                           .takes = 16,
                           .epochs = 1};
    run(1000);
    const unsigned before = seen.txns, reported = seen.events, most = IDS / 2;
    run(20000);
    tap_ok(in_use < most + CHANNELS,
           "ssid: %u transactions, %u events in 20,000 clocks without a break", seen.txns - before,
           seen.events - reported);
    drain();
}

/* A transaction of one request that wants a global event, up to where only its answer is missing; the value is its id. */
static unsigned open_one(void)
{
    reset();
    how = (struct manners){.channels = 1, .opens = 16, .beats = 16};
    while (!channel[0].open)
        step();
    run(2);
    while (outs == 0)
        step();
    how.closes = 16;
    how.opens = 0;
    while (!(txn[0].closed && (txn[0].wants & 3) == 2 && txn[0].status == OK)) {
        if (!channel[0].open && txn[0].closed)
            return IDS;
        step();
    }
    how = (struct manners){.channels = 1, .takes = 16};
    return (unsigned)txn[0].id;
}

static unsigned one(void)
{
    unsigned id;

    do
        id = open_one();
    while (id == IDS);
    return id;
}

static void test_bits(void)
{
    unsigned wrong = 0;

    for (unsigned bit = 0; bit < 63 + 28; bit++) {
        const unsigned id = one();
        if (bit < 63)
            dut.cold_data[id] ^= (ssid_data_ecc_word)1 << bit;
        else
            dut.cold_where[id] ^= (ssid_where_ecc_word)1 << (bit - 63);
        how.answers = 16;
        run(20);
        wrong += counted[SSID_CORRECTED] != 1 || used[0];
    }
    tap_ok(wrong == 0, "ssid: a wrong bit in what CLOSE left is corrected, the event right (%u)",
           wrong);
    wrong = 0;
    for (unsigned bit = 1; bit < 63; bit++) {
        const unsigned id = one(), events = seen.events;
        bool failed = false;
        dut.cold_data[id] ^= ((ssid_data_ecc_word)1 << bit) | 1;
        how.answers = 16;
        txn[0].end_due = false;
        for (unsigned i = 0; i < 20; i++) {
            const unsigned notes = seen.wrong_note;
            step();
            failed |= dut.out.done.valid && dut.out.done.failed;
            seen.wrong_note = notes;
        }
        wrong += !failed || seen.events != events || counted[SSID_EVENT_LOST] != 1;
        txn[0].end_due = false;
    }
    tap_ok(wrong == 0, "ssid: two: no event, reported, and the id is free again (%u)", wrong);
}

/* A transaction that nobody closes, or that nobody answers, is reported when it is 7 epochs old. */
static void test_old(void)
{
    unsigned wrong = 0;

    for (unsigned closed = 0; closed < 2; closed++) {
        struct ssid_in in = {.config = {.epoch = 1}};

        if (closed) {
            one();
        } else {
            reset();
            how = (struct manners){.channels = 1, .opens = 16, .beats = 16};
            while (!channel[0].open)
                step();
        }
        how = (struct manners){};
        run(4);
        for (unsigned i = 1; i <= 7; i++) {
            ssid(&dut, &in);
            run(IDS + 2);
            wrong += counted[SSID_OLD] != (i == 7);
        }
    }
    tap_ok(wrong == 0, "ssid: a transaction that is 7 epochs old is reported once (%u)", wrong);
}

int main(int argc, char **argv)
{
    rng_seed(&r, test_seed(argc, argv));
    harness_clock = &now;
    for (unsigned i = 0; i < LIVES; i++)
        live();
    tap_ok(seen.wrong_beat == 0, "ssid: requests go on as they came, refused ones do not (%u)",
           seen.wrong_beat);
    tap_ok(seen.wrong_id == 0, "ssid: each with the id of its transaction alone (%u)",
           seen.wrong_id);
    tap_ok(seen.wrong_event == 0, "ssid: events are wanted, right, in time and once (%u)",
           seen.wrong_event);
    tap_ok(seen.wrong_note == 0, "ssid: notes are of transactions that are over and reported (%u)",
           seen.wrong_note);
    tap_ok(seen.missing == 0, "ssid: nothing is missing after all is answered (%u)", seen.missing);
    tap_ok(seen.not_whole == 0 && seen.idle == 0,
           "ssid: each id is in one place, idle when all are free (%u, %u)", seen.not_whole,
           seen.idle);
    tap_ok(seen.wrong_count == 0, "ssid: each is counted (%u)", seen.wrong_count);
    test_rate();
    test_bits();
    test_old();
    tap_ok(seen.txns > 2000 && seen.locals > 300 && seen.stale > 20 &&
               (IDS > 64 || seen.orphans > 5) && seen.met > 2,
           "ssid: %llu clocks, %u transactions, %u events (%u local), %u stale, %u without id, %u "
           "closed as their answer came",
           (unsigned long long)now, seen.txns, seen.events, seen.locals, seen.stale, seen.orphans,
           seen.met);
    tap_ok(harness_covers("hls/nic/initiator/ssid.c") == 5, "all covers are hit");
    return tap_done();
}
