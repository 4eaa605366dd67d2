// SPDX-License-Identifier: Apache-2.0
/*
 * exec_join.c - states, the edges on which they go from block to block, and what they are together where edges meet.
 */
#include "exec/exec.h"

#include <assert.h>
#include <string.h>

#define SLOTS_AT_ONCE 64

/* ---- states --------------------------------------------------------------------------------------------- */

struct state *state_copy(const struct state *old)
{
    struct state *s = resized(NULL, sizeof *s);
    *s = (struct state){.refs = 1, .n = old->n, .room = old->n + 16};
    s->slot = resized(NULL, s->room * sizeof *s->slot);
    if (old->n)
        memcpy(s->slot, old->slot, old->n * sizeof *s->slot);
    return s;
}

unsigned exec_slots(struct exec *x, unsigned n)
{
    struct state *s = x->state;
    unsigned first = s->n;
    if (n == 0)
        return first;
    if (s->n + n > s->room) {
        s->room = 2 * (s->n + n);
        s->slot = resized(s->slot, s->room * sizeof *s->slot);
    }
    memset(s->slot + first, 0, n * sizeof *s->slot);
    s->n += n;
    return first;
}

void state_drop(struct state *s)
{
    if (--s->refs == 0) {
        freed(s->slot);
        freed(s);
    }
}

/* ---- edges and joins -------------------------------------------------------------------------------------- */

static struct value **phi_values(struct exec *x, LLVMBasicBlockRef to, LLVMBasicBlockRef from)
{
    struct value **list = NULL;
    unsigned n = 0;
    for (LLVMValueRef i = LLVMGetFirstInstruction(to); i && LLVMGetInstructionOpcode(i) == LLVMPHI;
         i = LLVMGetNextInstruction(i))
        for (unsigned k = 0; k < LLVMCountIncoming(i); k++)
            if (LLVMGetIncomingBlock(i, k) == from) {
                PUSH_SCRATCH(list, n, exec_value(x, LLVMGetIncomingValue(i, k)));
                break;
            }
    return list;
}

struct edge *exec_edge(struct exec *x, unsigned from, LLVMBasicBlockRef to, struct path path)
{
    if (path_is_never(path))
        return NULL;
    struct frame *f = x->frame;
    unsigned block = exec_number(f->code, to);
    struct edge *last = f->edges[block];
    if (block < f->first)
        f->first = block;
    struct edge *e = scratch(sizeof *e);
    *e = (struct edge){.path = path,
                       .state = x->state,
                       .from = from,
                       .phi = phi_values(x, to, f->code->block[from]),
                       .next = e};
    x->state->refs++;
    if (last) {
        e->next = last->next;
        last->next = e;
    }
    f->edges[block] = e;
    return e;
}

void edges_drop(struct frame *f)
{
    for (unsigned b = 0; b < f->code->n_blocks; b++) {
        struct edge *last = f->edges[b];
        for (struct edge *e = last ? last->next : NULL; e; e = e == last ? NULL : e->next)
            state_drop(e->state);
        f->edges[b] = NULL;
    }
    for (; f->returned; f->returned = f->returned->next)
        state_drop(f->returned->state);
}

static bool same_pointer(const struct pointer *a, const struct pointer *b)
{
    if (a->obj != b->obj || a->offset != b->offset || a->low != b->low || a->n_terms != b->n_terms)
        return false;
    for (unsigned i = 0; i < a->n_terms; i++)
        if (a->term[i].index != b->term[i].index || a->term[i].stride != b->term[i].stride)
            return false;
    return true;
}

static struct value *choose(struct exec *x, struct node *sel, struct value *a, struct value *b)
{
    if (a == b)
        return a;
    if (!a || !b) {
        struct value *set = a ? a : b;
        if (set->kind != VALUE_NODE)
            return set; /* a pointer or list set on one side only: the other cannot use it */
        struct node *other = mk_undef(x->g, set->node->width);
        other->name = set->node->name ? set->node->name : set->node->hint;
        if (x->merging && x->merging->loc.line) {
            other->name = x->merging->name;
            other->loc = x->merging->loc;
        }
        a = a ? a : value_node(other);
        b = b ? b : value_node(other);
    }
    if (a->kind == VALUE_NODE && b->kind == VALUE_NODE)
        return a->node == b->node ? a : value_node(mk_mux(x->g, sel, a->node, b->node));
    if (a->kind == VALUE_POINTER && b->kind == VALUE_POINTER && same_pointer(&a->ptr, &b->ptr))
        return a;
    if (a->kind == VALUE_LIST && b->kind == VALUE_LIST && a->n_list == b->n_list) {
        struct value *v = scratch(sizeof *v);
        *v = *a;
        v->list = scratch(a->n_list * sizeof *v->list);
        for (unsigned i = 0; i < a->n_list; i++)
            v->list[i] = choose(x, sel, a->list[i], b->list[i]);
        return v;
    }
    return value_bad("a pointer that depends on a condition");
}

