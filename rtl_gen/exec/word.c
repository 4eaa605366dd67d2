// SPDX-License-Identifier: Apache-2.0
/*
 * word.c - words of LUTRAM, BRAM and ROM: the address of an element, and the accesses from which build.c makes ports.
 */
#include "exec/exec.h"

#include <string.h>

static unsigned bits_below(unsigned n)
{
    unsigned bits = 0;
    while (bits < 32 && (UINT64_C(1) << bits) < n)
        bits++;
    return bits;
}

/* "16 words, but its index": of several dimensions which one it is. */
static const char *dimension(const struct leaf *leaf, unsigned d)
{
    static const char *const of_two[] = {"rows", "columns"};
    const char *what = leaf->n_dims == 2 ? of_two[d] : format("elements in dimension %u", d + 1);
    return leaf->n_dims == 1 ? format("%u words, but its index", leaf->count)
                             : format("%u %s, but the index of one", leaf->dims[d].count, what);
}

/* The index of a dimension, as wide as its elements need; NULL if it may be larger. */
static struct node *mem_index(struct exec *x, const struct field *p, unsigned d)
{
    const unsigned bits = bits_below(p->leaf->dims[d].count);
    struct node *at = p->at[d];
    if (significant(at) <= bits || at->width - at->zeros <= bits)
        return bits > 0 ? mk_resize(x->g, at, bits) : mk_const(x->g, 1, 0);
    exec_error(x, "cast the index to exactly the address bits of the memory",
               "'%s' has %s has more than %u bits", p->leaf->c, dimension(p->leaf, d), bits);
    return NULL;
}

/* The address of an element in rows that are `step` apart. Nodes are numbered as they are made: one statement each. */
static struct node *row_and_rest(struct graph *g, struct node *row, struct node *rest,
                                 unsigned step, unsigned bits)
{
    const unsigned low = bits_below(step);
    if (low == 0)
        return row;
    if (step == 1u << low) {
        rest = mk_resize(g, rest, low);
        return mk_concat(g, 2, (struct node *[]){row, rest});
    }
    rest = mk_resize(g, rest, bits);
    row = mk_resize(g, row, bits);
    row = mk_mul(g, row, mk_const(g, bits, step));
    return mk_add(g, row, rest);
}

static struct node *mem_address(struct exec *x, const struct field *p)
{
    const struct leaf *leaf = p->leaf;
    const unsigned bits = bits_below(leaf->words);
    struct node *address = NULL;
    for (unsigned d = leaf->n_dims; d-- > 0;) {
        struct node *at = mem_index(x, p, d);
        if (!at)
            return mk_const(x->g, bits, 0);
        address = address ? row_and_rest(x->g, at, address, leaf->step[d], bits) : at;
    }
    return mk_resize(x->g, address, bits);
}

struct node *mem_read(struct exec *x, const struct field *p)
{
    struct mem_access a = {.leaf = p->leaf_index, .path = x->path, .loc = x->loc};
    for (unsigned i = 0; i < x->n_access; i++)
        if (x->access[i].leaf == a.leaf && x->access[i].data &&
            path_meet(x->bdds, x->access[i].path, a.path)) {
            exec_error(x, "read the memory before writing it", "'%s' is read after its write",
                       p->leaf->c);
            exec_note(x, x->access[i].loc, "the write");
        }
    a.addr = mem_address(x, p);
    a.read = mk_memread(x->g, a.leaf, a.addr, p->leaf->width);
    PUSH_SCRATCH(x->access, x->n_access, a);
    return a.read;
}

void mem_write(struct exec *x, const struct field *p, struct node *data)
{
    struct mem_access a = {.leaf = p->leaf_index, .path = x->path, .data = data, .loc = x->loc};
    for (unsigned i = 0; i < x->n_access; i++)
        if (x->access[i].leaf == a.leaf && x->access[i].data &&
            path_meet(x->bdds, x->access[i].path, a.path)) {
            exec_error(x,
                       "a memory has one write port: put the writes into exclusive branches of "
                       "one if or switch",
                       "a second write to '%s' in the same clock", p->leaf->c);
            exec_note(x, x->access[i].loc, "the first write");
        }
    a.addr = mem_address(x, p);
    PUSH_SCRATCH(x->access, x->n_access, a);
}
