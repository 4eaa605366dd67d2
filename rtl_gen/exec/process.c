// SPDX-License-Identifier: Apache-2.0
/*
 * process.c - HLS_PROCESS: a function that goes on, at each call, behind the wait that the register `at` names.
 *
 * Each state has an arm: the function is executed from behind the state's wait to where it returns, with `at` that
 * constant. One choice by state, in the order of the list, joins what the arms come to.
 */
#include "exec/exec.h"
#include "graph/walk.h"

#include <stdlib.h>
#include <string.h>

static const char mark[] = "hls_process";

/* ---- the text: what stands where, without execution ---------------------------------------------------- */

static bool calls(LLVMValueRef inst, const char *prefix)
{
    size_t length;
    if (!LLVMIsACallInst(inst))
        return false;
    const char *name = LLVMGetValueName2(LLVMGetCalledValue(inst), &length);
    return strncmp(name, prefix, strlen(prefix)) == 0;
}

static bool is_mark(LLVMValueRef inst)
{
    if (!calls(inst, "llvm.var.annotation"))
        return false;
    LLVMValueRef text = LLVMGetInitializer(LLVMGetOperand(inst, 1));
    size_t length;
    return LLVMIsConstantString(text) && strcmp(LLVMGetAsString(text, &length), mark) == 0;
}

bool process_mark(struct exec *x, LLVMValueRef inst)
{
    if (!is_mark(inst))
        return false;
    x->frame->process = LLVMGetOperand(inst, 0);
    return true;
}

/* *hls_at = a state: the first half of a wait. */
static bool is_wait(LLVMValueRef inst, LLVMValueRef at)
{
    LLVMValueRef to = LLVMIsAStoreInst(inst) ? LLVMGetOperand(inst, 1) : inst;
    return LLVMIsALoadInst(to) && LLVMGetOperand(to, 0) == at;
}

/* The state of a wait's store; false: the instruction is none. */
static bool waits_at(LLVMValueRef inst, LLVMValueRef at, uint64_t *state)
{
    if (!LLVMIsAStoreInst(inst) || !is_wait(inst, at))
        return false;
    LLVMValueRef value = LLVMGetOperand(inst, 0);
    *state = LLVMIsAConstantInt(value) ? LLVMConstIntGetZExtValue(value) : UINT64_MAX;
    return true;
}

/* What changes nothing by itself, or is the wait at which the process begins. */
static bool may_be_dead(LLVMValueRef inst, LLVMValueRef at)
{
    return LLVMIsATerminatorInst(inst) || calls(inst, "llvm.dbg.") || is_wait(inst, at);
}

/* From block b on. */
static void reach(const struct code *c, unsigned b, bool *reached)
{
    unsigned *open = NULL, n = 0;
    PUSH_SCRATCH(open, n, b);
    reached[b] = true;
    while (n > 0) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(c->block[open[--n]]);
        for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++) {
            unsigned to = exec_number(c, LLVMGetSuccessor(end, s));
            if (!reached[to])
                PUSH_SCRATCH(open, n, to);
            reached[to] = true;
        }
    }
}

/* The states whose waits the text comes to from a block, as `leads` by enumerator. */
static void follow(const struct code *c, unsigned b, LLVMValueRef at, const struct enumeration *e,
                   bool *leads)
{
    bool *reached = scratch(c->n_blocks * sizeof *reached);
    reach(c, b, reached);
    for (b = 0; b < c->n_blocks; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(c->block[b]); i && reached[b];
             i = LLVMGetNextInstruction(i)) {
            uint64_t state;
            for (unsigned s = 0; waits_at(i, at, &state) && s < e->n; s++)
                leads[s] |= e->value[s] == state;
        }
}

/* Natively such statements are silent: they stand above all waits, and no loop comes back to them. */
static bool all_reached(struct exec *x, LLVMValueRef at, LLVMBasicBlockRef never)
{
    const struct code *c = x->frame->code;
    bool *reached = scratch(c->n_blocks * sizeof *reached);
    bool *text = scratch(c->n_blocks * sizeof *text);
    reach(c, 0, reached);
    unsigned label = exec_number(c, never); /* the next block that nothing jumps to */
    while (label + 1 < c->n_blocks && LLVMGetFirstUse(LLVMBasicBlockAsValue(c->block[label])))
        label++;
    reach(c, label, text);
    for (unsigned b = 0; b < c->n_blocks; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(c->block[b]); i && text[b] && !reached[b];
             i = LLVMGetNextInstruction(i))
            if (!may_be_dead(i, at)) {
                x->loc = exec_loc(i, x->loc);
                exec_error(x,
                           "a process begins behind the wait that the reset function names: put "
                           "HLS_WAIT(X_START); above, and reset to X_START",
                           "never executed: nothing comes here from a wait");
                return false;
            }
    return true;
}

