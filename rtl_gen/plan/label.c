// SPDX-License-Identifier: Apache-2.0
/*
 * label.c - numbers that the C calls by a name have that name, as localparams: values of enums those of their
 * enumerators, others what their line of the C says.
 */
#include "base/text.h"
#include "plan/plan.h"
#include "graph/graph.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

/* The enum of the register or port that a node is, whole or by one element. */
static const struct enumeration *leaf_enumeration(const struct module *m, const struct node *n)
{
    const struct node *of = n->op == OP_SLICE ? n->args[0] : n;
    const struct leaf *leaf = leaf_of(m, of);
    if (leaf == NULL || n->width != leaf->width || (n != of && n->index % leaf->width))
        return NULL;
    return leaf->enumeration;
}

/* What is not known yet of a choice: its next argument to look at, or NULL when it is decided. */
static const struct node *undecided(const struct module *m, const struct node *n)
{
    struct info *info = info_of(m, n);
    info->labels = leaf_enumeration(m, n);
    for (unsigned k = 1; n->op == OP_MUX && k < 3 && info->labels == NULL; k++) {
        if (!info_of(m, n->args[k])->labels_known)
            return n->args[k];
        info->labels = info_of(m, n->args[k])->labels;
    }
    info->labels_known = true;
    return NULL;
}

/* A choice between enumerators is of that enum. */
const struct enumeration *enumeration_of(const struct module *m, const struct node *n)
{
    static const struct node **open;
    static unsigned room;
    unsigned n_open = 0;
    const struct node *next = info_of(m, n)->labels_known ? NULL : n;
    while (next || n_open > 0) {
        if (next)
            PUSH_WORK(open, n_open, room, next);
        next = undecided(m, open[n_open - 1]);
        n_open -= next == NULL;
    }
    return info_of(m, n)->labels;
}

/* ---- states of processes --------------------------------------------------------------------------- */

static bool is_process(const struct module *m, const struct enumeration *e)
{
    bool found = false;
    for (unsigned i = 0; i < m->n_process; i++)
        found |= m->self.leaf[m->process[i].leaf].enumeration == e;
    return found;
}

/* Whether this part is `bit`, or its inverse, or a constant; then its value for both values of the bit. */
static bool part_by(const struct node *part, const struct node *bit, uint64_t value[2])
{
    const bool inverse = part->op == OP_NOT && part->args[0] == bit;
    for (unsigned k = 0; k < 2; k++)
        value[k] = value[k] << part->width |
                   (is_const(part) ? const_value(part) : (uint64_t)(inverse ? !k : k));
    return is_const(part) || inverse || part == bit;
}

static struct node *bit_of(struct node *part)
{
    return part->op == OP_NOT ? part->args[0] : part;
}

bool state_choice(const struct module *m, const struct enumeration *e, struct node *n,
                  struct state_choice *c)
{
    if (!is_process(m, e) || n->width != e->width || (n->width == 1 && is_leaf(n)) ||
        (n->width > 1 && n->op != OP_CONCAT) || n->op == OP_MUX)
        return false;
    uint64_t value[2] = {0};
    struct node **part = n->width == 1 ? &n : n->args;
    const unsigned n_parts = n->width == 1 ? 1 : n->n_args;
    *c = (struct state_choice){.width = e->width};
    for (unsigned k = 0; k < n_parts && !c->bit; k++)
        if (!is_const(part[k]) && part[k]->width == 1)
            c->bit = bit_of(part[k]);
    for (unsigned k = 0; k < n_parts; k++)
        if (!c->bit || !part_by(part[k], c->bit, value))
            return false;
    for (unsigned i = 0; i < e->n; i++)
        for (unsigned k = 0; k < 2; k++)
            if (e->value[i] == value[k])
                c->label[k] = e->label[i], c->value[k] = value[k];
    return c->label[0] && c->label[1];
}

/* ---- what they are called ------------------------------------------------------------------------ */

static const char *enumerator(const struct enumeration *e, const struct node *value)
{
    for (unsigned i = 0; e && i < e->n; i++)
        if (is_value(value, e->value[i]))
            return e->label[i];
    return NULL;
}

/* What the C calls it under this key. */
static const char *name_among(const struct names *all, const char *key, const struct node *value)
{
    const struct constant *c = key ? names_find(all, key) : NULL;
    while (c && (significant(value) > 64 || !is_value(value, c->value)))
        c = c->next;
    return c ? c->name : NULL;
}

