// SPDX-License-Identifier: Apache-2.0
/*
 * mutate.c - fuzzmutate SEED FILE.c: the description with one to three things changed, on stdout.
 *
 * Most results still compile but break a rule of the dialect, or of C at run time: masks dropped,
 * statements deleted, doubled or moved, types, operators, numbers and names exchanged, annotations
 * exchanged, statements inserted that no hardware can be made of. Preprocessor lines and comments
 * stay as they are.
 */
#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TOKENS = 20000 };

enum token_kind { NAME, NUMBER, SIGN, OTHER };

struct token {
    const char *s;
    size_t n;
    enum token_kind kind;
};

static struct token token[MAX_TOKENS + 64];
static unsigned n_tokens;
static uint64_t state;

static _Noreturn void fail(const char *what, const char *why)
{
    fprintf(stderr, "fuzzmutate: %s: %s\n", what, why);
    exit(1);
}

static uint64_t draw(uint64_t n)
{
    /* splitmix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", 2014) */
    uint64_t z = state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return n ? (z ^ (z >> 31)) % n : 0;
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

static void split(const char *s)
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

static bool is(unsigned i, const char *s)
{
    return i < n_tokens && strlen(s) == token[i].n && memcmp(token[i].s, s, token[i].n) == 0;
}

static struct token word(const char *s)
{
    return (struct token){.s = s, .n = strlen(s), .kind = NAME};
}

static void cut(unsigned from, unsigned to)
{
    memmove(token + from, token + to, (n_tokens - to) * sizeof *token);
    n_tokens -= to - from;
}

static void insert(unsigned at, const struct token *list, unsigned n)
{
    if (n_tokens + n > MAX_TOKENS)
        return;
    memmove(token + at + n, token + at, (n_tokens - at) * sizeof *token);
    memcpy(token + at, list, n * sizeof *token);
    n_tokens += n;
}

/* A random token of that kind behind the first quarter, which is mostly declarations; or none. */
static unsigned some(enum token_kind kind)
{
    for (unsigned try = 0; try < 200; try++) {
        unsigned i = draw(4) ? (unsigned)(n_tokens / 4 + draw(n_tokens - n_tokens / 4))
                             : (unsigned)draw(n_tokens);
        if (token[i].kind == kind)
            return i;
    }
    return n_tokens;
}

/* ---- statements ----------------------------------------------------------------------------------- */

/* A statement without braces around token i: from behind the last ; { or } to its own ; */
static bool statement(unsigned i, unsigned *from, unsigned *to)
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

static bool some_statement(unsigned *from, unsigned *to)
{
    for (unsigned try = 0; try < 50; try++) {
        unsigned i = some(NAME);
        if (i < n_tokens && statement(i, from, to))
            return true;
    }
    return false;
}

static void copy_statement(bool move)
{
    unsigned from, to, at, end;
    struct token copy[256];
    if (!some_statement(&from, &to) || to - from > 256)
        return;
    unsigned n = to - from;
    memcpy(copy, token + from, n * sizeof *copy);
    if (!move) {
        insert(to, copy, n);
        return;
    }
    cut(from, to);
    if (some_statement(&at, &end))
        insert(at, copy, n);
}

static void insert_snippet(void)
{
    static const char *const snippet[] = {
        " while (1) {} ",
        " for (;;) { if (self->out.y0 > 3) break; self->out.y0++; } ",
        " return; ",
        " static unsigned kept_; kept_++; ",
        " float f_ = 1; (void)f_; ",
        " volatile int v_ = 1; (void)v_; ",
        " int *p_ = 0; *p_ = 1; ",
        " int u_; self->out.y0 = u_; ",
        " goto away_; away_:; ",
        " again_: if (self->out.y0) goto again_; ",
        " u8 a_[in->a0 + 1]; a_[0] = 1; ",
        " __builtin_unreachable(); ",
        " __builtin_trap(); ",
        " int i_ = 0; do { i_++; } while (i_ != in->a0); ",
        " { int x_[4] = {0}; x_[in->a0] = 1; self->out.y0 = x_[0]; } ",
        " self->out.y0 = 1 / in->a0; ",
        " self->out.y0 <<= in->a0; ",
        " void (*f_)(void) = 0; f_(); ",
        " *(struct never_ *)self; ",
        " if (in->a0) { ",
        " } ",
        " { unsigned long n_ = (unsigned long)self; self->out.y0 = n_; } ",
        " self = 0; ",
        " __asm__(\"\"); ",
        " enum { LOCAL_ = 5 }; self->out.y0 = LOCAL_; ",
        " switch (in->a0) { case 0: for (int i_ = 0; i_ < 3; i_++) { case 1: self->out.y0++; } } ",
        " self->out.y0 = ({ int t_ = in->a0; t_ + 1; }); ",
    };
    unsigned from, to;
    struct token t = word(snippet[draw(sizeof snippet / sizeof *snippet)]);
    if (some_statement(&from, &to))
        insert(from, &t, 1);
}

/* ---- one change --------------------------------------------------------------------------------------- */

static const char *const types[] = {"u1",   "u3",       "u8",      "u33",       "u64",
                                    "int",  "unsigned", "long",    "short",     "bool",
                                    "char", "void",     "sint(2)", "uint(300)", "float"};
static const char *const numbers[] = {"0",          "1",    "2",       "7",
                                      "31",         "32",   "63",      "64",
                                      "-1",         "512",  "1000000", "0xffffffffffffffff",
                                      "0x7fffffff", "3uwb", "1.5"};
static const char *const signs[] = {"+",  "-",  "*",   "/",  "%",  "&",  "|",  "^",
                                    "<<", ">>", "<",   "<=", "==", "!=", "&&", "||",
                                    "=",  "+=", ">>=", "->", ".",  ","};
static const char *const marks[] = {
    "HLS_LUTRAM(1)",       "HLS_LUTRAM(2)", "HLS_BRAM",  "HLS_MODULE",
    "HLS_BRAM_READ_FIRST", "HLS_KEEP",      "HLS_RESET", ""};
#define ANY(list) word((list)[draw(sizeof(list) / sizeof *(list))])

static bool is_type(unsigned i)
{
    const struct token *t = &token[i];
    return (t->n > 1 && t->n < 4 && t->s[0] == 'u' && isdigit((unsigned char)t->s[1])) ||
           is(i, "int") || is(i, "unsigned") || is(i, "bool") || is(i, "long");
}

static void change_matching(bool (*fits)(unsigned), struct token by)
{
    for (unsigned try = 0; try < 400; try++) {
        unsigned i = (unsigned)draw(n_tokens);
        if (fits(i)) {
            token[i] = by;
            return;
        }
    }
}

static bool is_mark(unsigned i)
{
    return token[i].n > 4 && memcmp(token[i].s, "HLS_", 4) == 0;
}

static bool is_operator(unsigned i)
{
    for (unsigned k = 0; k < sizeof signs / sizeof *signs; k++)
        if (token[i].kind == SIGN && is(i, signs[k]))
            return true;
    return false;
}

/* "& mask", "% n" or "< n" and what follows it, up to a closing bracket */
static void drop_mask(void)
{
    for (unsigned try = 0; try < 300; try++) {
        unsigned i = (unsigned)draw(n_tokens), end = i;
        if (!is(i, "&") && !is(i, "%") && !is(i, ">>"))
            continue;
        while (end < n_tokens && !is(end, ")") && !is(end, "]") && !is(end, ";"))
            end++;
        cut(i, end);
        return;
    }
}

static void drop_braces(void)
{
    unsigned i = (unsigned)draw(n_tokens), depth = 0;
    while (i < n_tokens && !is(i, "{"))
        i++;
    for (unsigned k = i; k < n_tokens; k++) {
        depth += is(k, "{");
        depth -= is(k, "}");
        if (depth == 0 && k > i) {
            cut(k, k + 1);
            cut(i, i + 1);
            return;
        }
    }
}

static void swap_names(enum token_kind kind)
{
    unsigned a = some(kind), b = some(kind);
    if (a < n_tokens && b < n_tokens)
        token[a] = token[b];
}

static void mutate(void)
{
    unsigned i, from, to;
    switch (draw(20)) {
    case 0:
        if ((i = some(draw(2) ? NAME : SIGN)) < n_tokens)
            cut(i, i + 1);
        break;
    case 1:
        if ((i = some(draw(2) ? NAME : SIGN)) < n_tokens) {
            struct token copy = token[i];
            insert(i, &copy, 1);
        }
        break;
    case 2:
    case 3:
    case 4:
        swap_names(NAME);
        break;
    case 5:
    case 6:
        if ((i = some(NUMBER)) < n_tokens)
            token[i] = ANY(numbers);
        break;
    case 7:
    case 8:
        change_matching(is_operator, ANY(signs));
        break;
    case 9:
        if (some_statement(&from, &to))
            cut(from, to);
        break;
    case 10:
    case 11:
        copy_statement(false);
        break;
    case 12:
    case 13:
        copy_statement(true);
        break;
    case 14:
        change_matching(is_type, ANY(types));
        break;
    case 15:
        drop_mask();
        break;
    case 16:
        drop_braces();
        break;
    case 17:
        change_matching(is_mark, ANY(marks));
        break;
    case 18:
        swap_names(NUMBER);
        break;
    default:
        insert_snippet();
    }
}

int main(int argc, char **argv)
{
    if (argc != 3)
        fail("usage", "fuzzmutate SEED FILE.c");
    FILE *f = fopen(argv[2], "rb");
    static char text[1 << 20];
    if (f == NULL)
        fail(argv[2], strerror(errno));
    size_t n = fread(text, 1, sizeof text - 1, f);
    text[n] = 0;
    fclose(f);
    state = strtoull(argv[1], NULL, 0) * UINT64_C(0xd1342543de82ef95);
    split(text);
    for (unsigned changes = 1 + (unsigned)(draw(4) == 0) * (1 + (unsigned)draw(2)); changes > 0;
         changes--)
        mutate();
    if (draw(100) == 0 && n_tokens > 0)
        token[draw(n_tokens)] = word("\x01\xff`@$");
    for (unsigned i = 0; i < n_tokens; i++)
        printf("%.*s", (int)token[i].n, token[i].s);
    return 0;
}
