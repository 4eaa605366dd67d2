// SPDX-License-Identifier: Apache-2.0
/*
 * check.c - the dialect's rules that only the finished graph can answer: nothing uninitialised is
 * used, no child is read after its call except to forward it, a BRAM is read into one register,
 * every register is reset, enums hold enumerators.
 */
#include "passes/passes.h"
#include "graph/graph.h"
#include "graph/walk.h"

/* ---- leaks: nodes that must not be live ------------------------------------------------------------------ */

static void read_after_call(const struct module *m, const struct node *n)
{
    const struct instance *inst = &m->inst[n->index];
    diag_error(n->loc,
               "read it before the call; after it, only a plain copy to an output of the "
               "parent is a wire",
               "'%s.%s' is read after the call of '%s'", inst->c, leaf_of(m, n)->c, inst->c);
    diag_note(inst->call, "the call");
}

static bool leak(const struct module *m, const struct node *n)
{
    const bool forwarded = n->op == OP_FWD;
    const bool block = n->op == OP_MEMREAD && leaf_of(m, n)->storage != STORE_LUTRAM;
    if (forwarded)
        read_after_call(m, n);
    if (block)
        diag_error(n->loc,
                   "assign it to one register and use that register in the next clock: a BRAM "
                   "has a registered output",
                   "the read of '%s' goes elsewhere than into one register",
                   m->self.leaf[n->index].c);
    return forwarded || block;
}

bool check_leaks(struct module *m)
{
    pass_live(m);
    bool ok = true;
    for (unsigned i = 0; i < m->graph.n && ok; i++)
        if (m->graph.node[i]->live)
            ok = !leak(m, m->graph.node[i]);
    return ok;
}

bool check_undef(struct module *m)
{
    const char *name = NULL;
    struct loc loc;
    const struct wait *wait = NULL;
    const bool seen = undef_seen(m, &name, &loc, &wait);
    if (wait)
        diag_error(loc,
                   format("a register is a member of the struct: move '%s' there; a constant table "
                          "is static const",
                          name),
                   "'%s' does not outlive HLS_WAIT(%s), line %u", name, wait->name, wait->loc.line);
    else if (seen)
        diag_error(loc, "give it a value on every path", "%s may be used before it is set",
                   name ? format("'%s'", name) : "a value");
    return !seen;
}

/* ---- reset ----------------------------------------------------------------------------------------------------- */

static bool check_forwarded(struct module *m, unsigned i)
{
    struct reg_info *reg = &m->reg[i];
    struct node *value = reg->next;
    unsigned low = 0;
    /* the constant that the children's resets give, piece by piece from the low end; of what reads a
     * block RAM there is none */
    for (unsigned k = value->op == OP_CONCAT ? value->n_args : 1; k-- > 0;) {
        struct node *part = value->op == OP_CONCAT ? value->args[k] : value;
        struct node *source = part->op == OP_SLICE ? part->args[0] : part;
        struct module *child = m->inst[source->index].module;
        struct node *reset = child->reg[source->sub].reset;
        unsigned from = part->op == OP_SLICE ? part->index : 0;
        bool same = !reset == !reg->reset;
        for (unsigned b = 0; same && reset && b < part->width; b++)
            same = const_bit(reset, (from + b) % reset->width) == const_bit(reg->reset, low + b);
        if (!same) {
            diag_error(m->self.leaf[i].loc,
                       "give both the same reset value: the output is the child's register",
                       "'%s' forwards '%s.%s', which resets to another value", m->self.leaf[i].c,
                       m->inst[source->index].c, child->self.leaf[source->sub].c);
            return false;
        }
        low += part->width;
    }
    return true;
}

bool check_reset(struct module *m)
{
    for (unsigned i = 0; i < m->self.n && !m->keep; i++) {
        struct reg_info *reg = &m->reg[i];
        struct leaf *leaf = &m->self.leaf[i];
        if (reg->forwarded && !check_forwarded(m, i))
            return false;
        if (leaf->storage == STORE_REG && !reg->reset && reg->bram_read < 0 && !reg->forwarded) {
            diag_error(leaf->loc, format("give it a value in %s", m->reset_name),
                       "the register '%s' is not reset", leaf->c);
            return false;
        }
    }
    return true;
}

/* ---- enums -------------------------------------------------------------------------------------------------------- */

static bool is_enumerator(const struct enumeration *e, const struct node *k)
{
    for (unsigned i = 0; i < e->n; i++)
        if (is_value(k, e->value[i]))
            return true;
    return false;
}

/* Whether it is an enumerator for certain: a constant one, a choice of such, the register itself. */
static bool surely(const struct module *m, unsigned leaf, const struct node *top)
{
    const struct enumeration *e = m->self.leaf[leaf].enumeration;
    bool *asked = scratch(top->id + 1), sure = true;
    asked[top->id] = true;
    for (unsigned i = top->id + 1; sure && i-- > 0;) {
        const struct node *n = m->graph.node[i];
        if (!asked[i])
            continue;
        if (n->op == OP_MUX)
            asked[n->args[1]->id] = asked[n->args[2]->id] = true;
        else if (is_const(n))
            sure = is_enumerator(e, n);
        else
            sure = n->op == OP_REG && leaf_of(m, n)->enumeration == e;
    }
    return sure;
}

static void check_enum(struct module *m, unsigned i)
{
    struct leaf *leaf = &m->self.leaf[i];
    struct node *next = m->reg[i].next;
    struct graph *g = &m->graph;
    if (!leaf->enumeration || !next || m->reg[i].forwarded || leaf->width > 16 ||
        leaf->enumeration->n == 1u << leaf->width)
        return;
    for (unsigned k = 0; k < leaf->count; k++) {
        struct node *value = mk_slice(g, next, k * leaf->width, leaf->width);
        if (leaf->count == 1 && surely(m, i, value))
            return;
        struct node *any = mk_const(g, 1, 0);
        for (unsigned v = 0; v < leaf->enumeration->n; v++)
            any = mk_or(g, any,
                        mk_eq(g, value, mk_const(g, leaf->width, leaf->enumeration->value[v])));
        if (!is_ones(any))
            PUSH(m->check, m->n_check,
                 (struct check){
                     CHECK_ASSERT, any,
                     format("%s is an enumerator of %s", leaf->c, leaf->enumeration->name), true,
                     leaf->loc});
    }
}

void check_enums(struct module *m)
{
    for (unsigned i = 0; i < m->self.n && !m->keep; i++)
        check_enum(m, i);
}
