// SPDX-License-Identifier: Apache-2.0
/*
 * mutate_rule.c - changes that aim at one rule of the dialect each: names that Verilog or C++ keeps
 * for itself, loops without a bound, a second write to a memory, a child's output read or its clock
 * called at the wrong place, resets forgotten, widths and array sizes out of range.
 */
#include "mutate.h"

#include <stdlib.h>
#include <string.h>

static bool same(unsigned a, unsigned b)
{
    return token[a].kind == token[b].kind && token[a].n == token[b].n &&
           memcmp(token[a].s, token[b].s, token[a].n) == 0;
}

/* A random token that fits; n_tokens for none. */
static unsigned pick(bool (*fits)(unsigned))
{
    unsigned first = (unsigned)draw(n_tokens);
    for (unsigned k = 0; k < n_tokens; k++) {
        unsigned i = (first + k) % n_tokens;
        if (fits(i))
            return i;
    }
    return n_tokens;
}

static void put(unsigned at, const char *text)
{
    struct token t = word(text);
    insert(at, &t, 1);
}

/* The closing bracket that belongs to the opening one at i; n_tokens if there is none. */
static unsigned closing(unsigned i, const char *open, const char *close)
{
    unsigned depth = 0;
    for (; i < n_tokens; i++) {
        depth += is(i, open);
        if (is(i, close) && --depth == 0)
            return i;
    }
    return n_tokens;
}

/* ---- names ------------------------------------------------------------------------------------- */

static bool declared(unsigned i)
{
    unsigned next = after(i);
    return token[i].kind == NAME && i > 1 && token[i - 1].kind == OTHER &&
           (token[i - 2].kind == NAME || is(i - 2, ")")) &&
           (is(next, ";") || is(next, ",") || is(next, "[") || is(next, "="));
}

static bool rename_declared(void)
{
    static const char *const names[] = {
        "reg",   "wire",      "module", "begin",    "always", "logic",        "endcase", "class",
        "new",   "this",      "clk",    "rst",      "k",      "hls_state",    "a__b",    "_q",
        "input", "template",  "out",    "s0_q",     "unused", "hls_assert",   "integer", "u8",
        "u1",    "signed",    "for",    "negedge",  "i",      "HLS_REGISTER", "table",   "force",
        "bit",   "namespace", "self",   "constant", "\\a b",  "größe",        "do",      "result",
    };
    unsigned i = pick(declared);
    if (i == n_tokens)
        return false;
    struct token by = word(names[draw(sizeof names / sizeof *names)]);
    for (unsigned k = 0; k < n_tokens; k++)
        if (k != i && same(k, i))
            token[k] = by;
    token[i] = by;
    return true;
}

/* ---- loops ------------------------------------------------------------------------------------- */

static bool is_for(unsigned i)
{
    return is(i, "for") || is(i, "while");
}

/* Another condition in the head of a loop. */
static bool unbound_loop(void)
{
    static const char *const conditions[] = {"1",           "",           "in->a0", "self->out.y0",
                                             "in->a0 != 3", "k_++ < 5000"};
    unsigned i = pick(is_for), open = after(i), end = closing(open, "(", ")");
    if (i == n_tokens || end == n_tokens)
        return false;
    unsigned from = open + 1, to = end;
    if (is(i, "for")) {
        while (from < end && !is(from - 1, ";"))
            from++;
        to = from;
        while (to < end && !is(to, ";"))
            to++;
    }
    cut(from, to);
    put(from, conditions[draw(sizeof conditions / sizeof *conditions)]);
    return true;
}

/* ---- memories and children ------------------------------------------------------------------------ */

/* "self->name[" */
static bool element(unsigned i)
{
    return is(i, "self") && is(i + 1, "->") && is(after(i + 2), "[");
}

/* The statement that uses an element once more, at another place. */
static bool second_access(void)
{
    struct token copy[200];
    unsigned from, to, at, end, i = pick(element);
    if (i == n_tokens || !statement(i, &from, &to) || to - from > 200)
        return false;
    memcpy(copy, token + from, (to - from) * sizeof *copy);
    if (!some_statement(&at, &end))
        return false;
    insert(draw(2) ? at : to, copy, to - from);
    return true;
}

/* "(&self->": the call of a child */
static bool child_call(unsigned i)
{
    return is(i, "(") && is(i + 1, "&") && is(i + 2, "self") && is(i + 3, "->");
}

static bool misplace_call(void)
{
    unsigned from, to, next, end, i = pick(child_call);
    struct token copy[100];
    if (i == n_tokens || !statement(i, &from, &to) || to - from > 100)
        return false;
    unsigned n = to - from;
    memcpy(copy, token + from, n * sizeof *copy);
    switch (draw(6)) {
    case 0: /* twice */
        insert(to, copy, n);
        return true;
    case 1: /* never */
        cut(from, to);
        return true;
    case 2:
        put(from, draw(2) ? " if (in->a0) " : " for (int c_ = 0; c_ < 2; c_++) ");
        return true;
    case 3:
        put(from, " if (self->out.y0) return; ");
        return true;
    default: /* behind or before what read it */
        cut(from, to);
        if (some_statement(&next, &end))
            insert(next, copy, n);
        return true;
    }
}

