// SPDX-License-Identifier: Apache-2.0
/*
 * nic_target.c - the golden NIC: flag and event at the target of a whole transaction (design: transactions.md).
 */
#include "tb/golden/nic/nic_inside.h"

enum { SOURCE_TARGET = 7, FLAG_BYTES = 8 };

bool gn_is_target_event(const struct wanted *w)
{
    return w->kind == WANT_EVENT && w->operation < 0 && w->source == SOURCE_TARGET;
}

bool gn_is_target_flag(const struct wanted *w)
{
    return w->kind == WANT_WRITE && w->operation < 0 && w->party == 0;
}

void gn_spoil(struct transaction *t, enum gn_status status)
{
    t->statuses |= 1u << status;
    t->spoiled = true;
}

void gn_count_post(struct golden_nic *g, unsigned transaction, const struct gn_operation *o)
{
    struct transaction *t = &g->transactions[transaction];

    if (!t->counted || o->kind == GN_GET) {
        return;
    }
    if (t->to >= 0 && t->to != o->to) {
        t->scattered = true;
        gn_spoil(t, GN_SEQUENCE);
    }
    t->to = t->to < 0 ? o->to : t->to;
}

/* What END names at its target; without a flag nothing of the segment is touched, so bounds and place do not matter. */
static struct reached reach(const struct golden_nic *g, const struct transaction *t)
{
    const struct gn_wants *w = &t->wants;

    return gn_reach(&g->node[w->to], t->ptag, true, w->mdh, w->flag ? w->flag_offset : 0,
                    w->flag ? FLAG_BYTES : 0, RIGHT_WRITE);
}

static bool may_fail(const struct transaction *t)
{
    return t->doubtful || t->gone || t->statuses != 0;
}

static void tell_event(struct golden_nic *g, unsigned transaction)
{
    const struct transaction *t = &g->transactions[transaction];
    const struct gn_segment *s = reach(g, t).segment;
    const struct gn_ring *r = &g->node[t->wants.to].ring[s->queue];

    if (t->wants.target && r->enabled && r->ptag == s->ptag) {
        gn_want_event(g, (unsigned)t->wants.to, s->queue, SOURCE_TARGET, t->wants.target_event,
                      1u << GN_OK, transaction, -1);
        g->node[t->wants.to].wanted[g->node[t->wants.to].count - 1].optional = may_fail(t);
    }
}

static void want_flag(struct golden_nic *g, unsigned transaction)
{
    const struct transaction *t = &g->transactions[transaction];
    struct wanted *w = gn_want(g, (unsigned)t->wants.to);

    w->kind = WANT_WRITE;
    w->address = reach(g, t).address;
    w->bytes = FLAG_BYTES;
    for (unsigned i = 0; i < FLAG_BYTES; i++) {
        w->data[i] = (uint8_t)(t->wants.flag_value >> 8 * i);
    }
    w->transaction = transaction;
    w->optional = may_fail(t);
}

void gn_follow_flag(struct golden_nic *g, unsigned transaction)
{
    g->transactions[transaction].flag_seen = true;
    tell_event(g, transaction);
}

/* All is there and nothing speaks against it: flag and event may come, and must, if nothing can fail any more. */
static void tell_target(struct golden_nic *g, unsigned transaction)
{
    struct transaction *t = &g->transactions[transaction];
    bool wants = t->wants.target || t->wants.flag;

    if (!t->closed || !wants || t->told || t->there != 0 || t->spoiled) {
        return;
    }
    t->told = true;
    if (t->wants.flag) {
        want_flag(g, transaction);
    } else {
        tell_event(g, transaction);
    }
}

void gn_take_there(struct golden_nic *g, unsigned transaction)
{
    g->transactions[transaction].there--;
    tell_target(g, transaction);
}

/* Why END is refused at its target. */
static enum gn_status refusal(const struct golden_nic *g, const struct transaction *t)
{
    const struct gn_wants *w = &t->wants;
    struct reached there = reach(g, t);

    if (there.status == GN_VMDH || there.status == GN_MDD) {
        return there.status;
    }
    if (there.segment->ptag != t->ptag) {
        return GN_PROTECTION;
    }
    if (w->flag && there.status == GN_BOUNDS) {
        return GN_BOUNDS;
    }
    if ((w->target && !there.segment->event) || (w->flag && there.status == GN_PROTECTION)) {
        return GN_PROTECTION;
    }
    if (!w->flag) {
        return GN_OK;
    }
    return there.address % FLAG_BYTES != 0 ? GN_BAD_COMMAND : there.status;
}

void gn_close_there(struct golden_nic *g, unsigned transaction)
{
    struct transaction *t = &g->transactions[transaction];
    const struct gn_wants *w = &t->wants;
    enum gn_status refused;

    bool wants = w->target || w->flag;

    if (wants && !t->counted) {
        gn_spoil(t, GN_SEQUENCE);
    } else if (wants && w->to < 0) {
        gn_spoil(t, GN_UNREACHABLE);
    } else if (wants) {
        t->doubtful |= g->doubt[t->node][w->to];
        refused = t->to >= 0 && t->to != w->to ? GN_SEQUENCE : refusal(g, t);
        if (refused != GN_OK) {
            gn_spoil(t, refused);
        }
        tell_target(g, transaction);
    }
}

/* Sets whether flag and event at the target may be missing, if they are wanted. */
static void set_optional(struct golden_nic *g, unsigned transaction, bool optional)
{
    const struct transaction *t = &g->transactions[transaction];
    struct node *n = t->told ? &g->node[t->wants.to] : NULL;

    for (size_t i = 0; n != NULL && i < n->count; i++) {
        bool there = gn_is_target_event(&n->wanted[i]) || gn_is_target_flag(&n->wanted[i]);

        if (there && n->wanted[i].transaction == transaction) {
            n->wanted[i].optional = optional;
        }
    }
}

void gn_excuse_there(struct golden_nic *g, unsigned transaction)
{
    set_optional(g, transaction, true);
}

void gn_confirm_there(struct golden_nic *g, unsigned transaction, unsigned status)
{
    const struct transaction *t = &g->transactions[transaction];

    if (status == GN_OK && !g->parts) {
        set_optional(g, transaction, false);
        if (t->wants.flag && !t->flag_seen) {
            g->count.unexplained++;
            gn_wrong(g, "transaction %u has ended with OK before its flag is written", transaction);
        }
    }
}
