// SPDX-License-Identifier: Apache-2.0
/*
 * compute.c - instructions of LLVM that compute: arithmetic, comparisons, addresses, loads and stores.
 */
#include "read/exec.h"

#include "terms/arena.h"

#include <string.h>

int64_t exec_size(const struct exec *x, LLVMTypeRef type)
{
    return (int64_t)LLVMABISizeOfType(x->data, type);
}

uint32_t exec_bits(const struct exec *x, LLVMTypeRef type)
{
    if (LLVMGetTypeKind(type) == LLVMIntegerTypeKind)
        return LLVMGetIntTypeWidth(type);
    return (uint32_t)(8 * exec_size(x, type));
}

/* ---- addresses ------------------------------------------------------------------------------- */

/* The index in 64 bits; indices are signed. */
static term index_term(struct value v)
{
    return width_of(v.t) < 64 ? term_sext(v.t, 64) : term_extract(v.t, 0, 64);
}

static void add_index(struct pointer *p, struct index i)
{
    if (p->n == MAX_INDEX)
        unsupported("more than %d indices that are not constant", MAX_INDEX);
    p->index[p->n++] = i;
}

/* Steps over elements of the array that the pointer is in. */
static void step(struct pointer *p, term t, int64_t size)
{
    if (is_const(t)) {
        p->offset += (int64_t)node_of(t)->bits[0] * size;
        return;
    }
    struct index *last = p->n ? &p->index[p->n - 1] : NULL;
    if (last && last->stride == size) { /* the element that it is at, and some more */
        last->t = term_add(last->t, t);
        return;
    }
    int64_t before = (p->offset - p->low) / size;
    p->offset -= before * size;
    add_index(p, (struct index){term_add(t, term_const(64, (uint64_t)before)), size,
                                (p->high - p->offset) / size});
}

static LLVMTypeRef into_struct(const struct exec *x, struct pointer *p, LLVMTypeRef type, term t)
{
    unsigned field = (unsigned)node_of(t)->bits[0];
    p->offset += (int64_t)LLVMOffsetOfElement(x->data, type, field);
    type = LLVMStructGetTypeAtIndex(type, field);
    p->low = p->offset;
    p->high = p->offset + exec_size(x, type);
    return type;
}

static LLVMTypeRef into_array(const struct exec *x, struct pointer *p, LLVMTypeRef type, term t)
{
    LLVMTypeRef element = LLVMGetElementType(type);
    int64_t size = exec_size(x, element), count = (int64_t)LLVMGetArrayLength2(type);
    p->low = p->offset;
    p->high = p->offset + count * size;
    if (is_const(t))
        p->offset += (int64_t)node_of(t)->bits[0] * size;
    else
        add_index(p, (struct index){t, size, count});
    return element;
}

struct pointer exec_element(struct exec *x, LLVMValueRef gep, const struct value *operand)
{
    if (operand[0].kind != VALUE_POINTER)
        unsupported("an address that is no pointer");
    struct pointer p = *operand[0].p;
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
    step(&p, index_term(operand[1]), exec_size(x, type));
    for (unsigned i = 2; i < LLVMGetNumIndices(gep) + 1; i++) {
        term t = index_term(operand[i]);
        type = LLVMGetTypeKind(type) == LLVMStructTypeKind ? into_struct(x, &p, type, t)
                                                           : into_array(x, &p, type, t);
    }
    return p;
}

/* ---- numbers --------------------------------------------------------------------------------- */

static term compare(LLVMIntPredicate predicate, term a, term b)
{
    switch (predicate) {
    case LLVMIntEQ:
        return term_eq(a, b);
    case LLVMIntNE:
        return term_not(term_eq(a, b));
    case LLVMIntULT:
        return term_ult(a, b);
    case LLVMIntUGT:
        return term_ult(b, a);
    case LLVMIntULE:
        return term_not(term_ult(b, a));
    case LLVMIntUGE:
        return term_not(term_ult(a, b));
    case LLVMIntSLT:
        return term_slt(a, b);
    case LLVMIntSGT:
        return term_slt(b, a);
    case LLVMIntSLE:
        return term_not(term_slt(b, a));
    default:
        return term_not(term_slt(a, b));
    }
}

