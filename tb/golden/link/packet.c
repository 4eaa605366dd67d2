// SPDX-License-Identifier: Apache-2.0
/*
 * packet.c - the golden link in packet mode; packet.h says what for.
 */
#include "tb/golden/link/packet.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- phits ------------------------------------------------------------------------------------- */

const struct golden_phit_place golden_phit_places[IN_PHIT_FIELDS] = {
    [IN_PHIT_KIND] = {"kind", 22, 2},     [IN_PHIT_SOFT] = {"soft", 21, 1},
    [IN_PHIT_COUNT] = {"count", 16, 5},   [IN_PHIT_CRC] = {"CRC", 0, 16},
    [IN_PHIT_RECORD] = {"record", 21, 1}, [IN_PHIT_SEEK] = {"seek", 20, 1},
    [IN_PHIT_ACK] = {"ack", 10, 10},      [IN_PHIT_NAK] = {"nak", 9, 1},
    [IN_PHIT_VC] = {"vc", 7, 2},          [IN_PHIT_STEPS] = {"steps", 1, 6},
    [IN_PHIT_NEXT] = {"next", 10, 10},    [IN_PHIT_LOAD] = {"load", 3, 7},
    [IN_PHIT_EMPTY] = {"empty", 2, 1},
};

uint32_t golden_phit_get(uint32_t phit, enum golden_phit_field field)
{
    const struct golden_phit_place *p = &golden_phit_places[field];
    return phit >> p->lsb & ((1u << p->width) - 1);
}

uint32_t golden_phit_set(uint32_t phit, enum golden_phit_field field, uint32_t value)
{
    const struct golden_phit_place *p = &golden_phit_places[field];
    const uint32_t mask = ((1u << p->width) - 1) << p->lsb;
    return (phit & ~mask) | (value << p->lsb & mask);
}

static enum golden_kind kind_of(uint32_t phit)
{
    return (enum golden_kind)golden_phit_get(phit, IN_PHIT_KIND);
}

/* Where bit b of a phit's part for the lanes comes from: kind[1], content 21 to 0, kind[0]. */
static unsigned lane_source(unsigned b)
{
    return b == 23 ? 23 : b == 0 ? 22 : b - 1;
}

uint64_t golden_word(uint32_t a, uint32_t b)
{
    uint64_t word = 0;
    for (unsigned i = 0; i < GOLDEN_PHIT_BITS; i++) {
        const unsigned lane = i / 8, bit = i % 8;
        word |= (uint64_t)(a >> lane_source(i) & 1) << (16 * lane + 8 + bit);
        word |= (uint64_t)(b >> lane_source(i) & 1) << (16 * lane + bit);
    }
    return word;
}

uint32_t golden_word_phit(uint64_t word, bool second)
{
    uint32_t phit = 0;
    for (unsigned i = 0; i < GOLDEN_PHIT_BITS; i++)
        phit |= (uint32_t)(word >> (16 * (i / 8) + i % 8 + (second ? 0 : 8)) & 1) << lane_source(i);
    return phit;
}

/* ---- CRC: a string of bits, divided ------------------------------------------------------------ */

struct bits {
    uint8_t bit[GOLDEN_PHIT_BITS * 64 + 32];
    unsigned count;
};

static void append(struct bits *s, uint32_t value, unsigned width)
{
    while (width-- > 0)
        s->bit[s->count++] = value >> width & 1;
}

/* The remainder of string * x^16 by x^16 + 0xA2EB, the first 16 bits inverted first if all ones precede them. */
static uint16_t divide(struct bits *s, bool ones)
{
    static const char generator[] = "11010001011101011"; /* 1 A2EB */
    for (unsigned i = 0; ones && i < 16; i++)
        s->bit[i] ^= 1;
    append(s, 0, 16);
    for (unsigned at = 0; at + 16 < s->count; at++)
        for (unsigned i = 0; s->bit[at] && i < 17; i++)
            if (i > 0)
                s->bit[at + i] ^= generator[i] == '1';
    uint16_t rest = 0;
    for (unsigned i = s->count - 16; i < s->count; i++)
        rest = (uint16_t)(rest << 1 | s->bit[i]);
    return rest;
}

