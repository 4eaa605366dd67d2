// SPDX-License-Identifier: Apache-2.0
/*
 * memory.c - loads and stores of struct fields and local variables.
 *
 * A field is a vector of elements in one state slot; a load picks an element, a store puts one
 * back. Accesses that do not fit one element (struct copies, structs that clang passes in
 * integer registers) are put together from bytes of several. LUTRAM and BRAM
 * are not state: word.c.
 */
#include "exec/exec.h"

#include <llvm-c/Target.h>
#include <string.h>

/* ---- vectors -------------------------------------------------------------------------------------------- */

static unsigned slot_of(const struct field *p, const struct object *o)
{
    return o->slot + p->leaf_index;
}

/* A child's output: its register before the child's call, the forwarded register after it. */
static struct node *child_vector(struct exec *x, const struct field *p)
{
    struct instance *inst = &x->module->inst[p->inst];
    if (!p->leaf->out) {
        exec_error(x, "make it a member of the child's `out` struct",
                   "'%s' is a private register of '%s'", p->leaf->c, inst->c);
        return mk_undef(x->g, p->n * p->leaf->width);
    }
    unsigned elem = p->elem / p->leaf->count;
    bool called = false; /* with a variable index: any that may be meant */
    for (unsigned e = 0; e < inst->count; e++)
        called |= (p->index || e == elem) && x->call[p->inst][e].done;
    struct node *n = mk_inst(x->g, called ? OP_FWD : OP_INST, (unsigned)p->inst, p->leaf_index,
                             p->n * p->leaf->width);
    if (called)
        n->loc = x->loc;
    return n;
}

static struct node *vector_of(struct exec *x, const struct object *o, const struct field *p)
{
    unsigned width = p->n * p->leaf->width;
    if (p->inst >= 0)
        return child_vector(x, p);
    if (o->kind == OBJECT_IN || o->kind == OBJECT_TABLE)
        return o->vector[p->leaf_index];
    struct value **slot = &x->state->slot[slot_of(p, o)];
    if (!*slot) {
        struct node *n = mk_undef(x->g, width);
        n->name = o->kind == OBJECT_SELF ? p->leaf->c : o->name;
        *slot = value_node(n);
    }
    if ((*slot)->kind == VALUE_NODE)
        return (*slot)->node;
    exec_error(x, "choose with an index into an array, or copy the value", "%s used as a number",
               (*slot)->kind == VALUE_BAD ? (*slot)->why : "a pointer");
    return mk_undef(x->g, width);
}

/* ---- elements ------------------------------------------------------------------------------------------------ */

static void check_range(struct exec *x, const struct field *p)
{
    if (!p->valid)
        return;
    const struct instance *inst = p->inst >= 0 ? &x->module->inst[p->inst] : NULL;
    exec_imply(
        x, p->valid,
        format("index of %s%s%s below %u", inst ? inst->c : "", inst ? "." : "", p->leaf->c, p->n));
}

static bool one_dimension(const struct exec *x, const struct field *p)
{
    unsigned around = p->inst >= 0 ? x->module->inst[p->inst].n_dims : 0;
    return p->leaf->n_dims + around == 1;
}

/* A value that varies with more than one index is zero where one of them is out of range; of one the vector's end says so. */
static struct node *in_range(struct exec *x, const struct field *p, struct node *n, bool one)
{
    return !p->valid || is_const(p->valid) || one
               ? n
               : mk_mux(x->g, p->valid, n, mk_const(x->g, n->width, 0));
}

/* What stands at the index. Of a wide local value, which clang keeps as bytes, all of these are read at once. */
static struct node *pick(struct exec *x, const struct object *o, const struct field *p)
{
    const struct leaf *leaf = p->leaf;
    struct node *vec = vector_of(x, o, p), *n;
    if (p->index == NULL)
        return in_range(x, p, mk_slice(x->g, vec, p->elem * leaf->width, leaf->width), false);
    if (o->kind != OBJECT_LOCAL || leaf->bytes > 1 || p->group_n == 1)
        return in_range(x, p, mk_get(x->g, vec, p->index, leaf->width), one_dimension(x, p));
    n = mk_get(x->g, vec, p->group, p->group_n * leaf->width);
    n = in_range(x, p, n, p->group_n * leaf->dims[0].count == leaf->count);
    return mk_slice(x->g, n, p->in_group * leaf->width, leaf->width);
}

