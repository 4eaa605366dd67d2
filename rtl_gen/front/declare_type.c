// SPDX-License-Identifier: Apache-2.0
/*
 * declare_type.c - how wide a scalar is. The IR does not say: it keeps a u5 in a byte. What C
 * declared is in the canonical type's spelling ("unsigned _BitInt(5)") and in the enumerators.
 */
#include "front/declare.h"
#include "base/number.h"

#include <string.h>

struct enum_seen {
    CXCursor decl;
    struct enumeration *e;
};

static struct enum_seen *enums;
static unsigned n_enums;

struct enum_walk {
    struct enumeration *e;
    uint64_t largest;
    bool bad;
    const char *user;
};

static enum CXChildVisitResult add_enumerator(CXCursor c, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct enum_walk *w = data;
    if (clang_getCursorKind(c) != CXCursor_EnumConstantDecl)
        return CXChildVisit_Continue;
    CXType type =
        clang_getCanonicalType(clang_getEnumDeclIntegerType(clang_getCursorSemanticParent(c)));
    bool is_unsigned = type.kind == CXType_Bool ||
                       strncmp(text_of(clang_getTypeSpelling(type)), "unsigned", 8) == 0;
    const char *label = text_of(clang_getCursorSpelling(c));
    if (!is_unsigned && clang_getEnumConstantDeclValue(c) < 0) {
        diag_error(loc_of(c), "number the enumerators from 0",
                   "enumerator '%s' is negative, and '%s' is hardware of that type", label,
                   w->user);
        w->bad = true;
        return CXChildVisit_Break;
    }
    uint64_t value = clang_getEnumConstantDeclUnsignedValue(c);
    unsigned n = w->e->n;
    PUSH(w->e->label, n, label);
    PUSH(w->e->value, w->e->n, value);
    if (value > w->largest)
        w->largest = value;
    return CXChildVisit_Continue;
}

static bool refuse(const struct leaf *leaf, const char *advice, const char *what)
{
    diag_error(leaf->loc, advice, "'%s' is %s, which is no hardware", leaf->name, what);
    return false;
}

static bool enum_type(CXCursor decl, struct leaf *leaf)
{
    decl = clang_getCursorDefinition(decl);
    if (clang_Cursor_isNull(decl))
        return refuse(leaf, "list the enumerators, or use a uint(N)",
                      "an enum without enumerators");
    if (leaf->bytes > 8)
        return refuse(leaf, "let its enumerators fit 64 bits, or use a uint(N)",
                      "an enum of more than 64 bits");
    unsigned i = 0;
    while (i < n_enums && !clang_equalCursors(enums[i].decl, decl))
        i++;
    if (i == n_enums) {
        struct enumeration *e = arena(sizeof *e);
        struct enum_walk w = {.e = e, .user = leaf->name};
        bool nameless = clang_Cursor_isAnonymous(decl);
        e->name = nameless ? NULL : text_of(clang_getCursorSpelling(decl));
        e->loc = loc_of(decl);
        clang_visitChildren(decl, add_enumerator, &w);
        if (w.bad)
            return false;
        e->width = bits_to_hold(w.largest);
        PUSH(enums, n_enums, (struct enum_seen){decl, e});
    }
    leaf->width = enums[i].e->width;
    leaf->enumeration = enums[i].e;
    return true;
}

/* "unsigned _BitInt(5)", possibly behind "const ". */
static bool bit_int(CXType type, struct leaf *leaf)
{
    const char *s = text_of(clang_getTypeSpelling(type));
    if (strncmp(s, "const ", 6) == 0)
        s += 6;
    leaf->is_signed = strncmp(s, "unsigned ", 9) != 0;
    if (!leaf->is_signed)
        s += 9;
    return sscanf(s, "_BitInt(%u)", &leaf->width) == 1;
}

static bool refuse_type(CXType type, const struct leaf *leaf)
{
    const char *spelled = text_of(clang_getTypeSpelling(type));
    switch (type.kind) {
    case CXType_Pointer:
        if (clang_getPointeeType(type).kind == CXType_FunctionProto)
            return refuse(leaf, "keep an enum and choose with a switch", "a function pointer");
        return refuse(leaf, "keep what it points to as a member, or an index into an array",
                      "a pointer");
    case CXType_Half:
    case CXType_Float16:
    case CXType_BFloat16:
    case CXType_Float:
    case CXType_Double:
    case CXType_LongDouble:
    case CXType_Float128:
    case CXType_Complex:
        return refuse(leaf, "hold the number's bits in a uint(N) and compute with integers",
                      "floating point");
    case CXType_Atomic:
        return refuse(leaf, "leave _Atomic away: a register changes at the clock edge only",
                      "atomic");
    case CXType_Vector:
    case CXType_ExtVector:
        return refuse(leaf, "declare an array", "a vector");
    default:
        return refuse(leaf, "use u1 ... u64, uint(N), sint(N), bool, an enum, a struct or an array",
                      format("of type '%s'", spelled));
    }
}

bool scalar_type(CXType type, struct leaf *leaf)
{
    type = clang_getCanonicalType(type);
    long long bytes = clang_Type_getSizeOf(type);
    leaf->bytes = bytes > 0 ? (unsigned)bytes : 0;
    leaf->width = 8 * leaf->bytes;
    switch (type.kind) {
    case CXType_Bool:
        leaf->width = 1;
        return true;
    case CXType_Char_U:
    case CXType_UChar:
    case CXType_UShort:
    case CXType_UInt:
    case CXType_ULong:
    case CXType_ULongLong:
    case CXType_UInt128:
        return true;
    case CXType_Char_S:
    case CXType_SChar:
    case CXType_Short:
    case CXType_Int:
    case CXType_Long:
    case CXType_LongLong:
    case CXType_Int128:
        leaf->is_signed = true;
        return true;
    case CXType_Enum:
        return enum_type(clang_getTypeDeclaration(type), leaf);
    case CXType_Unexposed:
        if (bit_int(type, leaf))
            return true;
        return refuse_type(type, leaf);
    default:
        return refuse_type(type, leaf);
    }
}
