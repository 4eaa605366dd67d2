// SPDX-License-Identifier: Apache-2.0
/*
 * exec_spent.c - where the budget goes: the loops and calls that are under way, from the inside out, and how often
 * each ran.
 */
#include "exec/exec.h"

/* Notes of one message; what is beyond them is counted. */
#define MOST_NOTES 16

static const char *times(uint64_t n)
{
    return n == 1 ? "once" : format("%llu times", (unsigned long long)n);
}

/* As long as there is room. */
static void note(unsigned *n, struct loc loc, const char *text)
{
    if (++*n <= MOST_NOTES)
        diag_note(loc, "%s", text);
}

void exec_spent(void *data)
{
    struct exec *x = data;
    unsigned n = 0;
    if (!x->frame)
        return;
    diag_note(x->loc, "it was here");
    for (const struct frame *f = x->frame; f; f = f->up) {
        const struct code *code = f->code;
        for (int h = code->loop[f->at]; h >= 0; h = h ? code->loop[h - 1] : -1) {
            LLVMValueRef end = LLVMGetBasicBlockTerminator(code->block[h]);
            if (f->at < code->last[h])
                note(&n, exec_loc(end, x->loc),
                     format("in this loop, which came round %s", times(code->rounds[h])));
        }
        if (f->up)
            note(&n, f->call_loc,
                 format("'%s', which ran %s, is called from here", LLVMGetValueName(code->fn),
                        times(code->calls)));
    }
    if (n > MOST_NOTES)
        diag_note(x->module->loc, "and %u more loops and calls around", n - MOST_NOTES);
}