uint16_t golden_link_crc(const uint32_t *phit, unsigned count, bool record, unsigned position)
{
    struct bits s = {.count = 0};
    append(&s, record ? 1u << 10 : position, 11);
    for (unsigned i = 0; i + 1 < count; i++)
        append(&s, phit[i], GOLDEN_PHIT_BITS);
    append(&s, phit[count - 1] >> 16, 8);
    return divide(&s, true);
}

uint16_t golden_core_crc(const uint32_t *phit, unsigned count, unsigned vc_bits)
{
    struct bits s = {.count = 0};
    bool leads = true;
    for (unsigned i = 0; i + 1 < count; i++) {
        uint32_t content = phit[i] & GOLDEN_CONTENT;
        const bool source = (content >> (GOLDEN_CONTENT_BITS - vc_bits - 3) & 7) == 7;
        if (leads)
            content &= source ? 0 : (uint32_t)GOLDEN_CONTENT >> vc_bits;
        leads = leads && source;
        append(&s, content, GOLDEN_PHIT_BITS);
    }
    append(&s, 0, 8);
    return divide(&s, false);
}

/* ---- the receiver ------------------------------------------------------------------------------ */

void golden_reader_start(struct golden_reader *g, unsigned clip, unsigned vc_bits)
{
    *g = (struct golden_reader){.clip = clip, .vc_bits = vc_bits, .recovers = true};
}

static void rise(struct golden_reader *g, struct golden_rise r)
{
    g->rise[g->risen_in++ % GOLDEN_RISES] = r;
}

/* What the text is, read from its first phit on. */
enum item {
    ITEM_MORE,   /* not whole yet */
    ITEM_IDLE,   /* an idle phit */
    ITEM_RECORD, /* right, with the phit behind it */
    ITEM_PACKET, /* right, with the phit behind it */
    ITEM_WRONG,  /* the last phit does not fit */
    ITEM_FALSE,  /* the end before the last phit is not believed */
};

static bool is_hold(uint32_t phit)
{
    return kind_of(phit) == PHIT_OF_IDLE && (phit & GOLDEN_CONTENT) == GOLDEN_HOLD;
}

static bool starts_record(uint32_t phit)
{
    return kind_of(phit) == PHIT_OF_IDLE && golden_phit_get(phit, IN_PHIT_RECORD);
}

static bool right_end(const struct golden_reader *g, const uint32_t *phit, unsigned count,
                      bool record)
{
    const unsigned position = g->expected;
    const uint32_t end = phit[count - 1];
    return golden_phit_get(end, IN_PHIT_COUNT) == count % 32 &&
           (!record || !golden_phit_get(end, IN_PHIT_SOFT)) &&
           (g->blind ||
            golden_phit_get(end, IN_PHIT_CRC) == golden_link_crc(phit, count, record, position));
}

static bool may_follow(uint32_t phit)
{
    return kind_of(phit) == PHIT_OF_HEAD || (kind_of(phit) == PHIT_OF_IDLE && !is_hold(phit));
}

/* packet: H (B | hold)* E, up to `clip` phits */
static enum item read_packet(const struct golden_reader *g)
{
    uint32_t phit[GOLDEN_TEXT_PHITS];
    unsigned n = 0;
    for (unsigned i = 0; i < g->count; i++) {
        const uint32_t p = g->text[i];
        if (i > 0 && is_hold(p))
            continue;
        if (n == g->clip || (i > 0 && kind_of(p) != PHIT_OF_BODY && kind_of(p) != PHIT_OF_END))
            return ITEM_WRONG;
        phit[n++] = p;
        if (kind_of(p) != PHIT_OF_END || i == 0)
            continue;
        if (i + 1 == g->count)
            return ITEM_MORE;
        return may_follow(g->text[i + 1]) && right_end(g, phit, n, false) ? ITEM_PACKET
                                                                          : ITEM_FALSE;
    }
    return ITEM_MORE;
}

