// SPDX-License-Identifier: Apache-2.0
/*
 * exec_call.c - calls: children's clocks, HLS_KEEP functions, helpers, checks, LLVM intrinsics.
 */
#include "exec/exec.h"

#include <llvm-c/Target.h>
#include <stdlib.h>
#include <string.h>

static bool starts(const char *name, const char *prefix)
{
    return strncmp(name, prefix, strlen(prefix)) == 0;
}

static struct node *arg_node(struct exec *x, LLVMValueRef inst, unsigned i)
{
    return exec_node(x, LLVMGetOperand(inst, i));
}

/* What the call says of the address that argument i is. */
static unsigned arg_align(LLVMValueRef inst, unsigned i)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("align", strlen("align"));
    LLVMAttributeRef align = LLVMGetCallSiteEnumAttribute(inst, i + 1, kind);
    return align ? (unsigned)LLVMGetEnumAttributeValue(align) : 1;
}

/* ---- children ------------------------------------------------------------------------------------------- */

/* The instance element that a pointer argument means; NULL after an error. */
static struct call_record *child_of(struct exec *x, struct value *self, struct module *child,
                                    struct instance **inst)
{
    if (self->kind != VALUE_POINTER || self->ptr.obj->kind != OBJECT_SELF) {
        exec_error(x, "pass the address of a member: &self->child",
                   "'%s' is called on something that is no member of the module's struct",
                   child->name);
        return NULL;
    }
    struct pointer *p = &self->ptr;
    unsigned element;
    *inst = field_instance(x->module, p->offset, &element);
    if (!*inst || (*inst)->module != child) {
        exec_error(x, "declare it as a member of type struct of that module",
                   "no instance of '%s' here", child->name);
        return NULL;
    }
    if (p->n_terms) {
        exec_error(x, "call the elements in a loop with a constant bound",
                   "'%s' is called with a variable index", (*inst)->c);
        return NULL;
    }
    struct call_record *call = &x->call[*inst - x->module->inst][element];
    if (call->done) {
        exec_error(x, "one call is one clock: call each instance once", "'%s' is called twice",
                   (*inst)->c);
        exec_note(x, call->loc, "the first call");
        return NULL;
    }
    if (x->wait) {
        exec_error(x,
                   "let the process fill the child's input struct, and call the child behind it, "
                   "in every clock",
                   "'%s' is called in a process", (*inst)->c);
        return NULL;
    }
    if (!path_is_always(x->path)) {
        exec_error(x,
                   "call it unconditionally and give it an input that says what to do: registers "
                   "are clocked every clock",
                   "'%s' is called under a condition", (*inst)->c);
        return NULL;
    }
    call->done = true;
    call->loc = (*inst)->call = x->loc;
    return call;
}

static void call_child(struct exec *x, struct module *child, LLVMValueRef inst)
{
    struct instance *where;
    struct call_record *call = child_of(x, exec_value(x, LLVMGetOperand(inst, 0)), child, &where);
    if (!call)
        return;
    struct value *in = exec_value(x, LLVMGetOperand(inst, 1));
    if (in->kind != VALUE_POINTER) {
        exec_error(x, "pass the address of an input struct", "'%s' gets no inputs", where->c);
        return;
    }
    call->input = scratch((child->in.n + 1) * sizeof *call->input);
    for (unsigned l = 0; l < child->in.n && !x->failed; l++) {
        struct leaf *leaf = &child->in.leaf[l];
        struct node **part = scratch(leaf->count * sizeof *part);
        for (unsigned e = 0; e < leaf->count; e++) {
            struct pointer p =
                pointer_plus(in->ptr, leaf->offset + element_offset(leaf->dims, leaf->n_dims, e));
            part[leaf->count - 1 - e] =
                mk_resize(x->g, mem_load_bits(x, &p, leaf->bytes), leaf->width);
        }
        call->input[l] = mk_concat(x->g, leaf->count, part);
    }
}

/* ---- checks ------------------------------------------------------------------------------------------------ */

static const char *text_of(LLVMValueRef string)
{
    LLVMValueRef global = LLVMIsAConstantExpr(string) ? LLVMGetOperand(string, 0) : string;
    LLVMValueRef init = LLVMIsAGlobalVariable(global) ? LLVMGetInitializer(global) : NULL;
    size_t length;
    if (!init || !LLVMIsConstantString(init))
        return "condition";
    const char *text = LLVMGetAsString(init, &length);
    return format("%.*s", (int)length, text);
}