static bool computes(const struct node *n)
{
    const enum op_kind kind = op_info[n->op].kind;
    return kind == KIND_SUM || kind == KIND_QUOTIENT || kind == KIND_SHIFT || n->op == OP_AND ||
           n->op == OP_OR || n->op == OP_XOR;
}

static const char *name_compared(const struct module *m, const struct node *test,
                                 const struct node *value)
{
    return name_among(&m->constants->compared, place(test->loc), value);
}

/* Of a sum, a mask and the like. */
static const char *name_computed(const struct module *m, const struct node *of,
                                 const struct node *value)
{
    return value->width == 1 || is_zero(value)
               ? NULL
               : name_among(&m->constants->computed, place(of->loc), value);
}

/* What the line of a choice calls one of its values. One bit says no more by a name. */
static const char *name_chosen(const struct module *m, const struct node *choice,
                               const struct node *value)
{
    return is_const(value) && value->width > 1
               ? name_among(&m->constants->given, place(choice->loc), value)
               : NULL;
}

/* The same; a zero only beside another name: most zeros are what a mask leaves. */
static const char *name_given(const struct module *m, const struct node *choice,
                              const struct node *value)
{
    const char *name = name_chosen(m, choice, value);
    for (unsigned k = 1; name && is_zero(value); k++) {
        if (k == 3)
            return NULL;
        if (!is_zero(choice->args[k]) && name_chosen(m, choice, choice->args[k]))
            break;
    }
    return name;
}

static const char *key(const char *c, unsigned width, uint64_t value)
{
    return format("%u %" PRIu64 " %s", width, value, c);
}

static const char *key_of(const char *c, const struct node *value)
{
    return key(c, value->width, const_value(value));
}

const char *state_label(const struct plan *p, const struct state_choice *c, unsigned k)
{
    return names_find(&p->label_of, key(c->label[k], c->width, c->value[k]));
}

/* A function has those of its module, apart from one that a variable of its own hides. */
static const char *localparam(const struct plan *p, const char *c, const struct node *value)
{
    const struct plan *of = p->outer ? p->outer : p;
    const char *name = c ? names_find(&of->label_of, key_of(c, value)) : NULL;
    assert(name || !c);
    return name && p->outer && names_find(&p->used, name) ? NULL : name;
}

const char *label_of(const struct plan *p, const struct enumeration *e, const struct node *value)
{
    return localparam(p, enumerator(e, value), value);
}

/* The name, if it was free. */
static const char *declared_name(const struct module *m, const char *c, const struct node *value)
{
    const struct plan *of = m->plan->outer ? m->plan->outer : m->plan;
    return c && names_find(&of->label_of, key_of(c, value)) ? localparam(m->plan, c, value) : NULL;
}

const char *constant_name(const struct module *m, const struct node *user, const struct node *value)
{
    if (user == NULL)
        return NULL;
    if (op_info[user->op].kind == KIND_TEST)
        return localparam(m->plan, name_compared(m, user, value), value);
    return declared_name(
        m, computes(user) ? name_computed(m, user, value) : name_given(m, user, value), value);
}

/* Of a reset value that is no enumerator: what the reset function calls it when it gives it to the member. */
static const char *name_reset(const struct module *m, const struct leaf *leaf,
                              const struct node *value)
{
    const char *dot = strrchr(leaf->c, '.'), *member = dot ? dot + 1 : leaf->c;
    if (leaf->count != 1 || value->width == 1 || !m->reset_name)
        return NULL;
    return name_among(&m->constants->given, format("%s %s", m->reset_name, member), value);
}

const char *reset_name(const struct module *m, unsigned leaf)
{
    const struct leaf *l = &m->self.leaf[leaf];
    const struct node *value = m->reg[leaf].reset;
    const char *label = l->count == 1 ? label_of(m->plan, l->enumeration, value) : NULL;
    return label ? label : declared_name(m, name_reset(m, l, value), value);
}

/* ---- which of them the text has ------------------------------------------------------------------- */

