// SPDX-License-Identifier: Apache-2.0
/*
 * exec_inst.c - one LLVM instruction on symbolic values.
 *
 * What C leaves undefined is asserted (exec_ub.c). The value is defined all the same: a shift gives zero, a division
 * gives zero, an overflow wraps.
 */
#include "exec/exec.h"

#include <llvm-c/Target.h>
#include <stdlib.h>
#include <string.h>

unsigned bit_width(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) : 64;
}

/* ---- constants -------------------------------------------------------------------------------------------- */

/* LLVM-C hands out 64 bits of a constant; wider ones are read from their decimal text. */
static struct node *wide_const(struct exec *x, LLVMValueRef v, unsigned width)
{
    char *text = LLVMPrintValueToString(v);
    const char *digit = strchr(text, ' ') + 1;
    bool negative = *digit == '-';
    unsigned words = (width + 63) / 64;
    uint64_t *bits = scratch(words * sizeof *bits);
    for (digit += negative; *digit; digit++) {
        unsigned __int128 carry = (unsigned)(*digit - '0');
        for (unsigned i = 0; i < words; i++) {
            carry += (unsigned __int128)bits[i] * 10;
            bits[i] = (uint64_t)carry;
            carry >>= 64;
        }
    }
    LLVMDisposeMessage(text);
    struct node *n = mk_const_bits(x->g, width, bits);
    return negative ? mk_sub(x->g, mk_const(x->g, width, 0), n) : n;
}

struct node *const_node(struct exec *x, LLVMValueRef v)
{
    unsigned width = bit_width(LLVMTypeOf(v));
    if (LLVMIsAUndefValue(v) || LLVMIsAPoisonValue(v))
        return mk_undef(x->g, width);
    if (LLVMIsNull(v))
        return mk_const(x->g, width, 0);
    return width > 64 ? wide_const(x, v, width)
                      : mk_const(x->g, width, LLVMConstIntGetZExtValue(v));
}

/* ---- addresses ---------------------------------------------------------------------------------------------- */

/* Variable indices are checked where the address is used (field.c): only there it is known of what. */
static void add_term(struct pointer *p, struct node *index, uint64_t stride)
{
    struct term *list = scratch((p->n_terms + 1) * sizeof *list);
    for (unsigned i = 0; i < p->n_terms; i++)
        list[i] = p->term[i];
    list[p->n_terms++] = (struct term){index, stride};
    p->term = list;
}

/*
 * Over elements of the array that p points into. What varies and what does not become one number, so that the constant
 * part of an address stays in its array: of &a[i], and then -1.
 */
static void step(struct exec *x, struct pointer *p, struct node *index, uint64_t stride)
{
    struct graph *g = x->g;
    const struct term *last = p->n_terms ? &p->term[p->n_terms - 1] : NULL;
    if (is_zero(index) || stride == 0)
        return;
    if (last && last->stride == stride) {
        index = mk_add(g, last->index, index);
        p->n_terms--;
    } else if (is_const(index)) {
        p->offset += (int64_t)(const_value(index) * stride);
        return;
    } else {
        int64_t before = (p->offset - p->low) / (int64_t)stride;
        p->offset -= before * (int64_t)stride;
        if (before)
            index = mk_add(g, index, mk_const(g, 64, (uint64_t)before));
    }
    add_term(p, index, stride);
}

/* Into the array that p points at. */
static void enter(struct pointer *p, struct node *index, uint64_t stride)
{
    p->low = p->offset;
    if (is_const(index))
        p->offset += (int64_t)(const_value(index) * stride);
    else
        add_term(p, index, stride);
}

static struct value *element_pointer(struct exec *x, LLVMValueRef inst)
{
    struct value *base = exec_value(x, LLVMGetOperand(inst, 0));
    if (base->kind != VALUE_POINTER)
        return base;
    struct pointer p = base->ptr;
    LLVMTargetDataRef data = LLVMGetModuleDataLayout(x->unit[0].ir);
    LLVMTypeRef type = LLVMGetGEPSourceElementType(inst);
    for (int i = 1; i < LLVMGetNumOperands(inst); i++) {
        LLVMValueRef index = LLVMGetOperand(inst, (unsigned)i);
        if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            unsigned member = (unsigned)LLVMConstIntGetZExtValue(index);
            p.low = p.offset += (int64_t)LLVMOffsetOfElement(data, type, member);
            type = LLVMStructGetTypeAtIndex(type, member);
            continue;
        }
        struct node *n = exec_node(x, index);
        n = n->width < 64 ? mk_sext(x->g, n, 64) : mk_slice(x->g, n, 0, 64);
        if (i == 1) {
            step(x, &p, n, LLVMABISizeOfType(data, type));
            continue;
        }
        ub_index(x, inst, n, LLVMGetArrayLength2(type));
        type = LLVMGetElementType(type);
        enter(&p, n, LLVMABISizeOfType(data, type));
    }
    return value_pointer(p);
}

