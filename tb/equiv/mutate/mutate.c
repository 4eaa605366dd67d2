// SPDX-License-Identifier: Apache-2.0
/*
 * mutate.c - puts one error into a C file of hls/, to see whether a test notices.
 *
 * It lists the errors it can make, "number kind line: old => new", or prints the file with one of them in it.
 *
 * It knows tokens, not C. Only bodies of functions are changed, and neither hls_assert, hls_assume nor
 * hls_cover. Kinds:
 *
 *     condition    a comparison turned round, && for ||, a ! left out
 *     off-by-one   a number one larger, a bound that takes or leaves its limit
 *     assignment   an assignment is left out, or a member of an initialiser, which then is 0
 *     operand      the two sides of a choice or of - << >> exchanged, another operator in + - & | ^
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/args.h"
#include "sim/base/program.h"

struct token {
    char kind; /* a: name, 0: number, p: punctuation */
    unsigned start, length, line;
    bool in_body;
};

enum { TEXT = 1 << 18, TOKENS = 1 << 16 };

static char text[TEXT]; /* ends in a 0 */
static size_t text_size;
static struct token tokens[TOKENS];
static unsigned n_tokens;
static uint64_t wanted, number; /* from 1 on; none is wanted: all are listed */

/* ---- reading ------------------------------------------------------------------------------------ */

static bool is(unsigned i, const char *s)
{
    return i < n_tokens && strlen(s) == tokens[i].length &&
           strncmp(text + tokens[i].start, s, tokens[i].length) == 0;
}

static bool is_one_of(unsigned i, const char *const *list)
{
    for (; *list; list++)
        if (is(i, *list))
            return true;
    return false;
}

static void read_file(const char *name)
{
    FILE *file = fopen(name, "r");

    if (!file) {
        perror(name);
        exit(1);
    }
    text_size = fread(text, 1, TEXT - 1, file);
    if (text_size == TEXT - 1) {
        fprintf(stderr, "mutate: %s is too long\n", name);
        exit(1);
    }
    fclose(file);
}

/* Length of the comment, directive, string or space at s, 0 if there is none. */
static size_t skipped(const char *s)
{
    const char *end = s;
    if (s[0] == '/' && s[1] == '/')
        return strcspn(s, "\n");
    if (s[0] == '/' && s[1] == '*') {
        end = strstr(s + 2, "*/");
        return end ? (size_t)(end - s) + 2 : strlen(s);
    }
    if (*s == '#') {
        while (*end && (*end != '\n' || end[-1] == '\\'))
            end++;
        return (size_t)(end - s);
    }
    if (*s == '"' || *s == '\'') {
        for (end++; *end && *end != *s; end++)
            end += *end == '\\';
        return (size_t)(end - s) + 1;
    }
    return isspace((unsigned char)*s) ? 1 : 0;
}

static size_t token_length(const char *s)
{
    static const char *const longest[] = {"<<=", ">>=", "...", "->", "++", "--", "<<", ">>",
                                          "<=",  ">=",  "==",  "!=", "&&", "||", "+=", "-=",
                                          "*=",  "/=",  "%=",  "&=", "|=", "^=", NULL};
    size_t n = 0;
    while (isalnum((unsigned char)s[n]) || s[n] == '_')
        n++;
    if (n)
        return n;
    for (const char *const *p = longest; *p; p++)
        if (strncmp(s, *p, strlen(*p)) == 0)
            return strlen(*p);
    return 1;
}