/* From the last one on: where branches lie in each other it is the innermost, and they grow outwards. */
struct node **edge_selects(struct exec *x, struct edge **edge, unsigned n, struct path *all)
{
    struct node **select = scratch(n * sizeof *select);
    const bool group = x->frame->rank;
    *all = edge[n - 1]->path;
    for (unsigned i = n - 1; i-- > 0;) {
        *all = (group ? path_or_bit : path_or)(x->bdds, *all, edge[i]->path);
        select[i] = (group ? path_select_bit : path_select)(x->bdds, edge[i]->path, *all);
    }
    return select;
}

struct value *merged_value(struct exec *x, struct value **v, unsigned n, struct node **select)
{
    struct value *all = v[n - 1];
    for (unsigned i = n - 1; i-- > 0;)
        all = choose(x, select[i], v[i], all);
    return all;
}

/* What state slot k is after a join. */
static struct value *merged_slot(struct exec *x, unsigned k, struct value **v, unsigned n,
                                 struct node **select)
{
    const struct object *o = k < x->module->self.n ? x->self : x->owner[k];
    x->merging = o == x->self ? NULL : x->owner[k];
    struct value *all = merged_value(x, v, n, select);
    x->merging = NULL;
    if (all && all->kind == VALUE_NODE)
        value_hint(all->node, o, k - o->slot);
    return all;
}

/* Most of a large state is the same on all edges: looked at a piece at a time. */
static bool same_slots(struct edge *const *edge, unsigned n, unsigned from, unsigned n_slots)
{
    if (from % SLOTS_AT_ONCE || n_slots - from < SLOTS_AT_ONCE)
        return false;
    for (unsigned i = 1; i < n; i++)
        if (memcmp(edge[i]->state->slot + from, edge[0]->state->slot + from,
                   SLOTS_AT_ONCE * sizeof *edge[0]->state->slot) != 0)
            return false;
    return true;
}

/* What the states of n edges are together; the edges let go of theirs. A state that nobody else looks at goes on
 * without a copy. */
static struct state *merged_states(struct exec *x, struct edge **edge, unsigned n,
                                   struct node **select)
{
    struct state *s = edge[0]->state;
    if (n == 1 && s->refs == 1 + (unsigned)(s == x->state))
        return s;
    s = state_copy(s);
    struct value **v = scratch(n * sizeof *v);
    for (unsigned k = 0; n > 1 && k < s->n; k++) {
        if (same_slots(edge, n, k, s->n)) {
            k += SLOTS_AT_ONCE - 1;
            continue;
        }
        bool differ = false;
        for (unsigned i = 0; i < n; i++) {
            v[i] = edge[i]->state->slot[k];
            differ |= v[i] != v[0];
        }
        if (differ)
            s->slot[k] = merged_slot(x, k, v, n, select);
    }
    for (unsigned i = 0; i < n; i++)
        state_drop(edge[i]->state);
    return s;
}

void go_on_with(struct exec *x, struct edge **edge, unsigned n, struct node **select)
{
    struct state *s = merged_states(x, edge, n, select);
    if (x->state)
        state_drop(x->state); /* NOLINT(clang-analyzer-unix.Malloc): references are counted */
    x->state = s;
}

void exec_join(struct exec *x, unsigned b)
{
    struct frame *f = x->frame;
    struct edge **edge = NULL, *last = f->edges[b], *e = last;
    unsigned n = 0;
    for (unsigned otherwise = 0; otherwise < 2; otherwise++) /* what no case takes comes last */
        do {
            e = e->next;
            if (e->otherwise == otherwise)
                PUSH_SCRATCH(edge, n, e);
        } while (e != last);
    assert(edge);
    f->edges[b] = NULL;
    bool again = false; /* reached by going round a loop, not only from outside it */
    for (unsigned i = 0; i < n; i++)
        again |= edge[i]->from >= b;
    f->rounds[b] = again ? f->rounds[b] + 1 : 0;
    f->guesses[b] = again ? f->guesses[b] + 1 : 0;
    f->code->rounds[b] += f->code->last[b] > 0;

    x->g->here = exec_loc(LLVMGetBasicBlockTerminator(f->code->block[edge[0]->from]), x->loc);
    x->g->here.in = f->in;
    struct node **select = edge_selects(x, edge, n, &x->path);
    x->path = path_settle(x->bdds, x->path);
    go_on_with(x, edge, n, select);

    struct value **v = scratch(n * sizeof *v);
    unsigned p = 0;
    for (LLVMValueRef i = LLVMGetFirstInstruction(f->code->block[b]);
         i && LLVMGetInstructionOpcode(i) == LLVMPHI; i = LLVMGetNextInstruction(i), p++) {
        for (unsigned k = 0; k < n; k++) {
            assert(edge[k]->phi); /* a function's entry has no phi */
            v[k] = edge[k]->phi[p];
        }
        f->value[exec_number(f->code, i)] = merged_value(x, v, n, select);
    }
}
