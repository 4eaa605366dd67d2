// SPDX-License-Identifier: Apache-2.0
/*
 * build.c - one module from its functions: reset values, next state, memory ports, inputs of
 * children.
 *
 * The reset function is executed on an unknown state and must leave constants; the step function on
 * registers and inputs. Then what the execution met is collected: forwarded outputs become wires
 * to the child's register, reads of a BRAM its read register's enable and address.
 */
#include "exec/build.h"
#include "base/budget.h"
#include "exec/exec.h"
#include "graph/walk.h"

#include <stdlib.h>
#include <string.h>

/* ---- the start of an execution --------------------------------------------------------------------------- */

static struct object *self_object(struct exec *x)
{
    struct object *o = scratch(sizeof *o);
    *o = (struct object){.kind = OBJECT_SELF, .name = "self", .loc = x->module->loc};
    o->layout = x->module->self;
    o->align = o->layout.align;
    o->slot = 0;
    return o;
}

static void start(struct exec *x, bool in_reset)
{
    struct module *m = x->module;
    x->in_reset = in_reset;
    x->path = ALWAYS;
    x->frame = NULL;
    x->loc = m->loc;
    x->g->here = m->loc;
    x->failed = false;
    x->self = self_object(x);
    x->wait = NULL;
    x->n_processes = 0;
    x->state = resized(NULL, sizeof *x->state);
    *x->state = (struct state){.refs = 1};
    exec_slots(x, m->self.n);
    for (unsigned i = 0; i < m->self.n; i++) {
        struct leaf *leaf = &m->self.leaf[i];
        if (!in_reset && leaf->storage == STORE_REG)
            x->state->slot[i] = value_node(mk_reg(x->g, i, leaf->width * leaf->count));
    }
    x->call = scratch((m->n_inst + 1) * sizeof *x->call);
    for (unsigned i = 0; i < m->n_inst; i++)
        x->call[i] = scratch(m->inst[i].count * sizeof **x->call);
}

static void stop(struct exec *x)
{
    if (--x->state->refs == 0) {
        freed(x->state->slot);
        freed(x->state);
    }
    x->state = NULL;
}

static struct object *input_object(struct exec *x)
{
    struct module *m = x->module;
    struct object *o = scratch(sizeof *o);
    *o = (struct object){.kind = OBJECT_IN, .name = "in", .loc = m->loc, .layout = m->in};
    o->align = m->in.align;
    o->vector = scratch((m->in.n + 1) * sizeof *o->vector);
    for (unsigned i = 0; i < m->in.n; i++)
        o->vector[i] = mk_input(x->g, i, m->in.leaf[i].width * m->in.leaf[i].count);
    return o;
}

/* ---- reset ----------------------------------------------------------------------------------------------- */

static bool has_undef(const struct graph *g, const struct node *top)
{
    bool *under = scratch(top->id + 1), found = false;
    under[top->id] = true;
    for (unsigned i = top->id + 1; i-- > 0;) {
        const struct node *n = g->node[i];
        found |= under[i] && n->op == OP_UNDEF;
        for (unsigned k = 0; under[i] && k < n->n_args; k++)
            under[n->args[k]->id] = true;
    }
    return found;
}

static void take_reset(struct exec *x, unsigned i)
{
    struct leaf *leaf = &x->module->self.leaf[i];
    struct value *v = x->state->slot[i];
    if (!v || v->kind != VALUE_NODE || v->node->op == OP_UNDEF)
        return; /* untouched: check.c says whether that is right */
    if (!is_const(v->node)) {
        x->loc = leaf->loc;
        exec_error(x, "a reset value is a constant, one for every element",
                   has_undef(x->g, v->node) ? "the reset value of '%s' depends on what is not reset"
                                            : "the reset value of '%s' is not constant",
                   leaf->c);
        return;
    }
    x->module->reg[i].reset = v->node;
}

