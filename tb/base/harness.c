// SPDX-License-Identifier: Apache-2.0
/*
 * harness.c - TAP, misses, options, random numbers, progress, reports and the checks of the native models.
 *
 * TAP goes to standard output, progress to standard error, reports under build/reports. Failed
 * hls_assert lines go to standard error with file, line and clock, and make tap_done fail.
 */
#include "tb/base/harness.h"
#include "sim/base/progress.h"
#include "sim/base/random.h"
#include "sim/base/whole.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const uint64_t *harness_clock;
static uint64_t check_failures;

/* ---- TAP ------------------------------------------------------------------------------------- */

static unsigned tap_count, tap_failed;
static char tap_reason[480];

static bool tap_line(bool pass, const char *name, va_list args)
{
    tap_count++;
    tap_failed += !pass;
    printf("%sok %u - ", pass ? "" : "not ", tap_count);
    vprintf(name, args);
    if (!pass && tap_reason[0])
        printf(" # %s", tap_reason);
    putchar('\n');
    fflush(stdout);
    tap_reason[0] = '\0';
    return pass;
}

bool tap_ok_at(bool pass, const char *condition, const char *file, int line, const char *name, ...)
{
    if (!pass && !tap_reason[0] && harness_clock)
        tap_why("clock %" PRIu64 ": %s:%d: expected %s", *harness_clock, file, line, condition);
    else if (!pass && !tap_reason[0])
        tap_why("%s:%d: expected %s", file, line, condition);
    va_list args;
    va_start(args, name);
    tap_line(pass, name, args);
    va_end(args);
    return pass;
}

bool misses_why(const struct misses *m)
{
    if (m->count > 0 && harness_clock)
        tap_why("clock %" PRIu64 ": %s (first of %" PRIu64 ")", m->clock, m->first, m->count);
    else if (m->count > 0)
        tap_why("%s (first of %" PRIu64 ")", m->first, m->count);
    return m->count == 0;
}

bool tap_misses(const struct misses *m, const char *name, ...)
{
    misses_why(m);
    va_list args;
    va_start(args, name);
    tap_line(m->count == 0, name, args);
    va_end(args);
    return m->count == 0;
}

void tap_why(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(tap_reason, sizeof tap_reason, format, args);
    va_end(args);
}

/* Counts a miss; true if it is the first, whose clock is kept. */
static bool first_miss(struct misses *m)
{
    if (m->count++ > 0)
        return false;
    m->clock = harness_clock ? *harness_clock : 0;
    return true;
}

bool miss(struct misses *m, const char *format, ...)
{
    if (first_miss(m)) {
        va_list args;
        va_start(args, format);
        vsnprintf(m->first, sizeof m->first, format, args);
        va_end(args);
    }
    return false;
}

bool miss_value(struct misses *m, uint64_t seen, uint64_t expected, const char *bound,
                const char *format, ...)
{
    if (!first_miss(m))
        return false;
    char text[sizeof m->first / 2];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (seen < 10 && expected < 10)
        snprintf(m->first, sizeof m->first, "%s: %" PRIu64 ", expected %" PRIu64 "%s", text, seen,
                 expected, bound);
    else
        snprintf(m->first, sizeof m->first,
                 "%s: %" PRIu64 " (%#" PRIx64 "), expected %" PRIu64 " (%#" PRIx64 ")%s", text,
                 seen, seen, expected, expected, bound);
    return false;
}

void misses_add(struct misses *all, const struct misses *one)
{
    const uint64_t count = all->count + one->count;
    if (all->count == 0)
        *all = *one;
    all->count = count;
}

void tap_note(const char *format, ...)
{
    fputs("# ", stdout);
    va_list args;
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    putchar('\n');
    fflush(stdout);
}

int tap_done(void)
{
    if (harness_clock || check_failures) {
        tap_why("%" PRIu64 " failed, see standard error", check_failures);
        tap_ok(check_failures == 0, "no hls_assert or hls_assume failed");
    }
    printf("1..%u\n", tap_count);
    return whole_status(tap_failed == 0);
}

/* ---- options and seed ------------------------------------------------------------------------ */

const struct args_option *test_recorder;

void harness_options(int argc, char **argv, uint64_t *seed, const struct args_option *rows)
{
    enum { MOST_ROWS = 20 };
    struct args_option all[MOST_ROWS + 2];
    unsigned count = 0;
    for (; rows[count].name && count < MOST_ROWS; count++)
        all[count] = rows[count];
    if (test_recorder)
        all[count++] = *test_recorder;
    all[count] = args_end();
    const struct args args = {
        .about = "A test: TAP on standard output, exit status 1 if a check fails.",
        .option = all,
        .seed = seed,
    };
    (void)args_read(&args, argc, argv);
    if (seed)
        tap_note("--seed %" PRIu64, *seed);
}

uint64_t test_seed(int argc, char **argv)
{
    uint64_t seed;
    harness_options(argc, argv, &seed, &(struct args_option){0});
    return seed;
}

