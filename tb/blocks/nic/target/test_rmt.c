// SPDX-License-Identifier: Apache-2.0
/*
 * test_rmt.c - sequences at the target against a list of transactions.
 *
 * The model keeps what each transaction counted in a list without sets, so all it knows of `note` for want of a place is that four
 * entries must be there. Everything else is exact: each event, each answer to a parked END, each result, each flag; of what has a flag
 * event and answer come when it is written, in the order of flags, and no event if it is not.
 *
 * Built for aries: fast; proto: san. Recorded for rmt.
 */
#include "nic/target/rmt.h"
#include "tb/base/harness.h"

#include <string.h>

enum { KEYS = 4096, ROUND = 4 * RMT_SETS + 64, FLAGS = 32 };

/* What an END or NOTE wants. */
struct model_end {
    bool wants, flagged;
    uint64_t event, whom;
    unsigned queue, ptag;
    struct rmt_flag flag;
};

/* A transaction, as packets name it. */
struct model_entry {
    bool valid, parked;
    unsigned count, total, age;
    struct model_end end;
};

/* A flag that must be written: first it stands before rat_local, then it is on its way until `due`, then it is answered. */
struct model_flag {
    struct model_end end;
    bool taken, answered, refused;
    unsigned place, status;
    uint64_t due;
};

/* What came out since the operation was given. */
struct seen {
    bool result, note, parked, event, answer, answer_note, flag;
    uint64_t word, whom;
    unsigned queue, ptag;
};

static struct rmt dut;
static struct model_entry model[KEYS];
static unsigned entries;
static struct seen seen;
static struct rng rng;
static uint64_t now;
static struct misses wrong;
static unsigned wanted_keys; /* how many different transactions are drawn */
static uint64_t settled, by_end, by_note, refused, timed_out, written, not_written;
static struct model_flag flags[FLAGS]; /* from the oldest on */
static unsigned waiting;               /* of these */
static bool flag_answer;               /* the answer that stands is of a flag */

/* rat_local takes the flag that stands, or not; not before the model knows of its operation. */
static bool take_flag(void)
{
    struct model_flag *f = waiting == 0 ? NULL : &flags[waiting - 1];
    const struct rmt_write *w = &dut.out.flag;

    if (!w->valid || f == NULL || f->taken || !rng_chance(&rng, 0.3)) {
        return false;
    }
    f->taken = true;
    f->place = (unsigned)w->place;
    f->due = now + 5 + rng_below(&rng, 100);
    must_equal(&wrong, w->ptag, f->end.ptag, "flag: domain");
    must_equal(&wrong, w->flag.mdh, f->end.flag.mdh, "flag: handle");
    must_equal(&wrong, w->flag.offset, f->end.flag.offset, "flag: offset");
    must_equal(&wrong, w->flag.value, f->end.flag.value, "flag: value");
    return true;
}

/* Memory answers flags in order, rat_local refuses them in order, too. */
static void answer_flags(struct rmt_in *in)
{
    bool blocked[2] = {false, false};

    for (unsigned i = 0; i < waiting && flags[i].taken; i++) {
        struct model_flag *f = &flags[i];

        if (f->answered) {
            continue;
        }
        if (!blocked[f->refused] && f->due <= now) {
            f->answered = true;
            if (f->refused) {
                f->status = 3 + rng_below(&rng, 5);
                in->refused = (struct rmt_refused){
                    .valid = 1, .place = (u3)f->place, .status = (nic_status_field)f->status};
            } else {
                unsigned memory = rng_below(&rng, 8) == 0 ? 1 + rng_below(&rng, 3) : 0;

                f->status = memory == 0 ? 0 : memory == 1 ? 3 : memory == 2 ? 13 : 10;
                in->done = (struct mem_done){.valid = 1,
                                             .client = 2,
                                             .place = (u12)(1u << 10 | f->place),
                                             .status = (u2)memory};
            }
        }
        blocked[f->refused] = true;
    }
}

