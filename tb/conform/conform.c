// SPDX-License-Identifier: Apache-2.0
/*
 * conform.c - plays the runs of a block, keeps what did not hold, writes the report; conform.h says how it is used.
 */
#include "tb/conform/conform.h"

#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/base/args.h"
#include "tb/base/harness.h"
#include "tb/conform/foreign.h"

enum {
    MOST_CHECKS = 32,
    MOST_FIGURES = 4,
    TEXT = 320,
    GRACE = 200,  /* clocks that a run goes on after a failure */
    BEFORE = 400, /* clocks of the waveform before it */
    AFTER = 100,  /* and behind it */
    ALARM_CLOCKS = 256,
};

struct failure {
    bool there;
    unsigned run;
    uint64_t clock;
    char text[TEXT];
};

static struct {
    const struct conform_block *block;
    const char *top, *fst;
    uint64_t seed;
    unsigned patience; /* seconds that so many clocks may take */
    bool exact;
    bool deaf; /* to $finish */

    unsigned run;          /* that is being played */
    uint64_t clock;        /* of it */
    bool failed;           /* something of it */
    uint64_t failed_clock; /* when that was noticed */
    uint32_t through;      /* checks that were put to the test to the end of a run */
    struct failure first[MOST_CHECKS], earliest;

    bool again; /* the run is played for its waveform */
    bool traced;
    const char *figure[MOST_FIGURES];
    double value[MOST_FIGURES];
    unsigned figures;
} c;

/* ---- for the runs -------------------------------------------------------------------------------- */

bool conform_exact(void)
{
    return c.exact;
}

bool conform_failed(void)
{
    return c.failed;
}

void conform_figure(const char *name, double value)
{
    if (c.again || c.figures == MOST_FIGURES)
        return;
    c.figure[c.figures] = name;
    c.value[c.figures++] = value;
}

void conform_fails(unsigned check, uint64_t clock, const char *why, ...)
{
    struct failure *f = &c.first[check];
    if (check + 1 < c.block->n_checks && !c.failed) {
        c.failed = true; /* a difference in lockstep alone does not end a run */
        c.failed_clock = c.clock;
    }
    if (c.again || f->there)
        return;
    va_list list;
    va_start(list, why);
    *f = (struct failure){.there = true, .run = c.run, .clock = clock};
    vsnprintf(f->text, sizeof f->text, why, list);
    va_end(list);
    if (!c.earliest.there)
        c.earliest = *f;
}

static void watchdog(int signal)
{
    (void)signal;
    static const char text[] =
        "conform: the simulation hangs: a clock of the design does not end\n";
    if (write(STDERR_FILENO, text, sizeof text - 1) < 0)
        _exit(2);
    _exit(EXIT_FAILURE);
}

static void leave_if_ended(void)
{
    const char *place = foreign_ended();
    if (!place || c.deaf)
        return;
    fprintf(stderr,
            "conform: %s ended the simulation ($finish, $stop or $fatal%s%s) in run \"%s\", clock "
            "%" PRIu64 "\n",
            c.top, place[0] ? " at " : "", place, c.block->runs[c.run].name, c.clock);
    exit(EXIT_FAILURE);
}

bool conform_clock(uint64_t clock)
{
    c.clock = clock;
    leave_if_ended();
    if (clock % ALARM_CLOCKS == 0)
        alarm(c.patience); /* 0: none */
    if (!c.again)
        return !c.failed || clock < c.failed_clock + GRACE;
    if (!c.traced && clock + BEFORE >= c.earliest.clock) {
        foreign_trace(c.fst, clock);
        c.traced = true;
    }
    return clock <= c.earliest.clock + AFTER;
}

/* ---- runs ------------------------------------------------------------------------------------------ */

static void play(unsigned run)
{
    c.run = run;
    c.clock = 0;
    c.failed = c.traced = false;
    c.block->runs[run].play(c.seed + run, c.block->runs[run].variant);
    leave_if_ended();
    foreign_free();
    if (!c.failed)
        c.through |= c.block->runs[run].checks;
}

/* Failed, or no run came to the end of putting it to the test. */
static bool held(unsigned check)
{
    const bool last = check + 1 == c.block->n_checks;
    return !c.first[check].there && (last || (c.through >> check & 1));
}

