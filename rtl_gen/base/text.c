// SPDX-License-Identifier: Apache-2.0
/*
 * text.c - growing text, and lines broken at 100 columns.
 *
 * The printers hand over whole statements with marks where a break is allowed (emit.h). A line
 * that fits stays one line; a longer one is cut at the marks that lie outermost in its brackets.
 */
#include "base/text.h"
#include "base/util.h"

#include <assert.h>
#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define COLUMNS       100
#define DEEPEST_ALIGN 44 /* continuation lines start at the mark, but not further right */

/* Where n characters and a zero can be written. */
static char *room_for(struct text *t, size_t n)
{
    if (t->n + n + 1 > t->size) {
        size_t size = 2 * (t->n + n) + 64;
        char *bigger = scratch(size);
        if (t->n)
            memcpy(bigger, t->s, t->n);
        t->s = bigger;
        t->size = size;
    }
    return t->s + t->n;
}

void put(struct text *t, const char *fmt, ...)
{
    va_list ap, again;
    va_start(ap, fmt);
    va_copy(again, ap);
    int n = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    vsnprintf(room_for(t, (size_t)n), (size_t)n + 1, fmt, again);
    va_end(again);
    t->n += (size_t)n;
}

static void spaces(struct text *t, unsigned n)
{
    memset(room_for(t, n), ' ', n);
    t->n += n;
}

static bool is_break(char c)
{
    return c == '\v' || c == '\f' || c == '\t';
}

char *flat(const char *line)
{
    char *s = scratch(strlen(line) + 1), *to = s;
    for (; *line; line++)
        if (is_break(*line))
            *to++ = ' ';
        else if (*line != '\001')
            *to++ = *line;
    return s;
}

unsigned flat_length(const char *line)
{
    unsigned n = 0;
    for (; *line; line++)
        n += *line != '\001';
    return n;
}

/* ---- breaking -------------------------------------------------------------------------------- */

static int bracket(char c)
{
    if (c == '(' || c == '{' || c == '[')
        return 1;
    return c == ')' || c == '}' || c == ']' ? -1 : 0;
}

/*
 * The place to break s so that what is before it has at most `room` columns: among the marks in
 * the second half of the row the one least deep in brackets (the last of these), then any mark.
 * NULL if there is none.
 */
static const char *best_break(const char *s, unsigned room)
{
    const char *best = NULL, *last = NULL;
    int depth = 0, best_rank = 0;
    unsigned column = 0;
    for (const char *p = s; *p && column <= room; p++) {
        if (*p == '\001')
            continue;
        depth += bracket(*p);
        if (is_break(*p)) {
            int rank = 2 * depth + (*p == '\v');
            last = p;
            if (column >= room / 2 && (best == NULL || rank <= best_rank)) {
                best = p;
                best_rank = rank;
            }
        }
        column++;
    }
    return best ? best : last;
}

/* The first \f that is least deep in brackets, or NULL. */
static const char *chain_break(const char *s)
{
    const char *best = NULL;
    int depth = 0, best_depth = 0;
    for (const char *p = s; *p; p++) {
        depth += bracket(*p);
        if (*p == '\f' && (best == NULL || depth < best_depth)) {
            best = p;
            best_depth = depth;
        }
    }
    return best;
}

static char *until(const char *s, const char *end)
{
    char *copy = scratch((size_t)(end - s) + 1);
    memcpy(copy, s, (size_t)(end - s));
    return copy;
}

struct rows {
    char **row;
    unsigned n;
    unsigned indent, more; /* of the first row, of the others */
};

/* s has at most `room` columns; what is behind them is not looked at. */
static bool fits(const char *s, unsigned room)
{
    for (; *s; s++)
        if (*s != '\001' && room-- == 0)
            return false;
    return true;
}

static void fill_rows(struct rows *r, const char *s)
{
    for (;;) {
        unsigned room = COLUMNS - (r->n ? r->more : r->indent);
        const char *cut = fits(s, room) ? NULL : best_break(s, room);
        if (cut == NULL) {
            PUSH_SCRATCH(r->row, r->n, flat(s));
            return;
        }
        PUSH_SCRATCH(r->row, r->n, flat(until(s, cut)));
        s = cut + 1;
    }
}

static void chain_rows(struct rows *r, const char *s)
{
    for (const char *cut; (cut = chain_break(s)) != NULL; s = cut + 1)
        fill_rows(r, until(s, cut));
    fill_rows(r, s);
}

