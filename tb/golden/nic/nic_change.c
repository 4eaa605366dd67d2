// SPDX-License-Identifier: Apache-2.0
/*
 * nic_change.c - the golden NIC: atomic operations and the variables that they change.
 *
 * A variable is known from when memory read it for somebody, or took a change of it. Whose change a write is follows from
 * the value: it is what one of the operations that wait makes of the one before. Where changes may be kept back it is what several of them
 make of it, one after the other: the fewest that can be found, and a read of memory before such a write is wrong.
 */
#include <stdlib.h>

#include "tb/golden/nic/nic_inside.h"

static uint64_t value_of(const uint8_t *data, unsigned bytes)
{
    uint64_t value = 0;

    for (unsigned i = bytes; i-- > 0;) {
        value = value << 8 | data[i];
    }
    return value;
}

static struct variable *find_variable(struct node *n, uint64_t address, unsigned bytes)
{
    for (size_t i = 0; i < n->variables; i++) {
        if (n->variable[i].address == address && n->variable[i].bytes == bytes) {
            return &n->variable[i];
        }
    }
    return NULL;
}

static void learn(struct node *n, uint64_t address, unsigned bytes, uint64_t value)
{
    struct variable *v = find_variable(n, address, bytes);

    if (v == NULL) {
        if (n->variables == n->variable_room) {
            n->variable_room = n->variable_room == 0 ? 64 : 2 * n->variable_room;
            n->variable = gn_checked(realloc(n->variable, n->variable_room * sizeof(*n->variable)));
        }
        v = &n->variable[n->variables++];
        *v = (struct variable){.address = address, .bytes = bytes};
    }
    v->value = value;
}

void gn_post_change(struct golden_nic *g, int index)
{
    struct operation *o = &g->operations[index];
    struct transaction *t = &g->transactions[o->transaction];
    struct reached there = gn_reach(&g->node[o->is.to], t->ptag, true, o->is.mdh, o->is.offset,
                                    o->is.bytes, RIGHT_ATOMIC);
    struct wanted *w;

    if (there.status != GN_OK) {
        gn_spoil(t, there.status);
        if (o->is.fetch && o->is.flagged) {
            t->left++;
            gn_want_flag(g, index, there.status);
        }
        return;
    }
    o->late = g->node[o->is.to].lazy && gn_amo_of(o->is.opcode, o->is.fetch).cached;
    o->brings = o->is.fetch;
    if (o->late && o->is.fetch && gn_reach_local(g, o).status != GN_OK) {
        t->statuses |= 1u << gn_reach_local(g, o).status;
        gn_excuse_there(g, o->transaction);
        o->brings = false;
    }
    t->left += o->brings || !o->late;
    t->there += !o->late;
    w = gn_want(g, (unsigned)o->is.to);
    w->kind = WANT_CHANGE;
    w->address = there.address;
    w->bytes = o->is.bytes;
    w->operation = index;
    w->transaction = o->transaction;
}

/* A change is seen: what may follow it. */
static void follow_change(struct golden_nic *g, int index, uint64_t old)
{
    const struct operation *o = &g->operations[index];
    uint8_t bytes[8];

    for (unsigned i = 0; i < 8; i++) {
        bytes[i] = (uint8_t)(old >> (8 * i));
    }
    if (!o->late) {
        gn_take_there(g, o->transaction);
    }
    if (o->brings) {
        gn_follow_read(g, index, bytes);
    } else if (!o->late) {
        g->transactions[o->transaction].left--;
        gn_settle(g, o->transaction);
    }
}

static bool makes(const struct golden_nic *g, const struct node *n, const struct wanted *w,
                  uint64_t old, uint64_t new)
{
    const struct gn_operation *o = &g->operations[w->operation].is;

    return gn_amo_apply(o->opcode, n->rounding, old, o->a, o->b) == new;
}

/* ---- changes that are kept back ---------------------------------------------------------------------- */

enum { STEPS = 12 }; /* operations that are known of by one value, at most */

/* What is looked for: operations that make a value, one after the other; the last may be one that is never kept back. */
struct search {
    const struct golden_nic *g;
    const struct node *n;
    const struct variable *v;
    uint64_t goal, mask;
    int last; /* an operation that must not be among them, or -1 */
    int steps[STEPS];
    unsigned depth;
};

static bool is_goal(const struct search *s, uint64_t value)
{
    return ((value ^ s->goal) & s->mask) == 0;
}

static bool is_taken(const struct search *s, unsigned at, int operation)
{
    bool taken = operation == s->last;

    for (unsigned i = 0; i < at; i++) {
        taken = taken || s->steps[i] == operation;
    }
    return taken;
}

/* Steps from `at` on that lead from a value to the goal, with exactly `depth` of them. */
static bool reaches(struct search *s, unsigned at, uint64_t value)
{
    if (at == s->depth) {
        return is_goal(s, value);
    }
    for (size_t i = 0; i < s->n->count; i++) {
        const struct wanted *w = &s->n->wanted[i];

        if (w->kind != WANT_CHANGE || w->address != s->v->address || w->bytes != s->v->bytes ||
            is_taken(s, at, w->operation)) {
            continue;
        }
        const struct gn_operation *o = &s->g->operations[w->operation].is;
        bool ends = s->last < 0 && at + 1 == s->depth; /* its write is what was seen */

        if (s->g->operations[w->operation].late || ends) {
            s->steps[at] = w->operation;
            if (reaches(s, at + 1, gn_amo_apply(o->opcode, s->n->rounding, value, o->a, o->b))) {
                return true;
            }
        }
    }
    return false;
}

