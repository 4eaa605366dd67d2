// SPDX-License-Identifier: Apache-2.0
/*
 * layout.c - struct members by libclang.
 */
#include "read/layout.h"

#include "terms/arena.h"

#include <clang-c/Index.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct walk {
    struct layout *out;
    const char *const *modules;
    struct leaf at; /* path, offset and arrays down to where we are */
};

struct search {
    const char *name;
    CXType found;
    bool any;
};

static const char *text(CXString s)
{
    const char *copy = arena_printf("%s", clang_getCString(s));
    clang_disposeString(s);
    return copy;
}

static enum CXChildVisitResult largest(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    unsigned long long *max = data, value = clang_getEnumConstantDeclUnsignedValue(cursor);
    if (clang_getCursorKind(cursor) == CXCursor_EnumConstantDecl && value > *max)
        *max = value;
    return CXChildVisit_Continue;
}

static void scalar(struct leaf *leaf, CXType type)
{
    const char *spelling = text(clang_getTypeSpelling(type)),
               *bitint = strstr(spelling, "_BitInt(");
    unsigned long long max = 0;
    leaf->size = (uint32_t)clang_Type_getSizeOf(type);
    leaf->bits = 8 * leaf->size;
    leaf->is_signed = type.kind >= CXType_Char_S && type.kind <= CXType_Int128;
    if (bitint) {
        leaf->bits = (uint32_t)strtoul(bitint + strlen("_BitInt("), NULL, 10);
        leaf->is_signed = !strstr(spelling, "unsigned");
    } else if (type.kind == CXType_Bool) {
        leaf->bits = 1;
    } else if (type.kind == CXType_Enum) {
        clang_visitChildren(clang_getTypeDeclaration(type), largest, &max);
        leaf->bits = 1;
        while (max >>= 1)
            leaf->bits++;
        leaf->is_signed = false;
    } else if (type.kind < CXType_Char_U || type.kind > CXType_Int128) {
        unsupported("%s: a member of type %s", leaf->path, spelling);
    }
}

static const char *module_named(const char *name, const char *const *modules)
{
    for (; *modules; modules++)
        if (strcmp(*modules, name) == 0)
            return *modules;
    return NULL;
}

static enum CXVisitorResult member(CXCursor cursor, CXClientData data);

static void of_type(struct walk w, CXType type)
{
    type = clang_getCanonicalType(type);
    while (type.kind == CXType_ConstantArray) {
        CXType element = clang_getCanonicalType(clang_getArrayElementType(type));
        if (w.at.n_dims == MAX_DIMS)
            unsupported("%s: more than %d dimensions", w.at.path, MAX_DIMS);
        if (w.at.n_dims == 0)
            w.at.array = w.at.offset;
        w.at.dim[w.at.n_dims++] = (struct dim){(uint32_t)clang_getArraySize(type),
                                               (uint32_t)clang_Type_getSizeOf(element)};
        w.at.count *= (uint32_t)clang_getArraySize(type);
        type = element;
    }
    if (type.kind == CXType_Record) {
        const char *name = text(clang_getCursorSpelling(clang_getTypeDeclaration(type)));
        w.at.module = module_named(name, w.modules);
        if (!w.at.module) {
            clang_Type_visitFields(type, member, &w);
            return;
        }
        w.at.size = (uint32_t)clang_Type_getSizeOf(type);
    } else {
        scalar(&w.at, type);
    }
    if (w.at.n_dims == 0)
        w.at.array = w.at.offset;
    PUSH(w.out->leaf, w.out->n, w.at);
}

static enum CXVisitorResult member(CXCursor cursor, CXClientData data)
{
    struct walk inner = *(struct walk *)data;
    const char *name = text(clang_getCursorSpelling(cursor)), *above = inner.at.path;
    if (clang_Cursor_isAnonymous(clang_getTypeDeclaration(clang_getCursorType(cursor))) &&
        (!*name || strchr(name, '(')))
        name = "";
    inner.at.path = arena_printf("%s%s%s", above, *above && *name ? "." : "", name);
    inner.at.offset += (uint32_t)(clang_Cursor_getOffsetOfField(cursor) / 8);
    of_type(inner, clang_getCursorType(cursor));
    return CXVisit_Continue;
}

static enum CXChildVisitResult find(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct search *s = data;
    if (clang_getCursorKind(cursor) == CXCursor_StructDecl && clang_isCursorDefinition(cursor) &&
        strcmp(text(clang_getCursorSpelling(cursor)), s->name) == 0) {
        s->found = clang_getCursorType(cursor);
        s->any = true;
        return CXChildVisit_Break;
    }
    return CXChildVisit_Continue;
}

struct layout layout_of(const char *file, const char *const *flags, const char *name,
                        const char *const *modules)
{
    struct layout result = {0};
    struct search s = {.name = name};
    int n = 0;
    while (flags[n])
        n++;
    CXIndex index = clang_createIndex(0, 1);
    CXTranslationUnit unit =
        clang_parseTranslationUnit(index, file, flags, n, NULL, 0, CXTranslationUnit_None);
    if (!unit)
        unsupported("libclang cannot parse %s", file);
    clang_visitChildren(clang_getTranslationUnitCursor(unit), find, &s);
    if (!s.any)
        unsupported("%s: there is no struct %s", file, name);
    result.size = (uint32_t)clang_Type_getSizeOf(s.found);
    struct walk w = {.out = &result, .modules = modules, .at = {.path = "", .count = 1}};
    clang_Type_visitFields(s.found, member, &w);
    clang_disposeTranslationUnit(unit);
    clang_disposeIndex(index);
    return result;
}

uint32_t leaf_offset(const struct leaf *leaf, uint32_t element)
{
    uint32_t offset = leaf->offset;
    for (unsigned d = leaf->n_dims; d-- > 0;) {
        offset += element % leaf->dim[d].count * leaf->dim[d].stride;
        element /= leaf->dim[d].count;
    }
    return offset;
}
