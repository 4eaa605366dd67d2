// SPDX-License-Identifier: Apache-2.0
/*
 * module.c - symbols for both sides, one clock and one reset on both, and what has to be equal then.
 *
 * A register of the C and of the Verilog is one symbol, so are an input and the output of an instance. An
 * instance is cut: what goes into it is compared, and after its call its outputs are new symbols. An
 * output that is wired to an instance in the Verilog (a forwarded one) is that instance's symbol.
 */
#include "read/module.h"

#include "terms/arena.h"

#include <string.h>

/* One instance: where it stands in the C, what it is in the Verilog. */
struct instance {
    const struct leaf *leaf;
    const char *name;
    uint32_t offset;
    const struct net_cell *cell;
    const struct child *child;
    term *now, *next; /* its outputs before and after the clock, as in child->out */
    term *given;      /* its inputs as the C gives them */
    unsigned calls, resets;
};

struct child {
    const char *module;
    struct layout self, in;
};

/* Of a leaf of the module's own struct, when it is a register. */
struct reg {
    const struct leaf *leaf;
    const char *net;
    term symbol;
    bool forwarded; /* wired to instances */
    bool dropped;   /* not in the Verilog: proved only if nothing there depends on it */
};

struct build {
    struct module *m;
    struct child *child;
    unsigned n_children;
    struct instance *instance;
    unsigned n_instances;
    struct reg *reg;
    unsigned n_regs;
    bool resetting;
    unsigned first_assumed;
};

/* ---- names ----------------------------------------------------------------------------------- */

static const char *flat(const char *path)
{
    char *name = arena_printf("%s", path);
    for (char *c = name; *c; c++)
        if (*c == '.')
            *c = '_';
    return name;
}

static bool is_output(const char *path)
{
    return strncmp(path, "out.", 4) == 0;
}

static const char *net_name(const char *path)
{
    return is_output(path) ? flat(path + 4) : arena_printf("%s_q", flat(path));
}

static const char *element_name(const struct leaf *leaf, uint32_t element)
{
    return leaf->n_dims ? arena_printf("%s[%u]", leaf->path, element) : leaf->path;
}

/* ---- symbols --------------------------------------------------------------------------------- */

/* Slice `element` of the vector, as the C has it in memory. */
static term stored(const struct leaf *leaf, term vector, uint32_t element)
{
    term t = term_extract(vector, element * leaf->bits, leaf->bits);
    return leaf->is_signed ? term_sext(t, 8 * leaf->size) : term_zext(t, 8 * leaf->size);
}

static void put(struct state *s, uint32_t object, int64_t offset, int64_t size, term t)
{
    struct cell cell = {0, size, word_value(t)};
    struct content one = {.cell = &cell, .n = 1};
    s->object[object] = content_write(s->object[object], offset, size, &one);
}

static void put_leaf(struct state *s, uint32_t object, int64_t base, const struct leaf *leaf,
                     term vector)
{
    for (uint32_t e = 0; e < leaf->count; e++)
        put(s, object, base + leaf_offset(leaf, e), leaf->size, stored(leaf, vector, e));
}

static term fetch(struct state *s, uint32_t object, int64_t offset, int64_t size)
{
    struct content c = content_read(s->object[object], offset, size);
    return content_value(&c, size).t;
}

/* All elements as one vector, element 0 low; what is stored above the declared bits is dropped. */
static term fetch_leaf(const struct content *c, const struct leaf *leaf)
{
    term result = NO_TERM;
    for (uint32_t e = 0; e < leaf->count; e++) {
        struct content part = content_read(c, leaf_offset(leaf, e), leaf->size);
        term t = term_extract(content_value(&part, leaf->size).t, 0, leaf->bits);
        result = result ? term_concat(t, result) : t;
    }
    return result;
}

static void check_width(const char *what, const char *name, uint32_t verilog, uint32_t c)
{
    if (verilog != c)
        unsupported("%s %s has %u bits in the C and %u in the Verilog", what, name, c, verilog);
}

/* Of a module that its parent resets alone: what goes to the port rst beside the reset of all. */
static bool is_rst(const struct leaf *leaf)
{
    return strcmp(leaf->path, "rst") == 0;
}

/* Of a struct among the inputs: rtlgen leaves it out of the ports of a module that does not read it. */
static bool is_field(const struct leaf *leaf)
{
    return strchr(leaf->path, '.');
}

