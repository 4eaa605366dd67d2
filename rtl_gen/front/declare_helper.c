// SPDX-License-Identifier: Apache-2.0
/*
 * declare_helper.c - helpers that take numbers and return a number: what may become a Verilog function.
 *
 * Which of them do is decided in function.c, per module that calls them. Two helpers of one name in
 * different files are not distinguished by the IR, so neither is taken.
 */
#include "front/declare.h"

#include <string.h>

static bool is_number(CXType type)
{
    type = clang_getCanonicalType(type);
    switch (type.kind) {
    case CXType_Bool:
    case CXType_Char_U:
    case CXType_UChar:
    case CXType_UShort:
    case CXType_UInt:
    case CXType_ULong:
    case CXType_ULongLong:
    case CXType_Char_S:
    case CXType_SChar:
    case CXType_Short:
    case CXType_Int:
    case CXType_Long:
    case CXType_LongLong:
        return true;
    case CXType_Unexposed:
        return strstr(text_of(clang_getTypeSpelling(type)), "_BitInt(") != NULL;
    default:
        return false;
    }
}

static bool numbers_alone(CXCursor function)
{
    int n = clang_Cursor_getNumArguments(function);
    for (int i = 0; i < n; i++)
        if (!is_number(clang_getCursorType(clang_Cursor_getArgument(function, (unsigned)i))))
            return false;
    return n > 0 && !clang_Cursor_isVariadic(function) &&
           is_number(clang_getCursorResultType(function));
}

static void describe(struct module *m, CXCursor function)
{
    int n = clang_Cursor_getNumArguments(function);
    struct leaf result = {.name = m->name, .loc = m->loc};
    for (int i = 0; i < n; i++) {
        CXCursor c = clang_Cursor_getArgument(function, (unsigned)i);
        const char *name = text_of(clang_getCursorSpelling(c));
        name = *name ? name : format("p%d", i);
        struct leaf leaf = {.name = name, .c = name, .loc = loc_of(c), .count = 1};
        m->function &= scalar_type(clang_getCursorType(c), &leaf) && leaf.width <= MAX_VECTOR;
        PUSH(m->in.leaf, m->in.n, leaf);
    }
    m->function &=
        scalar_type(clang_getCursorResultType(function), &result) && result.width <= MAX_VECTOR;
    m->result_width = result.width;
}

static bool same_helper(const struct module *a, const struct module *b)
{
    bool same = a->loc.line == b->loc.line && a->in.n == b->in.n &&
                a->result_width == b->result_width && strcmp(a->loc.file, b->loc.file) == 0;
    for (unsigned i = 0; same && i < a->in.n; i++)
        same = a->in.leaf[i].width == b->in.leaf[i].width;
    return same;
}

static enum CXChildVisitResult read_mark(CXCursor c, CXCursor parent, CXClientData data)
{
    (void)parent;
    bool *marked = data;
    *marked |= clang_getCursorKind(c) == CXCursor_AnnotateAttr &&
               strcmp(text_of(clang_getCursorSpelling(c)), "hls_function") == 0;
    return CXChildVisit_Continue;
}

/* Of several of one name, which the IR does not distinguish either, nothing is said. */
static void note_helper(struct design *design, CXCursor c)
{
    const char *name = text_of(clang_getCursorSpelling(c));
    struct loc loc = loc_of(c);
    struct function_doc *h = names_find(&design->docs, name);
    if (h && (!h->file || strcmp(h->file, loc.file) == 0))
        return;
    if (!h)
        names_set(&design->docs, name, h = arena(sizeof *h));
    *h = h->file ? (struct function_doc){0} : (struct function_doc){comment_of_helper(c), loc.file};
}

static enum CXChildVisitResult find_helper(CXCursor c, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct design *design = data;
    bool marked = false;
    if (clang_getCursorKind(c) != CXCursor_FunctionDecl || !clang_isCursorDefinition(c))
        return CXChildVisit_Continue;
    note_helper(design, c);
    clang_visitChildren(c, read_mark, &marked);
    if (!numbers_alone(c)) {
        if (marked)
            diag_error(loc_of(c), "take and return numbers, or leave the mark away",
                       "HLS_FUNCTION function '%s' is not of numbers alone",
                       text_of(clang_getCursorSpelling(c)));
        return CXChildVisit_Continue;
    }
    struct module *m = arena(sizeof *m);
    *m = (struct module){.name = text_of(clang_getCursorSpelling(c)),
                         .loc = loc_of(c),
                         .keep = true,
                         .function = true,
                         .marked = marked,
                         .doc = comment_of_helper(c),
                         .constants = &design->constants};
    m->verilog = m->name;
    struct module *other = names_find(&design->helper, m->name);
    describe(m, c);
    if (other && !same_helper(m, other))
        m->function = false;
    if (!other || !m->function)
        names_set(&design->helper, m->name, m);
    return CXChildVisit_Continue;
}

void find_helpers(const struct declared *d, struct design *design)
{
    for (unsigned i = 0; i < d->n_tu && diag_errors() == 0; i++)
        clang_visitChildren(clang_getTranslationUnitCursor(d->tu[i]), find_helper, design);
    for (unsigned i = 0; i < design->n; i++)
        design->module[i]->docs = &design->docs;
}
