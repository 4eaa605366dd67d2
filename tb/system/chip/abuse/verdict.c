// SPDX-License-Identifier: Apache-2.0
/*
 * verdict.c - counts and lines.
 */
#include "tb/system/chip/abuse/verdict.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *const finding_names[FINDINGS] = {"wrong_bytes",  "strays",       "not_whole",   "stuck",
                                             "wrong_status", "wrong_events", "broken_rules"};

static void line(const struct verdict *v, const char *text)
{
    printf("# %8llu  %s\n", (unsigned long long)*v->clock, text);
}

void found(struct verdict *v, enum finding kind, const char *format, ...)
{
    char text[sizeof(v->first)];
    va_list list;

    va_start(list, format);
    vsnprintf(text, sizeof(text), format, list);
    va_end(list);
    if (findings_of(v) == 0) {
        snprintf(v->first, sizeof(v->first), "clock %llu: %s: %.120s",
                 (unsigned long long)*v->clock, finding_names[kind], text);
    }
    v->found[kind]++;
    if (v->loud && findings_of(v) < 40) {
        printf("#           %s: ", finding_names[kind]);
        line(v, text);
    }
}

static void print(const struct verdict *v, const char *format, va_list list)
{
    char text[sizeof(v->first)];

    vsnprintf(text, sizeof(text), format, list);
    line(v, text);
}

void note(struct verdict *v, const char *format, ...)
{
    va_list list;

    if (v->loud) {
        va_start(list, format);
        print(v, format, list);
        va_end(list);
    }
}

void detail(struct verdict *v, const char *format, ...)
{
    va_list list;

    if (v->loud && v->all) {
        va_start(list, format);
        print(v, format, list);
        va_end(list);
    }
}

uint64_t findings_of(const struct verdict *v)
{
    uint64_t sum = 0;

    for (unsigned i = 0; i < FINDINGS; i++) {
        sum += v->found[i];
    }
    return sum;
}

void verdict_add(struct verdict *to, const struct verdict *from)
{
    if (findings_of(to) == 0) {
        memcpy(to->first, from->first, sizeof(to->first));
    }
    for (unsigned i = 0; i < FINDINGS; i++) {
        to->found[i] += from->found[i];
    }
    to->transactions += from->transactions;
    to->ok += from->ok;
    to->failed += from->failed;
    to->unknown += from->unknown;
    to->foreign += from->foreign;
    to->accesses += from->accesses;
    to->wild += from->wild;
    to->hostile += from->hostile;
    to->mute += from->mute;
    if (from->worst_settle > to->worst_settle) {
        to->worst_settle = from->worst_settle;
    }
    if (from->worst_foreign > to->worst_foreign) {
        to->worst_foreign = from->worst_foreign;
    }
}