/* record: in slot A an idle phit with bit 21, in slot B an end of count 2 */
static enum item read_record(const struct golden_reader *g)
{
    if (g->count == 1)
        return ITEM_MORE;
    if (kind_of(g->text[1]) != PHIT_OF_END)
        return ITEM_WRONG;
    if (g->count == 2)
        return ITEM_MORE;
    const bool follows = g->recovers || may_follow(g->text[2]);
    return follows && right_end(g, g->text, 2, true) ? ITEM_RECORD : ITEM_FALSE;
}

static enum item read_text(const struct golden_reader *g)
{
    const uint32_t first = g->text[0];
    if (!g->second[0] && starts_record(first))
        return read_record(g);
    if (g->recovers)
        return ITEM_IDLE; /* whatever it is */
    if (kind_of(first) == PHIT_OF_HEAD)
        return read_packet(g);
    return g->second[0] && kind_of(first) == PHIT_OF_IDLE && (first & GOLDEN_CONTENT) == 0
               ? ITEM_IDLE
               : ITEM_WRONG;
}

/* All but the last phit, or (0) none of it, is behind the reader. */
static void keep_last(struct golden_reader *g, unsigned kept)
{
    for (unsigned i = 0; i < kept; i++) {
        g->text[i] = g->text[g->count - kept + i];
        g->second[i] = g->second[g->count - kept + i];
    }
    g->starts = g->phits - kept;
    g->count = kept;
    g->risen = 0;
}

static bool in_packet(const struct golden_reader *g)
{
    return !g->recovers && g->count > 0 && kind_of(g->text[0]) == PHIT_OF_HEAD;
}

static void go_wrong(struct golden_reader *g)
{
    if (in_packet(g) && g->risen > 0) {
        rise(g, (struct golden_rise){.tail = true, .any = true, .ok = GOLDEN_CUT});
        g->cut++;
    }
    g->quiet = g->recovers ? g->quiet : 0;
    g->recovers = true;
}

static void believe_packet(struct golden_reader *g)
{
    unsigned n = 0;
    for (unsigned i = 0; i + 1 < g->count; i++)
        if (i == 0 || !is_hold(g->text[i]))
            g->packet[n++] = g->text[i];
    g->length = n;
    const uint32_t end = g->packet[n - 1];
    const bool soft = golden_phit_get(end, IN_PHIT_SOFT);
    const uint32_t core =
        golden_phit_set(end, IN_PHIT_CRC, golden_core_crc(g->packet, n, g->vc_bits));
    rise(g, (struct golden_rise){.content = core & GOLDEN_CONTENT,
                                 .tail = true,
                                 .ok = soft ? GOLDEN_SOFT : GOLDEN_GOOD});
    g->expected = (g->expected + n) % GOLDEN_POSITIONS;
    g->believed++;
    g->good++;
    g->judged++;
    g->began = g->starts;
    g->believed_record = false;
    g->soft += soft;
}

static void believe_record(struct golden_reader *g)
{
    const uint32_t record = g->text[0];
    g->good++;
    g->judged++;
    g->began = g->starts;
    g->believed_record = true;
    g->quiet = 0;
    if (!golden_phit_get(record, IN_PHIT_SEEK))
        return;
    const bool here = golden_phit_get(record, IN_PHIT_NEXT) == g->expected;
    if (!here && !g->recovers)
        go_wrong(g);
    else if (here)
        g->recovers = false;
}

