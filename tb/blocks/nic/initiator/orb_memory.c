// SPDX-License-Identifier: Apache-2.0
/*
 * orb_memory.c - rat_local and memory behind orb: what they answer, and what must be written.
 */
#include "tb/blocks/nic/initiator/orb_bench.h"
#include "tb/blocks/nic/initiator/orb_inside.h"

#include <string.h>

/* Tags whose write memory has, in order, since when; that rat_local refuses. */
static int writes[TAGS], refusals[TAGS];
static uint64_t written[TAGS];
static unsigned n_writes, n_refusals;
static bool room_local[2]; /* in the clock before, and in that before it */
static int local_tag;      /* whose packet is on out.local, or -1 */
static bool local_flag, local_refused;

/* ---- rat_local and memory ---------------------------------------------------------------------- */

static unsigned status_of(unsigned memory)
{
    static const unsigned status[4] = {OK, TRANSLATION, BUS, DATA};

    return status[memory];
}

static void end_write(int tag, unsigned status)
{
    struct request *q = &ob.req[tag];

    q->done = true;
    if (q->status == OK)
        q->status = status;
}

void orb_memory_answer(struct mem_done *done, struct npt_context *refused)
{
    done->client = (u4)rng_below(&ob.r, 8);
    done->place = (u12)rng_below(&ob.r, TAGS);
    done->valid = done->client != 2 && rng_below(&ob.r, 2);
    if (n_writes > 0 && ob.now >= written[0] + ob.how.memory && orb_often(ob.how.done)) {
        const unsigned status = orb_seldom(ob.how.fails) ? rng_below(&ob.r, 4) : 0;
        *done = (struct mem_done){1, 2, (u12)writes[0], (u2)status};
        end_write(writes[0], status_of(status));
        memmove(writes, writes + 1, --n_writes * sizeof writes[0]);
        memmove(written, written + 1, n_writes * sizeof written[0]);
    }
    if (n_refusals > 0 && orb_often(ob.how.done)) {
        const unsigned status = 1 + rng_below(&ob.r, 14);
        *refused = (struct npt_context){.valid = 1,
                                        .ready = 1,
                                        .status = (nic_status_field)status,
                                        .tag = (nic_tag)refusals[0]};
        end_write(refusals[0], status);
        memmove(refusals, refusals + 1, --n_refusals * sizeof refusals[0]);
    }
}

/* ---- what must be written ---------------------------------------------------------------------- */

/* The head of a write to local memory: data of a request whose response has come, or its flag. */
static void check_local_head(const struct beat *out)
{
    const unsigned tag = (unsigned)bits(out->word, AT_TAG, 10);
    struct request *q = &ob.req[tag % TAGS];
    const uint64_t offset = bits(out->word, 4, 14) | bits(out->word, FLIT(1, 4), 6) << 14 |
                            bits(out->word, FLIT(2, 0), 20) << 20;

    local_tag = (int)(tag % TAGS);
    local_flag = offset != q->offset;
    local_refused = orb_seldom(ob.how.refused);
    const unsigned bytes = local_flag ? 4 : q->bytes;
    const uint64_t to = (q->offset + (local_flag ? q->bytes : 0)) & ((UINT64_C(1) << 40) - 1);
    must(&ob.seen.early, room_local[1],
         "tag %u: a write begins, two clocks behind one without room", tag);
    must_at_most(&ob.seen.local, tag, TAGS - 1, "tag of a write");
    must(&ob.seen.local, local_flag || (q->state == SENT && q->posted && q->writes),
         "tag %u: data is written while it is %s, expected only of one that is sent, with a "
         "response "
         "that fits and has data",
         tag, orb_bench_state(q));
    must(&ob.seen.local, !local_flag || (q->flagged && q->state != AT_FLAG && q->state != FREE),
         "tag %u: a flag, or data to the wrong place, while it is %s: offset %#llx, expected %s",
         tag, orb_bench_state(q), (unsigned long long)offset,
         q->flagged ? "one flag, before its end" : "no flag");
    must_equal(&ob.seen.local, offset, to, "tag %u: offset of a write", tag);
    must_equal(&ob.seen.local, bits(out->word, AT_CMD, 4), PUT, "tag %u: command of a write", tag);
    must_equal(&ob.seen.local, bits(out->word, AT_MDH, 12), q->mdh, "tag %u: handle of a write",
               tag);
    must_equal(&ob.seen.local, bits(out->word, AT_PTAG, 8), q->ptag, "tag %u: ptag of a write",
               tag);
    must_equal(&ob.seen.local, bits(out->word, AT_SRC, 18), NODE, "tag %u: source of a write", tag);
    must_equal(&ob.seen.local, bits(out->word, AT_Z, 6), bytes - 1, "tag %u: Z of a write", tag);
    must_equal(&ob.seen.local, bits(out->word, AT_X, 4), 0, "tag %u: X of a write", tag);
    q->beats = 0;
    if (!local_flag) {
        q->state = AT_MEMORY;
        q->done = false;
        q->status = OK;
        ob.seen.datas++;
    }
}

static void check_local_data(const struct beat *out)
{
    struct request *q = &ob.req[local_tag];
    const unsigned bytes = local_flag ? 4 : q->bytes;
    struct beat expected = {.valid = 1, .tail = q->beats == (bytes - 1) / 16};

    if (local_flag) {
        const unsigned status = (unsigned)bits(out->word, 4, 4);
        must(&ob.seen.local, orb_may_end(q, status), "tag %d: flag of status %u, expected %s",
             local_tag, status, orb_due_text(q));
        expected.word = (beat_word)status << 4 | 1;
        q->state = AT_FLAG;
        q->status = status;
        q->done = false;
        ob.seen.flags++;
    } else {
        expected.word = orb_data_of(q->serial, q->beats);
        expected.bad = orb_wrong_bits(q->serial, q->beats);
    }
    must_beat(&ob.seen.local, out, &expected, "tag %d: beat %u of a %s", local_tag, q->beats,
              local_flag ? "flag" : "write");
    q->beats++;
    if (!out->tail)
        return;
    if (local_refused)
        refusals[n_refusals++] = local_tag;
    else {
        written[n_writes] = ob.now;
        writes[n_writes++] = local_tag;
    }
    local_tag = -1;
}

static void check_beat(const struct beat *out)
{
    if (!must(&ob.seen.local, out->head == (local_tag < 0), "tag %d: a %s, expected a %s: %s",
              local_tag, out->head ? "head" : "data beat", local_tag < 0 ? "head" : "data beat",
              nic_word_text(out->word)))
        return;
    if (out->head)
        check_local_head(out);
    else
        check_local_data(out);
}

void orb_memory_check(bool room)
{
    if (ob.dut.out.local.valid)
        check_beat(&ob.dut.out.local);
    room_local[1] = room_local[0];
    room_local[0] = room;
}

bool orb_memory_flag(void)
{
    return local_flag;
}

void orb_memory_reset(void)
{
    n_writes = n_refusals = 0;
    local_tag = -1;
}