/* hls_reset_by(in->rst, ...): nothing happens before it, and nothing at all when it is 1. */
static void own_reset(struct exec *x, const struct node *by)
{
    struct module *m = x->module;
    int rst = input_rst(m);
    bool right = rst >= 0 && by->op == OP_INPUT && by->index == (unsigned)rst;
    if (!right || x->frame->up || !path_is_always(x->path) || m->resets)
        exec_error(x,
                   "write hls_reset_by(in->rst, the reset function, self) once, at the top of the "
                   "module's function",
                   "hls_reset_by by what is no input of one bit called rst, or under a condition");
    m->resets = true;
}

static void user_check(struct exec *x, LLVMValueRef inst)
{
    struct node *kind = arg_node(x, inst, 0), *ok = arg_node(x, inst, 1);
    if (is_const(kind) && const_value(kind) == CHECK_RESET)
        own_reset(x, mk_slice(x->g, ok, 0, 1));
    else if (is_const(kind) && const_value(kind) == CHECK_ONE_CLOCK)
        x->in_one_clock = !is_zero(ok);
    else if (is_const(kind))
        exec_check(x, (enum check_kind)const_value(kind), mk_slice(x->g, ok, 0, 1),
                   text_of(LLVMGetOperand(inst, 2)), false);
}

/* ---- intrinsics ---------------------------------------------------------------------------------------------- */

static struct node *ones(struct exec *x, struct node *n)
{
    struct node *sum = mk_const(x->g, n->width, 0);
    struct node **list = NULL; /* add in pairs: a balanced tree */
    unsigned count = 0;
    for (unsigned i = 0; i < n->width; i++)
        PUSH_SCRATCH(list, count, mk_zext(x->g, mk_slice(x->g, n, i, 1), n->width));
    while (count > 1) {
        unsigned half = 0;
        for (unsigned i = 0; i + 1 < count; i += 2)
            list[half++] = mk_add(x->g, list[i], list[i + 1]);
        if (count % 2)
            list[half++] = list[count - 1];
        count = half;
    }
    return count ? list[0] : sum;
}

static struct node *mirrored(struct exec *x, struct node *n, unsigned group)
{
    struct node **part = NULL;
    unsigned count = 0;
    for (unsigned i = 0; i < n->width; i += group)
        PUSH_SCRATCH(part, count, mk_slice(x->g, n, i, group));
    return mk_concat(x->g, count, part);
}

/* Zeros below the lowest one: the number of ones in (n - 1) & ~n. */
static struct node *trailing_zeros(struct exec *x, struct node *n)
{
    struct node *below = mk_sub(x->g, n, mk_const(x->g, n->width, 1));
    return ones(x, mk_and(x->g, below, mk_not(x->g, n)));
}

static struct node *funnel(struct exec *x, LLVMValueRef inst, bool left)
{
    struct node *a = arg_node(x, inst, 0), *b = arg_node(x, inst, 1), *c = arg_node(x, inst, 2);
    unsigned width = a->width;
    struct node *by = mk_urem(x->g, c, mk_const(x->g, width, width));
    struct node *both = mk_concat2(x->g, a, b);
    return left ? mk_slice(x->g, mk_shl(x->g, both, by), width, width)
                : mk_slice(x->g, mk_lshr(x->g, both, by), 0, width);
}

static struct value *with_overflow(struct exec *x, LLVMValueRef inst, const char *name)
{
    struct node *a = arg_node(x, inst, 0), *b = arg_node(x, inst, 1);
    bool sign = *name == 's';
    const char *op = name + 1;
    unsigned width = a->width, wide = 2 * width;
    struct node *(*extend)(struct graph *, struct node *, unsigned) = sign ? mk_sext : mk_zext;
    const binary_fn fn = starts(op, "add") ? mk_add : starts(op, "sub") ? mk_sub : mk_mul;
    struct node *wide_a = extend(x->g, a, wide), *wide_b = extend(x->g, b, wide);
    struct node *exact = fn(x->g, wide_a, wide_b);
    struct node *kept = mk_slice(x->g, exact, 0, width);
    struct value *v = scratch(sizeof *v);
    v->kind = VALUE_LIST;
    v->n_list = 2;
    v->list = scratch(2 * sizeof *v->list);
    v->list[0] = value_node(kept);
    v->list[1] = value_node(mk_not(x->g, mk_eq(x->g, exact, extend(x->g, kept, wide))));
    return v;
}