/* A field without a port is a symbol of the C alone: what depends on it there differs from the Verilog. */
static void give_inputs(struct build *b, struct state *s)
{
    struct netlist *n = b->m->netlist;
    unsigned ports = 0, inputs = 0;
    for (unsigned i = 0; i < b->m->in.n; i++) {
        const struct leaf *leaf = &b->m->in.leaf[i];
        const char *name = flat(leaf->path);
        if (is_rst(leaf))
            continue;
        term symbol = term_var(arena_printf("in.%s", leaf->path), leaf->bits * leaf->count);
        put_leaf(s, OBJECT_IN, 0, leaf, symbol);
        if (is_field(leaf) && !netlist_has_input(n, name))
            continue;
        ports++;
        check_width("input", leaf->path, netlist_width(n, name), leaf->bits * leaf->count);
        netlist_set(n, name, symbol);
    }
    while (netlist_input(n, inputs))
        inputs++;
    if (inputs != ports)
        unsupported("the Verilog has %u inputs, the C %u", inputs, ports);
}

static const struct child *child_of(struct build *b, const char *module)
{
    static const char *const none[] = {NULL};
    for (unsigned i = 0; i < b->n_children; i++)
        if (strcmp(b->child[i].module, module) == 0)
            return &b->child[i];
    struct child c = {.module = module};
    c.self = layout_of(b->m->file, b->m->flags, module, none);
    c.in = layout_of(b->m->file, b->m->flags, arena_printf("%s_in", module), none);
    PUSH(b->child, b->n_children, c);
    return &b->child[b->n_children - 1];
}

static void make_instance(struct build *b, const struct leaf *leaf, uint32_t element)
{
    const char *base = flat(leaf->path);
    struct instance inst = {.leaf = leaf, .offset = leaf_offset(leaf, element)};
    struct child *copy = arena(sizeof *copy);
    *copy = *child_of(b, leaf->module);
    inst.child = copy;
    inst.name = element_name(leaf, element);
    for (int prefix = 0; prefix < 2 && !inst.cell; prefix++) { /* "u_" where the name is taken */
        const char *u = prefix ? "u_" : "";
        inst.cell = netlist_instance(
            b->m->netlist, leaf->count > 1 ? arena_printf("g_%s[%u].%s%s", base, element, u, base)
                                           : arena_printf("%s%s", u, base));
    }
    if (!inst.cell || strcmp(instance_module(inst.cell), leaf->module) != 0)
        unsupported("the Verilog has no instance for %s", inst.name);
    inst.now = arena(copy->self.n * sizeof *inst.now);
    inst.next = arena(copy->self.n * sizeof *inst.next);
    inst.given = arena(copy->in.n * sizeof *inst.given);
    for (unsigned i = 0; i < copy->self.n; i++) {
        const struct leaf *out = &copy->self.leaf[i];
        if (!is_output(out->path))
            continue;
        uint32_t width = out->bits * out->count;
        inst.now[i] = term_var(arena_printf("%s.%s", inst.name, out->path), width);
        inst.next[i] = term_var(arena_printf("%s.%s'", inst.name, out->path), width);
        uint32_t there = instance_width(inst.cell, net_name(out->path));
        if (there)
            check_width("output of an instance", out->path, there, width);
    }
    PUSH(b->instance, b->n_instances, inst);
}

/* What instances give out, now or after the clock, in the Verilog. */
static void set_instances(struct build *b, bool next)
{
    for (unsigned i = 0; i < b->n_instances; i++) {
        const struct instance *inst = &b->instance[i];
        for (unsigned k = 0; k < inst->child->self.n; k++) {
            const char *port = inst->now[k] ? net_name(inst->child->self.leaf[k].path) : NULL;
            if (port && instance_width(inst->cell, port))
                instance_set(b->m->netlist, inst->cell, port, next ? inst->next[k] : inst->now[k]);
        }
    }
}

static void put_instance(struct state *s, const struct instance *inst, const term *out)
{
    for (unsigned k = 0; k < inst->child->self.n; k++)
        if (out[k])
            put_leaf(s, OBJECT_SELF, inst->offset, &inst->child->self.leaf[k], out[k]);
}

static uint32_t power_of_two(uint32_t from)
{
    uint32_t power = 1;
    while (power < from)
        power <<= 1;
    return power;
}

/*
 * As many words as elements, up to a power of two. A row of one dimension or several is rounded up as well wherever the memory
 * does not get deeper by it.
 */
