// SPDX-License-Identifier: Apache-2.0
/*
 * nic.c - the golden NIC: a list per node of what its memory shall see, each entry with what it waits for.
 */
#include "tb/golden/nic.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE = 4096, LINE = 16 };
#define ADDRESSES  ((uint64_t)1 << 48)
#define EVENT_DATA (((uint64_t)1 << 56) - 1)

enum wanted_kind { WANT_WRITE, WANT_READ, WANT_EVENT };

/* One access that shall happen once, or the halves of one at both sides of a page. */
struct wanted {
    enum wanted_kind kind;
    uint64_t address;
    unsigned bytes;
    uint8_t data[64]; /* WRITE */
    uint64_t seen;    /* bit i: byte i has been written or read */
    unsigned queue;   /* EVENT */
    uint64_t event;
    unsigned source;
    uint32_t statuses; /* bit s: status s is right */
    unsigned transaction;
    int operation; /* index, or -1: an event of the transaction as a whole */
    bool optional; /* its transaction timed out: may happen or not */
};

struct node {
    struct gn_segment segment[GN_SEGMENTS];
    struct gn_domain domain[GN_DOMAINS];
    struct gn_ring ring[GN_QUEUES];
    uint64_t posted[GN_QUEUES]; /* events so far */
    uint64_t window_base, window_size;
    struct wanted *wanted;
    size_t count, room;
};

struct operation {
    struct gn_operation is;
    unsigned transaction;
};

struct transaction {
    unsigned node;
    uint8_t ptag;
    bool closed, local_seen;
    struct gn_wants wants;
    uint32_t statuses; /* of operations that cannot be OK */
    unsigned left;     /* operations with effects that have not all been seen */
    bool over;
};

struct golden_nic {
    unsigned nodes;
    bool losses;
    struct node *node;
    struct operation *operations;
    struct transaction *transactions;
    size_t operation_room, transaction_room;
    struct gn_count count;
};

static void *checked(void *memory)
{
    if (memory == NULL) {
        fputs("golden/nic: out of memory\n", stderr);
        exit(1);
    }
    return memory;
}

struct golden_nic *gn_new(unsigned nodes, bool losses)
{
    struct golden_nic *g = checked(calloc(1, sizeof(*g)));

    g->nodes = nodes;
    g->losses = losses;
    g->node = checked(calloc(nodes, sizeof(*g->node)));
    return g;
}

void gn_free(struct golden_nic *g)
{
    for (unsigned n = 0; n < g->nodes; n++) {
        free(g->node[n].wanted);
    }
    free(g->node);
    free(g->operations);
    free(g->transactions);
    free(g);
}

/* Remembers the first thing that was wrong, in words. */
__attribute__((format(printf, 2, 3))) static void wrong(struct golden_nic *g, const char *format,
                                                        ...)
{
    va_list list;

    if (g->count.first[0] == '\0') {
        va_start(list, format);
        vsnprintf(g->count.first, sizeof(g->count.first), format, list);
        va_end(list);
    }
}

/* ---- nodes -------------------------------------------------------------------------------------- */

void gn_window(struct golden_nic *g, unsigned node, uint64_t base, uint64_t size)
{
    g->node[node].window_base = base;
    g->node[node].window_size = size;
}

void gn_segment(struct golden_nic *g, unsigned node, unsigned mdh, const struct gn_segment *s)
{
    g->node[node].segment[mdh] = *s;
}

void gn_domain(struct golden_nic *g, unsigned node, unsigned ptag, const struct gn_domain *d)
{
    g->node[node].domain[ptag] = *d;
}

void gn_queue(struct golden_nic *g, unsigned node, unsigned queue, const struct gn_ring *r)
{
    g->node[node].ring[queue] = *r;
}

/* ---- what an operation meets ------------------------------------------------------------------- */

struct reached {
    enum gn_status status;
    uint64_t address;
    const struct gn_segment *segment;
};

