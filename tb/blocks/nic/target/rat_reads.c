// SPDX-License-Identifier: Apache-2.0
/*
 * rat_reads.c - reads of this host's own memory.
 */
#include "tb/blocks/nic/target/rat_reads.h"
#include "tb/models/nic_beats.h"

#include <stdlib.h>

enum { READS_MOST = 1 << 14 };

struct read {
    struct request request;
    uint64_t address;
    unsigned status, space;
};

static struct read reads[READS_MOST];
static unsigned made, shown, left, told; /* told: contexts of refused ones */
static bool shows, goes; /* the register has a read; it was seen to be taken in the clock before */

void rat_reads_begin(void)
{
    made = shown = left = told = 0;
    shows = goes = false;
}

void rat_reads_add(struct request r)
{
    struct outcome o = {0};

    if (made == READS_MOST) {
        abort();
    }
    reads[made] = (struct read){.request = r, .status = rat_bench_status(&r, &o)};
    rat_bench_expect(reads[made].status);
    reads[made].space = o.space;
    reads[made++].address = o.address;
}

struct beat rat_reads_drive(void)
{
    const struct request *r = &reads[shown].request;
    beat_word word = 0;

    if (!shows && shown != made && rng_chance(&rb.rng, rb.begin_share)) {
        shows = true;
    }
    if (!shows) {
        return (struct beat){0};
    }
    word |= (beat_word)(r->offset & 0x3FFF) << 4;
    word |= (beat_word)(r->offset >> 14 & 0x3F) << 52 | (beat_word)(r->offset >> 20) << 96;
    word |= (beat_word)r->ptag << 58 | (beat_word)r->mdh << 116 | (beat_word)(r->bytes - 1) << 128;
    for (unsigned i = 0; i < 3; i++) {
        static const unsigned at[] = {18, 86, 134};

        word |= (beat_word)r->tag << at[i];
    }
    return (struct beat){.valid = 1, .head = 1, .tail = 1, .word = word};
}

void rat_reads_memory(const struct beat *head)
{
    const struct read *r = &reads[left];
    beat_word want = (beat_word)2 | (beat_word)r->request.tag << 4 |
                     (beat_word)(r->request.bytes - 1) << 16 | (beat_word)r->space << 23 |
                     (beat_word)r->address << 48;
    struct beat due = {.valid = 1, .head = 1, .tail = 1, .bad = r->status != 0, .word = want};

    if (left == made) {
        miss(&rb.wrong, "%s leaves, expected no read", nic_word_text(head->word));
        return;
    }
    due.word = r->status != 0 ? head->word : want;
    must_beat(&rb.wrong, head, &due, "read %u, status %u", left, r->status);
    left++;
}

void rat_reads_context(const struct npt_context *context)
{
    while (told != made && reads[told].status == 0) {
        told++;
    }
    if (told == made) {
        miss(&rb.wrong, "a read is refused with status %u, expected none",
             (unsigned)context->status);
        return;
    }
    must_equal(&rb.wrong, context->status, reads[told].status, "read %u: status", told);
    must_equal(&rb.wrong, context->tag, reads[told].request.tag, "read %u: tag", told);
    told++;
    /* its head leaves in the same clock, and is seen behind this */
    must_equal(&rb.wrong, left, told - 1, "reads that have left when one is refused");
}

void rat_reads_step(void)
{
    shows = shows && !goes;
    shown += goes;
    goes = rb.dut.out.read_taken;
}

unsigned rat_reads_left(void)
{
    return left;
}

bool rat_reads_done(void)
{
    return left == made;
}
