// SPDX-License-Identifier: Apache-2.0
/*
 * access.c - loads and stores through pointers: the elements that an index may mean become choices,
 * accesses to memories of the hardware reads and writes of those.
 */
#include "read/exec.h"

#include "terms/arena.h"

#include <string.h>

void exec_assume(struct exec *x, const struct state *s, term condition)
{
    term path = path_term(s->path), holds = term_or(term_not(path), condition);
    if (is_const(holds) && !is_zero(holds))
        return;
    PUSH(x->assumed, x->n_assumed, holds);
}

/* The pointer with its first index set to element k. */
static struct pointer at_element(const struct pointer *p, int64_t k)
{
    struct pointer q = *p;
    q.offset += k * p->index[0].stride;
    q.n--;
    memmove(q.index, q.index + 1, q.n * sizeof *q.index);
    return q;
}

/* As many elements as the index can tell apart. */
static int64_t reachable(const struct index *i)
{
    const struct node *n = node_of(i->t);
    uint32_t bits = n->op == OP_CONCAT && is_zero(n->a) ? width_of(n->b) : n->width;
    int64_t most = bits < 32 ? INT64_C(1) << bits : INT64_MAX;
    return i->count < most ? i->count : most;
}

/* The index is such that all of the bytes lie in the array. */
static void assume_index(struct exec *x, const struct state *s, const struct index *i, int64_t size)
{
    int64_t more = size > i->stride ? (size - 1) / i->stride : 0;
    int64_t limit = i->count > more ? i->count - more : 0;
    exec_assume(x, s, term_ult(i->t, term_const(64, (uint64_t)limit)));
}

/* ---- memories of the hardware ---------------------------------------------------------------- */

/* The memory array that the pointer is in: its first leaf; NULL: none. */
static const struct memory_leaf *memory_at(const struct exec *x, const struct pointer *p)
{
    for (unsigned i = 0; p->object == OBJECT_SELF && i < x->n_memories; i++) {
        const struct leaf *l = &x->memory[i].leaf;
        if (p->offset >= l->array &&
            p->offset < (int64_t)l->array + (int64_t)l->dim[0].count * l->dim[0].stride)
            return &x->memory[i];
    }
    return NULL;
}

/* No access covers a memory and something else. */
static void check_memories(const struct exec *x, const struct pointer *p, int64_t size)
{
    for (unsigned i = 0; p->object == OBJECT_SELF && i < x->n_memories; i++) {
        const struct leaf *l = &x->memory[i].leaf;
        if (p->offset < l->array && p->offset + size > l->array)
            unsupported("%s: a memory is read or written together with what stands before it",
                        l->path);
    }
}

/* The address, and where in an element the pointer is. */
static term memory_address(struct exec *x, const struct state *s, const struct memory_leaf *m,
                           const struct pointer *p, int64_t size, int64_t *within)
{
    int64_t rest = p->offset - m->leaf.array;
    term address = term_const(m->index_bits, 0);
    unsigned used = 0;
    for (unsigned d = 0; d < m->leaf.n_dims; d++) {
        const struct dim *dim = &m->leaf.dim[d];
        term element = term_const(m->index_bits, (uint64_t)(rest / dim->stride));
        rest %= dim->stride;
        if (used < p->n && p->index[used].stride == dim->stride) {
            const struct index *i = &p->index[used++];
            assume_index(x, s, i, size);
            element = term_add(element, term_extract(i->t, 0, m->index_bits));
        }
        address = term_add(address, term_mul(element, term_const(m->index_bits, m->apart[d])));
    }
    *within = rest;
    if (used < p->n)
        unsupported("%s: indices of a memory that do not follow its dimensions", m->leaf.path);
    return address;
}

/* Whether the leaf is in the array of m, and within the bytes that are accessed. */
static bool accessed(const struct memory_leaf *l, const struct memory_leaf *m, int64_t within,
                     int64_t size)
{
    int64_t at = (int64_t)l->leaf.offset - l->leaf.array;
    return l->leaf.array == m->leaf.array && at >= within && at < within + size;
}

static struct content memory_load(struct exec *x, struct state *s, const struct memory_leaf *m,
                                  const struct pointer *p, int64_t size)
{
    struct content result = {0};
    int64_t within;
    term address = memory_address(x, s, m, p, size, &within);
    for (unsigned i = 0; i < x->n_memories; i++) {
        const struct leaf *l = &x->memory[i].leaf;
        if (!accessed(&x->memory[i], m, within, size))
            continue;
        term data = written_read(s->memory[i], i, address, l->bits);
        data = l->is_signed ? term_sext(data, 8 * l->size) : term_zext(data, 8 * l->size);
        struct cell cell = {(int64_t)l->offset - l->array - within, l->size, word_value(data)};
        PUSH(result.cell, result.n, cell);
        for (unsigned k = result.n - 1; k > 0 && result.cell[k - 1].offset > cell.offset; k--) {
            result.cell[k] = result.cell[k - 1];
            result.cell[k - 1] = cell;
        }
    }
    return result;
}

