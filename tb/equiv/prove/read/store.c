// SPDX-License-Identifier: Apache-2.0
/*
 * store.c - cells of bytes: cutting, joining, choosing.
 */
#include "read/store.h"

#include "terms/arena.h"

#include <stdlib.h>
#include <string.h>

struct value word_value(term t)
{
    return (struct value){.kind = VALUE_WORD, .t = t};
}

struct value pointer_value(struct pointer p)
{
    struct pointer *copy = arena(sizeof *copy);
    *copy = p;
    return (struct value){.kind = VALUE_POINTER, .p = copy};
}

static bool same_pointer(const struct pointer *a, const struct pointer *b)
{
    if (a->object != b->object || a->offset != b->offset || a->n != b->n)
        return false;
    for (unsigned i = 0; i < a->n; i++)
        if (a->index[i].t != b->index[i].t || a->index[i].stride != b->index[i].stride)
            return false;
    return true;
}

bool same_value(struct value a, struct value b)
{
    if (a.kind != b.kind)
        return false;
    if (a.kind == VALUE_WORD)
        return a.t == b.t;
    if (a.kind == VALUE_POINTER)
        return a.p == b.p || same_pointer(a.p, b.p);
    for (unsigned i = 0; a.kind == VALUE_GROUP && i < a.n; i++)
        if (!same_value(a.item[i], b.item[i]))
            return false;
    return true;
}

/* Two elements of one array: a pointer with the index chosen. */
static struct value choose_pointer(term cond, const struct pointer *yes, const struct pointer *no)
{
    int64_t stride = yes->offset > no->offset ? yes->offset - no->offset : no->offset - yes->offset;
    if (yes->object != no->object || yes->n || no->n || stride == 0)
        unsupported("a pointer that is chosen at run time");
    struct pointer p = yes->offset < no->offset ? *yes : *no;
    term second = yes->offset < no->offset ? term_not(cond) : cond;
    p.index[p.n++] = (struct index){term_zext(second, 64), stride, 2};
    return pointer_value(p);
}

struct value choose(term cond, struct value yes, struct value no)
{
    if (same_value(yes, no) || no.kind == VALUE_NONE)
        return yes;
    if (yes.kind == VALUE_NONE)
        return no;
    if (yes.kind != no.kind || yes.n != no.n)
        unsupported("a choice between a pointer and a number");
    if (yes.kind == VALUE_WORD)
        return word_value(term_ite(cond, yes.t, no.t));
    if (yes.kind == VALUE_POINTER)
        return choose_pointer(cond, yes.p, no.p);
    struct value *item = arena(yes.n * sizeof *item);
    for (unsigned i = 0; i < yes.n; i++)
        item[i] = choose(cond, yes.item[i], no.item[i]);
    return (struct value){.kind = VALUE_GROUP, .item = item, .n = yes.n};
}

static void append(struct content *c, struct cell cell)
{
    PUSH(c->cell, c->n, cell);
}

/* The part of a cell within [from, to). */
static struct cell cut(const struct cell *cell, int64_t from, int64_t to)
{
    int64_t end = cell->offset + cell->size;
    from = from > cell->offset ? from : cell->offset;
    to = to < end ? to : end;
    struct cell part = {from, to - from, cell->value};
    if (part.size != cell->size) {
        if (cell->value.kind != VALUE_WORD)
            unsupported("a part of a pointer");
        part.value = word_value(term_extract(cell->value.t, (uint32_t)(8 * (from - cell->offset)),
                                             (uint32_t)(8 * part.size)));
    }
    return part;
}

