// SPDX-License-Identifier: Apache-2.0
/*
 * harness.h - what every test program needs: TAP lines, options, a seed, random numbers, a progress line,
 * reports. Plain C11 so that programs with and without hls/ (C23) can include it.
 */
#ifndef TB_HARNESS_H
#define TB_HARNESS_H

#include <stdbool.h>
#include <stdint.h>

#include <cjson/cJSON.h>

#include "sim/base/args.h"

/* ---- TAP: one line per check, exit status 0 only if all passed ------------------------------- */

/*
 * tap_ok(pass, name, ...): "ok N - name" or "not ok N - name"; name is a printf format. A failure without a reason (tap_why) is
 * followed by file, line and text of the condition. Returns pass.
 */
#define tap_ok(pass, ...) tap_ok_at(pass, #pass, __FILE__, __LINE__, __VA_ARGS__)
bool tap_ok_at(bool pass, const char *condition, const char *file, int line, const char *name, ...)
    __attribute__((format(printf, 5, 6)));

/* Reason of the next tap_ok, printed after # if that one fails; the last reason counts. */
void tap_why(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * What a check that is made again and again has missed: how often, and clock and text of the first miss. All zeros: none.
 * The text says which (tag, entry, address), what was seen, what was expected.
 */
struct misses {
    uint64_t count, clock;
    char first[360];
};

/* "ok N - name" if there is none, else "not ok N - name # clock C: text (first of COUNT)". Returns whether there is none. */
bool tap_misses(const struct misses *m, const char *name, ...)
    __attribute__((format(printf, 2, 3)));

/* The same text as the reason of the next tap_ok, if there is a miss. Returns whether there is none. */
bool misses_why(const struct misses *m);

/* One more; always false. */
bool miss(struct misses *m, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same of a value: "text: SEEN, expected EXPECTED bound"; both in hex too where that is longer than a digit. */
bool miss_value(struct misses *m, uint64_t seen, uint64_t expected, const char *bound,
                const char *format, ...) __attribute__((format(printf, 5, 6)));

/*
 * A miss unless the condition holds, or one value is equal to another, at most it, at least it. True without a miss. The text
 * and what it prints are evaluated in a miss only; the two values once, as 64 bits without a sign.
 */
#define must(m, holds, ...) ((holds) || miss(m, __VA_ARGS__))
#define must_compare(m, seen, op, wanted, which, ...)                                              \
    __extension__({                                                                                \
        const uint64_t miss_seen = (uint64_t)(seen), miss_wanted = (uint64_t)(wanted);             \
        miss_seen op miss_wanted || miss_value(m, miss_seen, miss_wanted, which, __VA_ARGS__);     \
    })
#define must_equal(m, seen, expected, ...) must_compare(m, seen, ==, expected, "", __VA_ARGS__)
#define must_at_most(m, seen, bound, ...)  must_compare(m, seen, <=, bound, " at most", __VA_ARGS__)
#define must_at_least(m, seen, bound, ...)                                                         \
    must_compare(m, seen, >=, bound, " at least", __VA_ARGS__)

/* The same of a condition or value that its text says. */
#define must_hold(m, holds)        must(m, holds, "%s is false", #holds)
#define must_be(m, seen, expected) must_equal(m, seen, expected, "%s", #seen)

/* As tap_misses, and *m has none behind it: for checks one after the other. */
#define tap_taken(m, ...) ((void)tap_misses(m, __VA_ARGS__), *(m) = (struct misses){0})

/* Checks of one value: "not ok N - name # clock C: TEXT OF IT: SEEN, expected BOUND at most". Values as those of must_equal. */
#define tap_compare(seen, op, wanted, which, ...)                                                  \
    __extension__({                                                                                \
        struct misses tap_once = {0};                                                              \
        must_compare(&tap_once, seen, op, wanted, which, "%s", #seen);                             \
        tap_misses(&tap_once, __VA_ARGS__);                                                        \
    })
#define tap_equal(seen, expected, ...) tap_compare(seen, ==, expected, "", __VA_ARGS__)
#define tap_at_most(seen, bound, ...)  tap_compare(seen, <=, bound, " at most", __VA_ARGS__)
#define tap_at_least(seen, bound, ...) tap_compare(seen, >=, bound, " at least", __VA_ARGS__)

/* The misses of one run to those of all; the first of all stays the first. */
void misses_add(struct misses *all, const struct misses *one);

/* "# ..." */
void tap_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * With hls/ models (harness_clock set) a last check that no hls_assert or hls_assume failed, then
 * "1..N". The value is main's exit status.
 */
int tap_done(void);

/* ---- options and seed ------------------------------------------------------------------------ */

/*
 * test_options(argc, argv, seed, row, ...): reads the command line of a test, whose options are these rows of args.h, --help, and
 * --seed N if seed is not NULL: else SEED of the environment, else 1. The seed is printed, so that a run can be repeated. What is
 * no option or no value of it ends the program with one line.
 */
#define test_options(argc, argv, seed, ...)                                                        \
    harness_options(argc, argv, seed, (const struct args_option[]){__VA_ARGS__, args_end()})
void harness_options(int argc, char **argv, uint64_t *seed, const struct args_option *rows);

/* The seed of a test without other options. */
uint64_t test_seed(int argc, char **argv);

/* Of a test that draws no number and has no option but --help. */
void test_no_options(int argc, char **argv);

/* One row more, where the program keeps a record of what modules get as input; NULL elsewhere. */
extern const struct args_option *test_recorder;

/* ---- random numbers -------------------------------------------------------------------------- */

/* xoshiro256** (Blackman and Vigna, public domain), seeded through splitmix64. */
struct rng {
    uint64_t s[4];
};

void rng_seed(struct rng *r, uint64_t seed);

static inline uint64_t rng_next(struct rng *r)
{
    uint64_t *s = r->s;
    const uint64_t x5 = s[1] * 5;
    const uint64_t result = (x5 << 7 | x5 >> 57) * 9;
    const uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = s[3] << 45 | s[3] >> 19;
    return result;
}

/* 0 to n-1, n below 2^32; the bias is below n / 2^64. */
static inline uint32_t rng_below(struct rng *r, uint32_t n)
{
    return (uint32_t)(((__uint128_t)rng_next(r) * n) >> 64);
}

/* The number of one of the bits that are set; set is not 0. */
unsigned rng_bit(struct rng *r, uint64_t set);

/* True with probability p. */
bool rng_chance(struct rng *r, double p);

/*
 * How many trials of probability p fail before the next success: geometric, so that rare events
 * cost nothing until they happen. UINT64_MAX when p is 0.
 */
uint64_t rng_skip(struct rng *r, double p);

/* Largest deviation of one of n shares from their mean, relative to it. */
double unfairness(const uint64_t *share, unsigned n);

/* ---- progress: a line on standard error, at most one per second ------------------------------ */

struct progress {
    const char *what;
    uint64_t total;
    double started, shown;
    uint64_t seed;
};

double seconds_now(void);
void progress_start(struct progress *p, const char *what, uint64_t total, uint64_t seed);
void progress_show(struct progress *p, uint64_t done);
void progress_end(struct progress *p, uint64_t done);

/* ---- reports --------------------------------------------------------------------------------- */

/*
 * Writes the object as JSON, as sim/base/whole.h writes files. Frees the object. On failure prints one line and
 * returns false.
 */
bool report_write(const char *path, cJSON *object);

/* ---- hls_assert, hls_assume, hls_cover of the native models ---------------------------------- */

/* Where the clock stands, for the message of a failed assertion; the bench points it there. */
extern const uint64_t *harness_clock;

/* Failed assertions and assumptions so far, and the same with the count going back to zero. */
uint64_t harness_failures(void);
uint64_t harness_take_failures(void);

/* Prints every cover of a source file ("hls/link/micropacket/lcb_tx.c") that was hit, and returns how many. */
unsigned harness_covers(const char *file);

#endif
