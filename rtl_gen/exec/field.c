// SPDX-License-Identifier: Apache-2.0
/*
 * field.c - from a pointer to the struct field it means.
 *
 * clang addresses memory in bytes; hardware has fields. Every object has a layout of leaves (see
 * rtlgen.h): those of a module's struct come from the declarations with their declared widths, those
 * of a local variable from its LLVM type. A pointer is a constant byte offset and a sum of
 * variable indices times strides; the strides tell which array dimension each index belongs to.
 */
#include "exec/exec.h"

#include <llvm-c/Target.h>
#include <string.h>

struct pointer pointer_plus(struct pointer p, int64_t bytes)
{
    p.offset += bytes;
    return p;
}

/* ---- layouts of local variables and constant tables ------------------------------------------------ */

static LLVMTargetDataRef data_layout(struct exec *x)
{
    return LLVMGetModuleDataLayout(x->unit[0].ir);
}

static void add_leaves(struct exec *x, struct layout *layout, LLVMTypeRef type, struct leaf around)
{
    LLVMTargetDataRef data = data_layout(x);
    switch (LLVMGetTypeKind(type)) {
    case LLVMStructTypeKind: {
        for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++) {
            struct leaf member = around;
            member.offset += (unsigned)LLVMOffsetOfElement(data, type, i);
            add_leaves(x, layout, LLVMStructGetTypeAtIndex(type, i), member);
        }
        break;
    }
    case LLVMArrayTypeKind: {
        LLVMTypeRef element = LLVMGetElementType(type);
        unsigned count = (unsigned)LLVMGetArrayLength2(type);
        if (around.n_dims == MAX_DIMS) {
            exec_error(x, "use fewer array dimensions", "an array of more than %d dimensions",
                       MAX_DIMS);
            break;
        }
        if (count == 0)
            break;
        around.dims[around.n_dims++] =
            (struct dim){count, (unsigned)LLVMABISizeOfType(data, element)};
        around.count *= count;
        add_leaves(x, layout, element, around);
        break;
    }
    default:
        around.bytes =
            (unsigned)LLVMStoreSizeOfType(data, type); /* of 48 bits 6, where 8 are kept free */
        around.width = around.bytes * 8;
        PUSH_SCRATCH(layout->leaf, layout->n, around);
    }
}

static struct layout type_layout(struct exec *x, LLVMTypeRef type, const char *name)
{
    struct layout layout = {.bytes = (unsigned)LLVMABISizeOfType(data_layout(x), type)};
    add_leaves(x, &layout, type, (struct leaf){.name = name, .c = name, .count = 1});
    return layout;
}

/* Each scalar of a local variable is looked at on every path. */
enum { MAX_LOCAL = 65536 };

struct object *object_local(struct exec *x, LLVMTypeRef type, const char *name)
{
    struct object *o = scratch(sizeof *o);
    *o = (struct object){.kind = OBJECT_LOCAL, .name = name, .loc = x->loc};
    o->scope = x->frame ? x->frame->scope : NULL;
    o->layout = type_layout(x, type, name);
    if (o->layout.bytes > MAX_LOCAL)
        exec_error(x, "make it smaller, or a memory of the module",
                   "'%s' has %u bytes, and a local variable at most %d", name, o->layout.bytes,
                   MAX_LOCAL);
    o->slot = exec_slots(x, o->layout.n);
    while (x->n_owner < o->slot + o->layout.n)
        PUSH_SCRATCH(x->owner, x->n_owner, NULL);
    for (unsigned i = 0; i < o->layout.n; i++)
        x->owner[o->slot + i] = o;
    return o;
}

