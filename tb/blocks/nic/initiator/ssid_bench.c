// SPDX-License-Identifier: Apache-2.0
/*
 * ssid_bench.c - the answers, and what must come of them and of the stream.
 */
#include "tb/blocks/nic/initiator/ssid_inside.h"

#include <string.h>

struct ssid_bench sb;
struct packet packet;

/* A request that has gone on: of which transaction; its END; one that END counts. */
struct gone {
    int txn;
    bool end, counts;
};

static struct gone out_txn[NIC_TAGS], ripens[2]; /* without answer; those of the last two clocks */
static int refuses, closes;                      /* in the clock before */
static int strays, notices;                      /* the same: a packet to another node, a NOTE */
static bool first_failure;                       /* the answer of this clock is its transaction's */
static unsigned last_wr;                         /* of the list of free ids */

bool often(unsigned rate)
{
    return rng_below(&sb.r, 16) < rate;
}

bool seldom(unsigned rate)
{
    return rng_below(&sb.r, 256) < rate;
}

/* ---- what must be ------------------------------------------------------------------------------ */

static void fail(struct txn *t, unsigned status)
{
    t->status = t->status == OK ? status : t->status;
}

static void end(struct txn *t)
{
    const bool hears = t->heard || (t->any && (t->status != OK || (t->wants & 12) == 0));

    if (t->closed && hears && !t->noting && t->outstanding == (t->ends && !t->end_back)) {
        t->noting = true;
        t->noting_ok = t->status == OK;
        return;
    }
    if (!t->closed || t->over || t->outstanding != 0 || (t->noting && !t->noted))
        return;
    t->over = true;
    t->end_due = (t->wants & 2) != 0 || (t->status != OK && t->wants != 0);
    t->reported = sb.epochs;
    sb.wanted[SSID_ENDED]++;
    sb.wanted[SSID_FAILED] += t->status != OK;
}

/* What the stream brought in the clock before; the answer of this clock is the first to be counted. */
static void count_stream(int answered)
{
    if (refuses >= 0) {
        sb.txn[refuses].spoiled = true;
        fail(&sb.txn[refuses], packet.beat[0].bad || bits(packet.beat[0].word, AT_FATAL, 1)
                                   ? UNCORRECTABLE
                               : packet.over ? OVERFLOW
                                             : UNREACHABLE);
    }
    if (strays >= 0) {
        sb.txn[strays].spoiled = true;
        fail(&sb.txn[strays], SEQUENCE);
    }
    if (notices >= 0) {
        sb.txn[notices].noted = true;
        end(&sb.txn[notices]);
    }
    strays = notices = -1;
    sb.seen.clashes += refuses >= 0 && refuses == answered && first_failure;
    if (closes >= 0) {
        struct txn *t = &sb.txn[closes];
        const struct beat *last = &packet.beat[2];

        sb.seen.met += closes == answered;
        t->closed = true;
        if (last->bad || packet.beat[0].bad) {
            t->wants = 0;
            fail(t, UNCORRECTABLE);
        } else if (bits(last->word, AT_ABORTED, 1) || packet.elsewhere) {
            fail(t, SEQUENCE);
        } else if (bits(last->word, AT_CLOSE_STATUS, 4) != 0) {
            fail(t, (unsigned)bits(last->word, AT_CLOSE_STATUS, 4));
        }
        t->ends = packet.ends;
        t->mdh = (unsigned)bits(packet.beat[0].word, 116, 12); /* as it came, wrong bits too */
        t->offset = bits(packet.beat[0].word, 4, 14) | bits(packet.beat[0].word, 52, 6) << 14 |
                    bits(packet.beat[0].word, 96, 20) << 20;
        sb.seen.ends += t->ends;
        t->local_due = (t->wants & 1) != 0;
        end(t);
    }
    refuses = closes = -1;
}

