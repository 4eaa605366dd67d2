// SPDX-License-Identifier: Apache-2.0
/*
 * constant_names: numbers that the C calls by a name: macros, enumerators of a plain number, a constexpr; in comparisons, in a
 * switch and in a helper. A value of two names in one line, or that the line also writes as a number, has none.
 */
#include "hls.h"

#define TAIL   9
#define SLOTS  (TAIL + 1)
#define SAME   9
#define SCORES 9, 3
enum names_word { WORD_IDLE, WORD_ASK = 3, WORD_GIVE = 5 };
constexpr u6 FULL = 63;

struct constant_names_in {
    u4 slot;
    u3 word;
    u6 score;
};
struct constant_names_out {
    u1 tail, below, both, number, full, listed;
    u4 kind;
    u6 steps;
};
struct constant_names {
    struct constant_names_out out;
};

HLS_RESET void constant_names_reset(struct constant_names *self)
{
    self->out = (struct constant_names_out){0};
}

/* How far it is from full, in steps of the slot. */
static u6 steps(u6 score, u4 slot)
{
    u6 far = score == FULL ? 0 : FULL - score;
    u6 twice = slot == TAIL ? far : (u6)(far << 1);
    return (twice ^ (u6)slot) + (u6)(far >> 2);
}

HLS_MODULE void constant_names(struct constant_names *self, const struct constant_names_in *in)
{
    static const u4 score[] = {SCORES};

    self->out.tail = in->slot == TAIL;
    self->out.below = in->slot < SLOTS;
    self->out.both = in->slot == TAIL || in->score == SAME;
    self->out.number = in->slot == 5 || in->word == WORD_GIVE;
    self->out.full = in->score == FULL && in->word != WORD_IDLE;
    self->out.listed = in->slot == score[in->word & 1];
    switch (in->word) {
    case WORD_IDLE:
        self->out.kind = 1;
        break;
    case WORD_ASK:
        self->out.kind = 2;
        break;
    case WORD_GIVE:
        self->out.kind = TAIL;
        break;
    default:
        self->out.kind = 0;
    }
    self->out.steps = steps(in->score, in->slot) ^ steps((u6)in->word, in->slot);
}
