// SPDX-License-Identifier: Apache-2.0
/*
 * emit_json.c - M.json: ports, registers, memories, instances and checks with their C places.
 *
 * One line per entry, so that a changed port is a changed line. Numbers and strings go through
 * cJSON; the layout of the lines is made here.
 */
#include "emit/emit.h"
#include "graph/graph.h"

#include <cjson/cJSON.h>
#include <stdlib.h>

static void number(cJSON *o, const char *key, unsigned value)
{
    cJSON_AddNumberToObject(o, key, value);
}

static void string(cJSON *o, const char *key, const char *value)
{
    if (value)
        cJSON_AddStringToObject(o, key, value);
}

static void where(cJSON *o, struct loc loc)
{
    string(o, "file", loc.file);
    number(o, "line", loc.line);
}

static const char *hex(const struct node *n)
{
    struct text t = {0};
    for (unsigned end = (n->width + 3) / 4; end-- > 0;) {
        unsigned digit = 0;
        for (unsigned b = 0; b < 4 && 4 * end + b < n->width; b++)
            digit |= (unsigned)const_bit(n, 4 * end + b) << b;
        if (digit || t.n || end == 0)
            put(&t, "%x", digit);
    }
    return t.s;
}

static void add_dims(cJSON *o, const struct leaf *leaf)
{
    cJSON *dims = cJSON_AddArrayToObject(o, "dims");
    for (unsigned i = 0; i < leaf->n_dims; i++)
        cJSON_AddItemToArray(dims, cJSON_CreateNumber(leaf->dims[i].count));
}

static cJSON *leaf_object(const struct leaf *leaf, const char *name, const char *c, unsigned lsb)
{
    cJSON *o = cJSON_CreateObject();
    string(o, "name", name);
    string(o, "c", c);
    number(o, "width", leaf->width);
    number(o, "count", leaf->count);
    if (leaf->n_dims > 1)
        add_dims(o, leaf);
    number(o, "lsb", lsb);
    where(o, leaf->loc);
    return o;
}

static void add_enumeration(cJSON *o, const struct enumeration *e)
{
    if (e == NULL)
        return;
    cJSON *labels = cJSON_AddObjectToObject(o, "enum");
    for (unsigned i = 0; i < e->n; i++)
        cJSON_AddNumberToObject(labels, e->label[i], (double)e->value[i]);
}

static void inputs(cJSON *list, const struct module *m)
{
    unsigned lsb = 0;
    for (unsigned i = 0; i < m->in.n; i++) {
        const struct leaf *leaf = &m->in.leaf[i];
        cJSON *o = leaf_object(leaf, leaf->name, leaf->c, lsb);
        if (leaf->unread)
            cJSON_AddTrueToObject(o, "unread");
        add_enumeration(o, leaf->enumeration);
        string(o, "doc", leaf->doc);
        cJSON_AddItemToArray(list, o);
        lsb += leaf_bits(leaf);
    }
}

static void outputs(cJSON *list, const struct module *m)
{
    struct entry *entry;
    unsigned n;
    state_list(m, &entry, &n);
    for (unsigned i = 0; i < n && entry[i].m == m && entry[i].leaf->out; i++) {
        const struct leaf *leaf = entry[i].leaf;
        const struct reg_info *r = &m->reg[entry[i].index];
        cJSON *o = leaf_object(leaf, leaf->name, leaf->c, entry[i].lsb);
        if (r->reset)
            string(o, "reset", hex(r->reset));
        if (r->forwarded)
            string(o, "forwarded_from", flat(scalar((struct module *)m, r->next)));
        add_enumeration(o, leaf->enumeration);
        string(o, "doc", leaf->doc);
        cJSON_AddItemToArray(list, o);
    }
}

static void state(cJSON *list, const struct module *m)
{
    struct entry *entry;
    unsigned n;
    state_list(m, &entry, &n);
    for (unsigned i = 0; i < n; i++) {
        const struct reg_info *r = &entry[i].m->reg[entry[i].index];
        cJSON *o = leaf_object(entry[i].leaf, entry[i].name, entry[i].c, entry[i].lsb);
        if (r->reset)
            string(o, "reset", hex(r->reset));
        cJSON_AddItemToArray(list, o);
    }
}

/* Where an element of several dimensions is in the memory. */
static void places(cJSON *o, const struct leaf *leaf)
{
    if (leaf->n_dims == 1)
        return;
    add_dims(o, leaf);
    cJSON *steps = cJSON_AddArrayToObject(o, "steps");
    for (unsigned d = 0; d < leaf->n_dims; d++)
        cJSON_AddItemToArray(steps, cJSON_CreateNumber(leaf->step[d]));
}

static void memories(cJSON *list, const struct module *m)
{
    static const char *const kind[] = {"", "lutram", "bram", "bram_read_first", "rom"};
    for (unsigned i = 0; i < m->self.n; i++) {
        const struct leaf *leaf = &m->self.leaf[i];
        if (!is_memory(leaf))
            continue;
        cJSON *o = cJSON_CreateObject();
        string(o, "name", m->plan->reg[i]);
        string(o, "c", leaf->c);
        number(o, "width", leaf->width);
        number(o, "depth", leaf->words);
        places(o, leaf);
        string(o, "kind", kind[leaf->storage]);
        where(o, leaf->loc);
        string(o, "doc", leaf->doc);
        cJSON_AddItemToArray(list, o);
    }
}