static void reset_function(struct exec *x)
{
    struct module *m = x->module;
    LLVMValueRef fn = exec_find(x, m->reset_name);
    if (!fn) {
        exec_error(x, "give its file on the command line too", "'%s' has no body here",
                   m->reset_name);
        return;
    }
    start(x, true);
    struct value *arg = value_pointer((struct pointer){.obj = x->self});
    exec_function(x, fn, &arg);
    for (unsigned i = 0; i < m->self.n && !x->failed; i++)
        take_reset(x, i);
    for (unsigned i = 0; i < m->n_inst && !x->failed; i++)
        for (unsigned e = 0; e < m->inst[i].count; e++)
            if (!x->call[i][e].done) {
                x->loc = m->inst[i].loc;
                exec_error(x, format("call %s in %s", m->inst[i].module->reset_name, m->reset_name),
                           "the child '%s' is not reset", m->inst[i].c);
                break;
            }
    stop(x);
}

/* ---- step -------------------------------------------------------------------------------------------------- */

static void take_children(struct exec *x)
{
    struct module *m = x->module;
    m->inst_in = arena((m->n_inst + 1) * sizeof *m->inst_in);
    for (unsigned i = 0; i < m->n_inst; i++) {
        struct instance *inst = &m->inst[i];
        m->inst_in[i] = arena((inst->module->in.n + 1) * sizeof **m->inst_in);
        for (unsigned e = 0; e < inst->count; e++)
            if (!x->call[i][e].done) {
                x->loc = inst->loc;
                exec_error(x, "call its function once, in every clock", "'%s' is never called",
                           inst->c);
                return;
            }
        for (unsigned l = 0; l < inst->module->in.n; l++) {
            struct node **part = scratch(inst->count * sizeof *part);
            for (unsigned e = 0; e < inst->count; e++)
                part[inst->count - 1 - e] = x->call[i][e].input[l];
            m->inst_in[i][l] = mk_concat(x->g, inst->count, part);
        }
    }
}

static void step_function(struct exec *x)
{
    struct module *m = x->module;
    LLVMValueRef fn = exec_find(x, m->name);
    m->resets = false;
    start(x, false);
    struct value *arg[2] = {value_pointer((struct pointer){.obj = x->self}),
                            value_pointer((struct pointer){.obj = input_object(x)})};
    exec_function(x, fn, arg);
    for (unsigned i = 0; i < m->self.n && !x->failed; i++) {
        struct value *v = x->state->slot[i];
        if (m->self.leaf[i].storage != STORE_REG)
            continue;
        if (v->kind == VALUE_NODE)
            m->reg[i].next = v->node;
        else
            exec_error(x, NULL, "%s kept in '%s'", "a pointer", m->self.leaf[i].c);
    }
    if (!x->failed && input_rst(m) >= 0 && !m->resets) {
        x->loc = m->in.leaf[input_rst(m)].loc;
        exec_error(x,
                   format("begin its function with hls_reset_by(in->rst, %s, self)", m->reset_name),
                   "the input rst of '%s' resets nothing", m->name);
    }
    if (!x->failed)
        process_states(x);
    if (!x->failed)
        take_children(x);
    stop(x);
}

static void keep_function(struct exec *x)
{
    struct module *m = x->module;
    LLVMValueRef fn = m->function ? exec_find_helper(x, m) : exec_find(x, m->name);
    start(x, false);
    struct node *result = keep_body(x, fn);
    if (!x->failed && !result)
        exec_error(x, "return one number", "HLS_KEEP function '%s' returns no number", m->name);
    else if (!x->failed)
        m->result = mk_resize(x->g, result, m->result_width);
    stop(x);
}

/* ---- forwarding ------------------------------------------------------------------------------------------------ */

/* The value as children's registers, if it is nothing but those; else NULL. */
static struct node *as_registers(struct graph *g, struct node *n)
{
    if (n->op == OP_FWD)
        return mk_inst(g, OP_INST, n->index, n->sub, n->width);
    if (n->op != OP_SLICE && n->op != OP_CONCAT)
        return NULL;
    struct node **arg = scratch(n->n_args * sizeof *arg);
    for (unsigned i = 0; i < n->n_args; i++)
        if (!(arg[i] = as_registers(g, n->args[i])))
            return NULL;
    return mk_like(g, n, arg);
}

