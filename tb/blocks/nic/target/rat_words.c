// SPDX-License-Identifier: Apache-2.0
/*
 * rat_words.c - words of endpoints of reductions.
 */
#include "tb/blocks/nic/target/rat_words.h"
#include "tb/models/nic_beats.h"

#include <stdlib.h>

enum { WORDS_MOST = 1 << 14 };

struct word {
    struct request request;
    uint64_t address;
    unsigned status, space;
    beat_data data;
};

static struct word words[WORDS_MOST];
static unsigned made, shown, left, told; /* left: those that went to memory, or were refused */
static bool shows, goes,
    inside; /* the register has a word; it was seen to be taken in the clock before; its data is next */

void rat_words_begin(void)
{
    made = shown = left = told = 0;
    shows = goes = inside = false;
}

void rat_words_add(struct request r)
{
    struct outcome o = {0};

    if (made == WORDS_MOST) {
        abort();
    }
    words[made] = (struct word){
        .request = r,
        .status = rat_bench_status(&r, &o),
        .data = (beat_data)rng_next(&rb.rng) << 64 | rng_next(&rb.rng),
    };
    rat_bench_expect(words[made].status);
    words[made].space = o.space;
    words[made++].address = o.address;
}

struct local_word rat_words_drive(void)
{
    const struct request *r = &words[shown].request;
    beat_word word = PUT;

    if (!shows && shown != made && rng_chance(&rb.rng, rb.begin_share)) {
        shows = true;
    }
    if (!shows) {
        return (struct local_word){0};
    }
    word |= (beat_word)(r->offset & 0x3FFF) << 4;
    word |= (beat_word)(r->offset >> 14 & 0x3F) << 52 | (beat_word)(r->offset >> 20) << 96;
    word |= (beat_word)r->ptag << 58 | (beat_word)r->mdh << 116 | (beat_word)(r->bytes - 1) << 128;
    word |= (beat_word)r->tag << 18 | (beat_word)r->tag << 86 | (beat_word)r->tag << 134;
    return (struct local_word){.valid = 1, .head = word, .data = words[shown].data};
}

bool rat_words_inside(void)
{
    return inside;
}

/* Those that are refused leave nothing. */
static void skip_refused(void)
{
    while (left != made && words[left].status != 0) {
        left++;
    }
}

void rat_words_memory(const struct beat *beat)
{
    const struct word *w;
    struct beat due = {.valid = 1, .head = !inside, .tail = inside};

    skip_refused();
    if (left == made) {
        miss(&rb.wrong, "%s leaves, expected no word", nic_word_text(beat->word));
        return;
    }
    w = &words[left];
    due.word = inside ? (beat_word)w->data
                      : (beat_word)2 | (beat_word)w->request.tag << 4 | (beat_word)1 << 15 |
                            (beat_word)(w->request.bytes - 1) << 16 | (beat_word)1 << 22 |
                            (beat_word)w->space << 23 | (beat_word)w->address << 48;
    must_beat(&rb.wrong, beat, &due, "beat %u of word %u", inside, left);
    left += inside;
    inside = !inside;
}

void rat_words_context(const struct npt_context *context)
{
    while (told != made && words[told].status == 0) {
        told++;
    }
    if (told == made) {
        miss(&rb.wrong, "a word is refused with status %u, expected none",
             (unsigned)context->status);
        return;
    }
    must_equal(&rb.wrong, context->status, words[told].status, "word %u: status", told);
    must_equal(&rb.wrong, context->tag, words[told].request.tag, "word %u: tag", told);
    told++;
}

#if NIC_CE
void rat_words_step(void)
{
    shows = shows && !goes;
    shown += goes;
    goes = rb.dut.out.word_taken;
}
#endif

bool rat_words_done(void)
{
    skip_refused();
    while (told != made && words[told].status == 0) {
        told++;
    }
    return left == made && told == made && shown == made;
}
