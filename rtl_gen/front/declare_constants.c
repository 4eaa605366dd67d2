// SPDX-License-Identifier: Apache-2.0
/*
 * declare_constants.c - which lines of the C compare or compute with a number by its name, or choose it: a macro, an
 * enumerator, a constexpr.
 *
 * The IR has the numbers alone. A comparison in the Verilog gets the names of its line, and so does a sum or a mask, each
 * its own; a case gets those of its switch. What a choice gives gets the names that its line gives or assigns, under its condition for an if. A value that the line
 * has by two names, or also by a number, has none.
 */
#include "base/text.h"
#include "front/declare.h"

#include <ctype.h>
#include <string.h>

enum { MOST_DECIDED = 24 };

struct reading {
    struct constants *constants;
    const char *file, *function;
    const char *member; /* that is given the value, or NULL */
    CXTranslationUnit tu;
    unsigned cases; /* line of the switch around */
    bool is_case;   /* of the value of a case: noted where the switch is, as in the IR */
    bool is_term;   /* computed with */
    bool
        is_value; /* given or assigned: noted in all lines of the statement, and where the ifs around it decide */
    unsigned first, last; /* of these lines */
    unsigned decided[MOST_DECIDED], n_decided;
};

static void note_under(const struct reading *r, const char *key, uint64_t value, const char *name)
{
    struct names *table = r->is_value  ? &r->constants->given
                          : r->is_term ? &r->constants->computed
                                       : &r->constants->compared;
    struct constant *all = names_find(table, key), *same = all;
    while (same && same->value != value)
        same = same->next;
    if (same) {
        if (!name || !same->name || strcmp(same->name, name) != 0)
            same->name = NULL;
        return;
    }
    struct constant *new = arena(sizeof *new);
    *new = (struct constant){.value = value, .name = name, .next = all};
    names_set(table, key, new);
}

static void note_at(const struct reading *r, unsigned line, uint64_t value, const char *name)
{
    note_under(r, place((struct loc){r->file, line, 0, NULL}), value, name);
}

static void note(const struct reading *r, CXCursor c, uint64_t value, const char *name)
{
    if (!r->is_value) {
        note_at(r, r->is_case ? r->cases : loc_of(c).line, value, name);
        return;
    }
    for (unsigned line = r->first; line <= r->last; line++)
        note_at(r, line, value, name);
    for (unsigned i = 0; i < r->n_decided; i++)
        note_at(r, r->decided[i], value, name);
    if (r->member) /* a reset function has no lines in the IR that decide */
        note_under(r, format("%s %s", r->function, r->member), value, name);
}

/* Notes an expression or a constant object, if its value is known. */
static void note_value(const struct reading *r, CXCursor at, CXCursor of, const char *name)
{
    CXEvalResult result = clang_Cursor_Evaluate(of);
    if (result && clang_EvalResult_getKind(result) == CXEval_Int)
        note(r, at,
             clang_EvalResult_isUnsignedInt(result)
                 ? clang_EvalResult_getAsUnsigned(result)
                 : (uint64_t)clang_EvalResult_getAsLongLong(result),
             name);
    if (result)
        clang_EvalResult_dispose(result);
}

/* The macro without parameters of which the expression is all; NULL if it is more or less than that. */
static const char *macro_of(const struct reading *r, CXCursor c)
{
    CXSourceRange range = clang_getCursorExtent(c);
    CXFile file, from;
    unsigned start, end, spelled;
    size_t size;
    clang_getExpansionLocation(clang_getRangeStart(range), &file, NULL, NULL, &start);
    clang_getSpellingLocation(clang_getRangeStart(range), &from, NULL, NULL, &spelled);
    clang_getExpansionLocation(clang_getRangeEnd(range), NULL, NULL, NULL, &end);
    const char *text = file ? clang_getFileContents(r->tu, file, &size) : NULL;
    if (!text || (spelled == start && clang_File_isEqual(from, file)))
        return NULL;
    size_t at = start;
    while (at < size && (isalnum((unsigned char)text[at]) || text[at] == '_'))
        at++;
    return at == end && at > start ? format("%.*s", (int)(at - start), text + start) : NULL;
}

