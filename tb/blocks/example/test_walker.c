// SPDX-License-Identifier: Apache-2.0
/*
 * test_walker.c - walker against a golden model of its own, clock by clock.
 *
 * The table is a function of its version: what an entry holds is drawn from version, frame and index, so it has no end. The golden
 * model knows which read each word belongs to and never looks at tags.
 *
 * Built for aries: san. Recorded for walker.
 */
#include <string.h>

#include "hls/example/walker.h"
#include "tb/base/harness.h"

enum { LEVELS = 4, LATE = 5000, UNTIL_TIMEOUT = 4096, MOST_READS = 16 };

/* ---- the table -------------------------------------------------------------------------------------- */

static uint64_t mixed(uint64_t x)
{
    x = (x ^ x >> 31) * 0x9e3779b97f4a7c15;
    x = (x ^ x >> 29) * 0xbf58476d1ce4e5b9;
    return x ^ x >> 32;
}

/* Of all entries 1 of 16 is absent, 1 of 8 a last one, 1 of 4 not writable. */
static uint64_t entry_of(uint64_t version, uint64_t frame, unsigned index)
{
    const uint64_t x = mixed(mixed(version << 36 | frame) + index), draw = mixed(x);
    const uint64_t absent = draw % 16 == 0, last = draw / 16 % 8 == 0, fixed = draw / 128 % 4 == 0;
    return (x & ~UINT64_C(0x83)) | !absent | !fixed << 1 | last << 7;
}

/* ---- bench ------------------------------------------------------------------------------------------- */

/* A read that the walker has offered. */
struct read {
    uint64_t number, frame, entry;
    uint64_t due; /* in this clock or later memory answers it */
    unsigned index, tag;
    bool taken, error;
    bool early; /* memory looks at the table when it takes the read, else when it answers */
};

struct golden {
    bool busy;    /* from a request to the clock in which its answer is taken */
    bool begun;   /* a read of the walk was offered */
    bool answers; /* the answer is offered */
    bool writable;
    unsigned depth;
    uint64_t page, began, offered, read, frame;
    struct walker_answer answer;
};

static struct walker dut;
static struct walker_in in;
static struct golden golden;
static struct misses wrong;
static struct read way[MOST_READS]; /* offered and not answered, oldest first */
static unsigned n_way;
static uint64_t now, version, changed, reads;
static uint64_t ended[4], begun_anew, late, asked_with_timeout, taken_with_timeout;

static uint64_t root_of(uint64_t of)
{
    return mixed(of) >> 28;
}

static void reset(void)
{
    walker_reset(&dut);
    in = (struct walker_in){.root = (u36)root_of(version)};
    golden = (struct golden){0};
    n_way = 0;
    now++;
}

static void change(void)
{
    version++;
    changed = now;
    in.root = (u36)root_of(version);
    in.invalidate = 1;
}

static void request(uint64_t page)
{
    in.request.tvalid = 1;
    for (unsigned level = 0; level < LEVELS; level++)
        in.request.page.index[level] = (u9)(page >> 9 * level);
}

/* ---- golden model ------------------------------------------------------------------------------------- */

static void offers(uint64_t frame)
{
    const struct walker_read *seen = &dut.out.read;
    const unsigned index = (unsigned)(golden.page >> 9 * (LEVELS - 1 - golden.depth)) % 512;
    golden.frame = frame;
    golden.offered = now;
    golden.read = ++reads;
    must(&wrong, seen->tvalid, "no read of table %llx", (unsigned long long)frame);
    must_equal(&wrong, seen->table, frame, "table");
    must_equal(&wrong, seen->index, index, "index");
    if (must(&wrong, n_way < MOST_READS, "too many reads under way"))
        way[n_way++] =
            (struct read){.number = reads, .frame = frame, .index = index, .tag = seen->tag};
}

static void begins(void)
{
    golden.begun = golden.writable = true;
    golden.began = now;
    golden.depth = 0;
    offers(root_of(version));
}

