// SPDX-License-Identifier: Apache-2.0
/*
 * mutate.h - what the files of fuzzmutate share: a C file as a list of words that can be changed.
 */
#ifndef MUTATE_H
#define MUTATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MAX_TOKENS = 40000 };

enum token_kind {
    NAME,
    NUMBER,
    SIGN,
    OTHER
}; /* OTHER: space, comments, preprocessor lines, strings */

struct token {
    const char *s;
    size_t n;
    enum token_kind kind;
};

extern struct token token[];
extern unsigned n_tokens;
extern uint64_t draw_state;

/* mutate_token.c */
_Noreturn void fail(const char *what, const char *why);
uint64_t draw(uint64_t n); /* 0 .. n - 1 */
void split(const char *s);
bool is(unsigned i, const char *s);
struct token word(const char *s); /* any text, as one word */
void cut(unsigned from, unsigned to);
void insert(unsigned at, const struct token *list, unsigned n);
/* A random token of that kind behind the first quarter, which is mostly declarations; or n_tokens. */
unsigned some(enum token_kind kind);
/* A statement without braces around token i: from behind the last ; { or } to its own ; */
bool statement(unsigned i, unsigned *from, unsigned *to);
bool some_statement(unsigned *from, unsigned *to);
/* The next token behind i that is no space; n_tokens at the end. */
unsigned after(unsigned i);

/* mutate_rule.c: breaks one rule of the dialect; false if the file has no place for it. */
bool break_rule(void);

#endif