/* Heads and bodies go up as they are read. */
static void rise_new(struct golden_reader *g)
{
    for (; g->risen < g->count; g->risen++) {
        const uint32_t p = g->text[g->risen];
        const bool head = g->risen == 0;
        if (!in_packet(g) || (!head && kind_of(p) != PHIT_OF_BODY))
            continue;
        rise(g, (struct golden_rise){.content = p & GOLDEN_CONTENT, .head = head});
        g->quiet = 0;
    }
    if (in_packet(g) && kind_of(g->text[g->count - 1]) == PHIT_OF_END)
        g->quiet = 0;
}

/* Reads the text until it has to wait for more. */
static void read_on(struct golden_reader *g)
{
    while (g->count > 0) {
        switch (g->late && in_packet(g) && g->risen > 0 ? ITEM_WRONG : read_text(g)) {
        case ITEM_MORE:
            rise_new(g);
            return;
        case ITEM_IDLE:
            keep_last(g, g->count - 1);
            break;
        case ITEM_RECORD:
            believe_record(g);
            keep_last(g, 1);
            break;
        case ITEM_PACKET:
            believe_packet(g);
            keep_last(g, 1);
            break;
        case ITEM_WRONG: /* what does not fit begins no record either */
            g->bad++;
            go_wrong(g);
            keep_last(g, 0);
            break;
        case ITEM_FALSE:
            g->judged++;
            g->began = g->starts;
            g->believed_record = g->text[0] >> GOLDEN_CONTENT_BITS == PHIT_OF_IDLE;
            g->bad++;
            go_wrong(g);
            keep_last(g, 1);
            break;
        }
    }
}

void golden_reader_phit(struct golden_reader *g, uint32_t phit, bool second)
{
    g->starts = g->count == 0 ? g->phits : g->starts;
    g->phits++;
    g->text[g->count] = phit;
    g->second[g->count] = second;
    /* holds have said what they have to; a text of them alone must not grow */
    if (g->count > 1 && is_hold(phit) && is_hold(g->text[g->count - 1]) && in_packet(g)) {
        g->second[g->count - 1] = second;
        return;
    }
    g->count++;
    read_on(g);
}

void golden_reader_break(struct golden_reader *g)
{
    go_wrong(g);
    g->count = 0;
    g->risen = 0;
    g->late = false;
}

void golden_reader_clear(struct golden_reader *g)
{
    g->expected = 0;
}

void golden_reader_clock(struct golden_reader *g)
{
    const bool waits = in_packet(g) || g->recovers;
    const bool late = g->quiet == GOLDEN_SILENCE;
    g->late = late && in_packet(g);
    if (!late || !g->late)
        g->quiet = waits && !late ? g->quiet + 1 : 0;
}

#define REPORTED_BAD (1u << 31)

/* ---- the ledger -------------------------------------------------------------------------------- */

void golden_packets_free(struct golden_packets *l)
{
    free(l->pending);
    memset(l, 0, sizeof *l);
}

static void complain(struct golden_packets *l, const char *what, const struct golden_phits *p)
{
    if (!l->first_error[0])
        snprintf(l->first_error, sizeof l->first_error,
                 "packet of %u flits, head %06" PRIx32 ": %s", p->count, p->flit[0], what);
}

static void push(struct golden_packets *l, const struct golden_phits *p)
{
    if (l->count == l->room) {
        const size_t room = l->room ? 2 * l->room : 64;
        struct golden_phits *bigger = malloc(room * sizeof *bigger);
        if (!bigger) {
            fputs("golden packets: out of memory\n", stderr);
            exit(EXIT_FAILURE);
        }
        for (size_t i = 0; i < l->count; i++)
            bigger[i] = l->pending[(l->first + i) % l->room];
        free(l->pending);
        l->pending = bigger;
        l->first = 0;
        l->room = room;
    }
    l->pending[(l->first + l->count++) % l->room] = *p;
}