static void text_of(unsigned check, char text[TEXT + 80])
{
    const struct failure *f = &c.first[check];
    if (f->there)
        snprintf(text, TEXT + 80, "%s, clock %" PRIu64 ": %s", c.block->runs[f->run].name, f->clock,
                 f->text);
    else
        snprintf(text, TEXT + 80, "not reached: the runs that would show it failed before");
}

/* ---- report ---------------------------------------------------------------------------------------- */

static void print_check(unsigned check)
{
    const struct conform_check *k = &c.block->checks[check];
    char text[TEXT + 80];
    if (held(check)) {
        printf("  held      %-12s %s\n", k->name, k->what);
        return;
    }
    text_of(check, text);
    printf("  %-9s %-12s %s\n            %-12s %s\n", c.first[check].there ? "NOT HELD" : "unknown",
           k->name, k->what, "", text);
}

static cJSON *json_of(unsigned check)
{
    char text[TEXT + 80] = "";
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "name", c.block->checks[check].name);
    cJSON_AddBoolToObject(json, "held", held(check));
    if (!held(check))
        text_of(check, text);
    cJSON_AddStringToObject(json, "first", text);
    return json;
}

/* All checks held. */
static bool report(const char *path)
{
    const unsigned checks = c.block->n_checks - !c.exact;
    bool good = true;
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "block", c.block->name);
    cJSON_AddStringToObject(json, "top", c.top);
    cJSON *list = cJSON_AddArrayToObject(json, "checks");
    printf("%s as %s, %u runs, --seed %" PRIu64 "\n", c.top, c.block->name, c.block->n_runs,
           c.seed);
    for (unsigned i = 0; i < checks; i++) {
        print_check(i);
        cJSON_AddItemToArray(list, json_of(i));
        good &= held(i);
    }
    for (unsigned i = 0; i < c.figures; i++) {
        printf("  figure    %s: %.3f\n", c.figure[i], c.value[i]);
        cJSON_AddNumberToObject(json, c.figure[i], c.value[i]);
    }
    if (c.earliest.there)
        printf("first of all: %s, clock %" PRIu64 ": %s\nwaveform: %s, clocks %" PRIu64
               " to %" PRIu64 " of that run\n",
               c.block->runs[c.earliest.run].name, c.earliest.clock, c.earliest.text, c.fst,
               c.earliest.clock > BEFORE ? c.earliest.clock - BEFORE : 0, c.earliest.clock + AFTER);
    cJSON_AddStringToObject(json, "waveform", c.earliest.there ? c.fst : "");
    return report_write(path, json) && good;
}

uint32_t conform_broken(const struct conform_block *block, uint64_t seed, uint32_t runs,
                        const char **first)
{
    uint32_t broken = 0;
    memset(&c, 0, sizeof c);
    c.block = block;
    c.top = block->name;
    c.seed = seed;
    for (unsigned i = 0; i < block->n_runs; i++)
        if (runs >> i & 1)
            play(i);
    alarm(0);
    for (unsigned i = 0; i < block->n_checks; i++)
        broken |= (uint32_t)c.first[i].there << i;
    *first = c.earliest.text;
    return broken;
}

int conform_main(int argc, char **argv, const struct conform_block *block)
{
    c.block = block;
    c.top = block->name;
    c.fst = "build/reports/conform.fst";
    c.patience = 60;
    const char *json = "build/reports/conform.json";
    const struct args_option rows[] = {
        args_text("--top", "MODULE", &c.top, "name of the module that is checked"),
        args_flag("--exact", &c.exact, "in lockstep with the native model, too"),
        args_unsigned("--patience", &c.patience, 1, UINT_MAX, "seconds until a clock hangs"),
        args_flag("--ignore-finish", &c.deaf,
                  "go on after $finish: of a design with assertions of ours inside"),
        args_text("--fst", "FILE", &c.fst, "waveform of the first failure"),
        args_text("--json", "FILE", &json, "the report"),
        args_end()};
    const struct args args = {.about = "Holds a module against the golden model of a block.",
                              .option = rows,
                              .seed = &c.seed};
    (void)args_read(&args, argc, argv);
    signal(SIGALRM, watchdog);
    alarm(c.patience);
    for (unsigned i = 0; i < block->n_runs; i++)
        play(i);
    if (c.earliest.there) {
        c.again = true;
        play(c.earliest.run);
    }
    const bool good = report(json);
    printf("%s: %s\n", c.top, good ? "conforms" : "does not conform");
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