/* The answer of the oldest flag, and its event. */
static void check_told(void)
{
    const struct model_flag f = flags[0];
    const struct nic_event *e = &dut.out.event;

    must(&wrong, f.answered, "an answer before its flag is written");
    must_equal(&wrong, dut.out.answer.status, f.status, "status of an END or NOTE with a flag");
    must_equal(&wrong, dut.out.answer.note, 0, "note to an END or NOTE with a flag");
    must_equal(&wrong, e->valid, f.end.wants && f.status == 0, "event behind a flag");
    if (e->valid) {
        must_equal(&wrong, e->word, (uint64_t)7 << 56 | f.end.event, "event behind a flag");
        must_equal(&wrong, e->queue, f.end.queue, "queue behind a flag");
        must_equal(&wrong, e->ptag, f.end.ptag, "domain behind a flag");
    }
    written += f.status == 0;
    not_written += f.status != 0;
    memmove(flags, flags + 1, --waiting * sizeof(*flags));
}

static void clock_with(struct rmt_in in)
{
    const bool stood = dut.out.answer.valid;

    in.room_event = rng_chance(&rng, 0.8);
    in.taken = stood && rng_chance(&rng, 0.5);
    in.flag_taken = take_flag();
    answer_flags(&in);
    /* done of others, of data of gets, too */
    if (!in.done.valid && rng_below(&rng, 4) == 0) {
        in.done = (struct mem_done){.valid = 1,
                                    .client = (u4)rng_below(&rng, 3),
                                    .place = (u12)rng_below(&rng, 1024) |
                                             (u12)(rng_below(&rng, 2) << 11)};
    }
    if (in.taken && !flag_answer) {
        must(&wrong, !seen.answer, "two answers to parked ENDs for one operation");
        seen.answer = true;
        seen.answer_note = dut.out.answer.note;
        seen.whom = (uint64_t)dut.out.answer.whom;
        must_equal(&wrong, dut.out.answer.status, STATUS_OK, "status of an END");
    }
    rmt(&dut, &in);
    now++;
    if (dut.out.answer.valid && (!stood || in.taken)) {
        flag_answer = waiting != 0 && dut.out.answer.whom == flags[0].end.whom;
        if (flag_answer) {
            check_told();
            return;
        }
    }
    if (dut.out.result.valid) {
        must(&wrong, !seen.result, "two results for one operation");
        seen.result = true;
        seen.note = dut.out.result.note;
        seen.parked = dut.out.result.parked;
    }
    if (dut.out.event.valid) {
        must(&wrong, !seen.event, "two events for one operation");
        seen.event = true;
        seen.word = (uint64_t)dut.out.event.word;
        seen.queue = (unsigned)dut.out.event.queue;
        seen.ptag = (unsigned)dut.out.event.ptag;
    }
}

static void begin(unsigned keys)
{
    memset(&model, 0, sizeof(model));
    entries = 0;
    waiting = 0;
    written = not_written = 0;
    wrong = (struct misses){0};
    wanted_keys = keys;
    settled = by_end = by_note = refused = timed_out = 0;
    rmt_reset(&dut);
    for (unsigned i = 0; i < RMT_SETS; i++) {
        rmt(&dut, &(struct rmt_in){.wipe = {.valid = 1, .index = (u13)i}});
    }
}

static struct rmt_op draw(unsigned *key)
{
    unsigned k = rng_below(&rng, wanted_keys), kind = rng_below(&rng, 10);

    *key = k;
    return (struct rmt_op){
        .valid = 1,
        .kind = kind < 6   ? RMT_OP_COUNT
                : kind < 9 ? RMT_OP_END
                           : RMT_OP_NOTE,
        .src = (nic_node)(k / 16 * 977),
        .ssid = (nic_ssid)(k % 16 / 4),
        .use = (u2)(k % 4),
        .total = rng_below(&rng, 5),
        .wants = rng_below(&rng, 4) != 0,
        .queue = (u10)rng_below(&rng, 1024),
        .ptag = (nic_ptag)rng_below(&rng, 256),
        .event = (u56)(rng_next(&rng) >> 8),
        .flag = {.wanted = kind >= 6 && rng_below(&rng, 3) == 0,
                 .mdh = (nic_mdh)rng_next(&rng),
                 .offset = (nic_offset)rng_next(&rng),
                 .value = rng_next(&rng)},
        .whom = (u33)(rng_next(&rng) >> 31),
    };
}

