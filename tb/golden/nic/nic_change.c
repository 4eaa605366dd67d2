// SPDX-License-Identifier: Apache-2.0
/*
 * nic_change.c - the golden NIC: atomic operations and the variables that they change.
 *
 * A variable is known from when memory read it for somebody, or took a change of it. Whose change a write is follows from
 * the value: it is what one of the operations that wait makes of the one before.
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
    t->left++;
    t->there++;
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
    gn_take_there(g, o->transaction);
    if (o->is.fetch) {
        gn_follow_read(g, index, bytes);
    } else {
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

bool gn_take_change(struct golden_nic *g, unsigned node, uint64_t address, const uint8_t *data,
                    unsigned bytes)
{
    struct node *n = &g->node[node];
    struct variable *v = find_variable(n, address, bytes);
    uint64_t new = value_of(data, bytes > 8 ? 8 : bytes);

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
            learn(n, address, w->bytes, value_of(data, w->bytes));
            return true;
        }
    }
    return false;
}
