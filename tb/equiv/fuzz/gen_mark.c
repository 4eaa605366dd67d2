// SPDX-License-Identifier: Apache-2.0
/*
 * gen_mark.c - which constructs of the dialect stand in which others.
 *
 * Text carries a mark where a construct begins and where it ends; they are taken out when a program is complete. What was
 * generated and not used is so never counted. A construct is in all that are open around it, a helper's body in the helper.
 */
#include "gen.h"

#include <stdio.h>

enum { BEGIN = '\1', END = '\2', FIRST = '0', DEEPEST = 4096 };

/* What may stand in it. */
enum holds { NOTHING, EXPRESSIONS, STATEMENTS };

static const struct {
    const char *name;
    bool is_statement;
    enum holds holds;
} info[N_CONSTRUCTS] = {
#define X(name, text, is_statement, holds) [name] = {text, is_statement, holds},
    CONSTRUCTS(X)
#undef X
};

static unsigned long pairs[N_CONSTRUCTS][N_CONSTRUCTS]; /* outer, inner */

const char *marked(enum construct c, const char *text)
{
    return fmt("%c%c%s%c", BEGIN, FIRST + (int)c, text, END);
}

void begin(struct gen *g, enum construct c)
{
    add(g->out, "%c%c", BEGIN, FIRST + (int)c);
}

void end(struct gen *g)
{
    add(g->out, "%c", END);
}

void take_marks(char *text)
{
    unsigned open[DEEPEST], depth = 0;
    char *to = text;
    for (const char *s = text; *s; s++) {
        if (*s == BEGIN && depth < DEEPEST) {
            unsigned inner = (unsigned)(*++s - FIRST);
            for (unsigned i = 0; i < depth; i++)
                pairs[open[i]][inner]++;
            open[depth++] = inner;
        } else if (*s == END) {
            depth--;
        } else {
            *to++ = *s;
        }
    }
    *to = 0;
}

static bool is_helper(unsigned c)
{
    return c >= C_VALUE && c <= C_SELF; /* as CONSTRUCTS has them */
}

/* False for what the dialect, or the grammar of C, has not. */
static bool is_possible(unsigned outer, unsigned inner)
{
    if (inner == C_MEMORY || inner == C_CHILD) /* in the module's function, in nothing else */
        return false;
    if (inner == C_WAIT) /* each round of a loop that it stands in ends at one */
        return outer == C_IF || outer == C_SWITCH || outer == C_WHILE || outer == C_DO;
    if (is_helper(outer) && inner == C_SELF) /* a helper has no self to hand on */
        return false;
    if (outer == C_KEEP && inner == C_CHECK) /* kept functions check nothing */
        return false;
    return info[outer].holds == STATEMENTS ||
           (info[outer].holds == EXPRESSIONS && !info[inner].is_statement);
}

void print_pairs(void)
{
    for (unsigned i = 0; i < N_CONSTRUCTS; i++)
        for (unsigned k = 0; k < N_CONSTRUCTS; k++)
            if (pairs[i][k] || is_possible(i, k))
                printf("PAIR %s %s %lu\n", info[k].name, info[i].name, pairs[i][k]);
}
