// SPDX-License-Identifier: Apache-2.0
/*
 * exec_ub.c - what C leaves undefined, asserted unless it is provable here that it cannot happen.
 *
 * Most of it is to be seen in the IR: additions that must not overflow, shifts, divisions, addresses. Of the rest
 * clang makes tests (compile.c says which), each with a branch to a block that traps; they end up here too.
 * README.md has a row for each kind.
 */
#include "exec/exec.h"

#include <string.h>

/* A test that is new to the hardware leaves no trace where it is known to hold. */
static void imply(struct exec *x, struct node *ok, const char *text)
{
    if (!is_ones(ok))
        exec_imply(x, ok, text);
}

/* ---- tests that clang has put in --------------------------------------------------------------------------- */

/* By the numbers of clang's SanitizerHandler. */
static const char *trap_text(unsigned long long number)
{
    switch (number) {
    case 1:
        return "__builtin_unreachable() not reached";
    case 8:
        return "count of zeros of a number that is not zero";
    case 10:
        return "bool is 0 or 1";
    default:
        return "signed left shift in range";
    }
}

bool ub_trap(struct exec *x, LLVMBasicBlockRef block, struct node *ok)
{
    static const char name[] = "llvm.ubsantrap";
    LLVMValueRef call = LLVMGetFirstInstruction(block);
    LLVMValueRef callee = LLVMIsACallInst(call) ? LLVMGetCalledValue(call) : NULL;
    if (!callee || LLVMGetIntrinsicID(callee) != LLVMLookupIntrinsicID(name, strlen(name)))
        return false;
    imply(x, ok, trap_text(LLVMConstIntGetZExtValue(LLVMGetOperand(call, 0))));
    return true;
}

/* Whether inst belongs to such a test: clang knows that it is defined. */
static bool in_test(LLVMValueRef inst)
{
    static unsigned kind;
    if (!kind)
        kind = LLVMGetMDKindID("nosanitize", strlen("nosanitize"));
    return LLVMGetMetadata(inst, kind) != NULL;
}

/* ---- arithmetic ---------------------------------------------------------------------------------------------- */

/* The sum of one bit more must be a number of this width. */
void ub_overflow(struct exec *x, LLVMValueRef inst, binary_fn op, struct node *a, struct node *b,
                 const char *what)
{
    if (!LLVMGetNSW(inst) || in_test(inst))
        return;
    unsigned width = a->width, wide = op == mk_mul ? 2 * width : width + 1;
    struct node *wide_a = mk_sext(x->g, a, wide), *wide_b = mk_sext(x->g, b, wide);
    struct node *exact = op(x->g, wide_a, wide_b);
    if (exact->signs > wide - width)
        return;
    struct node *kept = mk_sext(x->g, mk_slice(x->g, exact, 0, width), wide);
    exec_imply(x, mk_eq(x->g, exact, kept), what);
}

/* Whether n is no less than any number of its width: 1, 0 and 0 ... */
static struct node *is_least(struct exec *x, struct node *n)
{
    if (n->signs > 1)
        return mk_const(x->g, 1, 0);
    struct node *one = mk_const(x->g, n->width, 1);
    return mk_eq(x->g, n, mk_shl(x->g, one, mk_const(x->g, 32, n->width - 1)));
}

/* The least number divided by -1 is one more than the greatest. */
void ub_divide(struct exec *x, struct node *a, struct node *b, bool is_signed)
{
    struct graph *g = x->g;
    struct node *zero = mk_const(g, b->width, 0);
    exec_imply(x, mk_not(g, mk_eq(g, b, zero)), "divisor not zero");
    if (!is_signed)
        return;
    struct node *over = mk_and(g, is_least(x, a), mk_eq(g, b, mk_not(g, zero)));
    imply(x, mk_not(g, over), "signed quotient in range");
}

void ub_absolute(struct exec *x, struct node *n)
{
    imply(x, mk_not(x->g, is_least(x, n)), "absolute value in range");
}

/*
 * The amount of a shift. C converts it to the shifted type first; the conversion is looked through,
 * so that an amount that does not fit is still too far.
 */