static uint32_t place_elements(struct memory_leaf *m)
{
    const uint32_t words = power_of_two(m->leaf.count);
    uint32_t outer = m->leaf.count, row = 1;
    for (unsigned d = m->leaf.n_dims; d > 0; d--) {
        m->apart[d - 1] = row;
        row *= m->leaf.dim[d - 1].count;
        outer /= m->leaf.dim[d - 1].count;
        row = (uint64_t)power_of_two(row) * outer <= words ? power_of_two(row) : row;
    }
    return words;
}

static bool make_memory(struct build *b, const struct leaf *leaf)
{
    struct exec *x = &b->m->exec;
    for (unsigned i = 0; netlist_memory(b->m->netlist, i).name; i++) {
        struct net_memory mem = netlist_memory(b->m->netlist, i);
        if (strcmp(mem.name, flat(leaf->path)) != 0 && strcmp(mem.name, net_name(leaf->path)) != 0)
            continue;
        check_width("memory", leaf->path, mem.width, leaf->bits);
        x->memory[i].leaf = *leaf;
        if (leaf->n_dims == 0 || place_elements(&x->memory[i]) != mem.depth)
            unsupported("memory %s has %u elements in the C and %u in the Verilog", leaf->path,
                        leaf->count, mem.depth);
        while (UINT64_C(1) << x->memory[i].index_bits < mem.depth)
            x->memory[i].index_bits++;
        return true;
    }
    return false;
}

static void make_register(struct build *b, const struct leaf *leaf)
{
    struct netlist *n = b->m->netlist;
    struct reg r = {.leaf = leaf, .net = net_name(leaf->path)};
    uint32_t width = leaf->bits * leaf->count;
    r.dropped = netlist_width(n, r.net) == 0 && !is_output(leaf->path);
    if (!r.dropped)
        check_width("register", leaf->path, netlist_width(n, r.net), width);
    r.forwarded = !r.dropped && !is_register(n, r.net);
    if (!r.forwarded)
        r.symbol = term_var(leaf->path, width);
    if (!r.forwarded && !r.dropped)
        netlist_set(n, r.net, r.symbol);
    PUSH(b->reg, b->n_regs, r);
}

static void make_symbols(struct build *b)
{
    struct module *m = b->m;
    unsigned memories = 0;
    while (netlist_memory(m->netlist, m->exec.n_memories).name)
        m->exec.n_memories++;
    m->exec.memory = arena((m->exec.n_memories + 1) * sizeof *m->exec.memory);
    for (unsigned i = 0; i < m->self.n; i++) {
        const struct leaf *leaf = &m->self.leaf[i];
        if (leaf->module)
            for (uint32_t e = 0; e < leaf->count; e++)
                make_instance(b, leaf, e);
        else if (make_memory(b, leaf))
            memories++;
        else
            make_register(b, leaf);
    }
    if (memories != m->exec.n_memories || b->n_instances != netlist_instances(m->netlist))
        unsupported("the Verilog has %u memories and %u instances, the C %u and %u",
                    m->exec.n_memories, netlist_instances(m->netlist), memories, b->n_instances);
    if (netlist_unnamed_register(m->netlist))
        unsupported("the Verilog has the register %s, the C has not",
                    netlist_unnamed_register(m->netlist));
    if (!netlist_one_clock(m->netlist))
        unsupported("something in the Verilog is not clocked by the rising edge of clk");
}

/* ---- one run --------------------------------------------------------------------------------- */

static void add_target(struct build *b, const char *kind, const char *name, term c, term verilog)
{
    struct target t = {.name = arena_printf("%s %s", kind, name), .c = c, .verilog = verilog};
    t.assumed = b->first_assumed;
    t.n_assumed = b->m->exec.n_assumed - b->first_assumed;
    if (width_of(c) != width_of(verilog))
        unsupported("%s: %u bits in the C, %u in the Verilog", t.name, width_of(c),
                    width_of(verilog));
    PUSH(b->m->target, b->m->n_targets, t);
}

static struct instance *instance_at(struct build *b, const struct cut_call *call)
{
    const struct pointer *p = call->argument[0].p;
    for (unsigned i = 0; p && i < b->n_instances; i++)
        if (p->object == OBJECT_SELF && p->n == 0 && p->offset == (int64_t)b->instance[i].offset)
            return &b->instance[i];
    return NULL;
}