static void note_reference(const struct reading *r, CXCursor c)
{
    CXCursor to = clang_getCursorReferenced(c);
    const char *name = text_of(clang_getCursorSpelling(to));
    if (clang_getCursorKind(to) == CXCursor_EnumConstantDecl)
        note(r, c, clang_getEnumConstantDeclUnsignedValue(to), name);
    else if (clang_getCursorKind(to) == CXCursor_VarDecl &&
             clang_isConstQualifiedType(clang_getCursorType(to)))
        note_value(r, c, to, name);
}

static enum CXChildVisitResult take_first(CXCursor c, CXCursor parent, CXClientData first)
{
    (void)parent;
    *(CXCursor *)first = c;
    return CXChildVisit_Break;
}

static enum CXChildVisitResult take_last(CXCursor c, CXCursor parent, CXClientData last)
{
    (void)parent;
    *(CXCursor *)last = c;
    return CXChildVisit_Continue;
}

/* What is assigned to: the member, if it is one or an element of one. */
static const char *member_of(CXCursor c)
{
    while (clang_getCursorKind(c) == CXCursor_ArraySubscriptExpr ||
           clang_getCursorKind(c) == CXCursor_UnexposedExpr) {
        CXCursor inner = clang_getNullCursor();
        clang_visitChildren(c, take_first, &inner);
        c = inner;
    }
    return clang_getCursorKind(c) == CXCursor_MemberRefExpr ? text_of(clang_getCursorSpelling(c))
                                                            : NULL;
}

/* Of ".part.member = value" the last name. */
static enum CXChildVisitResult take_member(CXCursor c, CXCursor parent, CXClientData member)
{
    (void)parent;
    if (clang_getCursorKind(c) == CXCursor_MemberRef)
        *(const char **)member = text_of(clang_getCursorSpelling(c));
    return CXChildVisit_Continue;
}

/* What has values for parts. */
static bool is_list(enum CXCursorKind kind)
{
    return kind == CXCursor_ConditionalOperator || kind == CXCursor_InitListExpr ||
           kind == CXCursor_CompoundLiteralExpr;
}

/* What is compared or given, if it is a name or a number in parentheses and casts. */
static enum CXChildVisitResult read_operand(CXCursor c, CXCursor parent, CXClientData data)
{
    struct reading own = *(const struct reading *)data, *r = &own;
    (void)parent;
    for (;;) {
        const enum CXCursorKind kind = clang_getCursorKind(c);
        const char *macro = clang_isExpression(kind) ? macro_of(r, c) : NULL;
        if (macro || kind == CXCursor_IntegerLiteral)
            note_value(r, c, c, macro);
        else if (kind == CXCursor_DeclRefExpr)
            note_reference(r, c);
        else if (kind == CXCursor_ParenExpr || kind == CXCursor_UnexposedExpr ||
                 kind == CXCursor_CStyleCastExpr) {
            CXCursor inner = clang_getNullCursor();
            clang_visitChildren(c, take_member, &own.member);
            clang_visitChildren(c, take_last, &inner);
            c = inner;
            continue;
        } else if (r->is_value && is_list(kind)) {
            clang_visitChildren(c, read_operand, r);
        }
        return CXChildVisit_Continue;
    }
}

static void read_case(const struct reading *r, CXCursor c)
{
    struct reading value = *r;
    CXCursor first = clang_getNullCursor();
    value.is_case = true;
    clang_visitChildren(c, take_first, &first);
    read_operand(first, c, &value);
}

static bool is_comparison(enum CXBinaryOperatorKind kind)
{
    return kind >= CXBinaryOperator_LT && kind <= CXBinaryOperator_NE;
}

static bool is_arithmetic(enum CXBinaryOperatorKind kind)
{
    return (kind >= CXBinaryOperator_Mul && kind <= CXBinaryOperator_Shr) ||
           (kind >= CXBinaryOperator_And && kind <= CXBinaryOperator_Or) ||
           (kind >= CXBinaryOperator_MulAssign && kind <= CXBinaryOperator_OrAssign);
}

/* Comparisons, sums, masks: their operands. */
static void read_operation(const struct reading *r, CXCursor c)
{
    const enum CXBinaryOperatorKind kind = clang_getCursorBinaryOperatorKind(c);
    struct reading operands = *r;
    operands.is_term = is_arithmetic(kind);
    if (operands.is_term || is_comparison(kind))
        clang_visitChildren(c, read_operand, &operands);
}