/* The segment that a handle of this domain names: the order of checks is memory.md's. */
static struct reached reach(const struct node *n, uint8_t ptag, bool virtually, unsigned mdh,
                            uint64_t offset, unsigned bytes, bool write)
{
    const struct gn_domain *d = &n->domain[ptag];
    struct reached r = {.status = GN_OK};

    if (virtually && d->valid) {
        if (mdh >= d->size) {
            r.status = GN_VMDH;
            return r;
        }
        mdh = (mdh + d->base) % GN_SEGMENTS;
    }
    r.segment = &n->segment[mdh];
    r.address = (r.segment->base + offset) % ADDRESSES;
    if (!r.segment->valid) {
        r.status = GN_MDD;
    } else if (r.segment->ptag != ptag) {
        r.status = GN_PROTECTION;
    } else if (offset + bytes > r.segment->length) {
        r.status = GN_BOUNDS;
    } else if (write ? !r.segment->write : !r.segment->read) {
        r.status = GN_PROTECTION;
    } else if (r.segment->translated) {
        r.status = GN_TRANSLATION;
    } else if (r.address < n->window_base || r.address + bytes > n->window_base + n->window_size) {
        r.status = GN_TRANSLATION;
    }
    return r;
}

static struct wanted *want(struct golden_nic *g, unsigned node)
{
    struct node *n = &g->node[node];

    if (n->count == n->room) {
        n->room = n->room == 0 ? 64 : 2 * n->room;
        n->wanted = checked(realloc(n->wanted, n->room * sizeof(*n->wanted)));
    }
    n->wanted[n->count] = (struct wanted){.operation = -1};
    return &n->wanted[n->count++];
}

static void want_write(struct golden_nic *g, unsigned node, uint64_t address, const uint8_t *data,
                       unsigned bytes, int operation)
{
    struct wanted *w = want(g, node);

    w->kind = WANT_WRITE;
    w->address = address;
    w->bytes = bytes;
    memcpy(w->data, data, bytes);
    w->operation = operation;
    w->transaction = g->operations[operation].transaction;
}

static void want_event(struct golden_nic *g, unsigned node, unsigned queue, unsigned source,
                       uint64_t event, uint32_t statuses, unsigned transaction, int operation)
{
    struct wanted *w = want(g, node);

    w->kind = WANT_EVENT;
    w->queue = queue;
    w->source = source;
    w->event = event & EVENT_DATA;
    w->statuses = statuses;
    w->operation = operation;
    w->transaction = transaction;
}

/* ---- transactions ------------------------------------------------------------------------------- */

unsigned gn_open(struct golden_nic *g, unsigned node, uint8_t ptag)
{
    uint64_t at = g->count.transactions++;

    if (at == g->transaction_room) {
        g->transaction_room = at == 0 ? 64 : 2 * at;
        g->transactions =
            checked(realloc(g->transactions, g->transaction_room * sizeof(*g->transactions)));
    }
    g->transactions[at] = (struct transaction){.node = node, .ptag = ptag};
    return (unsigned)at;
}

static void forget(struct node *n, size_t at)
{
    n->wanted[at] = n->wanted[--n->count];
}

/* The event that ends a transaction is no longer wanted as it was. */
static void forget_last(struct golden_nic *g, unsigned transaction)
{
    struct node *n = &g->node[g->transactions[transaction].node];

    for (size_t i = 0; i < n->count; i++) {
        const struct wanted *w = &n->wanted[i];

        if (w->kind == WANT_EVENT && w->transaction == transaction && w->operation < 0 &&
            w->source == 3) {
            forget(n, i--);
        }
    }
}

/* All effects have been seen: the event that says so may come. */
static void settle(struct golden_nic *g, unsigned transaction)
{
    struct transaction *t = &g->transactions[transaction];
    uint32_t statuses = t->statuses != 0 ? t->statuses : 1u << GN_OK;
    bool any = t->wants.local || t->wants.global || t->wants.target;

    if (!t->closed || t->left != 0 || t->over) {
        return;
    }
    t->over = true;
    if (g->losses) {
        statuses |= 1u << GN_TIMEOUT;
        forget_last(g, transaction);
    }
    if (t->wants.global || (t->statuses != 0 && any)) {
        want_event(g, t->node, t->wants.queue, 3, t->wants.event, statuses, transaction, -1);
    }
}

/* A loss can keep any effect of a transaction away: then its event comes all the same. */
static void expect_timeout(struct golden_nic *g, unsigned transaction)
{
    struct transaction *t = &g->transactions[transaction];

    if (g->losses && t->closed && !t->over && (t->wants.local || t->wants.global)) {
        want_event(g, t->node, t->wants.queue, 3, t->wants.event, 1u << GN_TIMEOUT, transaction,
                   -1);
        g->node[t->node].wanted[g->node[t->node].count - 1].optional = true;
    }
}