static int make_answer(struct ssid_answer *a)
{
    if (sb.outs == 0 || !often(sb.how.answers))
        return -1;
    const unsigned i = rng_below(&sb.r, sb.outs);
    const struct gone g = out_txn[i];
    const int n = g.txn;

    out_txn[i] = out_txn[--sb.outs];
    a->valid = 1;
    a->ssid = (nic_ssid)sb.txn[n].id;
    a->status =
        seldom(sb.how.fails) ? (nic_status_field)(1 + rng_below(&sb.r, 14)) : (nic_status_field)OK;
    if (seldom(sb.how.timeouts))
        a->status = TIMEOUT;
    a->end = g.end;
    a->note = (g.counts || g.end) && seldom(sb.how.hears);
    sb.txn[n].heard |= a->note;
    sb.txn[n].end_back |= g.end;
    sb.txn[n].outstanding--;
    sb.back[sb.backs++] = (struct back){
        sb.txn[n].channel, sb.now + 1 + (a->status == TIMEOUT ? rng_below(&sb.r, 600) : 0)};
    first_failure = sb.txn[n].status == OK && a->status != OK;
    if (a->status == TIMEOUT)
        sb.txn[n].status = TIMEOUT; /* before any other: the id rests */
    fail(&sb.txn[n], (unsigned)a->status);
    return n;
}

/* One of the tags that are due is free again. */
static void give_back(struct tag_back *back)
{
    for (unsigned i = 0; i < sb.backs && !back->valid; i++)
        if (sb.back[i].due <= sb.now) {
            struct channel *ch = &sb.channel[sb.back[i].channel];

            *back = (struct tag_back){.valid = 1, .place = (uint(NIC_FMA_LOG2))sb.back[i].channel};
            sb.back[i] = sb.back[--sb.backs];
            ch->held--;
            sb.held--;
        }
}

/* The driver writes a limit, or something else, after the head of this clock. */
static void write_limit(struct nic_write *write)
{
    const unsigned c = rng_below(&sb.r, NIC_FMAS), limit = rng_below(&sb.r, 2048);
    const unsigned word = rng_below(&sb.r, 4);

    if (!seldom(sb.how.limits))
        return;
    *write = (struct nic_write){.valid = 1, .addr = (u16)(0x1000 + 4 * c + word)};
    write->data = rng_next(&sb.r) & ~(uint64_t)0x7FF;
    write->data |= limit < 512 ? 0 : limit < 1800 ? 1 + limit % 4 : limit;
    if (word == 1)
        sb.channel[c].limit = (unsigned)write->data & 0x7FF;
}

static void check_event(bool room)
{
    const uint64_t word = (uint64_t)sb.dut.out.event.word;
    const unsigned source = (unsigned)(word >> 56 & 7), status = (unsigned)(word >> 59);
    struct txn *t = NULL;

    if (!sb.dut.out.event.valid)
        return;
    for (unsigned n = 0; n < IDS; n++)
        if (sb.used[n] && sb.txn[n].number == (word & 0xFFFFFFFFFFFFFF))
            t = &sb.txn[n];
    sb.seen.events++;
    if (!must(&sb.seen.wrong_event, t != NULL && room, "event %#llx, status %u, expected none: %s",
              (unsigned long long)word, status, room ? "no transaction has it" : "cq has no room"))
        return;
    must_equal(&sb.seen.wrong_event, sb.dut.out.event.queue, t->queue,
               "transaction %u, id %d: queue", t->number, t->id);
    must_equal(&sb.seen.wrong_event, sb.dut.out.event.ptag, t->ptag, "transaction %u, id %d: ptag",
               t->number, t->id);
    if (source == 1) {
        must(&sb.seen.wrong_event, t->local_due && status == OK,
             "transaction %u, id %d: local event of status %u, expected %s", t->number, t->id,
             status, t->local_due ? "status 0" : "none");
        t->local_due = false;
        sb.seen.locals++;
    } else {
        must(&sb.seen.wrong_event, t->end_due && !t->local_due,
             "transaction %u, id %d: event of its end, status %u, expected %s", t->number, t->id,
             status, t->local_due ? "its local one before" : "none");
        must_equal(&sb.seen.wrong_event, status, t->status, "transaction %u, id %d: status",
                   t->number, t->id);
        must_equal(&sb.seen.wrong_event, source, t->status == SEQUENCE ? 2 : 3,
                   "transaction %u, id %d: source of its event", t->number, t->id);
        t->end_due = false;
        t->reported = sb.epochs;
    }
}