bool process_ends(const struct exec *x, LLVMValueRef inst)
{
    if (!x->frame->in_process)
        return false;
    LLVMValueRef to = LLVMGetFirstInstruction(LLVMGetSuccessor(inst, 0));
    return LLVMIsAReturnInst(to) && LLVMGetDebugLocLine(inst) == LLVMGetDebugLocLine(to) &&
           LLVMGetDebugLocColumn(inst) == LLVMGetDebugLocColumn(to);
}

/* ---- the register `at` -------------------------------------------------------------------------------------- */

static const char *index_name(const struct module *m, const struct pointer *p)
{
    const struct node *n = p->term[0].index;
    while (n->n_args && !n->name && !n->hint)
        n = n->args[n->n_args - 1];
    const struct leaf *leaf = leaf_of(m, n);
    return n->name ? n->name : n->hint ? n->hint : leaf ? leaf->c : NULL;
}

static bool is_register(struct exec *x, const struct value *v, struct field *at)
{
    const bool own = v->kind == VALUE_POINTER && v->ptr.obj->kind == OBJECT_SELF;
    if (own && v->ptr.n_terms) {
        const char *name = index_name(x->module, &v->ptr);
        exec_error(x, "call all of them in a loop with a constant bound, each with an enable",
                   "which process runs is chosen by %s", name ? format("'%s'", name) : "a value");
        return false;
    }
    if (!own || !field_find(x, &v->ptr, at) || at->inst >= 0 || at->leaf->storage != STORE_REG) {
        exec_error(x, "make it a member of the module's struct, of an enum",
                   "a process by what is no register of the module");
        return false;
    }
    if (!at->leaf->enumeration)
        exec_error(x, "declare an enum whose enumerators are the waits, and the member of its type",
                   "the states of a process are no enum: '%s' is a number", at->leaf->c);
    return at->leaf->enumeration != NULL;
}

/* Each enumerator is a case of the switch. */
static bool all_listed(struct exec *x, const struct field *at, LLVMValueRef inst)
{
    const struct enumeration *e = at->leaf->enumeration;
    for (unsigned s = 0; s < e->n; s++) {
        bool listed = false;
        for (unsigned i = 1; i < LLVMGetNumSuccessors(inst); i++)
            listed |= is_value(const_node(x, LLVMGetOperand(inst, 2 * i)), e->value[s]);
        if (listed)
            continue;
        exec_error(x, "put it into the list, or take it from the enum",
                   "%s of enum %s is not in the list of HLS_PROCESS", e->label[s], e->name);
        return false;
    }
    return true;
}

/* One call of a process is a clock of it. */
static bool first_run(struct exec *x, const struct field *at)
{
    for (unsigned i = 0; i < x->n_processes; i++) {
        const struct process *p = &x->process[i];
        if (p->leaf != at->leaf_index || p->element != at->elem ||
            !path_meet(x->bdds, p->path, x->path))
            continue;
        exec_error(x, "one call is one clock: call each process once, each with an `at` of its own",
                   "the process of '%s' runs twice in a clock", at->leaf->c);
        exec_note(x, p->loc, "the first run");
        return false;
    }
    const size_t n = at->leaf->enumeration->n;
    PUSH_SCRATCH(
        x->process, x->n_processes,
        (struct process){at->leaf_index, at->elem, x->path, x->loc, arena(n * sizeof(bool *))});
    return true;
}

/* ---- arms ------------------------------------------------------------------------------------------------------- */

/* The state's name, and the line of the wait that the case jumps behind. */
static const struct wait *wait_of(struct exec *x, const struct field *at, uint64_t value,
                                  LLVMBasicBlockRef to)
{
    const struct enumeration *e = at->leaf->enumeration;
    struct wait *w = arena(sizeof *w);
    for (unsigned i = 0; i < e->n; i++)
        if (e->value[i] == value)
            w->name = e->label[i];
    LLVMBasicBlockRef label = LLVMGetSuccessor(LLVMGetBasicBlockTerminator(to), 0);
    w->loc = exec_loc(LLVMGetBasicBlockTerminator(label), x->loc);
    w->loc.in = x->frame->in;
    return w;
}

struct edge *process_edge(struct exec *x, struct edge **edge, unsigned n, struct path path)
{
    struct path all;
    struct node **select = edge_selects(x, edge, n, &all);
    go_on_with(x, edge, n, select);
    struct edge *e = scratch(sizeof *e);
    *e = (struct edge){.path = path, .state = x->state, .phi = scratch(sizeof *e->phi)};
    x->state->refs++;
    return e;
}