/* The element as it lies in memory: declared width, extended to whole bytes. */
static struct node *element(struct exec *x, const struct object *o, const struct field *p)
{
    const struct leaf *leaf = p->leaf;
    struct field word = *p;
    struct node *n;
    check_range(x, p);
    if (o->rom && p->index) {
        word.leaf_index = o->rom;
        word.leaf = &x->module->self.leaf[o->rom];
        n = mem_read(x, &word);
    } else {
        n = leaf->storage != STORE_REG && p->inst < 0 ? mem_read(x, p) : pick(x, o, p);
    }
    unsigned bits = leaf->bytes * 8;
    if (leaf->is_signed && leaf->width < bits)
        return mk_sext(x->g, n, bits);
    return mk_resize(x->g, n, bits);
}

/* An enum is stored in as few bits as its largest enumerator needs: the rest must be zero. */
static void check_enum(struct exec *x, const struct leaf *leaf, struct node *n)
{
    if (!leaf->enumeration || n->width <= leaf->width)
        return;
    struct node *top = mk_slice(x->g, n, leaf->width, n->width - leaf->width);
    exec_imply(x, mk_eq(x->g, top, mk_const(x->g, top->width, 0)),
               format("%s is an enumerator of %s", leaf->c, leaf->enumeration->name));
}

/*
 * Which function gives a register its value: the one that does so in every clock, the last one if there are several, and
 * of those behind it, which do so under a condition, the first that gives more than a number.
 */
static void note_made(struct exec *x, const struct object *o, unsigned leaf, const struct node *n)
{
    if (o->kind != OBJECT_SELF || x->in_reset)
        return;
    struct reg_info *r = &x->module->reg[leaf];
    struct call *in = x->frame->in;
    enum op_kind kind = op_info[n->op].kind;
    if (!in->up && n->loc.in && kind != KIND_LEAF && kind != KIND_WIRING)
        in = n->loc.in; /* the result of a helper */
    if (r->made && !path_is_always(x->path) && (!r->made_of_number || is_const(n)))
        return;
    r->made = in;
    r->made_of_number = is_const(n);
}

static void put_element(struct exec *x, const struct object *o, const struct field *p,
                        struct node *n)
{
    struct leaf *leaf = p->leaf;
    check_range(x, p);
    check_enum(x, leaf, n);
    n = mk_resize(x->g, n, leaf->width);
    if (leaf->storage != STORE_REG) {
        mem_write(x, p, n);
        return;
    }
    value_hint(n, o, p->leaf_index);
    note_made(x, o, p->leaf_index, n);
    struct value **slot = &x->state->slot[slot_of(p, o)];
    if (leaf->count == 1) {
        *slot = value_node(n);
        return;
    }
    struct node *vec = vector_of(x, o, p);
    struct node *next = p->index ? mk_set(x->g, vec, p->index, n)
                                 : mk_set(x->g, vec, mk_const(x->g, 32, p->elem), n);
    if (p->valid && !is_const(p->valid) && !one_dimension(x, p))
        next = mk_mux(x->g, p->valid, next, vec);
    *slot = value_node(next);
}

static bool writable(struct exec *x, const struct pointer *p)
{
    switch (p->obj->kind) {
    case OBJECT_IN:
        exec_error(x, "copy the input to a local variable", "a write to an input port");
        return false;
    case OBJECT_TABLE:
        exec_error(x, NULL, "a write to the constant '%s'", p->obj->name);
        return false;
    case OBJECT_SELF: {
        unsigned element;
        struct instance *inst = field_instance(x->module, p->offset, &element);
        if (!inst)
            return true;
        if (x->in_reset)
            exec_error(x, "reset the parent's own registers, and call the child's reset function",
                       "a write into the child '%s'", inst->c);
        else
            exec_error(x, "give the child an input port for it", "a write into the child '%s'",
                       inst->c);
        return false;
    }
    default:
        return true;
    }
}

/* An access that meets no field: of padding at best. */
static void not_found(struct exec *x, const struct pointer *p, const char *what)
{
    if (p->n_terms)
        exec_error(
            x,
            "at a variable place there is an element of an array in its own type; of a union or "
            "a cast, shift the number: (u8)(x >> 8 * i)",
            "%s of '%s' that does not follow its fields", what, p->obj->name);
    else if (p->offset < 0 || p->offset >= p->obj->layout.bytes)
        exec_imply(x, mk_const(x->g, 1, 0), format("an address inside %s", p->obj->name));
}

/* ---- loads and stores of any number of bytes ------------------------------------------------------------------ */

