// SPDX-License-Identifier: Apache-2.0
/*
 * keep.c - HLS_KEEP functions: a call becomes one node, the body a module of its own.
 *
 * Declarations say what the parameters are; LLVM IR has them as the calling convention of x86-64
 * wants them: one number up to 64 bits, two up to 128, the address of a copy (byval) above; results
 * alike, as a number, a pair, or stored where the first parameter points (sret).
 */
#include "exec/exec.h"

#include <llvm-c/Target.h>
#include <string.h>

/* What parameter i of fn points to if it is passed in memory (`how`: byval, sret), else NULL. */
LLVMTypeRef passed_in_memory(LLVMValueRef fn, unsigned i, const char *how)
{
    if (i >= LLVMCountParams(fn))
        return NULL;
    unsigned kind = LLVMGetEnumAttributeKindForName(how, strlen(how));
    LLVMAttributeRef attribute = LLVMGetEnumAttributeAtIndex(fn, i + 1, kind);
    return attribute ? LLVMGetTypeAttributeValue(attribute) : NULL;
}

static unsigned bits_in_memory(struct exec *x, LLVMTypeRef type)
{
    return 8 * (unsigned)LLVMABISizeOfType(LLVMGetModuleDataLayout(x->unit[0].ir), type);
}

static struct node *widened(struct exec *x, struct node *n, bool is_signed, unsigned width)
{
    return is_signed && width > n->width ? mk_sext(x->g, n, width) : mk_resize(x->g, n, width);
}

/* The parameters of fn from `first` on that carry `width` bits together: how many, how wide. */
static unsigned pieces(LLVMValueRef fn, unsigned first, unsigned width, unsigned *total)
{
    unsigned n = 0;
    *total = 0;
    while (first + n < LLVMCountParams(fn) && (n == 0 || *total < width))
        *total += bit_width(LLVMTypeOf(LLVMGetParam(fn, first + n++)));
    return n;
}

/* ---- a call ---------------------------------------------------------------------------------------- */

/* The operands from *p on as a value of `width` bits; *p moves behind them. */
static struct node *operand(struct exec *x, LLVMValueRef fn, LLVMValueRef inst, unsigned *p,
                            unsigned width)
{
    LLVMTypeRef type = passed_in_memory(fn, *p, "byval");
    if (type) {
        struct value *at = exec_value(x, LLVMGetOperand(inst, (*p)++));
        return mk_resize(x->g, mem_load_bits(x, &at->ptr, bits_in_memory(x, type) / 8), width);
    }
    unsigned total, n = pieces(fn, *p, width, &total);
    struct node *value = exec_node(x, LLVMGetOperand(inst, (*p)++));
    for (unsigned i = 1; i < n; i++)
        value = mk_concat2(x->g, exec_node(x, LLVMGetOperand(inst, (*p)++)), value);
    return mk_resize(x->g, value, width);
}

/* The result as the instructions after the call expect it. */
static struct value *returned(struct exec *x, LLVMValueRef fn, LLVMValueRef inst, struct node *n)
{
    LLVMTypeRef type = passed_in_memory(fn, 0, "sret");
    if (type) {
        struct value *at = exec_value(x, LLVMGetOperand(inst, 0));
        mem_store_bits(x, &at->ptr, mk_resize(x->g, n, bits_in_memory(x, type)));
        return NULL;
    }
    type = LLVMTypeOf(inst);
    if (LLVMGetTypeKind(type) != LLVMStructTypeKind)
        return value_node(mk_resize(x->g, n, bit_width(type)));
    struct value *pair = scratch(sizeof *pair);
    *pair = (struct value){.kind = VALUE_LIST, .n_list = LLVMCountStructElementTypes(type)};
    pair->list = scratch(pair->n_list * sizeof *pair->list);
    n = mk_resize(x->g, n, bits_in_memory(x, type));
    for (unsigned i = 0, low = 0; i < pair->n_list; i++) {
        unsigned width = bit_width(LLVMStructGetTypeAtIndex(type, i));
        pair->list[i] = value_node(mk_slice(x->g, n, low, width));
        low += width;
    }
    return pair;
}

struct value *keep_call(struct exec *x, struct module *keep, LLVMValueRef fn, LLVMValueRef inst)
{
    struct node **arg = scratch((keep->in.n + 1) * sizeof *arg);
    unsigned p = passed_in_memory(fn, 0, "sret") ? 1 : 0;
    for (unsigned i = 0; i < keep->in.n; i++)
        arg[i] = operand(x, fn, inst, &p, keep->in.leaf[i].width);
    struct module *m = x->module;
    bool known = false;
    for (unsigned i = 0; i < m->n_keeps; i++)
        known |= m->keeps[i] == keep;
    if (!known)
        PUSH(m->keeps, m->n_keeps, keep);
    return returned(x, fn, inst, mk_call(x->g, keep, arg));
}

/* ---- the body -------------------------------------------------------------------------------------- */

static struct value *memory_for(struct exec *x, LLVMTypeRef type, const char *name)
{
    return value_pointer((struct pointer){.obj = object_local(x, type, name)});
}

/* One parameter, the input n, as LLVM's parameters from *p on. */
static void parameter(struct exec *x, LLVMValueRef fn, const struct leaf *leaf, struct node *n,
                      struct value **arg, unsigned *p)
{
    LLVMTypeRef type = passed_in_memory(fn, *p, "byval");
    if (type) {
        arg[*p] = memory_for(x, type, leaf->name);
        n = widened(x, n, leaf->is_signed, bits_in_memory(x, type));
        mem_store_bits(x, &arg[(*p)++]->ptr, n);
        return;
    }
    unsigned total, count = pieces(fn, *p, leaf->width, &total);
    n = widened(x, n, leaf->is_signed, total);
    for (unsigned low = 0; count > 0; count--, (*p)++) {
        unsigned width = bit_width(LLVMTypeOf(LLVMGetParam(fn, *p)));
        arg[*p] = value_node(mk_slice(x->g, n, low, width));
        low += width;
    }
}

/* The value of the function as one number, or NULL. */
static struct node *one_number(struct exec *x, const struct value *v)
{
    if (v && v->kind == VALUE_NODE)
        return v->node;
    struct node *n = NULL;
    for (unsigned i = 0; v && v->kind == VALUE_LIST && i < v->n_list; i++) {
        struct node *part = one_number(x, v->list[i]);
        if (!part)
            return NULL;
        n = n ? mk_concat2(x->g, part, n) : part;
    }
    return n;
}

struct node *keep_body(struct exec *x, LLVMValueRef fn)
{
    struct module *m = x->module;
    struct value **arg = scratch((LLVMCountParams(fn) + 1) * sizeof *arg);
    LLVMTypeRef type = passed_in_memory(fn, 0, "sret");
    unsigned p = 0;
    if (type)
        arg[p++] = memory_for(x, type, m->name);
    for (unsigned i = 0; i < m->in.n; i++)
        parameter(x, fn, &m->in.leaf[i], mk_input(x->g, i, m->in.leaf[i].width), arg, &p);
    struct value *result = exec_function(x, fn, arg);
    if (x->failed)
        return NULL;
    return type ? mem_load_bits(x, &arg[0]->ptr, bits_in_memory(x, type) / 8)
                : one_number(x, result);
}
