// SPDX-License-Identifier: Apache-2.0
/*
 * name.c - which nodes become nets, and what they are called.
 *
 * A node becomes a net if the text needs it more than once, if Verilog needs a name at its place
 * (to take bits of it, to read it as signed), if it carries the name of a C variable and is more
 * than one operation, or if the expression would get longer than two lines. Names are those of the
 * C: of the variable, or of the register whose value on the way to its next one it is ("count_d_2").
 * What has none says in words what it is of ("go_and_run"), else which function computes it and from what
 * ("step_given"), or at last the kind of operation ("room_or"), so that names stay when the C changes elsewhere.
 */
#include "plan/plan.h"
#include "front/front.h"
#include "graph/graph.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

/* Estimated columns of an expression, two lines, before its longest part gets a name. */
#define LONG_LINE 190

/* Estimated columns of an expression without a name that is written again wherever it is needed. */
#define SHORT_TEXT 32

enum { LONGEST_PHRASE = 36, LONGEST_COMPUTED = 28 }; /* columns of a name that is made of others */

enum { DEEPEST_OPERAND = 4 };

/* ---- leaves ---------------------------------------------------------------------------------- */

/* A function and those that it calls, which stand in front of it. */
static void claim_function(struct plan *p, struct module *f)
{
    if (!f->function || names_find(&p->function_of, f->name))
        return;
    const char *name = name_taken(p, f->name) ? format("%s_function", f->name) : f->name;
    struct function *new = arena(sizeof *new);
    *new = (struct function){.module = f, .name = unique_name(p, name)};
    names_set(&p->function_of, f->name, new);
    for (unsigned i = 0; i < f->n_keeps; i++)
        claim_function(p, f->keeps[i]);
    PUSH(p->function, p->n_functions, new);
}

/*
 * Of an argument of one word, data or row, with the function's last word before it: Verilator warns of one that hides a name in
 * whatever module is topmost, and those are names that a user has.
 */
static const char *argument_name(const struct plan *p, const char *name)
{
    return p->outer && !strchr(name, '_') ? format("%s_%s", p->prefix, name) : name;
}

/* What the ports of each instance are connected to, in SystemVerilog. */
static void name_structs(struct module *m)
{
    struct plan *p = m->plan;
    p->child_struct = arena(m->n_inst * sizeof *p->child_struct);
    for (unsigned k = 0; k < m->n_inst; k++) {
        p->child_struct[k].in = unique_name(p, format("%s_in", m->inst[k].name));
        p->child_struct[k].out = unique_name(p, format("%s_out", m->inst[k].name));
    }
}

void name_leaves(struct module *m)
{
    struct plan *p = m->plan;
    claim(p, "clk");
    claim(p, "rst");
    claim(p, "hls_state");
    if (m->package && !m->keep) {
        claim(p, "in");
        claim(p, "out");
    }
    if (m->keep && !m->function)
        claim(p, "result");
    p->in = arena(m->in.n * sizeof *p->in);
    for (unsigned i = 0; i < m->in.n; i++) {
        p->in[i] = m->in.leaf[i].name;
        if (m->function)
            p->in[i] = unique_name(p, argument_name(p, p->in[i]));
        else
            claim(p, p->in[i]);
    }
    for (unsigned i = 0; i < m->self.n; i++)
        names_set(&p->field, m->self.leaf[i].name, &m->self.leaf[i]);
    p->reg = arena(m->self.n * sizeof *p->reg);
    for (unsigned i = 0; i < m->self.n; i++)
        if (m->self.leaf[i].out && claim(p, m->self.leaf[i].name))
            p->reg[i] = m->self.leaf[i].name;
    for (unsigned i = 0; i < m->n_keeps && !m->function; i++)
        claim_function(p, m->keeps[i]);
    static const char *const unused[] = {"unused", "unused_by_checks", "unused_by_covers"};
    for (unsigned i = 0; i < SECTIONS; i++)
        p->unused[i] = unique_name(p, unused[i]);
    claim(p, m->name); /* Verilator warns of a net with the name of the module */
    claim(p, m->verilog);
    for (unsigned i = 0; i < m->self.n; i++) {
        const struct leaf *leaf = &m->self.leaf[i];
        const char *behind = is_memory(leaf) && !name_reserved(p, leaf->name) ? "" : "_q";
        if (p->reg[i] == NULL)
            p->reg[i] = unique_name(p, format("%s%s", leaf->name, behind));
    }
    p->child = arena(m->n_inst * sizeof *p->child);
    p->child_in = arena(m->n_inst * sizeof *p->child_in);
    for (unsigned k = 0; k < m->n_inst; k++) {
        const struct module *child = m->inst[k].module;
        claim(p, m->inst[k].name);
        p->child[k] = arena(child->self.n * sizeof **p->child);
        for (unsigned i = 0; i < child->self.n; i++)
            if (child->self.leaf[i].out)
                p->child[k][i] =
                    unique_name(p, format("%s_%s", m->inst[k].name, child->self.leaf[i].name));
        p->child_in[k] = arena(child->in.n * sizeof **p->child_in);
    }
    if (m->package)
        name_structs(m);
    p->genvar = unique_name(p, "i");
    p->integer = p->outer ? p->outer->integer : unique_name(p, "k");
}

