// SPDX-License-Identifier: Apache-2.0
/*
 * ptags.c - which job has which protection domain.
 */
#include "sim/host/ptags.h"

void ptags_start(struct ptags *p)
{
    *p = (struct ptags){0};
}

int ptags_take(struct ptags *p, uint64_t job, uint64_t clock)
{
    int found = PTAGS_NONE;
    for (int i = PTAGS - 1; i > 0; i--) {
        if (p->of[i].taken && p->of[i].job == job)
            return i;
        const bool rests = p->of[i].taken && p->of[i].nodes == 0;
        if (!p->of[i].taken || (rests && clock >= p->of[i].free_from))
            found = i;
        else if (rests && found == PTAGS_NONE)
            found = PTAGS_RESTS;
    }
    if (found > 0) {
        p->of[found].taken = true;
        p->of[found].job = job;
        p->of[found].free_from = clock;
    }
    return found;
}

void ptags_hold(struct ptags *p, unsigned ptag)
{
    p->of[ptag].nodes++;
}

void ptags_let_go(struct ptags *p, unsigned ptag, uint64_t free_from)
{
    p->of[ptag].nodes--;
    if (free_from > p->of[ptag].free_from)
        p->of[ptag].free_from = free_from;
}
