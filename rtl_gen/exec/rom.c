// SPDX-License-Identifier: Apache-2.0
/*
 * rom.c - constant arrays marked HLS_ROM: memories of the module that nothing writes. Where the index is a constant, so is the
 * element, and no port is used.
 */
#include "exec/exec.h"

#include <string.h>

/* clang lists annotated globals in an array of {global, text, ...}. */
bool rom_marked(LLVMValueRef global)
{
    LLVMValueRef list = LLVMGetNamedGlobal(LLVMGetGlobalParent(global), "llvm.global.annotations");
    LLVMValueRef all = list ? LLVMGetInitializer(list) : NULL;
    const int n = all ? LLVMGetNumOperands(all) : 0;
    for (int i = 0; i < n; i++) {
        LLVMValueRef one = LLVMGetOperand(all, (unsigned)i);
        LLVMValueRef text = LLVMGetInitializer(LLVMGetOperand(one, 1));
        size_t length;
        if (LLVMGetOperand(one, 0) == global && LLVMIsConstantString(text) &&
            strcmp(LLVMGetAsString(text, &length), "hls_rom") == 0)
            return true;
    }
    return false;
}

/* As wide as its largest element. */
static unsigned width_of_all(struct node *vector, const struct leaf *leaf, struct graph *g)
{
    unsigned width = 1;
    for (unsigned e = 0; e < leaf->count; e++) {
        const unsigned own = significant(mk_slice(g, vector, e * leaf->width, leaf->width));
        width = own > width ? own : width;
    }
    return width;
}

static void append(struct module *m, struct leaf leaf)
{
    struct reg_info *reg = arena((m->self.n + 2) * sizeof *reg);
    memcpy(reg, m->reg, m->self.n * sizeof *reg);
    m->reg = reg;
    m->reg[m->self.n].bram_read = -1;
    struct leaf *all = arena((m->self.n + 1) * sizeof *all);
    memcpy(all, m->self.leaf, m->self.n * sizeof *all);
    all[m->self.n++] = leaf;
    m->self.leaf = all;
}

void rom_declare(struct exec *x, struct object *table)
{
    struct module *m = x->module;
    struct leaf leaf = table->layout.leaf[0];
    if (table->layout.n != 1 || leaf.count < 2) {
        exec_error(x, "an array for each member, or leave HLS_ROM away",
                   "'%s' is marked HLS_ROM and no array of numbers", table->name);
        return;
    }
    for (unsigned i = 1; i < m->self.n; i++)
        if (m->self.leaf[i].storage == STORE_ROM && strcmp(m->self.leaf[i].c, table->name) == 0) {
            table->rom = i;
            return;
        }
    const unsigned whole = leaf.width;
    leaf.width = width_of_all(table->vector[0], &leaf, x->g);
    leaf.storage = STORE_ROM;
    leaf.loc = table->loc;
    leaf_place_words(&leaf);
    leaf.content = arena(leaf.count * sizeof *leaf.content);
    for (unsigned e = 0; e < leaf.count; e++)
        leaf.content[e] = mk_slice(x->g, table->vector[0], e * whole, leaf.width);
    table->rom = m->self.n;
    append(m, leaf);
}