void set_leaf_nets(struct module *m)
{
    struct plan *p = m->plan;
    for (unsigned i = 0; i < m->graph.n; i++) {
        const struct node *n = m->graph.node[i];
        if (n->op == OP_INPUT)
            info_of(m, n)->net = p->in[n->index];
        else if (n->op == OP_REG)
            info_of(m, n)->net = p->reg[n->index];
        else if (n->op == OP_INST || n->op == OP_FWD)
            info_of(m, n)->net = p->child[n->index][n->sub];
    }
}

/* ---- which of them get a name ---------------------------------------------------------------- */

static unsigned digits(unsigned n)
{
    return n < 10 ? 1 : n < 100 ? 2 : 3;
}

static unsigned length_of(struct module *m, struct node *n)
{
    struct info *info = info_of(m, n);
    if (info->net)
        return (unsigned)strlen(info->net);
    if (info->is_net || info->vec)
        return n->name ? (unsigned)strlen(n->name) + 1 : 14;
    if (is_const(n))
        return n->width > 10 ? 6 + n->width / 4 : 3 + digits(n->width);
    if (n->op == OP_SLICE)
        return length_of(m, n->args[0]) + 4;
    return info->length;
}

static void measure(struct module *m, struct node *n)
{
    struct info *info = info_of(m, n);
    unsigned limit = n->n_args > 3 ? 4 * LONG_LINE : LONG_LINE;
    if (n->op == OP_MUX && n->args[2]->op == OP_MUX && !info_of(m, n->args[2])->is_net)
        limit = 4 * LONG_LINE;
    if (n->op == OP_CONCAT)
        limit = 100 * LONG_LINE; /* broken between its parts */
    for (;;) {
        unsigned sum = 2, longest = 0;
        struct node *part = NULL;
        for (unsigned i = 0; i < n->n_args; i++) {
            unsigned length = length_of(m, n->args[i]);
            struct node *x = n->args[i]->op == OP_NOT ? n->args[i]->args[0] : n->args[i];
            sum += length + 3;
            if (length > longest && !is_trivial(m, x) && !info_of(m, x)->is_net) {
                longest = length;
                part = x;
            }
        }
        info->length = sum;
        if (sum <= limit || part == NULL || longest < 30)
            return;
        info_of(m, part)->is_net = true;
    }
}

static bool is_field(const struct module *m, const char *name)
{
    return names_find(&m->plan->field, name) != NULL;
}

/* More than one operation, and the value of a variable that somebody gave a name. */
static bool named_in_c(struct module *m, struct node *n)
{
    const struct info *info = info_of(m, n);
    if (n->name == NULL || is_thin(n) || is_field(m, n->name))
        return false;
    if (info->uses == 1 && info->feeds && strcmp(info->feeds, identifier(n->name)) == 0)
        return false; /* an earlier value of the same variable */
    for (unsigned i = 0; i < n->n_args; i++) {
        struct node *a = n->args[i]->op == OP_NOT ? n->args[i]->args[0] : n->args[i];
        if (!is_trivial(m, a) && !info_of(m, a)->is_net)
            return true;
    }
    return false;
}

/* A condition shorter than the name that would have to be made up for it, in few places. */
static bool is_short(struct module *m, const struct node *n)
{
    const struct info *info = info_of(m, n);
    return n->width == 1 &&
           (n->op == OP_AND || n->op == OP_OR || n->op == OP_EQ || n->op == OP_ULT) &&
           n->name == NULL && n->hint == NULL && info->uses <= 3 && info->length <= SHORT_TEXT;
}

void choose_nets(struct module *m)
{
    for (unsigned i = 0; i < m->graph.n; i++) {
        struct node *n = m->graph.node[i];
        struct info *info = info_found(m, n);
        if (!info)
            continue;
        if (info->choice && info->choice->done) {
            info->is_net = true;
            continue;
        }
        if (info->uses == 0 || (is_leaf(n) && !is_const(n)) || info->vec)
            info->is_net = false;
        if (info->uses == 0 || is_leaf(n) || info->vec)
            continue;
        measure(m, n);
        if ((info->uses > 1 && !is_thin(n) && !is_short(m, n)) || named_in_c(m, n))
            info->is_net = true;
    }
}

