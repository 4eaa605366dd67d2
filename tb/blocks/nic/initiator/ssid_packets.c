// SPDX-License-Identifier: Apache-2.0
/*
 * ssid_packets.c - what fma and ntt send to ssid, and NOTEs as tarb sends them.
 */
#include "tb/blocks/nic/initiator/ssid_inside.h"

static void make_packet(unsigned c, unsigned cmd, unsigned beats)
{
    packet = (struct packet){.beats = beats, .txn = -1, .opens = -1, .refuses = -1, .closes = -1};
    for (unsigned i = 0; i < beats; i++)
        packet.beat[i] = (struct beat){
            .valid = 1, .head = i == 0, .tail = i == beats - 1, .word = any_word(&sb.r)};
    beat_word *head = &packet.beat[0].word;
    *head = with(with(with(*head, AT_CMD, 4, cmd), AT_SSID, 9, c), AT_REFUSED, 1, 0);
    /* The channel and CLOSE in the other two words, too. */
    *head = with(with(*head, 134, 1, cmd == CLOSE), 41, 7, c);
    *head = with(with(*head, 86, 1, cmd == CLOSE), 87, 7, c);
    /* No block transfer. */
    *head = with(with(*head, 36, 1, 0), 94, 1, 0);
}

/* A double-bit error in a word of the head. */
static void harm_head(void)
{
    const unsigned word = 48 * rng_below(&sb.r, 3), first = rng_below(&sb.r, 48);
    const unsigned second = (first + 1 + rng_below(&sb.r, 47)) % 48;

    packet.beat[0].bad = 1;
    packet.beat[0].word ^= (beat_word)1 << (word + first) ^ (beat_word)1 << (word + second);
    sb.wanted[SSID_HEAD_LOST]++;
}

static void make_open(unsigned c)
{
    struct channel *ch = &sb.channel[c];
    unsigned n = 0;

    make_packet(c, OPEN, 1);
    const bool counted = often(sb.how.counts);

    packet.beat[0].word = with(packet.beat[0].word, 48, 4, counted);
    ch->open = true;
    ch->has_id = sb.in_use < IDS;
    sb.wanted[ch->has_id ? SSID_OPENED : SSID_NO_ID]++;
    if (!ch->has_id)
        return;
    while (sb.used[n])
        n++;
    sb.used[n] = true;
    sb.in_use++;
    sb.seen.txns++;
    ch->txn = n;
    packet.opens = (int)n;
    sb.txn[n] = (struct txn){.number = sb.numbers++, .channel = c, .id = -1, .counted = counted};
}

/* What a CLOSE is to the target, if its head can be read. */
static void close_of(struct txn *t, bool bad_head)
{
    beat_word *head = &packet.beat[0].word;
    const unsigned node = (unsigned)bits(*head, 18, 18);

    if (t->any && !seldom(16))
        *head = with(*head, 18, 18, t->node);
    const bool same = !t->any || bits(*head, 18, 18) == t->node;

    t->node = t->any ? t->node : node;
    t->target_event = bits(packet.beat[1].word, 32, 56);

    t->flag = bits(packet.beat[1].word, 96, 32) | bits(packet.beat[2].word, 0, 32) << 32;

    const bool may = t->counted && same && !bad_head, wanted = (t->wants & 12) != 0;

    packet.ends = wanted && may && !t->spoiled;
    packet.elsewhere = wanted && !may;
    sb.seen.spared += wanted && may && t->spoiled;
    packet.passes = packet.ends;
    packet.txn = packet.ends ? (int)(t - sb.txn) : -1;
    sb.channel[t->channel].held += packet.ends;
    sb.held += packet.ends;
}

static void make_close(unsigned c, bool bad_head)
{
    struct channel *ch = &sb.channel[c];
    struct txn *t = &sb.txn[ch->txn];
    const bool bad = seldom(sb.how.bad_close);

    make_packet(c, CLOSE, 3);
    ch->open = false;
    if (!ch->has_id) {
        sb.wanted[SSID_NO_ID]++;
        ch->orphans++;
        return;
    }
    packet.closes = (int)ch->txn;
    beat_word *w = &packet.beat[2].word;
    t->wants = often(12) ? rng_below(&sb.r, 4) : rng_below(&sb.r, 16);
    *w = with(with(*w, AT_WANTS, 4, t->wants), AT_ABORTED, 1, seldom(16));
    *w = with(*w, AT_CLOSE_STATUS, 4, seldom(16) ? rng_below(&sb.r, 16) : 0);
    packet.beat[0].word =
        with(packet.beat[0].word, 48, 4, (t->wants >> 1 & 2) | (t->wants >> 3 & 1));
    close_of(t, bad_head);
    *w = with(*w, AT_EVENT, 56, t->number);
    packet.beat[2].bad = bad;
    sb.wanted[SSID_EVENT_LOST] += bad || bad_head;
    t->queue = (unsigned)bits(*w, AT_QUEUE, 10);
    t->ptag = (unsigned)bits(packet.beat[0].word, AT_PTAG, 8);
}