static void instances(cJSON *list, const struct module *m)
{
    for (unsigned i = 0; i < m->n_inst; i++) {
        cJSON *o = cJSON_CreateObject();
        string(o, "name", m->inst[i].name);
        string(o, "module", m->inst[i].module->verilog);
        number(o, "count", m->inst[i].count);
        number(o, "line", m->inst[i].loc.line);
        cJSON_AddItemToArray(list, o);
    }
}

static void checks(cJSON *list, const struct module *m)
{
    static const char *const kind[] = {"assert", "assume", "cover"};
    for (unsigned i = 0; i < m->n_check; i++) {
        const struct check *c = &m->check[i];
        cJSON *o = cJSON_CreateObject();
        string(o, "kind", kind[c->kind]);
        string(o, "text", c->text);
        where(o, c->loc);
        if (c->implied)
            cJSON_AddTrueToObject(o, "implied");
        cJSON_AddItemToArray(list, o);
    }
}

static cJSON *state_object(const struct entry *entry, const struct process_info *p,
                           const struct state_facts *facts, unsigned state)
{
    const struct enumeration *e = entry->leaf->enumeration;
    cJSON *o = cJSON_CreateObject();
    string(o, "name", e->label[state]);
    number(o, "value", (unsigned)e->value[state]);
    where(o, p->wait[state]);
    number(o, "levels", facts->levels);
    cJSON *to = cJSON_AddArrayToObject(o, "to");
    for (unsigned i = 0; i < e->n; i++)
        if (facts->to[i])
            cJSON_AddItemToArray(to, cJSON_CreateString(e->label[i]));
    return o;
}

/* Of the module and its children. */
static void processes(cJSON *list, const struct module *m)
{
    struct entry *entry;
    unsigned n;
    state_list(m, &entry, &n);
    for (unsigned i = 0; i < n; i++)
        for (unsigned k = 0; k < entry[i].m->n_process; k++) {
            const struct process_info *p = &entry[i].m->process[k];
            if (p->leaf != entry[i].index)
                continue;
            const struct state_facts *facts = state_facts(entry[i].m, p);
            cJSON *o = cJSON_CreateObject();
            string(o, "name", entry[i].name);
            string(o, "c", entry[i].c);
            number(o, "element", p->element);
            number(o, "lsb", entry[i].lsb + p->element * entry[i].leaf->width);
            number(o, "width", entry[i].leaf->width);
            where(o, p->loc);
            cJSON *states = cJSON_AddArrayToObject(o, "states");
            for (unsigned s = 0; s < entry[i].leaf->enumeration->n; s++)
                cJSON_AddItemToArray(states, state_object(&entry[i], p, &facts[s], s));
            cJSON_AddItemToArray(list, o);
        }
}

static bool any_process(const struct module *m)
{
    bool any = m->n_process > 0;
    for (unsigned i = 0; i < m->n_inst && !any; i++)
        any = any_process(m->inst[i].module);
    return any;
}

static void keeps(cJSON *list, const struct module *m)
{
    for (unsigned i = 0; i < m->n_keeps; i++)
        if (!m->keeps[i]->function)
            cJSON_AddItemToArray(list, cJSON_CreateString(m->keeps[i]->verilog));
}

static void print_value(FILE *f, const cJSON *v)
{
    char *s = cJSON_PrintUnformatted(v);
    if (s == NULL)
        abort();
    fputs(s, f);
    free(s);
}

static void print_list(FILE *f, const char *key, void (*fill)(cJSON *, const struct module *),
                       const struct module *m, bool last)
{
    cJSON *list = cJSON_CreateArray(), *item;
    const char *between = "\n  ";
    fill(list, m);
    fprintf(f, " \"%s\": [", key);
    cJSON_ArrayForEach(item, list)
    {
        fputs(between, f);
        print_value(f, item);
        between = ",\n  ";
    }
    fprintf(f, "%s]%s\n", cJSON_GetArraySize(list) ? "\n " : "", last ? "" : ",");
    cJSON_Delete(list);
}

static void print_member(FILE *f, const char *key, const char *value)
{
    cJSON *s = value ? cJSON_CreateString(value) : cJSON_CreateNull();
    fprintf(f, " \"%s\": ", key);
    print_value(f, s);
    fputs(",\n", f);
    cJSON_Delete(s);
}

void emit_json(FILE *f, const struct module *m)
{
    fputs("{\n", f);
    print_member(f, "module", m->verilog);
    print_member(f, "c", m->name);
    print_member(f, "file", m->source);
    fprintf(f, " \"line\": %u,\n", m->loc.line);
    print_member(f, "doc", m->doc);
    print_list(f, "inputs", inputs, m, false);
    print_list(f, "outputs", outputs, m, false);
    print_list(f, "state", state, m, false);
    print_list(f, "memories", memories, m, false);
    print_list(f, "instances", instances, m, false);
    if (any_process(m))
        print_list(f, "processes", processes, m, false);
    print_list(f, "checks", checks, m, false);
    print_list(f, "keeps", keeps, m, true);
    fputs("}\n", f);
}