/* ---- operands ----------------------------------------------------------------------------------------------- */

static struct value *constant_list(struct exec *x, LLVMValueRef v)
{
    LLVMTypeRef type = LLVMTypeOf(v);
    struct value *list = scratch(sizeof *list);
    list->kind = VALUE_LIST;
    list->n_list = LLVMGetTypeKind(type) == LLVMStructTypeKind
                       ? LLVMCountStructElementTypes(type)
                       : (unsigned)LLVMGetArrayLength2(type);
    list->list = scratch(list->n_list * sizeof *list->list);
    for (unsigned i = 0; i < list->n_list; i++)
        list->list[i] = exec_value(x, LLVMGetAggregateElement(v, i));
    return list;
}

struct value *exec_value(struct exec *x, LLVMValueRef v)
{
    if (!LLVMIsConstant(v)) {
        struct value *known = x->frame->value[exec_number(x->frame->code, v)];
        return known ? known : value_bad("a value that has none");
    }
    if (LLVMIsAFunction(v))
        return value_bad("a function pointer");
    if (LLVMIsAGlobalVariable(v))
        return value_pointer((struct pointer){.obj = object_table(x, v)});
    switch (LLVMGetTypeKind(LLVMTypeOf(v))) {
    case LLVMIntegerTypeKind:
        if (LLVMIsAConstantExpr(v))
            return value_bad("an address used as a number");
        return value_node(const_node(x, v));
    case LLVMStructTypeKind:
    case LLVMArrayTypeKind:
        return constant_list(x, v);
    case LLVMPointerTypeKind:
        if (LLVMIsAConstantExpr(v) && LLVMGetConstOpcode(v) == LLVMGetElementPtr)
            return element_pointer(x, v);
        return value_bad("a null or computed pointer");
    default:
        return value_bad("floating point");
    }
}

struct node *exec_node(struct exec *x, LLVMValueRef v)
{
    struct value *value = exec_value(x, v);
    if (value->kind == VALUE_NODE)
        return value->node;
    exec_error(x, "hardware computes with numbers; use an index into an array",
               "%s used as a number", value->kind == VALUE_BAD ? value->why : "a pointer");
    return mk_undef(x->g, bit_width(LLVMTypeOf(v)));
}

/* ---- arithmetic ------------------------------------------------------------------------------------------------ */

static struct node *shift(struct exec *x, LLVMValueRef inst, struct node *a)
{
    struct node *amount = ub_shift(x, inst, a->width);
    LLVMValueRef from = LLVMGetOperand(inst, 0);
    switch (LLVMGetInstructionOpcode(inst)) {
    case LLVMShl:
        return mk_shl(x->g, a, amount);
    case LLVMLShr:
        if (LLVMIsAInstruction(from) && LLVMGetInstructionOpcode(from) == LLVMAdd &&
            a->width < 32 && !x->quiet)
            diag_warning(x->loc, "widen an operand before adding",
                         "the carry of this %u-bit addition is lost before the shift", a->width);
        return mk_lshr(x->g, a, amount);
    default: {
        struct node *far = mk_ult(x->g, amount, mk_const(x->g, amount->width, a->width));
        if ((amount->width < 32 && a->width >> amount->width) || amount->width == 1)
            far = mk_const(x->g, 1, 1); /* the amount cannot reach the width */
        struct node *shifted = mk_ashr(x->g, a, amount);
        return mk_mux(x->g, far, shifted, mk_const(x->g, a->width, 0));
    }
    }
}