static struct edge *run_arm(struct exec *x, unsigned b, const struct pointer *at,
                            struct node *state, LLVMBasicBlockRef to, struct path path)
{
    struct frame *f = x->frame;
    struct state *before = x->state;
    x->state = state_copy(before);
    x->path = path;
    x->g->here = x->loc = x->wait->loc;
    mem_store_bits(x, at, state);
    memset(f->rounds, 0, f->code->n_blocks * sizeof *f->rounds);
    memset(f->guesses, 0, f->code->n_blocks * sizeof *f->guesses);
    f->returned = NULL;
    exec_edge(x, b, to, path);
    exec_pending(x);
    struct edge **edge = NULL, *arm = NULL;
    unsigned n = 0;
    for (struct edge *e = f->returned; e && !x->failed; e = e->next)
        PUSH_SCRATCH(edge, n, e);
    if (n > 0)
        arm = process_edge(x, edge, n, path);
    else
        exec_error(x, "hls_assert(condition) says what does not happen; hardware goes on",
                   "no path behind this wait comes to another one");
    state_drop(x->state);
    x->state = before;
    return arm;
}

/* For process_states: where the text goes from each state. */
static void follow_arms(struct exec *x, LLVMValueRef inst, LLVMValueRef at,
                        const struct field *field)
{
    const struct process *p = &x->process[x->n_processes - 1];
    const struct enumeration *e = field->leaf->enumeration;
    const struct code *c = x->frame->code;
    for (unsigned i = 1; i < LLVMGetNumSuccessors(inst); i++)
        for (unsigned s = 0; s < e->n; s++)
            if (is_value(const_node(x, LLVMGetOperand(inst, 2 * i)), e->value[s])) {
                p->leads[s] = arena(e->n * sizeof **p->leads);
                follow(c, exec_number(c, LLVMGetSuccessor(inst, i)), at, e, p->leads[s]);
            }
}

/* Where the enumerators are 0 to n - 1 one comparison says so. */
void process_listed(struct exec *x, struct node *on, const struct field *field, struct path rest)
{
    const struct enumeration *e = field->leaf->enumeration;
    const char *text = format("%s is a state of its process", field->leaf->c);
    uint64_t most = 0;
    for (unsigned i = 0; i < e->n; i++)
        most = e->value[i] > most ? e->value[i] : most;
    if (field->leaf->width <= 31 && e->n == 1u << field->leaf->width)
        return;
    if (most + 1 == e->n) {
        exec_imply(x, mk_ult(x->g, on, mk_const(x->g, on->width, e->n)), text);
        return;
    }
    const struct path all = x->path;
    x->path = rest;
    exec_imply(x, mk_const(x->g, 1, 0), text);
    x->path = all;
}

/* For reports and covers: where each state waits. */
static void note_process(struct exec *x, LLVMValueRef inst, const struct field *at)
{
    struct module *m = x->module;
    const struct enumeration *e = at->leaf->enumeration;
    struct loc *list = arena(e->n * sizeof *list);
    for (unsigned i = 0; i < m->n_process; i++)
        if (m->process[i].leaf == at->leaf_index && m->process[i].element == at->elem)
            return; /* in another branch */
    for (unsigned i = 1; i < LLVMGetNumSuccessors(inst); i++) {
        const uint64_t value = const_value(const_node(x, LLVMGetOperand(inst, 2 * i)));
        const struct wait *w = wait_of(x, at, value, LLVMGetSuccessor(inst, i));
        for (unsigned s = 0; s < e->n; s++)
            if (e->value[s] == value)
                list[s] = w->loc;
    }
    PUSH(m->process, m->n_process,
         (struct process_info){at->leaf_index, at->elem, x->loc, list,
                               x->process[x->n_processes - 1].leads});
}

static void run_arms(struct exec *x, unsigned b, LLVMValueRef inst, const struct pointer *at,
                     const struct field *field)
{
    struct node *on = exec_node(x, LLVMGetOperand(inst, 0));
    const struct path all = x->path;
    const struct loc loc = x->loc;
    const struct wait *around = x->wait;
    struct path rest = path_open(all);
    struct edge **arm = NULL;
    unsigned n = 0;
    for (unsigned i = 1; i < LLVMGetNumSuccessors(inst) && !x->failed; i++) {
        struct node *k = const_node(x, LLVMGetOperand(inst, 2 * i));
        bdd hit = bdd_of(x->bdds, mk_eq(x->g, on, k));
        struct path path = path_and(x->bdds, rest, hit);
        rest = path_settle(x->bdds, path_and(x->bdds, rest, bdd_not(x->bdds, hit)));
        if (path_is_never(path))
            continue;
        x->wait = wait_of(x, field, const_value(k), LLVMGetSuccessor(inst, i));
        struct node *state = mk_resize(x->g, k, field->leaf->bytes * 8);
        struct edge *e = run_arm(x, b, at, state, LLVMGetSuccessor(inst, i), path);
        x->wait = around;
        if (e)
            PUSH_SCRATCH(arm, n, e);
    }
    x->loc = x->g->here = loc;
    if (x->failed)
        return;
    x->path = all;
    process_listed(x, on, field, rest);
    x->frame->returned = n ? process_edge(x, arm, n, all) : NULL;
}

