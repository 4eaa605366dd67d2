// SPDX-License-Identifier: Apache-2.0
/*
 * exec_settled.c - conditions that the rounds of a loop so far decide.
 */
#include "exec/exec.h"

/* Bits of a number that a loop may count through without another bound. */
#define WIDEST_COUNTER 9

/* Rounds of the innermost loop so far whose end was a guess. */
static unsigned guesses_at(const struct frame *f, unsigned b)
{
    int h = f->code->loop[b];
    return h >= 0 ? f->guesses[h] : 0;
}

/*
 * A loop that counts a narrow number, while (n--): once as many rounds are behind as there are numbers, those before have
 * ruled out all but one. The condition is then known.
 */
struct node *exec_settled(struct exec *x, unsigned b, struct node *on)
{
    const struct node *test = on->op == OP_NOT ? on->args[0] : on;
    if (test->op != OP_EQ || !is_const(test->args[1]))
        return on;
    struct node *subject = test->args[0];
    const unsigned width = subject->width;
    if (width > WIDEST_COUNTER || guesses_at(x->frame, b) + 1 < 1u << width)
        return on;
    for (unsigned v = 0; v < 1u << width; v++) {
        struct node *is = mk_eq(x->g, subject, mk_const(x->g, width, v));
        if (is != test && !path_excludes(x->bdds, x->path, bdd_of(x->bdds, is)))
            return on;
    }
    return mk_const(x->g, 1, test == on);
}
