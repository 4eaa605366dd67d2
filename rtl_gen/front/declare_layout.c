// SPDX-License-Identifier: Apache-2.0
/*
 * declare_layout.c - a struct flattened into leaves: every scalar with its declared width, byte
 * offset and the arrays around it; members that are other modules become instances.
 *
 * A `position` is how far the walk has descended into the outer struct: names, offset, dimensions, and the storage class
 * and comments of the members passed.
 */
#include "base/number.h"
#include "front/declare.h"

#include <stdlib.h>
#include <string.h>

struct position {
    const char *name; /* prefix, ends in _ unless empty */
    const char *c;    /* prefix, ends in . unless empty */
    unsigned offset;
    unsigned n_dims;
    struct dim dims[MAX_DIMS];
    enum storage storage;
    unsigned reads;
    const char *doc;
    struct loc member; /* outermost, line 0 outside of any */
    const char *member_doc;
    bool out, constant;
};

struct walk {
    struct declared *d;
    struct module *m;
    struct layout *layout;
    bool self; /* self or in? */
    bool bad;
    const struct position *at;
    unsigned depth; /* structs around the record */
    bool plain;     /* the record's members lie as their types ask */
    unsigned end;   /* of its members so far, bytes */
};

static bool refuse(struct walk *w, struct loc loc, const char *advice, const char *text)
{
    diag_error(loc, advice, "%s", text);
    w->bad = true;
    return false;
}

/* ---- annotations --------------------------------------------------------------------------------- */

struct annotations {
    enum storage storage;
    unsigned reads;
    unsigned n; /* memory annotations seen */
    bool packed, aligned;
    const char *bad; /* text of a malformed one */
};

static enum CXChildVisitResult read_annotation(CXCursor c, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct annotations *a = data;
    if (clang_getCursorKind(c) == CXCursor_PackedAttr)
        a->packed = true;
    if (clang_getCursorKind(c) == CXCursor_AlignedAttr)
        a->aligned = true;
    if (clang_getCursorKind(c) != CXCursor_AnnotateAttr)
        return CXChildVisit_Continue;
    const char *s = text_of(clang_getCursorSpelling(c));
    a->n++;
    if (strcmp(s, "hls_bram") == 0) {
        a->storage = STORE_BRAM;
    } else if (strcmp(s, "hls_bram_read_first") == 0) {
        a->storage = STORE_BRAM_READ_FIRST;
    } else if (strncmp(s, "hls_lutram:", 11) == 0) {
        uint64_t reads;
        a->storage = STORE_LUTRAM;
        if (!read_number(s + 11, 64, &reads) || reads == 0)
            a->bad = s + 11;
        a->reads = (unsigned)reads;
    } else {
        a->n--;
    }
    return CXChildVisit_Continue;
}

static bool field_storage(struct walk *w, CXCursor field, const char *name, struct position *p)
{
    struct loc loc = loc_of(field);
    struct annotations a = {0};
    clang_visitChildren(field, read_annotation, &a);
    if (a.n == 0)
        return true;
    if (a.bad)
        return refuse(w, loc, "write the number of reads of one call: HLS_LUTRAM(1)",
                      format("'%s' is not a number of read ports from 1 to 64", a.bad));
    if (a.n > 1 || p->storage != STORE_REG)
        return refuse(w, loc, "keep one of HLS_LUTRAM, HLS_BRAM, HLS_BRAM_READ_FIRST",
                      format("'%s' is declared a memory twice", name));
    if (!w->self || p->out)
        return refuse(w, loc,
                      "keep the memory as a private array of the module and send what is read",
                      format("the port '%s' is declared a memory", name));
    p->storage = a.storage;
    p->reads = a.reads;
    return true;
}

/* ---- offsets ------------------------------------------------------------------------------------- */

static unsigned round_up(unsigned n, long long to)
{
    unsigned step = to > 0 ? (unsigned)to : 1;
    return (n + step - 1) / step * step;
}

