// SPDX-License-Identifier: Apache-2.0
/*
 * declare.c - what the C says about its modules, read through libclang.
 *
 *   parse      every file, with the flags that compile.c gives to clang
 *   gather     the functions that carry HLS_MODULE, HLS_RESET, HLS_KEEP, over all files by name
 *   describe   signature, reset, layouts, instances and comments of each that has a body
 *   resolve    instances to modules over all files, children before parents
 *
 * LLVM IR knows neither declared widths nor annotations nor comments; from here on they are in
 * struct module.
 */
#include "front/declare.h"
#include "base/budget.h"

#include <assert.h>
#include <string.h>
#include <unistd.h>

const char *text_of(CXString s)
{
    const char *c = clang_getCString(s);
    char *copy = format("%s", c ? c : "");
    clang_disposeString(s);
    return copy;
}

struct loc loc_of(CXCursor c)
{
    CXFile file;
    struct loc loc;
    clang_getExpansionLocation(clang_getCursorLocation(c), &file, &loc.line, &loc.col, NULL);
    loc.file = file ? text_of(clang_getFileName(file)) : NULL;
    return loc;
}

const char *tag_of(CXType record)
{
    const char *s = text_of(clang_getTypeSpelling(clang_getCanonicalType(record)));
    if (strncmp(s, "const ", 6) == 0)
        s += 6;
    return strncmp(s, "struct ", 7) == 0 && !strchr(s, '(') ? s + 7 : "";
}

CXType pointee_record(CXType pointer)
{
    CXType to = clang_getPointeeType(clang_getCanonicalType(pointer));
    to = clang_getCanonicalType(to);
    return to.kind == CXType_Record ? to : (CXType){.kind = CXType_Invalid};
}

const struct function *function_on(const struct declared *d, enum role role, const char *tag)
{
    for (unsigned i = 0; d && *tag && i < d->n_functions; i++) {
        const struct function *f = &d->function[i];
        if (f->role == role && strcmp(f->self, tag) == 0)
            return f;
    }
    return NULL;
}

/* ---- parse --------------------------------------------------------------------------------------- */

static bool parse(struct declared *d, const struct options *opt)
{
    const char **args = NULL;
    unsigned n = 0;
    PUSH(args, n, "-std=c23");
    PUSH(args, n, "-DHLS_RTLGEN");
    PUSH(args, n, "-ffreestanding");
    PUSH(args, n, "-fparse-all-comments");
    PUSH(args, n, "-w");
    for (unsigned i = 0; i < opt->n_include; i++)
        PUSH(args, n, opt->include[i]);
    for (unsigned i = 0; i < opt->n_define; i++)
        PUSH(args, n, opt->define[i]);
    d->index = clang_createIndex(0, 0);
    for (unsigned i = 0; i < opt->n_file; i++) {
        CXTranslationUnit tu = NULL;
        enum CXErrorCode code = clang_parseTranslationUnit2(d->index, opt->file[i], args, (int)n,
                                                            NULL, 0, CXTranslationUnit_None, &tu);
        if (code != CXError_Success) {
            diag_error((struct loc){.file = opt->file[i]}, NULL, "libclang cannot read this file");
            return false;
        }
        PUSH(d->tu, d->n_tu, tu);
    }
    return true;
}

static void dispose(struct declared *d)
{
    for (unsigned i = 0; i < d->n_tu; i++)
        clang_disposeTranslationUnit(d->tu[i]);
    clang_disposeIndex(d->index);
}

/* ---- gather -------------------------------------------------------------------------------------- */

static enum CXChildVisitResult read_role(CXCursor c, CXCursor parent, CXClientData data)
{
    (void)parent;
    enum role *role = data;
    if (clang_getCursorKind(c) != CXCursor_AnnotateAttr)
        return CXChildVisit_Continue;
    const char *s = text_of(clang_getCursorSpelling(c));
    if (strcmp(s, "hls_module") == 0)
        *role = ROLE_MODULE;
    else if (strcmp(s, "hls_reset") == 0)
        *role = ROLE_RESET;
    else if (strcmp(s, "hls_keep") == 0)
        *role = ROLE_KEEP;
    return CXChildVisit_Continue;
}

struct gather {
    struct declared *d;
    const char *file;
};

