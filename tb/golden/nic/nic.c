// SPDX-License-Identifier: Apache-2.0
/*
 * nic.c - the golden NIC: a list per node of what its memory shall see, each entry with what it waits for.
 */
#include "tb/base/harness.h"
#include "tb/golden/nic/nic_inside.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *gn_checked(void *memory)
{
    if (memory == NULL) {
        fputs("golden/nic: out of memory\n", stderr);
        exit(1);
    }
    return memory;
}

struct golden_nic *gn_new(unsigned nodes, bool losses)
{
    struct golden_nic *g = gn_checked(calloc(1, sizeof(*g)));

    g->nodes = nodes;
    g->failures = losses ? 1u << GN_TIMEOUT : 0;
    memset(g->doubt, losses, sizeof(g->doubt));
    g->node = gn_checked(calloc(nodes, sizeof(*g->node)));
    memset(g->last, 0xFF, sizeof(g->last)); /* -1 */
    return g;
}

void gn_allow_wrong_bits(struct golden_nic *g)
{
    g->failures |= 1u << GN_TIMEOUT | 1u << GN_UNCORRECTABLE | 1u << GN_DATA | 1u << GN_UNREACHABLE;
    memset(g->doubt, true, sizeof(g->doubt));
    g->parts = true;
}

void gn_free(struct golden_nic *g)
{
    gn_free_messages(g);
    for (unsigned n = 0; n < g->nodes; n++) {
        free(g->node[n].wanted);
        for (size_t v = 0; v < g->node[n].variables; v++) {
            free(g->node[n].variable[v].behind);
        }
        free(g->node[n].variable);
    }
    free(g->node);
    free(g->operations);
    free(g->transactions);
    free(g->engine);
    free(g->parties);
    free(g);
}

