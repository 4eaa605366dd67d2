// SPDX-License-Identifier: Apache-2.0
/*
 * ledger.c - flits in the order in which they were taken, and a hash table over their content.
 */
#include "tb/golden/link/ledger.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NONE = UINT32_MAX, FIRST_ROOM = 1 << 14 };

void ledger_start(struct ledger *l)
{
    struct ledger_flit *flit = l->flit;
    const uint32_t room = l->room;
    const bool devices = l->devices;
    memset(l, 0, sizeof *l);
    l->flit = flit;
    l->room = room;
    l->devices = devices;
}

void ledger_free(struct ledger *l)
{
    free(l->flit);
    memset(l, 0, sizeof *l);
}

static void complain(struct ledger *l, unsigned end, const char *fault, uint64_t flit)
{
    if (!l->first_error[0])
        snprintf(l->first_error, sizeof l->first_error, "end %u: flit %012" PRIx64 " %s", end, flit,
                 fault);
}

static unsigned hash(uint64_t flit)
{
    return (unsigned)(flit * UINT64_C(0x9E3779B97F4A7C15) >> 32) % LEDGER_BUCKETS;
}

/* Number of the oldest flit of this content of which nothing was heard; of any if there is none. */
static uint32_t find(const struct ledger *l, uint64_t flit)
{
    uint32_t open = NONE, any = NONE;
    for (uint32_t n = l->bucket[hash(flit)]; n != 0; n = l->flit[n - 1].next) {
        const struct ledger_flit *f = &l->flit[n - 1];
        if (f->flit != flit)
            continue;
        any = any == NONE ? n - 1 : any;
        open = !f->delivered && !f->reported ? n - 1 : open;
    }
    return open != NONE ? open : any;
}

static void grow(struct ledger *l)
{
    const uint32_t room = l->room ? 2 * l->room : FIRST_ROOM;
    struct ledger_flit *bigger = realloc(l->flit, room * sizeof *bigger);
    if (!bigger) {
        fputs("ledger: out of memory\n", stderr);
        exit(EXIT_FAILURE);
    }
    l->flit = bigger;
    l->room = room;
}

void ledger_taken(struct ledger *l, unsigned end, uint64_t flit, bool marked)
{
    if (l->count == l->room)
        grow(l);
    uint32_t *bucket = &l->bucket[hash(flit)];
    l->flit[l->count] = (struct ledger_flit){
        .flit = flit, .next = *bucket, .sender = (uint8_t)end, .marked = marked};
    *bucket = ++l->count;
    l->end[end].open++;
}

/* Something is heard of a flit for the first time, or once more. */
static void hear(struct ledger *l, struct ledger_flit *f)
{
    if (!f->delivered && !f->reported && !f->forgotten)
        l->end[f->sender].open--;
}

static void deliver(struct ledger *l, unsigned end, uint32_t number)
{
    struct ledger_flit *f = &l->flit[number];
    uint32_t *heard = &l->end[end].heard[f->sender];
    hear(l, f);
    l->delivered++;
    l->end[end].arrived++;
    l->looped += !l->devices && f->sender == end;
    if (f->delivered) {
        complain(l, end, "came twice", f->flit);
        l->duplicated++;
    } else if (!l->devices && number < *heard) {
        complain(l, end, "came behind a younger one", f->flit);
        l->reordered++;
    }
    f->delivered = 1;
    *heard = number >= *heard ? number + 1 : *heard;
}

static void mark_wrong(struct ledger *l, unsigned end, const char *what, uint64_t flit)
{
    complain(l, end, what, flit);
    l->wrong++;
}

/* A flit is bad if it was marked, and at the end of a packet with filler. */
static void check_bad(struct ledger *l, unsigned end, const struct golden_arrival *a, bool marked)
{
    struct ledger_end *e = &l->end[end];
    const bool cut = e->left == 0 && e->filler > 0;
    if (a->bad && !marked && !cut)
        mark_wrong(l, end, "is marked bad and was not sent so", a->flit);
    if (!a->bad && marked)
        mark_wrong(l, end, "has lost its mark", a->flit);
    if (!a->bad && cut) {
        complain(l, end, "ends a packet with filler that is not marked bad", a->flit);
        l->corrupt += e->filler;
    }
    l->cut += a->bad && cut;
    e->filler = e->left == 0 ? 0 : e->filler;
}

void ledger_arrived(struct ledger *l, unsigned end, const struct golden_arrival *a)
{
    struct ledger_end *e = &l->end[end];
    const bool head = e->left == 0;
    const uint32_t number = head && l->devices ? NONE : find(l, a->flit);
    bool marked = false;
    e->left = (head ? golden_length(a->flit) : e->left) - 1;
    if (a->head != head)
        mark_wrong(l, end, "has a wrong head mark", a->flit);
    if (a->tail != (e->left == 0))
        mark_wrong(l, end, "has a wrong tail mark", a->flit);

    if (number != NONE) {
        marked = l->flit[number].marked;
        deliver(l, end, number);
    } else if (a->flit == 0 && !head) {
        e->filler++;
    } else if (!head || !l->devices) {
        complain(l, end, "is corrupt", a->flit);
        l->corrupt++;
    }
    check_bad(l, end, a, marked);
}

void ledger_reported(struct ledger *l, unsigned end, uint64_t flit, bool bad)
{
    const uint32_t number = find(l, flit);
    if (l->devices && number == NONE)
        return; /* a head */
    if (number == NONE ||
        (!l->devices && (l->flit[number].sender != end || number < l->end[end].life))) {
        mark_wrong(l, end, "is reported by an end that did not send it in this epoch", flit);
        return;
    }
    struct ledger_flit *f = &l->flit[number];
    hear(l, f);
    if (f->reported && !l->devices)
        mark_wrong(l, end, "is reported twice", flit);
    if (f->marked != bad)
        mark_wrong(l, end, "is reported with a wrong mark", flit);
    f->reported = 1;
    l->reported++;
}

void ledger_new_epoch(struct ledger *l, unsigned end)
{
    l->end[end].life = l->count;
}

static void forget(struct ledger *l, struct ledger_flit *f)
{
    if (f->delivered || f->reported || f->forgotten)
        return;
    f->forgotten = true;
    l->forgotten++;
    l->end[f->sender].open--;
}

void ledger_reset(struct ledger *l, unsigned end)
{
    for (uint32_t n = l->end[end].life; n < l->count; n++)
        if (l->flit[n].sender == end)
            forget(l, &l->flit[n]);
    ledger_new_epoch(l, end);
    l->end[end].left = 0;
    l->end[end].filler = 0;
}

void ledger_forget_all(struct ledger *l)
{
    for (uint32_t n = 0; n < l->count; n++)
        forget(l, &l->flit[n]);
}

void ledger_forgotten(struct ledger *l, uint64_t flit)
{
    const uint32_t number = find(l, flit);
    if (number != NONE)
        forget(l, &l->flit[number]);
}

uint64_t ledger_open(const struct ledger *l, unsigned end, bool all)
{
    uint64_t open = 0;
    if (all)
        return l->end[end].open;
    for (uint32_t n = l->end[end].life; n < l->count; n++) {
        const struct ledger_flit *f = &l->flit[n];
        open += f->sender == end && !f->delivered && !f->reported && !f->forgotten;
    }
    return open;
}
