// SPDX-License-Identifier: Apache-2.0
/*
 * constant.c - constants of the IR: numbers of any width, and the tables they are in.
 */
#include "read/exec.h"

#include "terms/arena.h"

#include <stdlib.h>
#include <string.h>

struct global {
    LLVMValueRef v;
    const struct content *content; /* NULL until it is read */
};

static struct global *globals;
static unsigned n_globals;
static struct exec *reader; /* whose data layout the tables have */

/* LLVM-C gives 64 bits of a constant; its text has all of them, in decimal. */
static term wide_number(LLVMValueRef v, uint32_t width)
{
    char *text = LLVMPrintValueToString(v);
    const char *digit = strrchr(text, ' ') + 1;
    bool minus = *digit == '-';
    term result = term_const(width, 0), ten = term_const(width, 10);
    for (digit += minus; *digit; digit++)
        result = term_add(term_mul(result, ten), term_const(width, (uint64_t)(*digit - '0')));
    LLVMDisposeMessage(text);
    return minus ? term_sub(term_const(width, 0), result) : result;
}

static struct value address_of(struct exec *x, LLVMValueRef v)
{
    unsigned i = 0;
    while (i < n_globals && globals[i].v != v)
        i++;
    if (i == n_globals)
        PUSH(globals, n_globals, ((struct global){.v = v}));
    reader = x;
    if (!LLVMGetInitializer(v) || !LLVMIsGlobalConstant(v))
        unsupported("the variable %s, which is no constant table", LLVMGetValueName(v));
    int64_t size = exec_size(x, LLVMGlobalGetValueType(v));
    return pointer_value((struct pointer){.object = GLOBAL + i, .high = size});
}

struct value exec_constant(struct exec *x, LLVMValueRef v)
{
    LLVMTypeRef type = LLVMTypeOf(v);
    if (LLVMIsAConstantInt(v)) {
        uint32_t width = LLVMGetIntTypeWidth(type);
        return word_value(width <= 64 ? term_const(width, LLVMConstIntGetZExtValue(v))
                                      : wide_number(v, width));
    }
    if (LLVMIsAGlobalVariable(v))
        return address_of(x, v);
    if (LLVMIsAUndefValue(v) || LLVMGetTypeKind(type) == LLVMMetadataTypeKind)
        return (struct value){0};
    if (LLVMIsAConstantPointerNull(v) || LLVMIsAFunction(v))
        return (struct value){0};
    if (LLVMIsAConstantExpr(v) && LLVMGetConstOpcode(v) == LLVMGetElementPtr) {
        struct value operand[8];
        for (int i = 0; i < LLVMGetNumOperands(v) && i < 8; i++)
            operand[i] = exec_constant(x, LLVMGetOperand(v, (unsigned)i));
        return pointer_value(exec_element(x, v, operand));
    }
    unsupported("the constant %s", LLVMPrintValueToString(v));
}

/* ---- tables ---------------------------------------------------------------------------------- */

static void lay_out(struct exec *x, struct content *c, int64_t offset, LLVMValueRef v)
{
    LLVMTypeRef type = LLVMTypeOf(v);
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (LLVMIsNull(v) && kind != LLVMPointerTypeKind) {
        int64_t size = exec_size(x, type);
        PUSH(c->cell, c->n,
             ((struct cell){offset, size, word_value(term_const((uint32_t)(8 * size), 0))}));
    } else if (kind == LLVMArrayTypeKind) {
        int64_t size = exec_size(x, LLVMGetElementType(type));
        for (unsigned i = 0; i < LLVMGetArrayLength2(type); i++)
            lay_out(x, c, offset + i * size, LLVMGetAggregateElement(v, i));
    } else if (kind == LLVMStructTypeKind) {
        for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
            lay_out(x, c, offset + (int64_t)LLVMOffsetOfElement(x->data, type, i),
                    LLVMGetAggregateElement(v, i));
    } else if (!LLVMIsAUndefValue(v)) {
        struct value value = exec_constant(x, v);
        int64_t size = (int64_t)LLVMStoreSizeOfType(x->data, type);
        if (value.kind == VALUE_WORD)
            value.t = term_zext(value.t, (uint32_t)(8 * size));
        PUSH(c->cell, c->n, ((struct cell){offset, size, value}));
    }
}

const struct content *exec_global(uint32_t object)
{
    struct global *g = &globals[object - GLOBAL];
    if (!g->content) {
        struct content *c = arena(sizeof *c);
        lay_out(reader, c, 0, LLVMGetInitializer(g->v));
        c->shared = true;
        g->content = c;
    }
    return g->content;
}