/* Remembers the first thing that was wrong, in words, and its clock. */
__attribute__((format(printf, 2, 3))) void gn_wrong(struct golden_nic *g, const char *format, ...)
{
    char text[GN_TEXT];
    va_list list;

    if (g->count.first[0] == '\0') {
        va_start(list, format);
        vsnprintf(text, sizeof(text), format, list);
        va_end(list);
        snprintf(g->count.first, sizeof(g->count.first), "clock %" PRIu64 ": %.*s",
                 harness_clock ? *harness_clock : 0, GN_TEXT - 32, text);
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

void gn_round(struct golden_nic *g, unsigned node, enum gn_rounding rounding)
{
    g->node[node].rounding = rounding;
}

void gn_lazy(struct golden_nic *g, unsigned node)
{
    g->node[node].lazy = true;
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

static bool has_right(const struct gn_segment *s, enum gn_right right)
{
    return right == RIGHT_READ ? s->read : right == RIGHT_WRITE ? s->write : s->atomic;
}

/* The segment that a handle of this domain names: the order of checks is memory.md's. */
struct reached gn_reach(const struct node *n, uint8_t ptag, bool virtually, unsigned mdh,
                        uint64_t offset, unsigned bytes, enum gn_right right)
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
    } else if (!has_right(r.segment, right)) {
        r.status = GN_PROTECTION;
    } else if (right == RIGHT_ATOMIC && r.address % bytes != 0) {
        r.status = GN_BAD_COMMAND;
    } else if (r.segment->translated) {
        r.status = GN_TRANSLATION;
    } else if (r.address < n->window_base || r.address + bytes > n->window_base + n->window_size) {
        r.status = GN_TRANSLATION;
    }
    return r;
}

struct wanted *gn_want(struct golden_nic *g, unsigned node)
{
    struct node *n = &g->node[node];

    if (n->count == n->room) {
        n->room = n->room == 0 ? 64 : 2 * n->room;
        n->wanted = gn_checked(realloc(n->wanted, n->room * sizeof(*n->wanted)));
    }
    n->wanted[n->count] = (struct wanted){.operation = -1};
    return &n->wanted[n->count++];
}

void gn_want_write(struct golden_nic *g, unsigned node, uint64_t address, const uint8_t *data,
                   unsigned bytes, int operation)
{
    struct wanted *w = gn_want(g, node);

    w->kind = WANT_WRITE;
    w->address = address;
    w->bytes = bytes;
    memcpy(w->data, data, bytes);
    w->operation = operation;
    w->transaction = g->operations[operation].transaction;
    w->optional = g->transactions[w->transaction].over; /* it failed, and its answer comes late */
}

void gn_want_event(struct golden_nic *g, unsigned node, unsigned queue, unsigned source,
                   uint64_t event, uint32_t statuses, unsigned transaction, int operation)
{
    struct wanted *w = gn_want(g, node);

    w->kind = WANT_EVENT;
    w->queue = queue;
    w->source = source;
    w->event = event & EVENT_DATA;
    w->statuses = statuses;
    w->operation = operation;
    w->transaction = transaction;
}

/* ---- transactions ------------------------------------------------------------------------------- */

unsigned gn_open(struct golden_nic *g, unsigned node, uint8_t ptag, bool counted)
{
    uint64_t at = g->count.transactions++;

    if (at == g->transaction_room) {
        g->transaction_room = at == 0 ? 64 : 2 * at;
        g->transactions =
            gn_checked(realloc(g->transactions, g->transaction_room * sizeof(*g->transactions)));
    }
    g->transactions[at] = (struct transaction){
        .node = node, .ptag = ptag, .doubtful = g->parts, .counted = counted, .to = -1};
    return (unsigned)at;
}

void gn_forget(struct node *n, size_t at)
{
    n->wanted[at] = n->wanted[--n->count];
}

/* The event that ends a transaction is no longer wanted as it was. */
void gn_forget_last(struct golden_nic *g, unsigned transaction)
{
    struct node *n = &g->node[g->transactions[transaction].node];

    for (size_t i = 0; i < n->count; i++) {
        const struct wanted *w = &n->wanted[i];

        if (w->kind == WANT_EVENT && w->transaction == transaction && w->operation < 0 &&
            w->source == 3) {
            gn_forget(n, i--);
        }
    }
}

/* All effects have been seen: the event that says so may come. */
void gn_settle(struct golden_nic *g, unsigned transaction)
{
    struct transaction *t = &g->transactions[transaction];
    uint32_t statuses = t->statuses != 0 ? t->statuses : 1u << GN_OK;
    bool any = t->wants.local || t->wants.global || t->wants.target || t->wants.flag;

    if (!t->closed || t->left != 0 || t->over || t->gone) {
        return;
    }
    t->over = true;
    if (t->doubtful) {
        statuses |= g->failures | t->failures;
        gn_forget_last(g, transaction);
    }
    if (t->wants.global || (t->statuses != 0 && any)) {
        gn_want_event(g, t->node, t->wants.queue, 3, t->wants.event, statuses, transaction, -1);
    }
}

/* A failure can keep any effect of a transaction away: then its event comes all the same. */
static void expect_failure(struct golden_nic *g, unsigned transaction)
{
    struct transaction *t = &g->transactions[transaction];

    if (t->doubtful && t->closed && !t->over && (t->wants.local || t->wants.global)) {
        gn_want_event(g, t->node, t->wants.queue, 3, t->wants.event, g->failures | t->failures,
                      transaction, -1);
        g->node[t->node].wanted[g->node[t->node].count - 1].optional = true;
    }
}

/* Where a get's data go, and behind them its flag. */
struct reached gn_reach_local(const struct golden_nic *g, const struct operation *o)
{
    const struct transaction *t = &g->transactions[o->transaction];

    return gn_reach(&g->node[t->node], t->ptag, false, o->is.local_mdh, o->is.local_offset,
                    o->is.bytes, RIGHT_WRITE);
}

/* The flag behind the data of a get says how it ended. */
void gn_want_flag(struct golden_nic *g, int index, enum gn_status status)
{
    struct operation *o = &g->operations[index];
    uint8_t flag[4] = {(uint8_t)(status << 4 | 1)};

    o->is.flagged = false;
    gn_want_write(g, g->transactions[o->transaction].node,
                  gn_reach_local(g, o).address + o->is.bytes, flag, 4, index);
}

static void post_get(struct golden_nic *g, int index)
{
    struct operation *o = &g->operations[index];
    struct transaction *t = &g->transactions[o->transaction];
    struct reached there = gn_reach(&g->node[o->is.to], t->ptag, true, o->is.mdh, o->is.offset,
                                    o->is.bytes, RIGHT_READ);
    struct wanted *w;

    if (there.status != GN_OK) {
        t->statuses |= 1u << there.status;
        if (o->is.flagged) {
            t->left++;
            gn_want_flag(g, index, there.status);
        }
        return;
    }
    t->left++;
    w = gn_want(g, (unsigned)o->is.to);
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
    struct reached there = gn_reach(&g->node[o->is.to], t->ptag, true, o->is.mdh, o->is.offset,
                                    o->is.bytes, RIGHT_WRITE);

    if (there.status != GN_OK) {
        gn_spoil(t, there.status);
        return;
    }
    t->left++;
    t->there++;
    gn_want_write(g, (unsigned)o->is.to, there.address, o->is.data, o->is.bytes, index);
}

/* A message's or CQWRITE's event at its target. */
void gn_post_event(struct golden_nic *g, int index, const struct gn_segment *segment)
{
    struct operation *o = &g->operations[index];
    const struct transaction *t = &g->transactions[o->transaction];
    struct node *n = &g->node[o->is.to];
    const struct gn_ring *r = &n->ring[segment->queue];

    if (segment->event && r->enabled && r->ptag == segment->ptag) {
        gn_want_event(g, (unsigned)o->is.to, segment->queue, 5, o->is.event, 1u << GN_OK,
                      o->transaction, index);
        n->wanted[n->count - 1].optional = t->doubtful; /* its packet may be lost */
    }
}

static void post_cqwrite(struct golden_nic *g, int index)
{
    struct operation *o = &g->operations[index];
    struct transaction *t = &g->transactions[o->transaction];
    struct node *n = &g->node[o->is.to];
    struct reached there = gn_reach(n, t->ptag, true, o->is.mdh, 0, 0, RIGHT_WRITE);

    /* Bounds, right and place do not matter: nothing of the segment is touched. */
    if (there.status == GN_VMDH || there.status == GN_MDD ||
        (there.status == GN_PROTECTION && there.segment->ptag != t->ptag)) {
        gn_spoil(t, there.status);
        return;
    }
    gn_post_event(g, index, there.segment);
}

void gn_post(struct golden_nic *g, unsigned transaction, const struct gn_operation *o)
{
    uint64_t at = g->count.operations++;
    struct transaction *t = &g->transactions[transaction];

    if (at == g->operation_room) {
        g->operation_room = at == 0 ? 64 : 2 * at;
        g->operations =
            gn_checked(realloc(g->operations, g->operation_room * sizeof(*g->operations)));
    }
    g->operations[at] = (struct operation){.is = *o, .transaction = transaction};
    if (o->to < 0) {
        gn_spoil(t, GN_UNREACHABLE);
        return;
    }
    t->doubtful |= g->doubt[t->node][o->to];
    gn_count_post(g, transaction, o);
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
        gn_post_change(g, (int)at);
        break;
    }
}

