// SPDX-License-Identifier: Apache-2.0
/*
 * amo_back.c - see amo_back.h.
 */
#include "tb/blocks/nic/amo/amo_back.h"

#include "tb/blocks/nic/amo/amo_ops.h"
#include "tb/golden/nic/nic_amo.h"

#include <string.h>

enum { ASKS = 64 };

struct amo_back amo_back;
static unsigned asks[ASKS], ask_count; /* operations that each waits for, the oldest first */
static unsigned in_memory;             /* operations that are, or will never be, without a gap */

void amo_back_begin(void)
{
    amo_back = (struct amo_back){0};
    ask_count = in_memory = 0;
}

bool amo_back_may(const struct amo_test_op *op)
{
    return am.lazy != 0 && !op->order && gn_amo_of(op->opcode, op->fetch).cached &&
           op->status == STATUS_OK;
}

/* ---- words --------------------------------------------------------------------------------------- */

/* The next operation in a half behind those that have left. */
static unsigned next_in(const struct amo_half *half, unsigned h)
{
    unsigned at = half->issued != 0 ? am.ops[half->issued].next[h] : half->first;

    return at <= am.sent ? at : 0;
}

static bool fits(unsigned index, unsigned number)
{
    return (index - 1) % AMO_UNDER_WAY == number;
}

/*
 * The last operation that a word has in it. Values alone may come twice, so the unit is asked: it knows the number of the operation, modulo those
 * under way. One that has left already has no second word.
 */
static unsigned last_of(const struct amo_half *half, const struct amo_out_word *w)
{
    amo_place number = (amo_place)am.dut.writes[(amo_place)(am.dut.written - 1)];
    unsigned last = 0;

    for (unsigned h = w->from; h <= w->to; h++) {
        unsigned at = next_in(&half[h], h);

        while (at != 0 && at <= am.sent &&
               !(fits(at, number) &&
                 am.ops[at].after[h] == (uint32_t)(w->data >> (w->wide * 32 * h)))) {
            at = am.ops[at].next[h];
        }
        if (at != 0 && at <= am.sent && (last == 0 || at < last)) {
            last = at;
        }
    }
    return last;
}

/* An ordered operation leaves behind all that came before it. */
static void check_order(unsigned index)
{
    for (unsigned i = in_memory + 1; i < index && am.ops[index].order; i++) {
        if (am.ops[i].stage < WRITTEN) {
            miss(&am.wrong, "%s, ordered, leaves before operation %u", amo_op_text(&am.ops[index]),
                 i);
            return;
        }
    }
}

/* Operations of a half up to `last` leave; how many. */
static unsigned leave(struct amo_half *half, unsigned h, unsigned last)
{
    unsigned count = 0;

    for (unsigned at = next_in(half, h); at != 0 && at <= last; at = next_in(half, h)) {
        struct amo_test_op *op = &am.ops[at];

        check_order(at);
        op->stage = op->stage != ENDED ? WRITTEN : ENDED;
        half->issued = at;
        half->issued_value = op->after[h];
        count++;
    }
    return count;
}

struct amo_out_word amo_back_word(const struct mem_word *out)
{
    struct amo_half *half = amo_var_at(out->addr | (uint64_t)out->space << 48)->half;
    struct amo_out_word w = {.valid = true,
                             .wide = out->wide,
                             .addr = out->addr | (uint64_t)out->space << 48,
                             .data = out->data,
                             .entry = out->place};
    unsigned count = 0, last;

    w.from = out->wide ? 0 : amo_half_of(out->addr);
    w.to = out->wide ? 1 : w.from;
    last = last_of(half, &w);
    must(&am.wrong, last != 0, "a word for %#llx, %#llx, has no operation in it that has not left",
         (unsigned long long)w.addr, (unsigned long long)w.data);
    for (unsigned h = w.from; h <= w.to; h++) {
        count += leave(&half[h], h, last);
        must_equal(&am.wrong, (uint32_t)(w.data >> (w.wide * 32 * h)), half[h].issued_value,
                   "a word for %#llx: half %u, as operations up to %u make it",
                   (unsigned long long)w.addr, h, last);
        half[h].writes++;
        w.last[h] = half[h].issued;
    }
    amo_back.words++;
    amo_back.clock = am.now;
    amo_back.most = count > amo_back.most ? count : amo_back.most;
    return w;
}

void amo_back_done(const struct amo_out_word *out)
{
    struct amo_half *half = amo_var_at(out->addr)->half;

    for (unsigned h = out->from; out->op == 0 && h <= out->to; h++) {
        while (half[h].ended != out->last[h]) {
            half[h].ended = half[h].ended != 0 ? am.ops[half[h].ended].next[h] : half[h].first;
            am.ops[half[h].ended].stage = ENDED;
        }
    }
}

unsigned amo_back_turn(uint64_t addr, bool wide)
{
    const struct amo_half *half = amo_var_at(addr)->half;
    unsigned h = amo_half_of(addr), at = next_in(&half[h], h);
    bool same = at != 0 && am.ops[at].addr == addr && am.ops[at].wide == wide;

    return same && (!wide || next_in(&half[1], 1) == at) ? at : 0;
}

/* ---- who waits ------------------------------------------------------------------------------------ */

bool amo_back_asks(void)
{
    return ask_count < ASKS && rng_chance(&am.rng, am.asks);
}

void amo_back_ask(void)
{
    asks[ask_count++] = am.given;
}

void amo_back_check(void)
{
    while (in_memory < am.given && am.ops[in_memory + 1].stage == ENDED) {
        in_memory++;
    }
    /* order_lines.inc looks at the oldest alone, one a clock. */
    if (ask_count != 0 && order_reached((order_number)asks[0], am.dut.out.seen)) {
        must_at_least(&am.wrong, in_memory, asks[0],
                      "something in an ordered mode goes on: operations in memory");
        memmove(asks, asks + 1, --ask_count * sizeof(*asks));
    }
}

unsigned amo_back_waiting(void)
{
    return ask_count;
}