/* Outputs that are children's registers: no register here, and reading one is reading the child. */
static void forward(struct module *m)
{
    struct map map = pass_map(m);
    bool any = false;
    for (unsigned i = 0; i < m->self.n; i++) {
        struct reg_info *reg = &m->reg[i];
        struct node *value = reg->next ? as_registers(&m->graph, reg->next) : NULL;
        if (!value || !m->self.leaf[i].out)
            continue;
        struct node *q = mk_reg(&m->graph, i, value->width);
        map.to[q->id] = value;
        reg->forwarded = any = true;
        reg->next = value;
    }
    if (any)
        pass_replace(m, map);
}

/* ---- a module ------------------------------------------------------------------------------------------------------ */

bool execute_module(struct exec *x, struct module *m)
{
    m->graph = (struct graph){0};
    graph_init(&m->graph);
    while (m->self.n > 0 && m->self.leaf[m->self.n - 1].storage == STORE_ROM)
        m->self.n--; /* found by an earlier execution, behind what stands in the struct */
    x->module = m;
    x->g = &m->graph;
    x->bdds = bdd_new(x->g);
    x->codes = NULL;
    x->steps = 0;
    x->n_calls = 0;
    budget_of(m->name, m->loc, exec_spent, x);
    x->n_owner = x->n_access = x->n_tables = x->n_checked = 0;
    m->n_bram = m->n_check = m->n_early = m->n_keeps = m->n_process = 0;
    m->reg = arena((m->self.n + 1) * sizeof *m->reg);
    for (unsigned i = 0; i < m->self.n; i++)
        m->reg[i].bram_read = -1;
    if (m->keep) {
        keep_function(x);
        return !x->failed;
    }
    reset_function(x);
    x->n_access = 0;
    if (!x->failed)
        step_function(x);
    if (!x->failed)
        memory_ports(x);
    if (!x->failed)
        forward(m);
    return !x->failed;
}

/* Once with all helpers inlined and an arm for each state of a process, and again if some of it is better otherwise. */
bool build_module(struct exec *x, struct module *m)
{
    bool quiet = x->quiet;
    x->use = NULL;
    x->n_uses = 0;
    x->grouped = NULL;
    bool good = execute_module(x, m);
    scratch_end();
    x->quiet = true; /* what there is to say has been said */
    bool again = good && choose_functions(x);
    again |= good && choose_ends(x);
    if (again) {
        good = execute_module(x, m);
        scratch_end();
    }
    x->quiet = quiet;
    return good;
}

/* clang leaves out static functions that nobody calls. */
static void drop_unused_keeps(struct exec *x)
{
    struct design *d = x->design;
    unsigned n = 0;
    for (unsigned i = 0; i < d->n; i++)
        if (!d->module[i]->keep || exec_find(x, d->module[i]->name))
            d->module[n++] = d->module[i];
    d->n = n;
}

static void add_keeps(const struct module *m, struct module ***list, unsigned *n)
{
    for (unsigned i = 0; i < m->n_keeps; i++) {
        unsigned k = 0;
        while (k < *n && (*list)[k] != m->keeps[i])
            k++;
        if (k == *n)
            PUSH_SCRATCH(*list, *n, m->keeps[i]);
    }
}

static bool keep_recursion(const struct module *m)
{
    struct module **under = NULL; /* every function that it calls, directly or not, each once */
    unsigned n = 0;
    add_keeps(m, &under, &n);
    for (unsigned i = 0; i < n; i++)
        add_keeps(under[i], &under, &n);
    while (n > 0 && under[n - 1] != m)
        n--;
    if (n > 0)
        diag_error(m->loc, "hardware has no stack: write a loop with a constant bound",
                   "recursion: HLS_KEEP function '%s' calls itself", m->name);
    return n > 0;
}

bool build(struct design *design, const struct unit *unit, unsigned n_units,
           const struct build_options *options)
{
    struct exec x = {.design = design, .unit = unit, .n_units = n_units, .options = options};
    bool ok = true;
    drop_unused_keeps(&x);
    for (unsigned i = 0; i < design->n; i++) {
        ok &= build_module(&x, design->module[i]);
        budget_of(NULL, (struct loc){0}, NULL, NULL);
    }
    for (unsigned i = 0; i < design->n; i++)
        if (design->module[i]->keep && keep_recursion(design->module[i]))
            return false;
    return ok;
}
