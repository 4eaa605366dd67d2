// SPDX-License-Identifier: Apache-2.0
/*
 * call.c - calls: intrinsics of LLVM, checks, functions that are cut, and all others, which are followed.
 */
#include "read/exec.h"

#include "terms/arena.h"

#include <string.h>

static bool begins(const char *name, const char *with)
{
    return strncmp(name, with, strlen(with)) == 0;
}

static int64_t constant(struct value v)
{
    uint64_t k;
    if (v.kind != VALUE_WORD || !const_value(v.t, &k))
        unsupported("a copy whose size is not constant");
    return (int64_t)k;
}

static void copy(struct exec *x, struct state *s, const struct value *argument)
{
    int64_t size = constant(argument[2]);
    struct content c = exec_load(x, s, *argument[1].p, size);
    exec_store(x, s, *argument[0].p, size, &c);
}

static void fill(struct exec *x, struct state *s, const struct value *argument)
{
    int64_t size = constant(argument[2]);
    term byte = argument[1].t, all = byte;
    if (!is_zero(byte))
        for (int64_t i = 1; i < size; i++)
            all = term_concat(all, byte);
    else
        all = term_const((uint32_t)(8 * size), 0);
    struct content c = {0};
    if (size)
        PUSH(c.cell, c.n, ((struct cell){0, size, word_value(all)}));
    exec_store(x, s, *argument[0].p, size, &c);
}

/* Those of the low half and those of the high half. */
static term count_ones(term a)
{
    uint32_t width = width_of(a), low = width / 2;
    if (width == 1)
        return a;
    term ones = count_ones(term_extract(a, 0, low));
    term more = count_ones(term_extract(a, low, width - low));
    return term_add(term_zext(ones, width), term_zext(more, width));
}

/* How many zeros before the first one, from the low or the high end. */
static term count_zeros(term a, bool high)
{
    uint32_t width = width_of(a);
    term result = term_const(width, width);
    for (uint32_t i = width; i-- > 0;) {
        uint32_t at = high ? width - 1 - i : i;
        result = term_ite(term_extract(a, at, 1), term_const(width, i), result);
    }
    return result;
}

static term reversed(term a, uint32_t unit)
{
    term result = NO_TERM;
    for (uint32_t i = 0; i < width_of(a); i += unit) {
        term piece = term_extract(a, i, unit);
        result = result ? term_concat(result, piece) : piece;
    }
    return result;
}

/* Result and whether it does not fit: computed with enough bits and compared. */
static struct value with_overflow(const char *op, bool is_signed, term a, term b)
{
    uint32_t width = width_of(a), wide = 2 * width;
    term wa = is_signed ? term_sext(a, wide) : term_zext(a, wide);
    term wb = is_signed ? term_sext(b, wide) : term_zext(b, wide);
    term r = begins(op, "add")   ? term_add(wa, wb)
             : begins(op, "sub") ? term_sub(wa, wb)
                                 : term_mul(wa, wb);
    term cut = term_extract(r, 0, width);
    term back = is_signed ? term_sext(cut, wide) : term_zext(cut, wide);
    struct value *item = arena(2 * sizeof *item);
    item[0] = word_value(cut);
    item[1] = word_value(term_not(term_eq(back, r)));
    return (struct value){.kind = VALUE_GROUP, .item = item, .n = 2};
}

static term funnel(term high, term low, term amount, bool left)
{
    uint32_t width = width_of(high);
    term both = term_concat(high, low);
    term by = term_zext(term_divide(OP_UREM, amount, term_const(width, width)), 2 * width);
    both = term_shift(left ? OP_SHL : OP_LSHR, both, by);
    return term_extract(both, left ? width : 0, width);
}

static term absolute(term a)
{
    return term_ite(term_extract(a, width_of(a) - 1, 1), term_sub(term_const(width_of(a), 0), a),
                    a);
}

