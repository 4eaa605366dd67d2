// SPDX-License-Identifier: Apache-2.0
/*
 * exec.c - control flow of the symbolic execution: blocks, edges, joins, loops, helper calls.
 *
 * Of all blocks with pending edges the first in clang's order runs next, except that a loop's
 * header waits until every block of the running iteration is done. A join merges every value that
 * differs by multiplexers whose selects are the edges' path conditions, reduced by what the
 * join itself implies.
 */
#include "exec/exec.h"
#include "base/budget.h"

#include <assert.h>
#include <llvm-c/DebugInfo.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Iterations of one loop before it counts as unbounded: counted, and with only guesses at its end. */
#define MOST_ROUNDS  4096
#define MOST_GUESSES 600

/* Of the calls around an error. */
#define MOST_NOTES 12

/* Functions called within each other. */
#define MOST_CALLS 256

#define SLOTS_AT_ONCE 64

/* ---- values --------------------------------------------------------------------------------------- */

struct value *value_node(struct node *n)
{
    struct value *v = scratch(sizeof *v);
    v->kind = VALUE_NODE;
    v->node = n;
    return v;
}

struct value *value_pointer(struct pointer p)
{
    struct value *v = scratch(sizeof *v);
    v->kind = VALUE_POINTER;
    v->ptr = p;
    return v;
}

struct value *value_bad(const char *why)
{
    struct value *v = scratch(sizeof *v);
    v->kind = VALUE_BAD;
    v->why = why;
    return v;
}

static void hint_parts(struct node *n, const char *name, const char *scope)
{
    if (n->n_args == 0 || n->op == OP_MEMREAD || n->op == OP_SLICE || n->name || n->hint)
        return;
    n->hint = name;
    n->scope = scope;
    for (unsigned i = 0; n->op == OP_CONCAT && i < n->n_args; i++)
        hint_parts(n->args[i], name, scope);
}

void value_hint(struct node *n, const struct object *o, unsigned leaf)
{
    if (o->kind == OBJECT_SELF)
        hint_parts(n, o->layout.leaf[leaf].name, NULL);
    else if (o->kind == OBJECT_LOCAL && o->declared)
        hint_parts(n, o->name, o->scope);
}

/* ---- names ------------------------------------------------------------------------------------------ */

const char *exec_name(struct exec *x, const char *name, size_t length)
{
    char *copy = memcpy(scratch(length + 1), name, length);
    char *known = names_find(&x->names, copy);
    if (!known) {
        known = format("%s", copy);
        names_set(&x->names, known, known);
    }
    return known;
}

/* ---- places in the source, errors, checks ------------------------------------------------------------ */

struct loc exec_loc(LLVMValueRef inst, struct loc otherwise)
{
    unsigned line = LLVMGetDebugLocLine(inst), length = 0;
    if (!line)
        return otherwise;
    const char *file = LLVMGetDebugLocFilename(inst, &length);
    static char *last; /* most instructions share their file with the one before */
    if (!last || strlen(last) != length || memcmp(last, file, length))
        last = format("%.*s", (int)length, file);
    return (struct loc){.file = last, .line = line, .col = LLVMGetDebugLocColumn(inst)};
}

void exec_error(struct exec *x, const char *advice, const char *fmt, ...)
{
    char text[512];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    if (x->failed) /* one error per module: what follows would mostly be its consequence */
        return;
    x->failed = true;
    if (x->quiet)
        return;
    diag_error(x->loc, advice, "%s", text);
    unsigned notes = 0;
    for (struct frame *f = x->frame; f && f->up && notes < MOST_NOTES; f = f->up, notes++)
        diag_note(f->call_loc, "called from here");
}

struct node *exec_path(struct exec *x)
{
    return path_node(x->bdds, x->path);
}

void exec_check(struct exec *x, enum check_kind kind, struct node *ok, const char *text,
                bool implied)
{
    struct node *path = exec_path(x);
    struct node *cond =
        kind == CHECK_COVER ? mk_and(x->g, path, ok) : mk_or(x->g, mk_not(x->g, path), ok);
    if (implied && is_ones(cond))
        return;
    struct module *m = x->module;
    while (x->n_checked <= cond->id)
        PUSH_SCRATCH(x->checked, x->n_checked, false);
    if (implied && x->checked[cond->id])
        return;
    if (implied && is_zero(cond))
        exec_error(x, "what C leaves undefined has no hardware",
                   x->in_reset ? "false in reset: %s" : "false at every clock: %s", text);
    if (x->failed || x->in_reset)
        return;
    x->checked[cond->id] = true;
    PUSH(m->check, m->n_check, (struct check){kind, cond, text, implied, x->loc});
}

void exec_imply(struct exec *x, struct node *ok, const char *text)
{
    exec_check(x, CHECK_ASSERT, ok, text, true);
}

/* ---- states --------------------------------------------------------------------------------------------- */