static void tokenize(void)
{
    unsigned depth = 0, line = 1, quiet = 0; /* parentheses of a check */
    bool body = false;
    for (size_t at = 0; at < text_size;) {
        size_t n = skipped(text + at);
        if (n == 0) {
            n = token_length(text + at);
            char c = text[at];
            char kind = isdigit((unsigned char)c)               ? '0'
                        : isalnum((unsigned char)c) || c == '_' ? 'a'
                                                                : 'p';
            if (n_tokens == TOKENS)
                exit(1);
            if (c == '{' && depth++ == 0)
                body = n_tokens && is(n_tokens - 1, ")");
            if (quiet || (n_tokens && kind == 'p' && c == '(' &&
                          strncmp(text + tokens[n_tokens - 1].start, "hls_", 4) == 0))
                quiet += c == '(' ? 1 : c == ')' ? -1u : 0;
            tokens[n_tokens++] =
                (struct token){kind, (unsigned)at, (unsigned)n, line, body && depth && !quiet};
            if (c == '}')
                depth--;
        }
        for (size_t i = 0; i < n; i++)
            line += text[at + i] == '\n';
        at += n;
    }
}

/* ---- one error ---------------------------------------------------------------------------------- */

/* The text from token `first` to `last` becomes what is printed. */
static void mutant(const char *kind, unsigned first, unsigned last, const char *now)
{
    unsigned start = tokens[first].start, end = tokens[last].start + tokens[last].length;
    number++;
    if (wanted == number) {
        printf("%.*s%s%s", (int)start, text, now, text + end);
        exit(0);
    }
    if (wanted == 0) {
        printf("%" PRIu64 " %s %u: ", number, kind, tokens[first].line);
        for (unsigned i = start; i < end; i++)
            putchar(text[i] == '\n' ? ' ' : text[i]);
        printf(" => ");
        for (; *now; now++)
            putchar(*now == '\n' ? ' ' : *now);
        printf("\n");
    }
}

static void exchange(unsigned a, unsigned a_end, unsigned b, unsigned b_end)
{
    static char now[TEXT];
    unsigned a0 = tokens[a].start, a1 = tokens[a_end].start + tokens[a_end].length;
    unsigned b0 = tokens[b].start, b1 = tokens[b_end].start + tokens[b_end].length;
    snprintf(now, sizeof now, "%.*s%.*s%.*s", (int)(b1 - b0), text + b0, (int)(b0 - a1), text + a1,
             (int)(a1 - a0), text + a0);
    mutant("operand", a, b_end, now);
}

static void by_table(unsigned i, const char *kind, const char *const (*table)[2], size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (is(i, table[k][0]))
            mutant(kind, i, i, table[k][1]);
}
#define BY_TABLE(i, kind, table) by_table(i, kind, table, sizeof table / sizeof *table)

static bool binary(unsigned i)
{
    return tokens[i - 1].kind != 'p' || is(i - 1, "]") ||
           (is(i - 1, ")") && !is(i - 2, "int") && text[tokens[i - 2].start] != 'u');
}

static void conditions(unsigned i)
{
    static const char *const turned[][2] = {{"==", "!="}, {"!=", "=="}, {"<", ">="},  {">=", "<"},
                                            {">", "<="},  {"<=", ">"},  {"&&", "||"}, {"||", "&&"}};
    static const char *const limit[][2] = {{"<", "<="}, {"<=", "<"}, {">", ">="}, {">=", ">"}};
    BY_TABLE(i, "condition", turned);
    BY_TABLE(i, "off-by-one", limit);
    if (is(i, "!"))
        mutant("condition", i, i, "");
}

static void numbers(unsigned i)
{
    char now[64];
    if (tokens[i].kind != '0' || tokens[i].length > 20)
        return;
    snprintf(now, sizeof now, "(%.*s + 1)", (int)tokens[i].length, text + tokens[i].start);
    mutant("off-by-one", i, i, now);
}

/* A statement begins at i: is it one that assigns, and where does it end? */
static void assignments(unsigned i)
{
    static const char *const before[] = {";", "{", "}", ")", ":", "else", NULL};
    static const char *const assign[] = {
        "=", "+=", "-=", "*=", "&=", "|=", "^=", "++", "--", "<<=", ">>=", NULL};
    static const char *const others[] = {"if", "for", "while", "switch", "do", NULL};
    unsigned depth = 0;
    bool assigns = false;
    if (tokens[i].kind != 'a' || tokens[i + 1].kind == 'a' || !is_one_of(i - 1, before) ||
        is_one_of(i, others))
        return;
    for (unsigned k = i; k < n_tokens; k++) {
        depth += is(k, "(") || is(k, "[") || is(k, "{");
        if (is(k, ")") || is(k, "]") || is(k, "}")) {
            if (depth-- == 0)
                return;
        }
        assigns |= depth == 0 && is_one_of(k, assign);
        if (depth == 0 && is(k, ";")) {
            if (assigns)
                mutant("assignment", i, k, ";");
            return;
        }
    }
}