/* The transaction whose id came back in this clock: it must be over and reported, and if it timed out, long enough ago. */
static void check_note(void)
{
    const unsigned c = (unsigned)sb.dut.out.done.channel;
    const unsigned wr = (unsigned)sb.dut.free.wr;

    sb.freed_ago++;
    if (sb.dut.out.done.valid && wr == last_wr && c < CHANNELS && sb.channel[c].orphans > 0) {
        sb.channel[c].orphans--;
        sb.seen.orphans++;
        must(&sb.seen.wrong_note, sb.dut.out.done.failed,
             "channel %u: note of a transaction without id: no failure, expected one", c);
    } else if (sb.dut.out.done.valid) {
        const int id = (int)sb.dut.free.memory[(wr + IDS - 1) % IDS];
        unsigned n = 0;

        while (n < IDS && !(sb.used[n] && sb.txn[n].id == id))
            n++;
        struct txn *t = &sb.txn[n % IDS];
        sb.seen.notes++;
        must(&sb.seen.wrong_note, n < IDS && wr != last_wr,
             "channel %u: note of id %d, expected none: no transaction has it", c, id);
        must(&sb.seen.wrong_note, t->over && !t->local_due && !t->end_due,
             "transaction %u, id %d: note before it is over (%u) or its events have left (%u, %u "
             "due)",
             t->number, id, t->over, t->local_due, t->end_due);
        must_equal(&sb.seen.wrong_note, c, t->channel, "transaction %u, id %d: channel of its note",
                   t->number, id);
        must_equal(&sb.seen.wrong_note, sb.dut.out.done.failed, t->status != OK && t->wants == 0,
                   "transaction %u, id %d, status %u: its note says failed", t->number, id,
                   t->status);
        if (t->status == TIMEOUT)
            must_at_least(&sb.seen.wrong_note, sb.epochs, t->reported + 3,
                          "transaction %u, id %d, timed out: epoch of its note", t->number, id);
        sb.seen.stale += t->status == TIMEOUT;
        sb.in_use -= sb.used[n % IDS];
        sb.used[n % IDS] = false;
        sb.freed_ago = 0;
    }
    last_wr = wr;
}

/* The use of an id is one more than at its OPEN before; the first one that is seen is any. */
static beat_word use_of(beat_word want, beat_word seen, unsigned id)
{
    if (sb.use[id] == 4)
        sb.use[id] = (unsigned)bits(seen, 50, 2);
    return with(want, 50, 2, sb.use[id]);
}

/* What goes on to orb is what came in, but for the id, which is its transaction's alone. */
static void check_forward(const struct beat *in)
{
    const struct beat *out = &sb.dut.out.forward;
    const bool passes = in->valid && packet.passes;
    const bool head = passes && in->head, close = packet.ends && !in->head;
    beat_word want = in->word;

    if (head) {
        struct txn *t = &sb.txn[packet.txn];
        const int id = (int)bits(out->word, AT_SSID, 9);

        for (unsigned n = 0; n < IDS; n++)
            must(&sb.seen.wrong_id, !sb.used[n] || &sb.txn[n] == t || sb.txn[n].id != id,
                 "id %d of transaction %u is that of transaction %u too", id, t->number,
                 sb.txn[n].number);
        must_equal(&sb.seen.wrong_id, id, t->id, "request of transaction %u: id", t->number);
        must_at_most(&sb.seen.wrong_id, id, IDS - 1, "request of transaction %u: id", t->number);
        t->outstanding++;
        want = with(want, AT_SSID, 9, (uint64_t)id);
        want = with(want, 134, 1, packet.counts || packet.ends || packet.notes);
        if (packet.counts || packet.ends || packet.notes)
            want = use_of(want, out->word, (unsigned)id % IDS);
        want = packet.ends ? with(want, AT_CMD, 4, 6) : want;
    } else if (passes && close) {
        want = in->tail ? want & 0xFFFFFFFF : with(want, 0, 32, sb.txn[packet.txn].packets);
    }
    const struct beat due = {passes, in->head, in->tail, in->bad, want};
    must_beat(&sb.seen.wrong_beat, out, &due, "beat %u of a packet, command %u, channel %u",
              packet.next - in->valid, (unsigned)bits(packet.beat[0].word, AT_CMD, 4),
              (unsigned)bits(packet.beat[0].word, 41, 7));
    if (ripens[1].txn >= 0)
        out_txn[sb.outs++] = ripens[1];
    ripens[1] = ripens[0];
    const bool last = packet.ends ? passes && in->tail : head; /* END is answered behind its tail */

    ripens[0] = (struct gone){last ? packet.txn : -1, packet.ends, packet.counts};
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
        if (sb.dut.list.out.valid)                                                                 \
            place((unsigned)sb.dut.list.out.front id_of);                                          \
        for (unsigned i = (unsigned)sb.dut.list.rd; i != (unsigned)sb.dut.list.wr;                 \
             i = (i + 1) % IDS)                                                                    \
            place((unsigned)sb.dut.list.memory[i] id_of);                                          \
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
        must_at_most(&sb.seen.not_whole, places[i], 1,
                     "id %u: lists of free, stale and over with it", i);
        listed += places[i];
    }
    EACH(closed, .id);
    free = (unsigned)sb.dut.free.out.count;
    if (sb.dut.reports)
        place((unsigned)sb.dut.report.id);
    for (unsigned i = 0; i < IDS; i++)
        must_at_most(&sb.seen.not_whole, places[i], 2, "id %u: lists with it", i);
    must_at_most(&sb.seen.not_whole, listed, IDS, "ids in lists of free, stale and over");
    must_at_most(&sb.seen.not_whole, free + (unsigned)sb.dut.open, IDS, "ids free or open");
}

