// SPDX-License-Identifier: Apache-2.0
/*
 * exec_code.c - a function as the symbolic execution sees it: its blocks in the order in which they run, the loops among
 * them, numbers for its blocks and values.
 */
#include "exec/exec.h"

#include <llvm-c/DebugInfo.h>
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

static void make_numbers(struct code *c)
{
    unsigned n = c->n_blocks + LLVMCountParams(c->fn);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(c->fn); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            n++;
    for (c->numbers_size = 1; c->numbers_size < 2 * n; c->numbers_size *= 2)
        ;
    c->number = scratch(c->numbers_size * sizeof *c->number);
}

/* Blocks by themselves; parameters and instructions together. */
static void number_values(struct code *c)
{
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
 * Whether it looks like the test of a range of cases, which is where the switch goes by default, or where such a test goes
 * on. clang leaves it behind the statements of the case, maybe amid a loop there.
 */
static bool looks_like_test(LLVMBasicBlockRef b)
{
    LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(b));
    LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
    return use && !LLVMGetNextUse(use) && LLVMIsABranchInst(end) && LLVMIsConditional(end) &&
           stands_before(LLVMGetSuccessor(end, 0), b);
}

/* The tests of ranges of a switch that ends a block, in their order. */
static LLVMBasicBlockRef *range_tests(LLVMBasicBlockRef b, unsigned *n)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
    LLVMBasicBlockRef *list = NULL,
                      next = LLVMIsASwitchInst(end) ? LLVMGetSwitchDefaultDest(end) : NULL;
    *n = 0;
    for (; next && looks_like_test(next); next = LLVMGetSuccessor(end, 1)) {
        PUSH_SCRATCH(list, *n, next);
        end = LLVMGetBasicBlockTerminator(next);
    }
    return list;
}

/* As clang has them; tests of ranges behind their switch. Numbers of blocks serve as marks until they are given. */
static void order_blocks(struct code *c)
{
    unsigned n = 0, tests;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(c->fn); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMBasicBlockRef *test = range_tests(b, &tests);
        for (unsigned i = 0; i < tests; i++)
            give_number(c, test[i], 1);
    }
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(c->fn); b; b = LLVMGetNextBasicBlock(b)) {
        if (exec_number(c, b))
            continue;
        c->block[n++] = b;
        LLVMBasicBlockRef *test = range_tests(b, &tests);
        for (unsigned i = 0; i < tests; i++)
            c->block[n++] = test[i];
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
    make_numbers(c);
    order_blocks(c);
    number_values(c);
    find_loops(c);
    c->rounds = scratch(c->n_blocks * sizeof *c->rounds);
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

bool exec_is_helper(LLVMValueRef fn, const struct module *helper)
{
    unsigned length = 0;
    const char *file = LLVMGetDebugLocFilename(fn, &length);
    const char *last = strrchr(helper->loc.file, '/');
    last = last ? last + 1 : helper->loc.file;
    unsigned n = (unsigned)strlen(last);
    return LLVMGetDebugLocLine(fn) == helper->loc.line && length >= n &&
           memcmp(file + length - n, last, n) == 0 && (length == n || file[length - n - 1] == '/');
}

LLVMValueRef exec_find_helper(struct exec *x, const struct module *helper)
{
    for (unsigned i = 0; i < x->n_units; i++) {
        LLVMValueRef fn = LLVMGetNamedFunction(x->unit[i].ir, helper->name);
        if (fn && !LLVMIsDeclaration(fn) && exec_is_helper(fn, helper))
            return fn;
    }
    return NULL;
}