/* ---- their names ----------------------------------------------------------------------------- */

/* What is short and has a name: as it is in the C, without the _q of registers. */
static const char *plain_name(struct module *m, const struct node *n)
{
    if (n->op == OP_REG)
        return m->self.leaf[n->index].name;
    if (n->op == OP_SLICE && n->width == 1 && plain_name(m, n->args[0]))
        return format("%s_%u", plain_name(m, n->args[0]), n->index);
    const struct info *info = info_of(m, n);
    return info->made_up ? NULL : info->net;
}

static const char *joined(const char *a, const char *word, const char *b)
{
    if (a == NULL || b == NULL || strlen(a) + strlen(word) + strlen(b) + 2 > LONGEST_PHRASE)
        return NULL;
    return format("%s_%s_%s", a, word, b);
}

static const char *lower_case(const char *name)
{
    char *s = format("%s", name);
    for (char *p = s; *p; p++)
        *p = (char)tolower((unsigned char)*p);
    return s;
}

/* An enumerator, or the number. */
static const char *number_name(const struct enumeration *of, const struct node *n)
{
    for (unsigned i = 0; of && i < of->n; i++)
        if (is_value(n, of->value[i]))
            return lower_case(of->label[i]);
    return format("%u", (unsigned)const_value(n));
}

/* The operation in words, "go_and_slot_is_9", as long as it is of things that have names; or NULL. */
static const char *phrase(struct module *m, const struct node *n, unsigned depth,
                          const struct enumeration *of)
{
    const char *name = plain_name(m, n), *word = op_info[n->op].word;
    if (name)
        return name;
    if (is_const(n))
        return significant(n) <= 16 ? number_name(of, n) : NULL;
    if (n->op == OP_NOT && n->width == 1) {
        const struct node *x = n->args[0];
        assert(x);
        if (x->op == OP_EQ && !info_of(m, x)->net)
            return joined(phrase(m, x->args[0], 0, NULL), "is_not",
                          phrase(m, x->args[1], 0, enumeration_of(m, x->args[0])));
        name = phrase(m, x, 0, NULL);
        return name ? format("not_%s", name) : NULL;
    }
    if (n->op == OP_MEMREAD)
        return joined(m->self.leaf[n->index].name, "at", phrase(m, n->args[0], 0, NULL));
    if (word == NULL || depth == 0 || n->n_args > 2)
        return NULL;
    if (is_const(n->args[0])) /* no name begins with a number */
        return n->op == OP_ULT
                   ? joined(phrase(m, n->args[1], 0, NULL), "above", phrase(m, n->args[0], 0, NULL))
                   : NULL;
    if (n->op == OP_EQ && !is_const(n->args[1]))
        word = "eq";
    of = n->op == OP_EQ ? enumeration_of(m, n->args[0]) : NULL;
    return joined(phrase(m, n->args[0], depth - 1, NULL), word,
                  phrase(m, n->args[1], depth - 1, of));
}

/* In which states a process is: "add_go_or_add_read"; or NULL. */
static const char *states_name(struct module *m, const struct node *n, const struct node **at)
{
    if (n->op == OP_OR) {
        const char *a = states_name(m, n->args[0], at);
        return joined(a, "or", a ? states_name(m, n->args[1], at) : NULL);
    }
    if (n->op != OP_EQ || !is_const(n->args[1]) || (*at && n->args[0] != *at) ||
        !names_states(m, n->args[0]))
        return NULL;
    *at = n->args[0];
    return number_name(enumeration_of(m, *at), n->args[1]);
}

/* A name for an operation on few things that have names, or NULL. */
static const char *description(struct module *m, const struct node *n)
{
    const struct node *a = n->n_args ? n->args[0] : NULL;
    if (a && n->op == OP_SET && a->op == OP_REG)
        return format("%s_new", m->self.leaf[a->index].name);
    if (is_const(n))
        return NULL;
    const struct node *at = NULL;
    const char *words = phrase(m, n, 2, NULL);
    return words ? words : states_name(m, n, &at);
}

static const char *suffix(const struct node *n)
{
    return n->op == OP_CALL ? n->keep->name : op_info[n->op].suffix;
}

/* What has a name among that which it is made of. */
static const char *operand_name(struct module *m, const struct node *n, unsigned depth)
{
    const char *name = plain_name(m, n);
    for (unsigned i = 0; i < n->n_args && depth > 0 && !name; i++)
        name = operand_name(m, n->args[i], depth - 1);
    return name && strlen(name) <= LONGEST_PHRASE / 2 ? name : NULL;
}

