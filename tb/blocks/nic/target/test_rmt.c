// SPDX-License-Identifier: Apache-2.0
/*
 * test_rmt.c - sequences at the target against a list of transactions.
 *
 * The model keeps what each transaction counted in a list without sets, so all it knows of `note` for want of a place is that four
 * entries must be there. Everything else is exact: each event, each answer to a parked END, each result.
 *
 * Built for aries: fast; proto: san. Recorded for rmt.
 */
#include "nic/target/rmt.h"
#include "tb/base/harness.h"

#include <string.h>

enum { KEYS = 4096, ROUND = 4 * RMT_SETS + 64 };

/* A transaction, as packets name it. */
struct model_entry {
    bool valid, parked, wants;
    unsigned count, total, age;
    uint64_t event, whom;
    unsigned queue, ptag;
};

/* What came out since the operation was given. */
struct seen {
    bool result, note, parked, event, answer, answer_note;
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
static uint64_t settled, by_end, by_note, refused, timed_out;

static void clock_with(struct rmt_in in)
{
    in.room_event = rng_chance(&rng, 0.8);
    in.taken = dut.out.answer.valid && rng_chance(&rng, 0.5);
    if (in.taken) {
        must(&wrong, !seen.answer, "two answers to parked ENDs for one operation");
        seen.answer = true;
        seen.answer_note = dut.out.answer.note;
        seen.whom = (uint64_t)dut.out.answer.whom;
        must_equal(&wrong, dut.out.answer.status, STATUS_OK, "status of an END");
    }
    rmt(&dut, &in);
    now++;
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
        .whom = (u33)(rng_next(&rng) >> 31),
    };
}

/* What must come out of an operation. */
struct due {
    bool note, parked, event, answer;
    uint64_t word, whom;
    unsigned queue, ptag;
};

static void event_of(struct due *due, uint64_t event, unsigned queue, unsigned ptag)
{
    due->event = true;
    due->word = (uint64_t)EVENT_RMT_SRSP << 56 | event;
    due->queue = queue;
    due->ptag = ptag;
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
        if (e->wants) {
            event_of(&due, e->event, e->queue, e->ptag);
        }
        due.answer = true;
        due.whom = e->whom;
        settled++;
        drop(e);
    }
    return due;
}

static struct due take_end(struct model_entry *e, const struct rmt_op *op)
{
    struct due due = {0};

    if (!(e->valid && e->parked) && op->total == e->count) {
        if (op->wants) {
            event_of(&due, (uint64_t)op->event, (unsigned)op->queue, (unsigned)op->ptag);
        }
        by_end++;
        if (e->valid) {
            drop(e);
        }
    } else if (e->parked || (!e->valid && !make(e))) {
        due.note = true;
    } else {
        due.parked = true;
        e->parked = true;
        e->wants = op->wants;
        e->total = (unsigned)op->total;
        e->event = (uint64_t)op->event;
        e->whom = (uint64_t)op->whom;
        e->queue = (unsigned)op->queue;
        e->ptag = (unsigned)op->ptag;
        e->age = 0;
    }
    return due;
}

static struct due take_note(struct model_entry *e, const struct rmt_op *op)
{
    struct due due = {0};

    if (op->wants) {
        event_of(&due, (uint64_t)op->event, (unsigned)op->queue, (unsigned)op->ptag);
    }
    due.answer = e->parked;
    due.whom = e->whom;
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
    for (unsigned i = 0; i < 400 && (!seen.result || dut.out.answer.valid); i++) {
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
    for (unsigned i = 0; i < ROUND + 16 * parked; i++) {
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
    must_at_least(&wrong, refused, keys > 1 << NIC_RMT_LOG2 ? 100 : 0,
                  "transactions without a place");
    /* holds rmt.settles, rmt.parked, rmt.note, rmt.epoch */
    tap_misses(&wrong,
               "%u transactions: %llu ENDs settled by packets, %llu at once, %llu by NOTE, %llu "
               "timed out, %llu without a place",
               keys, (unsigned long long)settled, (unsigned long long)by_end,
               (unsigned long long)by_note, (unsigned long long)timed_out,
               (unsigned long long)refused);
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
    tap_ok(harness_covers("hls/nic/target/rmt.c") == 6, "all covers are hit");
    return tap_done();
}
