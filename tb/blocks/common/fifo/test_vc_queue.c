// SPDX-License-Identifier: Apache-2.0
/*
 * test_vc_queue.c - vc_queue.inc, vc_credit.inc and vc_room: every instance against a plain model, and bits that
 * fall over in the memories of the queues.
 *
 * Built for routers: san. Recorded for column_buffer, column_credit, row_buffer, stage_queue.
 */
#include "tb/base/harness.h"
#include "router/output/column_buffer.h"
#include "router/cross/column_credit.h"
#include "router/cross/row_buffer.h"
#include "router/flit/rtr_ecc.h"
#include "router/input/stage_queue.h"
#include "router/input/vc_room.h"

#include <string.h>

enum { VCS = 1 << RTR_VC_BITS, MOST = 64 };

static uint64_t now;

/* ---- the three queues behind one face ---------------------------------------------------------- */

struct act {
    bool push, pop;
    unsigned push_vc, pop_vc;
    uint32_t control;
    rtr_code code;
};

struct seen {
    unsigned valid;
    uint32_t front[VCS];
    rtr_code code;
    bool uncorrectable, corrected, fatal;
    bool more;
    uint32_t behind;
};

struct kind {
    const char *name;
    unsigned depth, control_bits, word_bits;
    void (*reset)(void);
    struct seen (*step)(const struct act *act);
    void (*flip)(unsigned place, unsigned bit); /* of a control word */
    unsigned (*written)(unsigned vc);           /* where the next flit of this VC would go */
    unsigned (*enough)(
        void); /* VCs with a tail, by control bit 0, or five eighths full; NULL: it does not say */
};

#define PLANES(out, v, bits) planes((out)->front, v, bits)
#define ARRAY(out, v, bits)  ((void)(bits), (uint32_t)(out)->front[v])

static uint32_t planes(const row_buffer_vcs *front, unsigned v, unsigned bits)
{
    uint32_t control = 0;

    for (unsigned k = 0; k < bits; k++) {
        control |= (uint32_t)(front[k] >> v & 1) << k;
    }
    return control;
}