/* The last word of a name, with the numbers behind it: of_8 of lowest_of_8. A name begins with no digit. */
static const char *last_word(const char *name)
{
    const char *word = name + strlen(name);
    while (word > name && (word[-1] != '_' || isdigit((unsigned char)word[0]) || *word == '\0'))
        word--;
    return word;
}

static bool one_letter(const struct node *n)
{
    const char *c = n->name ? n->name : n->hint;
    return c && strlen(c) == 1;
}

/* A name of one letter says something within its function alone: so it has that one's in front; the module's, its last word. */
static const char *name_in_c(const struct module *m, const struct node *n)
{
    const char *c = n->name ? n->name : n->hint;
    if (!one_letter(n))
        return c ? identifier(c) : NULL;
    const char *front = n->scope && strlen(n->scope) > 1 ? n->scope
                        : n->loc.in                      ? n->loc.in->name
                                                         : m->name;
    front = strcmp(front, m->name) == 0 ? last_word(front) : front;
    return format("%s_%s", identifier(front), c);
}

const char *wanted_name(struct module *m, const struct node *n)
{
    const char *c = name_in_c(m, n);
    if (c)
        return is_field(m, n->name ? n->name : n->hint) ? format("%s_d", c) : c;
    if (info_of(m, n)->inverse)
        return format("not_%s", identifier(info_of(m, n)->inverse));
    const char *described = description(m, n);
    if (described)
        return described;
    info_of(m, n)->made_up = true;
    if (n->loc.in && strcmp(n->loc.in->name, m->name) != 0)
        return identifier(n->loc.in->name);
    const char *of = operand_name(m, n, DEEPEST_OPERAND);
    return format("%s_%s", of ? of : m->name, suffix(n));
}

/* What is stored to a register or goes to a port as a whole bears its name. */
static void name_root(void *context, struct node *n, enum root kind, const char *name)
{
    struct module *m = context;
    struct info *info = info_of(m, n);
    if (kind == ROOT_CHECK || kind == ROOT_RESULT || !info->is_net || info->net)
        return;
    if (kind == ROOT_NEXT ? n->name == NULL || is_field(m, n->name) : n->name == NULL)
        info->net = unique_name(m->plan, name);
}

/* The vector whose lanes, all of them in order, are the parts of n: it needs no net of its own. */
static const struct vector *whole_vector(const struct module *m, const struct node *n)
{
    const struct vector *v = n->op == OP_CONCAT ? info_of(m, n->args[0])->vec : NULL;
    if (v == NULL || v->chain || v->n != n->n_args || v->section != info_of(m, n)->section)
        return NULL;
    for (unsigned i = 0; i < v->n; i++)
        if (n->args[v->n - 1 - i] != v->lane[i])
            return NULL;
    return v;
}

/* A net whose inverse the C has named: "not_" and that name. */
static void name_inverses(struct module *m)
{
    for (unsigned i = 0; i < m->graph.n; i++) {
        const struct node *n = m->graph.node[i];
        if (n->op == OP_NOT && (n->name || n->hint) && is_needed(m, n))
            info_of(m, n->args[0])->inverse = n->name ? n->name : n->hint;
    }
}

/* A name that is wanted by variables of helpers. */
struct shared_name {
    const char *scope; /* of the first one, "" for none */
    bool in_several;
    unsigned n;
};

static bool begins_with(const char *name, const char *word)
{
    size_t n = strlen(word);
    return strncmp(name, word, n) == 0 && (name[n] == '_' || name[n] == '\0');
}

/* The name with another in front, if that is free, new in it and short enough; else NULL. */
static const char *qualified(const struct plan *p, const char *front, const char *name)
{
    const char *full = front ? format("%s_%s", identifier(front), name) : name;
    bool good = front && !begins_with(name, front) && strlen(full) <= LONGEST_PHRASE &&
                !name_taken(p, full);
    return good ? full : NULL;
}

/* Of a register's next value: the register. */
static const char *without_d(const char *name)
{
    size_t n = strlen(name);
    return n > 3 && strcmp(name + n - 2, "_d") == 0 ? format("%.*s", (int)n - 2, name) : name;
}

/* It has no name but that of the function in which it is computed. */
static bool of_function(const struct module *m, const struct node *n, const char *name)
{
    return info_of(m, n)->made_up && n->loc.in && strcmp(name, identifier(n->loc.in->name)) == 0;
}

