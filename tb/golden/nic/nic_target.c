// SPDX-License-Identifier: Apache-2.0
/*
 * nic_target.c - the golden NIC: one event at the target of a whole transaction (design: transactions.md).
 */
#include "tb/golden/nic/nic_inside.h"

enum { SOURCE_TARGET = 7 };

bool gn_is_target_event(const struct wanted *w)
{
    return w->kind == WANT_EVENT && w->operation < 0 && w->source == SOURCE_TARGET;
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

/* All is there and nothing speaks against it: the event may come, and must, if nothing can fail any more. */
static void tell_target(struct golden_nic *g, unsigned transaction)
{
    struct transaction *t = &g->transactions[transaction];
    struct reached there;

    if (!t->closed || !t->wants.target || t->told || t->there != 0 || t->spoiled) {
        return;
    }
    t->told = true;
    there = gn_reach(&g->node[t->wants.to], t->ptag, true, t->wants.mdh, 0, 0, RIGHT_WRITE);
    const struct gn_ring *r = &g->node[t->wants.to].ring[there.segment->queue];

    if (r->enabled && r->ptag == there.segment->ptag) {
        bool may_fail = t->doubtful || t->gone || t->statuses != 0;

        gn_want_event(g, (unsigned)t->wants.to, there.segment->queue, SOURCE_TARGET,
                      t->wants.target_event, 1u << GN_OK, transaction, -1);
        g->node[t->wants.to].wanted[g->node[t->wants.to].count - 1].optional = may_fail;
    }
}

void gn_take_there(struct golden_nic *g, unsigned transaction)
{
    g->transactions[transaction].there--;
    tell_target(g, transaction);
}

/* Why END is refused at its target: nothing of its segment is touched, so bounds and place do not matter. */
static enum gn_status refusal(const struct golden_nic *g, const struct transaction *t)
{
    struct reached there =
        gn_reach(&g->node[t->wants.to], t->ptag, true, t->wants.mdh, 0, 0, RIGHT_WRITE);

    if (there.status == GN_VMDH || there.status == GN_MDD) {
        return there.status;
    }
    return there.segment->ptag != t->ptag || !there.segment->event ? GN_PROTECTION : GN_OK;
}

void gn_close_there(struct golden_nic *g, unsigned transaction)
{
    struct transaction *t = &g->transactions[transaction];
    const struct gn_wants *w = &t->wants;
    enum gn_status refused;

    if (w->flag || (w->target && !t->counted)) {
        gn_spoil(t, GN_SEQUENCE);
    } else if (w->target && w->to < 0) {
        gn_spoil(t, GN_UNREACHABLE);
    } else if (w->target) {
        t->doubtful |= g->doubt[t->node][w->to];
        refused = t->to >= 0 && t->to != w->to ? GN_SEQUENCE : refusal(g, t);
        if (refused != GN_OK) {
            gn_spoil(t, refused);
        }
        tell_target(g, transaction);
    }
}

/* Sets whether the event at the target may be missing, if it is wanted. */
static void set_optional(struct golden_nic *g, unsigned transaction, bool optional)
{
    const struct transaction *t = &g->transactions[transaction];
    struct node *n = t->told ? &g->node[t->wants.to] : NULL;

    for (size_t i = 0; n != NULL && i < n->count; i++) {
        if (gn_is_target_event(&n->wanted[i]) && n->wanted[i].transaction == transaction) {
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
    if (status == GN_OK && !g->parts) {
        set_optional(g, transaction, false);
    }
}