struct label *label_made(struct plan *p, const char *c, unsigned width, uint64_t value)
{
    const char *name = names_find(&p->label_of, key(c, width, value));
    for (unsigned i = 0; name && i < p->n_labels; i++)
        if (strcmp(p->label[i].name, name) == 0)
            return &p->label[i];
    name = unique_name(p, c);
    names_set(&p->label_of, key(c, width, value), (void *)name);
    PUSH(p->label, p->n_labels, (struct label){c, name, value, width, IN_MODULE, false});
    return &p->label[p->n_labels - 1];
}

struct labelling {
    struct module *m;
    enum section section;
    bool
        given; /* what choices give and sums take; comparisons and enums have their names by then */
};

static void declare_value(const struct labelling *x, const char *c, unsigned width, uint64_t value)
{
    struct plan *p = x->m->plan->outer ? x->m->plan->outer : x->m->plan;
    if (names_find(&p->label_of, key(c, width, value)))
        return;
    const char *name = unique_name(p, c);
    names_set(&p->label_of, key(c, width, value), (void *)name);
    PUSH(p->label, p->n_labels,
         (struct label){c, name, value, width, x->section == IN_MODULE ? IN_MODULE : IN_CHECKS,
                        false});
}

static void declare(const struct labelling *x, const char *c, const struct node *value)
{
    if (c)
        declare_value(x, c, value->width, const_value(value));
}

/* A name that stands for this number alone, in one width. */
static void declare_free(const struct labelling *x, const char *c, const struct node *value)
{
    const struct plan *p = x->m->plan->outer ? x->m->plan->outer : x->m->plan;
    bool free = c && !name_taken(p, c) && !name_reserved(p, c);
    for (unsigned i = 0; c && i < p->n_labels; i++)
        free &= strcmp(p->label[i].c, c) != 0;
    if (free)
        declare(x, c, value);
}

static bool has_name(const struct module *m, struct node *const *lane, unsigned n)
{
    const struct view *view;
    struct ref r;
    return n == 1 ? node_ref(m, lane[0], &r) : row_kind(m, lane, n, &view) != ROW_OPERATION;
}

/* Values of an enum: constants, also in the arms of a choice that is written where it is needed. */
static void declare_values(const struct labelling *x, const struct enumeration *e,
                           struct node *const *lane, unsigned n)
{
    struct state_choice c;
    if (row_same(lane, n))
        n = 1;
    if (n == 1 && is_const(lane[0])) {
        declare(x, enumerator(e, lane[0]), lane[0]);
    } else if (e && !has_name(x->m, lane, n) && state_choice(x->m, e, lane[0], &c)) {
        for (unsigned k = 0; k < 2; k++)
            declare_value(x, c.label[k], c.width, c.value[k]);
    } else if (e && lane[0]->op == OP_MUX && !has_name(x->m, lane, n)) {
        struct node ***args = lane_args(x->m, lane, n);
        declare_values(x, e, args[1], n);
        declare_values(x, e, args[2], n);
    }
}

/* Of a choice, a sum, a mask. */
static void declare_user(const struct labelling *x, struct node *const *lane, unsigned n)
{
    const bool choice = lane[0]->op == OP_MUX;
    struct node ***value = lane_args(x->m, lane, n);
    for (unsigned k = choice; k < lane[0]->n_args; k++)
        if (is_const(value[k][0]) && row_same(value[k], n))
            declare_free(x,
                         choice ? name_given(x->m, lane[0], value[k][0])
                                : name_computed(x->m, lane[0], value[k][0]),
                         value[k][0]);
}

/* Of a comparison: by the enum that is compared, or by the line, which has zeros that it does not write. */
static void declare_operand(void *context, struct node *const *lane, unsigned n)
{
    const struct labelling *x = context;
    if (x->given && (lane[0]->op == OP_MUX || computes(lane[0])))
        declare_user(x, lane, n);
    if (x->given || op_info[lane[0]->op].kind != KIND_TEST)
        return;
    struct node ***args = lane_args(x->m, lane, n);
    bool first = lane[0]->op != OP_EQ && is_const(args[0][0]);
    struct node **operand = args[!first];
    const struct enumeration *e = lane[0]->op == OP_EQ ? enumeration_of(x->m, args[0][0]) : NULL;
    declare_values(x, e, operand, n);
    if (is_const(operand[0]) && row_same(operand, n) && !enumerator(e, operand[0]) &&
        !is_zero(operand[0]))
        declare(x, name_compared(x->m, lane[0], operand[0]), operand[0]);
}