static void add(struct golden_phits *p, uint32_t flit, bool head, bool tail)
{
    if (p->count < 64) {
        p->flit[p->count] = flit;
        p->head[p->count] = head;
        p->tail[p->count++] = tail;
    }
}

void golden_handed(struct golden_packets *l, uint32_t flit, bool head, bool tail, bool soft)
{
    add(&l->open, flit, head, tail);
    if (!tail)
        return;
    l->open.soft = soft;
    l->sent++;
    push(l, &l->open);
    l->open.count = 0;
}

/* Contents are equal; of an end with a soft error the CRC says nothing, and the link counts anew. */
static bool same(const struct golden_phits *sent, const struct golden_phits *came)
{
    if (sent->count != came->count)
        return false;
    const unsigned last = sent->count - 1;
    if (memcmp(sent->flit, came->flit, last * sizeof *sent->flit) != 0)
        return false;
    return sent->soft || ((sent->flit[last] ^ came->flit[last]) & 0xffff) == 0;
}

static void came_whole(struct golden_packets *l, enum golden_ok ok)
{
    struct golden_phits *came = &l->coming;
    if (l->count == 0) {
        complain(l, "came, and none was due", came);
        l->changed++;
        return;
    }
    struct golden_phits *due = &l->pending[l->first];
    if (!same(due, came) && !(l->maybe_soft && ok == GOLDEN_SOFT)) {
        complain(l, "came, and another was due", came);
        l->changed++;
    }
    if (due->soft != (ok == GOLDEN_SOFT) && !(l->maybe_soft && ok == GOLDEN_SOFT)) {
        complain(l, due->soft ? "has lost its soft error" : "has a soft error and was sent without",
                 came);
        l->marks++;
    }
    l->first = (l->first + 1) % l->room;
    l->count--;
    l->good += ok == GOLDEN_GOOD;
    l->soft += ok == GOLDEN_SOFT;
}

void golden_came(struct golden_packets *l, const struct golden_rise *r)
{
    if (r->head != (l->coming.count == 0)) {
        complain(l, "has a wrong head mark", &l->coming);
        l->marks++;
    }
    add(&l->coming, r->content, r->head, r->tail);
    if (!r->tail)
        return;
    if (r->ok == GOLDEN_CUT)
        l->cut++;
    else
        came_whole(l, r->ok);
    l->coming.count = 0;
}

void golden_packet_reported(struct golden_packets *l, uint32_t flit, bool bad)
{
    if (l->reports < sizeof l->reported / sizeof *l->reported)
        l->reported[l->reports++] = flit | (bad ? REPORTED_BAD : 0);
}

/* Whether a report is of this flit, in these bits of it. */
static bool reports(uint32_t reported, uint32_t flit, uint32_t mask)
{
    return (reported & REPORTED_BAD) || ((reported ^ flit) & mask) == 0;
}

/* What is pending and open must be the last of what was reported. */
void golden_packets_died(struct golden_packets *l)
{
    size_t at = l->reports;
    bool right = true;
    for (unsigned i = l->open.count; i-- > 0 && right;)
        right = at > 0 && reports(l->reported[--at], l->open.flit[i], GOLDEN_CONTENT);
    for (size_t p = l->count; p-- > 0 && right;) {
        const struct golden_phits *due = &l->pending[(l->first + p) % l->room];
        for (unsigned i = due->count; i-- > 0 && right;) {
            const uint32_t mask = i + 1 == due->count ? 0xffff : GOLDEN_CONTENT;
            right = at > 0 && reports(l->reported[--at], due->flit[i], mask);
        }
    }
    if (!right) {
        complain(l, "did not come and was not reported",
                 l->count ? &l->pending[l->first] : &l->open);
        l->lost += l->count;
    }
    l->died += l->count;
    l->count = 0;
    l->reports = 0;
}

bool golden_packets_clean(const struct golden_packets *l)
{
    return l->lost == 0 && l->changed == 0 && l->marks == 0 && l->coming.count == 0;
}