void gn_close(struct golden_nic *g, unsigned transaction, const struct gn_wants *w)
{
    struct transaction *t = &g->transactions[transaction];

    t->wants = *w;
    t->closed = true;
    gn_close_there(g, transaction);
    if (w->local) {
        uint32_t any = 0xFFFF;

        gn_want_event(g, t->node, w->queue, 1, w->event, any, transaction, -1);
    }
    gn_settle(g, transaction);
    expect_failure(g, transaction);
}

/* ---- ways and nodes that fail ----------------------------------------------------------------------- */

/* A transaction may fail from now on: so says the event that ends it. */
static void make_doubtful(struct golden_nic *g, unsigned transaction)
{
    struct transaction *t = &g->transactions[transaction];
    struct node *n = &g->node[t->node];

    if (t->doubtful || t->gone) {
        return;
    }
    t->doubtful = true;
    for (size_t i = 0; i < n->count; i++) {
        struct wanted *w = &n->wanted[i];

        if (w->kind == WANT_EVENT && w->transaction == transaction && w->operation < 0 &&
            !gn_is_target_event(w)) {
            w->statuses |= g->failures;
        }
    }
    expect_failure(g, transaction);
}

void gn_doubt(struct golden_nic *g, unsigned from, unsigned to, bool on)
{
    struct node *n = &g->node[to];

    g->failures |= 1u << GN_TIMEOUT | 1u << GN_UNREACHABLE;
    g->doubt[from][to] = on;
    for (size_t i = 0; on && i < n->count; i++) {
        struct wanted *w = &n->wanted[i];

        bool event = w->kind == WANT_EVENT && (w->operation >= 0 || gn_is_target_event(w));

        w->optional |=
            (event || gn_is_target_flag(w)) && g->transactions[w->transaction].node == from;
    }
    for (uint64_t i = 0; on && i < g->count.operations; i++) {
        const struct operation *o = &g->operations[i];

        if (o->is.to == (int)to && g->transactions[o->transaction].node == from) {
            make_doubtful(g, o->transaction);
        }
    }
}