const struct enumeration *target_enumeration(const struct module *m, const struct target *t)
{
    if (t->net)
        return enumeration_of(m, t->net);
    const struct leaf *leaf = &m->self.leaf[t->leaf];
    return t->width == leaf->width ? leaf->enumeration : NULL;
}

/* What is assigned, and the values of a case. */
static void declare_statement(void *context, const struct seq *s, unsigned n)
{
    const struct labelling *x = context;
    if (x->given) {
        if (is_assignment(s) && s->assign.choice && !s->assign.sets && row_same(s->assign.value, n))
            declare_free(x, name_given(x->m, s->assign.choice, s->assign.value[0]),
                         s->assign.value[0]);
        return;
    }
    if (is_assignment(s) && !s->assign.sets)
        declare_values(x, target_enumeration(x->m, &s->assign), s->assign.value, n);
    for (unsigned i = 0; s->selector && i < s->n_arms; i++)
        for (unsigned k = 0; k < s->arm[i].n; k++) {
            const struct node *test = s->arm[i].test[k], *value = test->args[1];
            const char *c = enumerator(enumeration_of(x->m, s->selector), value);
            declare(x, c ? c : name_compared(x->m, test, value), value);
        }
}

/* What a net of an enum is made of. */
static void declare_made(const struct labelling *x, struct node *const *lane, unsigned n)
{
    const struct enumeration *e = enumeration_of(x->m, lane[0]);
    struct state_choice c;
    if (e && state_choice(x->m, e, lane[0], &c)) {
        for (unsigned k = 0; k < 2; k++)
            declare_value(x, c.label[k], c.width, c.value[k]);
        return;
    }
    if (!e || lane[0]->op != OP_MUX)
        return;
    struct node ***args = lane_args(x->m, lane, n);
    declare_values(x, e, args[1], n);
    declare_values(x, e, args[2], n);
}

static void declare_nets(struct labelling *x, const struct row_visit *v)
{
    struct module *m = x->m;
    for (unsigned i = 0; i < m->graph.n; i++) {
        struct node *n = m->graph.node[i];
        const struct info *info = info_found(m, n);
        if (!is_needed(m, n) || info->section != x->section || info->vec || info->choice)
            continue;
        declare_operand(x, &n, 1);
        if (!x->given && info->is_net)
            declare_made(x, &n, 1);
    }
    for (unsigned i = 0; i < m->plan->n_vectors; i++) {
        const struct vector *vector = m->plan->vector[i];
        if (!vector->needed || vector->section != x->section)
            continue;
        walk_vector(m, vector, *v);
        if (!x->given && !vector->gathered)
            declare_made(x, vector->lane, vector->n);
    }
    for (unsigned i = 0; i < m->plan->n_choices; i++) {
        const struct choice *c = m->plan->choice[i];
        if (c->done && info_of(m, c->net[0])->section == x->section)
            walk_choice(m, c, v);
    }
}

static void declare_resets(struct labelling *x)
{
    struct module *m = x->m;
    for (unsigned i = 0; i < m->self.n && m->reg; i++) {
        const struct reg_info *r = &m->reg[i];
        const struct leaf *leaf = &m->self.leaf[i];
        if (!r->next || r->forwarded || !r->reset)
            continue;
        if (x->given)
            declare_free(x, name_reset(m, leaf, r->reset), r->reset);
        else if (leaf->count == 1)
            declare(x, enumerator(leaf->enumeration, r->reset), r->reset);
    }
}

static void walk_port_rows(struct module *m, const struct row_visit *v)
{
    for (unsigned k = 0; k < m->n_inst; k++)
        for (unsigned i = 0; i < m->inst[k].module->in.n; i++)
            if (m->plan->port_row[k][i])
                walk_row(m, m->plan->port_row[k][i], m->inst[k].count, v);
}

static void plan_some(struct module *m, enum section section, bool given)
{
    struct labelling x = {m, section, given};
    const struct row_visit v = {.context = &x,
                                .node = skip_node,
                                .view = skip_view,
                                .operation = declare_operand,
                                .statement = declare_statement};
    declare_nets(&x, &v);
    if (section != IN_MODULE)
        return;
    walk_blocks(m, &v);
    walk_port_rows(m, &v);
    declare_resets(&x);
}

void plan_labels(struct module *m, enum section section)
{
    plan_some(m, section, false);
    plan_some(m, section, true);
}