/* The whole of what gives a value: an assignment, a variable with its first value, a return, a choice in anything else. */
static bool gives_value(CXCursor c)
{
    const enum CXCursorKind kind = clang_getCursorKind(c);
    return kind == CXCursor_VarDecl || kind == CXCursor_ReturnStmt ||
           kind == CXCursor_ConditionalOperator ||
           (kind == CXCursor_BinaryOperator &&
            clang_getCursorBinaryOperatorKind(c) == CXBinaryOperator_Assign);
}

static unsigned line_at(CXSourceLocation l)
{
    unsigned line;
    clang_getExpansionLocation(l, NULL, &line, NULL, NULL);
    return line;
}

static void read_values(struct reading *r, CXCursor c)
{
    CXCursor to = clang_getNullCursor();
    clang_visitChildren(c, take_first, &to);
    r->member = clang_getCursorKind(c) == CXCursor_BinaryOperator ? member_of(to) : NULL;
    r->is_value = true;
    r->first = line_at(clang_getRangeStart(clang_getCursorExtent(c)));
    r->last = line_at(clang_getRangeEnd(clang_getCursorExtent(c)));
    clang_visitChildren(c, read_operand, r);
    r->is_value = false;
}

/* Where the IR decides: at the condition, or where a branch ends. */
static enum CXChildVisitResult add_branch(CXCursor c, CXCursor parent, CXClientData data)
{
    struct reading *r = data;
    (void)parent;
    if (r->n_decided < MOST_DECIDED)
        r->decided[r->n_decided++] = line_at(clang_getRangeEnd(clang_getCursorExtent(c)));
    return CXChildVisit_Continue;
}

/* What a switch gives is decided where its first break is. */
static enum CXChildVisitResult add_break(CXCursor c, CXCursor parent, CXClientData data)
{
    struct reading *r = data;
    (void)parent;
    if (clang_getCursorKind(c) != CXCursor_BreakStmt)
        return CXChildVisit_Recurse;
    if (r->n_decided < MOST_DECIDED)
        r->decided[r->n_decided++] = loc_of(c).line;
    return CXChildVisit_Break;
}

static enum CXChildVisitResult read_code(CXCursor c, CXCursor parent, CXClientData data)
{
    struct reading *r = data;
    const enum CXCursorKind kind = clang_getCursorKind(c);
    (void)parent;
    if (kind == CXCursor_SwitchStmt || kind == CXCursor_IfStmt) {
        struct reading inner = *r;
        clang_visitChildren(c, add_branch, &inner);
        if (kind == CXCursor_SwitchStmt) {
            inner.cases = loc_of(c).line;
            clang_visitChildren(c, add_break, &inner);
        }
        clang_visitChildren(c, read_code, &inner);
        return CXChildVisit_Continue;
    }
    if (gives_value(c))
        read_values(r, c);
    if (kind == CXCursor_CaseStmt)
        read_case(r, c);
    if (kind == CXCursor_BinaryOperator || kind == CXCursor_CompoundAssignOperator)
        read_operation(r, c);
    return CXChildVisit_Recurse;
}

/* A function of a header is read once. */
static enum CXChildVisitResult read_function(CXCursor c, CXCursor parent, CXClientData data)
{
    struct reading *r = data;
    (void)parent;
    if (clang_getCursorKind(c) != CXCursor_FunctionDecl || !clang_isCursorDefinition(c))
        return CXChildVisit_Continue;
    struct loc loc = loc_of(c);
    r->function = text_of(clang_getCursorSpelling(c));
    const char *key = format("%s %s:%u", r->function, loc.file, loc.line);
    if (names_find(&r->constants->compared, key))
        return CXChildVisit_Continue;
    names_set(&r->constants->compared, key, arena(sizeof(struct constant)));
    r->file = loc.file;
    clang_visitChildren(c, read_code, r);
    return CXChildVisit_Continue;
}

void find_constants(const struct declared *d, struct design *design)
{
    for (unsigned i = 0; i < d->n_tu; i++) {
        struct reading r = {.constants = &design->constants, .tu = d->tu[i]};
        clang_visitChildren(clang_getTranslationUnitCursor(d->tu[i]), read_function, &r);
    }
    for (unsigned i = 0; i < design->n; i++)
        design->module[i]->constants = &design->constants;
}