/* What must come out of an operation. */
struct due {
    bool note, parked, event, answer;
    uint64_t word, whom;
    unsigned queue, ptag;
};

static struct model_end end_of(const struct rmt_op *op)
{
    return (struct model_end){.wants = op->wants,
                              .flagged = op->flag.wanted,
                              .event = (uint64_t)op->event,
                              .whom = (uint64_t)op->whom,
                              .queue = (unsigned)op->queue,
                              .ptag = (unsigned)op->ptag,
                              .flag = op->flag};
}

/* It settles: its event, or its flag first. The value says that its answer is due now. */
static bool settle(struct due *due, const struct model_end *end)
{
    if (end->flagged) {
        must(&wrong, waiting < FLAGS, "too many flags are under way");
        flags[waiting++] = (struct model_flag){.end = *end, .refused = rng_below(&rng, 4) == 0};
        return false;
    }
    if (end->wants) {
        due->event = true;
        due->word = (uint64_t)EVENT_RMT_SRSP << 56 | end->event;
        due->queue = end->queue;
        due->ptag = end->ptag;
    }
    return true;
}

static void drop(struct model_entry *e)
{
    *e = (struct model_entry){0};
    entries--;
}

/* A new entry, or none if there is no place; only who has seen the result knows. */
static bool make(struct model_entry *e)
{
    bool none = seen.result && seen.note;

    must(&wrong, !none || entries >= RMT_WAYS, "no place for a transaction, and %u are here",
         entries);
    refused += none;
    if (!none) {
        *e = (struct model_entry){.valid = true};
        entries++;
    }
    return !none;
}

static struct due count_one(struct model_entry *e)
{
    struct due due = {0};

    if (!e->valid && !make(e)) {
        due.note = true;
        return due;
    }
    e->count++;
    if (e->parked && e->count == e->total) {
        due.answer = settle(&due, &e->end);
        due.whom = e->end.whom;
        settled++;
        drop(e);
    }
    return due;
}

static struct due take_end(struct model_entry *e, const struct rmt_op *op)
{
    struct due due = {0};

    if (!(e->valid && e->parked) && op->total == e->count) {
        const struct model_end end = end_of(op);

        due.parked = !settle(&due, &end);
        by_end++;
        if (e->valid) {
            drop(e);
        }
    } else if (e->parked || (!e->valid && !make(e))) {
        due.note = true;
    } else {
        due.parked = true;
        e->parked = true;
        e->total = (unsigned)op->total;
        e->end = end_of(op);
        e->age = 0;
    }
    return due;
}

static struct due take_note(struct model_entry *e, const struct rmt_op *op)
{
    struct due due = {0};
    const struct model_end end = end_of(op);

    due.parked = !settle(&due, &end);
    due.answer = e->parked;
    due.whom = e->end.whom;
    by_note += e->parked;
    if (e->valid) {
        drop(e);
    }
    return due;
}

/* One operation, and all that follows from it. */
static void operate(void)
{
    unsigned key;
    struct rmt_op op = draw(&key);
    struct model_entry *e = &model[key];

    seen = (struct seen){0};
    clock_with((struct rmt_in){.op = op});
    for (unsigned i = 0; i < 4000 && (!seen.result || (dut.out.answer.valid && !flag_answer));
         i++) {
        clock_with((struct rmt_in){0});
    }
    struct due due = op.kind == RMT_OP_COUNT ? count_one(e)
                     : op.kind == RMT_OP_END ? take_end(e, &op)
                                             : take_note(e, &op);

    must(&wrong, seen.result, "an operation without a result");
    must_equal(&wrong, seen.note, due.note, "kind %u: note", (unsigned)op.kind);
    must_equal(&wrong, seen.parked, due.parked, "kind %u: parked", (unsigned)op.kind);
    must_equal(&wrong, seen.event, due.event, "kind %u: event", (unsigned)op.kind);
    must_equal(&wrong, seen.answer, due.answer, "kind %u: answer to END", (unsigned)op.kind);
    if (due.event) {
        must_equal(&wrong, seen.word, due.word, "event");
        must_equal(&wrong, seen.queue, due.queue, "queue");
        must_equal(&wrong, seen.ptag, due.ptag, "domain");
    }
    if (due.answer) {
        must_equal(&wrong, seen.whom, due.whom, "whom");
        must_equal(&wrong, seen.answer_note, 0, "note to END");
    }
}