/* In an arm of a process: the wait, if the declaration stands before it. */
static const struct wait *outlives(const struct exec *x, const struct object *o)
{
    const bool before = !o->declared || (o->declared_behind && o->declared_behind != x->wait);
    return before ? x->wait : NULL;
}

/* For the error, should it be used: where it is read, and what. */
static void note_early(struct exec *x, const struct object *o, const struct field *p,
                       const struct node *value)
{
    if (o->kind != OBJECT_LOCAL || !value->unset || !o->name)
        return;
    const size_t bytes = p->leaf->n_dims * sizeof *p->leaf->dims;
    PUSH(x->module->early, x->module->n_early,
         (struct early_read){.value = value,
                             .path = exec_path(x),
                             .name = o->name,
                             .dim = memcpy(arena(bytes + 1), p->leaf->dims, bytes),
                             .n_dims = o->layout.n == 1 ? p->leaf->n_dims : 0,
                             .element = p->index ? VARIABLE : p->elem,
                             .outlives = outlives(x, o),
                             .loc = x->loc});
}

/* Padding reads as zero; *found is set where there is a field. */
static struct node *load_fields(struct exec *x, const struct pointer *p, unsigned bytes,
                                bool *found)
{
    struct node **part = NULL;
    unsigned n = 0;
    for (unsigned at = 0; at < bytes && !x->failed;) {
        struct pointer here = pointer_plus(*p, at);
        struct field field;
        unsigned length = 1;
        struct node *piece;
        if (field_find(x, &here, &field)) {
            *found = true;
            length = field.leaf->bytes - field.byte;
            if (length > bytes - at)
                length = bytes - at;
            piece = element(x, here.obj, &field);
            note_early(x, here.obj, &field, piece);
            piece = mk_slice(x->g, piece, field.byte * 8, length * 8);
        } else {
            piece = mk_const(x->g, 8, 0); /* padding */
        }
        PUSH_SCRATCH(part, n, piece);
        at += length;
    }
    if (x->failed)
        return mk_undef(x->g, bytes * 8);
    return mk_concat_up(x->g, n, part);
}

struct node *mem_load_bits(struct exec *x, const struct pointer *p, unsigned bytes)
{
    bool found = false;
    struct node *n = load_fields(x, p, bytes, &found);
    if (!found)
        not_found(x, p, "a load");
    return n;
}

void mem_store_bits(struct exec *x, const struct pointer *p, struct node *n)
{
    unsigned bytes = n->width / 8;
    bool found = false;
    if (!writable(x, p))
        return;
    for (unsigned at = 0; at < bytes && !x->failed;) {
        struct pointer here = pointer_plus(*p, at);
        struct field field;
        if (!field_find(x, &here, &field)) {
            at++; /* padding */
            continue;
        }
        found = true;
        unsigned whole = field.leaf->bytes, length = whole - field.byte;
        if (length > bytes - at)
            length = bytes - at;
        struct node *piece = mk_slice(x->g, n, at * 8, length * 8);
        if (length < whole) { /* part of an element: keep the rest */
            struct node *old = element(x, here.obj, &field);
            struct node *list[3];
            unsigned count = 0, low = field.byte * 8, high = low + length * 8;
            if (high < old->width)
                list[count++] = mk_slice(x->g, old, high, old->width - high);
            list[count++] = piece;
            if (low)
                list[count++] = mk_slice(x->g, old, 0, low);
            piece = mk_concat(x->g, count, list);
        }
        put_element(x, here.obj, &field, piece);
        at += length;
    }
    if (!found)
        not_found(x, p, "a store");
}

/* The slot of a local pointer variable, or NULL. */
static struct value **pointer_slot(struct exec *x, const struct pointer *p)
{
    struct field field;
    if (p->obj->kind != OBJECT_LOCAL || !field_find(x, p, &field) || field.byte ||
        field.leaf->count != 1)
        return NULL;
    return &x->state->slot[slot_of(&field, p->obj)];
}

struct value *mem_load(struct exec *x, const struct pointer *p, LLVMTypeRef type)
{
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind) {
        struct value **slot = pointer_slot(x, p);
        if (slot && *slot)
            return *slot;
        exec_error(x, "pointers are only for `self`, `in` and arguments of helpers",
                   "a pointer kept in memory");
        return value_bad("a pointer kept in memory");
    }
    unsigned bits = bit_width(type);
    return value_node(mk_resize(x->g, mem_load_bits(x, p, (bits + 7) / 8), bits));
}

