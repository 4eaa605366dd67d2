// SPDX-License-Identifier: Apache-2.0
/*
 * declare_record.c - a struct of ports as the C nests it, for the types of SystemVerilog: leaves (declare_layout.c) are the same
 * scalars without the structs around them.
 */
#include "front/declare.h"

#include <string.h>

/* Peels the arrays off the type. */
static void dimensions(CXType *type, struct member *member)
{
    for (; type->kind == CXType_ConstantArray; *type = clang_getArrayElementType(*type))
        member->count[member->n_dims++] = (unsigned)clang_getArraySize(*type);
}

static void scalar(CXType type, struct member *member, const char *nameless)
{
    struct leaf leaf = {.name = member->name, .loc = member->loc};
    scalar_type(type, &leaf);
    member->width = leaf.width;
    member->is_signed = leaf.is_signed;
    member->enumeration = leaf.enumeration;
    if (leaf.enumeration)
        member->type = leaf.enumeration->name ? format("%s_t", leaf.enumeration->name) : nameless;
}

static enum CXVisitorResult visit_field(CXCursor field, CXClientData data);

/* A keyword or a word of Verilator's C++, which as a part of a flat name it is not, has `_` behind it. */
static const char *member_name(const char *name)
{
    return verilog_keyword(name) || verilator_word(name) ? format("%s_", name) : name;
}

static void add_member(struct record *record, CXCursor field)
{
    CXType type = clang_getCanonicalType(clang_getCursorType(field));
    if (clang_Cursor_isAnonymousRecordDecl(clang_getTypeDeclaration(type))) {
        clang_Type_visitFields(type, visit_field, record);
        return;
    }
    const char *name = text_of(clang_getCursorSpelling(field));
    struct member member = {
        .name = member_name(name),
        .doc = comment_of_field(field),
        .loc = loc_of(field),
    };
    /* of the struct, as the member, where the type has no name */
    const char *nameless = format("%.*s_%s_t", (int)strlen(record->type) - 2, record->type, name);
    dimensions(&type, &member);
    if (type.kind == CXType_Record) {
        member.record = record_of(type, *tag_of(type) ? format("%s_t", tag_of(type)) : nameless);
        member.type = member.record->type;
    } else {
        scalar(type, &member, nameless);
    }
    PUSH(record->member, record->n, member);
}

static enum CXVisitorResult visit_field(CXCursor field, CXClientData data)
{
    add_member(data, field);
    return CXVisit_Continue;
}

const struct record *record_of(CXType type, const char *name)
{
    struct record *record = arena(sizeof *record);
    record->type = name;
    record->loc = loc_of(clang_getTypeDeclaration(type));
    clang_Type_visitFields(type, visit_field, record);
    return record;
}
