// SPDX-License-Identifier: Apache-2.0
/*
 * diag.c - messages a user can act on:
 *
 *     file:line:col: error: what is wrong
 *         source line
 *             ^
 *     help: what to write instead
 *
 * They go to stderr. The same message at the same place is said once: a header that several files
 * include is wrong once.
 */
#include "base/diag.h"
#include "base/util.h"

#include <stdarg.h>
#include <string.h>

static unsigned n_errors;

/* ---- source lines, each file read once --------------------------------------------------------- */

struct source {
    const char *name;
    const char *text; /* NULL: not readable */
};

static struct source *source;
static unsigned n_sources;

static const char *read_text(const char *name)
{
    FILE *f = fopen(name, "rb");
    if (!f)
        return NULL;
    char *text = NULL;
    if (fseek(f, 0, SEEK_END) == 0) {
        long size = ftell(f);
        if (size >= 0) {
            rewind(f);
            text = arena((size_t)size + 1);
            text[fread(text, 1, (size_t)size, f)] = 0;
        }
    }
    fclose(f);
    return text;
}

static const char *source_text(const char *name)
{
    for (unsigned i = 0; i < n_sources; i++)
        if (strcmp(source[i].name, name) == 0)
            return source[i].text;
    PUSH(source, n_sources, (struct source){name, read_text(name)});
    return source[n_sources - 1].text;
}

static const char *source_line(struct loc loc)
{
    const char *s = source_text(loc.file);
    for (unsigned line = 1; s && line < loc.line; line++) {
        s = strchr(s, '\n');
        s = s ? s + 1 : NULL;
    }
    return s;
}

/* The line and a caret under the column; tabs stay tabs and UTF-8 counts as one. */
static void print_line(struct loc loc)
{
    const char *line = loc.line ? source_line(loc) : NULL;
    if (!line)
        return;
    unsigned length = (unsigned)strcspn(line, "\r\n");
    fprintf(stderr, "    %.*s\n", (int)length, line);
    if (loc.col == 0)
        return;
    fputs("    ", stderr);
    for (unsigned i = 0; i + 1 < loc.col && i < length; i++)
        if ((line[i] & 0xc0) != 0x80)
            fputc(line[i] == '\t' ? '\t' : ' ', stderr);
    fputs("^\n", stderr);
}

/* ---- messages ---------------------------------------------------------------------------------- */

static const char **said;
static unsigned n_said;
static bool hushed; /* the last message was a repetition: so are its notes */

static bool say_once(const char *message)
{
    for (unsigned i = 0; i < n_said; i++)
        if (strcmp(said[i], message) == 0)
            return false;
    PUSH(said, n_said, message);
    return true;
}

static const char *message(struct loc loc, const char *kind, const char *fmt, va_list args)
{
    char text[2000];
    vsnprintf(text, sizeof text, fmt, args);
    if (!loc.file)
        return format("rtlgen: %s: %s\n", kind, text);
    if (!loc.line)
        return format("%s: %s: %s\n", loc.file, kind, text);
    return format("%s:%u:%u: %s: %s\n", loc.file, loc.line, loc.col, kind, text);
}

static void print(struct loc loc, const char *advice, const char *text)
{
    fputs(text, stderr);
    if (loc.file)
        print_line(loc);
    if (advice)
        fprintf(stderr, "help: %s\n", advice);
}

void diag_error(struct loc loc, const char *advice, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    const char *text = message(loc, "error", fmt, args);
    va_end(args);
    n_errors++;
    hushed = !say_once(text);
    if (!hushed)
        print(loc, advice, text);
}

void diag_warning(struct loc loc, const char *advice, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    const char *text = message(loc, "warning", fmt, args);
    va_end(args);
    hushed = !say_once(text);
    if (!hushed)
        print(loc, advice, text);
}

void diag_note(struct loc loc, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    const char *text = message(loc, "note", fmt, args);
    va_end(args);
    if (!hushed)
        print(loc, NULL, text);
}

unsigned diag_errors(void)
{
    return n_errors;
}
