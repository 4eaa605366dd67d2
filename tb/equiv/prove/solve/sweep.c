// SPDX-License-Identifier: Apache-2.0
/*
 * sweep.c - SAT sweeping: candidates by signature, proved one after the other; a counterexample refines the signatures.
 */
#include "solve/sweep.h"

#include "terms/arena.h"
#include "terms/eval.h"
#include "solve/linear.h"
#include "solve/smt.h"
#include "solve/window.h"

#include <stdlib.h>
#include <string.h>

enum {
    AT_FIRST = 1024, /* assignments */
    NEARBY = 8,      /* assignments near one that tells two bits apart */
    TRIES = 40       /* for one bit */
};

/* Bits with different signatures, by signature. */
struct classes {
    term *slot;
    uint32_t size;
};

struct sweep {
    const struct sweep_options *o;
    struct eval eval;
    struct classes classes;
    struct sweep_tally tally;
};

static bool is_candidate(term t)
{
    const struct node *n = node_of(t);
    return n->width == 1 && op_info[n->op].kind == KIND_BITWISE && n->op != OP_NOT;
}

/* The bit with the same signature that came first; t itself when there is none. */
static term first_alike(struct sweep *s, term t)
{
    uint64_t signature = s->eval.signature[t];
    uint32_t at = (uint32_t)(signature >> 32) & (s->classes.size - 1);
    while (s->classes.slot[at] && s->eval.signature[s->classes.slot[at]] != signature)
        at = (at + 1) & (s->classes.size - 1);
    if (!s->classes.slot[at])
        s->classes.slot[at] = t;
    return s->classes.slot[at];
}

/* Signatures have changed: all before `end` anew. */
static void classify(struct sweep *s, term end)
{
    memset(s->classes.slot, 0, s->classes.size * sizeof *s->classes.slot);
    first_alike(s, term_false());
    for (term t = 1; t < end; t++)
        if (s->eval.used[t] && width_of(t) == 1 && node_of(t)->op != OP_NOT)
            first_alike(s, t);
}

static void learn(struct sweep *s, const struct model *m, term end)
{
    eval_more(&s->eval, m->value, m->n, false);
    for (unsigned i = 0; i < NEARBY; i++)
        eval_more(&s->eval, m->value, m->n, true);
    classify(s, end);
}

/* Whether the two are equal; if not, and that was seen, their signatures differ then. */
static enum answer compare(struct sweep *s, term t, term a, term b)
{
    struct question q = {.a = a, .b = b};
    struct model model;
    if (a == b)
        return ANSWER_EQUAL;
    if (window_equal(a, b)) {
        s->tally.by_table++;
        return ANSWER_EQUAL;
    }
    enum answer answer = smt_ask(s->o->file, &q, s->o->seconds, &model);
    s->tally.by_solver += answer == ANSWER_EQUAL;
    s->tally.open += answer == ANSWER_TIMEOUT || answer == ANSWER_ERROR;
    s->tally.refuted += answer == ANSWER_DIFFER;
    if (answer == ANSWER_DIFFER)
        learn(s, &model, t);
    return answer;
}

static void settle(struct sweep *s, term t)
{
    enum answer answer = ANSWER_DIFFER;
    for (unsigned i = 0; answer == ANSWER_DIFFER && i < TRIES; i++) {
        if (seconds_used() >= s->o->deadline)
            return;
        term other = first_alike(s, t), form = linear_form(t);
        if (other == t)
            return;
        bool opposite = s->eval.phase[t] != s->eval.phase[other];
        term instead = linear_form(other);
        if (opposite)
            instead = term_not(instead);
        answer = compare(s, t, form, instead);
        if (answer == ANSWER_EQUAL && form != instead)
            linear_join(t, instead);
    }
}

static void start(struct sweep *s, bool *used)
{
    used[term_false()] = true;
    eval_mark(used);
    eval_start(&s->eval, used);
    for (unsigned i = 0; i < AT_FIRST; i++)
        eval_more(&s->eval, NULL, 0, false);
    s->classes.size = 64;
    while (s->classes.size < 4 * s->eval.count)
        s->classes.size *= 2;
    s->classes.slot = resized(NULL, s->classes.size * sizeof *s->classes.slot);
    classify(s, 0);
}

struct sweep_tally sweep(const term *root, unsigned n, const struct sweep_options *o)
{
    struct sweep s = {.o = o};
    (void)term_false();
    bool *used = calloc(term_count(), sizeof *used);
    if (!used)
        unsupported("out of memory");
    for (unsigned i = 0; i < n; i++)
        used[root[i]] = true;
    start(&s, used);
    linear_restart();
    for (term t = 1; t < s.eval.count; t++) {
        if (!used[t] || width_of(t) != 1 || node_of(t)->op == OP_NOT)
            continue;
        if (is_candidate(t))
            settle(&s, t);
        else
            first_alike(&s, t);
    }
    return s.tally;
}
