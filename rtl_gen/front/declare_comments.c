// SPDX-License-Identifier: Apache-2.0
/*
 * declare_comments.c - the comment that belongs to a field or a module, as one line of text.
 *
 * libclang finds a comment near a declaration (-fparse-all-comments: any comment, not only those
 * for documentation tools), but is generous about it: here a comment counts when it stands behind
 * the field in the same statement's line, or on the lines directly above.
 */
#include "front/declare.h"

#include <ctype.h>
#include <string.h>

struct source_position {
    unsigned line, offset;
    CXFile file;
};

static struct source_position position_of(CXSourceLocation location)
{
    struct source_position p = {0};
    clang_getExpansionLocation(location, &p.file, &p.line, NULL, &p.offset);
    return p;
}

static const char *file_text(CXCursor c, CXFile file, size_t *size)
{
    return clang_getFileContents(clang_Cursor_getTranslationUnit(c), file, size);
}

/* Between a field and a comment behind it stand its own `;` and at most further declarators. */
static bool only_ends(const char *s, const char *end)
{
    unsigned semicolons = 0;
    for (; s < end; s++) {
        semicolons += *s == ';';
        if (*s == '}' || *s == '{' || *s == '\n' || semicolons > 1 ||
            (semicolons && !isspace((unsigned char)*s) && *s != ';'))
            return false;
    }
    return true;
}

static bool belongs(CXCursor c)
{
    CXSourceRange comment = clang_Cursor_getCommentRange(c);
    CXSourceRange whole = clang_getCursorExtent(c);
    if (clang_Range_isNull(comment))
        return false;
    struct source_position begin = position_of(clang_getRangeStart(comment));
    struct source_position end = position_of(clang_getRangeEnd(comment));
    struct source_position first = position_of(clang_getRangeStart(whole));
    struct source_position last = position_of(clang_getRangeEnd(whole));
    if (!clang_File_isEqual(begin.file, last.file))
        return false;
    if (begin.offset < first.offset)
        return end.line + 1 >= first.line;
    size_t size;
    const char *text = file_text(c, begin.file, &size);
    return text && begin.offset >= last.offset && begin.offset < size &&
           only_ends(text + last.offset, text + begin.offset);
}

/* Skips what is not text at the beginning of a comment's line. */
static const char *skip_margin(const char *s, const char *end)
{
    while (s < end && (*s == ' ' || *s == '\t'))
        s++;
    while (s < end && (*s == '*' || *s == '/' || *s == '!' || *s == '<'))
        s++;
    while (s < end && (*s == ' ' || *s == '\t' || *s == '\r'))
        s++;
    return s;
}

/* The first paragraph of a comment in one line; NULL for a heading ("---- x ----") or nothing. */
static const char *one_line(const char *s, size_t length)
{
    const char *end = s + length;
    char *out = arena(length + 1);
    size_t n = 0;
    if (length >= 4 && s[1] == '*')
        end -= 2;
    while (s < end) {
        const char *next = memchr(s, '\n', (size_t)(end - s));
        const char *stop = next ? next : end;
        s = skip_margin(s, stop);
        while (stop > s && isspace((unsigned char)stop[-1]))
            stop--;
        bool licence = strncmp(s, "SPDX-License", 12) == 0;
        if (s == stop && n)
            break;
        if (n == 0 && stop - s > 1 && (strncmp(s, "--", 2) == 0 || strncmp(s, "==", 2) == 0))
            return NULL;
        if (s < stop && !licence) {
            if (n)
                out[n++] = ' ';
            for (; s < stop; s++)
                out[n++] = isspace((unsigned char)*s) ? ' ' : *s;
        }
        s = next ? next + 1 : end;
    }
    out[n] = 0;
    return n ? out : NULL;
}

static const char *raw_comment(CXCursor c)
{
    const char *raw = text_of(clang_Cursor_getRawCommentText(c));
    return one_line(raw, strlen(raw));
}

const char *comment_of_field(CXCursor field)
{
    return belongs(field) ? raw_comment(field) : NULL;
}

/* The comment at the head of a file, behind its licence line. */
const char *head_comment(CXCursor c)
{
    struct source_position p = position_of(clang_getCursorLocation(c));
    size_t size;
    const char *s = file_text(c, p.file, &size), *end;
    const char *doc = NULL;
    if (!s)
        return NULL;
    for (end = s + size; s < end && !doc;) {
        while (s < end && isspace((unsigned char)*s))
            s++;
        const char *stop = NULL;
        if (end - s > 4 && strncmp(s, "/*", 2) == 0)
            stop = strstr(s + 2, "*/") ? strstr(s + 2, "*/") + 2 : NULL;
        else if (end - s > 2 && strncmp(s, "//", 2) == 0)
            stop = memchr(s, '\n', (size_t)(end - s));
        if (!stop)
            return NULL;
        doc = one_line(s, (size_t)(stop - s));
        s = stop;
    }
    return doc;
}

/* What stands behind SPDX-License-Identifier in the first line of the file. */
const char *licence_of(CXCursor c)
{
    static const char mark[] = "SPDX-License-Identifier: ";
    size_t size;
    const char *s = file_text(c, position_of(clang_getCursorLocation(c)).file, &size);
    const char *found = s ? strstr(s, mark) : NULL;
    if (!found || memchr(s, '\n', (size_t)(found - s)))
        return NULL;
    found += sizeof mark - 1;
    return format("%.*s", (int)strcspn(found, " \t\r\n*"), found);
}

const char *comment_of_helper(CXCursor function)
{
    return raw_comment(function);
}

const char *comment_of_function(CXCursor function)
{
    const char *doc = raw_comment(function);
    return doc ? doc : head_comment(function);
}
