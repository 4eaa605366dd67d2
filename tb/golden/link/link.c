// SPDX-License-Identifier: Apache-2.0
/*
 * link.c - what must hold between the two ends of a link; link.h says how it is used.
 *
 * A delivered flit should be the oldest pending one. When it is not, the flow looks further to name
 * the fault and to go on counting sensibly: a younger pending flit means the ones before it were
 * skipped (lost, unless they come later: then reordered), one out of the history is a duplicate,
 * anything else is the due flit corrupted.
 */
#include "tb/golden/link/link.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- queue ----------------------------------------------------------------------------------- */

static void queue_push(struct golden_queue *q, struct golden_item item)
{
    if (q->count == q->room) {
        const size_t room = q->room ? 2 * q->room : 1024;
        struct golden_item *bigger = malloc(room * sizeof *bigger);
        if (!bigger) {
            fputs("golden link: out of memory\n", stderr);
            exit(EXIT_FAILURE);
        }
        for (size_t i = 0; i < q->count; i++)
            bigger[i] = q->item[(q->head + i) & (q->room - 1)];
        free(q->item);
        *q = (struct golden_queue){.item = bigger, .count = q->count, .room = room};
    }
    q->item[(q->head + q->count++) & (q->room - 1)] = item;
}

static struct golden_item queue_at(const struct golden_queue *q, size_t i)
{
    return q->item[(q->head + i) & (q->room - 1)];
}

static struct golden_item queue_pop(struct golden_queue *q)
{
    const struct golden_item item = queue_at(q, 0);
    q->head = (q->head + 1) & (q->room - 1);
    q->count--;
    return item;
}

/* Index of the flit, or count when it is not there. */
static size_t queue_find(const struct golden_queue *q, uint64_t flit)
{
    size_t i = 0;
    while (i < q->count && queue_at(q, i).flit != flit)
        i++;
    return i;
}

static void queue_remove(struct golden_queue *q, size_t at)
{
    for (size_t i = at; i > 0; i--)
        q->item[(q->head + i) & (q->room - 1)] = queue_at(q, i - 1);
    queue_pop(q);
}

/* ---- delivery -------------------------------------------------------------------------------- */

void golden_flow_start(struct golden_flow *f)
{
    memset(f, 0, sizeof *f);
}

void golden_flow_free(struct golden_flow *f)
{
    free(f->pending.item);
    free(f->skipped.item);
    memset(f, 0, sizeof *f);
}

static void complain(struct golden_flow *f, const char *fault, uint64_t flit)
{
    if (f->first_error[0])
        return;
    snprintf(f->first_error, sizeof f->first_error,
             "delivery %" PRIu64 ": flit %012" PRIx64 " %s, due was %012" PRIx64 " (%zu pending)",
             f->delivered, flit, fault, f->pending.count ? queue_at(&f->pending, 0).flit : 0,
             f->pending.count);
}

void golden_sent(struct golden_flow *f, uint64_t flit, bool marked)
{
    const struct golden_item item = {.flit = flit, .marked = marked};
    queue_push(&f->pending, item);
    f->log[f->sent++ % GOLDEN_LOG] = item;
}

/* Number of this flit among the last ones sent; what was sent in all if it is not there. */
static uint64_t find_sent(const struct golden_flow *f, uint64_t flit)
{
    for (uint64_t back = 1; back <= f->sent && back <= GOLDEN_LOG; back++)
        if (f->log[(f->sent - back) % GOLDEN_LOG].flit == flit)
            return f->sent - back;
    return f->sent;
}

/* The flit is not the one due: names the fault and brings the queues in line with it. */
static void misdelivered(struct golden_flow *f, uint64_t flit)
{
    size_t at = queue_find(&f->pending, flit);
    if (at < f->pending.count) {
        complain(f, "came early", flit);
        while (at-- > 0)
            queue_push(&f->skipped, queue_pop(&f->pending));
        queue_pop(&f->pending);
        return;
    }
    at = queue_find(&f->skipped, flit);
    if (at < f->skipped.count) {
        complain(f, "came late", flit);
        queue_remove(&f->skipped, at);
        f->reordered++;
    } else if (find_sent(f, flit) < f->sent) {
        complain(f, "came twice", flit);
        f->duplicated++;
    } else {
        complain(f, "is corrupt", flit);
        f->corrupt++;
        if (f->pending.count)
            queue_pop(&f->pending);
    }
}

static void mark_wrong(struct golden_flow *f, const char *what, uint64_t flit)
{
    complain(f, what, flit);
    f->wrong++;
}

/*
 * A flit is bad if it was marked, and at the end of a packet with filler: zero flits that were not
 * due are filler if the packet they end is marked bad, else corruption.
 */