static const struct arithmetic {
    binary_fn make;
    const char *range; /* what C wants of the signed result; or NULL */
    enum { NO_DIVISION, UNSIGNED_DIVISION, SIGNED_DIVISION } division;
} arithmetic[] = {
    [LLVMAdd] = {.make = mk_add, .range = "signed sum in range"},
    [LLVMSub] = {.make = mk_sub, .range = "signed difference in range"},
    [LLVMMul] = {.make = mk_mul, .range = "signed product in range"},
    [LLVMUDiv] = {.make = mk_udiv, .division = UNSIGNED_DIVISION},
    [LLVMURem] = {.make = mk_urem, .division = UNSIGNED_DIVISION},
    [LLVMSDiv] = {.make = mk_sdiv, .division = SIGNED_DIVISION},
    [LLVMSRem] = {.make = mk_srem, .division = SIGNED_DIVISION},
    [LLVMAnd] = {.make = mk_and},
    [LLVMOr] = {.make = mk_or},
    [LLVMXor] = {.make = mk_xor},
};

/* Bits of a number; of a magnitude if it has a sign. */
static unsigned number_bits(const struct node *n, bool is_signed)
{
    return is_signed && n->signs ? n->width - n->signs + 1 : significant(n);
}

/* A row of subtractions per bit of the quotient, which hardly anybody wants to have in one clock. */
static void wide_division(struct exec *x, const struct node *a, const struct node *b,
                          bool is_signed)
{
    enum { NARROW = 8 };
    const unsigned quotient = number_bits(a, is_signed), divisor = number_bits(b, is_signed);
    if (quotient > NARROW && divisor > NARROW && !is_const(b) && !x->in_one_clock && !x->quiet)
        diag_warning(
            x->loc,
            "hls/lib/div.inc takes a clock for each bit; hls_in_one_clock(a / b) if you mean it",
            "a division in one clock: %u subtractions of %u bits, one behind the other", quotient,
            divisor + 1);
}

static struct node *binary(struct exec *x, LLVMValueRef inst)
{
    struct node *a = exec_node(x, LLVMGetOperand(inst, 0));
    LLVMOpcode op = LLVMGetInstructionOpcode(inst);
    if (op == LLVMShl || op == LLVMLShr || op == LLVMAShr)
        return shift(x, inst, a);
    struct node *b = exec_node(x, LLVMGetOperand(inst, 1));
    const struct arithmetic *by = &arithmetic[op];
    if (by->range)
        ub_overflow(x, inst, by->make, a, b, by->range);
    if (by->division) {
        ub_divide(x, a, b, by->division == SIGNED_DIVISION);
        wide_division(x, a, b, by->division == SIGNED_DIVISION);
    }
    return by->make(x->g, a, b);
}

/* Of what varies only whether it is the same. */
static bool comparable(const struct value *a, const struct value *b)
{
    if (a->kind != VALUE_POINTER || b->kind != VALUE_POINTER || a->ptr.obj != b->ptr.obj ||
        a->ptr.n_terms != b->ptr.n_terms)
        return false;
    for (unsigned i = 0; i < a->ptr.n_terms; i++)
        if (a->ptr.term[i].index != b->ptr.term[i].index ||
            a->ptr.term[i].stride != b->ptr.term[i].stride)
            return false;
    return true;
}

/* Pointers into one object: loops walk over an array that way, clang over the rest of an initialised one. */
static struct node *compare_pointers(struct exec *x, LLVMValueRef inst)
{
    struct value *a = exec_value(x, LLVMGetOperand(inst, 0));
    struct value *b = exec_value(x, LLVMGetOperand(inst, 1));
    if (LLVMIsNull(LLVMGetOperand(inst, 0)) || LLVMIsNull(LLVMGetOperand(inst, 1))) {
        exec_error(x, "pass a bool beside the pointer, or the value itself",
                   "a pointer compared with null: here every pointer points to something");
        return mk_undef(x->g, 1);
    }
    if (!comparable(a, b)) {
        exec_error(x, "compare indices", "a comparison of pointers");
        return mk_undef(x->g, 1);
    }
    int64_t from = a->ptr.offset, to = b->ptr.offset;
    switch (LLVMGetICmpPredicate(inst)) {
    case LLVMIntEQ:
        return mk_const(x->g, 1, from == to);
    case LLVMIntNE:
        return mk_const(x->g, 1, from != to);
    case LLVMIntULT:
        return mk_const(x->g, 1, from < to);
    case LLVMIntULE:
        return mk_const(x->g, 1, from <= to);
    case LLVMIntUGT:
        return mk_const(x->g, 1, from > to);
    default:
        return mk_const(x->g, 1, from >= to);
    }
}