static bool is_wait(unsigned i)
{
    return (is(i, "HLS_WAIT") || is(i, "HLS_WAIT_UNTIL")) && is(i + 1, "(");
}

/* A wait of a process: gone, twice, over the statement before or behind it, elsewhere, at another state, of the other kind. */
static bool misplace_wait(void)
{
    unsigned from, to, next, end, i = pick(is_wait), other = pick(is_wait);
    struct token copy[60];
    if (i == n_tokens || !statement(i, &from, &to) || to - from > 60)
        return false;
    const unsigned n = to - from;
    memcpy(copy, token + from, n * sizeof *copy);
    switch (draw(7)) {
    case 0:
        cut(from, to);
        return true;
    case 1:
        insert(to, copy, n);
        return true;
    case 2:
        if (!statement(to + 1, &next, &end))
            return false;
        insert(end, copy, n);
        cut(from, to);
        return true;
    case 3:
        if (from < 2 || !statement(from - 2, &next, &end))
            return false;
        cut(from, to);
        insert(next, copy, n);
        return true;
    case 4:
        cut(from, to);
        if (some_statement(&next, &end))
            insert(next, copy, n);
        return true;
    case 5:
        token[i + 2] = token[other + 2];
        return true;
    default:
        token[i] = word(is(i, "HLS_WAIT") ? "HLS_WAIT_UNTIL" : "HLS_WAIT");
        return true;
    }
}

/* ---- reset ------------------------------------------------------------------------------------------ */

static bool is_reset(unsigned i)
{
    return is(i, "HLS_RESET");
}

static bool spoil_reset(void)
{
    static const char *const first[] = {" return; ", " if (self->out.y0) ", " self->out.y0++; ",
                                        " while (1) {} "};
    unsigned i = pick(is_reset), open = i, from, to;
    while (open < n_tokens && !is(open, "{"))
        open++;
    unsigned end = closing(open, "{", "}");
    if (i == n_tokens || end == n_tokens)
        return false;
    switch (draw(4)) {
    case 0: /* no such function */
        cut(i, end + 1);
        return true;
    case 1: /* an empty one */
        cut(open + 1, end);
        return true;
    case 2:
        put(open + 1, first[draw(sizeof first / sizeof *first)]);
        return true;
    default: /* without one statement */
        if (!statement(open + 1 + (unsigned)draw(end - open), &from, &to) || to > end)
            return false;
        cut(from, to);
        return true;
    }
}

/* ---- sizes ----------------------------------------------------------------------------------------- */

/* The first token inside the brackets of an array or of uint() and sint() */
static bool size(unsigned i)
{
    return i > 1 && token[i].kind == NUMBER &&
           ((is(i - 1, "[") && token[i - 2].kind == NAME && is(after(i), "]")) ||
            (is(i - 1, "(") && (is(i - 2, "uint") || is(i - 2, "sint"))));
}

static bool other_size(void)
{
    static const char *const sizes[] = {"0",  "1",     "3",     "255",     "1000",
                                        "-1", "65536", "65537", "9000000", "2][2][2][2][2"};
    unsigned i = pick(size);
    if (i == n_tokens)
        return false;
    token[i] = word(sizes[draw(sizeof sizes / sizeof *sizes)]);
    return true;
}

/* ---- expressions ------------------------------------------------------------------------------------ */

static bool used_value(unsigned i)
{
    return token[i].kind == NAME && i > 2 && (is(i - 1, ".") || is(i - 1, "->")) &&
           !is(after(i), "(") && !is(after(i), "=") && !is(after(i), ".");
}

/* A value in place of another of the file: mostly of another width or at the wrong time. */
static bool other_value(void)
{
    unsigned i = pick(used_value), k = pick(used_value), from = k;
    struct token copy[40];
    if (i == n_tokens)
        return false;
    while (from > 1 && (token[from - 1].kind == NAME || is(from - 1, ".") || is(from - 1, "->")))
        from--;
    if (k + 1 - from > 40)
        return false;
    memcpy(copy, token + from, (k + 1 - from) * sizeof *copy);
    unsigned n = k + 1 - from, first = i;
    while (first > 1 &&
           (token[first - 1].kind == NAME || is(first - 1, ".") || is(first - 1, "->")))
        first--;
    cut(first, i + 1);
    insert(first, copy, n);
    return true;
}

bool break_rule(void)
{
    static bool (*const rule[])(void) = {rename_declared, unbound_loop,  second_access,
                                         misplace_call,   misplace_wait, spoil_reset,
                                         other_size,      other_value};
    enum { RULES = sizeof rule / sizeof *rule };
    unsigned first = (unsigned)draw(RULES);
    for (unsigned k = 0; n_tokens && k < RULES; k++)
        if (rule[(first + k) % RULES]())
            return true;
    return false;
}