static void check_bad(struct golden_flow *f, const struct golden_arrival *a, bool marked)
{
    const bool cut = f->left == 0 && f->filler > 0;
    if (a->bad && !marked && !cut)
        mark_wrong(f, "is marked bad and was not sent so", a->flit);
    if (!a->bad && marked)
        mark_wrong(f, "has lost its mark", a->flit);
    if (!a->bad && cut) {
        complain(f, "ends a packet with filler that is not marked bad", a->flit);
        f->corrupt += f->filler;
    }
    f->cut += a->bad && cut;
    f->filler = f->left == 0 ? 0 : f->filler;
}

void golden_arrived(struct golden_flow *f, const struct golden_arrival *a)
{
    const bool head = f->left == 0;
    bool marked = false;
    if (head)
        f->left = golden_length(a->flit);
    f->left--;
    if (a->head != head)
        mark_wrong(f, "has a wrong head mark", a->flit);
    if (a->tail != (f->left == 0))
        mark_wrong(f, "has a wrong tail mark", a->flit);

    if (f->pending.count && queue_at(&f->pending, 0).flit == a->flit) {
        marked = queue_pop(&f->pending).marked;
        f->delivered++;
        f->marked += marked;
    } else if (a->flit == 0 && !head) {
        f->filler++;
    } else {
        misdelivered(f, a->flit);
        f->delivered++;
    }
    check_bad(f, a, marked);
}

/*
 * A report goes on where it began: with any flit sent not long ago. Flits that the memory lost at
 * its very beginning are placed by the first whole one.
 */
void golden_reported(struct golden_flow *f, uint64_t flit, bool bad)
{
    const uint64_t number = f->listed_whole ? f->listed_from + f->listed : find_sent(f, flit);
    const struct golden_item due = f->log[number % GOLDEN_LOG];
    const bool found = number < f->sent && due.flit == flit;
    const bool marked = found && due.marked;
    f->listed++;
    if (bad && !marked) {
        f->uncorrectable++;
        return;
    }
    if (f->listed_whole++ == 0)
        f->listed_from = number - (f->listed - 1);
    if (!found)
        mark_wrong(f, "is reported out of turn", flit);
    if (marked && !bad)
        mark_wrong(f, "is reported without its mark", flit);
}

/* Forgets what is under way; the receiving side begins with a head again. */
static void nothing_under_way(struct golden_flow *f)
{
    f->pending.count = f->skipped.count = 0;
    f->listed = f->listed_whole = 0;
    if (f->left != 0)
        mark_wrong(f, "is the last of a packet that was never closed", 0);
    f->left = 0;
    f->filler = 0;
}

void golden_died(struct golden_flow *f)
{
    const uint64_t open = f->pending.count;
    if (f->listed_whole > 0 && f->listed_from + f->listed != f->sent)
        mark_wrong(f, "was sent last, and the report ends before it",
                   f->log[(f->sent - 1) % GOLDEN_LOG].flit);
    if (open > f->listed)
        mark_wrong(f, "is the first of those neither delivered nor reported",
                   queue_at(&f->pending, 0).flit);
    if (f->skipped.count)
        mark_wrong(f, "was passed over", queue_at(&f->skipped, 0).flit);
    f->reported += open < f->listed ? open : f->listed;
    f->doubtful += open < f->listed ? f->listed - open : 0;
    nothing_under_way(f);
}

void golden_receiver_reset(struct golden_flow *f, unsigned accepted)
{
    while (accepted-- > 0 && f->pending.count)
        queue_pop(&f->pending);
    f->left = 0;
    f->filler = 0;
}

void golden_forgotten(struct golden_flow *f)
{
    nothing_under_way(f);
}

uint64_t golden_lost(const struct golden_flow *f)
{
    return f->pending.count + f->skipped.count;
}

bool golden_clean(const struct golden_flow *f)
{
    return golden_lost(f) == 0 && f->duplicated == 0 && f->reordered == 0 && f->corrupt == 0 &&
           f->wrong == 0;
}

/* ---- the micropacket ------------------------------------------------------------------------- */

/* The sideband stands above the CRC. */
#define SIDE(at) (GOLDEN_DEGREE + (at))