static bool search(struct search *s)
{
    uint64_t from = s->v->behinds != 0 ? s->v->behind[s->v->behinds - 1] : s->v->value;

    for (s->depth = s->last < 0; s->depth <= STEPS; s->depth++) {
        size_t waiting = 0;

        if (reaches(s, 0, from)) {
            return true;
        }
        for (size_t i = 0; i < s->n->count; i++) {
            waiting +=
                s->n->wanted[i].kind == WANT_CHANGE && s->n->wanted[i].address == s->v->address;
        }
        if (waiting <= s->depth) {
            return false;
        }
    }
    return false;
}

/* An operation is known to have been done: what may follow it. */
static void know(struct golden_nic *g, struct node *n, struct variable *v, int operation)
{
    const struct gn_operation *o = &g->operations[operation].is;
    uint64_t old = v->behinds != 0 ? v->behind[v->behinds - 1] : v->value;
    size_t i = 0;

    while (n->wanted[i].kind != WANT_CHANGE || n->wanted[i].operation != operation) {
        i++;
    }
    gn_forget(n, i);
    v->behind = gn_checked(realloc(v->behind, (v->behinds + 1) * sizeof(*v->behind)));
    v->behind[v->behinds++] = gn_amo_apply(o->opcode, n->rounding, old, o->a, o->b);
    follow_change(g, operation, old);
}

static void know_steps(struct golden_nic *g, struct node *n, struct variable *v,
                       const struct search *s)
{
    for (unsigned i = 0; i < s->depth; i++) {
        know(g, n, v, s->steps[i]);
    }
}

/* A write of what is known already, or of what more operations make of that. */
static bool take_late(struct golden_nic *g, struct node *n, struct variable *v, uint64_t new)
{
    struct search s = {.g = g, .n = n, .v = v, .goal = new, .mask = ~(uint64_t)0, .last = -1};
    size_t known = 0;

    while (known < v->behinds && v->behind[known] != new) {
        known++;
    }
    if (known == v->behinds) {
        if (!search(&s)) {
            return false;
        }
        know_steps(g, n, v, &s);
        known = v->behinds - 1;
    }
    v->value = new;
    v->behinds -= known + 1;
    for (size_t i = 0; i < v->behinds; i++) {
        v->behind[i] = v->behind[known + 1 + i];
    }
    return true;
}

/* The old value that an operation fetches, or a part of it, before its change is in memory. */
static bool is_early(struct golden_nic *g, int index, uint64_t address, const uint8_t *data,
                     unsigned bytes)
{
    const struct operation *o = &g->operations[index];
    struct node *n = &g->node[o->is.to];
    struct reached there = gn_reach(n, g->transactions[o->transaction].ptag, true, o->is.mdh,
                                    o->is.offset, o->is.bytes, RIGHT_ATOMIC);
    struct reached here = gn_reach_local(g, o);
    struct variable *v = find_variable(n, there.address, o->is.bytes);
    uint64_t at = 8 * (address - here.address);

    if (v == NULL || address < here.address || address + bytes > here.address + o->is.bytes) {
        return false;
    }
    struct search s = {.g = g,
                       .n = n,
                       .v = v,
                       .goal = value_of(data, bytes) << at,
                       .mask = (~(uint64_t)0 >> (64 - 8 * bytes)) << at,
                       .last = index};

    if (!search(&s)) {
        return false;
    }
    know_steps(g, n, v, &s);
    know(g, n, v, index);
    return true;
}

bool gn_take_early(struct golden_nic *g, unsigned node, uint64_t address, const uint8_t *data,
                   unsigned bytes)
{
    for (unsigned to = 0; to < g->nodes; to++) {
        struct node *n = &g->node[to];

        for (size_t i = 0; n->lazy && i < n->count; i++) {
            int index = n->wanted[i].operation;

            if (n->wanted[i].kind == WANT_CHANGE && g->operations[index].brings &&
                g->operations[index].late &&
                g->transactions[n->wanted[i].transaction].node == node &&
                is_early(g, index, address, data, bytes)) {
                return true;
            }
        }
    }
    return false;
}

/* ---- accesses ---------------------------------------------------------------------------------------- */

bool gn_take_change(struct golden_nic *g, unsigned node, uint64_t address, const uint8_t *data,
                    unsigned bytes)
{
    struct node *n = &g->node[node];
    struct variable *v = find_variable(n, address, bytes);
    uint64_t new = value_of(data, bytes > 8 ? 8 : bytes);

    if (v != NULL && n->lazy) {
        return take_late(g, n, v, new);
    }
    for (int optional = 0; v != NULL && optional < 2; optional++) {
        for (size_t i = 0; i < n->count; i++) {
            const struct wanted *w = &n->wanted[i];
            int index = w->operation;
            uint64_t old = v->value;

            if (w->kind == WANT_CHANGE && w->optional == optional && w->address == address &&
                w->bytes == bytes && makes(g, n, w, old, new)) {
                gn_forget(n, i);
                v->value = new;
                follow_change(g, index, old);
                return true;
            }
        }
    }
    return false;
}

bool gn_take_variable(struct golden_nic *g, unsigned node, uint64_t address, const uint8_t *data,
                      unsigned bytes)
{
    struct node *n = &g->node[node];

    for (size_t i = 0; i < n->count; i++) {
        const struct wanted *w = &n->wanted[i];

        if (w->kind == WANT_CHANGE && w->address == address && bytes >= w->bytes) {
            const struct variable *v = find_variable(n, address, w->bytes);

            if (v != NULL && v->behinds != 0) {
                return false;
            }
            learn(n, address, w->bytes, value_of(data, w->bytes));
            return true;
        }
    }
    return false;
}