static struct node *saturated(struct exec *x, LLVMValueRef inst, const char *op)
{
    struct node *a = arg_node(x, inst, 0), *b = arg_node(x, inst, 1);
    struct graph *g = x->g;
    unsigned width = a->width;
    bool add = starts(op + 1, "add"), sign = *op == 's';
    struct node *wide_a = sign ? mk_sext(g, a, width + 1) : mk_zext(g, a, width + 1);
    struct node *wide_b = sign ? mk_sext(g, b, width + 1) : mk_zext(g, b, width + 1);
    struct node *exact = add ? mk_add(g, wide_a, wide_b) : mk_sub(g, wide_a, wide_b);
    struct node *top = mk_slice(g, exact, width, 1), *low = mk_slice(g, exact, 0, width);
    if (!sign) { /* all ones, or zero below zero */
        struct node *limit = mk_const(g, width, 0);
        return mk_mux(g, top, add ? mk_not(g, limit) : limit, low);
    }
    struct node *rest = mk_sext(g, mk_not(g, top), width - 1);
    struct node *limit = mk_concat2(g, top, rest);
    struct node *msb = mk_slice(g, exact, width - 1, 1);
    return mk_mux(g, mk_xor(g, top, msb), limit, low);
}

static struct node *absolute(struct exec *x, struct node *a, bool in_range)
{
    if (in_range)
        ub_absolute(x, a);
    struct node *minus = mk_sub(x->g, mk_const(x->g, a->width, 0), a);
    return mk_mux(x->g, mk_msb(x->g, a), minus, a);
}

static struct node *numeric(struct exec *x, LLVMValueRef inst, const char *name)
{
    struct graph *g = x->g;
    struct node *a = arg_node(x, inst, 0);
    struct node *b = LLVMGetNumOperands(inst) > 2 ? arg_node(x, inst, 1) : NULL;
    if (starts(name, "umin."))
        return mk_mux(g, mk_ult(g, a, b), a, b);
    if (starts(name, "umax."))
        return mk_mux(g, mk_ult(g, a, b), b, a);
    if (starts(name, "smin."))
        return mk_mux(g, mk_slt(g, a, b), a, b);
    if (starts(name, "smax."))
        return mk_mux(g, mk_slt(g, a, b), b, a);
    if (starts(name, "abs."))
        return absolute(x, a, is_ones(b)); /* 1: as __builtin_abs() has it */
    if (starts(name, "ctpop."))
        return ones(x, a);
    if (starts(name, "cttz."))
        return trailing_zeros(x, a);
    if (starts(name, "ctlz."))
        return trailing_zeros(x, mirrored(x, a, 1));
    if (starts(name, "bswap."))
        return mirrored(x, a, 8);
    if (starts(name, "bitreverse."))
        return mirrored(x, a, 1);
    if (starts(name, "fshl."))
        return funnel(x, inst, true);
    if (starts(name, "fshr."))
        return funnel(x, inst, false);
    if (starts(name + 1, "add.sat.") || starts(name + 1, "sub.sat."))
        return saturated(x, inst, name);
    if (starts(name, "expect."))
        return a;
    return NULL;
}

static void block_move(struct exec *x, LLVMValueRef inst, bool fill)
{
    struct value *to = exec_value(x, LLVMGetOperand(inst, 0));
    struct value *from = exec_value(x, LLVMGetOperand(inst, 1));
    struct node *n = arg_node(x, inst, 2);
    if (to->kind != VALUE_POINTER || from->kind != (fill ? VALUE_NODE : VALUE_POINTER) ||
        !is_const(n)) {
        exec_error(x, "assign whole structs or members", "a copy of a size that varies");
        return;
    }
    ub_aligned(x, &to->ptr, arg_align(inst, 0));
    if (fill) {
        mem_fill(x, &to->ptr, mk_slice(x->g, from->node, 0, 8), const_value(n));
        return;
    }
    ub_aligned(x, &from->ptr, arg_align(inst, 1));
    mem_copy(x, &to->ptr, &from->ptr, const_value(n));
}

