// SPDX-License-Identifier: Apache-2.0
/*
 * process.c - honest processes: their transactions and events.
 */
#include <string.h>

#include "tb/system/chip/abuse/operation.h"
#include "tb/system/chip/abuse/world.h"

enum {
    WORD_OPEN = 8,
    WORD_CLOSE = 13,
    BACKLOG = 120,
    TOLD_EVERY = 8,
    WANTS_LOCAL = 1,
    WANTS_GLOBAL = 2,
    SOURCE_LOCAL = 1,
    SOURCE_ABORT = 2,
    SOURCE_MESSAGE = 5,
    STATUS_OF_TIMEOUT = 9,
    REST_EPOCHS = 6
};
unsigned queue_of(unsigned process, bool target)
{
    return 2 * process + target;
}

unsigned handle_of(unsigned process, enum segment s)
{
    return 16 + 8 * process + s;
}

void process_begin(struct process *p, struct node *n, unsigned number, unsigned ptag, uint64_t seed)
{
    uint32_t serial = p->next_serial;

    *p = (struct process){.node = n,
                          .number = number,
                          .alive = true,
                          .ptag = ptag,
                          .next_serial = serial + 1,
                          .open = -1};
    rng_seed(&p->rng, seed);
    block_give(&n->block[number], &p->rng);
}

void process_restart(struct process *p)
{
    struct rng rng = p->rng;

    *p = (struct process){.node = p->node,
                          .number = p->number,
                          .ptag = p->ptag,
                          .next_serial = p->next_serial + 1,
                          .open = -1,
                          .rng = rng};
    block_restart(block_of(p));
}

/* ---- transactions ------------------------------------------------------------------------------------ */

/* A node whose process is of the same job. */
static unsigned any_peer(struct process *p)
{
    unsigned to;

    do {
        to = rng_below(&p->rng, RING_NODES);
    } while (p->node->world->node[to].process[p->number].ptag != p->ptag);
    return to;
}

static struct transaction *free_transaction(struct process *p)
{
    for (unsigned i = 0; i < LIMIT; i++) {
        if (!p->transaction[i].used) {
            return &p->transaction[i];
        }
    }
    return NULL;
}

static void close_transaction(struct process *p, struct transaction *t)
{
    store_page_word(p, WORD_CLOSE,
                    t->serial | (uint64_t)(WANTS_GLOBAL | (t->wants_local ? WANTS_LOCAL : 0))
                                    << 56);
    t->closed = true;
    p->open = -1;
    detail(&p->node->world->verdict, "%s: transaction %x of %u operations is closed",
           block_of(p)->name, t->serial, t->operations);
}

static void open_transaction(struct process *p, struct transaction *t)
{
    uint64_t now = p->node->world->clock;

    *t = (struct transaction){.used = true,
                              .serial = ++p->next_serial,
                              .posted = now,
                              .wants_local = rng_below(&p->rng, 3) == 0};
    p->open = (int)(t - p->transaction);
    store_page_word(p, WORD_OPEN, 0);
}

/* Fewer atomic operations than others: they wait for one another. */
static enum kind any_kind(struct process *p)
{
    static const enum kind others[] = {KIND_PUT, KIND_GET,     KIND_PUT,
                                       KIND_GET, KIND_MESSAGE, KIND_CQWRITE};
    unsigned which = rng_below(&p->rng, 8);

    return which < 6 ? others[which] : KIND_AMO + rng_below(&p->rng, KIND_FETCH_ADD - KIND_AMO + 1);
}

static void begin_transaction(struct process *p, struct transaction *t)
{
    unsigned operations = 1 + rng_below(&p->rng, OPERATIONS);
    uint64_t now = p->node->world->clock;

    open_transaction(p, t);
    while (t->operations < operations) {
        struct operation *o = &t->operation[t->operations];

        *o = (struct operation){.kind = any_kind(p), .to = any_peer(p)};
        if (!operation_post(p, o)) {
            break;
        }
        t->operations++;
    }
    t->close_at = now + (rng_below(&p->rng, 8) == 0 ? rng_below(&p->rng, 800) : 0);
    p->node->world->verdict.transactions++;
    if (t->close_at == now) {
        close_transaction(p, t);
    }
}

/* One of many transactions of queue writes. */
static void flood(struct process *p, struct transaction *t)
{
    open_transaction(p, t);
    p->node->world->verdict.transactions++;
    operation_flood(p, p->flood_to, OPERATIONS);
    t->flood = true;
    p->floods--;
    close_transaction(p, t);
}

void process_flood(struct process *p, unsigned to, unsigned transactions)
{
    p->flood_to = to;
    p->floods = transactions;
}

static void settle_operations(struct process *p, struct transaction *t, bool ok)
{
    for (unsigned i = 0; i < t->operations; i++) {
        operation_settle(p, &t->operation[i], ok);
    }
}