static term divide(struct exec *x, struct state *s, enum op op, term a, term b)
{
    exec_assume(x, s, term_is_nonzero(b));
    return term_divide(op, a, b);
}

static term shift(struct exec *x, struct state *s, enum op op, term a, term b)
{
    uint32_t width = width_of(a);
    if (!is_const(b))
        exec_assume(x, s,
                    term_ult(term_resize(b, width < 32 ? 32 : width),
                             term_const(width < 32 ? 32 : width, width)));
    return term_shift(op, a, b);
}

static term binary(struct exec *x, struct state *s, LLVMOpcode op, term a, term b)
{
    switch (op) {
    case LLVMAdd:
        return term_add(a, b);
    case LLVMSub:
        return term_sub(a, b);
    case LLVMMul:
        return term_mul(a, b);
    case LLVMUDiv:
        return divide(x, s, OP_UDIV, a, b);
    case LLVMURem:
        return divide(x, s, OP_UREM, a, b);
    case LLVMSDiv:
        return divide(x, s, OP_SDIV, a, b);
    case LLVMSRem:
        return divide(x, s, OP_SREM, a, b);
    case LLVMShl:
        return shift(x, s, OP_SHL, a, b);
    case LLVMLShr:
        return shift(x, s, OP_LSHR, a, b);
    case LLVMAShr:
        return shift(x, s, OP_ASHR, a, b);
    case LLVMAnd:
        return term_and(a, b);
    case LLVMOr:
        return term_or(a, b);
    case LLVMXor:
        return term_xor(a, b);
    default:
        return NO_TERM;
    }
}

/* Addresses in one object that differ by a constant. */
static term compare_addresses(LLVMIntPredicate predicate, struct value a, struct value b)
{
    if (predicate == LLVMIntEQ || predicate == LLVMIntNE)
        return term_const(1, same_value(a, b) == (predicate == LLVMIntEQ));
    if (a.kind != VALUE_POINTER || b.kind != VALUE_POINTER || a.p->object != b.p->object ||
        a.p->n || b.p->n)
        unsupported("pointers compared by size");
    return compare(predicate, term_const(64, (uint64_t)a.p->offset),
                   term_const(64, (uint64_t)b.p->offset));
}

static struct value icmp(LLVMValueRef v, const struct value *operand)
{
    LLVMIntPredicate predicate = LLVMGetICmpPredicate(v);
    if (operand[0].kind != VALUE_WORD || operand[1].kind != VALUE_WORD)
        return word_value(compare_addresses(predicate, operand[0], operand[1]));
    return word_value(compare(predicate, operand[0].t, operand[1].t));
}

/* ---- loads, stores, groups ------------------------------------------------------------------- */

/* A value of that type out of cells. */
static struct value loaded(const struct exec *x, const struct content *c, LLVMTypeRef type)
{
    if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
        unsigned n = LLVMCountStructElementTypes(type);
        struct value *item = arena(n * sizeof *item);
        for (unsigned i = 0; i < n; i++) {
            LLVMTypeRef inner = LLVMStructGetTypeAtIndex(type, i);
            struct content part = content_read(c, (int64_t)LLVMOffsetOfElement(x->data, type, i),
                                               exec_size(x, inner));
            item[i] = loaded(x, &part, inner);
        }
        return (struct value){.kind = VALUE_GROUP, .item = item, .n = n};
    }
    struct value v = content_value(c, (int64_t)LLVMStoreSizeOfType(x->data, type));
    if (v.kind == VALUE_WORD)
        v.t = term_extract(v.t, 0, exec_bits(x, type));
    return v;
}