static bool is_local(CXCursor c)
{
    return clang_Cursor_getStorageClass(c) == CX_SC_Static || clang_Cursor_isFunctionInlined(c);
}

static const char *const role_name[] = {"", "module", "reset function", "HLS_KEEP function"};

static bool same_line(struct loc a, struct loc b)
{
    return a.file && b.file && strcmp(a.file, b.file) == 0 && a.line == b.line;
}

static void duplicate(const struct function *f, CXCursor again, const char *file)
{
    struct loc loc = loc_of(again);
    bool same = same_line(loc, f->loc);
    diag_error(loc,
               same ? "keep the body in one .c file and a declaration in the header"
                    : "rename one of them, or leave its file away",
               "%s '%s' is defined twice", role_name[f->role], f->name);
    if (same)
        diag_note(loc, "by %s and by %s", f->source, file);
    else
        diag_note(f->loc, "the first is here");
}

static struct function *function_named(const struct declared *d, enum role role, const char *name)
{
    for (unsigned i = 0; i < d->n_functions; i++)
        if (d->function[i].role == role && strcmp(d->function[i].name, name) == 0)
            return &d->function[i];
    return NULL;
}

static struct function new_function(CXCursor c, enum role role, const char *name)
{
    struct function f = {.role = role, .name = name, .self = "", .loc = loc_of(c), .first = c};
    f.body = clang_getNullCursor();
    if (role != ROLE_KEEP && clang_Cursor_getNumArguments(c) > 0) {
        CXType first = clang_getCursorType(clang_Cursor_getArgument(c, 0));
        f.self = tag_of(pointee_record(first));
    }
    return f;
}

static void add_function(struct gather *g, CXCursor c, enum role role)
{
    struct declared *d = g->d;
    const char *name = text_of(clang_getCursorSpelling(c));
    bool body = clang_isCursorDefinition(c);
    struct function *f = function_named(d, role, name);
    if (!f) {
        PUSH(d->function, d->n_functions, new_function(c, role, name));
        f = &d->function[d->n_functions - 1];
    }
    if (!body)
        return;
    if (!clang_Cursor_isNull(f->body)) {
        if (!same_line(loc_of(c), f->loc) || !is_local(c) || role == ROLE_MODULE)
            duplicate(f, c, g->file);
        return;
    }
    f->body = c;
    f->loc = loc_of(c);
    f->source = g->file;
}

static enum CXChildVisitResult gather_one(CXCursor c, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct gather *g = data;
    enum role role = ROLE_NONE;
    if (clang_getCursorKind(c) == CXCursor_StructDecl && !g->d->machine &&
        strcmp(text_of(clang_getCursorSpelling(c)), "hls_machine") == 0)
        g->d->machine = head_comment(c);
    if (clang_getCursorKind(c) != CXCursor_FunctionDecl)
        return CXChildVisit_Continue;
    clang_visitChildren(c, read_role, &role);
    if (role != ROLE_NONE)
        add_function(data, c, role);
    return CXChildVisit_Continue;
}

/* A body without the annotation that another file gives to the function of this name. */
static enum CXChildVisitResult find_clash(CXCursor c, CXCursor parent, CXClientData data)
{
    (void)parent;
    const struct declared *d = data;
    enum role role = ROLE_NONE;
    if (clang_getCursorKind(c) != CXCursor_FunctionDecl || !clang_isCursorDefinition(c))
        return CXChildVisit_Continue;
    clang_visitChildren(c, read_role, &role);
    const char *name = text_of(clang_getCursorSpelling(c));
    for (unsigned i = 0; role == ROLE_NONE && i < d->n_functions; i++) {
        const struct function *f = &d->function[i];
        if (strcmp(f->name, name) != 0)
            continue;
        diag_error(loc_of(c), "rename it, or include the header that declares the other",
                   "'%s' is the name of a %s", name, role_name[f->role]);
        diag_note(f->loc, "the other is here");
    }
    return CXChildVisit_Continue;
}

static void gather(struct declared *d, const struct options *opt)
{
    for (unsigned i = 0; i < d->n_tu; i++)
        clang_visitChildren(clang_getTranslationUnitCursor(d->tu[i]), gather_one,
                            &(struct gather){d, opt->file[i]});
    for (unsigned i = 0; i < d->n_tu; i++)
        clang_visitChildren(clang_getTranslationUnitCursor(d->tu[i]), find_clash, d);
}