void test_no_options(int argc, char **argv)
{
    harness_options(argc, argv, NULL, &(struct args_option){0});
}

/* ---- random numbers -------------------------------------------------------------------------- */

void rng_seed(struct rng *r, uint64_t seed)
{
    for (int i = 0; i < 4; i++)
        r->s[i] = splitmix64(&seed);
}

/* Uniform in (0, 1]. */
static double rng_unit(struct rng *r)
{
    return (double)((rng_next(r) >> 11) + 1) * 0x1p-53;
}

unsigned rng_bit(struct rng *r, uint64_t set)
{
    unsigned skip = rng_below(r, (unsigned)__builtin_popcountll(set));
    while (skip-- > 0)
        set &= set - 1;
    return (unsigned)__builtin_ctzll(set);
}

bool rng_chance(struct rng *r, double p)
{
    return rng_unit(r) <= p;
}

uint64_t rng_skip(struct rng *r, double p)
{
    if (p <= 0)
        return UINT64_MAX;
    if (p >= 1)
        return 0;
    const double skip = log(rng_unit(r)) / log1p(-p);
    return skip < 1e18 ? (uint64_t)skip : UINT64_MAX;
}

double unfairness(const uint64_t *share, unsigned n)
{
    double sum = 0, worst = 0;
    for (unsigned i = 0; i < n; i++)
        sum += (double)share[i];
    for (unsigned i = 0; i < n; i++) {
        const double off = (double)share[i] * n / sum - 1;
        worst = off > worst ? off : -off > worst ? -off : worst;
    }
    return worst;
}

/* ---- progress -------------------------------------------------------------------------------- */

double seconds_now(void)
{
    return progress_seconds();
}

static void progress_line(const struct progress *p, uint64_t done, double now)
{
    const double taken = now - p->started;
    fprintf(stderr,
            "%s%s: %" PRIu64 " of %" PRIu64 " (%.1f %%), %.0f s, %.3g/s, --seed %" PRIu64 "%s",
            progress_terminal() ? "\r" : "", p->what, done, p->total,
            p->total ? 100.0 * (double)done / (double)p->total : 100.0, taken,
            taken > 0 ? (double)done / taken : 0.0, p->seed, progress_terminal() ? "  " : "\n");
}

void progress_start(struct progress *p, const char *what, uint64_t total, uint64_t seed)
{
    *p = (struct progress){.what = what, .total = total, .seed = seed};
    p->started = p->shown = seconds_now();
}

void progress_show(struct progress *p, uint64_t done)
{
    const double now = seconds_now();
    if (progress_due(&p->shown, now))
        progress_line(p, done, now);
}

void progress_end(struct progress *p, uint64_t done)
{
    progress_line(p, done, seconds_now());
    if (progress_terminal())
        fputc('\n', stderr);
}

/* ---- reports --------------------------------------------------------------------------------- */

bool report_write(const char *path, cJSON *object)
{
    char *text = cJSON_Print(object);
    cJSON_Delete(object);
    const bool done = text && whole_write(path, text);
    free(text);
    if (!done)
        fprintf(stderr, "%s: cannot write the report: %s\n", path, strerror(errno));
    return done;
}

/* ---- checks of the native models ------------------------------------------------------------- */

/* The values of enum hls_check_kind in hls/hls.h, which C11 cannot include. */
enum check_kind { CHECK_ASSERT, CHECK_ASSUME, CHECK_COVER };

enum { MAX_COVERS = 256, MAX_PRINTED = 20 };

static struct {
    const char *text, *file;
    int line;
    uint64_t clock;
} covers[MAX_COVERS];
static unsigned cover_count;

void hls_checked(enum check_kind kind, const char *text, const char *file, int line);

void hls_checked(enum check_kind kind, const char *text, const char *file, int line)
{
    const uint64_t clock = harness_clock ? *harness_clock : 0;
    if (kind == CHECK_COVER) {
        if (cover_count < MAX_COVERS) {
            covers[cover_count].text = text;
            covers[cover_count].file = file;
            covers[cover_count].line = line;
            covers[cover_count++].clock = clock;
        }
        return;
    }
    if (check_failures++ < MAX_PRINTED)
        fprintf(stderr, "%s:%d: clock %" PRIu64 ": %s failed: %s\n", file, line, clock,
                kind == CHECK_ASSERT ? "assertion" : "assumption", text);
}

uint64_t harness_failures(void)
{
    return check_failures;
}

uint64_t harness_take_failures(void)
{
    const uint64_t failures = check_failures;
    check_failures = 0;
    return failures;
}

unsigned harness_covers(const char *file)
{
    unsigned hit = 0;
    for (unsigned i = 0; i < cover_count; i++) {
        if (strcmp(covers[i].file, file) != 0)
            continue;
        hit++;
        tap_note("cover %s:%d at clock %" PRIu64 ": %s", covers[i].file, covers[i].line,
                 covers[i].clock, covers[i].text);
    }
    return hit;
}