static bool disturbed(const struct process *p, const struct transaction *t)
{
    const struct world *w = p->node->world;
    unsigned here = p->node->number;
    bool yes = t->doubtful || t->flood || world_disturbed(w, p->number, here, here, t->posted);

    for (unsigned i = 0; i < t->operations; i++) {
        yes = yes || world_disturbed(w, p->number, here, t->operation[i].to, t->posted) ||
              block_at(p, t->operation[i].to)->life != t->operation[i].life;
    }
    return yes;
}

static void judge(struct process *p, const struct transaction *t, unsigned status)
{
    struct verdict *v = &p->node->world->verdict;
    uint64_t clocks = p->node->world->clock - (t->close_at > t->posted ? t->close_at : t->posted);

    v->ok += status == 0;
    v->failed += status != 0;
    if (disturbed(p, t)) {
        return;
    }
    v->foreign++;
    v->worst_foreign = clocks > v->worst_foreign ? clocks : v->worst_foreign;
    if (status != 0) {
        found(v, WRONG_STATUS,
              "%s: transaction %x, which nothing disturbs, ends with status %u after %llu clocks",
              block_of(p)->name, t->serial, status, (unsigned long long)clocks);
    } else if (clocks > BOUND_FOREIGN) {
        found(v, STUCK, "%s: transaction %x, which nothing disturbs, takes %llu clocks",
              block_of(p)->name, t->serial, (unsigned long long)clocks);
    }
}

static void end_transaction(struct process *p, struct transaction *t, unsigned status)
{
    detail(&p->node->world->verdict, "%s: transaction %x ends with status %u", block_of(p)->name,
           t->serial, status);
    judge(p, t, status);
    /* of one in doubt stores may have been refused, as their host was told */
    settle_operations(p, t, status == 0 && !t->doubtful);
    if (p->open == (int)(t - p->transaction)) {
        p->open = -1;
    }
    t->resting = status == STATUS_OF_TIMEOUT; /* its id */
    t->rest_until = p->node->world->clock + REST_EPOCHS * EPOCH;
    t->used = t->resting;
}

/* ---- events ------------------------------------------------------------------------------------------ */

static struct transaction *transaction_of(struct process *p, uint64_t data)
{
    for (unsigned i = 0; i < LIMIT; i++) {
        struct transaction *t = &p->transaction[i];

        if (t->used && !t->resting && t->serial == data) {
            return t;
        }
    }
    return NULL;
}

bool process_in_doubt(const struct process *p)
{
    bool any = false;

    for (unsigned i = 0; i < LIMIT; i++) {
        any = any || (p->transaction[i].used && p->transaction[i].doubtful);
    }
    return any;
}

static void take_event(struct process *p, uint64_t event)
{
    unsigned source = event >> 56 & 7, status = event >> 59 & 15;
    uint64_t data = event & 0xFFFFFFFFFFFFFF;
    struct transaction *t = transaction_of(p, data);
    struct verdict *v = &p->node->world->verdict;

    if (event >> 63 != 0) {
        found(v, WRONG_EVENTS, "%s: an overrun of a ring that is never full", block_of(p)->name);
    }
    if (t == NULL) {
        /* one that was aborted has data 0, and the first error that it had */
        if (data != p->closing && (data != 0 || status == 0 || !process_in_doubt(p))) {
            found(v, WRONG_EVENTS, "%s: event %016llx, which nobody waits for", block_of(p)->name,
                  (unsigned long long)event);
        }
        return;
    }
    if (source == SOURCE_LOCAL) {
        if (!t->wants_local || t->local_came) {
            found(v, WRONG_EVENTS, "%s: local event of %x, not wanted or twice", block_of(p)->name,
                  t->serial);
        }
        t->local_came = true;
        return;
    }
    if (source > 3 || (t->wants_local && !t->local_came && status == 0)) {
        found(v, WRONG_EVENTS, "%s: event %016llx in the wrong order, or of a wrong source",
              block_of(p)->name, (unsigned long long)event);
    }
    end_transaction(p, t, status);
}

static void take_message(struct process *p, uint64_t event)
{
    struct block *b = block_of(p);
    unsigned from = event >> 32 & 0xFF;
    struct slot *s = NULL;

    if (event >> 63 != 0 && !p->overrun) {
        found(b->verdict, WRONG_EVENTS, "%s: an overrun of a ring of messages that is never full",
              b->name);
    }
    p->overrun = p->overrun && (b->lossy || event >> 63 == 0);
    if ((event & FLOOD_BIT) != 0) {
        return;
    }
    for (unsigned i = 0; from < RING_NODES && i < SLOTS_EACH && s == NULL; i++) {
        struct slot *one = &b->message[from * SLOTS_EACH + i];

        s = one->state != SLOT_FREE && one->message && one->serial == (uint32_t)event ? one : NULL;
    }
    if (s == NULL || s->told || (event >> 56 & 7) != SOURCE_MESSAGE || (event & MESSAGE_BIT) == 0) {
        found(b->verdict, WRONG_EVENTS, "%s: message %016llx, which nobody sent, or twice", b->name,
              (unsigned long long)event);
        return;
    }
    for (unsigned i = 0; i < s->bytes; i++) {
        if (!s->written[i]) {
            found(b->verdict, WRONG_EVENTS, "%s: message %x is told before its data", b->name,
                  s->serial);
            break;
        }
    }
    s->told = true;
    if (s->done) {
        block_settle_slot(b, s, MESSAGES, (unsigned)(s - b->message), true);
    }
}