/* Behind `end` bytes of the record, where the field's type would lie. */
static unsigned natural_offset(CXCursor field, unsigned end)
{
    return round_up(end, clang_Type_getAlignOf(clang_getCursorType(field)));
}

static unsigned size_of(CXCursor field)
{
    long long size = clang_Type_getSizeOf(clang_getCursorType(field));
    return size > 0 ? (unsigned)size : 0;
}

static enum CXVisitorResult add_size(CXCursor field, CXClientData data)
{
    unsigned *end = data;
    *end = natural_offset(field, *end) + size_of(field);
    return CXVisit_Continue;
}

/* Not so under #pragma pack, which makes the record smaller if it moves anything. */
static bool lies_plain(CXType record)
{
    unsigned end = 0;
    clang_Type_visitFields(record, add_size, &end);
    return round_up(end, clang_Type_getAlignOf(record)) == clang_Type_getSizeOf(record);
}

/*
 * libclang answers for one field in a time that grows with the number of fields, so it is only asked
 * where something else than types says how the members lie.
 */
static unsigned offset_of(struct walk *w, CXCursor field)
{
    struct annotations a = {0};
    clang_visitChildren(field, read_annotation, &a);
    unsigned offset = w->plain && !a.aligned && !a.packed
                          ? natural_offset(field, w->end)
                          : (unsigned)(clang_Cursor_getOffsetOfField(field) / 8);
    w->end = offset + size_of(field);
    return offset;
}

/* ---- dimensions ---------------------------------------------------------------------------------- */

/* Peels the arrays off *type into p. */
static bool dimensions(struct walk *w, struct loc loc, const char *name, CXType *type,
                       struct position *p)
{
    for (; type->kind != CXType_Invalid; *type = clang_getArrayElementType(*type)) {
        p->constant |= clang_isConstQualifiedType(*type);
        if (clang_isVolatileQualifiedType(*type))
            return refuse(w, loc, "leave volatile away: a register changes at the clock edge only",
                          format("'%s' is volatile", name));
        if (type->kind == CXType_IncompleteArray)
            return refuse(w, loc, "give the array its size",
                          format("'%s' is an array without a size", name));
        if (type->kind != CXType_ConstantArray)
            return true;
        long long count = clang_getArraySize(*type);
        long long stride = clang_Type_getSizeOf(clang_getArrayElementType(*type));
        if (count == 0)
            return refuse(w, loc, "an array has at least one element",
                          format("'%s' has no elements", name));
        if (p->n_dims == MAX_DIMS)
            return refuse(w, loc, "join dimensions: x[4 * 8] instead of x[4][8]",
                          format("'%s' lies in more than %d array dimensions", name, MAX_DIMS));
        if (count > 1 << 28 || stride > 1 << 28 || count * stride > 1 << 28)
            return refuse(w, loc, NULL, format("the array '%s' is too large", name));
        p->dims[p->n_dims++] = (struct dim){(unsigned)count, (unsigned)stride};
    }
    return true;
}

static unsigned elements(const struct position *p)
{
    unsigned long long n = 1;
    for (unsigned i = 0; i < p->n_dims && n <= 1U << 28; i++)
        n *= p->dims[i].count;
    return n > 1U << 28 ? 1U << 28 : (unsigned)n;
}

/* ---- leaves and instances ------------------------------------------------------------------------ */

static bool check_memory(struct walk *w, const struct leaf *leaf)
{
    static const char *const macro[] = {"", "HLS_LUTRAM", "HLS_BRAM", "HLS_BRAM_READ_FIRST"};
    const char *name = macro[leaf->storage];
    if (leaf->n_dims == 0)
        return refuse(w, leaf->loc, "leave the mark away, or give the array a size",
                      format("'%s' is marked %s and is no array", leaf->name, name));
    for (unsigned d = 0; d + 1 < leaf->n_dims; d++)
        if (leaf->dims[d].stride != leaf->dims[d + 1].count * leaf->dims[d + 1].stride)
            return refuse(
                w, leaf->loc,
                "mark arrays of scalars, or of structs of scalars; or make the memory a "
                "module of its own",
                format("the rows of the memory '%s' do not follow each other", leaf->name));
    if (leaf->count == 1)
        return refuse(
            w, leaf->loc,
            format("leave %s away: one element is a register, given its value by reset", name),
            format("the memory '%s' has one element, and so no address", leaf->name));
    return true;
}