/* A member of an initialiser, ".name = value" or "[index] = value", begins at i. */
static void members(unsigned i)
{
    unsigned depth = 0, k = i + 2;
    if (!(is(i, ".") || is(i, "[")) || !(is(i - 1, "{") || is(i - 1, ",")) ||
        !is(k + is(i, "["), "="))
        return;
    while (depth || !(is(k, ",") || is(k, "}"))) {
        depth += is(k, "(") || is(k, "[") || is(k, "{");
        depth -= (is(k, ")") || is(k, "]") || is(k, "}")) && depth;
        k++;
    }
    mutant("assignment", i, is(k, ",") ? k : k - 1, "");
}

/* First and last token of the name, number or member that stands at i, going down or up. */
static unsigned chain(unsigned i, int step)
{
    while (tokens[i].kind != 'p' && (is(i + (unsigned)step, "->") || is(i + (unsigned)step, ".")))
        i += 2 * (unsigned)step;
    return i;
}

static void operands(unsigned i)
{
    static const char *const ordered[] = {"-", "<<", ">>", NULL};
    static const char *const other[][2] = {{"+", "-"},   {"-", "+"},   {"&", "|"},   {"|", "&"},
                                           {"^", "|"},   {"+=", "-="}, {"-=", "+="}, {"|=", "&="},
                                           {"&=", "|="}, {"^=", "|="}};
    if (tokens[i].length > 1 || binary(i))
        BY_TABLE(i, "operand", other);
    if (is_one_of(i, ordered) && tokens[i - 1].kind != 'p' && tokens[i + 1].kind != 'p') {
        unsigned a = chain(i - 1, -1), b = chain(i + 1, 1);
        if (!is(b + 1, "(") && !is(b + 1, "["))
            exchange(a, i - 1, i + 1, b);
    }
}

/* The two arms of the choice whose ? is at i. */
static void arms(unsigned i)
{
    unsigned depth = 0, colon = 0, choices = 0;
    if (!is(i, "?"))
        return;
    for (unsigned k = i + 1; k < n_tokens; k++) {
        bool closes = is(k, ")") || is(k, "]") || is(k, "}");
        if (depth == 0 && colon && (closes || is(k, ";") || is(k, ","))) {
            exchange(i + 1, colon - 1, colon + 1, k - 1);
            return;
        }
        depth += is(k, "(") || is(k, "[") || is(k, "{");
        depth -= closes;
        choices += depth == 0 && is(k, "?") && !colon;
        if (depth == 0 && is(k, ":") && !colon && choices-- == 0)
            colon = k;
    }
}

int main(int argc, char **argv)
{
    const char *file;
    const struct args_option rows[] = {
        args_number("--number", &wanted, 1, UINT64_MAX,
                    "print the file with this error in it; without it the errors are listed"),
        args_end()};
    const struct args args = {.about = "Puts one error into a file of C.",
                              .option = rows,
                              .word = "FILE.c",
                              .words = &file,
                              .least = 1,
                              .most = 1};
    (void)args_read(&args, argc, argv);
    read_file(file);
    tokenize();
    for (unsigned i = 2; i + 1 < n_tokens; i++) {
        if (!tokens[i].in_body)
            continue;
        conditions(i);
        numbers(i);
        assignments(i);
        members(i);
        operands(i);
        arms(i);
    }
    if (wanted != 0)
        sim_fail("%s has %" PRIu64 " of them, there is no number %" PRIu64, file, number, wanted);
    return 0;
}