/* The first variable that a computed value is stored to gives it its name. */
static void name_value(struct exec *x, const struct object *o, struct node *n)
{
    while (n->op == OP_CONCAT && n->n_args == 2 && is_zero(n->args[0]))
        n = n->args[1]; /* zero-extended to whole bytes */
    if (n->op == OP_SEXT)
        n = n->args[0];
    if (o->kind != OBJECT_LOCAL || !o->declared || n->name || op_info[n->op].kind == KIND_LEAF ||
        op_info[n->op].kind == KIND_STORED)
        return;
    if (x->frame->in_loop || o->parameter)
        n->hint = n->hint ? n->hint : o->name;
    else
        n->name = o->name;
    if (n->name == o->name || n->hint == o->name)
        n->scope = o->scope;
    for (unsigned i = 0; n->op == OP_CONCAT && i < n->n_args; i++)
        value_hint(n->args[i], o, 0);
}

void mem_store(struct exec *x, const struct pointer *p, struct value *v)
{
    if (v->kind == VALUE_NODE) {
        struct node *n = v->node;
        if (p->obj->layout.n == 1)
            name_value(x, p->obj, n);
        mem_store_bits(x, p, mk_zext(x->g, n, (n->width + 7) / 8 * 8));
        return;
    }
    struct value **slot = pointer_slot(x, p);
    if (slot)
        *slot = v;
    else
        exec_error(x, "store an index instead, or copy the struct",
                   "a pointer stored in a struct or array");
}

/* ---- copies and fills --------------------------------------------------------------------------------------------- */

/* A value read, and where it goes: into the field `to`, or as the whole vector of a leaf. */
struct put {
    struct pointer to;
    struct value **vector; /* NULL: to `to` */
    unsigned leaf;         /* of it */
    struct value *value;
};

struct copy {
    const struct pointer *from;
    struct put *put;
    unsigned n;
    bool found; /* a field, not only padding */
};

/*
 * Copy a whole vector at once when both sides have the same arrays: keeps `out.lane = child.out`
 * of arrays one assignment.
 */
static bool copy_vector(struct exec *x, const struct pointer *to, struct copy *copy,
                        struct leaf *leaf, unsigned leaf_index, uint64_t n)
{
    struct pointer source = pointer_plus(*copy->from, leaf->offset - to->offset);
    struct field field;
    uint64_t span =
        (uint64_t)element_offset(leaf->dims, leaf->n_dims, leaf->count - 1) + leaf->bytes;
    if (to->n_terms || source.n_terms || leaf->storage != STORE_REG || leaf->n_dims == 0 ||
        (int64_t)leaf->offset < to->offset || leaf->offset + span > (uint64_t)to->offset + n ||
        !field_find(x, &source, &field))
        return false;
    struct leaf *other = field.leaf;
    if (other->storage != STORE_REG || field.elem || field.byte || field.inst >= 0 ||
        other->count != leaf->count || other->n_dims != leaf->n_dims ||
        other->width != leaf->width || memcmp(other->dims, leaf->dims, sizeof leaf->dims))
        return false;
    struct put put = {
        .to = *to, .vector = &x->state->slot[to->obj->slot + leaf_index], .leaf = leaf_index};
    put.value = value_node(vector_of(x, source.obj, &field));
    PUSH_SCRATCH(copy->put, copy->n, put);
    return true;
}

/* A copy or fill of a whole module struct must not run over children or, in reset, memories; theirs neither. */
static void check_span(struct exec *x, const struct pointer *to, uint64_t n)
{
    if (to->obj->kind != OBJECT_SELF)
        return;
    struct module *m = x->module;
    for (unsigned i = 0; i < m->n_inst; i++) {
        struct instance *inst = &m->inst[i];
        for (unsigned e = 0; e < inst->count; e++) {
            int64_t begin = field_element(inst, e), end = begin + inst->module->self.bytes;
            if (end <= to->offset || begin >= to->offset + (int64_t)n)
                continue;
            if (!x->in_reset || x->call[i][e].done)
                exec_error(x,
                           x->in_reset ? "call the child's reset function after this assignment"
                                       : "assign the parent's own members one by one",
                           "this assignment overwrites the child '%s'", inst->c);
            if (inst->module->holds_memory)
                exec_error(x, "reset the registers member by member: a memory has no reset",
                           "this assignment clears the memories of the child '%s'", inst->c);
        }
    }
    for (unsigned l = 0; l < m->self.n && x->in_reset; l++) {
        struct leaf *leaf = &m->self.leaf[l];
        if (leaf->storage != STORE_REG && (int64_t)leaf->offset >= to->offset &&
            (int64_t)leaf->offset < to->offset + (int64_t)n)
            exec_error(x, "reset the registers member by member: a memory has no reset",
                       "this assignment clears the memory '%s'", leaf->c);
    }
}