#define QUEUE(q, log2, bits, word, FRONT, ENOUGH)                                                  \
    static struct q q##_dut;                                                                       \
    static void q##_begin(void)                                                                    \
    {                                                                                              \
        q##_reset(&q##_dut);                                                                       \
    }                                                                                              \
    static struct seen q##_clock(const struct act *act)                                            \
    {                                                                                              \
        struct q##_in in = {                                                                       \
            .push = act->push,                                                                     \
            .push_vc = (rtr_vc)act->push_vc,                                                       \
            .push_control = (q##_control)act->control,                                             \
            .push_code = act->code,                                                                \
            .pop = act->pop,                                                                       \
            .pop_vc = (rtr_vc)act->pop_vc,                                                         \
        };                                                                                         \
        const struct q##_out *out = &q##_dut.out;                                                  \
        q(&q##_dut, &in);                                                                          \
        struct seen seen = {.valid = out->valid,                                                   \
                            .code = out->code,                                                     \
                            .uncorrectable = out->uncorrectable,                                   \
                            .more = out->more,                                                     \
                            .behind = out->behind,                                                 \
                            .corrected = out->corrected,                                           \
                            .fatal = out->fatal};                                                  \
        for (unsigned v = 0; v < VCS; v++) {                                                       \
            seen.front[v] = FRONT(out, v, bits);                                                   \
        }                                                                                          \
        return seen;                                                                               \
    }                                                                                              \
    static void q##_flip(unsigned place, unsigned bit)                                             \
    {                                                                                              \
        q##_dut.controls[place] ^= (uint(word))((uint(word))1 << bit);                             \
    }                                                                                              \
    static unsigned q##_written(unsigned vc)                                                       \
    {                                                                                              \
        bool empty = (q##_dut.out.valid >> vc & 1) == 0;                                           \
        return empty ? q##_dut.rd[vc] - 1u : q##_dut.wr[vc];                                       \
    }                                                                                              \
    static const struct kind q##_kind = {#q,        1 << (log2), bits,        word,  q##_begin,    \
                                         q##_clock, q##_flip,    q##_written, ENOUGH};

#define STAGE_WORD (STAGE_CONTROL + (STAGE_CONTROL <= 11 ? 5 : 6))

static unsigned enough_in_column(void);

QUEUE(stage_queue, RTR_STAGE_LOG2, STAGE_CONTROL, STAGE_WORD, ARRAY, NULL)
QUEUE(row_buffer, RTR_ROW_LOG2, 4, 8, PLANES, NULL)
QUEUE(column_buffer, RTR_COL_LOG2, 1, 4, PLANES, enough_in_column)

static unsigned enough_in_column(void)
{
    return column_buffer_dut.out.enough;
}

static const struct kind *const kinds[] = {&stage_queue_kind, &row_buffer_kind,
                                           &column_buffer_kind};

/* ---- the model -------------------------------------------------------------------------------- */

struct flit {
    uint32_t control;
    rtr_code code;
    unsigned flips; /* wrong bits in its control word */
};

struct model {
    const struct kind *kind;
    struct rng rng;
    struct flit flit[VCS][MOST];
    unsigned begin[VCS], count[VCS];
    bool inside[VCS]; /* its front is no head */
    struct misses wrong;
    uint64_t corrected, fatal, uncorrectable, full, popped;
    uint64_t due_corrected, due_fatal, due_uncorrectable;
    uint64_t doubtful; /* flits whose control word got a double-bit error */
    bool any;          /* since the reset one was popped: */
    rtr_code last;     /* its data */
};

static void model_start(struct model *m, const struct kind *kind, uint64_t seed)
{
    memset(m, 0, sizeof *m);
    m->kind = kind;
    rng_seed(&m->rng, seed);
    kind->reset();
}

static struct flit *front_of(struct model *m, unsigned v)
{
    return &m->flit[v][m->begin[v] % MOST];
}

/* What a pop must bring, and what the flit behind it must do when it becomes the front. */
static struct flit pop(struct model *m, unsigned v)
{
    struct flit flit = *front_of(m, v);

    m->begin[v]++;
    m->count[v]--;
    m->inside[v] = (flit.control & 1) == 0;
    m->popped++;
    m->due_uncorrectable += flit.flips == 2;
    if (m->count[v] != 0) {
        m->due_corrected += front_of(m, v)->flips == 1;
        m->due_fatal += front_of(m, v)->flips == 2;
    }
    return flit;
}

static void push(struct model *m, const struct act *act)
{
    unsigned v = act->push_vc;

    m->flit[v][(m->begin[v] + m->count[v]) % MOST] = (struct flit){act->control, act->code, 0};
    m->count[v]++;
    m->full += m->count[v] == m->kind->depth;
}

static bool has_tail(const struct model *m, unsigned v)
{
    bool tail = false;

    for (unsigned n = 0; n < m->count[v]; n++) {
        tail |= (m->flit[v][(m->begin[v] + n) % MOST].control & 1) != 0;
    }
    return tail;
}

/*
 * Whether this may be said of a VC whose front is a head. Flits are counted with one that comes and before one that goes, so
 * one less than five eighths is enough if it was reached so.
 */
static bool enough_right(const struct model *m, unsigned v, bool enough)
{
    const bool due = has_tail(m, v) || m->count[v] >= m->kind->depth * 5 / 8;

    if (m->count[v] == 0)
        return !enough;
    return m->inside[v] || enough == due || (enough && m->count[v] == m->kind->depth * 5 / 8 - 1);
}

static void compare(struct model *m, const struct seen *seen, const struct act *act,
                    const struct flit *flit)
{
    const struct flit *behind = front_of(m, act->pop_vc);
    bool popped = act->pop, more = popped && m->count[act->pop_vc] != 0;

    must_equal(&m->wrong, seen->more, more, "more behind the front");
    if (more && behind->flips < 2)
        must_equal(&m->wrong, seen->behind, behind->control, "control word behind the front");
    for (unsigned v = 0; v < VCS; v++) {
        bool valid = (seen->valid >> v & 1) != 0;

        must_equal(&m->wrong, valid, m->count[v] != 0, "VC %u: valid", (unsigned)v);
        if (m->kind->enough != NULL)
            must(&m->wrong, enough_right(m, v, m->kind->enough() >> v & 1),
                 "VC %u: enough is %u with %u flits, expected the other", (unsigned)v,
                 (unsigned)(m->kind->enough() >> v & 1), (unsigned)m->count[v]);
        if (valid && m->count[v] != 0 && front_of(m, v)->flips < 2)
            must_equal(&m->wrong, seen->front[v], front_of(m, v)->control,
                       "VC %u: control word at the front", (unsigned)v);
    }
    if (popped)
        must_equal(&m->wrong, seen->uncorrectable, flit->flips == 2, "uncorrectable, %u bits wrong",
                   flit->flips);
    m->any |= popped;
    m->last = popped ? flit->code : m->last;
    /* holds vc_queue.data: until the next pop */
    must(&m->wrong, !m->any || seen->code == m->last,
         "the code is not that of the flit popped last");
    m->uncorrectable += popped && seen->uncorrectable;
    m->corrected += seen->corrected;
    m->fatal += seen->fatal;
}

/* One clock; chances of a push and a pop. */
static void model_step(struct model *m, double push_chance, double pop_chance)
{
    struct act act = {
        .push_vc = rng_below(&m->rng, VCS),
        .pop_vc = rng_below(&m->rng, VCS),
        .control = (uint32_t)rng_next(&m->rng) & ((1u << m->kind->control_bits) - 1),
        .code = (rtr_code)rng_next(&m->rng),
    };
    struct flit flit = {0};

    act.push = rng_chance(&m->rng, push_chance) && m->count[act.push_vc] < m->kind->depth;
    act.pop = rng_chance(&m->rng, pop_chance) && m->count[act.pop_vc] != 0;
    if (act.pop) {
        flit = pop(m, act.pop_vc);
    }
    if (act.push) {
        push(m, &act);
    }
    struct seen seen = m->kind->step(&act);

    compare(m, &seen, &act, &flit);
    now++;
}

/* ---- tests ------------------------------------------------------------------------------------ */

static void test_order(const struct kind *kind, uint64_t seed)
{
    static const double loads[][2] = {{1, 0.2}, {0.2, 1}, {1, 1}, {0.7, 0.7}, {0.1, 0.1}};
    static struct model m;

    model_start(&m, kind, seed);
    for (unsigned n = 0; n < 200; n++) {
        const double *load = loads[n % 5];

        for (unsigned i = 0; i < 400; i++) {
            model_step(&m, load[0], load[1]);
        }
        if (n % 50 == 49) { /* a reset empties it wherever the pointers stand */
            kind->reset();
            memset(m.count, 0, sizeof m.count);
            memset(m.inside, 0, sizeof m.inside);
            m.any = false;
        }
    }
    must_at_least(&m.wrong, m.popped, 20000 + 1, "m.popped");
    tap_misses(&m.wrong, "%s: %llu flits, each VC in order, data and control", kind->name,
               (unsigned long long)m.popped);
    tap_ok(m.full > 100, "%s: full with %u flits per VC, %llu times", kind->name, kind->depth,
           (unsigned long long)m.full);
    tap_why("%llu corrected, %llu fatal, %llu uncorrectable", (unsigned long long)m.corrected,
            (unsigned long long)m.fatal, (unsigned long long)m.uncorrectable);
    tap_ok(m.corrected + m.fatal + m.uncorrectable == 0, "%s: no error where none was made",
           kind->name);
}

/* The newest flit of a VC, if it is not the front, gets wrong bits in its control word. */
static void corrupt(struct model *m, unsigned bits)
{
    unsigned v = rng_below(&m->rng, VCS), depth = m->kind->depth;

    if (m->count[v] < 2) {
        return;
    }
    struct flit *newest = &m->flit[v][(m->begin[v] + m->count[v] - 1) % MOST];
    unsigned place = v * depth + (m->kind->written(v) + depth - 1) % depth;
    unsigned first = rng_below(&m->rng, m->kind->word_bits);

    if (newest->flips != 0 || m->doubtful != m->due_uncorrectable) { /* one in doubt at a time */
        return;
    }
    m->kind->flip(place, first);
    if (bits == 2) {
        m->kind->flip(place, (first + 1 + rng_below(&m->rng, m->kind->word_bits - 1)) %
                                 m->kind->word_bits);
    }
    newest->flips = bits;
    m->doubtful += bits == 2;
}

static void test_errors(const struct kind *kind, uint64_t seed)
{
    static struct model m;

    model_start(&m, kind, seed);
    for (unsigned n = 0; n < 20000; n++) {
        model_step(&m, 0.8, 0.8);
        corrupt(&m, 1);
    }
    /* holds vc_queue.looked */
    must_at_least(&m.wrong, m.due_corrected, 1000 + 1, "m.due_corrected");
    must_equal(&m.wrong, m.corrected, m.due_corrected, "m.corrected");
    must_equal(&m.wrong, m.fatal, 0, "m.fatal");
    tap_misses(&m.wrong,
               "%s: a single-bit error of a control word is corrected and counted once, %llu times",
               kind->name, (unsigned long long)m.corrected);

    model_start(&m, kind, seed + 1);
    for (unsigned n = 0; n < 20000; n++) {
        model_step(&m, 0.8, 0.8);
        corrupt(&m, 2);
    }
    must_at_least(&m.wrong, m.due_fatal, 20 + 1, "m.due_fatal");
    must_equal(&m.wrong, m.fatal, m.due_fatal, "m.fatal");
    tap_misses(&m.wrong, "%s: a double-bit error is reported once, %llu times", kind->name,
               (unsigned long long)m.fatal);
    tap_why("%llu flits marked, expected %llu; %llu corrected, expected 0",
            (unsigned long long)m.uncorrectable, (unsigned long long)m.due_uncorrectable,
            (unsigned long long)m.corrected);
    tap_ok(m.uncorrectable == m.due_uncorrectable && m.corrected == 0,
           "%s: and mark that very flit", kind->name);
}

/* What credits forbid is noticed. */
static void test_rules(const struct kind *kind)
{
    struct act push_one = {.push = true}, pop_one = {.pop = true};

    kind->reset();
    for (unsigned n = 0; n < kind->depth; n++) {
        kind->step(&push_one);
    }
    uint64_t before = harness_take_failures();

    kind->step(&push_one);
    /* holds vc_queue.rules */
    tap_ok(before == 0 && harness_take_failures() == 1, "%s: a push into a full VC is noticed",
           kind->name);
    kind->reset();
    kind->step(&pop_one);
    tap_ok(harness_take_failures() == 1, "%s: a pop of an empty VC is noticed", kind->name);
}

/* What a module of vc_credit.inc says after a clock. */
struct accounts {
    unsigned spent, few, used;
};

#define CREDIT(c)                                                                                  \
    static struct c c##_dut;                                                                       \
    static void c##_begin(void)                                                                    \
    {                                                                                              \
        c##_reset(&c##_dut);                                                                       \
    }                                                                                              \
    static struct accounts c##_clock(struct vc_note taken, struct vc_note given)                   \
    {                                                                                              \
        c(&c##_dut, &(struct c##_in){taken, given});                                               \
        return (struct accounts){c##_dut.out.spent, c##_dut.out.few, c##_dut.out.used};            \
    }

CREDIT(column_credit)

/* Credits against one counter per VC; resets under way leave the counts in memory as they are. */
static void test_credit(const char *name, void (*reset)(void),
                        struct accounts (*clock)(struct vc_note taken, struct vc_note given),
                        unsigned kept, unsigned few, uint64_t seed)
{
    struct rng rng;
    unsigned out[VCS] = {0}, most = 1 << RTR_COL_LOG2;
    struct misses wrong = {0};
    uint64_t spent = 0, emptied = 0;

    rng_seed(&rng, seed);
    reset();
    for (unsigned n = 0; n < 100000; n++) {
        unsigned t = rng_below(&rng, VCS), g = rng_below(&rng, VCS);
        double takes = n / 1000 % 2 ? 0.9 : 0.5;

        if (n % 20000 == 10300) {
            memset(out, 0, sizeof out);
            reset();
        }
        const struct vc_note taken = {out[t] < most && rng_chance(&rng, takes), (rtr_vc)t};
        const struct vc_note given = {out[g] != 0 && rng_chance(&rng, 1.4 - takes), (rtr_vc)g};
        const struct accounts now_is = clock(taken, given);

        out[t] += taken.valid;
        out[g] -= given.valid;
        if (taken.valid)
            must_equal(&wrong, now_is.spent, out[t] + (given.valid && g == t) + kept >= most,
                       "VC %u, %u of %u taken: spent", t, out[t], most);
        for (unsigned v = 0; v < VCS; v++) {
            must_equal(&wrong, now_is.few >> v & 1, out[v] + few >= most,
                       "VC %u, %u of %u taken: few", v, out[v], most);
            /* holds vc_credit.masks */
            must_equal(&wrong, now_is.used >> v & 1, out[v] != 0, "VC %u, %u of %u taken: used", v,
                       out[v], most);
        }
        spent += out[t] == most;
        emptied += out[g] == 0 && given.valid;
        now++;
    }
    must_at_least(&wrong, spent, 1000, "times that a VC had spent all");
    must_at_least(&wrong, emptied, 1000, "times that a VC got its last back");
    tap_misses(&wrong, "%s: %u per VC, none lost, none made", name, most);
}

/* Every place of the smaller of both buffers but one in reserve, from a reset that finds accounts of before. */
static void test_room(uint64_t seed)
{
    enum { LEAST = RTR_STAGE_LOG2 < RTR_ROW_LOG2 ? RTR_STAGE_LOG2 : RTR_ROW_LOG2 };
    static struct vc_room dut;
    struct rng rng;
    unsigned out[VCS] = {0}, most = 1 << LEAST;
    struct misses wrong = {0};
    uint64_t full = 0;

    rng_seed(&rng, seed);
    for (unsigned n = 0; n < 100000; n++) {
        unsigned s = rng_below(&rng, RTR_VCS), g = rng_below(&rng, RTR_VCS);
        double sends = n / 1000 % 2 ? 0.9 : 0.5;

        if (n % 20000 == 0) {
            memset(out, 0, sizeof out);
            vc_room_reset(&dut);
            for (unsigned v = 0; v < RTR_VCS; v++) {
                vc_room(&dut, &(struct vc_room_in){.wipe = 1, .sent_vc = (rtr_vc)v});
            }
        }
        struct vc_room_in in = {
            .sent = out[s] < most && rng_chance(&rng, sends),
            .sent_vc = (rtr_vc)s,
            .freed = {.valid = out[g] != 0 && rng_chance(&rng, 1.4 - sends), .vc = (rtr_vc)g},
        };

        vc_room(&dut, &in);
        out[s] += in.sent;
        out[g] -= in.freed.valid;
        for (unsigned v = 0; v < RTR_VCS; v++) {
            must_equal(&wrong, dut.out.room >> v & 1, out[v] + 1 < most,
                       "VC %u, %u of %u taken: room", v, out[v], most);
        }
        full += out[s] == most;
        now++;
    }
    /* holds store.staging */
    must_at_least(&wrong, full, 1000, "times that a VC was full");
    tap_misses(&wrong, "vc_room: %u per VC, none lost, none made", most);
}

int main(int argc, char **argv)
{
    uint64_t seed = test_seed(argc, argv);

    harness_clock = &now;
    for (unsigned k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        test_order(kinds[k], seed);
        test_errors(kinds[k], seed);
        test_rules(kinds[k]);
    }
    test_credit("column_credit", column_credit_begin, column_credit_clock, COLUMN_CREDIT_KEPT,
                COLUMN_CREDIT_FEW, seed);
    test_room(seed);
    return tap_done();
}
