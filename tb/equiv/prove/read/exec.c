// SPDX-License-Identifier: Apache-2.0
/*
 * exec.c - one function: its blocks in the order that clang wrote them, but for tests of ranges of cases, the first
 * waiting one first.
 *
 * That order has each loop in one piece before what follows it, so all paths that leave a loop wait
 * behind it until its last round and meet there; those that start another round wait for the others.
 */
#include "read/exec.h"

#include "terms/arena.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_ROUNDS = 1000000 };

struct waiting {
    struct state **state;
    unsigned n;
};

struct function {
    LLVMBasicBlockRef *block;
    unsigned n_blocks;
    unsigned *loop_end; /* of each block: the last one that jumps back to it, itself if none does */
    LLVMValueRef *value; /* of the instructions; sorted by address */
    int *number;         /* in state.shared; -1: used in its own block only */
    unsigned n_values, n_shared;
};

struct frame {
    struct exec *x;
    const struct function *f;
    LLVMValueRef function;
    const struct value *argument;
    struct value *local; /* by position in f->value */
    struct waiting *waiting;
    const struct path *entry; /* the path of the call */
    struct state **returned;
    struct value *result; /* of each return */
    unsigned n_returned, n_results;
};

static unsigned position(const struct function *f, LLVMValueRef v)
{
    unsigned low = 0, high = f->n_values;
    while (low < high) {
        unsigned mid = (low + high) / 2;
        if (f->value[mid] < v)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

static int by_address(const void *a, const void *b)
{
    LLVMValueRef x = *(const LLVMValueRef *)a, y = *(const LLVMValueRef *)b;
    return x < y ? -1 : x > y;
}

/* Whether any block but its own uses it; what a phi gives is written on the way into its block. */
static bool leaves_block(LLVMValueRef v)
{
    LLVMBasicBlockRef home = LLVMGetInstructionParent(v);
    if (LLVMGetInstructionOpcode(v) == LLVMPHI)
        return true;
    for (LLVMUseRef use = LLVMGetFirstUse(v); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAInstruction(user) && LLVMGetInstructionParent(user) != home &&
            LLVMGetInstructionOpcode(user) != LLVMPHI)
            return true;
        /* a phi is fed on the edge: by the end of the block before */
        if (LLVMIsAPHINode(user))
            for (unsigned i = 0; i < LLVMCountIncoming(user); i++)
                if (LLVMGetIncomingValue(user, i) == v && LLVMGetIncomingBlock(user, i) != home)
                    return true;
    }
    return false;
}

static void find_loops(struct function *f)
{
    f->loop_end = arena(f->n_blocks * sizeof *f->loop_end);
    for (unsigned b = 0; b < f->n_blocks; b++)
        f->loop_end[b] = b;
    for (unsigned b = 0; b < f->n_blocks; b++) {
        LLVMValueRef last = LLVMGetBasicBlockTerminator(f->block[b]);
        for (unsigned i = 0; i < LLVMGetNumSuccessors(last); i++)
            for (unsigned head = 0; head <= b; head++)
                if (f->block[head] == LLVMGetSuccessor(last, i))
                    f->loop_end[head] = b;
    }
}

static unsigned place_of(const struct function *f, LLVMBasicBlockRef block)
{
    unsigned b = 0;
    while (f->block[b] != block)
        b++;
    return b;
}

/* Block `from` comes directly behind `to`, which is before it. */
static void bring_forward(struct function *f, unsigned from, unsigned to)
{
    LLVMBasicBlockRef block = f->block[from];
    memmove(f->block + to + 2, f->block + to + 1, (from - to - 1) * sizeof *f->block);
    f->block[to + 1] = block;
}

/*
 * Where a switch goes by default clang may have put a test of a range of cases, the last range first, each behind
 * the statements of its case and so maybe amid a loop of theirs. They belong to the switch.
 */
static void gather_ranges(struct function *f)
{
    for (unsigned b = 0; b < f->n_blocks; b++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(f->block[b]);
        LLVMBasicBlockRef next = LLVMIsASwitchInst(end) ? LLVMGetSwitchDefaultDest(end) : NULL;
        for (unsigned last = b; next; last++) {
            unsigned at = place_of(f, next);
            LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(next));
            end = LLVMGetBasicBlockTerminator(next);
            if (LLVMGetNextUse(use) || LLVMGetNumSuccessors(end) != 2 || at <= last ||
                LLVMIsASwitchInst(end) || place_of(f, LLVMGetSuccessor(end, 0)) > at)
                break;
            bring_forward(f, at, last);
            next = LLVMGetSuccessor(end, 1);
        }
    }
}