const struct golden_field golden_fields[FIELDS] = {
    [FIELD_CRC] = {"crc", GOLDEN_ANY, 0, GOLDEN_DEGREE},
    [FIELD_SEQUENCE] = {"sequence", GOLDEN_ANY, SIDE(21), 7},
    [FIELD_TYPE] = {"type", GOLDEN_ANY, SIDE(19), 2},
    [FIELD_COUNT] = {"count", GOLDEN_ANY, SIDE(15), 4},
    [FIELD_ACK] = {"ack", GOLDEN_ACK, SIDE(4), 7},
    [FIELD_NAK] = {"nak", GOLDEN_ACK, SIDE(3), 1},
    [FIELD_LOAD_HIGH] = {"load, high part", GOLDEN_ANY, SIDE(11), 4},
    [FIELD_LOAD_LOW] = {"load, low part", GOLDEN_ACK, SIDE(0), 3},
    [FIELD_VC] = {"vc", GOLDEN_CREDIT, SIDE(8), 3},
    [FIELD_STEPS] = {"steps", GOLDEN_CREDIT, SIDE(0), 8},
    [FIELD_PART] = {"part", GOLDEN_CLOCK, SIDE(8), 3},
    [FIELD_TIME] = {"time", GOLDEN_CLOCK, SIDE(0), 8},
    [FIELD_HEAD_VC] = {"head vc", GOLDEN_HEAD, GOLDEN_FLIT_BITS - 3, 3},
    [FIELD_HEAD_LENGTH] = {"head length", GOLDEN_HEAD, GOLDEN_FLIT_BITS - 7, 4},
};

unsigned golden_length(uint64_t head)
{
    const unsigned length = (unsigned)golden_get(head, FIELD_HEAD_LENGTH);
    return length ? length : 16;
}

uint64_t golden_get(uint64_t word, enum golden_field_name field)
{
    return word >> golden_fields[field].lsb & ((UINT64_C(1) << golden_fields[field].width) - 1);
}

uint64_t golden_set(uint64_t word, enum golden_field_name field, uint64_t value)
{
    const uint64_t mask = ((UINT64_C(1) << golden_fields[field].width) - 1)
                          << golden_fields[field].lsb;
    return (word & ~mask) | (value << golden_fields[field].lsb & mask);
}

unsigned golden_flits(uint64_t tail)
{
    const unsigned count = (unsigned)golden_get(tail, FIELD_COUNT);
    return count < GOLDEN_SLOTS ? count : 0;
}

bool golden_says_empty(uint64_t tail)
{
    return golden_get(tail, FIELD_COUNT) == 15;
}

bool golden_has_ack(uint64_t tail)
{
    const uint64_t type = golden_get(tail, FIELD_TYPE);
    return type == GOLDEN_ACK || type == GOLDEN_BAD;
}

/* A flit is divided in bytes. */
enum { DEGREE = GOLDEN_DEGREE, LOWER_TERMS = GOLDEN_TERMS, DEGREE_MASK = (1 << DEGREE) - 1 };
_Static_assert(GOLDEN_FLIT_BITS % 8 == 0, "whole bytes");

/* Long division of byte * x^20, bit by bit: what the byte in front of a remainder leaves. */
static uint32_t divide_byte(unsigned byte)
{
    uint32_t rest = (uint32_t)byte << (DEGREE - 8);
    for (unsigned i = 0; i < 8; i++)
        rest = rest << 1 ^ (rest >> (DEGREE - 1) ? 1u << DEGREE | LOWER_TERMS : 0);
    return rest;
}

/* The word divided by the generator, a byte at a time; start is added to its first DEGREE bits. */
static uint32_t divide(const uint64_t slot[GOLDEN_SLOTS], uint32_t start)
{
    static uint32_t left_by[256];
    uint32_t rest = 0;

    if (left_by[1] == 0)
        for (unsigned byte = 0; byte < 256; byte++)
            left_by[byte] = divide_byte(byte);
    for (unsigned s = 0; s < GOLDEN_SLOTS; s++) {
        const uint64_t flit =
            s ? slot[s] : slot[s] ^ (uint64_t)start << (GOLDEN_FLIT_BITS - DEGREE);
        for (unsigned at = GOLDEN_FLIT_BITS; at > 0; at -= 8)
            rest = (rest << 8 & DEGREE_MASK) ^ left_by[rest >> (DEGREE - 8)] ^
                   (uint8_t)(flit >> (at - 8));
    }
    return rest;
}

/* The register starts with all ones, which is the same as the first bits inverted. */
static uint64_t remainder_of(const uint64_t slot[GOLDEN_SLOTS])
{
    return divide(slot, DEGREE_MASK);
}

bool golden_micropacket_good(const uint64_t slot[GOLDEN_SLOTS])
{
    return remainder_of(slot) == 0;
}

void golden_micropacket_close(uint64_t slot[GOLDEN_SLOTS])
{
    slot[GOLDEN_SLOTS - 1] = golden_set(slot[GOLDEN_SLOTS - 1], FIELD_CRC, 0);
    slot[GOLDEN_SLOTS - 1] = golden_set(slot[GOLDEN_SLOTS - 1], FIELD_CRC, remainder_of(slot));
}

bool golden_escapes(const uint64_t error[GOLDEN_SLOTS])
{
    uint64_t any = 0;
    for (unsigned s = 0; s < GOLDEN_SLOTS; s++)
        any |= error[s];
    return any && divide(error, 0) == 0;
}