static void answers(enum walker_status status)
{
    const struct walker_answer *seen = &dut.out.answer;
    golden.answers = true;
    golden.answer = *seen;
    ended[status]++;
    must_equal(&wrong, seen->status, status, "status");
    if (status != WALKER_FOUND)
        return;
    must_equal(&wrong, seen->frame, golden.frame, "frame");
    must_equal(&wrong, seen->level, LEVELS - 1 - golden.depth, "level");
    must_equal(&wrong, seen->writable, golden.writable, "writable");
}

/* The word of the current read has come: nothing has changed since the walk began, or it begins again. */
static void steps(const struct read *r)
{
    const uint64_t entry = entry_of(version, golden.frame, r->index);
    if (changed > golden.began) {
        begun_anew++;
        begins();
        return;
    }
    if (r->error) {
        answers(WALKER_ERROR);
        return;
    }
    golden.writable &= entry >> 1 & 1;
    golden.frame = entry << 16 >> 28;
    if (!(entry & 1))
        answers(WALKER_ABSENT);
    else if (entry & 0x80 || golden.depth == LEVELS - 1)
        answers(WALKER_FOUND);
    else {
        golden.depth++;
        offers(golden.frame);
    }
}

/* What is offered and not taken stays as it is, and nothing else is offered. */
static void stays(const struct walker_out *before, bool held)
{
    const struct walker_answer *a = &dut.out.answer, *b = &golden.answer;
    must_equal(&wrong, dut.out.request_tready, !golden.busy, "ready for a request");
    must_equal(&wrong, a->tvalid, golden.answers, "answer");
    if (golden.answers)
        must(&wrong,
             a->status == b->status && a->frame == b->frame && a->level == b->level &&
                 a->writable == b->writable,
             "an answer changes");
    must_equal(&wrong, dut.out.read.tvalid, held || golden.offered == now, "read");
    if (held)
        must(&wrong,
             dut.out.read.tag == before->read.tag && dut.out.read.table == before->read.table &&
                 dut.out.read.index == before->read.index,
             "a read changes");
}

static void golden_clock(const struct walker_out *before, const struct read *word)
{
    const bool held = before->read.tvalid && !in.read_tready;
    const bool walks = golden.begun && !golden.answers;
    const bool timeout = walks && now - golden.offered == UNTIL_TIMEOUT;
    const bool current = walks && word && word->number == golden.read;
    late += word && !current;
    asked_with_timeout += timeout && !current && in.request.tvalid;
    taken_with_timeout += timeout && !current && before->read.tvalid && in.read_tready;
    if (golden.answers && in.answer_tready) {
        golden = (struct golden){0};
    } else if (!golden.busy && in.request.tvalid) {
        golden.busy = true;
        for (unsigned level = 0; level < LEVELS; level++)
            golden.page |= (uint64_t)in.request.page.index[level] << 9 * level;
    }
    if (golden.busy && !golden.begun && !held)
        begins();
    else if (current)
        steps(word);
    else if (timeout)
        answers(WALKER_TIMEOUT);
    stays(before, held);
}

/* ---- memory and user -------------------------------------------------------------------------------- */

/* One of so many clocks or reads; 0: none. */
struct habits {
    unsigned request, answer_ready, read_ready, change, error;
    unsigned slow;   /* takes up to 5,000 clocks, others up to 8 */
    unsigned lost;   /* never answered */
    unsigned clocks; /* that each read takes, if not 0 */
};

static bool one_of(struct rng *r, unsigned many)
{
    return many > 0 && rng_below(r, many) == 0;
}

static void take(struct rng *r, const struct habits *h)
{
    struct read *last = &way[n_way - 1]; /* the one that is offered */
    const unsigned most = one_of(r, h->slow) ? LATE : 8;
    last->taken = true;
    last->due = now + (h->clocks ? h->clocks : 1 + rng_below(r, most));
    last->error = one_of(r, h->error);
    last->early = rng_below(r, 2);
    last->entry = entry_of(version, last->frame, last->index);
    n_way -= one_of(r, h->lost);
}