/* The value of a constant at a byte offset, for one leaf element. */
static struct node *table_element(struct exec *x, LLVMValueRef init, LLVMTypeRef type,
                                  uint64_t offset, unsigned width)
{
    LLVMTargetDataRef data = data_layout(x);
    if (LLVMIsNull(init) || LLVMIsUndef(init))
        return mk_const(x->g, width, 0);
    switch (LLVMGetTypeKind(type)) {
    case LLVMStructTypeKind: {
        unsigned i = LLVMElementAtOffset(data, type, offset);
        return table_element(x, LLVMGetAggregateElement(init, i), LLVMStructGetTypeAtIndex(type, i),
                             offset - LLVMOffsetOfElement(data, type, i), width);
    }
    case LLVMArrayTypeKind: {
        LLVMTypeRef element = LLVMGetElementType(type);
        uint64_t size = LLVMABISizeOfType(data, element);
        return table_element(x, LLVMGetAggregateElement(init, (unsigned)(offset / size)), element,
                             offset % size, width);
    }
    case LLVMIntegerTypeKind:
        return mk_resize(x->g, const_node(x, init), width);
    default:
        if (LLVMIsAGlobalVariable(init))
            exec_error(x, "hold what they point to, as in char name[4][8], or indices",
                       "a constant table of pointers");
        else
            exec_error(x, "tables hold numbers; choose among functions with a switch",
                       "a constant table of something that is not a number");
        return mk_const(x->g, width, 0);
    }
}

/*
 * The type by which the code reaches into a table. clang may give the table itself another one of
 * the same size: parts that are zero become members of their own.
 */
static LLVMTypeRef table_type(struct exec *x, LLVMValueRef global)
{
    LLVMTypeRef type = LLVMGlobalGetValueType(global);
    uint64_t size = LLVMABISizeOfType(data_layout(x), type);
    for (LLVMUseRef use = LLVMGetFirstUse(global); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsAGetElementPtrInst(user) &&
            !(LLVMIsAConstantExpr(user) && LLVMGetConstOpcode(user) == LLVMGetElementPtr))
            continue;
        LLVMTypeRef source = LLVMGetGEPSourceElementType(user);
        if (LLVMABISizeOfType(data_layout(x), source) == size)
            return source;
    }
    return type;
}

struct object *object_table(struct exec *x, LLVMValueRef global)
{
    for (unsigned i = 0; i < x->n_tables; i++)
        if (x->table_value[i] == global)
            return x->table[i];
    size_t length;
    const char *name = LLVMGetValueName2(global, &length);
    LLVMValueRef init = LLVMGetInitializer(global);
    if (!LLVMIsGlobalConstant(global) || !init)
        exec_error(x, "make it a member of the module's struct, or const if it never changes",
                   "'%s' lives outside the module's struct: static and global variables are no "
                   "registers",
                   name);
    struct object *o = scratch(sizeof *o);
    *o = (struct object){.kind = OBJECT_TABLE, .name = exec_name(x, name, length), .loc = x->loc};
    o->align = LLVMGetAlignment(global);
    LLVMTypeRef type = LLVMGlobalGetValueType(global);
    o->layout = type_layout(x, table_type(x, global), o->name);
    o->vector = scratch(o->layout.n * sizeof *o->vector);
    for (unsigned l = 0; l < o->layout.n && !x->failed; l++) {
        struct leaf *leaf = &o->layout.leaf[l];
        if ((uint64_t)leaf->count * leaf->width > MAX_VECTOR) {
            exec_error(x, "make it smaller, or a memory that is filled after reset",
                       "the table '%s' has %llu bytes, and %d is the most", o->name,
                       (unsigned long long)leaf->count * leaf->width / 8, MAX_VECTOR / 8);
            break;
        }
        struct node **part = scratch(leaf->count * sizeof *part);
        for (unsigned e = 0; e < leaf->count; e++) {
            const int64_t offset = leaf->offset + element_offset(leaf->dims, leaf->n_dims, e);
            part[leaf->count - 1 - e] = table_element(x, init, type, (uint64_t)offset, leaf->width);
        }
        o->vector[l] = mk_concat(x->g, leaf->count, part);
    }
    if (!x->failed && rom_marked(global))
        rom_declare(x, o);
    unsigned n = x->n_tables;
    PUSH_SCRATCH(x->table_value, n, global);
    PUSH_SCRATCH(x->table, x->n_tables, o);
    return o;
}