/* What the function computes from the first of n's operands that gives a new name: "ask_given", not "ask_2". */
static const char *computed_from(struct module *m, const char *function, const struct node *n,
                                 unsigned depth)
{
    const struct node *of = n->op == OP_SLICE ? n->args[0] : n;
    const char *name = plain_name(m, of), *full = NULL;
    if (name && strlen(function) + strlen(name) < LONGEST_COMPUTED)
        full = qualified(m->plan, function, without_d(name));
    for (unsigned i = 0; i < of->n_args && depth > 0 && !name && !full; i++)
        full = computed_from(m, function, of->args[i], depth - 1);
    return full;
}

/*
 * What has the name of something else already has the name of the call's result in front, or that of the function in
 * which it gets its value; so has each of several calls' variables of one name.
 */
static const char *scoped_name(struct module *m, const struct node *n, const char *wanted,
                               const struct names *shared)
{
    struct plan *p = m->plan;
    const struct shared_name *all = names_find(shared, wanted);
    if (all && all->n > 1 && of_function(m, n, wanted)) {
        const char *name = computed_from(m, wanted, n, DEEPEST_OPERAND);
        if (name)
            return unique_name(p, name);
    }
    bool several = n->scope && all && all->in_several;
    if (one_letter(n) || (!several && !name_taken(p, wanted) && !name_reserved(p, wanted)))
        return unique_name(p, wanted);
    const char *plain = n->name && is_field(m, n->name) ? identifier(n->name) : wanted;
    const char *name = qualified(p, n->scope, plain);
    name = name ? name : qualified(p, n->loc.in ? n->loc.in->name : NULL, plain);
    return unique_name(p, name ? name : wanted);
}

/* Which names nets of several calls would like to have. */
static void count_names(struct module *m, struct names *shared)
{
    for (unsigned i = 0; i < m->graph.n; i++) {
        const struct node *n = m->graph.node[i];
        const struct info *info = info_found(m, n);
        if (!info || !info->is_net || info->net)
            continue;
        const char *wanted = wanted_name(m, n), *scope = n->scope ? n->scope : "";
        struct shared_name *all = names_find(shared, wanted);
        if (!all) {
            names_set(shared, wanted, all = arena(sizeof *all));
            all->scope = scope;
        }
        all->in_several |= strcmp(all->scope, scope) != 0;
        all->n++;
    }
}

/* An instance's name in C, unless something in the child is called that: Verilator says it is hidden then. */
static const char *cell_name(struct module *m, const struct instance *inst)
{
    return name_taken(inst->module->plan, inst->name)
               ? unique_name(m->plan, format("u_%s", inst->name))
               : inst->name;
}

/* Of instances, and of calls of kept functions, which are instances in Verilog. */
static void name_cells(struct module *m)
{
    struct plan *p = m->plan;
    for (unsigned i = 0; i < m->graph.n; i++) {
        const struct node *n = m->graph.node[i];
        struct info *info = info_found(m, n);
        if (info && info->is_net && n->op == OP_CALL && !n->keep->function)
            info->cell = unique_name(p, format("u_%s", info->net));
    }
    p->cell = arena(m->n_inst * sizeof *p->cell);
    for (unsigned k = 0; k < m->n_inst; k++)
        p->cell[k] = cell_name(m, &m->inst[k]);
}

void give_names(struct module *m)
{
    struct names shared = {0};
    name_inverses(m);
    for (unsigned i = 0; i < m->plan->n_vectors; i++) {
        struct vector *v = m->plan->vector[i];
        if (v->needed)
            v->net = unique_name(m->plan, v->base);
    }
    each_root(m, name_root, m);
    count_names(m, &shared);
    for (unsigned i = 0; i < m->graph.n; i++) {
        struct node *n = m->graph.node[i];
        struct info *info = info_found(m, n);
        if (!info || !info->is_net || info->net)
            continue;
        const struct vector *v = whole_vector(m, n);
        info->is_net = v == NULL;
        info->net = v             ? v->net
                    : is_const(n) ? table_name(m->plan, wanted_name(m, n))
                                  : scoped_name(m, n, wanted_name(m, n), &shared);
    }
    name_cells(m);
}

const char *function_name(const struct plan *p, const struct module *f)
{
    const struct plan *user = p->outer ? p->outer : p;
    const struct function *found = names_find(&user->function_of, f->name);
    return found->name;
}

void plan_functions(struct module *m)
{
    struct plan *p = m->plan;
    for (unsigned i = 0; i < p->n_functions; i++) {
        struct module *f = p->function[i]->module;
        plan_begin(f, p->steps);
        f->plan->outer = p;
        f->plan->prefix = last_word(f->name);
        p->function[i]->plan = f->plan;
        p->steps(f);
    }
}