/* The call of a child: its inputs are kept, its outputs are what comes after the clock. */
static void at_cut(void *arg, struct state *s, const struct cut_call *call)
{
    struct build *b = arg;
    struct instance *inst = instance_at(b, call);
    LLVMValueRef f = exec_function(&b->m->exec, call->function);
    if (s->path)
        unsupported("a call of %s that is not always made", call->function);
    if (b->resetting) { /* also of instances further down */
        if (inst)
            inst->resets++;
        if (f)
            exec_call(&b->m->exec, s, f, call->argument);
        return;
    }
    if (!inst)
        unsupported("a call of %s on what is no instance", call->function);
    inst->calls++;
    struct content in = exec_load(&b->m->exec, s, *call->argument[1].p, inst->child->in.size);
    for (unsigned i = 0; i < inst->child->in.n; i++)
        inst->given[i] = fetch_leaf(&in, &inst->child->in.leaf[i]);
    put_instance(s, inst, inst->next);
}

static const char *const *cut_names(const struct build *b)
{
    const char **name = NULL;
    unsigned n = 0;
    for (unsigned i = 0; i < b->n_children; i++)
        PUSH(name, n, arena_printf("%s%s", b->child[i].module, b->resetting ? "_reset" : ""));
    PUSH(name, n, NULL);
    return name;
}

static struct state *initial(struct build *b)
{
    struct state *s = arena(sizeof *s);
    state_object(s);
    state_object(s);
    s->memory = arena((b->m->exec.n_memories + 1) * sizeof *s->memory);
    for (unsigned i = 0; i < b->n_instances; i++)
        put_instance(s, &b->instance[i], b->instance[i].now);
    set_instances(b, false);
    netlist_restart(b->m->netlist, b->resetting);
    for (unsigned i = 0; i < b->n_regs; i++) {
        struct reg *r = &b->reg[i];
        put_leaf(s, OBJECT_SELF, 0, r->leaf,
                 r->forwarded ? netlist_value(b->m->netlist, r->net) : r->symbol);
    }
    return s;
}

static void call_module(struct build *b, struct state *s)
{
    struct module *m = b->m;
    const char *name = b->resetting ? arena_printf("%s_reset", m->name) : m->name;
    LLVMValueRef f = exec_function(&m->exec, name);
    if (!f)
        unsupported("%s has no function %s", m->file, name);
    struct value argument[2] = {
        pointer_value((struct pointer){.object = OBJECT_SELF, .high = m->self.size}),
        pointer_value((struct pointer){.object = OBJECT_IN, .high = m->in.size}),
    };
    m->exec.cut = cut_names(b);
    m->exec.at_cut = at_cut;
    m->exec.arg = b;
    exec_call(&m->exec, s, f, argument);
    if (s->path)
        unsupported("%s does not always return", name);
}

/* Registers: the value, and that nothing is stored above the declared bits. */
static void register_targets(struct build *b, struct state *s, const struct reg *r)
{
    const char *kind = b->resetting ? "reset" : "next";
    term next =
        r->forwarded ? netlist_value(b->m->netlist, r->net) : netlist_next(b->m->netlist, r->net);
    for (uint32_t e = 0; e < r->leaf->count; e++) {
        term t = fetch(s, OBJECT_SELF, leaf_offset(r->leaf, e), r->leaf->size);
        term low = term_extract(t, 0, r->leaf->bits);
        const char *name = element_name(r->leaf, e);
        add_target(b, kind, name, low, term_extract(next, e * r->leaf->bits, r->leaf->bits));
        add_target(b, "bits above", name, t, stored(r->leaf, low, 0));
    }
}

static void memory_targets(struct build *b, struct state *s)
{
    for (unsigned i = 0; i < b->m->exec.n_memories; i++) {
        const struct memory_leaf *l = &b->m->exec.memory[i];
        term address = term_var(arena_printf("%s[?]", l->leaf.path), l->index_bits);
        add_target(b, b->resetting ? "reset" : "next", arena_printf("%s[]", l->leaf.path),
                   written_read(s->memory[i], i, address, l->leaf.bits),
                   netlist_memory_next(b->m->netlist, i, address));
    }
}

/* The instance's module has no port for it, and its own proof shows that nothing there depends on it. */
static bool is_unread(const struct netlist *n, const struct instance *inst, const struct leaf *leaf)
{
    return is_field(leaf) && !instance_declares(n, inst->cell, flat(leaf->path));
}