/* ---- finding the element -------------------------------------------------------------------------------- */

/* Elements need not lie side by side: the array may be one of structs that hold more. */
struct instance *field_instance(struct module *m, int64_t offset, unsigned *element)
{
    for (unsigned i = 0; i < m->n_inst; i++) {
        struct instance *inst = &m->inst[i];
        int64_t rest = offset - inst->offset;
        unsigned at = 0;
        bool inside = rest >= 0;
        for (unsigned d = 0; inside && d < inst->n_dims; d++) {
            int64_t number = rest / inst->dims[d].stride;
            inside = number < inst->dims[d].count;
            at = at * inst->dims[d].count + (unsigned)number;
            rest -= number * inst->dims[d].stride;
        }
        if (inside && rest < (int64_t)inst->module->self.bytes) {
            *element = at;
            return inst;
        }
    }
    return NULL;
}

int64_t field_element(const struct instance *inst, unsigned element)
{
    return inst->offset + element_offset(inst->dims, inst->n_dims, element);
}

/* An array subscript as a number, without more bits than its range and the array's need. */
static struct node *subscript(struct graph *g, struct node *index, unsigned count)
{
    unsigned keep = index->width - index->signs + 1, least = 2;
    while (least < 32 && (count >> (least - 1)))
        least++;
    if (keep < least)
        keep = least; /* so that a negative subscript is above every element */
    if (index->width - index->zeros < keep)
        keep = significant(index);
    return mk_slice(g, index, 0, keep < index->width ? keep : index->width);
}

/* linear += index * weight, in 32 bits, which the simplifier cuts down. */
static struct node *scaled(struct graph *g, struct node *linear, struct node *index,
                           unsigned weight)
{
    unsigned width = index->width > 32 ? index->width : 32;
    linear = mk_zext(g, linear, linear->width > width ? linear->width : width);
    index = mk_zext(g, index, linear->width);
    struct node *product = mk_mul(g, index, mk_const(g, linear->width, weight));
    return mk_add(g, linear, product);
}

struct walk {
    int64_t rest;       /* bytes not yet explained */
    unsigned n_used;    /* terms explained */
    uint64_t used;      /* which of the first 64: one bit each */
    unsigned elem;      /* constant part of the element's number */
    struct node *index; /* variable part, or NULL */
    struct node *group; /* it, up to the last dimension that varies */
    unsigned group_n, in_group;
    struct node *at; /* of the last dimension */
    struct node *valid;
};

/* Explain one array dimension: its share of the constant offset and the term with its stride. */
static bool walk_dim(struct exec *x, const struct pointer *p, struct dim dim, struct walk *w)
{
    struct graph *g = x->g;
    unsigned constant = (unsigned)(w->rest / dim.stride);
    struct node *index = NULL;
    for (unsigned t = 0; t < p->n_terms; t++) {
        uint64_t bit = t < 64 ? UINT64_C(1) << t : 0;
        if (p->term[t].stride != dim.stride || (w->used & bit))
            continue; /* of [2][1] both have one stride: the outer one takes the term */
        w->used |= bit;
        w->n_used++;
        index = index ? mk_add(g, index, p->term[t].index) : p->term[t].index;
    }
    if (constant >= dim.count)
        return false;
    w->rest -= (int64_t)constant * dim.stride;
    w->elem = w->elem * dim.count + (index ? 0 : constant);
    w->at = mk_const(g, 32, constant);
    if (w->index)
        w->index = scaled(g, mk_const(g, 32, 0), w->index, dim.count);
    if (index) {
        if (constant)
            index = mk_add(g, index, mk_const(g, index->width, constant));
        index = w->at = subscript(g, index, dim.count);
        struct node *ok = index->width < 32 && (1u << index->width) <= dim.count
                              ? mk_const(g, 1, 1)
                              : mk_ult(g, index, mk_const(g, index->width, dim.count));
        w->valid = w->valid ? mk_and(g, w->valid, ok) : ok;
        w->index = scaled(g, w->index ? w->index : mk_const(g, 32, 0), index, 1);
        w->group = w->index;
        w->group_n = 1;
        w->in_group = 0;
    } else {
        w->group_n *= dim.count;
        w->in_group = w->in_group * dim.count + constant;
    }
    return true;
}

