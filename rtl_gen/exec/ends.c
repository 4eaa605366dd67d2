// SPDX-License-Identifier: Apache-2.0
/*
 * ends.c - of each process both ends, an arm for each state and all states as one group: the one that takes fewer tables.
 *
 * Arms are executed first, and what they have to say of the C is said. The module is then executed with one process after another
 * as a group, goes through the passes, and is measured.
 */
#include "exec/build.h"
#include "exec/exec.h"

#include <string.h>

enum {
    LEAST_GAIN =
        32, /* a group gains one part of so many, or arms are kept: they read state by state */
    MOST_STATES =
        64 /* tried as a group: a choice in front of each operand is never smaller for more */
};

static unsigned measured(struct exec *x)
{
    const bool good = execute_module(x, x->module);
    const unsigned area = good ? x->options->measure(x->module) : UINT32_MAX;
    scratch_end();
    return area;
}

/* Registers of processes, each once. */
static unsigned *registers(const struct exec *x, unsigned *n)
{
    unsigned *list = NULL;
    *n = 0;
    for (unsigned i = 0; i < x->module->self.n; i++)
        if (x->module->reg[i].process)
            PUSH(list, *n, i);
    return list;
}

bool choose_ends(struct exec *x)
{
    unsigned n;
    const unsigned *reg = registers(x, &n);
    const bool forced = x->options->states != STATES_CHOSEN;
    if (n == 0 || x->options->states == STATES_ARMS)
        return false;
    x->grouped = arena(x->module->self.n * sizeof *x->grouped);
    unsigned least = forced ? UINT32_MAX : measured(x);
    for (unsigned i = 0; i < n; i++) {
        const struct leaf *leaf = &x->module->self.leaf[reg[i]];
        if (!forced && (leaf->enumeration->n > MOST_STATES || least == UINT32_MAX))
            continue;
        x->grouped[reg[i]] = true;
        const unsigned area = measured(x);
        const bool smaller = forced
                                 ? area != UINT32_MAX
                                 : (uint64_t)area * LEAST_GAIN < (uint64_t)least * (LEAST_GAIN - 1);
        if (smaller && !forced)
            least = area;
        x->grouped[reg[i]] = smaller;
    }
    return true;
}