/* llvm.<name> on words; a kind of VALUE_NONE: not one of these. */
static struct value word_intrinsic(const char *name, const struct value *v)
{
    term a = v[0].t, b = v[1].t;
    if (begins(name, "ctpop."))
        return word_value(count_ones(a));
    if (begins(name, "cttz.") || begins(name, "ctlz."))
        return word_value(count_zeros(a, name[2] == 'l'));
    if (begins(name, "bswap."))
        return word_value(reversed(a, 8));
    if (begins(name, "bitreverse."))
        return word_value(reversed(a, 1));
    if (begins(name, "abs."))
        return word_value(absolute(a));
    if (begins(name, "umin.") || begins(name, "umax."))
        return word_value(term_ite(term_ult(a, b), name[2] == 'i' ? a : b, name[2] == 'i' ? b : a));
    if (begins(name, "smin.") || begins(name, "smax."))
        return word_value(term_ite(term_slt(a, b), name[2] == 'i' ? a : b, name[2] == 'i' ? b : a));
    if (begins(name, "fshl.") || begins(name, "fshr."))
        return word_value(funnel(a, b, v[2].t, name[3] == 'l'));
    if (strstr(name, ".with.overflow."))
        return with_overflow(name + 1, name[0] == 's', a, b);
    return (struct value){0};
}

static struct value intrinsic(struct exec *x, struct state *s, const char *name,
                              const struct value *argument)
{
    if (begins(name, "dbg.") || begins(name, "lifetime.") || begins(name, "assume") ||
        begins(name, "var.annotation."))
        return (struct value){0};
    if (begins(name, "ptr.annotation."))
        return argument[0];
    if (begins(name, "memcpy.") || begins(name, "memmove.")) {
        copy(x, s, argument);
        return (struct value){0};
    }
    if (begins(name, "memset.")) {
        fill(x, s, argument);
        return (struct value){0};
    }
    struct value result = word_intrinsic(name, argument);
    if (result.kind == VALUE_NONE)
        unsupported("the intrinsic llvm.%s", name);
    return result;
}

/* Of the C library, where no file has it: as the builtin; a kind of VALUE_NONE: not one of these. */
static struct value library(struct exec *x, struct state *s, const char *name,
                            const struct value *argument)
{
    if (strcmp(name, "memcpy") == 0 || strcmp(name, "memmove") == 0) {
        copy(x, s, argument);
        return argument[0];
    }
    if (strcmp(name, "memset") == 0) {
        struct value byte = word_value(term_extract(argument[1].t, 0, 8));
        fill(x, s, (struct value[]){argument[0], byte, argument[2]});
        return argument[0];
    }
    if (strcmp(name, "abs") == 0 || strcmp(name, "labs") == 0 || strcmp(name, "llabs") == 0)
        return word_value(absolute(argument[0].t));
    return (struct value){0};
}

static bool is_cut(const struct exec *x, const char *name)
{
    for (unsigned i = 0; x->cut && x->cut[i]; i++)
        if (strcmp(x->cut[i], name) == 0)
            return true;
    return false;
}

/* The arguments, structs passed by value as objects of their own. */
static const struct value *copies(struct exec *x, struct state *s, LLVMValueRef site,
                                  const struct value *argument, unsigned n)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("byval", strlen("byval"));
    struct value *own = arena((n + 1) * sizeof *own);
    for (unsigned i = 0; i < n; i++) {
        LLVMAttributeRef by_value = LLVMGetCallSiteEnumAttribute(site, i + 1, kind);
        own[i] = argument[i];
        if (!by_value)
            continue;
        int64_t size = exec_size(x, LLVMGetTypeAttributeValue(by_value));
        struct content c = exec_load(x, s, *argument[i].p, size);
        struct pointer p = {.object = state_object(s), .high = size};
        exec_store(x, s, p, size, &c);
        own[i] = pointer_value(p);
    }
    return own;
}

struct value exec_call_site(struct exec *x, struct state *s, LLVMValueRef site,
                            const struct value *argument, unsigned n)
{
    LLVMValueRef callee = LLVMGetCalledValue(site);
    const char *name = LLVMGetValueName(callee);
    if (begins(name, "llvm."))
        return intrinsic(x, s, name + strlen("llvm."), argument);
    if (strcmp(name, "hls_rtl_check") == 0)
        return (struct value){0};
    if (is_cut(x, name)) {
        x->at_cut(x->arg, s, &(struct cut_call){name, argument, n});
        return (struct value){0};
    }
    LLVMValueRef function = LLVMCountBasicBlocks(callee) ? callee : exec_function(x, name);
    if (!function) {
        struct value result = library(x, s, name, argument);
        if (result.kind == VALUE_NONE)
            unsupported("there is no body of %s", name);
        return result;
    }
    uint32_t objects = s->n_objects;
    struct value result = exec_call(x, s, function, copies(x, s, site, argument, n));
    s->n_objects = objects;
    return result;
}