static bool check_vector(struct walk *w, const struct leaf *leaf)
{
    if ((unsigned long long)leaf->count * leaf->width <= MAX_VECTOR)
        return true;
    const char *text = format("'%s' is a vector of %llu bits, and %d is the most", leaf->name,
                              (unsigned long long)leaf->count * leaf->width, MAX_VECTOR);
    return refuse(w, leaf->loc,
                  w->self && !leaf->out
                      ? "declare the array a memory: HLS_BRAM or HLS_LUTRAM(reads)"
                      : "make it smaller, or send it in pieces",
                  text);
}

/* Is this a field of a struct that is a port or register? */
static bool is_nested(const struct position *p, struct loc loc)
{
    return p->member.line && (p->member.line != loc.line || p->member.file != loc.file);
}

static bool add_leaf(struct walk *w, CXType type, struct loc loc, const char *name, const char *c,
                     const struct position *p)
{
    struct leaf leaf = {
        .name = name,
        .c = c,
        .doc = p->doc,
        .loc = loc,
        .member = p->member.line ? p->member : loc,
        .group = is_nested(p, loc) ? p->member_doc : NULL,
        .offset = p->offset,
        .count = elements(p),
        .n_dims = p->n_dims,
        .out = p->out,
        .constant = p->constant,
        .storage = p->storage,
        .reads = p->reads,
    };
    memcpy(leaf.dims, p->dims, sizeof leaf.dims);
    bool good = scalar_type(type, &leaf);
    if (good && leaf.storage != STORE_REG)
        good = check_memory(w, &leaf);
    else if (good)
        good = check_vector(w, &leaf);
    leaf_place_words(&leaf);
    w->bad |= !good;
    PUSH(w->layout->leaf, w->layout->n, leaf);
    return good;
}

/* Kept until all files are read: does the child's own file see the same struct? */
static void add_view(struct walk *w, const struct function *child, CXType type)
{
    struct module *seen = arena(sizeof *seen);
    CXCursor decl = clang_getTypeDeclaration(type);
    for (unsigned i = 0; i < w->d->n_views; i++)
        if (w->d->view[i].of == child && clang_equalCursors(w->d->view[i].type, decl))
            return; /* of another instance in this file */
    seen->name = child->name;
    PUSH(w->d->view, w->d->n_views, (struct view){decl, child, seen, loc_of(decl)});
    if (++w->d->depth > MOST_LEVELS)
        w->bad |= !refuse(w, loc_of(decl), "put fewer modules within each other",
                          format("instances within each other, more than %d deep", MOST_LEVELS));
    else
        w->bad |= !layout_self(seen, type, w->d);
    w->d->depth--;
}

static bool add_instance(struct walk *w, const struct function *child, struct loc loc,
                         const char *name, const char *c, const struct position *p)
{
    if (!w->self || p->out)
        return refuse(
            w, loc, "make it a private member of the module's struct",
            format("'%s' is an instance of module '%s' among the ports", name, child->name));
    if (p->storage != STORE_REG)
        return refuse(
            w, loc, "mark the memories inside that module instead",
            format("the instance '%s' of module '%s' is declared a memory", name, child->name));
    struct instance inst = {
        .name = name,
        .c = c,
        .loc = loc,
        .module_name = child->name,
        .offset = p->offset,
        .count = elements(p),
        .n_dims = p->n_dims,
    };
    memcpy(inst.dims, p->dims, sizeof inst.dims);
    PUSH(w->m->inst, w->m->n_inst, inst);
    return true;
}