static const struct function *analyse(LLVMValueRef function)
{
    static struct known {
        LLVMValueRef function;
        struct function *f;
    } *known;
    static unsigned n_known;
    for (unsigned i = 0; i < n_known; i++)
        if (known[i].function == function)
            return known[i].f;
    struct function *f = arena(sizeof *f);
    f->n_blocks = LLVMCountBasicBlocks(function);
    f->block = arena(f->n_blocks * sizeof *f->block);
    LLVMGetBasicBlocks(function, f->block);
    gather_ranges(f);
    for (unsigned b = 0; b < f->n_blocks; b++)
        for (LLVMValueRef v = LLVMGetFirstInstruction(f->block[b]); v;
             v = LLVMGetNextInstruction(v))
            PUSH(f->value, f->n_values, v);
    qsort(f->value, f->n_values, sizeof *f->value, by_address);
    f->number = arena((f->n_values + 1) * sizeof *f->number);
    for (unsigned i = 0; i < f->n_values; i++)
        f->number[i] = leaves_block(f->value[i]) ? (int)f->n_shared++ : -1;
    find_loops(f);
    PUSH(known, n_known, ((struct known){function, f}));
    return f;
}

static struct value operand(struct frame *fr, struct state *s, LLVMValueRef v)
{
    if (LLVMIsAArgument(v))
        for (unsigned i = 0;; i++)
            if (LLVMGetParam(fr->function, i) == v)
                return fr->argument[i];
    if (!LLVMIsAInstruction(v))
        return exec_constant(fr->x, v);
    unsigned at = position(fr->f, v);
    return fr->f->number[at] >= 0 ? s->shared[fr->f->number[at]] : fr->local[at];
}

static void define(struct frame *fr, struct state *s, LLVMValueRef v, struct value value)
{
    unsigned at = position(fr->f, v);
    fr->local[at] = value;
    if (fr->f->number[at] >= 0)
        s->shared[fr->f->number[at]] = value;
}

static unsigned block_number(const struct frame *fr, LLVMBasicBlockRef block)
{
    for (unsigned b = 0; b < fr->f->n_blocks; b++)
        if (fr->f->block[b] == block)
            return b;
    unsupported("a jump to another function");
}

/* Onto the edge: phis take their values, then the state waits. */
static void go(struct frame *fr, struct state *s, LLVMBasicBlockRef from, LLVMBasicBlockRef to,
               term cond)
{
    if (is_zero(cond))
        return;
    s->path = path_and(s->path, cond);
    struct value value[64];
    unsigned n = 0;
    LLVMValueRef phi = LLVMGetFirstInstruction(to);
    for (LLVMValueRef v = phi; v && LLVMIsAPHINode(v); v = LLVMGetNextInstruction(v)) {
        unsigned i = 0;
        while (LLVMGetIncomingBlock(v, i) != from)
            i++;
        value[n++] = operand(fr, s, LLVMGetIncomingValue(v, i));
    }
    for (unsigned i = 0; i < n; i++, phi = LLVMGetNextInstruction(phi))
        define(fr, s, phi, value[i]);
    struct waiting *w = &fr->waiting[block_number(fr, to)];
    PUSH(w->state, w->n, s);
}

static struct state *part(struct frame *fr, struct state *s)
{
    return state_copy(s, fr->f->n_shared, fr->x->n_memories);
}

static void branch(struct frame *fr, struct state *s, LLVMBasicBlockRef from, LLVMValueRef v)
{
    if (!LLVMIsConditional(v)) {
        go(fr, s, from, LLVMGetSuccessor(v, 0), term_true());
        return;
    }
    term cond = operand(fr, s, LLVMGetCondition(v)).t;
    /* what the path already says */
    for (const struct path *p = s->path; p; p = p->above)
        if (p->literal == cond || p->literal == term_not(cond))
            cond = term_const(1, p->literal == cond);
    if (!is_const(cond))
        go(fr, part(fr, s), from, LLVMGetSuccessor(v, 1), term_not(cond));
    go(fr, s, from, LLVMGetSuccessor(v, is_zero(cond)), is_zero(cond) ? term_true() : cond);
}

/* One case after the other, the default at the end. */
static void switch_on(struct frame *fr, struct state *s, LLVMBasicBlockRef from, LLVMValueRef v)
{
    term on = operand(fr, s, LLVMGetOperand(v, 0)).t;
    for (unsigned i = 1; i < LLVMGetNumSuccessors(v); i++) {
        struct value k = exec_constant(fr->x, LLVMGetOperand(v, 2 * i));
        term cond = term_eq(on, k.t);
        if (is_zero(cond))
            continue;
        if (is_const(cond)) {
            go(fr, s, from, LLVMGetSuccessor(v, i), cond);
            return;
        }
        go(fr, part(fr, s), from, LLVMGetSuccessor(v, i), cond);
        s->path = path_and(s->path, term_not(cond));
    }
    go(fr, s, from, LLVMGetSwitchDefaultDest(v), term_true());
}

static void call(struct frame *fr, struct state *s, LLVMValueRef v)
{
    unsigned n = LLVMGetNumArgOperands(v);
    struct value *argument = arena((n + 1) * sizeof *argument);
    for (unsigned i = 0; i < n; i++) {
        LLVMValueRef a = LLVMGetOperand(v, i);
        if (LLVMGetTypeKind(LLVMTypeOf(a)) != LLVMMetadataTypeKind)
            argument[i] = operand(fr, s, a);
    }
    define(fr, s, v, exec_call_site(fr->x, s, v, argument, n));
}