/* The next event of a ring, taken out of it, or 0. */
static uint64_t next_event(struct block *b, unsigned ring, uint64_t at)
{
    uint8_t *place = b->memory + ring + 8 * (at % RING_ENTRIES);
    uint64_t event;

    memcpy(&event, place, 8);
    if ((event >> 56 & 7) == 0) {
        return 0;
    }
    memset(place, 0, 8);
    return event;
}

static void tell(struct process *p, bool target, uint64_t events, uint64_t *told)
{
    struct driver_burst b = store_queue(queue_of(p->number, target), events);

    if (events - *told >= TOLD_EVERY && driver_room(&p->node->driver)) {
        driver_burst(&p->node->driver, &b);
        *told = events;
    }
}

void process_poll(struct process *p)
{
    uint64_t event;

    if (p->deaf) {
        return;
    }
    while ((event = next_event(block_of(p), EVENTS_AT, p->events)) != 0) {
        p->events++;
        take_event(p, event);
    }
    while ((event = next_event(block_of(p), TARGET_EVENTS_AT, p->target_events)) != 0) {
        p->target_events++;
        take_message(p, event);
    }
    tell(p, false, p->events, &p->told);
    tell(p, true, p->target_events, &p->target_told);
}

/* ---- a clock ----------------------------------------------------------------------------------------- */

/* A transaction whose CLOSE was refused is still open. */
static void close_again(struct process *p)
{
    p->unclosed = false;
    p->closing = ++p->next_serial;
    store_modes(p, PUTS, 0);
    store_page_word(p, WORD_CLOSE, p->closing | (uint64_t)WANTS_GLOBAL << 56);
}

static bool may_begin(const struct process *p)
{
    const struct nic_driver *d = &p->node->driver;

    return p->alive && !p->unclosed && p->node->world->traffic && p->open < 0 &&
           d->bursts_in - d->bursts_done < BACKLOG;
}

void process_clock(struct process *p)
{
    uint64_t now = p->node->world->clock;
    struct transaction *t;

    if ((now + p->number) % 4 == 0) {
        process_poll(p);
    }
    for (unsigned i = 0; i < LIMIT; i++) {
        struct transaction *one = &p->transaction[i];

        one->used = one->used && !(one->resting && now >= one->rest_until);
    }
    if (p->open >= 0 && now >= p->transaction[p->open].close_at) {
        close_transaction(p, &p->transaction[p->open]);
    }
    if (p->unclosed && now >= p->begin_at) {
        close_again(p);
    }
    if (may_begin(p) && p->floods > 0 && (t = free_transaction(p)) != NULL) {
        flood(p, t);
    } else if (may_begin(p) && now >= p->begin_at && (t = free_transaction(p)) != NULL) {
        begin_transaction(p, t);
        p->begin_at = now + 1 + rng_below(&p->rng, (uint32_t)(2 * p->node->world->pace));
    }
}

/* ---- the end of it ------------------------------------------------------------------------------------- */

bool process_heard(const struct process *p)
{
    bool heard = p->open < 0 && !(p->alive && p->unclosed);

    for (unsigned i = 0; i < LIMIT; i++) {
        const struct transaction *t = &p->transaction[i];

        heard = heard && (!t->used || t->resting || t->doubtful);
    }
    return heard;
}

void process_doubt(struct process *p)
{
    for (unsigned i = 0; i < LIMIT; i++) {
        p->transaction[i].doubtful |= p->transaction[i].used;
    }
    p->begin_at = p->node->world->clock + REST_EPOCHS * EPOCH;
    p->unclosed = true;
}

unsigned process_give_up(struct process *p)
{
    unsigned stuck = 0;

    for (unsigned i = 0; i < LIMIT; i++) {
        struct transaction *t = &p->transaction[i];

        if (t->used && !t->resting) {
            stuck += !t->doubtful;
            p->node->world->verdict.unknown++;
            settle_operations(p, t, false);
        }
        t->used = false;
    }
    p->open = -1;
    return stuck;
}

void process_abandon(struct process *p)
{
    p->alive = p->unclosed = false;
    p->deaf = true;
    process_give_up(p);
}