/* The read that is answered in this clock: its number in `way`, n_way if there is none. */
static unsigned due(void)
{
    unsigned i = 0;
    while (i < n_way && !(way[i].taken && way[i].due <= now))
        i++;
    return i;
}

static void clock(struct rng *r, const struct habits *h)
{
    const struct walker_out before = dut.out;
    if (!in.request.tvalid && one_of(r, h->request))
        request(rng_next(r) >> 28);
    if (one_of(r, h->change))
        change();
    in.answer_tready = one_of(r, h->answer_ready);
    in.read_tready = one_of(r, h->read_ready);
    if (before.read.tvalid && in.read_tready && n_way > 0)
        take(r, h);
    const unsigned i = due();
    const bool comes = i < n_way;
    const struct read word = comes ? way[i] : (struct read){0};
    in.word = (struct walker_word){comes, (u2)word.tag, word.error, word.entry};
    if (comes && !word.early)
        in.word.entry = entry_of(version, word.frame, word.index);
    walker(&dut, &in);
    golden_clock(&before, comes ? &word : NULL);
    for (unsigned k = i; comes && k + 1 < n_way; k++)
        way[k] = way[k + 1];
    n_way -= comes && i < n_way;
    in.request.tvalid &= !before.request_tready;
    in.invalidate = 0;
    now++;
}

/* Clocks until an answer is offered, at most so many. */
static unsigned until_answer(struct rng *r, const struct habits *h, unsigned most)
{
    unsigned clocks = 0;
    while (!dut.out.answer.tvalid && clocks < most) {
        clock(r, h);
        clocks++;
    }
    return clocks;
}

/* ---- tests ------------------------------------------------------------------------------------------- */

/* The clocks of a walk whose reads all take `clocks`, and of the one behind it, which asks while the first one walks. */
static void at_the_limit(struct rng *r, unsigned clocks, bool timeout)
{
    const struct habits h = {.read_ready = 1, .clocks = clocks},
                        quick = {.read_ready = 1, .clocks = 1};
    const uint64_t before = ended[WALKER_TIMEOUT], was_late = late, was_asked = asked_with_timeout;
    reset();
    request(rng_next(r) >> 28);
    clock(r, &h);
    request(rng_next(r) >> 28);
    const unsigned took = until_answer(r, &h, 4 * LATE);
    in.answer_tready = 1;
    clock(r, &(struct habits){.read_ready = 1, .answer_ready = 1});
    const unsigned next = until_answer(r, &quick, 100);
    for (unsigned i = 0; i < LATE - UNTIL_TIMEOUT + 10; i++)
        clock(r, &quick);
    tap_why("%u clocks, then %u", took, next);
    tap_ok((timeout ? took == UNTIL_TIMEOUT
                    : took % (clocks + 1) == 0 && took / (clocks + 1) <= LEVELS) &&
               next <= 2 + 2 * LEVELS && ended[WALKER_TIMEOUT] - before == timeout &&
               late - was_late == timeout && asked_with_timeout - was_asked == timeout,
           "words after %u clocks: %s; the request that waits is answered", clocks,
           timeout ? "a timeout, and one that is late" : "an answer");
}

/* Memory takes a read for the first time so many clocks after it was offered. */
static void taken_late(struct rng *r, unsigned after)
{
    const struct habits none = {0}, quick = {.read_ready = 1, .answer_ready = 1, .clocks = 20};
    reset();
    request(rng_next(r) >> 28);
    for (unsigned i = 0; i < after; i++)
        clock(r, &none);
    request(rng_next(r) >> 28);
    for (unsigned i = 0; i < 400; i++)
        clock(r, &quick);
}