static void cells_of(const struct exec *x, struct content *c, int64_t offset, struct value v,
                     LLVMTypeRef type)
{
    if (v.kind == VALUE_GROUP) {
        for (unsigned i = 0; i < v.n; i++)
            cells_of(x, c, offset + (int64_t)LLVMOffsetOfElement(x->data, type, i), v.item[i],
                     LLVMStructGetTypeAtIndex(type, i));
        return;
    }
    int64_t size = (int64_t)LLVMStoreSizeOfType(x->data, type);
    if (v.kind == VALUE_WORD)
        v.t = term_zext(v.t, (uint32_t)(8 * size));
    if (v.kind != VALUE_NONE)
        PUSH(c->cell, c->n, ((struct cell){offset, size, v}));
}

static const struct pointer *address(struct value v)
{
    if (v.kind != VALUE_POINTER)
        unsupported("an access through what is no pointer");
    return v.p;
}

static struct value memory_access(struct exec *x, struct state *s, LLVMValueRef v,
                                  const struct value *operand)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(v);
    if (op == LLVMAlloca) {
        int64_t size = exec_size(x, LLVMGetAllocatedType(v));
        struct pointer p = {.object = state_object(s), .high = size};
        return pointer_value(p);
    }
    if (op == LLVMLoad) {
        LLVMTypeRef type = LLVMTypeOf(v);
        int64_t size = (int64_t)LLVMStoreSizeOfType(x->data, type);
        struct content c = exec_load(x, s, *address(operand[0]), size);
        return loaded(x, &c, type);
    }
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(v, 0));
    struct content c = {0};
    cells_of(x, &c, 0, operand[0], type);
    exec_store(x, s, *address(operand[1]), (int64_t)LLVMStoreSizeOfType(x->data, type), &c);
    return (struct value){0};
}

static struct value group(LLVMValueRef v, const struct value *operand, bool insert)
{
    const unsigned *at = LLVMGetIndices(v);
    if (LLVMGetNumIndices(v) != 1 || (!insert && operand[0].kind != VALUE_GROUP))
        unsupported("a nested aggregate value");
    if (!insert)
        return operand[0].item[at[0]];
    unsigned n = LLVMCountStructElementTypes(LLVMTypeOf(v));
    struct value *item = arena(n * sizeof *item);
    if (operand[0].kind == VALUE_GROUP)
        memcpy(item, operand[0].item, n * sizeof *item);
    item[at[0]] = operand[1];
    return (struct value){.kind = VALUE_GROUP, .item = item, .n = n};
}

struct value exec_compute(struct exec *x, struct state *s, LLVMValueRef v,
                          const struct value *operand)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(v);
    switch (op) {
    case LLVMAlloca:
    case LLVMLoad:
    case LLVMStore:
        return memory_access(x, s, v, operand);
    case LLVMGetElementPtr:
        return pointer_value(exec_element(x, v, operand));
    case LLVMICmp:
        return icmp(v, operand);
    case LLVMTrunc:
        return word_value(term_extract(operand[0].t, 0, exec_bits(x, LLVMTypeOf(v))));
    case LLVMZExt:
        return word_value(term_zext(operand[0].t, exec_bits(x, LLVMTypeOf(v))));
    case LLVMSExt:
        return word_value(term_sext(operand[0].t, exec_bits(x, LLVMTypeOf(v))));
    case LLVMSelect:
        return choose(operand[0].t, operand[1], operand[2]);
    case LLVMFreeze:
        return operand[0];
    case LLVMExtractValue:
    case LLVMInsertValue:
        return group(v, operand, op == LLVMInsertValue);
    default:
        break;
    }
    term result = NO_TERM;
    if (LLVMGetNumOperands(v) == 2 && operand[0].kind == VALUE_WORD &&
        operand[1].kind == VALUE_WORD)
        result = binary(x, s, op, operand[0].t, operand[1].t);
    if (!result)
        unsupported("instruction %s", LLVMPrintValueToString(v));
    return word_value(result);
}