static struct node *compare(struct exec *x, LLVMValueRef inst)
{
    struct graph *g = x->g;
    if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(inst, 0))) == LLVMPointerTypeKind)
        return compare_pointers(x, inst);
    struct node *a = exec_node(x, LLVMGetOperand(inst, 0));
    struct node *b = exec_node(x, LLVMGetOperand(inst, 1));
    switch (LLVMGetICmpPredicate(inst)) {
    case LLVMIntEQ:
        return mk_eq(g, a, b);
    case LLVMIntNE:
        return mk_not(g, mk_eq(g, a, b));
    case LLVMIntULT:
        return mk_ult(g, a, b);
    case LLVMIntUGE:
        return mk_not(g, mk_ult(g, a, b));
    case LLVMIntUGT:
        return mk_ult(g, b, a);
    case LLVMIntULE:
        return mk_not(g, mk_ult(g, b, a));
    case LLVMIntSLT:
        return mk_slt(g, a, b);
    case LLVMIntSGE:
        return mk_not(g, mk_slt(g, a, b));
    case LLVMIntSGT:
        return mk_slt(g, b, a);
    default:
        return mk_not(g, mk_slt(g, b, a));
    }
}

static struct value *select_value(struct exec *x, LLVMValueRef inst)
{
    struct value *a = exec_value(x, LLVMGetOperand(inst, 1));
    struct value *b = exec_value(x, LLVMGetOperand(inst, 2));
    if (a->kind != VALUE_NODE || b->kind != VALUE_NODE)
        return value_bad("a pointer that depends on a condition");
    struct node *c = exec_node(x, LLVMGetOperand(inst, 0));
    return value_node(mk_mux(x->g, c, a->node, b->node));
}

/* ---- aggregates in registers -------------------------------------------------------------------------------------- */

static struct value *extract(struct exec *x, LLVMValueRef inst)
{
    struct value *v = exec_value(x, LLVMGetOperand(inst, 0));
    for (unsigned i = 0; i < LLVMGetNumIndices(inst); i++) {
        if (v->kind != VALUE_LIST)
            return value_bad("a member of something that is no struct");
        v = v->list[LLVMGetIndices(inst)[i]];
    }
    return v;
}

static struct value *insert(struct exec *x, LLVMValueRef inst)
{
    struct value *old = exec_value(x, LLVMGetOperand(inst, 0));
    if (old->kind != VALUE_LIST || LLVMGetNumIndices(inst) != 1)
        return value_bad("a nested struct in registers");
    struct value *v = scratch(sizeof *v);
    *v = *old;
    v->list = scratch(v->n_list * sizeof *v->list);
    memcpy(v->list, old->list, v->n_list * sizeof *v->list);
    v->list[LLVMGetIndices(inst)[0]] = exec_value(x, LLVMGetOperand(inst, 1));
    return v;
}

/* Structs of up to 16 bytes travel as {i64, i64} or the like: loaded and stored member by member. */
static struct value *load(struct exec *x, LLVMValueRef inst)
{
    struct value *p = exec_value(x, LLVMGetOperand(inst, 0));
    LLVMTypeRef type = LLVMTypeOf(inst);
    if (LLVMGetVolatile(inst))
        exec_error(x, "leave volatile away: a register needs none", "a volatile access");
    if (p->kind != VALUE_POINTER) {
        exec_error(x, "choose the value, not where it is: c ? a[i] : b[i]", "a read through %s",
                   p->kind == VALUE_BAD ? p->why : "a number");
        return p;
    }
    ub_aligned(x, &p->ptr, LLVMGetAlignment(inst));
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (kind == LLVMIntegerTypeKind || kind == LLVMPointerTypeKind)
        return mem_load(x, &p->ptr, type);
    if (kind != LLVMStructTypeKind && kind != LLVMArrayTypeKind)
        return value_bad("floating point");
    LLVMTargetDataRef data = LLVMGetModuleDataLayout(x->unit[0].ir);
    struct value *v = scratch(sizeof *v);
    v->kind = VALUE_LIST;
    v->n_list = kind == LLVMStructTypeKind ? LLVMCountStructElementTypes(type)
                                           : (unsigned)LLVMGetArrayLength2(type);
    v->list = scratch(v->n_list * sizeof *v->list);
    for (unsigned i = 0; i < v->n_list; i++) {
        LLVMTypeRef member = kind == LLVMStructTypeKind ? LLVMStructGetTypeAtIndex(type, i)
                                                        : LLVMGetElementType(type);
        uint64_t at = kind == LLVMStructTypeKind ? LLVMOffsetOfElement(data, type, i)
                                                 : i * LLVMABISizeOfType(data, member);
        struct pointer here = pointer_plus(p->ptr, (int64_t)at);
        v->list[i] = mem_load(x, &here, member);
    }
    return v;
}