static struct state *state_copy(const struct state *old)
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

static void state_drop(struct state *s)
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

static struct edge *add_edge(struct exec *x, unsigned from, LLVMBasicBlockRef to, struct path path)
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

/*
 * Select of edge i among edges i.. (the ones before are already ruled out), and the path of all together. From the
 * last one on: where branches lie in each other it is the innermost, and they grow outwards.
 */
static struct node **selects(struct exec *x, struct edge **edge, unsigned n, struct path *all)
{
    struct node **select = scratch(n * sizeof *select);
    *all = edge[n - 1]->path;
    for (unsigned i = n - 1; i-- > 0;) {
        *all = path_or(x->bdds, *all, edge[i]->path);
        select[i] = path_select(x->bdds, edge[i]->path, *all);
    }
    return select;
}

static struct value *merged(struct exec *x, struct value **v, unsigned n, struct node **select)
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
    struct value *all = merged(x, v, n, select);
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

/* The state at n edges, merged, is the running one. */
static void go_on_with(struct exec *x, struct edge **edge, unsigned n, struct node **select)
{
    struct state *s = merged_states(x, edge, n, select);
    if (x->state)
        state_drop(x->state); /* NOLINT(clang-analyzer-unix.Malloc): references are counted */
    x->state = s;
}

/* Make the pending edges of block b the running state and path. */
static void join(struct exec *x, unsigned b)
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
    x->g->here.in = f->name;
    struct node **select = selects(x, edge, n, &x->path);
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
        f->value[exec_number(f->code, i)] = merged(x, v, n, select);
    }
}

/* ---- running a block ---------------------------------------------------------------------------------------- */

/* A constant condition that may leave a loop: this round of the loop is no guess. */
static void decided(struct exec *x, unsigned b, LLVMValueRef inst)
{
    struct frame *f = x->frame;
    const struct code *code = f->code;
    unsigned first = exec_number(code, LLVMGetSuccessor(inst, 0));
    unsigned second = exec_number(code, LLVMGetSuccessor(inst, 1));
    for (int h = code->loop[b]; h >= 0; h = h ? code->loop[h - 1] : -1) {
        unsigned from = (unsigned)h, end = code->last[h];
        if (b < end && (first < from || first >= end || second < from || second >= end))
            f->guesses[h] = 0;
    }
}

static void branch(struct exec *x, unsigned b, LLVMValueRef inst)
{
    if (!LLVMIsConditional(inst)) {
        add_edge(x, b, LLVMGetSuccessor(inst, 0), x->path);
        return;
    }
    struct node *on = exec_node(x, LLVMGetCondition(inst));
    if (ub_trap(x, LLVMGetSuccessor(inst, 1), on)) {
        add_edge(x, b, LLVMGetSuccessor(inst, 0), x->path);
        return;
    }
    on = exec_settled(x, b, on);
    if (is_const(on))
        decided(x, b, inst);
    bdd c = bdd_of(x->bdds, on);
    add_edge(x, b, LLVMGetSuccessor(inst, 0), path_and(x->bdds, x->path, c));
    add_edge(x, b, LLVMGetSuccessor(inst, 1), path_and(x->bdds, x->path, bdd_not(x->bdds, c)));
}

/*
 * Cases one after another, so that "any of them or none" is exactly "always". Their paths are relative to here, where
 * nothing but the case matters.
 */
static void switch_on(struct exec *x, unsigned b, LLVMValueRef inst)
{
    struct node *on = exec_node(x, LLVMGetOperand(inst, 0));
    struct path rest = path_open(x->path);
    for (unsigned i = 1; i < LLVMGetNumSuccessors(inst); i++) {
        struct node *k = const_node(x, LLVMGetOperand(inst, 2 * i));
        bdd hit = bdd_of(x->bdds, mk_eq(x->g, on, k));
        add_edge(x, b, LLVMGetSuccessor(inst, i), path_and(x->bdds, rest, hit));
        rest = path_settle(x->bdds, path_and(x->bdds, rest, bdd_not(x->bdds, hit)));
    }
    struct edge *otherwise = add_edge(x, b, LLVMGetSwitchDefaultDest(inst), rest);
    if (otherwise)
        otherwise->otherwise = true;
}

static void leave(struct exec *x, LLVMValueRef inst)
{
    struct edge *e = scratch(sizeof *e);
    struct value **result = scratch(sizeof *result);
    if (LLVMGetNumOperands(inst))
        result[0] = exec_value(x, LLVMGetOperand(inst, 0));
    *e = (struct edge){
        .path = x->path, .state = x->state, .phi = result, .next = x->frame->returned};
    x->state->refs++;
    x->frame->returned = e;
}