/* The first cell that ends after the offset. */
static unsigned first_after(const struct content *c, int64_t offset)
{
    unsigned low = 0, high = c->n;
    while (low < high) {
        unsigned mid = (low + high) / 2;
        if (c->cell[mid].offset + c->cell[mid].size <= offset)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

struct content content_read(const struct content *c, int64_t offset, int64_t size)
{
    struct content result = {0};
    for (unsigned i = first_after(c, offset); i < c->n && c->cell[i].offset < offset + size; i++) {
        struct cell part = cut(&c->cell[i], offset, offset + size);
        part.offset -= offset;
        append(&result, part);
    }
    return result;
}

/* The cells themselves, when the range is exactly one after the other of them. */
static struct cell *exactly(const struct content *c, int64_t offset, const struct content *cells)
{
    unsigned first = first_after(c, offset);
    for (unsigned k = 0; k < cells->n; k++)
        if (first + k >= c->n || c->cell[first + k].offset != cells->cell[k].offset + offset ||
            c->cell[first + k].size != cells->cell[k].size)
            return NULL;
    return &c->cell[first];
}

static struct content *with_room(unsigned n)
{
    struct content *result = arena(sizeof *result);
    result->cell = malloc((n + 1) * sizeof *result->cell);
    if (!result->cell)
        unsupported("out of memory");
    return result;
}

static void drop(struct content *c)
{
    if (!c->shared) {
        free(c->cell);
        c->cell = NULL;
    }
}

struct content *content_write(struct content *c, int64_t offset, int64_t size,
                              const struct content *cells)
{
    struct cell *same = exactly(c, offset, cells);
    if (!c->shared && same) {
        for (unsigned k = 0; k < cells->n; k++)
            same[k].value = cells->cell[k].value;
        return c;
    }
    struct content *result = with_room(c->n + cells->n + 1);
    int64_t end = offset + size;
    unsigned i = first_after(c, offset);
    if (i)
        memcpy(result->cell, c->cell, i * sizeof *c->cell);
    result->n = i;
    if (i < c->n && c->cell[i].offset < offset)
        result->cell[result->n++] = cut(&c->cell[i], c->cell[i].offset, offset);
    for (unsigned k = 0; k < cells->n; k++) {
        result->cell[result->n] = cells->cell[k];
        result->cell[result->n++].offset += offset;
    }
    while (i < c->n && c->cell[i].offset + c->cell[i].size <= end)
        i++;
    if (i < c->n && c->cell[i].offset < end) {
        result->cell[result->n++] = cut(&c->cell[i], end, c->cell[i].offset + c->cell[i].size);
        i++;
    }
    if (i < c->n)
        memcpy(result->cell + result->n, c->cell + i, (c->n - i) * sizeof *c->cell);
    result->n += c->n - i;
    drop(c);
    return result;
}

static bool same_cut(const struct content *a, const struct content *b)
{
    if (a->n != b->n)
        return false;
    for (unsigned i = 0; i < a->n; i++)
        if (a->cell[i].offset != b->cell[i].offset || a->cell[i].size != b->cell[i].size)
            return false;
    return true;
}

/* Cells that are cut differently. */
static struct content *choose_parts(term cond, const struct content *yes, const struct content *no)
{
    struct content *result = with_room(2 * (yes->n + no->n));
    unsigned i = 0, k = 0;
    int64_t at = INT64_MIN;
    while (i < yes->n || k < no->n) {
        const bool has_y = i < yes->n, has_n = k < no->n;
        const struct cell *y = has_y ? yes->cell + i : NULL, *n = has_n ? no->cell + k : NULL;
        int64_t start_y = has_y ? (y->offset > at ? y->offset : at) : INT64_MAX;
        int64_t start_n = has_n ? (n->offset > at ? n->offset : at) : INT64_MAX;
        int64_t end_y = has_y ? y->offset + y->size : INT64_MAX,
                end_n = has_n ? n->offset + n->size : INT64_MAX;
        struct cell part;
        if (has_y && has_n && start_y == start_n) {
            at = end_y < end_n ? end_y : end_n;
            part = cut(y, start_y, at);
            part.value = choose(cond, part.value, cut(n, start_y, at).value);
        } else if (!has_n || (has_y && start_y < start_n)) {
            /* undefined on the other side: may be the same */
            at = end_y < start_n ? end_y : start_n;
            part = cut(y, start_y, at);
        } else {
            at = end_n < start_y ? end_n : start_y;
            part = cut(n, start_n, at);
        }
        result->cell[result->n++] = part;
        i += has_y && end_y <= at;
        k += has_n && end_n <= at;
    }
    return result;
}

struct content *content_choose(term cond, struct content *yes, struct content *no)
{
    if (yes == no)
        return yes;
    struct content *result = !yes->shared ? yes : no;
    if (!result->shared && same_cut(yes, no)) {
        for (unsigned i = 0; i < yes->n; i++)
            result->cell[i].value = choose(cond, yes->cell[i].value, no->cell[i].value);
    } else {
        result = choose_parts(cond, yes, no);
    }
    if (yes != result)
        drop(yes);
    if (no != result)
        drop(no);
    return result;
}

struct value content_value(const struct content *c, int64_t size)
{
    if (c->n == 1 && c->cell[0].offset == 0 && c->cell[0].size == size)
        return c->cell[0].value;
    term result = NO_TERM;
    int64_t at = 0;
    for (unsigned i = 0; i <= c->n; i++) {
        int64_t next = i < c->n ? c->cell[i].offset : size;
        if (next > at) {
            term gap = term_var("undefined", (uint32_t)(8 * (next - at)));
            result = result ? term_concat(gap, result) : gap;
        }
        if (i == c->n)
            break;
        if (c->cell[i].value.kind != VALUE_WORD)
            unsupported("a pointer read as a number");
        result = result ? term_concat(c->cell[i].value.t, result) : c->cell[i].value.t;
        at = next + c->cell[i].size;
    }
    return word_value(result);
}

term written_read(const struct written *w, uint32_t memory, term address, uint32_t width)
{
    if (!w)
        return term_select(memory, address, width);
    term no = written_read(w->no, memory, address, width);
    if (w->cond)
        return term_ite(w->cond, written_read(w->yes, memory, address, width), no);
    return term_ite(term_eq(w->address, address), w->data, no);
}