/* OPEN gave out an id: its next use. */
static void given_id(struct txn *t, unsigned id)
{
    t->id = (int)id;
    sb.use[id % IDS] = sb.use[id % IDS] == 4 ? 4 : (sb.use[id % IDS] + 1) % 4;
}

/* ---- a clock ----------------------------------------------------------------------------------- */
void ssid_bench_step(void)
{
    struct ssid_in in = {.room_event = often(sb.how.takes)};
    const int answered = make_answer(&in.answer);

    first_failure = first_failure && answered >= 0;
    count_stream(answered);
    if (answered >= 0)
        end(&sb.txn[answered]);
    if (often(sb.how.beats) && (packet.next < packet.beats || ssid_begin_packet()))
        in.request = packet.beat[packet.next++];
    in.config.epoch = seldom(sb.how.epochs);
    give_back(&in.back);
    write_limit(&in.write);
    if (answered >= 0 && (sb.txn[answered].heard || sb.txn[answered].status != OK))
        sb.txn[answered].spoiled = true; /* CLOSE sees it from the next clock on */
    if (in.request.valid && in.request.head)
        refuses = packet.refuses;
    in.note_taken = in.request.valid && in.request.head && packet.notes;
    if (in.request.valid && in.request.head && packet.elsewhere && packet.txn >= 0)
        strays = packet.txn;
    if (in.request.valid && in.request.head && packet.notes)
        notices = packet.txn;
    if (in.request.valid && in.request.tail)
        closes = packet.closes;
    ssid(&sb.dut, &in);
    sb.now++;
    check_event(in.room_event);
    sb.epochs += in.config.epoch;
    check_note();
    if (in.request.valid && in.request.head && packet.opens >= 0)
        given_id(&sb.txn[packet.opens], (unsigned)sb.dut.op.id);
    check_forward(&in.request);
    for (unsigned i = 0; i < SSID_COUNTS; i++)
        sb.counted[i] += (uint64_t)(sb.dut.out.count >> i) & 1;
    if (sb.now % 16 == 0)
        check_whole();
}
void ssid_bench_run(unsigned clocks)
{
    while (clocks-- > 0)
        ssid_bench_step();
}
void ssid_bench_reset(void)
{
    struct ssid_in in = {};

    ssid_reset(&sb.dut);
    for (unsigned i = 0; i < 1024; i++) {
        in.wipe = (struct nic_wipe){1, (u13)i};
        ssid(&sb.dut, &in);
    }
    memset(sb.used, 0, sizeof sb.used);
    memset(sb.channel, 0, sizeof sb.channel);
    packet = (struct packet){.txn = -1, .opens = -1, .refuses = -1, .closes = -1};
    sb.outs = sb.in_use = sb.backs = sb.held = 0;
    sb.freed_ago = 16;
    ripens[0] = ripens[1] = (struct gone){.txn = -1};
    refuses = closes = strays = notices = -1;
    for (unsigned i = 0; i < IDS; i++)
        sb.use[i] = 4;
    memset(sb.counted, 0, sizeof sb.counted);
    memset(sb.wanted, 0, sizeof sb.wanted);
    sb.epochs = 0;
    last_wr = (unsigned)sb.dut.free.wr;
    in.wipe.valid = 0;
    ssid(&sb.dut, &in);
    ssid(&sb.dut, &in);
    must(&sb.seen.idle, sb.dut.out.idle, "not idle behind a reset");
}
