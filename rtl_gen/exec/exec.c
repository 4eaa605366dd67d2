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
    x->said =
        !x->failed && !x->quiet; /* one per module: what follows would mostly be its consequence */
    x->failed = true;
    if (!x->said)
        return;
    diag_error(x->loc, advice, "%s", text);
    unsigned notes = 0;
    if (x->wait)
        diag_note(x->wait->loc, "in state %s, which goes on behind this wait", x->wait->name);
    for (struct frame *f = x->frame; f && f->up && notes < MOST_NOTES; f = f->up, notes++)
        diag_note(f->call_loc, "called from here");
}

void exec_note(const struct exec *x, struct loc loc, const char *text)
{
    if (x->said)
        diag_note(loc, "%s", text);
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
        if (process_ends(x, inst))
            exec_error(x,
                       "for (;;) around its text, or HLS_WAIT(NAME); at the end; return; goes on "
                       "behind the same wait in the next clock",
                       "the process ends here");
        exec_edge(x, b, LLVMGetSuccessor(inst, 0), x->path);
        return;
    }
    struct node *on = exec_node(x, LLVMGetCondition(inst));
    if (ub_trap(x, LLVMGetSuccessor(inst, 1), on)) {
        exec_edge(x, b, LLVMGetSuccessor(inst, 0), x->path);
        return;
    }
    on = exec_settled(x, b, on);
    if (is_const(on))
        decided(x, b, inst);
    bdd c = bdd_of(x->bdds, on);
    exec_edge(x, b, LLVMGetSuccessor(inst, 0), path_and(x->bdds, x->path, c));
    exec_edge(x, b, LLVMGetSuccessor(inst, 1), path_and(x->bdds, x->path, bdd_not(x->bdds, c)));
}

/*
 * Cases one after another, so that "any of them or none" is exactly "always". Their paths are relative to here, where
 * nothing but the case matters.
 */
static void switch_on(struct exec *x, unsigned b, LLVMValueRef inst)
{
    if (x->frame->process) {
        process_run(x, b, inst);
        return;
    }
    struct node *on = exec_node(x, LLVMGetOperand(inst, 0));
    struct path rest = path_open(x->path);
    for (unsigned i = 1; i < LLVMGetNumSuccessors(inst); i++) {
        struct node *k = const_node(x, LLVMGetOperand(inst, 2 * i));
        bdd hit = bdd_of(x->bdds, mk_eq(x->g, on, k));
        exec_edge(x, b, LLVMGetSuccessor(inst, i), path_and(x->bdds, rest, hit));
        rest = path_settle(x->bdds, path_and(x->bdds, rest, bdd_not(x->bdds, hit)));
    }
    struct edge *otherwise = exec_edge(x, b, LLVMGetSwitchDefaultDest(inst), rest);
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
        x->loc.in = f->in;
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
    if (f->rank)
        return group_next(f);
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
    x->g->here.in = f->in;
    struct node **select = edge_selects(x, edge, n, &all);
    go_on_with(x, edge, n, select); /* several returns: joined as before a block */
    struct value **v = scratch(n * sizeof *v);
    for (unsigned i = 0; i < n; i++)
        v[i] = edge[i]->phi[0];
    edge[0]->phi[0] = merged_value(x, v, n, select);
    x->path = path;
    return edge[0]->phi[0];
}

static bool too_many_rounds(struct exec *x, unsigned rounds, unsigned guesses)
{
    if (guesses > MOST_GUESSES && x->wait)
        exec_error(x, "put HLS_WAIT(NAME); into it, or give it a constant bound",
                   "loop without a bound that can be found, and no HLS_WAIT on this way round");
    else if (guesses > MOST_GUESSES)
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

void exec_pending(struct exec *x)
{
    struct frame *f = x->frame;
    for (unsigned b; !x->failed && (b = next_block(f)) < f->code->n_blocks;) {
        f->at = b;
        f->in_loop = (f->up && f->up->in_loop) || f->code->loop[b] >= 0;
        exec_join(x, b);
        if (too_many_rounds(x, f->rounds[b], f->guesses[b]))
            break;
        run_block(x, b);
    }
}

static struct call *call_of(struct exec *x, struct call *up, LLVMValueRef fn)
{
    size_t length;
    const char *s = LLVMGetValueName2(fn, &length), *name = exec_name(x, s, length);
    struct call *call = up ? up->inner : NULL;
    while (call && call->name != name)
        call = call->next;
    if (call)
        return call;
    call = arena(sizeof *call);
    *call =
        (struct call){.name = name, .up = up, .next = up ? up->inner : NULL, .order = x->n_calls++};
    if (up)
        up->inner = call;
    return call;
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
    f.in = call_of(x, up ? up->in : NULL, fn);
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
    x->frame = &f;
    code->calls++;

    struct edge start = {.path = path, .state = x->state, .next = &start};
    x->state->refs++;
    f.edges[0] = &start;
    exec_pending(x);
    struct value *result = x->failed ? NULL : finish(x, &f, path);
    if (x->failed)
        edges_drop(&f);
    x->state->n = base;
    x->frame = up;
    x->loc = loc;
    return result;
}