static void store(struct exec *x, LLVMValueRef inst)
{
    LLVMValueRef what = LLVMGetOperand(inst, 0);
    struct value *v = exec_value(x, what), *p = exec_value(x, LLVMGetOperand(inst, 1));
    if (p->kind != VALUE_POINTER) {
        exec_error(x, "write to both, each under its condition", "a write through %s",
                   p->kind == VALUE_BAD ? p->why : "a number");
        return;
    }
    ub_aligned(x, &p->ptr, LLVMGetAlignment(inst));
    if (v->kind != VALUE_LIST) {
        mem_store(x, &p->ptr, v);
        return;
    }
    LLVMTypeRef type = LLVMTypeOf(what);
    LLVMTargetDataRef data = LLVMGetModuleDataLayout(x->unit[0].ir);
    for (unsigned i = 0; i < v->n_list; i++) {
        uint64_t at = LLVMGetTypeKind(type) == LLVMStructTypeKind
                          ? LLVMOffsetOfElement(data, type, i)
                          : i * LLVMABISizeOfType(data, LLVMGetElementType(type));
        struct pointer here = pointer_plus(p->ptr, (int64_t)at);
        mem_store(x, &here, v->list[i]);
    }
}

static struct value *local(struct exec *x, LLVMValueRef inst)
{
    size_t length;
    const char *name = LLVMGetValueName2(inst, &length);
    struct object *o = object_local(x, LLVMGetAllocatedType(inst), exec_name(x, name, length));
    o->align = LLVMGetAlignment(inst);
    if (length > 5 && strcmp(name + length - 5, ".addr") == 0) {
        o->name = exec_name(x, name, length - 5);
        o->parameter = o->declared = true;
    }
    if (strcmp(name, "retval") == 0) { /* what a helper returns has the helper's name */
        name = LLVMGetValueName2(x->frame->code->fn, &length);
        o->name = exec_name(x, name, length);
        o->parameter = o->declared = true;
    }
    return value_pointer((struct pointer){.obj = o});
}

struct value *exec_instruction(struct exec *x, LLVMValueRef inst)
{
    struct graph *g = x->g;
    unsigned width = bit_width(LLVMTypeOf(inst));
    switch (LLVMGetInstructionOpcode(inst)) {
    case LLVMAlloca:
        return local(x, inst);
    case LLVMLoad:
        return load(x, inst);
    case LLVMStore:
        store(x, inst);
        return NULL;
    case LLVMGetElementPtr:
        return element_pointer(x, inst);
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
        return value_node(binary(x, inst));
    case LLVMICmp:
        return value_node(compare(x, inst));
    case LLVMZExt:
        return value_node(mk_zext(g, exec_node(x, LLVMGetOperand(inst, 0)), width));
    case LLVMSExt:
        return value_node(mk_sext(g, exec_node(x, LLVMGetOperand(inst, 0)), width));
    case LLVMTrunc:
        return value_node(mk_slice(g, exec_node(x, LLVMGetOperand(inst, 0)), 0, width));
    case LLVMSelect:
        return select_value(x, inst);
    case LLVMFreeze:
    case LLVMBitCast:
        return exec_value(x, LLVMGetOperand(inst, 0));
    case LLVMExtractValue:
        return extract(x, inst);
    case LLVMInsertValue:
        return insert(x, inst);
    case LLVMCall:
        return exec_call(x, inst);
    case LLVMFAdd:
    case LLVMFSub:
    case LLVMFMul:
    case LLVMFDiv:
    case LLVMFRem:
    case LLVMFNeg:
    case LLVMFCmp:
    case LLVMFPToUI:
    case LLVMFPToSI:
    case LLVMUIToFP:
    case LLVMSIToFP:
    case LLVMFPTrunc:
    case LLVMFPExt:
        exec_error(x, "write the operation in integers: sign, exponent, fraction",
                   "floating point arithmetic");
        return value_bad("floating point");
    case LLVMIndirectBr:
        exec_error(x, "choose with a switch", "a computed goto");
        return NULL;
    case LLVMPtrToInt:
    case LLVMIntToPtr:
        exec_error(x, "use an index into an array", "a pointer converted to or from a number");
        return value_bad("a pointer");
    default:
        exec_error(x, "see rtl_gen/README.md for what a description may use",
                   "this construct cannot be hardware");
        return value_bad("something that cannot be hardware");
    }
}