/* ---- the walk ------------------------------------------------------------------------------------ */

static void walk_record(struct walk *w, CXType record, const struct position *p);

static void walk_struct(struct walk *w, CXType type, struct loc loc, const char *name,
                        const char *c, struct position *p)
{
    const struct function *child = function_on(w->d, ROLE_MODULE, tag_of(type));
    if (child) {
        if (add_instance(w, child, loc, name, c, p))
            add_view(w, child, type);
        return;
    }
    p->name = *name ? format("%s_", name) : "";
    p->c = *c ? format("%s.", c) : "";
    walk_record(w, type, p);
}

/* `out` of the module's struct: its members are ports and lose the "out_". */
static void walk_out(struct walk *w, CXType type, struct loc loc, struct position *p)
{
    if (type.kind != CXType_Record || p->n_dims) {
        refuse(w, loc, "declare it as a struct: its members are the output ports",
               "'out' is not a struct");
        return;
    }
    p->out = true;
    p->name = "";
    p->c = "out.";
    walk_record(w, type, p);
    if (w->m->package && !w->bad)
        w->layout->record = record_of(type, *tag_of(type) ? format("%s_t", tag_of(type))
                                                          : format("%s_out_t", w->layout->tag));
}

/* Without `rst`, which is the port of that name (hls_reset_by). */
static const struct record *in_record(const struct module *m, CXType type)
{
    const struct record *all = record_of(type, format("%s_t", m->in.tag));
    if (input_rst(m) != 0)
        return all->n > 0 ? all : NULL;
    struct record *rest = arena(sizeof *rest);
    *rest = *all;
    rest->member++;
    return --rest->n > 0 ? rest : NULL;
}

static void walk_field(struct walk *w, CXCursor field)
{
    struct position p = *w->at;
    CXType type = clang_getCanonicalType(clang_getCursorType(field));
    struct loc loc = loc_of(field);
    CXCursor decl = clang_getTypeDeclaration(type);
    bool nameless = clang_Cursor_isAnonymousRecordDecl(decl);
    const char *own = nameless ? "" : text_of(clang_getCursorSpelling(field));
    const char *name = nameless && *p.name ? format("%.*s", (int)strlen(p.name) - 1, p.name)
                                           : format("%s%s", p.name, own);
    const char *c =
        nameless && *p.c ? format("%.*s", (int)strlen(p.c) - 1, p.c) : format("%s%s", p.c, own);
    bool top = w->self && !*w->at->c;

    p.offset += offset_of(w, field);
    const char *doc = comment_of_field(field);
    p.doc = doc ? doc : p.doc;
    if (clang_Cursor_isBitField(field)) {
        refuse(w, loc,
               format("write the width into the type: `u%d %s;`", clang_getFieldDeclBitWidth(field),
                      own),
               format("'%s' is a bit-field", name));
        return;
    }
    unsigned outer = p.n_dims;
    if (!field_storage(w, field, name, &p) || !dimensions(w, loc, name, &type, &p))
        return;
    if (w->self && p.constant) {
        refuse(w, loc,
               "leave const away; what never changes is a static const table or a constexpr",
               format("'%s' is const, and a register gets its value from the reset function",
                      *name ? name : own));
        return;
    }
    for (unsigned i = outer; i < p.n_dims; i++)
        c = format("%s[]", c);
    decl = clang_getTypeDeclaration(type);
    if (type.kind == CXType_Record && clang_getCursorKind(decl) == CXCursor_UnionDecl) {
        refuse(w, loc, "write a struct, or one uint(N) and take its bits by shifts",
               format("'%s' is a union", *name ? name : "this member"));
        return;
    }
    if (top && !nameless && strcmp(own, "out") == 0) {
        walk_out(w, type, loc, &p);
        return;
    }
    if (!p.member.line && !nameless) {
        p.member = loc;
        p.member_doc = p.doc;
    }
    if (type.kind == CXType_Record)
        walk_struct(w, type, loc, name, c, &p);
    else
        add_leaf(w, type, loc, name, c, &p);
}

