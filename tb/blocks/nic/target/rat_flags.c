// SPDX-License-Identifier: Apache-2.0
/*
 * rat_flags.c - flags of rmt before rat_local, and what comes of them.
 */
#include "tb/blocks/nic/target/rat_flags.h"
#include "tb/models/nic_beats.h"

#include <stdlib.h>

enum { FLAGS_MOST = 1 << 14, PLACES = 8 };

struct flag {
    struct request request;
    uint64_t value, address;
    unsigned status, space;
};

static struct flag flags[FLAGS_MOST];
static unsigned made, shown, left, told; /* told: contexts of refused ones */
static bool shows, goes; /* the register has a flag; it was seen to be taken in the clock before */
static bool inside;      /* the head of one has left, its data is next */

void rat_flags_begin(void)
{
    made = shown = left = told = 0;
    shows = goes = inside = false;
}

void rat_flags_add(struct request r, uint64_t value)
{
    struct outcome o = {0};

    if (made == FLAGS_MOST) {
        abort();
    }
    r.cmd = PUT;
    r.bytes = 8;
    flags[made] = (struct flag){.request = r, .value = value, .status = rat_bench_status(&r, &o)};
    rat_bench_expect(flags[made].status);
    flags[made].space = o.space;
    flags[made++].address = o.address;
}

struct rmt_write rat_flags_drive(void)
{
    const struct flag *f = &flags[shown];

    if (!shows && shown != made && rng_chance(&rb.rng, rb.begin_share)) {
        shows = true;
    }
    if (!shows) {
        return (struct rmt_write){0};
    }
    return (struct rmt_write){.valid = 1,
                              .place = (u3)(shown % PLACES),
                              .ptag = (nic_ptag)f->request.ptag,
                              .flag = {.wanted = 1,
                                       .mdh = (nic_mdh)f->request.mdh,
                                       .offset = (nic_offset)f->request.offset,
                                       .value = f->value}};
}

static void next(unsigned *at, bool refused)
{
    while (*at != made && (flags[*at].status != 0) != refused) {
        ++*at;
    }
}

bool rat_flags_memory(const struct beat *beat)
{
    if (!inside && !(beat->head && (beat->word >> 14 & 3) == 1)) {
        return false;
    }
    next(&left, false);
    if (left == made) {
        miss(&rb.wrong, "%s leaves, expected no flag", nic_word_text(beat->word));
        return true;
    }
    const struct flag *f = &flags[left];
    struct beat due = {.valid = 1, .head = !inside, .tail = inside, .word = f->value};

    if (!inside) {
        due.word = (beat_word)2 | (beat_word)(1u << 10 | left % PLACES) << 4 | (beat_word)7 << 16 |
                   (beat_word)1 << 22 | (beat_word)f->space << 23 | (beat_word)f->address << 48;
    }
    must_beat(&rb.wrong, beat, &due, "flag %u: %s", left, inside ? "its value" : "its head");
    left += inside;
    inside = !inside;
    return true;
}

void rat_flags_context(const struct npt_context *context)
{
    next(&told, true);
    if (told == made) {
        miss(&rb.wrong, "a flag is refused with status %u, expected none",
             (unsigned)context->status);
        return;
    }
    must_equal(&rb.wrong, context->status, flags[told].status, "flag %u: status", told);
    must_equal(&rb.wrong, context->tag, told % PLACES, "flag %u: place", told);
    told++;
}

void rat_flags_step(void)
{
    shows = shows && !goes;
    shown += goes;
    goes = rb.dut.out.flag_taken;
}

bool rat_flags_done(void)
{
    next(&left, false);
    next(&told, true);
    return left == made && told == made;
}