struct node *ub_shift(struct exec *x, LLVMValueRef inst, unsigned width)
{
    LLVMValueRef amount = LLVMGetOperand(inst, 1);
    if (LLVMIsATruncInst(amount) && LLVMGetDebugLocLine(amount) == LLVMGetDebugLocLine(inst) &&
        LLVMGetDebugLocColumn(amount) == LLVMGetDebugLocColumn(inst))
        amount = LLVMGetOperand(amount, 0);
    struct node *n = exec_node(x, amount);
    if (in_test(inst))
        return n;
    unsigned bits = n->width < 64 ? 64 : n->width;
    struct node *wide = mk_zext(x->g, n, bits);
    struct node *ok = mk_ult(x->g, wide, mk_const(x->g, bits, width));
    exec_imply(x, ok, format("shift by less than %u", width));
    return n;
}

/* ---- addresses ------------------------------------------------------------------------------------------------ */

/* `align` is a power of two. */
void ub_aligned(struct exec *x, const struct pointer *p, unsigned align)
{
    struct graph *g = x->g;
    unsigned bits = align > 1 ? (unsigned)__builtin_ctz(align) : 0;
    struct node *low = NULL; /* bits of the address that have to be zero */
    if (bits && (p->offset % align || p->obj->align % align))
        low = mk_const(g, bits, p->obj->align % align ? 1 : (uint64_t)p->offset);
    for (unsigned t = 0; bits && t < p->n_terms; t++) {
        if (p->term[t].stride % align == 0)
            continue;
        struct node *index = mk_slice(g, p->term[t].index, 0, bits);
        struct node *bytes = mk_mul(g, index, mk_const(g, bits, p->term[t].stride));
        low = low ? mk_add(g, low, bytes) : bytes;
    }
    if (low)
        imply(x, mk_eq(g, low, mk_const(g, bits, 0)),
              format("an address aligned to %u bytes", align));
}

/* Whether the address is only kept, its element's members are pointed to, or what is there is read or written. */
enum use { USE_KEPT, USE_MEMBER, USE_ACCESS };

static enum use one_use(LLVMValueRef address, LLVMValueRef user)
{
    if (LLVMIsALoadInst(user))
        return USE_ACCESS;
    if (LLVMIsAStoreInst(user))
        return LLVMGetOperand(user, 1) == address ? USE_ACCESS : USE_KEPT;
    if (!LLVMIsACallInst(user))
        return USE_KEPT;
    unsigned by_value = LLVMGetEnumAttributeKindForName("byval", strlen("byval"));
    for (unsigned i = 0; i < LLVMGetNumArgOperands(user); i++)
        if (LLVMGetOperand(user, i) == address &&
            LLVMGetCallSiteEnumAttribute(user, i + 1, by_value))
            return USE_ACCESS;
    LLVMValueRef callee = LLVMGetCalledValue(user);
    return LLVMIsAFunction(callee) && LLVMGetIntrinsicID(callee) ? USE_ACCESS : USE_KEPT;
}

static enum use use_of(LLVMValueRef address)
{
    enum use most = USE_KEPT;
    for (LLVMUseRef u = LLVMGetFirstUse(address); u && most != USE_ACCESS; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        enum use here = one_use(address, user);
        if (LLVMIsAGetElementPtrInst(user))
            here = use_of(user) == USE_ACCESS ? USE_ACCESS : USE_MEMBER;
        if (here > most)
            most = here;
    }
    return most;
}

/*
 * An index into an array of `count`. Where the element is read or written, field.c checks one that varies, as only there
 * it is known of what; an address may be kept of one element more.
 */
void ub_index(struct exec *x, LLVMValueRef address, struct node *index, uint64_t count)
{
    enum use use = use_of(address);
    uint64_t limit = use == USE_KEPT ? count + 1 : count;
    if (is_const(index) && const_value(index) >= limit)
        exec_imply(x, mk_const(x->g, 1, 0),
                   format("index %lld below %llu", (long long)const_value(index),
                          (unsigned long long)limit));
    else if (use != USE_ACCESS)
        imply(x, mk_ult(x->g, index, mk_const(x->g, index->width, limit)),
              format("index of an address below %llu", (unsigned long long)limit));
}