/* dbg.declare: the variable that an alloca stands for, by the name the source gives it. */
static void declare_variable(struct exec *x, LLVMValueRef inst)
{
    LLVMValueRef what = LLVMGetOperand(inst, 0), variable = LLVMGetOperand(inst, 1), at;
    if (LLVMGetMDNodeNumOperands(what) != 1)
        return;
    LLVMGetMDNodeOperands(what, &at);
    unsigned n = LLVMGetMDNodeNumOperands(variable), length;
    if (!at || n < 2 || !LLVMIsAAllocaInst(at))
        return;
    LLVMValueRef *part = scratch(n * sizeof *part);
    LLVMGetMDNodeOperands(variable, part);
    struct value *v = exec_value(x, at);
    const char *name = part[1] ? LLVMGetMDString(part[1], &length) : NULL;
    if (!name || v->kind != VALUE_POINTER)
        return;
    v->ptr.obj->name = exec_name(x, name, length);
    v->ptr.obj->declared = true;
    v->ptr.obj->declared_behind = x->wait;
    v->ptr.obj->loc = x->loc;
}

static const char stop_advice[] =
    "assert that it does not come to that: hls_assert(condition), which hardware leaves out";

static struct value *intrinsic(struct exec *x, LLVMValueRef inst, const char *name)
{
    if (starts(name, "dbg.declare")) {
        declare_variable(x, inst);
        return NULL;
    }
    if (starts(name, "dbg.") || starts(name, "lifetime.") || starts(name, "assume"))
        return NULL;
    if (starts(name, "var.annotation") && process_mark(x, inst))
        return NULL;
    if (starts(name, "ptr.annotation"))
        return exec_value(x, LLVMGetOperand(inst, 0));
    if (starts(name, "memcpy.") || starts(name, "memmove.") || starts(name, "memset.")) {
        block_move(x, inst, starts(name, "memset."));
        return NULL;
    }
    if (strstr(name, ".with.overflow."))
        return with_overflow(x, inst, name);
    if (strcmp(name, "trap") == 0 || strcmp(name, "debugtrap") == 0) {
        exec_error(x, stop_advice, "'__builtin_%s' stops a program, and hardware goes on", name);
        return value_bad("a stop");
    }
    struct node *n = LLVMGetNumArgOperands(inst) ? numeric(x, inst, name) : NULL;
    if (n)
        return value_node(n);
    if (starts(name, "va_start") || starts(name, "va_end"))
        exec_error(x, "give the function a fixed list of parameters", "variable arguments");
    else
        exec_error(x, "write it out in C", "'llvm.%s' cannot be lowered", name);
    return value_bad("an unknown operation");
}

/*
 * Functions of the C library that mean what clang's builtins of the name do, when none of the files has them. false: it
 * is none of those.
 */
static bool library(struct exec *x, LLVMValueRef inst, const char *name, struct value **result)
{
    bool fill = strcmp(name, "memset") == 0;
    if (fill || strcmp(name, "memcpy") == 0 || strcmp(name, "memmove") == 0) {
        block_move(x, inst, fill);
        *result = exec_value(x, LLVMGetOperand(inst, 0));
        return true;
    }
    if (strcmp(name, "abs") != 0 && strcmp(name, "labs") != 0 && strcmp(name, "llabs") != 0)
        return false;
    *result = value_node(absolute(x, arg_node(x, inst, 0), true));
    return true;
}

/* What a program does and hardware cannot, with what to write instead. false: nobody knows the function. */
static bool of_programs(struct exec *x, const char *name)
{
    static const char *const stop[] = {"abort", "exit", "_Exit", "quick_exit"};
    static const char *const print[] = {"printf", "fprintf", "puts", "putchar", "fputs"};
    for (unsigned i = 0; i < sizeof stop / sizeof *stop; i++)
        if (strcmp(name, stop[i]) == 0) {
            exec_error(x, stop_advice, "'%s' stops a program, and hardware goes on", name);
            return true;
        }
    for (unsigned i = 0; i < sizeof print / sizeof *print; i++)
        if (strcmp(name, print[i]) == 0) {
            exec_error(x, "count it in a register, or print it in the test bench",
                       "'%s' prints, and hardware has nowhere to", name);
            return true;
        }
    if (strcmp(name, "__assert_fail") != 0)
        return false;
    exec_error(x, "write hls_assert(condition)", "'assert' stops a program, and hardware goes on");
    return true;
}

/* ---- any call --------------------------------------------------------------------------------------------------- */

/*
 * Argument i as the callee sees it. A struct too large for registers comes as the address of the
 * caller's own (byval in LLVM): the callee gets a copy, which it may change.
 */