/* Where a get's data go, and behind them its flag. */
static struct reached reach_local(const struct golden_nic *g, const struct operation *o)
{
    const struct transaction *t = &g->transactions[o->transaction];

    return reach(&g->node[t->node], t->ptag, false, o->is.local_mdh, o->is.local_offset,
                 o->is.bytes, true);
}

/* The flag behind the data of a get says how it ended. */
static void want_flag(struct golden_nic *g, int index, enum gn_status status)
{
    struct operation *o = &g->operations[index];
    uint8_t flag[4] = {(uint8_t)(status << 4 | 1)};

    o->is.flagged = false;
    want_write(g, g->transactions[o->transaction].node, reach_local(g, o).address + o->is.bytes,
               flag, 4, index);
}

static void post_get(struct golden_nic *g, int index)
{
    struct operation *o = &g->operations[index];
    struct transaction *t = &g->transactions[o->transaction];
    struct reached there =
        reach(&g->node[o->is.to], t->ptag, true, o->is.mdh, o->is.offset, o->is.bytes, false);
    struct wanted *w;

    if (there.status != GN_OK) {
        t->statuses |= 1u << there.status;
        if (o->is.flagged) {
            t->left++;
            want_flag(g, index, there.status);
        }
        return;
    }
    t->left++;
    w = want(g, (unsigned)o->is.to);
    w->kind = WANT_READ;
    w->address = there.address;
    w->bytes = o->is.bytes;
    w->operation = index;
    w->transaction = o->transaction;
}

static void post_write(struct golden_nic *g, int index)
{
    struct operation *o = &g->operations[index];
    struct transaction *t = &g->transactions[o->transaction];
    struct reached there =
        reach(&g->node[o->is.to], t->ptag, true, o->is.mdh, o->is.offset, o->is.bytes, true);

    if (there.status != GN_OK) {
        t->statuses |= 1u << there.status;
        return;
    }
    t->left++;
    want_write(g, (unsigned)o->is.to, there.address, o->is.data, o->is.bytes, index);
}

/* A message's or CQWRITE's event at its target. */
static void post_event(struct golden_nic *g, int index, const struct gn_segment *segment)
{
    struct operation *o = &g->operations[index];
    struct node *n = &g->node[o->is.to];
    const struct gn_ring *r = &n->ring[segment->queue];

    if (segment->event && r->enabled && r->ptag == segment->ptag) {
        want_event(g, (unsigned)o->is.to, segment->queue, 5, o->is.event, 1u << GN_OK,
                   o->transaction, index);
        if (g->losses) {
            n->wanted[n->count - 1].optional = true; /* its packet may be lost */
        }
    }
}

static void post_cqwrite(struct golden_nic *g, int index)
{
    struct operation *o = &g->operations[index];
    struct transaction *t = &g->transactions[o->transaction];
    struct node *n = &g->node[o->is.to];
    struct reached there = reach(n, t->ptag, true, o->is.mdh, 0, 0, true);

    /* Bounds, right and place do not matter: nothing of the segment is touched. */
    if (there.status == GN_VMDH || there.status == GN_MDD ||
        (there.status == GN_PROTECTION && there.segment->ptag != t->ptag)) {
        t->statuses |= 1u << there.status;
        return;
    }
    post_event(g, index, there.segment);
}

void gn_post(struct golden_nic *g, unsigned transaction, const struct gn_operation *o)
{
    uint64_t at = g->count.operations++;
    struct transaction *t = &g->transactions[transaction];

    if (at == g->operation_room) {
        g->operation_room = at == 0 ? 64 : 2 * at;
        g->operations = checked(realloc(g->operations, g->operation_room * sizeof(*g->operations)));
    }
    g->operations[at] = (struct operation){.is = *o, .transaction = transaction};
    if (o->to < 0) {
        t->statuses |= 1u << GN_UNREACHABLE;
        return;
    }
    switch (o->kind) {
    case GN_PUT:
    case GN_MESSAGE:
        post_write(g, (int)at);
        break;
    case GN_GET:
        post_get(g, (int)at);
        break;
    case GN_CQWRITE:
        post_cqwrite(g, (int)at);
        break;
    case GN_AMO:
        t->statuses |= 1u << GN_BAD_COMMAND;
        break;
    }
}

