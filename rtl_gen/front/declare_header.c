// SPDX-License-Identifier: Apache-2.0
/*
 * declare_header.c - which file a test bench includes to see a module's struct.
 *
 * That is the file with the struct, unless it is a template ("fifo.inc", included with macros set):
 * then the header, or else the .c file, that includes the template and names the module.
 */
#include "front/declare.h"

#include <ctype.h>
#include <string.h>

struct search {
    CXTranslationUnit tu;
    CXFile file;     /* that has the struct */
    const char *tag; /* of the struct */
    const char *first, *best;
};

static bool is_header(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot && (strcmp(dot, ".h") == 0 || strcmp(dot, ".c") == 0);
}

static bool mentions(const char *text, const char *word)
{
    size_t n = strlen(word);
    for (const char *s = text; (s = strstr(s, word)); s++) {
        bool begins = s == text || (!isalnum((unsigned char)s[-1]) && s[-1] != '_');
        if (begins && !isalnum((unsigned char)s[n]) && s[n] != '_')
            return true;
    }
    return false;
}

/* Called once per inclusion; the stack holds the places of the #include lines, innermost first. */
static void look(CXFile file, CXSourceLocation *stack, unsigned depth, CXClientData data)
{
    struct search *s = data;
    if (!clang_File_isEqual(file, s->file) || s->best)
        return;
    for (unsigned i = 0; i < depth; i++) {
        CXFile by;
        clang_getExpansionLocation(stack[i], &by, NULL, NULL, NULL);
        const char *name = text_of(clang_getFileName(by));
        if (!is_header(name))
            continue;
        const char *text = clang_getFileContents(s->tu, by, NULL);
        if (!s->first)
            s->first = name;
        if (text && mentions(text, s->tag))
            s->best = name;
        return;
    }
}

const char *header_of(CXCursor record, const char *tag)
{
    struct search s = {.tu = clang_Cursor_getTranslationUnit(record), .tag = tag};
    const char *name = loc_of(record).file;
    if (is_header(name))
        return name;
    clang_getExpansionLocation(clang_getCursorLocation(record), &s.file, NULL, NULL, NULL);
    clang_getInclusions(s.tu, look, &s);
    return s.best ? s.best : s.first ? s.first : name;
}