/* Ways that left before the process, by a return, wait for the arms. */
void process_run(struct exec *x, unsigned b, LLVMValueRef inst)
{
    struct frame *f = x->frame;
    LLVMValueRef variable = f->process;
    struct field at;
    f->process = NULL;
    f->in_process = true;
    struct value *v = exec_value(x, LLVMGetOperand(LLVMGetOperand(inst, 0), 0));
    if (LLVMIsACastInst(LLVMGetOperand(inst, 0))) /* an enum of a narrow type */
        v = exec_value(x, LLVMGetOperand(LLVMGetOperand(LLVMGetOperand(inst, 0), 0), 0));
    if (x->in_reset)
        exec_error(x, "give the register the state behind whose wait the process begins",
                   "a process in reset");
    if (x->failed || !is_register(x, v, &at) || !all_listed(x, &at, inst) || !first_run(x, &at) ||
        !all_reached(x, variable, LLVMGetSwitchDefaultDest(inst)))
        return;
    x->module->reg[at.leaf_index].process = true;
    note_process(x, inst, &at);
    follow_arms(x, inst, variable, &at);
    struct edge **pending = f->edges;
    f->edges = scratch(f->code->n_blocks * sizeof *f->edges);
    const bool group = x->grouped && x->grouped[at.leaf_index];
    x->module->reg[at.leaf_index].group = group;
    if (group)
        group_run(x, b, inst, &at);
    else
        run_arms(x, b, inst, &v->ptr, &at);
    if (x->failed)
        edges_drop(f);
    f->edges = pending;
    f->first = 0;
}

/* ---- states that nothing enters ----------------------------------------------------------------------------------- */

/* Whether the value may become `state` where it is not the register itself; a computed one may be any. */
static bool may_become(const struct node *n, const struct node *q, uint64_t state, bool *seen)
{
    if (n == q || seen[n->id])
        return false;
    seen[n->id] = true;
    if (is_const(n))
        return const_value(n) == state;
    return n->op != OP_MUX || may_become(n->args[1], q, state, seen) ||
           may_become(n->args[2], q, state, seen);
}

/* A state that reset gives, or that is set elsewhere than at a wait: by another process. */
static bool given(struct exec *x, const struct process *p, unsigned s)
{
    const struct module *m = x->module;
    const struct leaf *leaf = &m->self.leaf[p->leaf];
    const unsigned low = p->element * leaf->width;
    const uint64_t state = leaf->enumeration->value[s];
    struct node *reset = m->reg[p->leaf].reset;
    if (reset && const_value(mk_slice(x->g, reset, low, leaf->width)) == state)
        return true;
    for (unsigned from = 0; from < leaf->enumeration->n; from++)
        if (p->leads[from] && p->leads[from][s])
            return false; /* by its wait */
    struct node *q = mk_reg(x->g, p->leaf, leaf->width * leaf->count);
    q = mk_slice(x->g, q, low, leaf->width);
    struct node *next = mk_slice(x->g, m->reg[p->leaf].next, low, leaf->width);
    return may_become(next, q, state, scratch(x->g->n * sizeof(bool)));
}

/* By enumerator: reached over waits from a state that is given. */
static bool *entered(struct exec *x, const struct process *p, unsigned n)
{
    bool *in = scratch(n * sizeof *in);
    unsigned *open = NULL, n_open = 0;
    for (unsigned s = 0; s < n; s++)
        if ((in[s] = given(x, p, s)))
            PUSH_SCRATCH(open, n_open, s);
    while (n_open > 0) {
        const bool *leads = p->leads[open[--n_open]];
        for (unsigned s = 0; leads && s < n; s++) {
            if (leads[s] && !in[s])
                PUSH_SCRATCH(open, n_open, s);
            in[s] |= leads[s];
        }
    }
    return in;
}

void process_states(struct exec *x)
{
    for (unsigned i = 0; i < x->n_processes && !x->failed; i++) {
        const struct process *p = &x->process[i];
        const struct enumeration *e = x->module->self.leaf[p->leaf].enumeration;
        const bool *in = entered(x, p, e->n);
        x->loc = p->loc;
        for (unsigned s = 0; s < e->n && !x->failed; s++)
            if (!in[s])
                exec_error(x,
                           "take it from the list and the enum, or let something lead to its wait",
                           "%s is never entered", e->label[s]);
    }
}
