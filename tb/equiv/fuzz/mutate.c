// SPDX-License-Identifier: Apache-2.0
/*
 * mutate.c - fuzzmutate: a description with one to three things changed, on stdout.
 *
 * Most results still compile but break a rule of the dialect, or of C at run time: masks dropped,
 * statements deleted, doubled or moved, types, operators, numbers and names exchanged, annotations
 * exchanged, statements inserted that no hardware can be made of, rules broken on purpose
 * (mutate_rule.c), the file cut short. Preprocessor lines and comments stay as they are.
 */
#include "mutate.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/args.h"

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
        " for (int d_ = 0; d_ < 4000; d_++) self->out.y0 = self->out.y0 * 3 + in->a0; ",
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
static const char *const marks[] = {"HLS_LUTRAM(1)", "HLS_LUTRAM(2)",       "HLS_BRAM",
                                    "HLS_MODULE",    "HLS_BRAM_READ_FIRST", "HLS_KEEP",
                                    "HLS_FUNCTION",  "HLS_RESET",           ""};
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
    if (n_tokens == 0)
        return;
    switch (draw(28)) {
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
    case 19:
        cut((unsigned)draw(n_tokens), n_tokens); /* a file cut short */
        break;
    case 20:
    case 21:
    case 22:
    case 23:
    case 24:
    case 25:
        (void)break_rule();
        break;
    default:
        insert_snippet();
    }
}

int main(int argc, char **argv)
{
    uint64_t seed;
    const char *name;
    const struct args_option none = args_end();
    const struct args args = {
        .about = "Prints a file of C with a few random changes, most of them wrong.",
        .option = &none,
        .seed = &seed,
        .word = "FILE.c",
        .words = &name,
        .least = 1,
        .most = 1};
    (void)args_read(&args, argc, argv);
    FILE *f = fopen(name, "rb");
    static char text[1 << 20];
    if (f == NULL)
        fail(name, strerror(errno));
    size_t n = fread(text, 1, sizeof text - 1, f);
    text[n] = 0;
    fclose(f);
    draw_state = seed * UINT64_C(0xd1342543de82ef95);
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