/* ---- describe ------------------------------------------------------------------------------------ */

static bool complete(CXType record)
{
    return record.kind == CXType_Record && clang_Type_getSizeOf(record) >= 0;
}

/* void f(struct M *self, const struct M_in *in) */
static bool module_signature(const struct function *f)
{
    const char *advice =
        format("write `HLS_MODULE void %s(struct %s *self, const struct %s_in *in)`", f->name,
               f->name, f->name);
    const char *wrong = NULL;
    if (clang_Cursor_getNumArguments(f->body) != 2 || clang_Cursor_isVariadic(f->body)) {
        diag_error(f->loc, advice, "module '%s' does not take exactly its registers and its inputs",
                   f->name);
        return false;
    }
    CXType self = clang_getCursorType(clang_Cursor_getArgument(f->body, 0));
    CXType in = clang_getCursorType(clang_Cursor_getArgument(f->body, 1));
    CXType self_to = pointee_record(self), in_to = pointee_record(in);
    if (clang_getCanonicalType(clang_getCursorResultType(f->body)).kind != CXType_Void)
        wrong = "returns a value";
    else if (!complete(self_to))
        wrong = "does not take a pointer to the struct of its registers first";
    else if (!complete(in_to))
        wrong = "does not take a pointer to the struct of its inputs second";
    else if (clang_isConstQualifiedType(self_to))
        wrong = "takes its registers as const";
    else if (!clang_isConstQualifiedType(in_to))
        wrong = "takes its inputs without const";
    else if (!*tag_of(self_to) || !*tag_of(in_to))
        wrong = "works on a struct without a tag";
    else if (is_local(f->body))
        wrong = "is static or inline";
    if (wrong)
        diag_error(f->loc, advice, "module '%s' %s", f->name, wrong);
    return !wrong;
}

static bool reset_signature(const struct function *f)
{
    const char *advice =
        format("write `HLS_RESET void %s(struct module *self)`, with the module's struct", f->name);
    bool good = clang_Cursor_getNumArguments(f->first) == 1 && *f->self &&
                clang_getCanonicalType(clang_getCursorResultType(f->first)).kind == CXType_Void &&
                !clang_isConstQualifiedType(
                    pointee_record(clang_getCursorType(clang_Cursor_getArgument(f->first, 0))));
    if (!good)
        diag_error(f->loc, advice, "reset function '%s' does not take exactly a module's registers",
                   f->name);
    return good;
}

static bool find_reset(const struct declared *d, const struct function *f, struct module *m)
{
    const struct function *reset = function_on(d, ROLE_RESET, f->self);
    if (!reset) {
        diag_error(f->loc,
                   format("write `HLS_RESET void %s_reset(struct %s *self)`, which gives every "
                          "register its value",
                          f->name, f->self),
                   "module '%s' has no reset function", f->name);
        return false;
    }
    if (clang_Cursor_isNull(reset->body)) {
        diag_error(reset->loc, "give the .c file that defines it, too",
                   "the reset function of module '%s' has no body in the files given", f->name);
        return false;
    }
    m->reset_name = reset->name;
    return true;
}

static struct module *new_module(const struct declared *d, const struct function *f, bool keep)
{
    struct module *m = arena(sizeof *m);
    m->name = f->name;
    m->verilog = format("%s%s", d->prefix, f->name);
    m->loc = f->loc;
    m->package = d->package;
    m->keep = keep;
    m->declared_here = true;
    m->source = f->source;
    m->doc = comment_of_function(f->body);
    m->licence = licence_of(f->body);
    m->machine = d->machine;
    return m;
}