/* Whether END counts a request that goes on: all of them go to the node of the first. */
static void count_request(struct txn *t)
{
    beat_word *head = &packet.beat[0].word;

    if (!t->counted || bits(*head, AT_CMD, 4) == GET)
        return;
    if (t->any && !seldom(16))
        *head = with(*head, 18, 18, t->node);
    packet.counts = !t->any || bits(*head, 18, 18) == t->node;
    packet.elsewhere = !packet.counts;
    if (packet.counts) {
        t->any = true;
        t->node = (unsigned)bits(*head, 18, 18);
        t->packets++;
    }
}

static void make_request(unsigned c, bool bad)
{
    static const unsigned cmds[] = {GET, PUT, PUT, AMO, FAMO, 4, 5};
    struct channel *ch = &sb.channel[c];
    const bool refused = often(sb.how.refused);
    const bool over = ch->limit != 0 && ch->held >= ch->limit;

    make_packet(c, cmds[rng_below(&sb.r, 7)], 2 + rng_below(&sb.r, 4));
    packet.beat[0].word = with(packet.beat[0].word, AT_REFUSED, 1, refused);
    sb.wanted[SSID_UNREACHABLE] += refused && !bad && !bits(packet.beat[0].word, AT_FATAL, 1);
    sb.wanted[SSID_NO_ID] += !ch->has_id;
    sb.wanted[SSID_OVERFLOW] += ch->has_id && over && !refused && !bad;
    packet.over = over && !refused;
    packet.passes = ch->has_id && !refused && !bad && !over;
    ch->held += packet.passes;
    sb.held += packet.passes;
    packet.txn = packet.passes ? (int)ch->txn : -1;
    packet.refuses = ch->has_id && !packet.passes ? (int)ch->txn : -1;
    if (packet.passes)
        count_request(&sb.txn[ch->txn]);
}

/* NOTE as tarb sends it, from where ssid shows it. */
static void make_notice(void)
{
    const struct ssid_notice *notice = &sb.dut.out.note;
    const int id = (int)sb.dut.report.id;

    packet = (struct packet){.beats = 3, .txn = -1, .opens = -1, .refuses = -1, .closes = -1};
    for (unsigned n = 0; n < IDS; n++)
        packet.txn = sb.used[n] && sb.txn[n].id == id ? (int)n : packet.txn;
    packet.passes = packet.notes = true;
    packet.beat[0] = (struct beat){.valid = 1, .head = 1, .word = notice->head};
    packet.beat[1] = (struct beat){
        .valid = 1, .word = (beat_word)notice->event << 32 | (beat_word)(u32)notice->flag << 96};
    packet.beat[2] =
        (struct beat){.valid = 1, .tail = 1, .word = (beat_word)(u32)(notice->flag >> 32)};
    if (!must(&sb.seen.wrong_notice, packet.txn >= 0, "a NOTE of id %d, which nobody has", id))
        return;
    const struct txn *t = &sb.txn[packet.txn];
    const bool event = t->noting_ok && (t->wants & 4) != 0;
    const bool flag = t->noting_ok && (t->wants & 8) != 0;

    must(&sb.seen.wrong_notice, t->noting && !t->noted, "transaction %u: a NOTE, expected none",
         t->number);
    must_equal(&sb.seen.wrong_notice, bits(notice->head, 0, 4), 7, "command of a NOTE");
    must_equal(&sb.seen.wrong_notice, bits(notice->head, 18, 18), t->node, "node of a NOTE");
    must_equal(&sb.seen.wrong_notice, bits(notice->head, 116, 12), t->mdh, "handle of a NOTE");
    must_equal(&sb.seen.wrong_notice, bits(notice->head, 48, 4), (event ? 2 : 0) | flag,
               "transaction %u, status %u: what NOTE wants", t->number, t->status);
    must_equal(&sb.seen.wrong_notice, notice->flag, flag ? t->flag : 0,
               "transaction %u: flag of its NOTE", t->number);
    must_equal(&sb.seen.wrong_notice, (uint64_t)req_offset(notice->head), flag ? t->offset : 0,
               "transaction %u: place of the flag of its NOTE", t->number);
    must_equal(&sb.seen.wrong_notice, notice->event, event ? t->target_event : 0,
               "transaction %u: event of its NOTE", t->number);
    sb.channel[t->channel].held++;
    sb.held++;
    sb.seen.noticed++;
    sb.seen.forgets += !event && !flag;
    sb.seen.flags += flag;
}

/* Whether a packet begins now; room of orb and limits of fma are kept to, that of ids not always. */
bool ssid_begin_packet(void)
{
    const unsigned c = rng_below(&sb.r, sb.how.channels);
    const bool bad = seldom(sb.how.bad);

    if (sb.held + 4 > NIC_TAGS)
        return false;
    if (sb.dut.out.note.valid && often(8)) {
        make_notice();
        return true;
    }
    if (!sb.channel[c].open && bad) { /* an OPEN that nobody sees */
        make_packet(c, OPEN, 1);
        sb.wanted[SSID_NO_ID]++;
    } else if (!sb.channel[c].open) {
        if (!often(sb.how.opens) || sb.freed_ago < 4 || (sb.in_use == IDS && !sb.how.overbooks))
            return false;
        make_open(c);
    } else if (often(sb.how.closes)) {
        make_close(c, bad);
    } else {
        make_request(c, bad);
    }
    if (bad)
        harm_head();
    return true;
}