/* Half of RMT_TIMEOUT ends: what is two old goes, and its END is answered with note. */
static void age(void)
{
    unsigned parked = 0, answers = 0;

    for (unsigned k = 0; k < KEYS; k++) {
        struct model_entry *e = &model[k];

        e->age += e->valid;
        if (e->valid && e->age == 2) {
            parked += e->parked;
            drop(e);
        }
    }
    for (unsigned i = 0; i < ROUND + 16 * parked + 200 || (waiting != 0 && i < 100000); i++) {
        struct rmt_in in = {.config.rmt = i == 0};

        seen = (struct seen){0};
        clock_with(in);
        answers += seen.answer;
        must(&wrong, !seen.event, "an event of a transaction that timed out");
        must(&wrong, !seen.answer || seen.answer_note, "an END that timed out without note");
    }
    must_equal(&wrong, answers, parked, "ENDs that timed out are answered");
    timed_out += parked;
}

static unsigned parked_ends(void)
{
    unsigned parked = 0;

    for (unsigned k = 0; k < KEYS; k++) {
        parked += model[k].parked;
    }
    return parked;
}

static void test_random(unsigned keys)
{
    begin(keys);
    for (unsigned i = 0; i < 20000; i++) {
        operate();
        if (rng_below(&rng, 300) == 0) {
            age();
        }
    }
    must_equal(&wrong, dut.out.idle, parked_ends() == 0, "idle, and %u ENDs are parked",
               parked_ends());
    age();
    age();
    must_equal(&wrong, entries, 0, "entries of the model");
    must(&wrong, dut.out.idle, "not idle with no END parked");
    must_at_least(&wrong, settled, 20, "ENDs settled by the last packet");
    must_at_least(&wrong, by_end, 100, "settled by END");
    must_at_least(&wrong, by_note, 10, "parked ENDs that NOTE found");
    must_at_least(&wrong, timed_out, 10, "parked ENDs that timed out");
    must_at_least(&wrong, written, 100, "flags written");
    must_at_least(&wrong, not_written, 20, "flags that are not");
    must_at_least(&wrong, refused, keys > 1 << NIC_RMT_LOG2 ? 100 : 0,
                  "transactions without a place");
    /* holds rmt.settles, rmt.parked, rmt.note, rmt.epoch, rmt.flag */
    tap_misses(&wrong,
               "%u transactions: %llu ENDs settled by packets, %llu at once, %llu by NOTE, %llu "
               "timed out, %llu without a place; %llu flags written, %llu not",
               keys, (unsigned long long)settled, (unsigned long long)by_end,
               (unsigned long long)by_note, (unsigned long long)timed_out,
               (unsigned long long)refused, (unsigned long long)written,
               (unsigned long long)not_written);
}

/* As many transactions as there are entries, of one node with the ids it gives out in turn: none is without a place. */
static void test_places(void)
{
    unsigned without = 0;

    begin(1);
    for (unsigned i = 0; i < 1u << NIC_RMT_LOG2; i++) {
        struct rmt_op op = {
            .valid = 1, .kind = RMT_OP_COUNT, .src = 5, .ssid = (nic_ssid)i, .use = 1};

        seen = (struct seen){0};
        clock_with((struct rmt_in){.op = op});
        while (!seen.result) {
            clock_with((struct rmt_in){0});
        }
        without += seen.note;
    }
    /* holds rmt.places */
    tap_ok(without == 0, "%u transactions of one node: %u without a place", 1u << NIC_RMT_LOG2,
           without);
}

int main(int argc, char **argv)
{
    rng_seed(&rng, test_seed(argc, argv));
    harness_clock = &now;
    test_random(20);
    test_random(4 << NIC_RMT_LOG2);
    test_places();
    tap_ok(harness_covers("hls/nic/target/rmt.c") == 8, "all covers are hit");
    return tap_done();
}
