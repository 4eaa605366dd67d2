// SPDX-License-Identifier: Apache-2.0
/*
 * budget.c - an end to designs that are too large: how much memory a run, and how many operations a module may take.
 *
 * Six loops of 16 rounds within each other are 16 million rounds, and all of them are hardware. What eats the budget
 * is named by what is at work: the execution names its loops and calls (exec_spent), the passes the C line that most
 * operations of the module come from (graph_budget).
 */
#include "base/budget.h"
#include "base/util.h"

#include <stdlib.h>

static size_t most_bytes = SIZE_MAX, bytes;
static uint64_t most_steps = UINT64_MAX;
static const char *of;         /* the module that is worked on */
static struct loc where;       /* in the C */
static void (*report)(void *); /* names what eats the budget */
static void *report_data;

void budget_set(unsigned megabytes, uint64_t steps)
{
    most_bytes = (size_t)megabytes * 1000000;
    most_steps = steps;
}

void budget_of(const char *module, struct loc loc, void (*name_users)(void *), void *data)
{
    of = module;
    where = loc;
    report = name_users;
    report_data = data;
}

static _Noreturn void spent(const char *what)
{
    static const char advice[] =
        "fewer rounds or calls; a part of it as a module of its own; --memory and --steps raise "
        "the budget";
    diag_error(where, advice, "%s%s%s", of ? format("'%s' takes ", of) : "the design takes ",
               "more than ", what);
    if (report)
        report(report_data);
    exit(1);
}

void budget_bytes(size_t more, size_t less)
{
    bytes += more - less;
    size_t most = most_bytes;
    if (more <= less || bytes <= most)
        return;
    most_bytes = SIZE_MAX; /* to say so takes some, too */
    spent(format("%zu MB of memory", most / 1000000));
}

void budget_steps(uint64_t n)
{
    uint64_t most = most_steps;
    if (n <= most)
        return;
    most_bytes = SIZE_MAX;
    most_steps = UINT64_MAX;
    spent(format("%llu steps", (unsigned long long)most));
}