void gn_close(struct golden_nic *g, unsigned transaction, const struct gn_wants *w)
{
    struct transaction *t = &g->transactions[transaction];

    t->wants = *w;
    t->closed = true;
    if (w->target) {
        t->statuses |= 1u << GN_SEQUENCE;
    }
    if (w->local) {
        uint32_t any = 0xFFFF;

        want_event(g, t->node, w->queue, 1, w->event, any, transaction, -1);
    }
    settle(g, transaction);
    expect_timeout(g, transaction);
}

/* ---- accesses ------------------------------------------------------------------------------------ */

/* Bytes [first, first + bytes) of an access: all of it, or up to a page's end, or from there on. */
static bool is_part(const struct wanted *w, uint64_t address, unsigned bytes)
{
    uint64_t end = address + bytes, wanted_end = w->address + w->bytes;

    return address >= w->address && end <= wanted_end &&
           (address == w->address || address % PAGE == 0) && (end == wanted_end || end % PAGE == 0);
}

static uint64_t bits_of(const struct wanted *w, uint64_t address, unsigned bytes)
{
    uint64_t bits = bytes >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << bytes) - 1;

    return bits << (address - w->address);
}

static bool is_whole(const struct wanted *w)
{
    return w->seen == (w->bytes >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << w->bytes) - 1);
}

/* An operation's write is done: what may follow it. */
static void follow_write(struct golden_nic *g, int index)
{
    struct operation *o = &g->operations[index];
    struct transaction *t = &g->transactions[o->transaction];
    struct reached there;

    if (o->is.kind == GN_MESSAGE) {
        there =
            reach(&g->node[o->is.to], t->ptag, true, o->is.mdh, o->is.offset, o->is.bytes, true);
        post_event(g, index, there.segment);
    }
    if (o->is.kind == GN_GET && o->is.flagged) {
        want_flag(g, index, GN_OK);
        return;
    }
    t->left--;
    settle(g, o->transaction);
}

/* A get has read its data: now they shall be written here. */
static void follow_read(struct golden_nic *g, int index, const uint8_t *data)
{
    struct operation *o = &g->operations[index];
    struct transaction *t = &g->transactions[o->transaction];
    struct reached here = reach_local(g, o);

    if (here.status != GN_OK) {
        t->statuses |= 1u << here.status;
        t->left--;
        settle(g, o->transaction);
        return;
    }
    want_write(g, t->node, here.address, data, o->is.bytes, index);
}

static uint64_t word_of(const uint8_t *data)
{
    uint64_t word = 0;

    for (int i = 7; i >= 0; i--) {
        word = word << 8 | data[i];
    }
    return word;
}

/* The ring in whose next place this write stands, or -1. */
static int ring_at(const struct node *n, uint64_t address, unsigned bytes)
{
    for (int q = 0; q < GN_QUEUES; q++) {
        const struct gn_ring *r = &n->ring[q];
        uint64_t next = n->posted[q] & (((uint64_t)1 << r->log2) - 1);

        if (r->enabled && bytes == 8 && address == r->base + 8 * next) {
            return q;
        }
    }
    return -1;
}

/* What timed out may still happen, or not. */
static void let_go(struct golden_nic *g, unsigned transaction)
{
    for (unsigned node = 0; node < g->nodes; node++) {
        for (size_t i = 0; i < g->node[node].count; i++) {
            struct wanted *w = &g->node[node].wanted[i];

            w->optional |= w->transaction == transaction && w->kind != WANT_EVENT;
        }
    }
    forget_last(g, transaction);
}

static bool take_event(struct golden_nic *g, unsigned node, int queue, uint64_t word)
{
    struct node *n = &g->node[node];
    unsigned status = (unsigned)(word >> 59) & 15, source = (unsigned)(word >> 56) & 7;

    n->posted[queue]++;
    for (size_t i = 0; i < n->count; i++) {
        struct wanted w = n->wanted[i];

        if (w.kind == WANT_EVENT && w.queue == (unsigned)queue && w.source == source &&
            w.event == (word & EVENT_DATA) && (w.statuses >> status & 1) != 0) {
            forget(n, i);
            g->count.events++;
            if (w.operation < 0 && source == 3) {
                g->count.by_status[status]++;
                g->transactions[w.transaction].over = true;
            }
            if (w.operation < 0 && source == 3 && g->losses) {
                g->count.timeouts += status == GN_TIMEOUT;
                let_go(g, w.transaction);
            }
            return true;
        }
    }
    g->count.unexplained++;
    wrong(g, "node %u, queue %d: event of source %u, status %u, data %llx is not wanted now", node,
          queue, source, status, (unsigned long long)(word & EVENT_DATA));
    return false;
}

