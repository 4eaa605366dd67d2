// SPDX-License-Identifier: Apache-2.0
/*
 * npt_amo.c - amo before npt: its answers, and what must leave of them.
 */
#include "tb/blocks/nic/target/npt_bench.h"
#include "tb/blocks/nic/target/npt_inside.h"
#include "tb/golden/nic/nic_packet.h"
#include "tb/models/nic_beats.h"

/* The answer of amo that stands before npt, or the last one that did. */
struct operation {
    struct amo_answer drives;
    uint64_t since; /* when it came, or rmt told of it */
    bool told, note;
};

static struct operation operation;
static bool old_due; /* the old value of it is the next beat */

const struct amo_answer *npt_amo_stands(void)
{
    return &operation.drives;
}

bool npt_amo_old_due(void)
{
    return old_due;
}

void npt_amo_begin(void)
{
    operation = (struct operation){0};
    old_due = false;
}

void npt_amo_drive(bool taken)
{
    static const u4 statuses[] = {3, 10, 13};

    operation.drives.valid &= !taken;
    if (!operation.drives.valid && rng_chance(&nb.rng, nb.load.operation)) {
        bool wide = rng_below(&nb.rng, 2);

        operation = (struct operation){.since = nb.now};
        operation.told = !rng_chance(&nb.rng, nb.load.counted);
        operation.drives = (struct amo_answer){
            .valid = 1,
            .whom = (u33)rng_next(&nb.rng),
            .status = rng_chance(&nb.rng, nb.load.error) ? statuses[rng_below(&nb.rng, 3)] : (u4)0,
            .counted = !operation.told,
            .ssid = (nic_ssid)rng_next(&nb.rng),
            .use = (u2)rng_next(&nb.rng),
            .fetch = rng_chance(&nb.rng, nb.load.fetch),
            .wide = wide,
            .old = wide ? rng_next(&nb.rng) : rng_next(&nb.rng) >> 32,
        };
        operation.told |= operation.drives.status != 0; /* what failed is not counted */
        nb.operations++;
    }
}

bool npt_amo_counts(const struct rmt_op *op)
{
    const struct amo_answer *a = &operation.drives;

    return a->valid && !operation.told && op->kind == RMT_OP_COUNT &&
           op->src == (nic_node)a->whom && op->ssid == a->ssid && op->use == a->use &&
           !op->flag.wanted;
}

void npt_amo_tell(bool note)
{
    operation.told = true;
    operation.note = note;
    operation.since = nb.now;
}

/* Its response: a head without what pack fills in. */
static beat_word operation_head(const struct amo_answer *a)
{
    uint64_t flit[NIC_FLITS];
    uint64_t whom = (uint64_t)a->whom;
    struct nic_packet p = {.response = true,
                           .node = (uint32_t)(whom & 0x3FFFF),
                           .tag = (unsigned)(whom >> 18 & 0x3FF),
                           .gen = (unsigned)(whom >> 28 & 3),
                           .mode = (unsigned)(whom >> 30),
                           .note = operation.note,
                           .err = a->status != 0,
                           .status = (unsigned)a->status,
                           .who = NODE};

    p.bytes = a->status != 0 || !a->fetch ? 0 : a->wide ? 8 : 4;
    nic_encode(&p, flit);
    nic_set(flit, NIC_CHK, 0);
    return (beat_word)flit[0] | (p.err ? (beat_word)(flit[1] & 0xFFFFFFFF) << 48 : (beat_word)0);
}

void npt_amo_check_head(const struct beat *r)
{
    const struct amo_answer *a = &operation.drives;

    must(&nb.wrong, operation.told, "operation %u is answered before rmt has counted it",
         nb.operations_done);
    old_due = a->fetch && a->status == 0;
    nb.operations_done++;
    const struct beat due = {.valid = 1, .head = 1, .tail = !old_due, .word = operation_head(a)};

    must_beat(&nb.wrong, r, &due, "operation %u, status %u, fetch %u: head of its answer",
              nb.operations_done, (unsigned)a->status, (unsigned)a->fetch);
    must(&nb.wrong, !nb.dut.out.event.valid,
         "operation %u: an event with its answer, expected none", nb.operations_done);
    nb.longest_operation_wait = nb.now - operation.since > nb.longest_operation_wait
                                    ? nb.now - operation.since
                                    : nb.longest_operation_wait;
}

void npt_amo_check_old(const struct beat *r)
{
    const struct beat due = {.valid = 1, .tail = 1, .word = operation.drives.old};

    must_beat(&nb.wrong, r, &due, "operation %u: beat of its old value", nb.operations_done);
    must(&nb.wrong, !nb.dut.out.event.valid,
         "operation %u: an event with its old value, expected none", nb.operations_done);
    old_due = false;
}

void npt_amo_check_taken(bool before, bool reply)
{
    const struct beat *r = &nb.dut.out.response;

    must(&nb.wrong,
         !nb.dut.out.taken || (!before && operation.drives.valid && !reply && r->valid && r->head),
         "operation %u is taken (in the clock before too %u, one stands there %u, a reply comes "
         "%u), "
         "expected its head in that clock: %s",
         nb.operations, before, (unsigned)operation.drives.valid, reply,
         r->valid ? nic_word_text(r->word) : "no beat");
    must(&nb.wrong, !nb.dut.out.idle || (!old_due && !r->valid), "idle, and %s, expected busy",
         old_due ? "an old value is to come" : "a beat leaves");
}