/* Bytes of one scalar element, `at` bytes from where a copy or fill begins. */
typedef void (*element_fn)(struct exec *x, const struct pointer *to, unsigned bytes, int64_t at,
                           void *data);

/* Call fn for every scalar element, or the part of it, that lies in to .. to + n. */
static void each_element(struct exec *x, const struct pointer *to, uint64_t n, struct copy *copy,
                         element_fn fn, void *data)
{
    struct layout *layout = &to->obj->layout;
    int64_t end = to->offset + (int64_t)n;
    for (unsigned l = 0; l < layout->n && !x->failed; l++) {
        struct leaf *leaf = &layout->leaf[l];
        if (copy && copy_vector(x, to, copy, leaf, l, n))
            continue;
        for (unsigned e = 0; e < leaf->count && !x->failed; e++) {
            int64_t first = leaf->offset + element_offset(leaf->dims, leaf->n_dims, e);
            int64_t last = first + leaf->bytes < end ? first + leaf->bytes : end;
            first = first > to->offset ? first : to->offset;
            struct pointer p = pointer_plus(*to, first - to->offset);
            if (first < last)
                fn(x, &p, (unsigned)(last - first), first - to->offset, data);
        }
    }
}

/* Some structs have their padding as members in LLVM, which what is copied from need not have. */
static void read_element(struct exec *x, const struct pointer *to, unsigned bytes, int64_t at,
                         void *data)
{
    struct copy *copy = data;
    struct pointer from = pointer_plus(*copy->from, at);
    struct value **slot = pointer_slot(x, &from);
    struct put put = {.to = *to};
    if (slot && *slot && (*slot)->kind != VALUE_NODE)
        put.value = *slot;
    else
        put.value = value_node(load_fields(x, &from, bytes, &copy->found));
    if (!x->failed)
        PUSH_SCRATCH(copy->put, copy->n, put);
}

static void write_back(struct exec *x, const struct put *put)
{
    if (put->vector) {
        note_made(x, put->to.obj, put->leaf, put->value->node);
        *put->vector = put->value;
    } else if (put->value->kind == VALUE_NODE) {
        mem_store_bits(x, &put->to, put->value->node);
    } else {
        mem_store(x, &put->to, put->value);
    }
}

static void fill_element(struct exec *x, const struct pointer *to, unsigned bytes, int64_t at,
                         void *data)
{
    (void)at;
    struct node **part = scratch(bytes * sizeof *part);
    for (unsigned i = 0; i < bytes; i++)
        part[i] = data;
    mem_store_bits(x, to, mk_concat(x->g, bytes, part));
}

/*
 * Whether the n bytes end behind the object. clang's own copies do where it takes 32 bytes for a zero of 129 to 192 bits
 * in a constant, and 24 everywhere else.
 */
static bool overruns(struct exec *x, const struct pointer *p, uint64_t n, const char *what)
{
    if (p->n_terms || p->offset + (int64_t)n <= (int64_t)p->obj->layout.bytes)
        return false;
    exec_error(x,
               "copy or fill what is there; of values of 129 to 192 bits, which clang 19 makes "
               "larger in constants, the elements one by one",
               "%s %llu bytes of '%s', where it has %lld", what, (unsigned long long)n,
               p->obj->name, (long long)(p->obj->layout.bytes - p->offset));
    return true;
}

void mem_copy(struct exec *x, const struct pointer *to, const struct pointer *from, uint64_t n)
{
    if (overruns(x, to, n, "a write to") || overruns(x, from, n, "a read of"))
        return;
    check_span(x, to, n);
    struct copy copy = {.from = from};
    each_element(x, to, n, &copy, read_element, &copy);
    for (unsigned i = 0; i < copy.n && !x->failed; i++) /* they may overlap: first all are read */
        write_back(x, &copy.put[i]);
    if (!copy.found && from->n_terms)
        not_found(x, from, "a load");
}

void mem_fill(struct exec *x, const struct pointer *to, struct node *byte, uint64_t n)
{
    if (overruns(x, to, n, "a write to"))
        return;
    check_span(x, to, n);
    each_element(x, to, n, NULL, fill_element, byte);
}
