// SPDX-License-Identifier: Apache-2.0
/*
 * constant_names: numbers that the C calls by a name: macros, enumerators of a plain number, a constexpr; in comparisons, in a
 * switch, in a helper, in sums and masks. A value of two names in one line, or that the line also writes as a number, has
 * none, nor one that is computed from names or of which not all bits are used.
 */
#include "hls.h"

#define TAIL   9
#define SLOTS  (TAIL + 1)
#define SAME   9
#define SCORES 9, 3
enum names_word { WORD_IDLE, WORD_ASK = 3, WORD_GIVE = 5 };
constexpr u6 FULL = 63;
#define BASE  0x1230
#define MASK  0x1A5
#define WHOLE (BASE + 4)

struct constant_names_in {
    u4 slot;
    u3 word;
    u6 score;
    u16 addr;
};
struct constant_names_out {
    u1 tail, below, both, number, full, listed;
    u4 kind;
    u6 steps;
    u16 above, masked, turned, twice, moved, part, two, written, mixed;
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

/* Named: a sum, a mask, a difference the other way round, compound assignments, a factor, a macro of macros. */
static void compute(struct constant_names_out *out, u16 addr)
{
    out->above = addr - BASE;
    out->masked = addr & MASK;
    out->turned = WHOLE - addr;
    out->twice = addr * BASE;
    out->moved = addr;
    out->moved += BASE;
    out->moved |= MASK;                    /* not named: MASK is 9 bits here, as above */
    out->part = (u8)(addr - BASE);         /* 0x30 is what is left of it */
    out->two = (addr ^ BASE) + (BASE + 1); /* named once, computed once */
    out->written = (addr + MASK) ^ (u16)(addr + 0x1A5 + SLOTS); /* a number as well */
    out->mixed = (addr + TAIL) ^ (u16)(addr * SAME);            /* two names */
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
    compute(&self->out, in->addr);
    self->out.steps = steps(in->score, in->slot) ^ steps((u6)in->word, in->slot);
}