static void instruction(struct frame *fr, struct state *s, LLVMBasicBlockRef block, LLVMValueRef v)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(v);
    struct value value[16];
    switch (op) {
    case LLVMPHI:
        return;
    case LLVMBr:
        branch(fr, s, block, v);
        return;
    case LLVMSwitch:
        switch_on(fr, s, block, v);
        return;
    case LLVMUnreachable:
        exec_assume(fr->x, s, term_false());
        return;
    case LLVMRet: {
        struct value result = {0};
        if (LLVMGetNumOperands(v))
            result = operand(fr, s, LLVMGetOperand(v, 0));
        PUSH(fr->returned, fr->n_returned, s);
        PUSH(fr->result, fr->n_results, result);
        return;
    }
    case LLVMCall:
        call(fr, s, v);
        return;
    default:
        for (int i = 0; i < LLVMGetNumOperands(v); i++)
            value[i] = operand(fr, s, LLVMGetOperand(v, (unsigned)i));
        define(fr, s, v, exec_compute(fr->x, s, v, value));
    }
}

/* Whether the state that runs has all paths in it: none waits, none has returned. */
static bool alone(const struct frame *fr)
{
    for (unsigned b = 0; b < fr->f->n_blocks; b++)
        if (fr->waiting[b].n)
            return false;
    return fr->n_returned == 0;
}

static void run_block(struct frame *fr, unsigned b)
{
    struct waiting w = fr->waiting[b];
    fr->waiting[b] = (struct waiting){0};
    struct state *s = state_meet(w.state, w.n, fr->f->n_shared, fr->x->n_memories);
    if (alone(fr))
        s->path = fr->entry;
    LLVMBasicBlockRef block = fr->f->block[b];
    for (LLVMValueRef v = LLVMGetFirstInstruction(block); v; v = LLVMGetNextInstruction(v))
        instruction(fr, s, block, v);
}

/* The first block from `from` to `to` on which states wait; `to` + 1: none. */
static unsigned first_waiting(const struct frame *fr, unsigned from, unsigned to)
{
    while (from <= to && !fr->waiting[from].n)
        from++;
    return from;
}

/* A loop goes round again when all paths of this round have come to its start or left it. */
static bool run_first_waiting(struct frame *fr)
{
    unsigned b = first_waiting(fr, 0, fr->f->n_blocks - 1);
    if (b == fr->f->n_blocks)
        return false;
    for (;;) {
        unsigned inside = first_waiting(fr, b + 1, fr->f->loop_end[b]);
        if (inside > fr->f->loop_end[b])
            break;
        b = inside;
    }
    run_block(fr, b);
    return true;
}

/* The returns meet; the result goes along as if it were a shared value. */
static struct value leave(struct frame *fr, struct state *s, struct value *shared,
                          uint32_t n_objects)
{
    if (fr->n_returned == 0)
        unsupported("%s never returns", LLVMGetValueName(fr->function));
    for (unsigned i = 0; i < fr->n_returned; i++) {
        fr->returned[i]->shared = arena(2 * sizeof(struct value));
        fr->returned[i]->shared[0] = fr->result[i];
        fr->returned[i]->n_objects = n_objects;
    }
    struct state *end = state_meet(fr->returned, fr->n_returned, 1, fr->x->n_memories);
    struct value result = end->shared[0];
    *s = *end;
    s->path = fr->entry; /* all paths return */
    s->shared = shared;
    return result;
}

struct value exec_call(struct exec *x, struct state *s, LLVMValueRef function,
                       const struct value *argument)
{
    struct frame fr = {.x = x, .f = analyse(function), .function = function, .argument = argument};
    fr.entry = s->path;
    struct value *shared = s->shared;
    uint32_t n_objects = s->n_objects;
    fr.local = arena((fr.f->n_values + 1) * sizeof *fr.local);
    fr.waiting = arena(fr.f->n_blocks * sizeof *fr.waiting);
    struct state *inside = arena(sizeof *inside);
    *inside = *s;
    inside->shared = arena((fr.f->n_shared + 1) * sizeof *inside->shared);
    PUSH(fr.waiting[0].state, fr.waiting[0].n, inside);
    unsigned rounds = 0;
    while (run_first_waiting(&fr))
        if (++rounds > MAX_ROUNDS)
            unsupported("%s: a loop whose end cannot be seen", LLVMGetValueName(function));
    return leave(&fr, s, shared, n_objects);
}

LLVMValueRef exec_function(const struct exec *x, const char *name)
{
    for (unsigned i = 0; i < x->n_modules; i++) {
        LLVMValueRef f = LLVMGetNamedFunction(x->module[i], name);
        if (f && LLVMCountBasicBlocks(f))
            return f;
    }
    return NULL;
}