static void memory_store(struct exec *x, struct state *s, const struct memory_leaf *m,
                         const struct pointer *p, int64_t size, const struct content *cells)
{
    int64_t within;
    term address = memory_address(x, s, m, p, size, &within);
    if (within + size > m->leaf.dim[m->leaf.n_dims - 1].stride)
        unsupported("%s: more than one element of a memory is written at once", m->leaf.path);
    for (unsigned i = 0; i < x->n_memories; i++) {
        const struct leaf *l = &x->memory[i].leaf;
        if (!accessed(&x->memory[i], m, within, size))
            continue;
        struct content part = content_read(cells, (int64_t)l->offset - l->array - within, l->size);
        term data = term_extract(content_value(&part, l->size).t, 0, l->bits);
        struct written *w = arena(sizeof *w);
        *w = (struct written){.address = address, .data = data, .no = s->memory[i]};
        s->memory[i] = w;
    }
}

/* ---- everything else ------------------------------------------------------------------------- */

static const struct content *content_of(const struct state *s, uint32_t object)
{
    return object >= GLOBAL ? exec_global(object) : s->object[object];
}

static bool same_cuts(const struct content *list, int64_t n)
{
    for (int64_t k = 1; k < n; k++) {
        if (list[k].n != list[0].n)
            return false;
        for (unsigned i = 0; i < list[0].n; i++)
            if (list[k].cell[i].offset != list[0].cell[i].offset ||
                list[k].cell[i].size != list[0].cell[i].size)
                return false;
    }
    return true;
}

/* A choice among the elements, cell by cell. */
static struct content choose_element(const struct content *list, int64_t n, term index,
                                     int64_t size)
{
    struct content result = {0};
    struct content *whole = arena((size_t)n * sizeof *whole);
    if (!same_cuts(list, n)) { /* cut alike: as one word each */
        for (int64_t k = 0; k < n; k++) {
            struct cell cell = {0, size, content_value(&list[k], size)};
            PUSH(whole[k].cell, whole[k].n, cell);
        }
        list = whole;
    }
    term *value = arena((size_t)n * sizeof *value);
    for (unsigned i = 0; i < list[0].n; i++) {
        struct cell cell = list[0].cell[i];
        for (int64_t k = 0; k < n; k++) {
            if (list[k].cell[i].value.kind != VALUE_WORD)
                unsupported("an array of pointers");
            value[k] = list[k].cell[i].value.t;
        }
        cell.value = word_value(term_mux(value, (uint32_t)n, index));
        PUSH(result.cell, result.n, cell);
    }
    return result;
}

struct content exec_load(struct exec *x, struct state *s, struct pointer p, int64_t size)
{
    const struct memory_leaf *m = memory_at(x, &p);
    if (m)
        return memory_load(x, s, m, &p, size);
    check_memories(x, &p, size);
    if (p.n == 0)
        return content_read(content_of(s, p.object), p.offset, size);
    int64_t n = reachable(&p.index[0]);
    struct content *list = arena((size_t)(n + 1) * sizeof *list);
    assume_index(x, s, &p.index[0], size);
    for (int64_t k = 0; k < n; k++)
        list[k] = exec_load(x, s, at_element(&p, k), size);
    return choose_element(list, n, p.index[0].t, size);
}

/* The cells where the condition holds, what was there where not. */
static void store_if(struct state *s, const struct pointer *p, int64_t size,
                     const struct content *cells, term cond)
{
    if (p->object >= GLOBAL)
        unsupported("a constant table is written");
    struct content new = *cells;
    if (cond != term_true()) {
        new.cell = arena((cells->n + 1) * sizeof *new.cell);
        for (unsigned i = 0; i < cells->n; i++) {
            const struct cell *c = &cells->cell[i];
            struct content old = content_read(s->object[p->object], p->offset + c->offset, c->size);
            new.cell[i] = *c;
            if (c->value.kind == VALUE_WORD)
                new.cell[i].value = choose(cond, c->value, content_value(&old, c->size));
            else if (old.n)
                new.cell[i].value = choose(cond, c->value, old.cell[0].value);
        }
    }
    s->object[p->object] = content_write(s->object[p->object], p->offset, size, &new);
}

static void store_each(struct exec *x, struct state *s, const struct pointer *p, int64_t size,
                       const struct content *cells, term cond)
{
    if (p->n == 0) {
        store_if(s, p, size, cells, cond);
        return;
    }
    const struct index *i = &p->index[0];
    assume_index(x, s, i, size);
    for (int64_t k = 0; k < reachable(i); k++) {
        term here = term_and(cond, term_eq(i->t, term_const(64, (uint64_t)k)));
        struct pointer q = at_element(p, k);
        if (!is_zero(here))
            store_each(x, s, &q, size, cells, here);
    }
}

void exec_store(struct exec *x, struct state *s, struct pointer p, int64_t size,
                const struct content *cells)
{
    const struct memory_leaf *m = memory_at(x, &p);
    if (m)
        memory_store(x, s, m, &p, size, cells);
    check_memories(x, &p, size);
    if (!m)
        store_each(x, s, &p, size, cells, term_true());
}
