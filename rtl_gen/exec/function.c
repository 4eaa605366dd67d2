// SPDX-License-Identifier: Apache-2.0
/*
 * function.c - which helpers stand as Verilog functions.
 *
 * A module is executed with all helpers inlined, and calls of helpers of numbers alone are counted.
 * One that was called on two or more lists of arguments without a constant (a constant argument
 * makes the inlined body smaller than the function), that is worth its lines and that checks nothing becomes a
 * function, and the module is executed again with calls of it. Within a function one call is enough, and so it is of
 * a large helper, a CRC reads better apart, and of one marked HLS_FUNCTION.
 */
#include "exec/build.h"
#include "exec/exec.h"
#include "graph/walk.h"

#include <string.h>

enum { FEWEST_CALLS = 2, LEAST_WORK = 6 /* operations */, MUCH_WORK = 400 /* operands */ };

/* A helper and the lists of arguments that it has been called on. */
struct function_use {
    struct module *function;
    struct node ***args;
    unsigned n_calls;
    bool chosen;
};

static struct function_use *use_of(struct exec *x, struct module *function)
{
    for (unsigned i = 0; i < x->n_uses; i++)
        if (x->use[i].function == function)
            return &x->use[i];
    PUSH(x->use, x->n_uses, (struct function_use){.function = function});
    return &x->use[x->n_uses - 1];
}

static void count_call(struct function_use *use, struct node *const *args, unsigned n)
{
    for (unsigned i = 0; i < use->n_calls; i++)
        if (memcmp(use->args[i], args, n * sizeof *args) == 0)
            return;
    struct node **own = memcpy(arena(n * sizeof *own), args, n * sizeof *own);
    PUSH(use->args, use->n_calls, own);
}

bool function_call(struct exec *x, LLVMValueRef fn, LLVMValueRef inst, const char *name,
                   struct value **result)
{
    struct module *function = names_find(&x->design->helper, name);
    unsigned n = LLVMGetNumArgOperands(inst);
    if (!function || !function->function || x->in_reset || !exec_is_helper(fn, function))
        return false;
    struct node **args = scratch(n * sizeof *args);
    for (unsigned i = 0; i < n; i++) {
        struct value *v = exec_value(x, LLVMGetOperand(inst, i));
        if (v->kind != VALUE_NODE || is_const(v->node))
            return false;
        args[i] = v->node;
    }
    struct function_use *use = use_of(x, function);
    if (use->chosen)
        *result = keep_call(x, function, fn, inst);
    else
        count_call(use, args, n);
    return use->chosen;
}

/* Operations, sums of bits twice. */
static unsigned work(struct module *m)
{
    unsigned n = 0;
    pass_live(m);
    for (unsigned i = 0; i < m->graph.n; i++) {
        const struct node *node = m->graph.node[i];
        if (node->live && node->n_args > 0 && node->op != OP_SLICE)
            n += node->op == OP_XOR ? 2 : 1;
    }
    return n;
}

static unsigned operands(struct module *m)
{
    unsigned n = 0;
    pass_live(m);
    for (unsigned i = 0; i < m->graph.n; i++)
        n += m->graph.node[i]->live ? m->graph.node[i]->n_args : 0;
    return n;
}

static bool takes_all(const struct module *m)
{
    unsigned n = 0;
    for (unsigned i = 0; i < m->graph.n; i++) {
        const struct node *node = m->graph.node[i];
        if (node->live && node->op == OP_UNDEF)
            return false;
        n += node->live && node->op == OP_INPUT;
    }
    return n == m->in.n;
}

static bool calls_functions_alone(const struct module *m)
{
    for (unsigned i = 0; i < m->n_keeps; i++)
        if (!m->keeps[i]->function)
            return false;
    return true;
}

/* Its body, built once; false if it is none that stands on its own. */
static bool is_worth(struct exec *x, struct module *function)
{
    if (function->graph.n == 0) {
        struct exec body = {.design = x->design,
                            .unit = x->unit,
                            .n_units = x->n_units,
                            .options = x->options,
                            .quiet = true};
        body.names = x->names;
        function->function = exec_find_helper(&body, function) && build_module(&body, function) &&
                             function->n_check == 0 && calls_functions_alone(function);
        x->names = body.names;
        scratch_end();
        if (function->function)
            x->options->passes(function);
        function->function = function->function &&
                             (function->marked || work(function) >= LEAST_WORK) &&
                             takes_all(function);
    }
    return function->function;
}

bool choose_functions(struct exec *x)
{
    bool any = false;
    struct function_use *use = x->use;
    for (unsigned i = 0, n = x->n_uses; i < n; i++) {
        bool several =
            x->module->function || use[i].function->marked || use[i].n_calls >= FEWEST_CALLS;
        use[i].chosen = use[i].n_calls && is_worth(x, use[i].function) &&
                        (several || operands(use[i].function) >= MUCH_WORK);
        any |= use[i].chosen;
    }
    return any;
}
