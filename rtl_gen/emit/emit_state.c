// SPDX-License-Identifier: Apache-2.0
/*
 * emit_state.c - the packed words in which inputs and registers cross to test benches.
 *
 * Registers: the scalar leaves of the module's own struct in declaration order without memories,
 * then each child's the same way, element 0 of an instance array first. M.json, the C shim, the
 * C++ beside Verilator and `hls_state` in the Verilog all follow this one list.
 */
#include "emit/emit.h"
#include "graph/graph.h"

#include <string.h>

unsigned in_bits(const struct module *m)
{
    unsigned bits = 0;
    for (unsigned i = 0; i < m->in.n; i++)
        bits += leaf_bits(&m->in.leaf[i]);
    return bits;
}

unsigned own_state_bits(const struct module *m)
{
    return (unsigned)m->state_bits;
}

/* "fifo[]" of a 2 x 3 array and element 4: "fifo[1][1]" */
static const char *element_path(const struct instance *inst, unsigned element)
{
    unsigned below = inst->count, d = 0;
    struct text t = {0};
    for (const char *p = inst->c; *p; p++) {
        put(&t, "%c", *p);
        if (*p == '[' && d < inst->n_dims) {
            below /= inst->dims[d++].count;
            put(&t, "%u", element / below);
            element %= below;
        }
    }
    return t.s;
}

struct walk {
    struct entry *list;
    unsigned n, bits;
    bool memories; /* these are listed, not the registers */
};

static void add_module(struct walk *w, const struct module *m, const char *c, const char *name)
{
    for (unsigned i = 0; i < m->self.n; i++) {
        const struct leaf *leaf = &m->self.leaf[i];
        if (is_memory(leaf) != w->memories || leaf->storage == STORE_ROM)
            continue;
        PUSH(w->list, w->n,
             (struct entry){.m = m,
                            .leaf = leaf,
                            .index = i,
                            .c = format("%s%s", c, leaf->c),
                            .name = format("%s%s", name, leaf->name),
                            .lsb = w->bits});
        w->bits += leaf_bits(leaf);
    }
    for (unsigned k = 0; k < m->n_inst; k++) {
        const struct instance *inst = &m->inst[k];
        for (unsigned e = 0; e < inst->count; e++) {
            const char *which = inst->count > 1 ? format("[%u]", e) : "";
            add_module(w, inst->module, format("%s%s.", c, element_path(inst, e)),
                       format("%s%s%s.", name, inst->name, which));
        }
    }
}

unsigned state_list(const struct module *m, struct entry **list, unsigned *n)
{
    struct walk w = {0};
    add_module(&w, m, "", "");
    *list = w.list;
    *n = w.n;
    return w.bits;
}

void memory_list(const struct module *m, struct entry **list, unsigned *n)
{
    struct walk w = {.memories = true};
    add_module(&w, m, "", "");
    *list = w.list;
    *n = w.n;
}