/* Of an access those bytes that are wanted: a read takes whole lines. */
static unsigned clip(const struct wanted *w, uint64_t address, unsigned bytes)
{
    uint64_t end = address + bytes, wanted_end = w->address + w->bytes;
    bool behind =
        end > wanted_end && wanted_end > address && end - wanted_end < LINE && end % LINE == 0;

    return w->kind == WANT_READ && behind ? (unsigned)(wanted_end - address) : bytes;
}

static bool matches(const struct wanted *w, enum wanted_kind kind, uint64_t address,
                    const uint8_t *data, unsigned bytes)
{
    return w->kind == kind && is_part(w, address, bytes) &&
           (w->seen & bits_of(w, address, bytes)) == 0 &&
           (kind == WANT_READ || memcmp(w->data + (address - w->address), data, bytes) == 0);
}

/* Those that must come are looked at before those that may. */
static struct wanted *find(struct node *n, enum wanted_kind kind, uint64_t address,
                           const uint8_t *data, unsigned bytes)
{
    for (int optional = 0; optional < 2; optional++) {
        for (size_t i = 0; i < n->count; i++) {
            struct wanted *w = &n->wanted[i];

            if (w->optional == optional &&
                matches(w, kind, address, data, clip(w, address, bytes))) {
                return w;
            }
        }
    }
    return NULL;
}

static bool take(struct golden_nic *g, unsigned node, enum wanted_kind kind, uint64_t address,
                 const uint8_t *data, unsigned bytes)
{
    struct node *n = &g->node[node];
    struct wanted *w = find(n, kind, address, data, bytes);

    if (w != NULL) {
        bytes = clip(w, address, bytes);
        w->seen |= bits_of(w, address, bytes);
        if (kind == WANT_READ) {
            memcpy(w->data + (address - w->address), data, bytes);
        }
        if (is_whole(w)) {
            struct wanted whole = *w;

            forget(n, (size_t)(w - n->wanted));
            if (kind == WANT_READ) {
                follow_read(g, whole.operation, whole.data);
            } else {
                follow_write(g, whole.operation);
            }
        }
        return true;
    }
    g->count.unexplained++;
    wrong(g, "node %u: %s of %u bytes at %llx is not wanted now", node,
          kind == WANT_READ ? "read" : "write", bytes, (unsigned long long)address);
    return false;
}

bool gn_write(struct golden_nic *g, unsigned node, uint64_t address, const uint8_t *data,
              unsigned bytes)
{
    int queue = ring_at(&g->node[node], address, bytes);

    g->count.writes++;
    return queue >= 0 ? take_event(g, node, queue, word_of(data))
                      : take(g, node, WANT_WRITE, address, data, bytes);
}

bool gn_read(struct golden_nic *g, unsigned node, uint64_t address, const uint8_t *data,
             unsigned bytes)
{
    g->count.reads++;
    return take(g, node, WANT_READ, address, data, bytes);
}

/* ---- the end -------------------------------------------------------------------------------------- */

const struct gn_count *gn_counts(const struct golden_nic *g)
{
    return &g->count;
}

uint64_t gn_waiting(const struct golden_nic *g)
{
    uint64_t waiting = 0;

    for (unsigned node = 0; node < g->nodes; node++) {
        for (size_t i = 0; i < g->node[node].count; i++) {
            waiting += !g->node[node].wanted[i].optional;
        }
    }
    return waiting;
}

const struct gn_count *gn_finish(struct golden_nic *g)
{
    for (unsigned node = 0; node < g->nodes; node++) {
        const struct node *n = &g->node[node];

        for (size_t i = 0; i < n->count; i++) {
            const struct wanted *w = &n->wanted[i];

            if (w->optional) {
                continue;
            }
            g->count.missing_accesses += w->kind != WANT_EVENT;
            g->count.missing_events += w->kind == WANT_EVENT;
            wrong(g,
                  "node %u: %s of transaction %u never came (address %llx, %u bytes, event %llx)",
                  node,
                  w->kind == WANT_EVENT  ? "an event"
                  : w->kind == WANT_READ ? "a read"
                                         : "a write",
                  w->transaction, (unsigned long long)w->address, w->bytes,
                  (unsigned long long)w->event);
        }
    }
    return &g->count;
}
