// SPDX-License-Identifier: Apache-2.0
/*
 * npt_rmt.c - rmt before npt: what it is asked, what it says, and answers to parked ENDs.
 */
#include "tb/blocks/nic/target/npt_inside.h"
#include "tb/models/nic_beats.h"

/* What was asked and has no result yet; an END that is parked, whose answer stands before npt from `due` on. */
static struct npt_test_asked *asked;
static bool asked_operation;
static uint64_t result_due, end_due;
static struct amo_answer end;
static bool end_waits;

void npt_rmt_begin(void)
{
    asked = NULL;
    asked_operation = false;
    end = (struct amo_answer){0};
    end_waits = false;
}

bool npt_rmt_counts(const struct npt_test_asked *a)
{
    bool forgets = a->context.kind == RMT_OP_NOTE; /* whatever it wanted */

    return a->context.kind != RMT_OP_NONE && (npt_put_status(a) == 0 || forgets);
}

struct rmt_result npt_rmt_result(void)
{
    struct rmt_result result = {0};

    if (asked_operation && nb.now >= result_due) {
        result = (struct rmt_result){.valid = 1, .note = rng_below(&nb.rng, 2)};
        npt_amo_tell(result.note);
        asked_operation = false;
    }
    if (asked != NULL && nb.now >= result_due) {
        bool refused = npt_put_status(asked) != 0;
        bool may = asked->context.kind == RMT_OP_END || (asked->context.flag.wanted && !refused);
        bool parks = may && !end_waits && rng_below(&nb.rng, 2);

        result = (struct rmt_result){
            .valid = 1, .parked = parks, .note = !parks && !refused && rng_below(&nb.rng, 2)};
        asked->told = true;
        asked->note = result.note;
        asked->lost |= parks; /* it is not answered in its turn */
        if (parks) {
            end = (struct amo_answer){
                .whom = (u33)((u33)asked->context.mode << 30 | (u33)asked->context.gen << 28 |
                              (u33)asked->context.tag << 18 | asked->context.src),
                .status = rng_below(&nb.rng, 4) == 0
                              ? (nic_status_field)(1 + rng_below(&nb.rng, 13))
                              : (nic_status_field)0,
                .note = rng_below(&nb.rng, 2)};
            end_waits = true;
            end_due = nb.now + rng_below(&nb.rng, 50);
            nb.parked++;
        }
        asked = NULL;
    }
    return result;
}

struct amo_answer npt_rmt_settled(void)
{
    end.valid = end_waits && nb.now >= end_due;
    return end;
}

void npt_rmt_check_op(void)
{
    const struct rmt_op *op = &nb.dut.out.op;

    if (!op->valid) {
        return;
    }
    must(&nb.wrong, asked == NULL && !asked_operation, "rmt is asked again before it has answered");
    if (npt_amo_counts(op)) {
        asked_operation = true;
        result_due = nb.now + 1 + rng_below(&nb.rng, 6);
        nb.counted_operations++;
        return;
    }
    struct npt_test_asked *a = npt_oldest_counted((unsigned)op->src, (unsigned)op->ssid);

    if (a == NULL) {
        miss(&nb.wrong, "rmt is asked of node %#x, expected for one whose data is in memory",
             (unsigned)op->src);
        return;
    }
    const struct npt_context *c = &a->context;

    must_equal(&nb.wrong, op->kind, c->kind, "tag %u: kind", (unsigned)c->tag);
    must_equal(&nb.wrong, op->use, c->use, "tag %u: use", (unsigned)c->tag);
    if (c->kind != RMT_OP_COUNT) {
        must_equal(&nb.wrong, op->total, c->total, "tag %u: total", (unsigned)c->tag);
        must_equal(&nb.wrong, op->wants, c->wants && npt_put_status(a) == 0, "tag %u: event wanted",
                   (unsigned)c->tag);
        must_equal(&nb.wrong, op->event, c->event, "tag %u: event", (unsigned)c->tag);
        must_equal(&nb.wrong, op->queue, c->queue, "tag %u: queue", (unsigned)c->tag);
        must_equal(&nb.wrong, op->ptag, c->ptag, "tag %u: domain", (unsigned)c->tag);
        must_equal(&nb.wrong, op->flag.wanted, c->flag.wanted && npt_put_status(a) == 0,
                   "tag %u: flag wanted", (unsigned)c->tag);
    }
    if (c->kind != RMT_OP_COUNT && !a->event_corrupt) {
        must_equal(&nb.wrong, op->flag.mdh, c->flag.mdh, "tag %u: handle", (unsigned)c->tag);
        must_equal(&nb.wrong, op->flag.offset, c->flag.offset, "tag %u: offset", (unsigned)c->tag);
        must_equal(&nb.wrong, op->flag.value, c->flag.value, "tag %u: flag", (unsigned)c->tag);
    }
    must(&nb.wrong, c->kind != RMT_OP_COUNT || !op->flag.wanted, "tag %u: flag of a packet",
         (unsigned)c->tag);
    must_equal(&nb.wrong, (unsigned)(op->whom >> 18) & 0x3FF, c->tag, "whom");
    asked = a;
    result_due = nb.now + 1 + rng_below(&nb.rng, 6);
    nb.counted_packets++;
}

void npt_rmt_check_head(const struct beat *r)
{
    const struct npt_context c = {.src = (nic_node)end.whom,
                                  .tag = (nic_tag)(end.whom >> 18),
                                  .gen = (nic_gen)(end.whom >> 28),
                                  .mode = (u3)(end.whom >> 30)};
    const struct beat due = {
        .valid = 1,
        .head = 1,
        .tail = 1,
        .word = npt_head(&c, (unsigned)end.status, 0, end.note && end.status == 0)};

    nb.expected[NPT_BUS] += end.status == 13;
    nb.expected[NPT_DATA] += end.status == 10;
    must(&nb.wrong, end_waits, "an END is answered, and none is parked");
    must_beat(&nb.wrong, r, &due, "answer to a parked END of tag %u", (unsigned)c.tag);
    end_waits = false;
}

bool npt_rmt_idle(void)
{
    return !end_waits && asked == NULL && !asked_operation;
}