static struct module *describe_module(struct declared *d, const struct function *f)
{
    if (!module_signature(f))
        return NULL;
    struct module *m = new_module(d, f, false);
    budget_of(m->name, m->loc, NULL, NULL);
    CXType self = pointee_record(clang_getCursorType(clang_Cursor_getArgument(f->body, 0)));
    CXType in = pointee_record(clang_getCursorType(clang_Cursor_getArgument(f->body, 1)));
    bool good = find_reset(d, f, m);
    good &= layout_in(m, in, d);
    good &= layout_self(m, self, d);
    m->header = header_of(clang_getTypeDeclaration(self), tag_of(self));
    if (!name_is_plain(m->header)) {
        diag_error(f->loc, "rename it: test benches include it",
                   "the struct of module '%s' is in a file whose name has a quote, backtick, "
                   "backslash or control character",
                   m->name);
        good = false;
    }
    return names_check(m) && good ? m : NULL;
}

static struct module *describe_keep(const struct declared *d, const struct function *f)
{
    struct module *m = new_module(d, f, true);
    return layout_keep(m, f->body) && names_check(m) ? m : NULL;
}

static bool same_leaf(const struct leaf *a, const struct leaf *b)
{
    return strcmp(a->name, b->name) == 0 && a->offset == b->offset && a->width == b->width &&
           a->count == b->count && a->storage == b->storage;
}

static bool same_struct(const struct module *a, const struct module *b)
{
    bool same = a->self.bytes == b->self.bytes && a->self.n == b->self.n && a->n_inst == b->n_inst;
    for (unsigned i = 0; same && i < a->self.n; i++)
        same = same_leaf(&a->self.leaf[i], &b->self.leaf[i]);
    for (unsigned i = 0; same && i < a->n_inst; i++)
        same = strcmp(a->inst[i].module_name, b->inst[i].module_name) == 0 &&
               a->inst[i].offset == b->inst[i].offset && a->inst[i].count == b->inst[i].count;
    return same;
}

/*
 * A parent's file may see the child's struct with other macros than the child's own file: then the
 * instance is another thing. That all see the same also means that no module contains itself.
 */
static void compare_views(const struct declared *d, const struct design *design)
{
    for (unsigned i = 0; i < d->n_views; i++) {
        const struct view *v = &d->view[i];
        const struct module *own = design_find(design, v->of->name);
        if (!own || same_struct(own, v->seen))
            continue;
        diag_error(v->loc, "let every file see one definition: do not change it by macros",
                   "'struct %s' is another one than in %s", v->of->self, own->source);
    }
}

static void describe(struct declared *d, struct design *design)
{
    for (unsigned i = 0; i < d->n_functions; i++) {
        const struct function *f = &d->function[i];
        struct module *m = NULL;
        if (f->role == ROLE_RESET) {
            const struct function *first = function_on(d, ROLE_RESET, f->self);
            if (reset_signature(f) && first != f) {
                diag_error(f->loc, "keep one of them", "'struct %s' has two reset functions",
                           f->self);
                diag_note(first->loc, "the first is here");
            }
            continue;
        }
        if (clang_Cursor_isNull(f->body))
            continue;
        const struct function *first = function_on(d, f->role, f->self);
        if (first && first != f) {
            diag_error(f->loc, "give each module a struct of its own",
                       "modules '%s' and '%s' have the same struct", first->name, f->name);
            continue;
        }
        m = f->role == ROLE_MODULE ? describe_module(d, f) : describe_keep(d, f);
        if (m)
            PUSH(design->module, design->n, m);
    }
}

/* ---- resolve ------------------------------------------------------------------------------------- */

struct module *design_find(const struct design *design, const char *function_name)
{
    for (unsigned i = 0; i < design->n; i++)
        if (strcmp(design->module[i]->name, function_name) == 0)
            return design->module[i];
    return NULL;
}

static void no_body(const struct declared *d, const struct module *m, const struct instance *inst)
{
    const struct function *f = function_named(d, ROLE_MODULE, inst->module_name);
    assert(f && f->loc.file); /* its declaration made the member an instance */
    const char *dot = strrchr(f->loc.file, '.');
    const char *guess = dot ? format("%.*s.c", (int)(dot - f->loc.file), f->loc.file) : f->loc.file;
    diag_error(inst->loc,
               access(guess, R_OK) == 0 ? format("give %s, too", guess)
                                        : format("give the .c file that defines it, too"),
               "'%s' of module '%s' is a module '%s', which has no body in the files given",
               inst->c, m->name, inst->module_name);
    diag_note(f->loc, "it is declared here");
}