/* ---- comments ------------------------------------------------------------------------------------ */

/*
 * Words with which a comment is an order to a tool: Verilator 5.006 (V3PreProc.cpp, comment()), Yosys 0.23 (verilog_lexer.l),
 * Icarus 11 (lexor.lex), Verible's linter and formatter, and what the manuals of the synthesis tools, VCS, Questa and SpyGlass
 * have. Verilator takes the first five in front of other letters, too.
 */
static const char *const orders[] = {
    "verilator", "synopsys",       "cadence",       "synthesis", "pragma",   "ambit",
    "altera",    "attribute",      "coverage",      "dc_script", "exemplar", "full_case",
    "infer_mux", "leda",           "lint",          "magma",     "mentor",   "parallel_case",
    "public",    "quartus",        "rtl_synthesis", "spyglass",  "surelint", "translate",
    "vcs",       "verilog_format", "verilog_lint",  "vim",       "vivado",   "vsp",
    "xilinx",
};

enum { ORDERS_OF_ANY_LENGTH = 5 };

/* "VCs" is none. */
static bool is_order(const char *words, const char *order, bool of_any_length)
{
    const size_t n = strlen(order);
    return strncasecmp(words, order, n) == 0 &&
           !islower((unsigned char)words[1]) == !islower((unsigned char)words[n - 1]) &&
           (of_any_length || !isalnum((unsigned char)words[n]));
}

static unsigned order_length(const char *words)
{
    for (unsigned i = 0; i < sizeof orders / sizeof *orders; i++)
        if (is_order(words, orders[i], i < ORDERS_OF_ANY_LENGTH))
            return (unsigned)strlen(orders[i]);
    return 0;
}

/* The words of somebody else as a comment that is none but that: an order in front is quoted. */
static char *harmless(const char *words)
{
    const unsigned n = order_length(words);
    char *s = n ? format("'%.*s'%s", (int)n, words, words + n) : format("%s", words);
    for (char *c = s; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 127)
            *c = ' ';
    for (char *end = s + strlen(s); end > s && end[-1] == '\\';) /* nothing joins the next line */
        *--end = 0;
    return s;
}

void put_line(struct text *t, unsigned indent, const char *line, const char *comment)
{
    struct rows r = {.indent = indent, .more = indent + 4};
    const char *mark = strchr(line, '\001');
    if (mark && indent + flat_length(until(line, mark)) <= DEEPEST_ALIGN)
        r.more = indent + flat_length(until(line, mark));
    if (indent + flat_length(line) <= COLUMNS)
        PUSH_SCRATCH(r.row, r.n, flat(line));
    else
        chain_rows(&r, line);
    comment = comment ? harmless(comment) : NULL;
    for (unsigned i = 0; i < r.n; i++) {
        unsigned column = i ? r.more : r.indent;
        spaces(t, column);
        put(t, "%s", r.row[i]);
        if (comment && *comment && i == 0 &&
            column + strlen(r.row[i]) + strlen(comment) + 4 <= COLUMNS)
            put(t, " // %s", comment);
        put(t, "\n");
    }
}

void put_comment(struct text *t, unsigned indent, const char *words)
{
    while (*words) {
        words = harmless(words);
        size_t n = strlen(words);
        if (n > COLUMNS - 3 - indent)
            for (n = COLUMNS - 3 - indent; n > 0 && words[n] != ' '; n--)
                ;
        if (n == 0)
            n = strlen(words);
        put(t, "%*s// %.*s\n", (int)indent, "", (int)n, words);
        for (words += n; *words == ' '; words++)
            ;
    }
}

/* ---- small strings --------------------------------------------------------------------------- */

const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Of a header with a strange name only what can stand in a comment and in a string. */
const char *place(struct loc loc)
{
    if (!loc.file)
        return NULL;
    char *s = format("%s:%u", base_name(loc.file), loc.line);
    for (char *c = s; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 127 || strchr("\"`\\", *c))
            *c = '_';
    return s;
}

char *escaped(const char *s)
{
    struct text t = {0};
    put(&t, "%s", "");
    for (; *s; s++) {
        if (*s == '"' || *s == '\\')
            put(&t, "\\%c", *s);
        else if (*s == '`') /* Yosys 0.23 looks for a macro there, in a string too */
            put(&t, "'");
        else if ((unsigned char)*s < ' ')
            put(&t, " ");
        else
            put(&t, "%c", *s);
    }
    return t.s;
}