/* `start` is where the struct that holds the leaf begins. */
static bool try_leaf(struct exec *x, const struct pointer *p, struct leaf *leaf, struct walk start,
                     struct field *field)
{
    struct walk w = start;
    w.rest -= leaf->offset;
    if (w.rest < 0)
        return false;
    for (unsigned d = 0; d < leaf->n_dims; d++) {
        if (!walk_dim(x, p, leaf->dims[d], &w))
            return false;
        field->at[d] = w.at;
    }
    if (w.rest >= (int64_t)leaf->bytes || w.n_used != p->n_terms)
        return false;
    field->leaf = leaf;
    field->byte = (unsigned)w.rest;
    field->elem = w.elem;
    field->index = NULL;
    field->valid = w.valid;
    field->group = w.group;
    field->group_n = w.group_n;
    field->in_group = w.in_group;
    if (w.index)
        field->index = scaled(x->g, mk_const(x->g, 32, w.elem), w.index, 1);
    return true;
}

/*
 * The leaves that can hold a byte: none before the first of `reach` behind it, none that begins behind
 * it. Leaves are in the order in which they begin.
 */
static void leaf_range(struct object *o, int64_t offset, unsigned *from, unsigned *to)
{
    if (!o->reach) {
        o->reach = scratch((o->layout.n + 1) * sizeof *o->reach);
        for (unsigned i = 0; i < o->layout.n; i++) {
            const struct leaf *leaf = &o->layout.leaf[i];
            unsigned end = leaf->offset + leaf->bytes;
            for (unsigned d = 0; d < leaf->n_dims; d++)
                end += (leaf->dims[d].count - 1) * leaf->dims[d].stride;
            o->reach[i] = i && o->reach[i - 1] > end ? o->reach[i - 1] : end;
        }
    }
    unsigned low = 0, high = o->layout.n;
    while (low < high) {
        unsigned middle = (low + high) / 2;
        if ((int64_t)o->reach[middle] > offset)
            high = middle;
        else
            low = middle + 1;
    }
    *from = low;
    for (high = o->layout.n; low < high;) {
        unsigned middle = (low + high) / 2;
        if ((int64_t)o->layout.leaf[middle].offset > offset)
            high = middle;
        else
            low = middle + 1;
    }
    *to = low;
}

/*
 * Find the element that p points into. False if it points at padding or between fields, or if its
 * indices do not follow the arrays.
 */
bool field_find(struct exec *x, const struct pointer *p, struct field *field)
{
    struct object *o = p->obj;
    unsigned from, to;
    *field = (struct field){.inst = -1};
    struct walk start = {.rest = p->offset};
    unsigned element;
    struct instance *inst =
        o->kind == OBJECT_SELF ? field_instance(x->module, p->offset, &element) : NULL;
    if (!inst) {
        leaf_range(o, p->offset, &from, &to);
        for (unsigned i = from; i < to; i++)
            if (try_leaf(x, p, &o->layout.leaf[i], start, field)) {
                field->leaf_index = i;
                field->n = field->leaf->count;
                return true;
            }
        return false;
    }
    start.rest -= inst->offset;
    for (unsigned d = 0; d < inst->n_dims; d++)
        if (!walk_dim(x, p, inst->dims[d], &start))
            return false;
    struct layout *child = &inst->module->self;
    for (unsigned i = 0; i < child->n; i++)
        if (try_leaf(x, p, &child->leaf[i], start, field)) {
            field->leaf_index = i;
            field->inst = (int)(inst - x->module->inst);
            field->n = inst->count * field->leaf->count;
            return true;
        }
    return false;
}
