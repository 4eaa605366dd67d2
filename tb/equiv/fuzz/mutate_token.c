// SPDX-License-Identifier: Apache-2.0
/*
 * mutate_token.c - the words of a C file, and where its statements are.
 */
#include "mutate.h"
#include "sim/base/random.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct token token[MAX_TOKENS + 64];
unsigned n_tokens;
uint64_t draw_state;

_Noreturn void fail(const char *what, const char *why)
{
    fprintf(stderr, "fuzzmutate: %s: %s\n", what, why);
    exit(1);
}

uint64_t draw(uint64_t n)
{
    const uint64_t word = splitmix64(&draw_state);
    return n ? word % n : 0;
}

/* ---- tokens ------------------------------------------------------------------------------------ */

static size_t other_length(const char *s)
{
    if (*s == '#') { /* to the end of the line, continuations included */
        size_t n = 0;
        while (s[n] && (s[n] != '\n' || s[n - 1] == '\\'))
            n++;
        return n;
    }
    if (strncmp(s, "//", 2) == 0)
        return strcspn(s, "\n");
    if (strncmp(s, "/*", 2) == 0) {
        const char *end = strstr(s + 2, "*/");
        return end ? (size_t)(end + 2 - s) : strlen(s);
    }
    if (*s == '"' || *s == '\'') {
        size_t n = 1;
        while (s[n] && s[n] != *s && s[n] != '\n')
            n += s[n] == '\\' && s[n + 1] ? 2 : 1;
        return n + (s[n] == *s);
    }
    return strspn(s, " \t\n\r");
}

static size_t sign_length(const char *s)
{
    static const char *const longer[] = {"<<=", ">>=", "...", "->", "++", "--", "<<", ">>",
                                         "<=",  ">=",  "==",  "!=", "&&", "||", "+=", "-=",
                                         "&=",  "|=",  "^=",  "*=", "/=", "%="};
    for (unsigned i = 0; i < sizeof longer / sizeof *longer; i++)
        if (strncmp(s, longer[i], strlen(longer[i])) == 0)
            return strlen(longer[i]);
    return 1;
}

void split(const char *s)
{
    while (*s) {
        struct token t = {.s = s, .kind = OTHER, .n = other_length(s)};
        if (t.n == 0 && (isalnum((unsigned char)*s) || *s == '_')) {
            t.kind = isdigit((unsigned char)*s) ? NUMBER : NAME;
            while (isalnum((unsigned char)s[t.n]) || s[t.n] == '_')
                t.n++;
        } else if (t.n == 0) {
            t.kind = SIGN;
            t.n = sign_length(s);
        }
        if (n_tokens == MAX_TOKENS)
            fail("the file", "has too many words");
        token[n_tokens++] = t;
        s += t.n;
    }
}

bool is(unsigned i, const char *s)
{
    return i < n_tokens && strlen(s) == token[i].n && memcmp(token[i].s, s, token[i].n) == 0;
}

struct token word(const char *s)
{
    return (struct token){.s = s, .n = strlen(s), .kind = NAME};
}

void cut(unsigned from, unsigned to)
{
    memmove(token + from, token + to, (n_tokens - to) * sizeof *token);
    n_tokens -= to - from;
}

void insert(unsigned at, const struct token *list, unsigned n)
{
    if (n_tokens + n > MAX_TOKENS)
        return;
    memmove(token + at + n, token + at, (n_tokens - at) * sizeof *token);
    memcpy(token + at, list, n * sizeof *token);
    n_tokens += n;
}

unsigned some(enum token_kind kind)
{
    for (unsigned try = 0; try < 200; try++) {
        unsigned i = draw(4) ? (unsigned)(n_tokens / 4 + draw(n_tokens - n_tokens / 4))
                             : (unsigned)draw(n_tokens);
        if (token[i].kind == kind)
            return i;
    }
    return n_tokens;
}

unsigned after(unsigned i)
{
    do
        i++;
    while (i < n_tokens && token[i].kind == OTHER);
    return i;
}

/* ---- statements ----------------------------------------------------------------------------------- */

bool statement(unsigned i, unsigned *from, unsigned *to)
{
    *from = i;
    while (*from > 0 && !is(*from - 1, ";") && !is(*from - 1, "{") && !is(*from - 1, "}"))
        --*from;
    for (*to = i; *to < n_tokens; ++*to) {
        if (is(*to, "{") || is(*to, "}"))
            return false;
        if (is(*to, ";")) {
            ++*to;
            return true;
        }
    }
    return false;
}

bool some_statement(unsigned *from, unsigned *to)
{
    for (unsigned try = 0; try < 50; try++) {
        unsigned i = some(NAME);
        if (i < n_tokens && statement(i, from, to))
            return true;
    }
    return false;
}