static void run_block(struct exec *x, unsigned b)
{
    struct frame *f = x->frame;
    for (LLVMValueRef i = LLVMGetFirstInstruction(f->code->block[b]); i && !x->failed;
         i = LLVMGetNextInstruction(i)) {
        x->loc = exec_loc(i, x->loc);
        x->loc.in = f->name;
        x->g->here = x->loc;
        budget_steps(++x->steps);
        switch (LLVMGetInstructionOpcode(i)) {
        case LLVMPHI:
            break; /* done by join */
        case LLVMBr:
            branch(x, b, i);
            break;
        case LLVMSwitch:
            switch_on(x, b, i);
            break;
        case LLVMRet:
            leave(x, i);
            break;
        case LLVMUnreachable:
            exec_imply(x, mk_const(x->g, 1, 0), "the end of a function that returns a value");
            break;
        default:
            f->value[exec_number(f->code, i)] = exec_instruction(x, i);
        }
    }
}

/* ---- functions ------------------------------------------------------------------------------------------------- */

/* The block to run next: see the top of the file. n_blocks when none is pending. */
static unsigned next_block(struct frame *f)
{
    unsigned n = f->code->n_blocks, b = f->first;
    while (b < n && !f->edges[b])
        b++;
    f->first = b;
    while (b < n && f->code->last[b]) {
        unsigned inner = b + 1;
        while (inner < f->code->last[b] && !f->edges[inner])
            inner++;
        if (inner >= f->code->last[b])
            break;
        b = inner;
    }
    return b;
}

static struct value *finish(struct exec *x, struct frame *f, struct path path)
{
    struct edge **edge = NULL;
    unsigned n = 0;
    for (struct edge *e = f->returned; e; e = e->next)
        PUSH_SCRATCH(edge, n, e);
    if (n == 0) {
        exec_error(x, "hls_assert(condition) says what does not happen; hardware goes on",
                   "no path through this function returns");
        return NULL;
    }
    struct path all;
    x->g->here.in = f->name;
    struct node **select = selects(x, edge, n, &all);
    go_on_with(x, edge, n, select); /* several returns: joined as before a block */
    struct value **v = scratch(n * sizeof *v);
    for (unsigned i = 0; i < n; i++)
        v[i] = edge[i]->phi[0];
    edge[0]->phi[0] = merged(x, v, n, select);
    x->path = path;
    return edge[0]->phi[0];
}

static bool too_many_rounds(struct exec *x, unsigned rounds, unsigned guesses)
{
    if (guesses > MOST_GUESSES)
        exec_error(x,
                   "give the loop a constant bound: for (int i = 0; i < 16; i++) with the "
                   "condition as an if or break inside",
                   "loop without a bound that can be found");
    else if (rounds > MOST_ROUNDS)
        exec_error(x,
                   "all rounds are there in hardware, one behind the other: do some in each clock",
                   "loop of more than %d rounds", MOST_ROUNDS);
    return x->failed;
}

struct value *exec_function(struct exec *x, LLVMValueRef fn, struct value **arg)
{
    struct code *code = exec_code(x, fn);
    struct frame *up = x->frame;
    for (struct frame *f = up; f; f = f->up)
        if (f->code == code) {
            exec_error(x, "hardware has no stack: write a loop with a constant bound",
                       "recursion: '%s' is called while it runs", LLVMGetValueName(fn));
            return NULL;
        }
    struct frame f = {.code = code,
                      .up = up,
                      .call_loc = x->loc,
                      .scope = x->scope,
                      .depth = up ? up->depth + 1 : 0};
    size_t length;
    const char *name = LLVMGetValueName2(fn, &length);
    f.name = exec_name(x, name, length);
    x->scope = NULL;
    if (f.depth > MOST_CALLS) {
        exec_error(x, "call fewer functions within each other",
                   "calls within each other, more than %d deep", MOST_CALLS);
        return NULL;
    }
    f.value = scratch(code->n_values * sizeof *f.value);
    f.edges = scratch(code->n_blocks * sizeof *f.edges);
    f.rounds = scratch(code->n_blocks * sizeof *f.rounds);
    f.guesses = scratch(code->n_blocks * sizeof *f.guesses);
    for (unsigned i = 0; i < LLVMCountParams(fn); i++)
        f.value[i] = arg[i];
    struct loc loc = x->loc;
    struct path path = x->path;
    unsigned base = x->state->n;
    bool loop_above = up && up->in_loop;
    x->frame = &f;
    code->calls++;

    struct edge start = {.path = path, .state = x->state, .next = &start};
    x->state->refs++;
    f.edges[0] = &start;
    for (unsigned b; !x->failed && (b = next_block(&f)) < code->n_blocks;) {
        f.at = b;
        f.in_loop = loop_above || code->loop[b] >= 0;
        join(x, b);
        if (too_many_rounds(x, f.rounds[b], f.guesses[b]))
            break;
        run_block(x, b);
    }
    struct value *result = x->failed ? NULL : finish(x, &f, path);
    x->state->n = base;
    x->frame = up;
    x->loc = loc;
    return result;
}