/* The table changes in each clock of a walk in turn, and each answer is of the new one. */
static void changed_in_each(struct rng *r)
{
    const struct habits h = {.read_ready = 1, .clocks = 3};
    const uint64_t before = begun_anew;
    unsigned at = 0, answered = 0;
    for (bool over = false; !over && at < 100; at++) {
        reset();
        request(12345);
        for (unsigned i = 0; i < at; i++)
            clock(r, &h);
        over = dut.out.answer.tvalid;
        change();
        answered += until_answer(r, &h, 100) < 100;
    }
    tap_why("%u of %u, %u begun anew", answered, at, (unsigned)(begun_anew - before));
    tap_ok(answered == at && begun_anew - before > 3, "an invalidation in each clock of a walk");
}

/* What nobody expects: a word without a read, with every tag, in the clock in which a read is offered and not yet taken. */
static void words_unasked(struct rng *r)
{
    const struct habits none = {0};
    reset();
    request(rng_next(r) >> 28);
    clock(r, &none);
    for (unsigned tag = 0; tag < 4; tag++) {
        const struct walker_out before = dut.out;
        in.read_tready = 0;
        in.word = (struct walker_word){.tvalid = 1, .tag = (u2)tag, .entry = 1};
        walker(&dut, &in);
        golden_clock(&before, NULL);
        now++;
    }
    tap_ok(!dut.out.answer.tvalid && dut.out.read.tvalid,
           "a word before its read is taken is none");
}

static void random_walks(struct rng *r, uint64_t operations)
{
    static const struct habits habit[] = {
        {.request = 1, .answer_ready = 1, .read_ready = 1, .error = 100, .change = 50},
        {.request = 4,
         .answer_ready = 3,
         .read_ready = 4,
         .error = 1000,
         .change = 200,
         .slow = 300},
        {.request = 2, .answer_ready = 2, .read_ready = 2, .slow = 50, .lost = 200, .change = 5000},
        {.request = 1, .answer_ready = 1, .read_ready = 1, .clocks = 1, .lost = 2000},
        {.request = 1, .answer_ready = 20, .read_ready = 700, .change = 3000, .error = 50},
    };
    static const unsigned share[] = {45, 30, 4, 20, 1};
    for (unsigned i = 0; i < sizeof habit / sizeof *habit; i++) {
        const uint64_t walks = operations * share[i] / 100;
        uint64_t done = 0;
        reset();
        while (done < walks && !wrong.count) {
            const bool offered = dut.out.answer.tvalid;
            clock(r, &habit[i]);
            done += !offered && dut.out.answer.tvalid;
        }
    }
}

int main(int argc, char **argv)
{
    struct rng r;
    uint64_t seed, operations = 20000;
    test_options(argc, argv, &seed,
                 args_number("--operations", &operations, 1, UINT64_MAX, "walks"));
    rng_seed(&r, seed);
    harness_clock = &now;
    version = rng_next(&r) >> 30;
    at_the_limit(&r, 1, false);
    at_the_limit(&r, 100, false);
    at_the_limit(&r, UNTIL_TIMEOUT - 1, false);
    at_the_limit(&r, UNTIL_TIMEOUT, true);
    at_the_limit(&r, LATE, true);
    for (unsigned i = 0; i < 4; i++)
        taken_late(&r, UNTIL_TIMEOUT - 1 + i);
    tap_ok(taken_with_timeout == 1, "a read taken about the clock of the timeout");
    changed_in_each(&r);
    words_unasked(&r);
    random_walks(&r, operations);
    tap_note(
        "%llu found, %llu absent, %llu errors, %llu timeouts, %llu begun anew, %llu words late",
        (unsigned long long)ended[WALKER_FOUND], (unsigned long long)ended[WALKER_ABSENT],
        (unsigned long long)ended[WALKER_ERROR], (unsigned long long)ended[WALKER_TIMEOUT],
        (unsigned long long)begun_anew, (unsigned long long)late);
    tap_ok(ended[WALKER_FOUND] && ended[WALKER_ABSENT] && ended[WALKER_ERROR] &&
               ended[WALKER_TIMEOUT] && begun_anew && late,
           "walks with every end");
    tap_misses(&wrong, "all reads and answers are those of the golden model, to the clock");
    return tap_done();
}