static bool brings_data(const struct gn_operation *o)
{
    return o->kind == GN_GET || o->kind == GN_AMO;
}

/* Of what a node began: data of its gets and its own events it does not know any more. */
static bool is_forgotten(const struct golden_nic *g, unsigned node, const struct wanted *w)
{
    bool own = g->transactions[w->transaction].node == node;

    return own && (w->operation < 0 ||
                   (w->kind == WANT_WRITE && brings_data(&g->operations[w->operation].is)));
}

void gn_stop(struct golden_nic *g, unsigned node)
{
    struct node *n = &g->node[node];

    n->torn = 0;
    for (uint64_t i = 0; i < g->count.transactions; i++) {
        const struct transaction *t = &g->transactions[i];

        n->torn += t->node == node && !t->over && !t->gone;
    }
}

void gn_restart(struct golden_nic *g, unsigned node)
{
    struct node *n = &g->node[node];

    n->torn = 0;
    for (uint64_t i = 0; i < g->count.transactions; i++) {
        g->transactions[i].gone |= g->transactions[i].node == node;
    }
    for (size_t i = 0; i < n->count; i++) {
        if (is_forgotten(g, node, &n->wanted[i])) {
            gn_forget(n, i--);
        } else {
            n->wanted[i].optional = true;
        }
    }
    for (unsigned other = 0; other < g->nodes; other++) {
        for (size_t i = 0; i < g->node[other].count; i++) {
            struct wanted *w = &g->node[other].wanted[i];

            w->optional |= g->transactions[w->transaction].node == node;
        }
    }
    memset(n->posted, 0, sizeof(n->posted));
    n->flag_rest_bytes = 0;
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
        waiting += gn_owed_buffers(g, node);
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
            gn_wrong(
                g, "node %u: %s of transaction %u never came (address %llx, %u bytes, event %llx)",
                node,
                w->kind == WANT_EVENT    ? "an event"
                : w->kind == WANT_READ   ? "a read"
                : w->kind == WANT_CHANGE ? "a change"
                                         : "a write",
                w->transaction, (unsigned long long)w->address, w->bytes,
                (unsigned long long)w->event);
        }
        const uint64_t owed = gn_owed_buffers(g, node);

        if (owed != 0) {
            g->count.missing_accesses += owed;
            gn_wrong(g, "node %u: %" PRIu64 " buffers that messages took have not come back", node,
                     owed);
        }
    }
    return &g->count;
}