static enum CXVisitorResult visit_field(CXCursor field, CXClientData data)
{
    walk_field(data, field);
    return CXVisit_Continue;
}

static void walk_record(struct walk *w, CXType record, const struct position *p)
{
    struct walk outer = *w;
    CXCursor decl = clang_getTypeDeclaration(record);
    if (w->depth > MOST_LEVELS) {
        refuse(w, loc_of(decl), "put fewer structs within each other",
               format("structs within each other, more than %d deep", MOST_LEVELS));
        return;
    }
    struct annotations a = {0};
    clang_visitChildren(decl, read_annotation, &a);
    if (a.packed) {
        refuse(w, loc_of(decl), "leave the attribute away: in hardware there is no padding anyway",
               "this struct is packed");
        return;
    }
    if (clang_Type_getSizeOf(record) == 0 && (w->self || p->n_dims || *p->name)) {
        refuse(w, loc_of(decl), "give it a member or leave it away", "this struct has no members");
        return;
    }
    w->at = p;
    w->plain = lies_plain(record);
    w->end = 0;
    w->depth++;
    clang_Type_visitFields(record, visit_field, w);
    w->depth--;
    w->at = outer.at;
    w->plain = outer.plain;
    w->end = outer.end;
}

static bool layout(struct module *m, CXType record, struct declared *d, bool self)
{
    struct walk w = {.d = d, .m = m, .layout = self ? &m->self : &m->in, .self = self};
    *w.layout = (struct layout){
        .tag = tag_of(record),
        .bytes = (unsigned)clang_Type_getSizeOf(record),
        .align = (unsigned)clang_Type_getAlignOf(record),
    };
    walk_record(&w, record, &(struct position){.name = "", .c = ""});
    if (m->package && !self && !w.bad)
        m->in.record = in_record(m, record);
    return !w.bad;
}

bool layout_self(struct module *m, CXType record, struct declared *d)
{
    return layout(m, record, d, true);
}

bool layout_in(struct module *m, CXType record, struct declared *d)
{
    return layout(m, record, d, false);
}

bool layout_keep(struct module *m, CXCursor function)
{
    struct walk w = {.m = m, .layout = &m->in};
    static const char advice[] = "pass the struct's members as parameters, or leave HLS_KEEP away";
    struct leaf result = {.name = m->name, .loc = m->loc};
    int n = clang_Cursor_getNumArguments(function);
    m->in = (struct layout){.tag = ""};
    for (int i = 0; i < n; i++) {
        CXCursor c = clang_Cursor_getArgument(function, (unsigned)i);
        CXType type = clang_getCanonicalType(clang_getCursorType(c));
        const char *name = text_of(clang_getCursorSpelling(c));
        name = *name ? name : format("p%d", i);
        if (type.kind == CXType_Record)
            refuse(&w, loc_of(c), advice,
                   format("parameter '%s' of the HLS_KEEP function '%s' is "
                          "a struct",
                          name, m->name));
        else
            add_leaf(&w, type, loc_of(c), name, name, &(struct position){.name = "", .c = ""});
    }
    if (clang_getCanonicalType(clang_getCursorResultType(function)).kind == CXType_Void)
        return refuse(&w, m->loc, "return the value, or leave HLS_KEEP away",
                      format("the HLS_KEEP function '%s' returns nothing", m->name));
    if (clang_getCanonicalType(clang_getCursorResultType(function)).kind == CXType_Record)
        return refuse(&w, m->loc, "return one integer, or leave HLS_KEEP away",
                      format("the HLS_KEEP function '%s' returns a struct", m->name));
    w.bad |= !scalar_type(clang_getCursorResultType(function), &result);
    m->result_width = result.width;
    return !w.bad;
}