static void resolve(const struct declared *d, struct design *design)
{
    for (unsigned i = 0; i < design->n; i++) {
        struct module *m = design->module[i];
        for (unsigned k = 0; k < m->n_inst; k++) {
            m->inst[k].module = design_find(design, m->inst[k].module_name);
            if (!m->inst[k].module && diag_errors() == 0)
                no_body(d, m, &m->inst[k]);
        }
    }
}

struct sort {
    struct module **to;
    unsigned n;
};

static void too_deep(const struct module *m)
{
    diag_error(m->loc, "put fewer modules within each other",
               "instances within each other, more than %d deep", MOST_LEVELS);
}

static void note_size(struct module *m)
{
    uint64_t bits = 0;
    m->level = 1;
    for (unsigned i = 0; i < m->self.n; i++) {
        const struct leaf *leaf = &m->self.leaf[i];
        m->holds_memory |= leaf->storage != STORE_REG;
        if (leaf->storage == STORE_REG)
            bits += (uint64_t)leaf->width * leaf->count;
    }
    for (unsigned k = 0; k < m->n_inst; k++) {
        m->holds_memory |= m->inst[k].module->holds_memory;
        if (m->inst[k].module->level >= m->level)
            m->level = m->inst[k].module->level + 1;
        bits += m->inst[k].count * m->inst[k].module->state_bits;
    }
    m->state_bits = bits;
    if (m->level > MOST_LEVELS)
        too_deep(m);
    if (bits > MOST_STATE)
        diag_error(
            m->loc, "give the files of its parts in calls of their own",
            "module '%s' has more than %u bits of registers, those of its instances included",
            m->name, MOST_STATE);
}

static void visit(struct sort *s, struct module *m, unsigned depth)
{
    if (m->sorted || diag_errors() != 0)
        return;
    m->sorted = true;
    if (depth > MOST_LEVELS) {
        too_deep(m);
        return;
    }
    for (unsigned k = 0; k < m->n_inst; k++)
        visit(s, m->inst[k].module, depth + 1);
    if (diag_errors() != 0)
        return;
    note_size(m);
    s->to[s->n++] = m;
}

static const char *module_names(const struct design *design)
{
    const char *list = NULL;
    for (unsigned i = 0; i < design->n; i++)
        if (!design->module[i]->keep)
            list = list ? format("%s, %s", list, design->module[i]->name) : design->module[i]->name;
    return list ? format("the modules are %s", list) : NULL;
}

/* Keeps first, then children before parents; with --top only what is under it. */
static void sort(struct design *design, const char *top)
{
    struct sort s = {.to = arena((design->n + 1) * sizeof *s.to)};
    for (unsigned i = 0; i < design->n; i++)
        if (design->module[i]->keep)
            visit(&s, design->module[i], 1);
    struct module *only = top ? design_find(design, top) : NULL;
    if (top && (!only || only->keep)) {
        diag_error((struct loc){0}, module_names(design), "--top: no module is called '%s'", top);
        return;
    }
    for (unsigned i = 0; i < design->n; i++)
        if (!top || design->module[i] == only)
            visit(&s, design->module[i], 1);
    design->module = s.to;
    design->n = s.n;
}

bool declare(const struct options *opt, struct design *design)
{
    struct declared d = {.prefix = opt->prefix, .package = opt->package};
    if (!parse(&d, opt)) {
        dispose(&d);
        return false;
    }
    gather(&d, opt);
    if (diag_errors() == 0)
        describe(&d, design);
    bool any = false;
    for (unsigned i = 0; i < d.n_functions; i++)
        any |= d.function[i].role == ROLE_MODULE && !clang_Cursor_isNull(d.function[i].body);
    if (!any && diag_errors() == 0)
        diag_error((struct loc){.file = opt->file[0]},
                   "mark the function that is one clock of the module with HLS_MODULE",
                   "no module in the files given");
    compare_views(&d, design);
    if (diag_errors() == 0)
        resolve(&d, design);
    if (diag_errors() == 0)
        sort(design, opt->top);
    design->package = opt->package;
    if (diag_errors() == 0 && design->package)
        find_port_types(design);
    if (diag_errors() == 0) {
        find_helpers(&d, design);
        find_constants(&d, design);
    }
    dispose(&d);
    return diag_errors() == 0;
}
