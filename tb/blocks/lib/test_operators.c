// SPDX-License-Identifier: Apache-2.0
/*
 * test_operators.c - the slow operators of hls/lib against C's own, in time and value.
 *
 * What must hold, from the heads of div.inc, sqrt.inc and mul.inc: an answer is right from done on and stays until the next go; busy lasts as many clocks
 * as the page says, done one; a go while busy starts anew and the operation before gives no done; a reset at any time
 * ends it without one.
 *
 * Built for aries: san.
 */
#include "tb/base/harness.h"
#include "hls/lib/units.h"

/* ---- units behind one interface ---------------------------------------------------------------------- */

struct ask {
    bool go;
    int64_t a, b;
};

struct seen {
    bool busy, done;
    int64_t x, y;
};

struct unit {
    const char *name;
    unsigned bits, clocks;
    bool is_signed;
    void (*reset)(void);
    struct seen (*clock)(struct ask ask);
    /* The answer, true if the contract has one. */
    bool (*golden)(const struct unit *u, int64_t a, int64_t b, int64_t *x, int64_t *y);
};

static uint64_t now;

#define DIVIDER(M)                                                                                 \
    static struct M M##_dut;                                                                       \
    static void M##_again(void)                                                                    \
    {                                                                                              \
        M##_reset(&M##_dut);                                                                       \
    }                                                                                              \
    static struct seen M##_clock(struct ask ask)                                                   \
    {                                                                                              \
        const struct M##_in in = {.go = ask.go, .n = (M##_number)ask.a, .d = (M##_number)ask.b};   \
        M(&M##_dut, &in);                                                                          \
        now++;                                                                                     \
        return (struct seen){M##_dut.out.busy, M##_dut.out.done, (int64_t)M##_dut.out.quotient,    \
                             (int64_t)M##_dut.out.remainder};                                      \
    }                                                                                              \
    static_assert(true)

#define OTHER(M, SET_A, SET_B, X, Y)                                                               \
    static struct M M##_dut;                                                                       \
    static void M##_again(void)                                                                    \
    {                                                                                              \
        M##_reset(&M##_dut);                                                                       \
    }                                                                                              \
    static struct seen M##_clock(struct ask ask)                                                   \
    {                                                                                              \
        struct M##_in in = {.go = ask.go};                                                         \
        SET_A;                                                                                     \
        SET_B;                                                                                     \
        M(&M##_dut, &in);                                                                          \
        now++;                                                                                     \
        return (struct seen){M##_dut.out.busy, M##_dut.out.done, (int64_t)M##_dut.out.X,           \
                             (int64_t)(Y)};                                                        \
    }                                                                                              \
    static_assert(true)

DIVIDER(div8);
DIVIDER(div32);
DIVIDER(div8_radix4);
DIVIDER(div8_signed);
OTHER(sqrt16, in.n = (u16)ask.a, , root, sqrt16_dut.out.rest);
OTHER(sqrt32, in.n = (u32)ask.a, , root, sqrt32_dut.out.rest);
OTHER(mul8, in.a = (u8)ask.a, in.b = (u8)ask.b, product, 0);
OTHER(mul32, in.a = (u32)ask.a, in.b = (u32)ask.b, product, 0);

/* ---- golden models: C's operators on 64 bits, and a count of clocks ---------------------------------- */

static bool quotient_of(const struct unit *u, int64_t a, int64_t b, int64_t *x, int64_t *y)
{
    const int64_t least = -((int64_t)1 << (u->bits - 1));
    *x = *y = 0;
    if (b == 0 || (u->is_signed && a == least && b == -1))
        return false;
    *x = a / b;
    *y = a % b;
    return true;
}

/* By halving what the root may be. */
static bool root_of(const struct unit *u, int64_t a, int64_t b, int64_t *x, int64_t *y)
{
    int64_t from = 0, below = (int64_t)1 << u->bits / 2;
    (void)b;
    while (below - from > 1) {
        const int64_t middle = (from + below) / 2;
        *(middle * middle <= a ? &from : &below) = middle;
    }
    *x = from;
    *y = a - from * from;
    return true;
}

static bool product_of(const struct unit *u, int64_t a, int64_t b, int64_t *x, int64_t *y)
{
    (void)u;
    *x = (int64_t)((uint64_t)a * (uint64_t)b);
    *y = 0;
    return true;
}

static const struct unit units[] = {
    {"div8", 8, 8, false, div8_again, div8_clock, quotient_of},
    {"div32", 32, 32, false, div32_again, div32_clock, quotient_of},
    {"div8_radix4", 8, 4, false, div8_radix4_again, div8_radix4_clock, quotient_of},
    {"div8_signed", 8, 9, true, div8_signed_again, div8_signed_clock, quotient_of},
    {"sqrt16", 16, 8, false, sqrt16_again, sqrt16_clock, root_of},
    {"sqrt32", 32, 16, false, sqrt32_again, sqrt32_clock, root_of},
    {"mul8", 8, 8, false, mul8_again, mul8_clock, product_of},
    {"mul32", 32, 32, false, mul32_again, mul32_clock, product_of},
};
enum { UNITS = sizeof units / sizeof *units };

struct golden {
    unsigned left;    /* clocks until done, 0 if nothing runs */
    bool done, known; /* known: an answer is there */
    int64_t x, y;
};

static void golden_clock(struct golden *g, const struct unit *u, struct ask ask)
{
    g->done = !ask.go && g->left == 1;
    g->known |= g->done;
    g->left -= g->left != 0;
    if (ask.go) {
        g->known = false;
        g->left = u->clocks;
        u->golden(u, ask.a, ask.b, &g->x, &g->y);
    }
}

/* ---- bench ------------------------------------------------------------------------------------------- */

/* One clock of a unit and its golden model. */
static void clock_both(const struct unit *u, struct golden *g, struct ask ask, struct misses *m)
{
    const struct seen s = u->clock(ask);
    golden_clock(g, u, ask);
    must(m, s.busy == (g->left != 0) && s.done == g->done,
         "%s: busy %d, done %d with %u clocks left", u->name, s.busy, s.done, g->left);
    if (g->known)
        must(m, s.x == g->x && s.y == g->y, "%s: %lld and %lld, expected %lld and %lld", u->name,
             (long long)s.x, (long long)s.y, (long long)g->x, (long long)g->y);
}

static void reset_both(const struct unit *u, struct golden *g)
{
    u->reset();
    *g = (struct golden){};
}

/* An operand: any, small, near the ends. */
static int64_t operand(const struct unit *u, struct rng *r)
{
    const uint64_t mask = ((uint64_t)1 << u->bits) - 1;
    uint64_t x = rng_next(r);
    switch (rng_below(r, 4)) {
    case 0:
        x >>= 64 - 1 - rng_below(r, u->bits);
        break;
    case 1:
        x = (uint64_t)0 - rng_below(r, 4);
        break;
    case 2:
        x = ((uint64_t)1 << rng_below(r, u->bits)) - rng_below(r, 2);
        break;
    default:
        break;
    }
    x &= mask;
    return u->is_signed ? (int64_t)(x << (64 - u->bits)) >> (64 - u->bits) : (int64_t)x;
}

/* A go within the contract. */
static struct ask some_go(const struct unit *u, struct rng *r)
{
    struct ask ask = {.go = true};
    int64_t x, y;
    do {
        ask.a = operand(u, r);
        ask.b = operand(u, r);
    } while (!u->golden(u, ask.a, ask.b, &x, &y));
    return ask;
}

/* What comes between: operands that are not to be looked at. */
static struct ask some_rest(const struct unit *u, struct rng *r)
{
    return (struct ask){.a = operand(u, r), .b = operand(u, r)};
}

/* ---- tests ------------------------------------------------------------------------------------------- */

/* Every pair of operands of a unit of 8 bits; of one of 16 that takes one operand, all of these. */
static void all_pairs(const struct unit *u, int64_t numbers)
{
    const int64_t least = u->is_signed ? -numbers / 2 : 0, others = numbers == 256 ? numbers : 1;
    unsigned wrong = 0, pairs = 0;
    u->reset();
    for (int64_t a = least; a < least + numbers; a++)
        for (int64_t b = least; b < least + others; b++) {
            struct seen s = {0};
            int64_t x, y;
            if (!u->golden(u, a, b, &x, &y))
                continue;
            u->clock((struct ask){true, a, b});
            for (unsigned i = 0; i < u->clocks; i++)
                s = u->clock((struct ask){0});
            wrong += !s.done || s.x != x || s.y != y;
            pairs++;
        }
    tap_why("%u of %u wrong", wrong, pairs);
    tap_ok(wrong == 0 && pairs > 65000, "%s: all %u operands", u->name, pairs);
}

/* A go, and a reset, in each clock of an operation and in the two behind it. */
static void interrupted(const struct unit *u, struct rng *r)
{
    struct misses m = {0};
    struct golden g;
    for (unsigned at = 0; at <= u->clocks + 2; at++)
        for (unsigned resets = 0; resets < 2; resets++) {
            reset_both(u, &g);
            clock_both(u, &g, some_go(u, r), &m);
            for (unsigned i = 0; i < at; i++)
                clock_both(u, &g, some_rest(u, r), &m);
            if (resets)
                reset_both(u, &g);
            else
                clock_both(u, &g, some_go(u, r), &m);
            for (unsigned i = 0; i < 2 * u->clocks + 2; i++)
                clock_both(u, &g, some_rest(u, r), &m);
        }
    tap_misses(&m, "%s: a go, and a reset, in each clock of an operation", u->name);
}

/* Goes that mostly wait for done, some that do not, and resets. */
static void random_run(const struct unit *u, struct rng *r)
{
    enum { CLOCKS = 300000 };
    struct misses m = {0};
    struct golden g;
    unsigned answers = 0;
    reset_both(u, &g);
    for (unsigned i = 0; i < CLOCKS; i++) {
        const bool go = rng_below(r, g.left != 0 ? 8 * u->clocks : 3) == 0;
        clock_both(u, &g, go ? some_go(u, r) : some_rest(u, r), &m);
        answers += g.done;
        if (rng_below(r, 5000) == 0)
            reset_both(u, &g);
    }
    if (answers < CLOCKS / (4 * u->clocks))
        miss(&m, "%s: %u answers are too few to say anything", u->name, answers);
    tap_misses(&m, "%s: random operations, %d clocks", u->name, CLOCKS);
}

/* Outside of the contract an answer comes all the same, and the assumption names it. */
static void outside(const struct unit *u, const char *what, int64_t a, int64_t b, int64_t x)
{
    struct seen s = {0};
    bool early = false;
    u->reset();
    u->clock((struct ask){true, a, b});
    for (unsigned i = 0; i < u->clocks; i++) {
        early |= s.done;
        s = u->clock((struct ask){0});
    }
    tap_why("%lld and %lld", (long long)s.x, (long long)s.y);
    tap_ok(harness_take_failures() == 1 && s.done && !early && s.x == x && s.y == 0,
           "%s: %s is reported, and answers in as many clocks", u->name, what);
}

int main(int argc, char **argv)
{
    struct rng r;
    rng_seed(&r, test_seed(argc, argv));
    harness_clock = &now;
    for (const struct unit *u = units; u < units + UNITS; u++) {
        if (u->bits == 8)
            all_pairs(u, 256);
        if (u->bits == 16 && u->golden == root_of)
            all_pairs(u, 65536);
        interrupted(u, &r);
        random_run(u, &r);
        if (u->golden == quotient_of)
            outside(u, "a divisor of zero", 77, 0, 0);
        if (u->is_signed)
            outside(u, "the least number by -1", -128, -1, -128);
    }
    return tap_done();
}
