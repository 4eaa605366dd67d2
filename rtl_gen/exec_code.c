// SPDX-License-Identifier: Apache-2.0
/*
 * exec_code.c - a function as the symbolic execution sees it: its blocks in the order in which they run, the loops among
 * them, numbers for its blocks and values.
 */
#include "exec.h"

#include <string.h>

/* ---- numbers of LLVM values within their function --------------------------------------------------- */

struct value_number {
    const void *key;
    unsigned number;
};

static struct value_number *number_slot(const struct code *c, const void *key)
{
    unsigned i = (unsigned)(((uintptr_t)key >> 4) * 0x9e3779b1u) & (c->numbers_size - 1);
    while (c->number[i].key && c->number[i].key != key)
        i = (i + 1) & (c->numbers_size - 1);
    return &c->number[i];
}

static void give_number(struct code *c, const void *key, unsigned number)
{
    *number_slot(c, key) = (struct value_number){key, number};
}

unsigned exec_number(const struct code *c, const void *key)
{
    return number_slot(c, key)->number;
}

/* Blocks by themselves; parameters and instructions together. */
static void number_values(struct code *c)
{
    unsigned n = c->n_blocks + LLVMCountParams(c->fn);
    for (unsigned b = 0; b < c->n_blocks; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(c->block[b]); i;
             i = LLVMGetNextInstruction(i))
            n++;
    for (c->numbers_size = 1; c->numbers_size < 2 * n; c->numbers_size *= 2)
        ;
    c->number = scratch(c->numbers_size * sizeof *c->number);
    for (unsigned i = 0; i < LLVMCountParams(c->fn); i++)
        give_number(c, LLVMGetParam(c->fn, i), c->n_values++);
    for (unsigned b = 0; b < c->n_blocks; b++) {
        give_number(c, c->block[b], b);
        for (LLVMValueRef i = LLVMGetFirstInstruction(c->block[b]); i;
             i = LLVMGetNextInstruction(i))
            give_number(c, i, c->n_values++);
    }
}

/* ---- order of blocks -------------------------------------------------------------------------------- */

/* Looked for from both, so that only what lies between them is walked over, not the rest of the function. */
static bool stands_before(LLVMBasicBlockRef a, LLVMBasicBlockRef b)
{
    LLVMBasicBlockRef behind_a = a, behind_b = b;
    while (behind_a && behind_b && behind_a != b) {
        behind_a = LLVMGetNextBasicBlock(behind_a);
        behind_b = LLVMGetNextBasicBlock(behind_b);
        if (behind_b == a)
            return false;
    }
    return behind_a != NULL;
}

/*
 * The test of a range of cases: where the switch goes by default, or where such a test goes on. clang leaves it behind
 * the statements of the case, maybe amid a loop there.
 */
static bool is_range_test(LLVMBasicBlockRef b)
{
    LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(b));
    LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
    if (!use || LLVMGetNextUse(use) || !LLVMIsABranchInst(end) || !LLVMIsConditional(end) ||
        !stands_before(LLVMGetSuccessor(end, 0), b))
        return false;
    LLVMValueRef from = LLVMGetUser(use);
    return LLVMIsASwitchInst(from)
               ? LLVMGetSwitchDefaultDest(from) == b
               : LLVMGetNumSuccessors(from) == 2 && LLVMGetSuccessor(from, 1) == b &&
                     is_range_test(LLVMGetInstructionParent(from));
}

/* As clang has them; tests of ranges behind their switch. */
static void order_blocks(struct code *c)
{
    unsigned n = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(c->fn); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        if (is_range_test(b))
            continue;
        c->block[n++] = b;
        LLVMBasicBlockRef next = LLVMIsASwitchInst(end) ? LLVMGetSwitchDefaultDest(end) : NULL;
        for (; next && is_range_test(next); next = LLVMGetSuccessor(end, 1)) {
            c->block[n++] = next;
            end = LLVMGetBasicBlockTerminator(next);
        }
    }
}

static void find_loops(struct code *c)
{
    c->last = scratch(c->n_blocks * sizeof *c->last);
    c->loop = scratch(c->n_blocks * sizeof *c->loop);
    for (unsigned b = 0; b < c->n_blocks; b++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(c->block[b]);
        for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++) {
            unsigned to = exec_number(c, LLVMGetSuccessor(end, s));
            if (to <= b && c->last[to] < b + 1)
                c->last[to] = b + 1; /* + 1: block 0 can be a latch only of itself */
        }
    }
    memset(c->loop, -1, c->n_blocks * sizeof *c->loop);
    for (unsigned h = 0; h < c->n_blocks; h++)
        for (unsigned b = h; b < c->last[h]; b++)
            c->loop[b] = (int)h;
}

/* ---- functions ----------------------------------------------------------------------------------------- */

struct code *exec_code(struct exec *x, LLVMValueRef fn)
{
    for (struct code *c = x->codes; c; c = c->next)
        if (c->fn == fn)
            return c;
    struct code *c = scratch(sizeof *c);
    c->fn = fn;
    c->n_blocks = LLVMCountBasicBlocks(fn);
    c->block = scratch(c->n_blocks * sizeof *c->block);
    order_blocks(c);
    number_values(c);
    find_loops(c);
    c->next = x->codes;
    x->codes = c;
    return c;
}

LLVMValueRef exec_find(struct exec *x, const char *name)
{
    LLVMValueRef local = NULL; /* static: only when no file has it for all to see */
    for (unsigned i = 0; i < x->n_units; i++) {
        LLVMValueRef fn = LLVMGetNamedFunction(x->unit[i].ir, name);
        if (fn && !LLVMIsDeclaration(fn) && LLVMGetLinkage(fn) != LLVMInternalLinkage)
            return fn;
        if (fn && !LLVMIsDeclaration(fn) && !local)
            local = fn;
    }
    return local;
}
