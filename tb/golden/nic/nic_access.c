// SPDX-License-Identifier: Apache-2.0
/*
 * nic_access.c - the golden NIC: which operation wanted an access, and what may follow it.
 */
#include <string.h>

#include "tb/golden/nic/nic_inside.h"

enum { PAGE = 4096, LINE = 16 };

/* ---- accesses ------------------------------------------------------------------------------------ */

/* Bytes [first, first + bytes) of an access: all of it, or up to a page's end, or from there on; or any of them. */
static bool is_part(const struct wanted *w, uint64_t address, unsigned bytes, bool any)
{
    uint64_t end = address + bytes, wanted_end = w->address + w->bytes;

    return address >= w->address && end <= wanted_end &&
           (any || (((address == w->address || address % PAGE == 0) &&
                     (end == wanted_end || end % PAGE == 0))));
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

/* A write of an operation at its target is seen: none of its flow that was posted later may have been. */
static void keep_order(struct golden_nic *g, int index)
{
    const struct operation *o = &g->operations[index];
    int *last = &g->last[o->is.flow];

    if (o->is.flow == 0 || o->is.kind == GN_GET || o->is.kind == GN_AMO) {
        return;
    }
    g->count.ordered++;
    if (index < *last) {
        g->count.overtaken++;
        gn_wrong(g, "operation %d of flow %u was overtaken by operation %d", index, o->is.flow,
                 *last);
    }
    *last = index > *last ? index : *last;
}

/* An operation's write is done: what may follow it. */
static void follow_write(struct golden_nic *g, int index)
{
    struct operation *o = &g->operations[index];
    struct transaction *t = &g->transactions[o->transaction];
    struct reached there;

    if (o->is.kind == GN_MESSAGE) {
        there = gn_reach(&g->node[o->is.to], t->ptag, true, o->is.mdh, o->is.offset, o->is.bytes,
                         RIGHT_WRITE);
        gn_post_event(g, index, there.segment);
    }
    if (o->is.kind == GN_GET && o->is.flagged) {
        gn_want_flag(g, index, GN_OK);
        return;
    }
    if (o->is.kind == GN_PUT || o->is.kind == GN_MESSAGE) {
        gn_take_there(g, o->transaction);
    }
    t->left--;
    gn_settle(g, o->transaction);
}

void gn_follow_read(struct golden_nic *g, int index, const uint8_t *data)
{
    struct operation *o = &g->operations[index];
    struct transaction *t = &g->transactions[o->transaction];
    struct reached here = gn_reach_local(g, o);

    if (t->gone) {
        return;
    }
    if (here.status != GN_OK) {
        t->statuses |= 1u << here.status;
        gn_excuse_there(g, o->transaction);
        t->left--;
        gn_settle(g, o->transaction);
        return;
    }
    gn_want_write(g, t->node, here.address, data, o->is.bytes, index);
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

/* What failed may still happen, or not. */
static void let_go(struct golden_nic *g, unsigned transaction)
{
    for (unsigned node = 0; node < g->nodes; node++) {
        for (size_t i = 0; i < g->node[node].count; i++) {
            struct wanted *w = &g->node[node].wanted[i];

            w->optional |= w->transaction == transaction && w->kind != WANT_EVENT;
        }
    }
    gn_forget_last(g, transaction);
}

/* Statuses that may stand in an event: what else a doubtful transaction met may have come first. */
static uint32_t statuses_of(const struct golden_nic *g, const struct wanted *w)
{
    const struct transaction *t = &g->transactions[w->transaction];

    return w->statuses | (w->operation < 0 && w->source == 3 && t->doubtful ? t->statuses : 0);
}

/* The end of a transaction that was against the order of its steps has a source of its own. */
static unsigned source_of(const struct wanted *w, unsigned status)
{
    return w->source == 3 && status == GN_SEQUENCE ? 2 : w->source;
}

static bool take_event(struct golden_nic *g, unsigned node, int queue, uint64_t word)
{
    struct node *n = &g->node[node];
    unsigned status = (unsigned)(word >> 59) & 15, source = (unsigned)(word >> 56) & 7;

    n->posted[queue]++;
    for (size_t i = 0; i < n->count; i++) {
        struct wanted w = n->wanted[i];

        if (w.kind == WANT_EVENT && w.queue == (unsigned)queue && source_of(&w, status) == source &&
            w.event == (word & EVENT_DATA) && (statuses_of(g, &w) >> status & 1) != 0) {
            gn_forget(n, i);
            g->count.events++;
            if (w.operation < 0 && w.source == 3) {
                g->count.by_status[status]++;
                gn_confirm_there(g, w.transaction, status);
                g->transactions[w.transaction].over = true;
            }
            if (w.operation < 0 && w.source == 3 && g->transactions[w.transaction].doubtful) {
                g->count.timeouts += status == GN_TIMEOUT;
                let_go(g, w.transaction);
            }
            return true;
        }
    }
    if (n->torn != 0 && status != GN_OK && (word & EVENT_DATA) == 0) {
        n->torn--;
        return true;
    }
    g->count.unexplained++;
    g->count.extra_events++;
    gn_wrong(g, "node %u, queue %d: event of source %u, status %u, data %llx is not wanted now",
             node, queue, source, status, (unsigned long long)(word & EVENT_DATA));
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

static bool matches(const struct golden_nic *g, const struct wanted *w, enum wanted_kind kind,
                    uint64_t address, const uint8_t *data, unsigned bytes)
{
    bool any = g->parts && kind == WANT_WRITE;

    return w->kind == kind && is_part(w, address, bytes, any) &&
           (w->seen & bits_of(w, address, bytes)) == 0 &&
           (kind == WANT_READ || memcmp(w->data + (address - w->address), data, bytes) == 0);
}

/* Those that must come are looked at before those that may. */
static struct wanted *find(struct golden_nic *g, unsigned node, enum wanted_kind kind,
                           uint64_t address, const uint8_t *data, unsigned bytes)
{
    struct node *n = &g->node[node];

    for (int optional = 0; optional < 2; optional++) {
        for (size_t i = 0; i < n->count; i++) {
            struct wanted *w = &n->wanted[i];

            if (w->optional == optional &&
                matches(g, w, kind, address, data, clip(w, address, bytes))) {
                return w;
            }
        }
    }
    return NULL;
}

/* The get of that wanted access is doubtful, and was refused besides: whichever came first, its flag says. */
static bool is_other_flag(const struct golden_nic *g, const struct wanted *w, uint64_t address)
{
    return w->kind == WANT_WRITE && w->address == address && w->bytes == 4 &&
           w->data[0] >> 4 != 0 && g->operations[w->operation].is.kind == GN_GET &&
           g->transactions[w->transaction].doubtful;
}

/* A failed get's flag, or the part of it before a page's end: {0 24, status 4, 0001}; what is behind that end comes next. */
static bool is_failed_flag(const struct golden_nic *g, uint64_t address, const uint8_t *data,
                           unsigned bytes)
{
    bool zero = true;

    for (unsigned i = 1; i < bytes; i++) {
        zero = zero && data[i] == 0;
    }
    return zero && (bytes == 4 || (bytes < 4 && (address + bytes) % PAGE == 0)) &&
           (data[0] & 15) == 1 && (g->failures >> (data[0] >> 4) & 1) != 0;
}

static void await_rest_of_flag(struct node *n, uint64_t address, unsigned bytes)
{
    n->flag_rest = address + bytes;
    n->flag_rest_bytes = 4 - bytes;
}

static bool take_rest_of_flag(struct node *n, uint64_t address, const uint8_t *data, unsigned bytes)
{
    static const uint8_t zero[4];

    if (n->flag_rest_bytes == 0 || address != n->flag_rest || bytes != n->flag_rest_bytes ||
        memcmp(data, zero, bytes) != 0) {
        return false;
    }
    n->flag_rest_bytes = 0;
    return true;
}

/* The flag of a get of a doubtful transaction: it says why there are no data. */
static bool take_failed_flag(struct golden_nic *g, unsigned node, uint64_t address,
                             const uint8_t *data, unsigned bytes)
{
    bool flag = is_failed_flag(g, address, data, bytes);
    struct node *n = &g->node[node];

    for (size_t i = 0; flag && i < n->count; i++) {
        int index = n->wanted[i].operation;

        if (is_other_flag(g, &n->wanted[i], address)) {
            gn_forget(n, i);
            await_rest_of_flag(n, address, bytes);
            follow_write(g, index);
            return true;
        }
    }
    for (uint64_t i = 0; flag && i < g->count.operations; i++) {
        struct operation *o = &g->operations[i];
        const struct transaction *t = &g->transactions[o->transaction];

        if (o->is.kind == GN_GET && o->is.flagged && t->node == node && t->doubtful && !t->gone &&
            gn_reach_local(g, o).address + o->is.bytes == address) {
            o->is.flagged = false;
            await_rest_of_flag(n, address, bytes);
            return true;
        }
    }
    return false;
}

static bool take(struct golden_nic *g, unsigned node, enum wanted_kind kind, uint64_t address,
                 const uint8_t *data, unsigned bytes)
{
    struct node *n = &g->node[node];
    struct wanted *w = find(g, node, kind, address, data, bytes);

    if (w != NULL) {
        bytes = clip(w, address, bytes);
        w->seen |= bits_of(w, address, bytes);
        if (kind == WANT_READ) {
            memcpy(w->data + (address - w->address), data, bytes);
        }
        if (is_whole(w)) {
            struct wanted whole = *w;

            gn_forget(n, (size_t)(w - n->wanted));
            if (gn_is_target_flag(&whole)) {
                gn_follow_flag(g, whole.transaction);
                return true;
            }
            if (whole.channel != 0 || whole.message != 0) {
                gn_follow_send_read(g, node, &whole);
                return true;
            }
            if (whole.party != 0) {
                gn_follow_party(g, whole.party);
                return true;
            }
            if (kind == WANT_WRITE) {
                keep_order(g, whole.operation);
            }
            if (kind == WANT_READ) {
                gn_follow_read(g, whole.operation, whole.data);
            } else {
                follow_write(g, whole.operation);
            }
        }
        return true;
    }
    if (kind == WANT_WRITE ? gn_take_change(g, node, address, data, bytes) ||
                                 gn_take_buffer(g, node, address, data, bytes)
                           : gn_take_variable(g, node, address, data, bytes)) {
        return true;
    }
    if (kind == WANT_WRITE && (take_rest_of_flag(n, address, data, bytes) ||
                               take_failed_flag(g, node, address, data, bytes))) {
        return true;
    }
    if (kind == WANT_WRITE && gn_take_early(g, node, address, data, bytes)) {
        return take(g, node, kind, address, data, bytes);
    }
    g->count.unexplained++;
    gn_wrong(g, "node %u: %s of %u bytes at %llx is not wanted now", node,
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