static struct value *argument(struct exec *x, LLVMValueRef fn, unsigned i, LLVMValueRef inst)
{
    struct value *v = exec_value(x, LLVMGetOperand(inst, i));
    LLVMTypeRef type = passed_in_memory(fn, i, "byval");
    if (!type || v->kind != VALUE_POINTER)
        return v;
    size_t length;
    const char *name = LLVMGetValueName2(LLVMGetParam(fn, i), &length);
    struct object *o = object_local(x, type, exec_name(x, name, length));
    o->parameter = true;
    o->align = arg_align(inst, i);
    struct pointer copy = {.obj = o};
    mem_copy(x, &copy, &v->ptr, LLVMABISizeOfType(LLVMGetModuleDataLayout(x->unit[0].ir), type));
    return value_pointer(copy);
}

/* The variable that the result of a call is stored to, or else the helper. */
static const char *scope_of(struct exec *x, LLVMValueRef fn, LLVMValueRef inst)
{
    LLVMValueRef to = passed_in_memory(fn, 0, "sret") ? LLVMGetOperand(inst, 0) : NULL;
    LLVMUseRef use = LLVMGetFirstUse(inst);
    LLVMValueRef user = use ? LLVMGetUser(use) : NULL;
    if (!to && user && LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == inst)
        to = LLVMGetOperand(user, 1);
    if (to && LLVMIsAAllocaInst(to)) {
        struct value *v = exec_value(x, to);
        if (v->kind == VALUE_POINTER && v->ptr.obj->declared && !v->ptr.obj->parameter)
            return v->ptr.obj->name;
    }
    size_t length;
    const char *name = LLVMGetValueName2(fn, &length);
    return exec_name(x, name, length);
}

static struct value *call_helper(struct exec *x, LLVMValueRef fn, LLVMValueRef inst)
{
    unsigned n = LLVMGetNumArgOperands(inst);
    struct value **arg = scratch((n + 1) * sizeof *arg);
    if (LLVMIsFunctionVarArg(LLVMGlobalGetValueType(fn))) {
        exec_error(x, "give the function a fixed list of parameters", "variable arguments");
        return NULL;
    }
    unsigned base = x->state->n;
    for (unsigned i = 0; i < n; i++)
        arg[i] = argument(x, fn, i, inst);
    x->scope = scope_of(x, fn, inst);
    struct value *result = exec_function(x, fn, arg);
    x->state->n = base;
    return result;
}

struct value *exec_call(struct exec *x, LLVMValueRef inst)
{
    LLVMValueRef fn = LLVMGetCalledValue(inst);
    if (LLVMIsAInlineAsm(fn)) {
        exec_error(x, "write it in C", "assembly code");
        return value_bad("assembly code");
    }
    if (!LLVMIsAFunction(fn)) {
        exec_error(x, "choose among functions with a switch", "a call through a function pointer");
        return value_bad("a function pointer");
    }
    size_t length;
    const char *name = LLVMGetValueName2(fn, &length);
    if (starts(name, "llvm."))
        return intrinsic(x, inst, name + 5);
    if (strcmp(name, "hls_rtl_check") == 0) {
        user_check(x, inst);
        return NULL;
    }
    struct module *callee = design_find(x->design, name);
    if (callee && callee->keep)
        return keep_call(x, callee, fn, inst);
    if (callee) {
        if (x->in_reset)
            exec_error(x, "call the child's reset function", "a clock of '%s' in reset", name);
        else
            call_child(x, callee, inst);
        return NULL;
    }
    for (unsigned i = 0; i < x->design->n; i++) {
        struct module *m = x->design->module[i];
        if (!m->keep && m != x->module && m->reset_name && strcmp(m->reset_name, name) == 0) {
            struct instance *where;
            if (!x->in_reset) {
                exec_error(
                    x, "reset is a wire to all registers: give the child an input that clears it",
                    "the reset function '%s' is called in a clock", name);
                return NULL;
            }
            child_of(x, exec_value(x, LLVMGetOperand(inst, 0)), m, &where);
            return NULL;
        }
    }
    LLVMValueRef body = LLVMIsDeclaration(fn) ? exec_find(x, name) : fn;
    struct value *result;
    if (body)
        return function_call(x, body, inst, name, &result) ? result : call_helper(x, body, inst);
    if (library(x, inst, name, &result))
        return result;
    if (of_programs(x, name))
        return value_bad("an unknown function");
    exec_error(x, "define it in one of the files, as static inline in a header for helpers",
               "'%s' has no body here", name);
    return value_bad("an unknown function");
}