static void reset_target(struct build *b, const struct instance *inst)
{
    term rst = term_const(1, b->resetting);
    for (unsigned i = 0; i < inst->child->in.n; i++)
        if (is_rst(&inst->child->in.leaf[i]) && !b->resetting)
            rst = inst->given[i];
    add_target(b, "port", arena_printf("%s.rst", inst->name), rst,
               instance_value(b->m->netlist, inst->cell, "rst"));
}

static void port_targets(struct build *b, const struct instance *inst)
{
    struct netlist *n = b->m->netlist;
    unsigned inputs = 0, all = 2; /* with clk and rst */
    bool output;
    reset_target(b, inst);
    for (unsigned i = 0; instance_port(inst->cell, i, &output); i++)
        inputs += !output;
    for (unsigned i = 0; i < inst->child->in.n; i++) {
        const struct leaf *leaf = &inst->child->in.leaf[i];
        if (is_rst(leaf) || is_unread(n, inst, leaf))
            continue;
        all++;
        const char *name = arena_printf("%s.%s", inst->name, leaf->path);
        check_width("port", name, instance_width(inst->cell, flat(leaf->path)),
                    leaf->bits * leaf->count);
        if (!b->resetting)
            add_target(b, "port", name, inst->given[i],
                       instance_value(n, inst->cell, flat(leaf->path)));
    }
    if (inputs != all)
        unsupported("%s has %u inputs connected in the Verilog, %u in the C", inst->name, inputs,
                    all);
}

/* After the module's function an instance has what its own call left; nothing else wrote into it. */
static void instance_targets(struct build *b, struct state *s, const struct instance *inst)
{
    if ((b->resetting ? inst->resets : inst->calls) != 1)
        unsupported("%s is %s %u times", inst->name, b->resetting ? "reset" : "called",
                    b->resetting ? inst->resets : inst->calls);
    port_targets(b, inst);
    for (unsigned k = 0; !b->resetting && k < inst->child->self.n; k++) {
        const struct leaf *leaf = &inst->child->self.leaf[k];
        for (uint32_t e = 0; inst->next[k] && e < leaf->count; e++)
            add_target(b, "kept", arena_printf("%s.%s", inst->name, element_name(leaf, e)),
                       fetch(s, OBJECT_SELF, inst->offset + leaf_offset(leaf, e), leaf->size),
                       stored(leaf, inst->next[k], e));
    }
}

/* For a forwarded output after reset: the instances have what the C gave them. */
static void take_reset_values(struct build *b, struct state *s)
{
    for (unsigned i = 0; i < b->n_instances; i++) {
        struct instance *inst = &b->instance[i];
        struct content c =
            content_read(s->object[OBJECT_SELF], inst->offset, inst->child->self.size);
        for (unsigned k = 0; k < inst->child->self.n; k++)
            if (inst->next[k])
                inst->next[k] = fetch_leaf(&c, &inst->child->self.leaf[k]);
    }
}

static void run(struct build *b, struct state *s)
{
    b->first_assumed = b->m->exec.n_assumed;
    call_module(b, s);
    for (unsigned i = 0; i < b->n_instances; i++)
        instance_targets(b, s, &b->instance[i]);
    memory_targets(b, s);
    for (unsigned i = 0; i < b->n_regs; i++)
        if (!b->reg[i].forwarded && !b->reg[i].dropped)
            register_targets(b, s, &b->reg[i]);
    if (b->resetting)
        take_reset_values(b, s);
    set_instances(b, true);
    netlist_restart(b->m->netlist, b->resetting);
    for (unsigned i = 0; i < b->n_regs; i++)
        if (b->reg[i].forwarded)
            register_targets(b, s, &b->reg[i]);
}

void module_build(struct module *m)
{
    static const char *const none[] = {NULL};
    struct build b = {.m = m};
    m->self = layout_of(m->file, m->flags, m->name, netlist_modules(m->netlist));
    m->in = layout_of(m->file, m->flags, arena_printf("%s_in", m->name), none);
    make_symbols(&b);
    struct state *s = initial(&b);
    give_inputs(&b, s);
    netlist_restart(m->netlist, false);
    run(&b, s);
    b.resetting = true;
    s = initial(&b);
    run(&b, s);
    m->n_registers = b.n_regs;
    for (unsigned i = 0; i < b.n_regs; i++)
        m->n_dropped += b.reg[i].dropped;
    m->n_instances = b.n_instances;
}
